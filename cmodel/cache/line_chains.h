/* Line chains: a hash table from the line that a slot holds to the slot, for caches of many ways,
 * where a comparison with each way of the set would take the time of a look-up. Slots whose lines
 * have one hash form a chain. Hardware compares all ways at once. */
#ifndef GOLDMEM_CACHE_LINE_CHAINS_H
#define GOLDMEM_CACHE_LINE_CHAINS_H

#include "cache/line_map.h"
#include "goldmem/arena.h"

#include <stdbool.h>

typedef struct gm_line_chains {
    uint32_t *first; /* [buckets] first slot of each chain, or GM_NO_SLOT */
    uint32_t *next;  /* [slots] next slot of the slot's chain, or GM_NO_SLOT */
    uint32_t shift;  /* 64 - log2 of the buckets */
} gm_line_chains;

/* Returns the bytes of an arena that gm_line_chains_init takes. */
size_t gm_line_chains_bytes(uint32_t slots);

/* Makes chains of no slot. Requires 2 slots or more. Returns false if the arena is full. */
bool gm_line_chains_init(gm_line_chains *chains, uint32_t slots, gm_arena *arena);

/* Removes every slot. */
void gm_line_chains_clear(gm_line_chains *chains);

static inline uint32_t *gm_line_chains_first(const gm_line_chains *chains, uint64_t line)
{
    return &chains->first[(line * UINT64_C(0x9e3779b97f4a7c15)) >> chains->shift];
}

static inline void gm_line_chains_add(gm_line_chains *chains, uint64_t line, uint32_t slot)
{
    uint32_t *first = gm_line_chains_first(chains, line);
    chains->next[slot] = *first;
    *first = slot;
}

/* Requires that the slot was added with the line. */
static inline void gm_line_chains_remove(gm_line_chains *chains, uint64_t line, uint32_t slot)
{
    uint32_t *at = gm_line_chains_first(chains, line);
    while (*at != slot) {
        at = &chains->next[*at];
    }
    *at = chains->next[slot];
}

#endif
