/* Time of the cycle engine: core cycles, and the clocks of the other domains, whose frequencies
 * have a rational ratio to the core's. A cycle of another domain belongs to the core cycle in which
 * it begins; both clocks begin at 0. */
#ifndef GOLDMEM_CYCLE_UTIL_CLOCK_H
#define GOLDMEM_CYCLE_UTIL_CLOCK_H

#include "base/divider.h"

typedef uint64_t gm_cycle;

#define GM_NEVER UINT64_MAX

typedef struct gm_clock {
    gm_divider core, own; /* in `core` core cycles the domain has `own` cycles; no common factor */
} gm_clock;

/* Frequencies in MHz, 1 to 100000. Numbers of cycles, of either clock, up to 5 * 10^12. */
gm_clock gm_clock_make(uint64_t core_mhz, uint64_t own_mhz);

static inline bool gm_clock_is_core(gm_clock clock)
{
    return clock.core.divisor == clock.own.divisor;
}

/* The domain's first cycle that begins at or after the beginning of core cycle `core`; the domain's
 * cycles that belong to it are gm_clock_first(core) to gm_clock_first(core + 1) - 1: maybe none. */
static inline gm_cycle gm_clock_first(gm_clock clock, gm_cycle core)
{
    gm_cycle scaled = core * clock.own.divisor;
    return clock.core.divisor == 1 ? scaled /* a multiple of the core's frequency, most often */
                                   : gm_divide(&clock.core, scaled + clock.core.divisor - 1);
}

/* The core cycle that the domain's cycle `own` belongs to. */
static inline gm_cycle gm_clock_core_at(gm_clock clock, gm_cycle own)
{
    return gm_clock_is_core(clock) ? own : gm_divide(&clock.own, own * clock.core.divisor);
}

/* The same; GM_NEVER stays what it is. */
static inline gm_cycle gm_clock_core(gm_clock clock, gm_cycle own)
{
    return own == GM_NEVER ? own : gm_clock_core_at(clock, own);
}

/* The same as gm_clock_visit, for a domain slower than the core. */
gm_cycle gm_clock_visit_slow(const gm_clock *clock, gm_cycle core);

/* The first core cycle from `core` on that a cycle of the domain belongs to. */
static inline gm_cycle gm_clock_visit(const gm_clock *clock, gm_cycle core)
{
    return clock->own.divisor >= clock->core.divisor ? core : gm_clock_visit_slow(clock, core);
}

/* The first core cycle that begins at or after the beginning of the domain's cycle `own`. */
static inline gm_cycle gm_clock_core_from(gm_clock clock, gm_cycle own)
{
    return gm_clock_is_core(clock)
               ? own
               : gm_divide(&clock.own, own * clock.core.divisor + clock.own.divisor - 1);
}

/* When a component must next be visited, at the latest: a component that has something to do later
 * lowers its own, one that hands something over lowers the receiver's. */
static inline void gm_wake(gm_cycle *wake, gm_cycle at)
{
    *wake = at < *wake ? at : *wake; /* no branch: which is less is hard to predict */
}

#endif
