/* Opcode tally: counts by opcode the instructions without a model, which reach memory in a way for
 * which no access is made (gm_instruction_is_unmodelled). */
#ifndef GOLDMEM_FRONTEND_OPCODE_TALLY_H
#define GOLDMEM_FRONTEND_OPCODE_TALLY_H

#include "goldmem/engine.h"

typedef struct gm_opcode_count {
    uint64_t instructions;
    uint32_t opcode; /* number in the source's table */
} gm_opcode_count;

/* Zeroed before first use. */
typedef struct gm_opcode_tally {
    gm_opcode_count *row; /* one for each opcode seen, in order of appearance */
    uint32_t rows, room;
} gm_opcode_tally;

/* Counts instructions of an opcode. Returns 0 or -ENOMEM. */
int gm_opcode_tally_add(gm_opcode_tally *tally, uint32_t opcode, uint64_t instructions,
                        gm_error *error);

/* Adds all of `from`. Returns 0 or -ENOMEM. */
int gm_opcode_tally_merge(gm_opcode_tally *tally, const gm_opcode_tally *from, gm_error *error);

/* Fills results->unmodelled, the most frequent first, then by text. Opcodes that access nothing
 * (QSPC) are left out. Returns 0 or -ENOMEM. */
int gm_opcode_tally_results(const gm_opcode_tally *tally, const gm_opcode_table *table,
                            gm_results *results, gm_error *error);

void gm_opcode_tally_free(gm_opcode_tally *tally);

#endif
