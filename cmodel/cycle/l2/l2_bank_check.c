/* Timed L2 bank: its invariants at the end of a kernel. */
#include "cache/streaming.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/l2/l2_coherent.h"
#include "stats/invariants.h"

#include <errno.h>

static int check_counters(const gm_l2_bank *bank, const char *name, gm_error *error)
{
    const gm_l2 *l2 = &bank->l2;
    const gm_cache_statistics *statistics = &l2->statistics;
    uint64_t requests = 0; /* EVICTs are none */
    for (unsigned kind = 0; kind < GM_MESSAGE_LOOKUP; kind++) {
        requests += l2->received.messages[kind];
    }
    GM_INVARIANT(name, "EVICTs received = victims", l2->received.messages[GM_MESSAGE_EVICT],
                 l2->victim.lines);
    GM_INVARIANT(name, "requests received = accesses", requests,
                 gm_invariants_sum(statistics->accesses));
    GM_INVARIANT(name, "requests received = responses sent", requests, bank->answered);
    if (bank->far != NULL) {
        GM_INVARIANT(name, "requests received = from near and from far SMs", requests,
                     bank->time.l2_near + bank->time.l2_far);
    }
    GM_INVARIANT(name, "sectors asked of DRAM = filled", bank->fetched,
                 gm_invariants_sum(statistics->sectors_filled));
    GM_INVARIANT(name, "sectors made dirty = written back + overwritten + dirty", l2->dirtied,
                 gm_invariants_sum(statistics->sectors_written_back) + l2->overwritten +
                     l2->dirty_sectors);
    return gm_invariants_check_cache(statistics, name, error);
}

/* Checks that no way waits for data, that every item is vacant, and the dirty sectors. */
static int check_empty(const gm_l2_bank *bank, const char *name, gm_error *error)
{
    char text[128];
    gm_cycle since = gm_l2_bank_oldest(bank, text, sizeof text);
    if (since != GM_NEVER) {
        return gm_fail(error, -EPROTO, "not empty at the end of a kernel: %s since core cycle %llu",
                       text, (unsigned long long)since);
    }
    uint64_t waiting = 0;
    uint64_t dirty = 0;
    const gm_cache *cache = &bank->l2.cache;
    for (uint32_t slot = 0; !cache->unbounded && slot < gm_cache_slots(cache); slot++) {
        waiting += gm_cache_waits(cache, slot);
        dirty += gm_count_ones(cache->way[slot].state.dirty);
    }
    if (!cache->unbounded) {
        GM_INVARIANT(name, "dirty sectors counted = found", bank->l2.dirty_sectors, dirty);
    }
    GM_INVARIANT(name, "MSHR entries in use = 0", bank->entries, 0);
    GM_INVARIANT(name, "MSHR entries of loads that bypass = 0", bank->bypassing, 0);
    GM_INVARIANT(name, "lines that wait = 0", waiting, 0);
    GM_INVARIANT(name, "places of requests and responses = vacant", bank->items, bank->vacancies);
    return gm_mshr_check(&bank->mshr, error);
}

int gm_l2_bank_check(const gm_l2_bank *bank, gm_error *error)
{
    const gm_cache_statistics *statistics = &bank->l2.statistics;
    if (gm_cache_failed(&bank->l2.cache) != 0) {
        return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L2");
    }
    char name[32];
    snprintf(name, sizeof name, "L2 bank %u", bank->number);
    int code = check_empty(bank, name, error);
    code = code < 0 ? code : check_counters(bank, name, error);
    code = code < 0 ? code : gm_l2_check_partial(&bank->l2, name, error);
    code = code < 0 ? code : gm_l2_check_streaming(&bank->l2, name, error);
    code = code < 0 ? code : gm_l2_check_coalesced(&bank->l2, name, error);
    code = code < 0 ? code : gm_l2_check_victims(&bank->l2, name, error);
    code = code < 0 || bank->coherent == NULL ? code : gm_l2_coherent_check(bank, name, error);
    code = code < 0 ? code : gm_l2_bank_sharing_check(bank, name, error);
    code = code < 0 ? code : gm_atomic_unit_check(bank->l2.atomics, statistics, name, error);
    uint64_t gone = gm_invariants_sum(statistics->evictions) +
                    gm_invariants_sum(statistics->invalidations) +
                    gm_atomic_unit_gone(bank->l2.atomics) + bank->l2.victim.moved;
    return code < 0 ? code : gm_cache_check(&bank->l2.cache, gone, name, error);
}
