/* Conservation laws of statistics, for both engines: each side counts what it sends and receives,
 * and the counts agree. */
#ifndef GOLDMEM_STATS_INVARIANTS_H
#define GOLDMEM_STATS_INVARIANTS_H

#include "cache/traffic.h"
#include "goldmem/config.h"
#include "goldmem/error.h"
#include "goldmem/statistics.h"

/* Writes a message that names the broken conservation law. Returns -EPROTO. */
int gm_invariant_broken(gm_error *error, const char *where, const char *invariant, uint64_t left,
                        uint64_t right);

/* Returns -EPROTO from the calling function unless left and right are equal. Requires a variable
 * `error` there. */
#define GM_INVARIANT(where, invariant, left, right)                                                \
    do {                                                                                           \
        if ((left) != (right)) {                                                                   \
            return gm_invariant_broken(error, where, invariant, left, right);                      \
        }                                                                                          \
    } while (0)

static inline uint64_t gm_invariants_sum(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[GM_LOAD] + count[GM_STORE] + count[GM_ATOMIC] + count[GM_INSTRUCTION];
}

/* Checks accesses = hits + hits_pending + misses + bypasses, and bounds. This and the functions
 * below return 0 or -EPROTO. */
int gm_invariants_check_cache(const gm_cache_statistics *cache, const char *where, gm_error *error);

/* Checks bounds of an L1's sectors_stored; `all_sectors`: the mask of a line. */
int gm_invariants_check_stored(const gm_cache_statistics *l1, uint32_t all_sectors,
                               const char *where, gm_error *error);

/* Checks READs of strong loads, sent by the SMs, against what atomic buffers counted. */
int gm_invariants_check_strong(const gm_message_counts *sent,
                               const gm_atomic_buffer_statistics *buffer, gm_error *error);

/* Checks messages and their sectors, sent by the SMs and received by the L2 banks. */
int gm_invariants_check_messages(const gm_message_counts *sent, const gm_message_counts *received,
                                 gm_error *error);

/* Checks the bytes sent and received. */
int gm_invariants_check_traffic(const gm_traffic_statistics *sent,
                                const gm_traffic_statistics *received, gm_error *error);

/* Checks that sums over kernels equal sums over SMs, banks and partitions. */
/* Checks the counters of sharing.enabled of an L1 that both engines have. Returns 0 or
 * -EPROTO. */
int gm_invariants_check_sharing_l1(const gm_sharing_statistics *sharing,
                                   const gm_cache_statistics *l1, const char *where,
                                   gm_error *error);

/* Checks that L2 banks which coalesced loads bypass know the reads that fill L1s. `sum`: of both,
 * without sharing trackers. Returns 0 or -EPROTO. */
int gm_invariants_check_coalesced(const gm_statistics *sum, const gm_config *config,
                                  gm_error *error);

/* Checks the lines that trackers sent to the L2 (l2.victim) against those that its banks received.
 * `sum`: of both. Returns 0 or -EPROTO. */
int gm_invariants_check_victims(const gm_statistics *sum, const gm_config *config, gm_error *error);

int gm_invariants_check_totals(const gm_statistics *total, const gm_statistics *sum,
                               gm_error *error);

#endif
