/* Barriers, fences, waits for asynchronous copies, and the end of warps. */
#ifndef GOLDMEM_CYCLE_SM_BARRIER_H
#define GOLDMEM_CYCLE_SM_BARRIER_H

#include "cycle/sm/warp.h"

/* Returns GM_STATE_FENCE or GM_STATE_DATA if the warp's next instruction is a fence or a WAIT_GROUP
 * that must wait; else GM_STATE_READY. */
__attribute__((noinline)) gm_warp_state gm_cycle_sm_wait_of(const gm_cycle_warp *warp);

/* A warp has issued a barrier: enters BARRIER, and opens the barrier if it is the CTA's last warp.
 * Requires that the warp has left its old state. */
__attribute__((noinline)) void gm_cycle_sm_reach_barrier(gm_cycle_sm *sm, uint32_t slot,
                                                         gm_cycle now);

/* A warp has issued its last instruction: enters ENDING or retires, and opens its CTA's barrier if
 * all other warps are there. Requires that the warp has left its old state. */
__attribute__((noinline)) void gm_cycle_sm_run_out(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* Ends a warp, and its CTA with the last one. Requires that the warp has left its old state. */
__attribute__((noinline)) void gm_cycle_sm_retire(gm_cycle_sm *sm, uint32_t slot);

#endif
