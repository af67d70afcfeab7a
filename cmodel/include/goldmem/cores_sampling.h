/* Cores sampling [khairy, 4.2, DWT-CS]: finds the number of warps of a scheduler that may issue
 * while a kernel thrashes the L1s. Once the misses per 1000 instructions exceed a threshold in
 * several periods in a row, each SM runs with a limit of its own, and the limit of the SM that
 * issued most instructions is every SM's until the kernel ends. A table keeps the limits of
 * kernels. RTL: rtl/cores_sampling.sv; page: docs/blocks/cores_sampling.md. */
#ifndef GOLDMEM_CORES_SAMPLING_H
#define GOLDMEM_CORES_SAMPLING_H

#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/cores_sampling.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_CORES_SAMPLING_SMS = 256,    /* at most */
    GM_CORES_SAMPLING_ENTRIES = 32, /* of the table, at most */
};

typedef struct gm_cores_sampling_parameters {
    unsigned sms;         /* 1 to 256; 15 */
    unsigned warps;       /* of a scheduler, 1 to 256; 24 */
    unsigned miss_bits;   /* of an SM's misses in a period, 1 to 24; 14 */
    unsigned issue_bits;  /* of an SM's instructions in a period, in 32s, 1 to 24; 15 */
    unsigned threshold;   /* load misses per 1000 thread instructions, 1 to 1000; 10 [khairy,
                             Table 4] */
    unsigned hot;         /* hot periods in a row, 1 to 15; 3 (a modelling choice) */
    unsigned samples;     /* periods of a round, 1 to 16; 3 (a modelling choice) */
    unsigned entries;     /* of the table, 1 to 32; 8 (a modelling choice) */
    unsigned kernel_bits; /* of what names a kernel, 1 to 32; 32 */
} gm_cores_sampling_parameters;

typedef enum gm_cores_sampling_phase {
    GM_CORES_SAMPLING_WATCHES, /* no limit */
    GM_CORES_SAMPLING_SAMPLES, /* each SM has a limit of its own */
    GM_CORES_SAMPLING_LIMITED, /* all SMs have the kernel's limit */
} gm_cores_sampling_phase;

typedef struct gm_cores_sampling_entry {
    uint32_t kernel;
    uint16_t limit; /* 0: not found yet */
    uint8_t hot;    /* hot periods in a row, until sampling begins */
} gm_cores_sampling_entry;

typedef struct gm_cores_sampling {
    gm_cores_sampling_parameters parameters;
    gm_cores_sampling_phase phase;
    uint32_t reports;        /* SMs that have reported the period */
    uint32_t misses, issued; /* their sums */
    uint32_t closed;         /* their closed L1s */
    bool idle;               /* one of them has no warps */
    /* A round of sampling. */
    uint32_t total[GM_CORES_SAMPLING_SMS]; /* instructions of each SM */
    uint32_t period;                       /* periods that have ended */
    uint32_t base;                         /* the limit of SM 0, less 1 */
    uint32_t best, best_limit;             /* the most instructions so far, and their limit */
    /* The kernel, and the table, whose entries are taken in turn. */
    uint32_t kernel;
    gm_cores_sampling_entry entry[GM_CORES_SAMPLING_ENTRIES];
    uint32_t next; /* entry that is taken next */
    bool full;     /* all entries are in use */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_cores_sampling;

GM_PORTS_STRUCTS(cores_sampling, CORES_SAMPLING)

/* Begins with an empty table. Returns 0, or -EINVAL, which names the parameter that is out of
 * range. */
int gm_cores_sampling_init(gm_cores_sampling *sampling,
                           const gm_cores_sampling_parameters *parameters, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_cores_sampling_response gm_cores_sampling_access(gm_cores_sampling *sampling,
                                                    gm_cores_sampling_request request);

/* Returns the limit of an SM after the last transaction; 0: none. */
unsigned gm_cores_sampling_limit(const gm_cores_sampling *sampling, unsigned sm);

/* Returns the hot count of the kernel after the last transaction. */
unsigned gm_cores_sampling_hot(const gm_cores_sampling *sampling);

/* Returns 0 when the state is one that transactions lead to: sums within what the SMs can have
 * reported, limits within the warps, no kernel in two entries, and an entry for a kernel that is
 * sampled or limited. Else -EINVAL. */
int gm_cores_sampling_check(const gm_cores_sampling *sampling, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
