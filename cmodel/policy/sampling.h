/* Dynamic warp throttling in a run [khairy, 4.2, DWT-CS]: one cores_sampling block for the GPU,
 * what SMs report to it, and what it has chosen. docs/throttling.md has the rules. */
#ifndef GOLDMEM_POLICY_SAMPLING_H
#define GOLDMEM_POLICY_SAMPLING_H

#include "base/snapshot.h"
#include "goldmem/config.h"
#include "goldmem/cores_sampling.h"
#include "goldmem/engine.h"
#include "goldmem/statistics.h"

/* Counters of an SM since the run's start. */
typedef struct gm_sampling_sm {
    uint64_t misses;  /* load misses of its L1 */
    uint64_t threads; /* thread instructions that it has issued */
} gm_sampling_sm;

typedef struct gm_sampling {
    gm_cores_sampling block;
    bool runs;      /* a kernel runs */
    uint64_t begin; /* the core cycle at whose end it was launched */
    uint64_t number;
    char name[GM_SAMPLING_NAME];
    gm_sampling_sm last[GM_CORES_SAMPLING_SMS]; /* at the last multiple of the period */
    gm_sampling_statistics statistics;
    gm_sampling_choices choices;
    gm_sampling_limits limits;
} gm_sampling;

/* Returns the block's parameters in a configuration. */
gm_cores_sampling_parameters gm_sampling_parameters(const gm_config *config);

/* Makes the block with an empty table. Returns 0 or -EINVAL. */
int gm_sampling_init(gm_sampling *sampling, const gm_config *config, gm_error *error);

/* Begins a kernel, which is launched at the end of core cycle `begin`; ends it. */
void gm_sampling_begin(gm_sampling *sampling, const char *name, uint64_t number, uint64_t begin);
void gm_sampling_end(gm_sampling *sampling);

/* True if the period of `period` core cycles that ends before cycle `now` is whole: the kernel was
 * launched in its first cycle or before. Every SM reports it. */
bool gm_sampling_reports(const gm_sampling *sampling, uint64_t period, uint64_t now);

/* Takes the report of the next SM, whose counters are `counters` at the beginning of cycle `now`.
 * `idle`: it has no warps. */
void gm_sampling_report(gm_sampling *sampling, uint32_t sm, gm_sampling_sm counters, bool idle,
                        uint64_t now);

/* Checks the invariants. Returns 0, or -EPROTO, which names the invariant and both values. */
int gm_sampling_check(const gm_sampling *sampling, gm_error *error);

void gm_sampling_snapshot(gm_sampling *sampling, gm_snapshot *snapshot);

#endif
