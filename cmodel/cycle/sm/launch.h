/* Launch of warps: from a CTA's place on an SM to its warps' first instructions (sm.cta_launch,
 * sm.warp_launch). */
#ifndef GOLDMEM_CYCLE_SM_LAUNCH_H
#define GOLDMEM_CYCLE_SM_LAUNCH_H

#include "cycle/sm/warp.h"

/* Begins the launch of a warp that was placed in cycle `now`. Requires that its slot, its age and
 * its next instruction are set. */
void gm_cycle_sm_launch(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* Lets the warps go whose launch ends in cycle `now`. */
__attribute__((noinline)) void gm_cycle_sm_end_launches(gm_cycle_sm *sm, gm_cycle now);

#endif
