/* LRU list: the replacement order of a set of many ways as a circular list of slots, from the
 * newest to the oldest and back to the newest. The head is the slot of the newest. */
#ifndef GOLDMEM_CACHE_LRU_LIST_H
#define GOLDMEM_CACHE_LRU_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Neighbours of a slot. */
typedef struct gm_lru_link {
    uint32_t older, newer;
} gm_lru_link;

/* Makes the list of slots first to first + ways - 1; `first` is the newest. */
void gm_lru_list_start(gm_lru_link *link, uint32_t first, uint32_t ways);

static inline uint32_t gm_lru_list_oldest(const gm_lru_link *link, uint64_t newest)
{
    return link[newest].newer; /* the list is circular */
}

/* Make a slot the newest, the oldest. Return the new head. */
uint32_t gm_lru_list_make_newest(gm_lru_link *link, uint64_t newest, uint32_t slot);
uint32_t gm_lru_list_make_oldest(gm_lru_link *link, uint64_t newest, uint32_t slot);

/* Returns true if the list is a circle of the slots of one set, first to first + ways - 1, each
 * once; else sets *broken to a slot that violates this. */
bool gm_lru_list_is_sound(const gm_lru_link *link, uint64_t newest, uint32_t first, uint32_t ways,
                          uint32_t *broken);

#endif
