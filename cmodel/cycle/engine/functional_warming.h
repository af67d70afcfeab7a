/* Functional warming [wunderlich 2003, SMARTS]: a CTA that a sampled run does not compute changes
 * the lines of the L2 as its accesses would. Takes no time and counts nothing. The L1s are left as
 * they are. */
#ifndef GOLDMEM_CYCLE_ENGINE_FUNCTIONAL_WARMING_H
#define GOLDMEM_CYCLE_ENGINE_FUNCTIONAL_WARMING_H

#include "cycle/engine/machine.h"
#include "frontend/intake.h"

/* Does the accesses of a CTA, an instruction of each warp in turn, and takes its records. `first`:
 * the slot of its first warp among the slots of all SMs, for local memory. Returns 0, or the error
 * of the warp store. */
int gm_functional_warming(gm_cycle_machine *machine, gm_cta *cta, uint32_t first, gm_error *error);

#endif
