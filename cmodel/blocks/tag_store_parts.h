/* What the parts of tag_store share: a set as its transactions see it. */
#ifndef GOLDMEM_BLOCKS_TAG_STORE_PARTS_H
#define GOLDMEM_BLOCKS_TAG_STORE_PARTS_H

#include "goldmem/tag_store.h"

/* Eight bytes that are 1. */
#define EACH_BYTE UINT64_C(0x0101010101010101)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "way 0 has the lowest byte");

/* The parts of one set. */
typedef struct gm_tag_store_row {
    gm_tag_store_set *set;
    uint64_t *line, *hash, *rc;
    uint8_t *rank, *position, *owner;
} gm_tag_store_row;

static inline gm_tag_store_row gm_tag_store_row_of(const gm_tag_store *store, uint32_t index)
{
    size_t entry = (size_t)index * store->parameters.tag_ways;
    return (gm_tag_store_row){
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

#endif
