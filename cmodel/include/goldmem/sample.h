/* Sampling of CTAs: a run of the cycle engine that computes some CTAs of each large kernel, warms
 * the L2 with the others, and estimates the counters of all (docs/sampling.md). */
#ifndef GOLDMEM_SAMPLE_H
#define GOLDMEM_SAMPLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_SAMPLE_ALL = 1000000, /* a share of 1 */
    GM_SAMPLE_LEAST = 100,   /* the smallest share that may be asked for */
    GM_SAMPLE_UNITS = 5,     /* measured units of a sampled kernel, at least */
    GM_SAMPLE_BIAS = 2,      /* percent of the estimated part that intervals have on each side
                                beside the sampling error */
};

typedef struct gm_sample_options {
    uint32_t share; /* of each kernel's CTAs that are computed, in millionths; 0: no sampling */
    uint64_t seed;  /* of the places of the units */
} gm_sample_options;

/* QUANTITY(name, path in the JSON report, meaning): what an interval is given of. */
#define GM_SAMPLE_COUNTERS(QUANTITY)                                                               \
    QUANTITY(cycles, "cycles", "core cycles")                                                      \
    QUANTITY(l1d_accesses, "l1d.accesses", "line requests at the L1s")                             \
    QUANTITY(l1d_misses, "l1d.misses", "of these, misses")                                         \
    QUANTITY(l2_accesses, "l2.accesses", "line requests at the L2")                                \
    QUANTITY(l2_misses, "l2.misses", "of these, misses")                                           \
    QUANTITY(dram_reads, "dram.reads", "32-byte sectors read")                                     \
    QUANTITY(dram_writes, "dram.writes", "32-byte sectors written")                                \
    QUANTITY(traffic_bytes, "traffic_bytes", "bytes over the networks, of all classes")
/* RATIO(name, path, counter above, counter below, meaning) */
#define GM_SAMPLE_RATIOS(RATIO)                                                                    \
    RATIO(l1d_miss_rate, "l1d.miss_rate", l1d_misses, l1d_accesses,                                \
          "misses per access of the L1s")                                                          \
    RATIO(l2_miss_rate, "l2.miss_rate", l2_misses, l2_accesses, "misses per access of the L2")

typedef enum gm_sample_counter {
#define QUANTITY(name, path, meaning) GM_SAMPLE_##name,
    GM_SAMPLE_COUNTERS(QUANTITY)
#undef QUANTITY
        GM_SAMPLE_COUNTER_COUNT
} gm_sample_counter;

typedef enum gm_sample_ratio {
#define RATIO(name, path, above, below, meaning) GM_SAMPLE_##name,
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
        GM_SAMPLE_RATIO_COUNT
} gm_sample_ratio;

/* An estimate and its interval of 95% confidence. */
typedef struct gm_sample_interval {
    double value, low, high;
} gm_sample_interval;

/* The estimate of a kernel or of a run. */
typedef struct gm_sample_estimate {
    uint64_t ctas;      /* of the kernels */
    uint64_t simulated; /* of these, computed cycle by cycle */
    uint64_t units;     /* measured; 0: all CTAs are computed */
    uint64_t kernels;   /* that are sampled */
    gm_sample_interval counter[GM_SAMPLE_COUNTER_COUNT];
    gm_sample_interval ratio[GM_SAMPLE_RATIO_COUNT];
    gm_sample_interval ipc; /* warp instructions a core cycle */
} gm_sample_estimate;

/* Of a sampled run. */
typedef struct gm_sample_results {
    gm_sample_options options;
    gm_sample_estimate kernel; /* of the kernel that kernel_done is told of */
    gm_sample_estimate total;  /* of all kernels */
} gm_sample_results;

#ifdef __cplusplus
}
#endif

#endif
