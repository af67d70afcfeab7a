/* LRU lists: the replacement order of sets of many ways. A set's list has its slots that do not
 * wait for data, from the oldest to the newest, so that its first one is the victim; a slot that
 * waits keeps the time of its last use, and has its place by it when its data are there. */
#ifndef GOLDMEM_CACHE_LRU_LIST_H
#define GOLDMEM_CACHE_LRU_LIST_H

#include "goldmem/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Neighbours of a slot, or of a list's ends: the newest slot is older than these, the oldest one
 * newer. */
typedef struct gm_lru_link {
    uint32_t older, newer; /* GM_LRU_WAITS, both: in no list */
    uint64_t used;         /* time of the last use, by the lists' own clock */
} gm_lru_link;

#define GM_LRU_WAITS UINT32_MAX

typedef struct gm_lru_lists {
    gm_lru_link *link; /* [slots + sets]: the ends of a set's list come behind all slots */
    uint32_t slots;
    uint64_t first, last; /* the earliest and the latest time of use */
} gm_lru_lists;

/* Returns the bytes of an arena that gm_lru_lists_init takes. */
size_t gm_lru_lists_bytes(uint32_t sets, uint32_t ways);

/* Takes the links of sets of at most so many ways. Returns false if the arena is full. */
bool gm_lru_lists_init(gm_lru_lists *lists, uint32_t sets, uint32_t ways, gm_arena *arena);

/* Makes the list of a set of slots first to first + ways - 1; `first` is the newest. */
void gm_lru_lists_start(gm_lru_lists *lists, uint32_t set, uint32_t first, uint32_t ways);

/* Make a slot of the set the newest, the oldest. */
void gm_lru_lists_make_newest(gm_lru_lists *lists, uint32_t set, uint32_t slot);
void gm_lru_lists_make_oldest(gm_lru_lists *lists, uint32_t set, uint32_t slot);

/* Takes a slot out of its list, if it is there. */
void gm_lru_lists_wait(gm_lru_lists *lists, uint32_t slot);

/* Puts a slot of the set back into its list, if it waits. */
void gm_lru_lists_arrive(gm_lru_lists *lists, uint32_t set, uint32_t slot);

/* Private: a slot, or GM_LRU_WAITS for the ends of the list. */
static inline uint32_t gm_lru_lists_slot(const gm_lru_lists *lists, uint32_t slot)
{
    return slot < lists->slots ? slot : GM_LRU_WAITS;
}

/* Return the newest and the oldest slot of the set that does not wait, and the next newer one than
 * a slot; UINT32_MAX if there is none. */
static inline uint32_t gm_lru_lists_newest(const gm_lru_lists *lists, uint32_t set)
{
    return gm_lru_lists_slot(lists, lists->link[lists->slots + set].older);
}

static inline uint32_t gm_lru_lists_oldest(const gm_lru_lists *lists, uint32_t set)
{
    return gm_lru_lists_slot(lists, lists->link[lists->slots + set].newer);
}

static inline uint32_t gm_lru_lists_newer(const gm_lru_lists *lists, uint32_t slot)
{
    return gm_lru_lists_slot(lists, lists->link[slot].newer);
}

/* Returns true if the set's list has those of the slots first to first + ways - 1 that do not wait,
 * each once and by their uses, and `waiting`, a bit set of slots or NULL, tells the others; else
 * sets *broken to a slot that violates this. */
bool gm_lru_lists_are_sound(const gm_lru_lists *lists, uint32_t set, uint32_t first, uint32_t ways,
                            const uint64_t *waiting, uint32_t *broken);

#endif
