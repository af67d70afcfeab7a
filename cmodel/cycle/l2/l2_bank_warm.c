/* Timed L2 bank: accesses that change its lines without time and without a trace in its counters,
 * for functional warming [wunderlich 2003, SMARTS]. */
#include "cycle/l2/l2_bank.h"
#include "goldmem/assert.h"

/* True if a way of the set waits for data. */
static bool is_awaited(const gm_l2_bank *bank, gm_cache_place place)
{
    const gm_cache *cache = &bank->l2.cache;
    bool waits = false;
    for (uint32_t way = 0; bank->entries != 0 && !waits && way < cache->ways; way++) {
        waits = gm_cache_waits(cache, place.set * cache->ways + way);
    }
    return waits;
}

/* In a set of which some ways wait: drops the line that a timed miss would evict, so that the next
 * allocation takes its way. Returns false if all ways wait. */
static bool make_room(gm_l2_bank *bank, gm_cache_place place)
{
    gm_l2 *l2 = &bank->l2;
    place.slot = gm_cache_victim(&l2->cache, place);
    if (place.slot == GM_NO_SLOT) {
        return false;
    }
    if (gm_cache_line(&l2->cache, place.slot) != GM_NO_LINE) {
        unsigned sectors = gm_count_ones(gm_cache_state(&l2->cache, place.slot)->dirty);
        l2->dirtied -= sectors; /* it leaves without a write-back and an eviction that count */
        l2->dirty_sectors -= sectors;
        l2->cache.allocations--;
        gm_cache_drop(&l2->cache, place);
    }
    return true;
}

/* Makes the counters those of before the access. What it has evicted was, for the invariants, never
 * there. */
static void uncount(gm_l2_bank *bank, const gm_l2 *before)
{
    gm_l2 *l2 = &bank->l2;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        l2->cache.allocations -=
            l2->statistics.evictions[kind] - before->statistics.evictions[kind];
        l2->dirtied -= l2->statistics.sectors_written_back[kind] -
                       before->statistics.sectors_written_back[kind];
    }
    l2->statistics = before->statistics;
    l2->received = before->received;
    l2->through = before->through;
}

void gm_l2_bank_warm(gm_l2_bank *bank, gm_location at, const gm_message *message)
{
    gm_l2 *l2 = &bank->l2;
    gm_assert(l2->bytes == NULL && l2->atomics == NULL && l2->streaming == NULL,
              "bank %u cannot be warmed", bank->number);
    const gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    if (place.slot != GM_NO_SLOT && gm_cache_waits(&l2->cache, place.slot)) {
        return; /* its data are in flight */
    }
    if (place.slot == GM_NO_SLOT && !l2->cache.unbounded && is_awaited(bank, place) &&
        !make_room(bank, place)) {
        return;
    }
    const gm_l2 before = *l2;
    const gm_dram_statistics written = bank->past.statistics;
    gm_l2_access(l2, &bank->past, &bank->shared->map, at, message);
    uncount(bank, &before);
    bank->past.statistics = written;
}
