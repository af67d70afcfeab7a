/* L2 bank: what a configuration adds to it, partial sectors, gate, atomic buffer, sharing, values,
 * and their invariants. */
#include "cache/cache_sharing.h"
#include "cache/l2.h"
#include "cache/l2_bytes.h"
#include "cache/l2_parts.h"
#include "cache/streaming.h"
#include "cache/values.h"
#include "stats/invariants.h"

#include <errno.h>

void gm_l2_policy_init(gm_l2_policy *policy, const gm_config *config)
{
    *policy = (gm_l2_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l2.line / GM_SECTOR)),
        .sectored = config->l2.sectored,
        .fetch_on_write = config->l2.fetch_on_write,
        .fetch_sectors = (uint32_t)(config->l2.fetch / GM_SECTOR),
        .bypasses = config->l2.bypass == GM_L2_BYPASS_COALESCED,
        .victims = config->l2.victim,
    };
}

size_t gm_l2_partial_bytes(const gm_config *config, const gm_cache_parameters *cache)
{
    enum { ALIGNMENT = 64 };
    bool lazy = config->l2.fetch_on_write == GM_FETCH_LAZY;
    bool bytes = config->l2.dirty == GM_DIRTY_BYTE;
    bool parts = config->l2.dirty == GM_DIRTY_PARTS;
    return (lazy ? cache->sets * cache->ways * sizeof(uint32_t) + ALIGNMENT : 0) +
           (bytes ? gm_l2_bytes_size(cache) : 0) +
           (parts ? gm_l2_parts_size(cache, (uint32_t)(config->l2.line / GM_SECTOR)) : 0);
}

int gm_l2_make_partial(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    if (config->l2.bypass != GM_L2_BYPASS_NONE) {
        l2->inlined = GM_MESSAGE_KINDS;
    }
    if (config->l2.fetch_on_write != GM_FETCH_LAZY) {
        return 0;
    }
    l2->inlined = GM_MESSAGE_KINDS;
    l2->partial = gm_arena_take(arena, gm_cache_slots(&l2->cache), sizeof *l2->partial);
    if (l2->partial != NULL && config->l2.dirty == GM_DIRTY_BYTE) {
        l2->bytes = gm_l2_bytes_make(&l2->cache, l2->partial, arena);
    }
    if (l2->partial != NULL && config->l2.dirty == GM_DIRTY_PARTS) {
        l2->parts = gm_l2_parts_make(&l2->cache, (uint32_t)(config->l2.line / GM_SECTOR), arena);
    }
    bool made = l2->partial != NULL &&
                (l2->bytes != NULL || l2->parts != NULL || config->l2.dirty == GM_DIRTY_SECTOR);
    return made ? 0 : gm_fail(error, -ENOMEM, "out of memory: an L2 bank");
}

int gm_l2_check_coalesced(const gm_l2 *l2, const char *where, gm_error *error)
{
    const gm_l2_coalesced_statistics *counts = &l2->coalesced;
    GM_INVARIANT(where, "reads that fill L1s = of present lines + bypassed + joined", counts->reads,
                 counts->present + counts->bypassed + counts->joined);
    GM_INVARIANT(where, "reads that fill L1s <= reads",
                 counts->reads <= l2->statistics.accesses[GM_LOAD], 1);
    GM_INVARIANT(where, "reads that fill L1s and bypass <= bypasses of loads",
                 counts->bypassed <= l2->statistics.bypasses[GM_LOAD], 1);
    return 0;
}

int gm_l2_check_victims(const gm_l2 *l2, const char *where, gm_error *error)
{
    const gm_l2_victim_statistics *counts = &l2->victim;
    GM_INVARIANT(where, "victims of L1s = inserted + present + refused", counts->lines,
                 counts->inserted + counts->present + counts->refused);
    GM_INVARIANT(where, "sectors of victims inserted <= received",
                 counts->inserted_sectors <= counts->sectors, 1);
    GM_INVARIANT(where, "lines moved to L1s <= reads that fill L1s of present lines",
                 counts->moved <= l2->coalesced.present, 1);
    return 0;
}

