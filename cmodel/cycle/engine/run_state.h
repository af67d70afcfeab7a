/* State of a run of the cycle engine, shared by its main loop and checkpoints. */
#ifndef GOLDMEM_CYCLE_ENGINE_RUN_STATE_H
#define GOLDMEM_CYCLE_ENGINE_RUN_STATE_H

#include "cycle/engine/analyses.h"
#include "cycle/engine/cta_sample.h"
#include "cycle/engine/kernel_window.h"
#include "cycle/engine/live_run.h"
#include "cycle/engine/machine.h"
#include "frontend/accounting.h"
#include "frontend/code_map.h"
#include "frontend/cta_dispatch.h"
#include "frontend/cta_scheduler.h"
#include "frontend/feeder.h"
#include "frontend/kernel_sms.h"
#include "frontend/warm_up.h"

/* Counters of what the source has delivered. */
typedef struct gm_cycle_delivered {
    uint64_t ctas, warps, instructions, lanes;
} gm_cycle_delivered;

/* Position of a run in its input and in time. Work: the kernels from one moment in which nothing is
 * in flight to the next; with gpu.kernels=1 one kernel. */
typedef struct gm_cycle_position {
    gm_cycle start;    /* first cycle of the work */
    uint64_t cycles;   /* core cycles of the work that has ended */
    uint64_t commands; /* copies applied and kernels read so far */
    gm_cycle_delivered delivered;
    bool flushed; /* the work's warps have ended, and the L1s write back */
} gm_cycle_position;

/* Samples of a series (goldmem/series.h). */
typedef struct gm_cycle_series {
    uint64_t next; /* core cycles of the run at the next sample */
    gm_cycle due;  /* the machine's cycle of the next sample; GM_NEVER: none */
    uint64_t last; /* core cycles of the run at the last sample */
    bool any;      /* a sample has been taken */
    gm_series_unit *sm, *bank, *partition; /* one for each unit; NULL: not asked for */
    gm_series_sample sample;               /* the last one; too large for a stack */
} gm_cycle_series;

/* Up to when a number of thread instructions cannot have been issued. */
typedef struct gm_issue_watch {
    gm_cycle cycle; /* before the end of this cycle */
    uint64_t warps; /* with fewer warp instructions issued */
} gm_issue_watch;

typedef struct gm_cycle_run_state {
    gm_cycle_machine machine;
    gm_cta_scheduler scheduler;
    gm_arena arena; /* the scheduler's */
    gm_cta_dispatch dispatch;
    gm_source *source;
    gm_feeder *feeder;
    gm_warp_store *store;
    const gm_run_options *options;
    gm_accounting accounting;
    gm_cycle_position position;
    gm_kernel_window window;
    gm_cycle due;     /* gm_kernel_window_due; GM_NEVER: nothing */
    bool flushes;     /* L1s are flushed while other SMs have CTAs */
    uint64_t *l1_has; /* [sms] with gpu.kernels above 1: number + 1 of the last kernel with a CTA on
                         the SM since its L1 was flushed; 0: none */
    uint64_t files;   /* gm_source_content, with checkpoints only */
    uint64_t content; /* hash of what the source has delivered: copies, kernels' headers, CTAs; with
                         checkpoints only */
    /* Not part of the machine's state: */
    gm_statistics *ended;    /* [accounting.kernels] own statistics, for checkpoints */
    uint64_t *ended_content; /* [accounting.kernels] `content` at their ends */
    uint64_t ended_size;     /* room of both, in kernels */
    uint64_t parts; /* check sum of the names and sizes of the machine's state, for checkpoints */
    uint64_t done;  /* cycles computed by this process */
    gm_stop *stop;  /* in the results */
    gm_cycle last;  /* last cycle of the work that max_cycles allows */
    gm_issue_watch limit_watch;   /* of max_instructions */
    gm_issue_watch warm_up_watch; /* of a warm-up's instructions */
    gm_cycle next_checkpoint;
    gm_cycle_series series;
    gm_warmed warmed;
    gm_cta_sample sample;
    gm_kernel_sms kernel_sms; /* with options->kernel_sms */
    gm_results *results;      /* the caller's */
    gm_code_map code;         /* with options->per_pc */
    gm_cycle_analyses analyses;
    gm_set_contents *l2_sets; /* of the results; NULL: not asked for */
    gm_live_run live;         /* kernels that communicate */
    gm_cycle_live live_ctas;
    gm_cycle watched;       /* last cycle known to have made progress */
    uint64_t watched_work;  /* work_done at the end of cycle `watched` */
    gm_cycle watchdog_next; /* cycle at whose end the watchdog samples next; GM_NEVER: it is off */
} gm_cycle_run_state;

#endif
