/* Barriers, fences, waits for asynchronous copies, and the end of warps. */
#ifndef GOLDMEM_CYCLE_SM_BARRIER_H
#define GOLDMEM_CYCLE_SM_BARRIER_H

#include "cycle/sm/warp.h"

/* Returns GM_STATE_FENCE or GM_STATE_DATA if the warp's next instruction is a fence or a WAIT_GROUP
 * that must wait in cycle `now`; else GM_STATE_READY. */
__attribute__((noinline)) gm_warp_state gm_cycle_sm_wait_of(gm_cycle_sm *sm, uint32_t slot,
                                                            gm_cycle now);

/* Returns the first cycle from which a warp issues that has issued a fence (sm.fence=registers):
 * when all its registers are available, as gm_scoreboard_ready. */
__attribute__((noinline)) gm_cycle gm_cycle_sm_fenced_until(const gm_cycle_sm *sm, uint32_t slot);

/* Handles a barrier that a warp has issued: the warp enters BARRIER, and the barrier opens if the
 * warp is the CTA's last to reach it. Requires that the warp has left its old state. */
__attribute__((noinline)) void gm_cycle_sm_reach_barrier(gm_cycle_sm *sm, uint32_t slot,
                                                         gm_cycle now);

/* Handles a warp that has issued all its instructions: an open one (live.h) waits; else the warp
 * enters ENDING or retires, and its CTA's barrier opens if all other warps have reached it.
 * Requires that the warp has left its old state. */
__attribute__((noinline)) void gm_cycle_sm_run_out(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* Ends a warp in state ENDING, whose accesses are answered: now, or with sm.drain when its pipeline
 * has drained. */
__attribute__((noinline)) void gm_cycle_sm_end_warp(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* Ends a warp in cycle `now`, and its CTA with the last one. Requires that the warp has left its
 * old state. */
__attribute__((noinline)) void gm_cycle_sm_retire(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

#endif
