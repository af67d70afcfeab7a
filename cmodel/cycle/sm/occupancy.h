/* Occupancy of an SM: how many warps are resident, and for how long. A warp is resident from the
 * cycle behind the one that admits its CTA, its first to issue in, to the one that retires it. */
#ifndef GOLDMEM_CYCLE_SM_OCCUPANCY_H
#define GOLDMEM_CYCLE_SM_OCCUPANCY_H

#include "cycle/util/clock.h"

#include <stdint.h>

/* State; no padding. */
typedef struct gm_occupancy {
    uint64_t warp_cycles; /* of warps that have left, less the first cycle of each that has not
                           * (modulo 2^64) */
    uint64_t occupied;    /* cycles with resident warps, before `from` while there are some */
    gm_cycle from;        /* first cycle of the warps that are resident now */
    uint64_t resident;    /* warps */
} gm_occupancy;

/* Admits `warps` in cycle `now`. */
static inline void gm_occupancy_enter(gm_occupancy *occupancy, uint32_t warps, gm_cycle now)
{
    if (occupancy->resident == 0) {
        occupancy->from = now + 1;
    }
    occupancy->resident += warps;
    occupancy->warp_cycles -= warps * (now + 1);
}

/* Retires a warp in cycle `now`. Requires that one was admitted in a cycle before. */
static inline void gm_occupancy_leave(gm_occupancy *occupancy, gm_cycle now)
{
    occupancy->resident--;
    occupancy->warp_cycles += now + 1;
    if (occupancy->resident == 0) {
        occupancy->occupied += now + 1 - occupancy->from;
    }
}

/* Returns the sum over the cycles before `now` of warps resident. Requires now > each cycle of the
 * calls above. */
static inline uint64_t gm_occupancy_warp_cycles(const gm_occupancy *occupancy, gm_cycle now)
{
    return occupancy->warp_cycles + occupancy->resident * now;
}

/* Returns the cycles before `now` in which some warp was resident. Requires as above. */
static inline uint64_t gm_occupancy_cycles(const gm_occupancy *occupancy, gm_cycle now)
{
    return occupancy->occupied + (occupancy->resident != 0 ? now - occupancy->from : 0);
}

#endif
