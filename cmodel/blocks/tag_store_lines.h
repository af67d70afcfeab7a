/* Replacement of the data lines of a set of tag_store [li, 4.2]: LRU by ranks, eight at once; SRRIP
 * and SHiP by the block replacement. */
#ifndef GOLDMEM_BLOCKS_TAG_STORE_LINES_H
#define GOLDMEM_BLOCKS_TAG_STORE_LINES_H

#include "blocks/tag_store_row.h"

/* Private to the functions below, which do LRU inline: SRRIP and SHiP by transactions of the block
 * replacement, whose way is the data line. */
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

/* Moves all newer data lines up by one rank. A data line outside the order has the largest rank. */
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

/* Notes a hit of a data line. */
static inline void gm_tag_store_use_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                         unsigned position)
{
    if (store->lines == NULL) {
        gm_tag_store_make_newest(store, row, position);
    } else {
        gm_tag_store_line_used(store, row->index, position);
    }
}

/* Puts a new line into a data line, in place of the line held there, if any. Returns true if the
 * new line's signature predicts that it will not be touched. */
static inline bool gm_tag_store_take_line(const gm_tag_store *store, const gm_tag_store_row *row,
                                          unsigned position, uint64_t signature)
{
    if (store->lines == NULL) {
        gm_tag_store_make_newest(store, row, position);
        return false;
    }
    return gm_tag_store_line_taken(store, row->index, position, signature);
}

/* Removes a data line from the order: its line left, and no line replaces it. */
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

/* Returns the victim among the data lines whose entry is valid and does not wait, or NO_LINE.
 * Requires that none is free. */
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
