/* What the parts of tag_store share: a set as its transactions see it, and the order of its data
 * lines. */
#ifndef GOLDMEM_BLOCKS_TAG_STORE_PARTS_H
#define GOLDMEM_BLOCKS_TAG_STORE_PARTS_H

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

/* The way that holds a line, or NO_WAY. Where the hash agrees, or was left by an entry that is free
 * now, or the subtraction borrows from it, the entry itself decides. */
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

/* FLUSH. */
void gm_tag_store_flush(gm_tag_store *store);

/* The replacement of a set's data lines under SRRIP and SHiP: the block replacement, whose way is
 * the data line. What they do is said at those below, which have LRU in line. */
void gm_tag_store_line_used(const gm_tag_store *store, uint32_t index, unsigned position);
bool gm_tag_store_line_taken(const gm_tag_store *store, uint32_t index, unsigned position,
                             uint64_t signature);
void gm_tag_store_line_left(const gm_tag_store *store, uint32_t index, unsigned position);
unsigned gm_tag_store_line_victim(const gm_tag_store *store, uint32_t index);

/* LRU, eight data lines at once. Ranks are below 128, so no byte borrows from its neighbour. */
static inline uint64_t gm_tag_store_is_below(uint64_t ranks, uint8_t bound)
{
    return (((127u + bound) * EACH_BYTE - ranks) >> 7) & EACH_BYTE;
}

/* One that was not in the order has the largest rank there is: all move up. */
static inline void gm_tag_store_make_newest(const gm_tag_store *store, const gm_tag_store_row *row,
                                            unsigned position)
{
    uint8_t before = row->rank[position];
    uint64_t *ranks = (uint64_t *)row->rank;
    for (unsigned word = 0; word < store->rank_words; word++) {
        ranks[word] += gm_tag_store_is_below(ranks[word], before);
    }
    row->rank[position] = 0;
}

/* A data line is hit. */
static inline void gm_tag_store_use_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                         unsigned position)
{
    if (store->lines == NULL) {
        gm_tag_store_make_newest(store, row, position);
    } else {
        gm_tag_store_line_used(store, row->index, position);
    }
}

/* A new line comes into a data line, for the one that is there, if any. Returns whether its
 * signature says that it will not be touched. */
static inline bool gm_tag_store_take_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                          unsigned position, uint64_t signature)
{
    if (store->lines == NULL) {
        gm_tag_store_make_newest(store, row, position);
        return false;
    }
    return gm_tag_store_line_taken(store, row->index, position, signature);
}

/* A data line loses its line, but not to another one. */
static inline void gm_tag_store_leave_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                           unsigned position)
{
    if (store->lines != NULL) {
        gm_tag_store_line_left(store, row->index, position);
        return;
    }
    uint8_t before = row->rank[position];
    uint64_t *ranks = (uint64_t *)row->rank;
    row->rank[position] = GM_TAG_STORE_NONE;
    for (unsigned word = 0; word < store->rank_words; word++) {
        uint64_t newer = gm_tag_store_is_below(ranks[word], (uint8_t)(before + 1));
        ranks[word] -= gm_tag_store_is_below(ranks[word], GM_TAG_STORE_NONE) & ~newer;
    }
}

/* The data line that would give way, of those whose entry is valid and does not wait; or NO_LINE.
 * None is free. */
static inline unsigned gm_tag_store_victim(const gm_tag_store *store, const gm_tag_store_row *row)
{
    if (store->lines != NULL) {
        return gm_tag_store_line_victim(store, row->index);
    }
    unsigned most = 0; /* rank + 1 and position of the oldest */
    for (unsigned i = 0; i < store->parameters.data_ways; i++) {
        bool waits = (row->set->waiting >> row->owner[i] & 1) != 0;
        bool stays = waits || row->rank[i] == GM_TAG_STORE_NONE;
        unsigned age = stays ? 0 : (row->rank[i] + 1u) << 8 | i;
        most = age > most ? age : most;
    }
    return most == 0 ? NO_LINE : most & 0xff;
}

#endif
