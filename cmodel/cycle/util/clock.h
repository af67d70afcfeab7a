/* Clock domains of the cycle engine: time in core cycles, and the clocks of the other domains,
 * whose frequencies have a rational ratio to the core's. A cycle of another domain belongs to the
 * core cycle in which it begins; both clocks begin at 0. */
#ifndef GOLDMEM_CYCLE_UTIL_CLOCK_H
#define GOLDMEM_CYCLE_UTIL_CLOCK_H

#include "base/divider.h"

typedef uint64_t gm_cycle;

#define GM_NEVER UINT64_MAX

typedef struct gm_clock {
    gm_divider core, own; /* in `core` core cycles the domain has `own` cycles; no common factor */
} gm_clock;

/* Makes the clock of a domain of `own_mhz`. Requires frequencies of 1 to 100000 MHz. The functions
 * below require cycle numbers, of either clock, up to 5 * 10^12. */
gm_clock gm_clock_make(uint64_t core_mhz, uint64_t own_mhz);

static inline bool gm_clock_is_core(gm_clock clock)
{
    return clock.core.divisor == clock.own.divisor;
}

/* Returns the domain's first cycle that begins at or after the beginning of core cycle `core`. The
 * domain's cycles that belong to core cycle c are gm_clock_first(c) to gm_clock_first(c + 1) - 1:
 * there may be none. */
static inline gm_cycle gm_clock_first(gm_clock clock, gm_cycle core)
{
    gm_cycle scaled = core * clock.own.divisor;
    return clock.core.divisor == 1 ? scaled /* common: a multiple of the core's frequency */
                                   : gm_divide(&clock.core, scaled + clock.core.divisor - 1);
}

/* Returns the core cycle to which the domain's cycle `own` belongs. */
static inline gm_cycle gm_clock_core_at(gm_clock clock, gm_cycle own)
{
    return gm_clock_is_core(clock) ? own : gm_divide(&clock.own, own * clock.core.divisor);
}

/* Returns the core cycle to which the domain's cycle `own` belongs; GM_NEVER for GM_NEVER. */
static inline gm_cycle gm_clock_core(gm_clock clock, gm_cycle own)
{
    return own == GM_NEVER ? own : gm_clock_core_at(clock, own);
}

/* gm_clock_visit of a domain slower than the core. Private to it. */
gm_cycle gm_clock_visit_slow(const gm_clock *clock, gm_cycle core);

/* Returns the first core cycle, `core` or later, to which a cycle of the domain belongs. */
static inline gm_cycle gm_clock_visit(const gm_clock *clock, gm_cycle core)
{
    return clock->own.divisor >= clock->core.divisor ? core : gm_clock_visit_slow(clock, core);
}

/* Returns the first core cycle that begins at or after the beginning of the domain's cycle `own`.
 */
static inline gm_cycle gm_clock_core_from(gm_clock clock, gm_cycle own)
{
    return gm_clock_is_core(clock)
               ? own
               : gm_divide(&clock.own, own * clock.core.divisor + clock.own.divisor - 1);
}

/* Lowers a unit's wake-up time to core cycle `at`. A unit lowers its own for its next work, and the
 * receiver's when it sends something. */
static inline void gm_wake(gm_cycle *wake, gm_cycle at)
{
    *wake = at < *wake ? at : *wake; /* without a branch, which would be hard to predict */
}

#endif
