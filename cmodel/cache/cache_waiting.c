/* Lines of a cache that wait for their data, and victims beside them: the part of the tag array
 * that only the cycle engine uses [khairy, 3.1: a line that waits for a fill is reserved]. */
#include "cache/cache.h"

static uint32_t victim_in_list(const gm_cache *cache, gm_cache_place place)
{
    uint32_t newest = (uint32_t)*place.head;
    for (uint32_t slot = cache->order[newest].newer;; slot = cache->order[slot].newer) {
        if (!gm_cache_waits(cache, slot)) {
            return slot;
        }
        if (slot == newest) {
            return GM_NO_SLOT;
        }
    }
}

static uint32_t victim_among_many(const gm_cache *cache, gm_cache_place place)
{
    if (cache->unbounded) {
        return cache->table.count;
    }
    return cache->rrip ? gm_cache_rrip_victim(cache, place) : victim_in_list(cache, place);
}

uint32_t gm_cache_victim_of_any(const gm_cache *cache, gm_cache_place place)
{
    if (!cache->few) {
        return victim_among_many(cache, place);
    }
    for (uint32_t left = cache->ways; left > 0; left--) {
        uint32_t way = *place.head >> 4 * (left - 1) & 15;
        uint32_t slot = place.set * cache->ways + way;
        if (!gm_cache_waits(cache, slot)) {
            return slot;
        }
    }
    return GM_NO_SLOT;
}

static bool is_free(const gm_cache *cache, uint32_t slot, const uint64_t *until, uint64_t access)
{
    return cache->way[slot].tag == GM_NO_LINE || until[slot] < access;
}

bool gm_cache_is_protected(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                           uint64_t access)
{
    uint32_t first = place.set * cache->ways;
    uint32_t way = 0;
    while (way < cache->ways && !is_free(cache, first + way, until, access)) {
        way++;
    }
    return way == cache->ways;
}

/* The way that is the `number`th oldest of its set, or, in a list, the next newer than `slot`. */
static uint32_t next_newer(const gm_cache *cache, gm_cache_place place, uint32_t number,
                           uint32_t slot)
{
    if (!cache->few) {
        return cache->order[number == 0 ? (uint32_t)*place.head : slot].newer;
    }
    uint32_t way = *place.head >> 4 * (cache->ways - 1 - number) & 15;
    return place.set * cache->ways + way;
}

uint32_t gm_cache_victim_beside(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                                uint64_t access)
{
    uint32_t slot = 0;
    for (uint32_t number = 0; number < cache->ways; number++) {
        slot = next_newer(cache, place, number, slot);
        bool waits = cache->waiting != NULL && gm_cache_waits(cache, slot);
        if (!waits && is_free(cache, slot, until, access)) {
            return slot;
        }
    }
    return GM_NO_SLOT;
}

uint32_t gm_cache_replace_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                     gm_victim *victim)
{
    if (cache->unbounded) {
        return gm_cache_allocate(cache, line, place, victim);
    }
    if (cache->rrip) {
        uint32_t way = place.slot - place.set * cache->ways;
        gm_cache_rrip_take(cache, line, place, UINT32_C(1) << way);
    } else {
        gm_cache_turn_list(cache, place);
    }
    return gm_cache_put(cache, line, place, victim);
}

void gm_cache_make_newest(const gm_cache *cache, gm_cache_place place)
{
    uint64_t order = *place.head;
    uint64_t way = place.slot - place.set * cache->ways;
    unsigned position = gm_cache_position(order, (unsigned)way);
    uint64_t newer = gm_mask(position);
    *place.head = (order & ~(newer << 4 | 15)) | (order & newer) << 4 | way;
}
