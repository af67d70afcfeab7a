/* Sharing-aware timed L1 [tabbakh, V-B]: the L2's answer tells the class of a line, which decides
 * whether the fill gets a way. */
#include "cycle/l1/l1_sharing.h"

#include "cache/cache_sharing.h"
#include "stats/invariants.h"

/* Marks of gm_cycle_l1_entry.fill. */
enum { IS_SHARED = 1, IS_ANSWERED = 2 };

void gm_cycle_l1_sharing_asks(gm_cycle_l1 *l1, bool local)
{
    uint32_t last = gm_ring_place(&l1->queue, gm_ring_count(&l1->queue) - 1);
    l1->packet[last].flags = local ? GM_PACKET_LOCAL : 0;
}

void gm_cycle_l1_sharing_arrived(gm_cycle_l1_entry *entry, uint8_t flags)
{
    bool shared = (flags & (GM_PACKET_SHARED | GM_PACKET_LOCAL)) == GM_PACKET_SHARED;
    entry->fill = shared ? IS_SHARED : 0;
}

bool gm_cycle_l1_sharing_admits(gm_cycle_l1 *l1, gm_cache_place place,
                                const gm_cycle_l1_entry *entry)
{
    bool bypass;
    l1->cache.sharing->incoming = (entry->fill & IS_SHARED) != 0;
    gm_cache_sharing_victim(&l1->cache, place, &bypass);
    if (bypass) {
        gm_cache_sharing_take(&l1->cache, place); /* declares a line dead */
        l1->cache.sharing->statistics.l1_sectors_bypassed += gm_count_ones(entry->sectors);
        l1->cache.sharing->incoming = false;
    }
    return !bypass;
}

void gm_cycle_l1_sharing_answered(gm_cycle_l1 *l1, gm_cycle_l1_entry *entry, bool first)
{
    gm_sharing_statistics *counts = &l1->cache.sharing->statistics;
    bool merged = !first && (entry->fill & IS_ANSWERED) != 0;
    counts->l1_fills_closed += !first && !merged;
    counts->l1_merged_shared += merged && (entry->fill & IS_SHARED) != 0;
    counts->l1_merged_private += merged && (entry->fill & IS_SHARED) == 0;
    entry->fill |= IS_ANSWERED;
    l1->cache.sharing->incoming = false; /* of lines that stores cover */
}

int gm_cycle_l1_sharing_check(const gm_cycle_l1 *l1, const char *where, gm_error *error)
{
    if (l1->decoupled != NULL || l1->cache.sharing == NULL) {
        return 0;
    }
    const gm_sharing_statistics *sharing = &l1->cache.sharing->statistics;
    const gm_cache_statistics *counts = &l1->statistics;
    uint64_t filled = sharing->l1_fills_private + sharing->l1_fills_shared;
    GM_INVARIANT(where, "lines filled, private and shared = lines allocated", filled,
                 l1->cache.allocations);
    if (l1->shared->config->l1.global_allocate) {
        GM_INVARIANT(where, "fills installed, bypassed and closed = misses",
                     filled + sharing->l1_fills_bypassed + sharing->l1_fills_closed,
                     counts->misses[GM_LOAD] + counts->misses[GM_STORE]);
    }
    GM_INVARIANT(where, "hits of private and of shared lines = hits",
                 sharing->l1_hits_private + sharing->l1_hits_shared,
                 counts->hits[GM_LOAD] + counts->hits[GM_STORE]);
    GM_INVARIANT(where, "merged requests <= pending hits",
                 sharing->l1_merged_private + sharing->l1_merged_shared <=
                     counts->hits_pending[GM_LOAD] + counts->hits_pending[GM_STORE],
                 1);
    return gm_invariants_check_sharing_l1(sharing, counts, where, error);
}
