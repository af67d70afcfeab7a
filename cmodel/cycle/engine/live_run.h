/* Live CTAs of a run: kernels that communicate get the values of the machine's value layer. */
#ifndef GOLDMEM_CYCLE_ENGINE_LIVE_RUN_H
#define GOLDMEM_CYCLE_ENGINE_LIVE_RUN_H

#include "goldmem/engine.h"
#include "goldmem/source.h"

struct gm_cycle_run_state;

typedef struct gm_live_run {
    const gm_value_observer *source; /* NULL: no kernel communicates */
    const gm_value_observer *user;   /* or NULL */
    gm_value_observer both;
    uint64_t since; /* cycle since which the CTAs only wait for each other */
} gm_live_run;

/* Returns 0 if the source's kernels do not communicate, or the options and the configuration allow
 * it; else -EINVAL: *error names what does not. */
int gm_live_run_check(const gm_source *source, const gm_config *config,
                      const gm_run_options *options, gm_error *error);

/* Starts to carry values, if the source's kernels communicate. Returns 0 or -ENOMEM. */
int gm_live_run_start(struct gm_cycle_run_state *run, gm_error *error);

/* Returns what goes wrong in an SM's step, or 0. */
int gm_live_run_failed(const struct gm_cycle_run_state *run, gm_error *error);

/* Samples at the end of cycle `now`: fails with -EDEADLK if for `limit` cycles the CTAs have only
 * waited for each other. */
int gm_live_run_watch(struct gm_cycle_run_state *run, uint64_t now, uint64_t limit,
                      gm_error *error);

#endif
