/* Series of a run of the cycle engine: samples of all counters at fixed distances in time. */
#ifndef GOLDMEM_CYCLE_ENGINE_INTERVALS_H
#define GOLDMEM_CYCLE_ENGINE_INTERVALS_H

#include "cycle/engine/run_state.h"

/* Makes room for the samples that the options ask for. Returns 0 or -ENOMEM. */
int gm_series_open(gm_cycle_run_state *run, gm_error *error);
void gm_series_close(gm_cycle_run_state *run);

/* Private to gm_series_take_before. */
int gm_series_take(gm_cycle_run_state *run, gm_cycle next, gm_error *error);

/* Computes when the next sample is due in the work that begins. */
void gm_series_begin_work(gm_cycle_run_state *run);

/* Takes the sample that is due with the end of the work. Returns 0 or what the callback returns. */
int gm_series_end_work(gm_cycle_run_state *run, gm_error *error);

/* Takes the samples that are due before cycle `next`, up to run->last: no unit is due in between.
 * Returns 0 or what the callback returns. */
static inline int gm_series_take_before(gm_cycle_run_state *run, gm_cycle next, gm_error *error)
{
    return next <= run->series.due ? 0 : gm_series_take(run, next, error);
}

/* Takes the sample of the run's last cycle, if no other is of it. Returns as gm_series_end_work. */
int gm_series_end(gm_cycle_run_state *run, gm_error *error);

#endif
