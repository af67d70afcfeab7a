/* Interned opcodes: the properties of an opcode that the line parser needs, found by its text in
 * one probe. */
#ifndef GOLDMEM_TRACE_OPCODE_H
#define GOLDMEM_TRACE_OPCODE_H

#include "goldmem/instruction.h"

#include <stddef.h>

enum { GM_OPCODE_WORDS = GM_OPCODE_TEXT / 8 };

/* Per opcode; element `number` belongs to element `number` of gm_opcode_table.opcodes. */
typedef struct gm_opcode_entry {
    uint64_t words[GM_OPCODE_WORDS]; /* text, little endian, padded with zeros */
    uint8_t op;
    uint8_t space;
    uint8_t written_width;  /* bytes that the tracer derives from the text */
    uint8_t width;          /* bytes that the instruction moves per lane */
    bool addresses;         /* known to carry addresses */
    bool is_copy_to_shared; /* LDGSTS: raw traces hold two lines for each */
    bool is_bulk;           /* TMA: another form of the memory part in version 6 */
    bool has_commit;        /* GMMA: one more number after the sources in version 6 */
} gm_opcode_entry;

/* The lookup of a gm_opcode_table. */
typedef struct gm_opcode_lookup {
    gm_opcode_entry *entries;
    uint32_t *slots; /* number + 1, or 0 where free; open addressing */
    uint32_t slot_mask;
} gm_opcode_lookup;

/* Mixes a word of a text into the hash. */
static inline uint64_t gm_opcode_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

/* Returns the number of the opcode with these words (the last one used is words[count - 1]), or -1.
 */
static inline int gm_opcode_find(const gm_opcode_table *table, const uint64_t *words,
                                 unsigned count, uint64_t hash)
{
    const gm_opcode_lookup *lookup = table->lookup;
    if (lookup == NULL) {
        return -1;
    }
    for (uint32_t slot = (uint32_t)hash & lookup->slot_mask; lookup->slots[slot] != 0;
         slot = (slot + 1) & lookup->slot_mask) {
        uint32_t number = lookup->slots[slot] - 1;
        const gm_opcode_entry *entry = &lookup->entries[number];
        uint64_t difference = count < GM_OPCODE_WORDS ? entry->words[count] : 0;
        for (unsigned i = 0; i < count; i++) {
            difference |= entry->words[i] ^ words[i];
        }
        if (difference == 0) {
            return (int)number;
        }
    }
    return -1;
}

static inline const gm_opcode_entry *gm_opcode_entry_of(const gm_opcode_table *table, int number)
{
    return &((const gm_opcode_lookup *)table->lookup)->entries[number];
}

/* Returns the bytes per lane that the Accel-Sim tracer writes for this text: the first
 * dot-separated token that is all digits, or "U" and digits, divided by 8; else 4
 * (docs/trace-format.md: memory part). */
unsigned gm_opcode_written_width(const char *text);

/* Returns the bytes per lane that the instruction moves. They differ from the written width where
 * the tracer's rule is wrong: LDSM reads rows of 16 bytes, S8 and S16 are 1 and 2 bytes, F64
 * atomics 8. */
unsigned gm_opcode_true_width(const char *text);

/* True for bulk copies (TMA) of tracers before version 6, which write the address of a descriptor
 * or of shared memory, if any, and none that is copied. */
static inline bool gm_opcode_is_blind(const gm_opcode_entry *entry, int version)
{
    return entry->is_bulk && version < 6;
}

#endif
