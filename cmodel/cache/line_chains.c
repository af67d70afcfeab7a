/* Line chains: storage. */
#include "cache/line_chains.h"

#include "goldmem/bits.h"

#include <string.h>

enum { ALIGNMENT = 64 };

/* Returns the log2 of the buckets: 2 to 4 for each slot, so that most chains are short or empty. */
static unsigned log2_buckets(uint32_t slots)
{
    return gm_log2_ceil(slots) + 1;
}

size_t gm_line_chains_bytes(uint32_t slots)
{
    return ((size_t)slots + (UINT64_C(1) << log2_buckets(slots))) * sizeof(uint32_t) +
           (size_t)2 * ALIGNMENT;
}

bool gm_line_chains_init(gm_line_chains *chains, uint32_t slots, gm_arena *arena)
{
    unsigned log2 = log2_buckets(slots);
    *chains = (gm_line_chains){
        .first = gm_arena_take(arena, UINT64_C(1) << log2, sizeof *chains->first),
        .next = gm_arena_take(arena, slots, sizeof *chains->next),
        .shift = 64 - log2,
    };
    if (chains->first == NULL || chains->next == NULL) {
        return false;
    }
    gm_line_chains_clear(chains);
    return true;
}

void gm_line_chains_clear(gm_line_chains *chains)
{
    memset(chains->first, 0xff, (UINT64_C(1) << (64 - chains->shift)) * sizeof *chains->first);
}
