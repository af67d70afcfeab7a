/* Analyses (goldmem/analysis.h) of the cycle engine: an observer that tells them of each access
 * when the timed machine performs it. docs/analyses.md. */
#ifndef GOLDMEM_CYCLE_ENGINE_ANALYSES_H
#define GOLDMEM_CYCLE_ENGINE_ANALYSES_H

#include "base/snapshot.h"
#include "cycle/engine/kernel_window.h"
#include "cycle/engine/machine.h"
#include "cycle/util/access_observer.h"
#include "goldmem/engine.h"

typedef struct gm_ticket_warp gm_ticket_warp;

typedef struct gm_cycle_analyses {
    gm_analysis *analysis; /* owned by the results; NULL: none */
    gm_access_observer observer;
    gm_cycle_machine *machine;
    gm_kernel_window *window;
    gm_ticket_warp *ticket; /* [sms * GM_TICKETS] */
    gm_error error;
    int failed; /* first failure, with its message */
} gm_cycle_analyses;

/* Makes the analyses in options->analyses, and lets them observe the machine, before its first
 * cycle. Returns 0 or -ENOMEM. Requires gm_cycle_analyses_free in any case. */
int gm_cycle_analyses_init(gm_cycle_analyses *analyses, gm_cycle_machine *machine,
                           gm_kernel_window *window, const gm_run_options *options,
                           gm_error *error);

/* A kernel that has ended is reported next. Returns 0, or -ENOMEM if an analysis had no memory. */
int gm_cycle_analyses_end_kernel(gm_cycle_analyses *analyses, uint64_t kernel, gm_error *error);

/* The kernel that is reported next is the `place`th that ended, before the checkpoint. */
void gm_cycle_analyses_recall(gm_cycle_analyses *analyses, uint64_t place);

/* The L1s, which are empty, have other ways from now on (l1.unified). */
void gm_cycle_analyses_resize(gm_cycle_analyses *analyses);

/* Saves or loads the analyses and what they know of requests in flight. */
void gm_cycle_analyses_snapshot(gm_cycle_analyses *analyses, gm_snapshot *snapshot);
void gm_cycle_analyses_free(gm_cycle_analyses *analyses);

#endif
