/* Lines of a cache that wait for their data, and victims beside them: the part of the tag array
 * that only the cycle engine uses [khairy, 3.1: a line that waits for a fill is reserved]. */
#include "system/cache.h"

void gm_cache_wait(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        cache->waiting[slot / 64] |= UINT64_C(1) << slot % 64;
    }
}

void gm_cache_arrive(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        cache->waiting[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    }
}

bool gm_cache_waits(const gm_cache *cache, uint32_t slot)
{
    return !cache->unbounded && (cache->waiting[slot / 64] >> slot % 64 & 1) != 0;
}

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

uint32_t gm_cache_victim(const gm_cache *cache, gm_cache_place place)
{
    if (cache->unbounded) {
        return cache->table.count;
    }
    if (!cache->few) {
        return victim_in_list(cache, place);
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

/* Makes a way the newest of its set, whatever the policy. */
static void make_newest(gm_cache *cache, gm_cache_place place)
{
    if (!cache->few) {
        gm_cache_turn_list(cache, place);
        return;
    }
    uint64_t order = *place.head;
    uint64_t way = place.slot - place.set * cache->ways;
    unsigned position = gm_cache_position(order, (unsigned)way);
    uint64_t newer = gm_mask(position);
    *place.head = (order & ~(newer << 4 | 15)) | (order & newer) << 4 | way;
}

uint32_t gm_cache_replace(gm_cache *cache, uint64_t line, gm_cache_place place, uint32_t slot,
                          gm_victim *victim)
{
    if (cache->unbounded) {
        return gm_cache_allocate(cache, line, place, victim);
    }
    cache->allocations++;
    place.slot = slot;
    make_newest(cache, place);
    gm_cache_way *entry = &cache->way[slot];
    *victim = (gm_victim){entry->tag, entry->state};
    *entry = (gm_cache_way){.tag = line};
    gm_cache_hashes(place.head)[slot - place.set * cache->ways] = gm_cache_hash(line);
    return slot;
}
