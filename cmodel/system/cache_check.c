/* The invariants of a cache's tag array. */
#include "system/cache.h"

#include <errno.h>

static int check_set(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    uint32_t ways = (uint32_t)cache->parameters.ways;
    uint32_t slot = cache->newest[set];
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t older = cache->order[slot].older;
        bool last = i + 1 == ways;
        if (slot / ways != set || cache->order[older].newer != slot ||
            (older == cache->newest[set]) != last) {
            return gm_fail(error, -EPROTO, "%s: set %u: the order of its ways is broken at slot %u",
                           name, set, slot);
        }
        uint64_t line = cache->tag[slot];
        gm_cache_place place = gm_cache_find(cache, line);
        /* The first way that holds the line is the one found; a second would not be. */
        for (uint32_t way = set * ways; line != GM_NO_LINE && way < slot; way++) {
            if (cache->tag[way] == line) {
                return gm_fail(error, -EPROTO, "%s: set %u: two ways hold line 0x%llx", name, set,
                               (unsigned long long)line);
            }
        }
        if (line != GM_NO_LINE && place.set != set) {
            return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx belongs in set %u", name, set,
                           (unsigned long long)line, place.set);
        }
        if ((line != GM_NO_LINE) != (cache->state[slot].valid != 0)) {
            return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx has valid sectors 0x%x", name,
                           set, (unsigned long long)line, cache->state[slot].valid);
        }
        slot = older;
    }
    return 0;
}

int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error)
{
    for (uint32_t set = 0; !cache->unbounded && set < cache->parameters.sets; set++) {
        int code = check_set(cache, set, name, error);
        if (code < 0) {
            return code;
        }
    }
    uint64_t found = gone; /* lines, wherever they are now */
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        const gm_sector_state *state =
            cache->unbounded ? &cache->table.state[slot] : &cache->state[slot];
        found += state->valid != 0;
        if ((state->dirty & ~state->valid) != 0) {
            return gm_fail(error, -EPROTO, "%s: line 0x%llx: sectors 0x%x are dirty, 0x%x valid",
                           name, (unsigned long long)gm_cache_line(cache, slot), state->dirty,
                           state->valid);
        }
    }
    if (cache->allocations != found) {
        return gm_fail(error, -EPROTO, "%s: %llu lines allocated, %llu there or gone", name,
                       (unsigned long long)cache->allocations, (unsigned long long)found);
    }
    return 0;
}
