/* Kernel window of the cycle engine: the kernels that have been read and not yet reported, in
 * launch order, at most gpu.kernels of them without an end. A kernel is launched when no earlier
 * one of its stream is left without an end.
 *
 * The source gives one kernel after the other, so that a kernel which waits for its stream is read
 * to its end before the next one can be seen; its CTAs wait in the warp store. No command is read
 * while a launched kernel has CTAs to dispatch: a kernel that is read late is launched as of the
 * cycle in which the window had room for it and its stream was free. */
#ifndef GOLDMEM_CYCLE_ENGINE_KERNEL_WINDOW_H
#define GOLDMEM_CYCLE_ENGINE_KERNEL_WINDOW_H

#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "frontend/cta_scheduler.h"
#include "frontend/feeder.h"
#include "goldmem/statistics.h"

/* A kernel's state, as checkpoints have it. No padding. */
typedef struct gm_kernel_state {
    uint64_t number;          /* in the run, from 0 */
    gm_cycle entered;         /* first cycle in which the window had room for it */
    gm_cycle start;           /* first cycle, once launched */
    gm_cycle ready;           /* first cycle in which its CTAs can issue */
    gm_cycle visible;         /* last cycle in which an SM may not see all its writes, once done */
    uint64_t began;           /* core cycles of the run before its first one, once launched */
    uint64_t ended_at;        /* core cycles of the run up to its last one, once ended */
    uint64_t read;            /* CTAs read */
    uint64_t dispatched;      /* CTAs */
    uint64_t live;            /* dispatched CTAs that have not ended */
    uint64_t beside;          /* other kernels that were launched and without an end beside it */
    uint64_t content;         /* the run's content hash behind its last CTA, once whole */
    uint64_t launched, ended; /* 0 or 1 */
    uint64_t whole;           /* 1: its end has been read */
    uint64_t more;            /* 1: it has CTAs to dispatch */
    uint64_t closing;         /* 1: done, and the L1s that it had write back */
    gm_core_statistics core;  /* of its dispatched CTAs */
    gm_cta_statistics ctas;
} gm_kernel_state;

typedef struct gm_window_kernel {
    gm_kernel_state state;
    gm_kernel *kernel;    /* freed by the window */
    gm_sm_resources cost; /* of a CTA, once launched */
    gm_cta *first, *last; /* read, but not dispatched */
} gm_window_kernel;

/* A kernel's end. */
typedef struct gm_stream_end {
    uint64_t stream;
    gm_cycle at;
} gm_stream_end;

typedef struct gm_kernel_window {
    uint64_t most;            /* gpu.kernels */
    gm_cycle launch;          /* sm.launch */
    gm_window_kernel *kernel; /* [count] not yet reported, in launch order */
    uint32_t count, room;
    uint64_t read, ends;     /* kernels read, kernels that have ended */
    gm_cycle entered;        /* of the last kernel read */
    gm_stream_end *end;      /* [most] the last ends, as a ring */
    gm_core_statistics core; /* of the kernels that have ended */
    bool waits;              /* `feed` has been read, and waits until all kernels have ended */
    gm_feed feed;            /* a copy, or the end of the source */
} gm_kernel_window;

/* Returns 0 or -ENOMEM. gm_kernel_window_free frees what the window holds, but no CTA. */
int gm_kernel_window_init(gm_kernel_window *window, const gm_config *config, gm_error *error);
void gm_kernel_window_free(gm_kernel_window *window);

/* Adds a kernel of the source, with no CTA read; the window frees it, in any case. `now`: the first
 * cycle in which it can be launched, unless the window had no room then. Returns 0 or -ENOMEM. */
int gm_kernel_window_add(gm_kernel_window *window, gm_kernel *kernel, gm_cycle now,
                         gm_error *error);

/* True if the source may be read for a further kernel while kernels run. */
static inline bool gm_kernel_window_takes(const gm_kernel_window *window)
{
    return window->read - window->ends < window->most && !window->waits;
}

/* Keeps a CTA of the kernel until it is dispatched. */
void gm_kernel_window_keep(gm_window_kernel *kernel, gm_cta *cta);

/* Takes the CTA kept first, or NULL. */
gm_cta *gm_kernel_window_take(gm_window_kernel *kernel);

/* Returns the oldest kernel that is not launched and whose stream is free, or NULL. */
gm_window_kernel *gm_kernel_window_launchable(gm_kernel_window *window);

/* Returns the first cycle in which a kernel whose stream is free can have been launched. */
gm_cycle gm_kernel_window_free_from(const gm_kernel_window *window, const gm_window_kernel *kernel);

/* Launches the kernel, whose first cycle is `start`; its CTAs can issue from `ready` on. */
void gm_kernel_window_launch(gm_kernel_window *window, gm_window_kernel *kernel, gm_cycle start,
                             gm_cycle ready);

/* Returns the oldest launched kernel whose CTAs can issue in the cycle after `now` and that has
 * CTAs to dispatch, or NULL. */
gm_window_kernel *gm_kernel_window_dispatches(gm_kernel_window *window, gm_cycle now);

/* Returns the kernel of this number, which must be in the window. */
gm_window_kernel *gm_kernel_window_of(gm_kernel_window *window, uint64_t number);

/* True if all CTAs of a launched kernel have ended. */
static inline bool gm_kernel_is_done(const gm_kernel_state *kernel)
{
    return kernel->launched && !kernel->ended && !kernel->more && kernel->live == 0;
}

/* True if a launched kernel has CTAs on SMs or to dispatch. */
bool gm_kernel_window_is_busy(const gm_kernel_window *window);

/* True if a kernel is closing and has not ended. */
bool gm_kernel_window_closes(const gm_kernel_window *window);

/* Returns the next cycle at whose end something of a launched kernel is due that no unit of the
 * machine wakes up for: its CTAs can be dispatched, or its writes are visible. GM_NEVER: none. */
gm_cycle gm_kernel_window_due(const gm_kernel_window *window, gm_cycle now);

/* Ends a kernel in cycle `now`. */
void gm_kernel_window_end(gm_kernel_window *window, gm_window_kernel *kernel, gm_cycle now);

/* Removes the first kernel. */
void gm_kernel_window_remove(gm_kernel_window *window);

/* Saves or loads the state. Loading leaves kernels without header and CTAs. */
int gm_kernel_window_snapshot(gm_kernel_window *window, gm_snapshot *snapshot, gm_error *error);

#endif
