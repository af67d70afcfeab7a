/* The invariants of a cache's tag array. */
#include "cache/cache.h"

#include <errno.h>

static int broken_order(uint32_t set, uint32_t slot, const char *name, gm_error *error)
{
    return gm_fail(error, -EPROTO, "%s: set %u: the order of its ways is broken at slot %u", name,
                   set, slot);
}

/* The order of a set names each way once. */
static int check_order(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    uint32_t ways = cache->ways;
    uint64_t head = *gm_cache_head(cache, set);
    if (cache->order == NULL) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < ways; i++) {
            seen |= UINT32_C(1) << (head >> 4 * i & 15);
        }
        return seen == gm_mask(ways) ? 0 : broken_order(set, set * ways, name, error);
    }
    uint32_t slot = (uint32_t)head;
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t older = cache->order[slot].older;
        bool last = i + 1 == ways;
        if (slot / ways != set || cache->order[older].newer != slot || (older == head) != last) {
            return broken_order(set, slot, name, error);
        }
        slot = older;
    }
    return 0;
}

static int check_way(const gm_cache *cache, uint32_t set, uint32_t slot, const char *name,
                     gm_error *error)
{
    uint64_t line = cache->way[slot].tag;
    unsigned long long shown = line;
    uint32_t valid = cache->way[slot].state.valid;
    if (line != GM_NO_LINE && gm_cache_set_of(cache, line) != set) {
        return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx belongs in set %u", name, set,
                       shown, gm_cache_set_of(cache, line));
    }
    bool waits = cache->waiting != NULL && gm_cache_waits(cache, slot);
    if ((line != GM_NO_LINE) != (valid != 0) && !waits) {
        return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx has valid sectors 0x%x", name, set,
                       shown, valid);
    }
    uint32_t found = line != GM_NO_LINE ? gm_cache_find(cache, line).slot : slot;
    if (found != slot) {
        return gm_fail(error, -EPROTO,
                       found == GM_NO_SLOT ? "%s: set %u: line 0x%llx is not found"
                                           : "%s: set %u: two ways hold line 0x%llx",
                       name, set, shown);
    }
    return 0;
}

static int check_set(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    int code = cache->rrip ? 0 : check_order(cache, set, name, error);
    for (uint32_t way = 0; code == 0 && way < cache->ways; way++) {
        code = check_way(cache, set, set * cache->ways + way, name, error);
    }
    return code;
}

static const gm_sector_state *state_of(const gm_cache *cache, uint32_t slot)
{
    return cache->unbounded ? &cache->table.state[slot] : &cache->way[slot].state;
}

static int check_tags(const gm_cache *cache, const char *name, gm_error *error)
{
    uint32_t sets = cache->unbounded ? 0 : (uint32_t)cache->parameters.sets;
    int code = cache->rrip ? gm_cache_rrip_check(cache, name, error) : 0;
    for (uint32_t set = 0; code == 0 && set < sets; set++) {
        code = check_set(cache, set, name, error);
    }
    for (uint32_t slot = 0; code == 0 && slot < gm_cache_slots(cache); slot++) {
        const gm_sector_state *state = state_of(cache, slot);
        if ((state->dirty & ~state->valid) != 0) {
            return gm_fail(error, -EPROTO, "%s: line 0x%llx: sectors 0x%x are dirty, 0x%x valid",
                           name, (unsigned long long)gm_cache_line(cache, slot), state->dirty,
                           state->valid);
        }
    }
    return code;
}

int gm_cache_check_tags(const gm_cache *cache, const char *name, gm_error *error)
{
    gm_cache silent = *cache; /* these look-ups are not the run's */
    silent.parameters.observer = NULL;
    return check_tags(&silent, name, error);
}

int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error)
{
    int code = gm_cache_check_tags(cache, name, error);
    if (code < 0) {
        return code;
    }
    uint64_t found = gone; /* lines, wherever they are now */
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        found += state_of(cache, slot)->valid != 0;
    }
    if (cache->allocations != found) {
        return gm_fail(error, -EPROTO, "%s: %llu lines allocated, %llu there or gone", name,
                       (unsigned long long)cache->allocations, (unsigned long long)found);
    }
    return 0;
}
