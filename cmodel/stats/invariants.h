/* Laws: what the conservation checks of both engines share. What one side has sent, the other has
 * received, each counted where it happens. */
#ifndef GOLDMEM_STATS_INVARIANTS_H
#define GOLDMEM_STATS_INVARIANTS_H

#include "cache/traffic.h"
#include "goldmem/error.h"
#include "goldmem/statistics.h"

/* Says which law does not hold. -EPROTO. */
int gm_invariant_broken(gm_error *error, const char *where, const char *law, uint64_t left,
                        uint64_t right);

/* In a function that returns an errno value and has `error`: left and right must be equal. */
#define GM_INVARIANT(where, law, left, right)                                                      \
    do {                                                                                           \
        if ((left) != (right)) {                                                                   \
            return gm_invariant_broken(error, where, law, left, right);                            \
        }                                                                                          \
    } while (0)

static inline uint64_t gm_invariants_sum(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[GM_LOAD] + count[GM_STORE] + count[GM_ATOMIC];
}

/* accesses = hits + hits_pending + misses + bypasses, and the like. */
int gm_invariants_check_cache(const gm_cache_statistics *cache, const char *where, gm_error *error);

/* Messages and their sectors, as the SMs sent them and as the L2 banks received them. */
int gm_invariants_check_messages(const gm_message_counts *sent, const gm_message_counts *received,
                                 gm_error *error);

/* Bytes of what the SMs sent, and of what was received. */
int gm_invariants_check_traffic(const gm_traffic_statistics *sent,
                                const gm_traffic_statistics *received, gm_error *error);

/* Kernel by kernel, and over SMs, banks and partitions: two ways to the same totals. */
int gm_invariants_check_totals(const gm_statistics *total, const gm_statistics *sum,
                               gm_error *error);

#endif
