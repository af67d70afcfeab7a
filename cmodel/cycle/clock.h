/* Time of the cycle engine: core cycles, and the clocks of the other domains, whose frequencies
 * have a rational ratio to the core's. A cycle of another domain belongs to the core cycle in which
 * it begins; both clocks begin at 0. */
#ifndef GOLDMEM_CYCLE_CLOCK_H
#define GOLDMEM_CYCLE_CLOCK_H

#include <stdint.h>

typedef uint64_t gm_cycle;

#define GM_NEVER UINT64_MAX

typedef struct gm_clock {
    uint64_t core, own; /* in `core` core cycles the domain has `own` cycles; no common factor */
} gm_clock;

/* Frequencies in MHz, 1 to 100000. */
gm_clock gm_clock_make(uint64_t core_mhz, uint64_t own_mhz);

/* The domain's first cycle that begins at or after the beginning of core cycle `core`; the domain's
 * cycles that belong to it are gm_clock_first(core) to gm_clock_first(core + 1) - 1: maybe none. */
static inline gm_cycle gm_clock_first(gm_clock clock, gm_cycle core)
{
    return clock.core == clock.own ? core : (core * clock.own + clock.core - 1) / clock.core;
}

/* The core cycle that the domain's cycle `own` belongs to. GM_NEVER stays what it is. */
static inline gm_cycle gm_clock_core(gm_clock clock, gm_cycle own)
{
    return clock.core == clock.own || own == GM_NEVER ? own : own * clock.core / clock.own;
}

/* When a component must next be visited, at the latest: a component that has something to do later
 * lowers its own, one that hands something over lowers the receiver's. */
static inline void gm_wake(gm_cycle *wake, gm_cycle at)
{
    if (at < *wake) {
        *wake = at;
    }
}

#endif