int gm_l2_check_partial(const gm_l2 *l2, const char *where, gm_error *error)
{
    uint32_t slots = l2->partial != NULL ? gm_cache_slots(&l2->cache) : 0;
    for (uint32_t slot = 0; slot < slots; slot++) {
        if ((l2->partial[slot] & ~l2->cache.way[slot].state.dirty) != 0) {
            return gm_fail(error, -EPROTO, "%s: line 0x%llx: sectors 0x%x are partial, 0x%x dirty",
                           where, (unsigned long long)gm_cache_line(&l2->cache, slot),
                           l2->partial[slot], l2->cache.way[slot].state.dirty);
        }
    }
    return l2->bytes != NULL
               ? gm_l2_bytes_check(l2->bytes, &l2->cache, &l2->statistics, where, error)
               : 0;
}

size_t gm_l2_streaming_bytes(const gm_config *config, const gm_cache_parameters *cache)
{
    return config->l2.streaming ? gm_streaming_bytes(cache) : 0;
}

int gm_l2_make_streaming(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    if (!config->l2.streaming) {
        return 0;
    }
    const gm_stream_gate_parameters gate = gm_streaming_l2_parameters(config);
    l2->inlined = GM_MESSAGE_KINDS;
    l2->streaming = gm_streaming_make(config, &gate, &l2->cache, arena);
    return l2->streaming != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: an L2 bank");
}

int gm_l2_check_streaming(const gm_l2 *l2, const char *where, gm_error *error)
{
    const gm_cache_statistics *counts = &l2->statistics;
    return l2->streaming == NULL
               ? 0
               : gm_streaming_check(
                     l2->streaming, counts->accesses[GM_LOAD] + counts->accesses[GM_STORE],
                     counts->bypasses[GM_LOAD] + counts->bypasses[GM_STORE], where, error);
}

int gm_l2_make_atomics(gm_l2 *l2, const gm_config *config, gm_arena *arena, gm_error *error)
{
    int code = gm_atomic_unit_make(&l2->atomics, config, arena, error);
    l2->inlined = l2->atomics != NULL ? GM_MESSAGE_KINDS : l2->inlined;
    return code;
}

void gm_l2_make_sharing(gm_l2 *l2, const gm_config *config)
{
    if (l2->cache.sharing == NULL) {
        return;
    }
    l2->inlined = GM_MESSAGE_KINDS;
    l2->local_bypasses = config->sharing.local_l2 == GM_SHARING_LOCAL_BYPASS;
    l2->resets = config->sharing.kernel_reset;
}

int gm_l2_check_sharing(const gm_l2 *l2, const char *where, gm_error *error)
{
    if (l2->cache.sharing == NULL) {
        return 0;
    }
    const gm_sharing_statistics *sharing = &l2->cache.sharing->statistics;
    const gm_cache_statistics *counts = &l2->statistics;
    GM_INVARIANT(where, "private and shared lines that gave way = evictions",
                 sharing->l2_evicted_private + sharing->l2_evicted_shared,
                 gm_invariants_sum(counts->evictions));
    GM_INVARIANT(where, "dead lines that gave way <= shared ones",
                 sharing->l2_dead_evicted <= sharing->l2_evicted_shared, 1);
    GM_INVARIANT(where, "dead lines that gave way <= declared dead",
                 sharing->l2_dead_evicted <= sharing->l2_dead_marked, 1);
    GM_INVARIANT(where, "local reads that bypass = bypasses of loads", sharing->l2_local_reads,
                 counts->bypasses[GM_LOAD]);
    GM_INVARIANT(where, "local write-backs that bypass = bypasses of stores",
                 sharing->l2_local_writes, counts->bypasses[GM_STORE]);
    return 0;
}

void gm_l2_keep_values(gm_l2 *l2, gm_values *values)
{
    l2->values = values;
    l2->inlined = GM_MESSAGE_KINDS;
}
