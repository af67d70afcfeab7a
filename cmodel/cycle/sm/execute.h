/* Execution: pipes that take instructions, directly at issue or from operand collectors. */
#ifndef GOLDMEM_CYCLE_SM_EXECUTE_H
#define GOLDMEM_CYCLE_SM_EXECUTE_H

#include "cycle/sm/warp.h"

/* Makes the pipe of the scheduler busy until `until` for all schedulers that have it. */
__attribute__((noinline)) void gm_cycle_sm_share(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                                 unsigned pipe, gm_cycle until);

/* Makes a pipe busy with an instruction of the scheduler from cycle `now` on. */
static inline void gm_cycle_sm_occupy(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, unsigned pipe,
                                      gm_cycle now)
{
    gm_cycle until = now + sm->interval[pipe];
    scheduler->busy[pipe] = until;
    if ((sm->pooled >> pipe & 1) != 0) {
        gm_cycle_sm_share(sm, scheduler, pipe, until);
    }
}

/* With sm.collectors: puts the warp's next instruction into a register in front of the collectors.
 * Requires a pipe other than the load/store unit, and a free register. */
void gm_cycle_sm_collect(gm_cycle_sm *sm, uint32_t slot);

/* With sm.collectors: does one cycle of the collectors. Adds to the bit set `slots` the warps whose
 * instructions have left for their pipes. */
void gm_cycle_sm_step_collectors(gm_cycle_sm *sm, gm_cycle now, uint64_t *slots);

/* With sm.collectors, at the end of a cycle: returns the next cycle in which an instruction can
 * take or leave a collector while the load/store unit is full, or GM_NEVER. Sets sm->wants_room if
 * this is not the next cycle and an instruction waits for the load/store unit. */
gm_cycle gm_cycle_sm_next_collection(gm_cycle_sm *sm, gm_cycle now);

#endif
