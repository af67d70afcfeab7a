/* Sampling of CTAs (goldmem/sample.h): chooses the CTAs of a kernel that are computed, measures
 * units of them, and estimates the kernel's counters.
 *
 * A wave is as many CTAs as the SMs hold at once. The first four waves and the last two are
 * computed. The CTAs between are divided into strata of equal size; each has a unit at a random
 * place: a wave that runs the machine in, and a wave that is measured, from the moment in which its
 * first CTA has a place to the moment in which the next CTA after it has one. All other CTAs warm
 * the L2 (functional_warming.h), and the next CTA takes their place at once: the machine never runs
 * empty. */
#ifndef GOLDMEM_CYCLE_ENGINE_CTA_SAMPLE_H
#define GOLDMEM_CYCLE_ENGINE_CTA_SAMPLE_H

#include "cycle/engine/machine.h"
#include "frontend/cta_scheduler.h"
#include "frontend/intake.h"
#include "stats/sample_estimate.h"

/* The plan of a kernel, in numbers of CTAs. */
typedef struct gm_cta_plan {
    uint64_t ctas;  /* of the kernel */
    uint64_t wave;  /* CTAs that the machine holds */
    uint64_t units; /* 0: all CTAs are computed */
    uint64_t head;  /* behind the first CTAs, all computed */
    uint64_t tail;  /* the first of the last CTAs, all computed and not estimated */
    uint64_t seed;  /* of the units' places */
} gm_cta_plan;

/* Plans a kernel. `share`: in millionths. */
gm_cta_plan gm_cta_plan_make(uint64_t ctas, uint64_t wave, uint32_t share, uint64_t seed);

/* Returns the first measured CTA of a unit: its stratum has room for the unit behind it. */
uint64_t gm_cta_plan_unit(const gm_cta_plan *plan, uint64_t unit);

typedef struct gm_cta_sample {
    gm_sample_options options;
    gm_sample_results *results;  /* NULL: no sampling */
    gm_sample_variance variance; /* of the kernels that have ended */
    gm_statistics corrections;   /* sum of (estimate - simulated) of all kernels, modulo 2^64 */
    /* Of the kernel: */
    gm_cta_plan plan;
    uint64_t unit;      /* the next one, or the one being measured */
    uint64_t first;     /* its first measured CTA */
    uint64_t simulated; /* CTAs computed */
    bool measuring;
    bool has_head, has_tail;                 /* the marks are set */
    gm_core_statistics core;                 /* of all CTAs read */
    gm_statistics at_head, at_tail, at_unit; /* the machine's counters at the marks */
    gm_statistics in_units;                  /* sum over the units */
    gm_sample_unit *measured;                /* [plan.units] */
    uint64_t room;
    uint64_t count;
} gm_cta_sample;

/* Refuses what sampling cannot do. Returns 0 or -EINVAL. */
int gm_cta_sample_check(const gm_config *config, const gm_source *source,
                        const gm_run_options *options, gm_error *error);

/* Begins a run. Returns 0 or -ENOMEM. gm_cta_sample_free frees all but the results. */
int gm_cta_sample_init(gm_cta_sample *sample, const gm_sample_options *options, gm_error *error);
void gm_cta_sample_free(gm_cta_sample *sample);

/* Begins a kernel. Requires that the scheduler has begun it. Returns 0 or -ENOMEM. */
int gm_cta_sample_begin(gm_cta_sample *sample, const gm_kernel *kernel, uint64_t number,
                        const gm_cta_scheduler *scheduler, gm_error *error);

/* Reads the machine's counters, cycles included. */
typedef void gm_cta_sample_reader(void *context, gm_statistics *statistics);

/* Takes CTA number `number` of the kernel, for which an SM has a place now: sets the marks that lie
 * before it. Returns true if it is computed, false if it warms the L2. */
bool gm_cta_sample_takes(gm_cta_sample *sample, const gm_cta *cta, uint64_t number,
                         gm_cta_sample_reader *read, void *context);

/* Ends a kernel: makes *own, its counters, the estimate of all its CTAs, and sets the results of
 * the kernel. `stopped`: within the kernel, whose counters stay as they are. Returns 0, or -EINVAL
 * for a kernel with fewer CTAs than its grid. */
int gm_cta_sample_end(gm_cta_sample *sample, const gm_kernel *kernel, bool stopped,
                      gm_statistics *own, gm_error *error);

/* Makes the counters of a run the estimate, and sets the results of the run. */
void gm_cta_sample_finish(gm_cta_sample *sample, gm_statistics *total);

#endif
