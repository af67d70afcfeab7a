/* Conservation laws of the statistics of both engines. */
#include "stats/invariants.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>

int gm_invariant_broken(gm_error *error, const char *where, const char *invariant, uint64_t left,
                        uint64_t right)
{
    return gm_fail(error, -EPROTO, "conservation law broken: %s: %s: %llu and %llu", where,
                   invariant, (unsigned long long)left, (unsigned long long)right);
}

int gm_invariants_check_cache(const gm_cache_statistics *cache, const char *where, gm_error *error)
{
    static const char *const kinds[GM_ACCESS_KINDS] = {"load", "store", "atomic", "instruction"};
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", where, kinds[kind]);
        GM_INVARIANT(name, "accesses = hits + hits_pending + misses + bypasses",
                     cache->accesses[kind],
                     cache->hits[kind] + cache->hits_pending[kind] + cache->misses[kind] +
                         cache->bypasses[kind]);
        GM_INVARIANT(name, "sector_misses <= misses",
                     cache->sector_misses[kind] <= cache->misses[kind], 1);
        GM_INVARIANT(name, "write_backs <= sectors_written_back",
                     cache->write_backs[kind] <= cache->sectors_written_back[kind], 1);
    }
    return 0;
}

int gm_invariants_check_stored(const gm_cache_statistics *l1, uint32_t all_sectors,
                               const char *where, gm_error *error)
{
    uint64_t stored = l1->sectors_stored[GM_STORE];
    GM_INVARIANT(where, "sectors stored <= of lines of stores that did not hit",
                 stored <= (l1->misses[GM_STORE] + l1->hits_pending[GM_STORE]) *
                               gm_count_ones(all_sectors),
                 1);
    GM_INVARIANT(where, "sectors stored by loads and atomics = 0",
                 gm_invariants_sum(l1->sectors_stored) - stored, 0);
    return 0;
}

int gm_invariants_check_messages(const gm_message_counts *sent, const gm_message_counts *received,
                                 gm_error *error)
{
    static const char *const kinds[GM_MESSAGE_KINDS] = {
        "READ",       "WRITE",  "WRITE_BACK", "ATOMIC",  "REDUCTION", "INSTRUCTION", "GETX",
        "UPGRADE",    "LOOKUP", "FILL",       "EVICT",   "SUPPLY",    "SUPPLIED",    "RETURN",
        "INVALIDATE", "RECALL", "FORWARD",    "UNBLOCK", "INSTALL",   "DISCARD"};
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        GM_INVARIANT(kinds[kind], "messages sent by SMs = received by L2 banks",
                     sent->messages[kind], received->messages[kind]);
        GM_INVARIANT(kinds[kind], "sectors sent by SMs = received by L2 banks", sent->sectors[kind],
                     received->sectors[kind]);
    }
    GM_INVARIANT("WRITE", "sectors with which L2 banks answered = received by SMs",
                 received->answered, sent->answered);
    return 0;
}

int gm_invariants_check_strong(const gm_message_counts *sent,
                               const gm_atomic_buffer_statistics *buffer, gm_error *error)
{
    GM_INVARIANT("atomic buffers", "strong loads sent by SMs = performed", sent->strong,
                 buffer->loads);
    GM_INVARIANT("atomic buffers", "sectors of strong loads sent by SMs = read",
                 sent->strong_sectors, buffer->load_sectors);
    return 0;
}

int gm_invariants_check_traffic(const gm_traffic_statistics *sent,
                                const gm_traffic_statistics *received, gm_error *error)
{
#define CLASS(name, meaning)                                                                       \
    GM_INVARIANT("traffic " #name, "bytes of messages sent = of messages received", sent->name,    \
                 received->name);
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    return 0;
}

int gm_invariants_check_coalesced(const gm_statistics *sum, const gm_config *config,
                                  gm_error *error)
{
    if (config->l2.bypass == GM_L2_BYPASS_NONE || config->tracker.enabled) {
        return 0;
    }
    GM_INVARIANT("L2 banks", "sectors filled in L1s = of reads that fill L1s",
                 gm_invariants_sum(sum->l1d.sectors_filled), sum->l2_coalesced.sectors);
    return 0;
}

int gm_invariants_check_victims(const gm_statistics *sum, const gm_config *config, gm_error *error)
{
    const gm_tracker_statistics *tracker = &sum->tracker;
    const gm_l2_victim_statistics *l2 = &sum->l2_victim;
    if (!config->l2.victim) {
        return 0;
    }
    GM_INVARIANT("sharing trackers", "evicts of last sharers = victims + shared",
                 tracker->last_sharer_evicts, tracker->victims + tracker->victims_shared);
    GM_INVARIANT("sharing trackers", "sectors of victims <= of evicts",
                 tracker->victim_sectors <= tracker->evict_sectors, 1);
    GM_INVARIANT("L2 banks", "sectors of victims sent by trackers = received by L2 banks",
                 tracker->victim_sectors, l2->sectors);
    return 0;
}

