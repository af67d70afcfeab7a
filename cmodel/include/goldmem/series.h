/* Series: a run's counters and the fill of its queues every so many core cycles (cycle engine). */
#ifndef GOLDMEM_SERIES_H
#define GOLDMEM_SERIES_H

#include "goldmem/error.h"
#include "goldmem/statistics.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* LEVEL(name, unit, meaning): what a unit holds at the end of a core cycle. Of an SM: */
#define GM_SM_LEVELS(LEVEL)                                                                        \
    LEVEL(warps_resident, "warps", "of CTAs that have begun and not ended")                        \
    LEVEL(l1_mshrs, "entries", "L1 MSHR entries in use")                                           \
    LEVEL(l1_queue, "packets", "in the L1's miss queue, for the request network")
/* Of an L2 bank: */
#define GM_BANK_LEVELS(LEVEL)                                                                      \
    LEVEL(l2_queue, "packets", "requests that wait in front of the bank")                          \
    LEVEL(l2_mshrs, "entries", "L2 MSHR entries in use")
/* Of an L2 bank with sharing.enabled: */
#define GM_SHARING_LEVELS(LEVEL)                                                                   \
    LEVEL(l2_lines, "lines", "in the bank, with or without data")                                  \
    LEVEL(l2_shared_lines, "lines", "of them, shared (SF)")                                        \
    LEVEL(l2_dead_lines, "lines", "of these, declared dead (DBF, sharing.l2_dead)")
/* Of a memory partition: */
#define GM_PARTITION_LEVELS(LEVEL)                                                                 \
    LEVEL(dram_queue, "requests",                                                                  \
          "of the L2 in the DRAM channel's queue, or on the way from or to it")
/* Of the machine: */
#define GM_MACHINE_LEVELS(LEVEL)                                                                   \
    LEVEL(request_packets, "packets", "in the network from the SMs")                               \
    LEVEL(reply_packets, "packets", "in the network to the SMs")

#define GM_LEVELS(LEVEL)                                                                           \
    GM_SM_LEVELS(LEVEL)                                                                            \
    GM_BANK_LEVELS(LEVEL)                                                                          \
    GM_SHARING_LEVELS(LEVEL)                                                                       \
    GM_PARTITION_LEVELS(LEVEL)                                                                     \
    GM_MACHINE_LEVELS(LEVEL)

typedef struct gm_levels {
#define LEVEL(name, unit, meaning) uint64_t name;
    GM_LEVELS(LEVEL)
#undef LEVEL
} gm_levels;

/* The units that a series has by themselves, or'ed. */
typedef enum gm_series_units {
    GM_SERIES_SMS = 1,
    GM_SERIES_BANKS = 2,
    GM_SERIES_PARTITIONS = 4,
} gm_series_units;

/* A unit at the end of a core cycle: its counters since the beginning of the run, instructions
 * counted when issued, and its levels. */
typedef struct gm_series_unit {
    gm_statistics statistics;
    gm_levels levels;
} gm_series_unit;

/* The machine at the end of a core cycle. */
typedef struct gm_series_sample {
    uint64_t cycle;  /* core cycles of the run */
    uint64_t kernel; /* number in the run of the oldest kernel in flight; between kernels of the
                        last one */
    gm_series_unit total;
    uint32_t sms, banks, partitions; /* 0 where these units are not asked for */
    const gm_series_unit *sm, *bank, *partition;
} gm_series_sample;

typedef struct gm_series_options {
    uint64_t every; /* core cycles; 0: no series */
    unsigned units; /* gm_series_units, or'ed */
    /* Receives the sample of each multiple of `every` core cycles of the run, then of the run's
     * last cycle. A negative return ends the run, which returns the value. */
    int (*sample)(void *context, const gm_series_sample *sample, gm_error *error);
} gm_series_options;

#ifdef __cplusplus
}
#endif

#endif
