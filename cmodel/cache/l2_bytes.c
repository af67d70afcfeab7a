/* Bytes of an L2 with lines of one sector: valid and dirty masks [anssari, 4.3]. */
#include "cache/l2_bytes.h"

#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>

enum { ALL = 32 }; /* bytes of a line */

size_t gm_l2_bytes_size(const gm_cache_parameters *cache)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    return sizeof(gm_l2_bytes) + cache->sets * cache->ways * sizeof(gm_l2_byte_mask) +
           (size_t)ARRAYS * ALIGNMENT;
}

gm_l2_bytes *gm_l2_bytes_make(const gm_cache *cache, uint32_t *partial, gm_arena *arena)
{
    gm_l2_bytes *own = gm_arena_take(arena, 1, sizeof *own);
    gm_l2_byte_mask *mask = gm_arena_take(arena, gm_cache_slots(cache), sizeof *mask);
    if (own == NULL || mask == NULL) {
        return NULL;
    }
    *own = (gm_l2_bytes){.mask = mask};
    own->partial = partial;
    return own;
}

static bool is_partial(const gm_l2_byte_mask *mask)
{
    return mask->valid != 0 && mask->valid != UINT32_MAX;
}

void gm_l2_bytes_allocate(gm_l2_bytes *own, uint32_t slot)
{
    own->mask[slot] = (gm_l2_byte_mask){0};
    own->partial[slot] = 0;
}

void gm_l2_bytes_miss(gm_l2_bytes *own, uint32_t bytes)
{
    own->statistics.unfetched++;
    own->statistics.partial += bytes != UINT32_MAX;
}

void gm_l2_bytes_write(gm_l2_bytes *own, uint32_t slot, uint32_t bytes)
{
    gm_l2_byte_mask *mask = &own->mask[slot];
    bool before = is_partial(mask);
    own->dirtied += gm_count_ones(bytes & ~mask->dirty);
    mask->valid |= bytes;
    mask->dirty |= bytes;
    own->partial[slot] = is_partial(mask);
    own->statistics.covered += before && !is_partial(mask);
}

void gm_l2_bytes_write_beside(gm_l2_bytes *own, gm_l2_byte_mask *mask, uint32_t bytes)
{
    own->dirtied += gm_count_ones(bytes & ~mask->dirty);
    mask->dirty |= bytes;
}

uint32_t gm_l2_bytes_fill(gm_l2_bytes *own, uint32_t slot)
{
    gm_l2_byte_mask *mask = &own->mask[slot];
    uint32_t filled = gm_l2_bytes_missing(own, slot);
    own->statistics.completed += is_partial(mask);
    mask->valid = UINT32_MAX;
    own->partial[slot] = 0;
    return filled;
}

uint32_t gm_l2_bytes_evict(gm_l2_bytes *own, uint32_t slot)
{
    gm_l2_bytes_statistics *counts = &own->statistics;
    const gm_l2_byte_mask *mask = &own->mask[slot];
    counts->left += is_partial(mask);
    counts->writes++;
    counts->masked += mask->dirty != UINT32_MAX;
    counts->written_bytes += gm_count_ones(mask->dirty);
    return mask->dirty;
}

void gm_l2_bytes_copy(gm_l2_bytes *own, uint32_t slot, bool installs)
{
    gm_l2_byte_mask *mask = &own->mask[slot];
    own->statistics.left += is_partial(mask);
    own->overwritten += gm_count_ones(mask->dirty);
    *mask = (gm_l2_byte_mask){.valid = installs ? UINT32_MAX : 0};
    own->partial[slot] = 0;
}

/* Checks the masks of a slot. */
static int check_slot(const gm_l2_bytes *own, const gm_cache *cache, uint32_t slot,
                      const char *where, gm_error *error)
{
    const gm_l2_byte_mask *mask = &own->mask[slot];
    const gm_sector_state *state = &cache->way[slot].state;
    bool right = (mask->dirty & ~mask->valid) == 0 && own->partial[slot] == is_partial(mask) &&
                 (!is_partial(mask) || mask->valid == mask->dirty) &&
                 (state->valid != 0) == (mask->valid != 0) &&
                 (state->dirty != 0) == (mask->dirty != 0);
    return right ? 0
                 : gm_fail(error, -EPROTO,
                           "%s: line 0x%llx: bytes 0x%x are valid, 0x%x dirty; of its sector %u "
                           "and %u, %u partial",
                           where, (unsigned long long)gm_cache_line(cache, slot), mask->valid,
                           mask->dirty, state->valid, state->dirty, own->partial[slot]);
}

int gm_l2_bytes_check(const gm_l2_bytes *own, const gm_cache *cache, const gm_cache_statistics *l2,
                      const char *where, gm_error *error)
{
    const gm_l2_bytes_statistics *counts = &own->statistics;
    uint64_t partial = 0;
    uint64_t dirty = 0;
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        int code = check_slot(own, cache, slot, where, error);
        if (code < 0) {
            return code;
        }
        partial += is_partial(&own->mask[slot]);
        dirty += gm_count_ones(own->mask[slot].dirty);
    }
    GM_INVARIANT(where, "store misses = sectors that they did not fetch", l2->misses[GM_STORE],
                 counts->unfetched);
    GM_INVARIANT(where, "sectors that stores filled = 0", l2->sectors_filled[GM_STORE], 0);
    GM_INVARIANT(where, "partial lines = completed + covered + left + there", counts->partial,
                 counts->completed + counts->covered + counts->left + partial);
    GM_INVARIANT(where, "lines written back = writes of their bytes",
                 gm_invariants_sum(l2->write_backs), counts->writes);
    GM_INVARIANT(where, "bytes made dirty = written + overwritten by copies + dirty", own->dirtied,
                 counts->written_bytes + own->overwritten + dirty);
    GM_INVARIANT(where, "bytes written: 32 of writes without a mask, 1 to 31 of others",
                 counts->written_bytes >=
                         ALL * (counts->writes - counts->masked) + counts->masked &&
                     counts->written_bytes <= ALL * counts->writes - counts->masked,
                 1);
    return 0;
}
