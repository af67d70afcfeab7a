/* A set of tag_store: pointers to its parts, and the look-up of a line in it. */
#ifndef GOLDMEM_BLOCKS_TAG_STORE_ROW_H
#define GOLDMEM_BLOCKS_TAG_STORE_ROW_H

#include "goldmem/bits.h"
#include "goldmem/tag_store.h"

enum {
    NO_LINE = GM_TAG_STORE_WAYS, /* no data line */
    NO_WAY = GM_TAG_STORE_WAYS,  /* no entry */
};

/* Eight bytes that are 1. */
#define EACH_BYTE UINT64_C(0x0101010101010101)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "way 0 has the lowest byte");

/* The parts of one set. */
typedef struct gm_tag_store_row {
    uint32_t index;
    gm_tag_store_set *set;
    uint64_t *line, *hash, *rc;
    uint8_t *rank, *position, *owner;
} gm_tag_store_row;

static inline gm_tag_store_row gm_tag_store_row_of(const gm_tag_store *store, uint32_t index)
{
    size_t entry = (size_t)index * store->parameters.tag_ways;
    return (gm_tag_store_row){
        .index = index,
        .set = &store->set[index],
        .line = &store->line[entry],
        .hash = &store->hash[(size_t)index * store->words],
        .rc = &store->rc[(size_t)index * store->words],
        .rank = (uint8_t *)&store->rank[(size_t)index * store->rank_words],
        .position = &store->position[entry],
        .owner = &store->owner[(size_t)index * store->parameters.data_ways],
    };
}

static inline uint8_t gm_tag_store_hash(uint64_t line)
{
    return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Returns the way of a line's entry, or NO_WAY. Compares eight hashes at once, then the line of
 * each match, as a free entry keeps its hash and the subtraction may borrow. */
static inline unsigned gm_tag_store_find(const gm_tag_store *store, const gm_tag_store_row *row,
                                         uint64_t line)
{
    uint64_t same = gm_tag_store_hash(line) * EACH_BYTE;
    uint32_t in_use = row->set->valid | row->set->waiting;
    for (unsigned word = 0; word < store->words; word++) {
        uint64_t other = row->hash[word] ^ same;
        uint64_t left = (other - EACH_BYTE) & ~other & EACH_BYTE << 7;
        for (; left != 0; left &= left - 1) {
            unsigned way = 8 * word + gm_lowest_one(left) / 8;
            if ((in_use >> way & 1) != 0 && row->line[way] == line) {
                return way;
            }
        }
    }
    return NO_WAY;
}

/* FLUSH: empties the store (tag_store_init.c). */
void gm_tag_store_flush(gm_tag_store *store);

#endif
