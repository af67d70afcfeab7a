/* Warm-up of a run: when its counters begin anew, and what they were then. */
#ifndef GOLDMEM_FRONTEND_WARM_UP_H
#define GOLDMEM_FRONTEND_WARM_UP_H

#include "goldmem/engine.h"

typedef struct gm_warmed {
    bool reached;      /* the warm-up has ended */
    uint64_t check_at; /* order engine: instructions executed from which its end is possible */
    gm_results at;     /* the counters at its end: total, per_sm, per_bank, per_partition */
} gm_warmed;

/* Checks what does not go with a warm-up: counts of whole runs. Returns 0 or -EINVAL. */
int gm_warm_up_check(const gm_run_options *options, gm_error *error);

/* True while the run warms up. */
static inline bool gm_warm_up_goes_on(const gm_warmed *warmed, const gm_run_options *options)
{
    return options->warm_up.kind != GM_WARM_UP_NONE && !warmed->reached;
}

/* Subtracts the counters at the end of the warm-up, if there is one, from the results of a run.
 * Returns 0, or -EINVAL if the warm-up has not ended with the run. */
int gm_warm_up_subtract(const gm_warmed *warmed, const gm_run_options *options, gm_results *results,
                        const gm_config *config, gm_error *error);

void gm_warmed_free(gm_warmed *warmed);

#endif
