/* Rates: the ratios of counters that papers plot, in millionths, rounded to nearest; 0 where
 * nothing was counted. Integers, so that they are equal on every machine. */
#ifndef GOLDMEM_RATES_H
#define GOLDMEM_RATES_H

#include "goldmem/config.h"
#include "goldmem/statistics.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* RATE(name, of, meaning): `name` per million of `of`. Both engines. */
#define GM_RATES(RATE)                                                                             \
    RATE(l1d_hits, "L1 accesses", "hits, pending ones included [li, figures 5a, 10a]")             \
    RATE(l2_accesses, "thread instructions", "accesses to the L2 [li, figure 10b]")                \
    RATE(l2_misses, "thread instructions", "misses of the L2 [li, figure 10c]")

/* Shares of time: a unit that retries is stalled (cycle engine). */
#define GM_STALL_RATES(RATE)                                                                       \
    RATE(stalls_line, "cycles of all SMs", "the L1 is blocked: no line can be allocated")          \
    RATE(stalls_mshr_entry, "cycles of all SMs", "the L1 is blocked: no MSHR entry is free")       \
    RATE(stalls_mshr_merge, "cycles of all SMs", "the L1 is blocked: the MSHR entry is full")      \
    RATE(stalls_miss_queue, "cycles of all SMs", "the L1 is blocked: the miss queue is full")      \
    RATE(stalls_bypass_queue, "cycles of all SMs", "the L1 is blocked: its bypass path is full")

typedef struct gm_rates {
#define RATE(name, of, meaning) uint64_t name;
    GM_RATES(RATE)
    GM_STALL_RATES(RATE)
#undef RATE
} gm_rates;

/* Returns the rates of one kernel or of a whole run. */
gm_rates gm_rates_of(const gm_statistics *statistics, const gm_config *config);

/* Returns the cycles of all SMs in which the L1 was blocked, for any stall reason [li, 3.2]. */
uint64_t gm_stall_cycles(const gm_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
