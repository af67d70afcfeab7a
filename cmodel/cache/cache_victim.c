/* Victims of a cache among lines that wait for their data [khairy, 3.1: a line that waits for a
 * fill is reserved] or that a bypass policy protects. */
#include "cache/cache.h"

#include "cache/cache_rrip.h"
#include "cache/cache_sharing.h"

/* A way that does not wait, on a walk from the oldest to the newest. */
typedef struct candidate {
    uint32_t slot;
    uint32_t left; /* LRU word: ways that are newer */
} candidate;

static candidate first_candidate(const gm_cache *cache)
{
    return (candidate){.slot = GM_NO_SLOT, .left = cache->ways};
}

/* Goes to the next candidate; returns false if there is none. */
static bool next_candidate(const gm_cache *cache, gm_cache_place place, candidate *candidate)
{
    if (cache->listed) {
        candidate->slot = candidate->slot == GM_NO_SLOT
                              ? gm_lru_lists_oldest(&cache->lists, place.set)
                              : gm_lru_lists_newer(&cache->lists, candidate->slot);
        return candidate->slot != GM_NO_SLOT;
    }
    while (candidate->left != 0) {
        candidate->left--;
        candidate->slot = place.set * cache->ways + gm_lru_word_way(*place.head, candidate->left);
        if (cache->waiting == NULL || !gm_cache_waits(cache, candidate->slot)) {
            return true;
        }
    }
    return false;
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
    return cache->rrip ? gm_cache_rrip_victim(cache, place, false)
                       : gm_lru_lists_oldest(&cache->lists, place.set);
}

uint32_t gm_cache_victim_of_any(const gm_cache *cache, gm_cache_place place)
{
    if (!cache->few) {
        return victim_among_many(cache, place);
    }
    candidate candidate = first_candidate(cache);
    return next_candidate(cache, place, &candidate) ? candidate.slot : GM_NO_SLOT;
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

uint32_t gm_cache_victim_beside(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                                uint64_t access)
{
    candidate candidate = first_candidate(cache);
    while (next_candidate(cache, place, &candidate)) {
        if (is_free(cache, candidate.slot, until, access)) {
            return candidate.slot;
        }
    }
    return GM_NO_SLOT;
}

uint32_t gm_cache_clean_victim(const gm_cache *cache, gm_cache_place place)
{
    if (cache->rrip) {
        return gm_cache_rrip_victim(cache, place, true);
    }
    candidate candidate = first_candidate(cache);
    while (next_candidate(cache, place, &candidate)) {
        if (cache->way[candidate.slot].state.dirty == 0) {
            return candidate.slot;
        }
    }
    return GM_NO_SLOT;
}
