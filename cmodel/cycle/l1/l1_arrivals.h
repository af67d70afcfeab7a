/* Arrivals of the timed L1 with sm.write_port: data are installed in the cycle in which they
 * arrive, while requesters of earlier data still wait to be answered, as in GPGPU-Sim. Requires a
 * conventional L1 whose requests each wait in one MSHR entry. */
#ifndef GOLDMEM_CYCLE_L1_L1_ARRIVALS_H
#define GOLDMEM_CYCLE_L1_L1_ARRIVALS_H

#include "cycle/l1/l1.h"

/* MSHR entries whose data have arrived and some of whose requesters are not answered: in use, and
 * closed, until the last one is. */
struct gm_cycle_l1_arrivals {
    gm_ring ring; /* the oldest first */
    uint32_t *id;
};

/* Returns the bytes of arena that gm_cycle_l1_arrivals_make takes. */
size_t gm_cycle_l1_arrivals_bytes(const gm_cycle_l1_shared *shared);

/* Returns NULL if the arena is full. */
struct gm_cycle_l1_arrivals *gm_cycle_l1_arrivals_make(const gm_cycle_l1_shared *shared,
                                                       gm_arena *arena);

/* Saves or loads the arrivals. */
void gm_cycle_l1_arrivals_snapshot(struct gm_cycle_l1_arrivals *arrivals, gm_snapshot *snapshot);

#endif
