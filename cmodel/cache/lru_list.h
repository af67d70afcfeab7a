/* LRU list: the replacement order of a set of many ways as a circular list of slots, from the
 * newest to the oldest and back to the newest. The head is the slot of the newest. */
#ifndef GOLDMEM_CACHE_LRU_LIST_H
#define GOLDMEM_CACHE_LRU_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Neighbours of a slot, and the time of its last use. */
typedef struct gm_lru_link {
    uint32_t older, newer;
    uint64_t used;
} gm_lru_link;

/* Times of uses, from the middle on: a slot that is made the oldest gets an earlier one than all.
 * So the oldest of some slots is found without a walk. */
typedef struct gm_lru_clock {
    uint64_t earliest, latest;
} gm_lru_clock;

static inline gm_lru_clock gm_lru_clock_start(void)
{
    return (gm_lru_clock){UINT64_C(1) << 63, UINT64_C(1) << 63};
}

/* Makes the list of slots first to first + ways - 1; `first` is the newest. */
void gm_lru_list_start(gm_lru_link *link, uint32_t first, uint32_t ways, gm_lru_clock *clock);

static inline uint32_t gm_lru_list_oldest(const gm_lru_link *link, uint64_t newest)
{
    return link[newest].newer; /* the list is circular */
}

/* Make a slot the newest, the oldest. Return the new head. */
uint32_t gm_lru_list_make_newest(gm_lru_link *link, uint64_t newest, uint32_t slot,
                                 gm_lru_clock *clock);
uint32_t gm_lru_list_make_oldest(gm_lru_link *link, uint64_t newest, uint32_t slot,
                                 gm_lru_clock *clock);

/* Returns true if the list is a circle of the slots of one set, first to first + ways - 1, each
 * once and by their uses; else sets *broken to a slot that violates this. */
bool gm_lru_list_is_sound(const gm_lru_link *link, uint64_t newest, uint32_t first, uint32_t ways,
                          uint32_t *broken);

#endif
