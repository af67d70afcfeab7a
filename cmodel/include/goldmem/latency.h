/* Latency histograms of the cycle engine (docs/running.md, Latency): by what was asked and by what
 * served it.
 */
#ifndef GOLDMEM_LATENCY_H
#define GOLDMEM_LATENCY_H

#include "goldmem/error.h"
#include "goldmem/statistics.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* KIND(name, meaning): what a latency is of. */
#define GM_LATENCY_KIND_LIST(KIND)                                                                 \
    KIND(requests, "line requests of loads, from the coalescer to the data")                       \
    KIND(loads, "load instructions, from issue to the last data")                                  \
    KIND(stores, "store instructions, from issue to the last answer")                              \
    KIND(atomics, "atomics and reductions, from issue to the last answer")                         \
    KIND(shared, "instructions of shared memory alone, from issue to the end")

/* SOURCE(name, meaning): what served it, of an instruction the farthest one; near to far. */
#define GM_LATENCY_SOURCE_LIST(SOURCE)                                                             \
    SOURCE(l1, "the SM's own L1 or shared memory")                                                 \
    SOURCE(peer, "another SM's L1 (sharing trackers)")                                             \
    SOURCE(l2, "the L2, which had the data")                                                       \
    SOURCE(dram, "the L2, after data had come from DRAM")

typedef enum gm_latency_kind {
#define KIND(name, meaning) GM_LATENCY_##name,
    GM_LATENCY_KIND_LIST(KIND)
#undef KIND
        GM_LATENCY_KINDS
} gm_latency_kind;

typedef enum gm_latency_source {
#define SOURCE(name, meaning) GM_SERVED_BY_##name,
    GM_LATENCY_SOURCE_LIST(SOURCE)
#undef SOURCE
        GM_LATENCY_SOURCES
} gm_latency_source;

/* Buckets: one for each latency below 128 core cycles, then 64 for each power of two; the last one
 * has all latencies from 2^32 on, too. */
enum { GM_LATENCY_STEP_BITS = 6, GM_LATENCY_BUCKETS = (32 - GM_LATENCY_STEP_BITS + 1) << 6 };

typedef struct gm_latency_histogram {
    uint64_t count;
    uint64_t cycles; /* core cycles: the sum */
    uint64_t most;   /* core cycles: the longest */
    uint64_t bucket[GM_LATENCY_BUCKETS];
} gm_latency_histogram;

typedef struct gm_latencies {
    gm_latency_histogram of[GM_LATENCY_KINDS][GM_LATENCY_SOURCES];
} gm_latencies;

/* Counts a latency of so many core cycles. */
void gm_latency_add(gm_latency_histogram *histogram, uint64_t cycles);

/* Returns the bucket of a latency. */
unsigned gm_latency_bucket(uint64_t cycles);

/* Adds all counts of a histogram to another. */
void gm_latency_merge(gm_latency_histogram *into, const gm_latency_histogram *from);

/* Returns the smallest and the largest latency of a bucket; of the last one 2^32 - 1 is the
 * largest. */
uint64_t gm_latency_low(unsigned bucket);
uint64_t gm_latency_high(unsigned bucket);

/* Returns the latency that at least `per_mille` of 1000 do not exceed: the largest of its bucket,
 * at most the longest; 0 of an empty histogram. Requires 1 to 1000. */
uint64_t gm_latency_percentile(const gm_latency_histogram *histogram, unsigned per_mille);

/* Returns how many latencies are `cycles` or more. Requires a bucket's smallest, gm_latency_low. */
uint64_t gm_latency_at_least(const gm_latency_histogram *histogram, uint64_t cycles);

/* Verifies, when nothing is in flight, that the histograms have what a run counted: load requests
 * and their cycles as time.loads and time.load_cycles, an entry for each instruction of global and
 * local memory. Returns 0, or -EPROTO, which names the invariant. */
int gm_latency_check(const gm_latencies *latencies, const gm_statistics *total, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
