/* Victims of a cache among lines that wait for their data [khairy, 3.1: a line that waits for a
 * fill is reserved] or that a bypass policy protects. */
#include "cache/cache.h"

#include "cache/cache_rrip.h"
#include "cache/cache_sharing.h"

/* Returns the slot of a set that does not wait and was used first, or GM_NO_SLOT. */
static uint32_t first_used(const gm_cache *cache, uint32_t set)
{
    uint32_t first = set * cache->ways;
    uint32_t found = GM_NO_SLOT;
    uint64_t used = UINT64_MAX;
    for (uint32_t way = 0; way < cache->ways;) {
        uint32_t bit = (first + way) % GM_BITSET_WORD;
        uint32_t ways = GM_BITSET_WORD - bit; /* of the word */
        ways = ways < cache->ways - way ? ways : cache->ways - way;
        uint64_t ready = ~cache->waiting[(first + way) / GM_BITSET_WORD] >> bit & gm_mask(ways);
        while (ready != 0) {
            uint32_t slot = first + way + gm_bitset_take_lowest(&ready);
            if (cache->order[slot].used < used) {
                used = cache->order[slot].used;
                found = slot;
            }
        }
        way += ways;
    }
    return found;
}

/* Walks some steps from the oldest, which rarely waits; where many lines wait, looks at those that
 * do not. */
static uint32_t victim_in_list(const gm_cache *cache, gm_cache_place place)
{
    enum { STEPS = 8 };
    uint32_t newest = (uint32_t)*place.head;
    uint32_t slot = newest;
    for (unsigned step = 0; step < STEPS; step++) {
        slot = cache->order[slot].newer;
        if (!gm_cache_waits(cache, slot)) {
            return slot;
        }
        if (slot == newest) {
            return GM_NO_SLOT;
        }
    }
    return first_used(cache, place.set);
}

static uint32_t victim_among_many(const gm_cache *cache, gm_cache_place place)
{
    if (cache->unbounded) {
        return cache->table.count;
    }
    if (cache->sharing != NULL) {
        bool bypass;
        return gm_cache_sharing_victim(cache, place, &bypass);
    }
    return cache->rrip ? gm_cache_rrip_victim(cache, place, false) : victim_in_list(cache, place);
}

uint32_t gm_cache_victim_of_any(const gm_cache *cache, gm_cache_place place)
{
    if (!cache->few) {
        return victim_among_many(cache, place);
    }
    for (uint32_t left = cache->ways; left > 0; left--) {
        uint32_t slot = place.set * cache->ways + gm_lru_word_way(*place.head, left - 1);
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

/* Returns the slot of the way that `number` ways are older than. In an LRU list: of the next newer
 * way than `slot`, the result of the preceding call. */
static uint32_t next_newer(const gm_cache *cache, gm_cache_place place, uint32_t number,
                           uint32_t slot)
{
    if (!cache->few) {
        return cache->order[number == 0 ? (uint32_t)*place.head : slot].newer;
    }
    return place.set * cache->ways + gm_lru_word_way(*place.head, cache->ways - 1 - number);
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

/* True if the slot's line may give way to a tag without data. */
static bool is_clean(const gm_cache *cache, uint32_t slot)
{
    bool waits = cache->waiting != NULL && gm_cache_waits(cache, slot);
    return !waits && cache->way[slot].state.dirty == 0;
}

uint32_t gm_cache_clean_victim(const gm_cache *cache, gm_cache_place place)
{
    if (cache->rrip) {
        return gm_cache_rrip_victim(cache, place, true);
    }
    uint32_t slot = 0;
    for (uint32_t number = 0; number < cache->ways; number++) {
        slot = next_newer(cache, place, number, slot);
        if (is_clean(cache, slot)) {
            return slot;
        }
    }
    return GM_NO_SLOT;
}