int gm_invariants_check_sharing_l1(const gm_sharing_statistics *sharing,
                                   const gm_cache_statistics *l1, const char *where,
                                   gm_error *error)
{
    GM_INVARIANT(where, "private and shared lines that gave way = evictions",
                 sharing->l1_evicted_private + sharing->l1_evicted_shared,
                 gm_invariants_sum(l1->evictions));
    GM_INVARIANT(where, "sectors of fills bypassed <= sectors filled and stored",
                 sharing->l1_sectors_bypassed <=
                     gm_invariants_sum(l1->sectors_filled) + gm_invariants_sum(l1->sectors_stored),
                 1);
    GM_INVARIANT(where, "dead lines that gave way <= private ones",
                 sharing->l1_dead_evicted <= sharing->l1_evicted_private, 1);
    GM_INVARIANT(where, "dead lines that gave way <= declared dead",
                 sharing->l1_dead_evicted <= sharing->l1_dead_marked, 1);
    return 0;
}

int gm_invariants_check_totals(const gm_statistics *total, const gm_statistics *sum,
                               gm_error *error)
{
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("core " #name, "sum of kernels = sum of SMs", total->core.name, sum->core.name);
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l1d " #name, "sum of kernels = sum of SMs", gm_invariants_sum(total->l1d.name),  \
                 gm_invariants_sum(sum->l1d.name));                                                \
    GM_INVARIANT("l2 " #name, "sum of kernels = sum of banks", gm_invariants_sum(total->l2.name),  \
                 gm_invariants_sum(sum->l2.name));
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("dram " #name, "sum of kernels = sum of channels", total->dram.name,              \
                 sum->dram.name);
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("dueling " #name, "sum of kernels = counted", total->dueling.name,                \
                 sum->dueling.name);
    GM_DUELING_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("sampling " #name, "sum of kernels = counted", total->sampling.name,              \
                 sum->sampling.name);
    GM_SAMPLING_COUNTERS(COUNTER)
#undef COUNTER
    GM_INVARIANT("sampling limit", "of the last kernel = counted", total->sampling.limit,
                 sum->sampling.limit);
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("ccws " #name, "sum of kernels = sum of SMs", total->ccws.name, sum->ccws.name);
    GM_CCWS_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("coherence " #name, "sum of kernels = counted", total->coherence.name,            \
                 sum->coherence.name);
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l1_streaming " #name, "sum of kernels = sum of SMs", total->l1_streaming.name,   \
                 sum->l1_streaming.name);                                                          \
    GM_INVARIANT("l2_streaming " #name, "sum of kernels = sum of banks", total->l2_streaming.name, \
                 sum->l2_streaming.name);
    GM_STREAMING_COUNTERS(COUNTER)
    GM_STREAMING_TIMES(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l2_coalesced " #name, "sum of kernels = sum of banks", total->l2_coalesced.name, \
                 sum->l2_coalesced.name);
    GM_L2_COALESCED_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l2_bypassed " #name, "sum of kernels = sum of banks", total->l2_bypassed.name,   \
                 sum->l2_bypassed.name);
    GM_L2_BYPASSED_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("atomic_buffer " #name, "sum of kernels = sum of banks",                          \
                 total->atomic_buffer.name, sum->atomic_buffer.name);
    GM_ATOMIC_BUFFER_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l2_victim " #name, "sum of kernels = sum of banks", total->l2_victim.name,       \
                 sum->l2_victim.name);
    GM_L2_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("sharing " #name, "sum of kernels = sum of SMs and banks", total->sharing.name,   \
                 sum->sharing.name);
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l2_bytes " #name, "sum of kernels = sum of banks", total->l2_bytes.name,         \
                 sum->l2_bytes.name);
    GM_L2_BYTES_COUNTERS(COUNTER)
#undef COUNTER
#define CLASS(name, meaning)                                                                       \
    GM_INVARIANT("traffic " #name, "sum of kernels = sum of SMs", total->traffic.name,             \
                 sum->traffic.name);
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("l1i " #name, "sum of kernels = sum of SMs", total->l1i.name, sum->l1i.name);
    GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    GM_INVARIANT("tracker " #name, "sum of kernels = sum of SMs", total->tracker.name,             \
                 sum->tracker.name);
    GM_TRACKER_COUNTERS(COUNTER)
    GM_TRACKER_ASK_COUNTERS(COUNTER)
    GM_TRACKER_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
    return 0;
}
