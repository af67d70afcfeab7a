/* Requests that the timed L1 sends on to the L2: those that bypass it, and stores that it does not
 * keep. */
#ifndef GOLDMEM_CYCLE_L1_L1_BYPASS_H
#define GOLDMEM_CYCLE_L1_L1_BYPASS_H

#include "cycle/l1/l1_lookup.h"

/* Sends a request to the L2 by the miss queue: a store, an atomic, a strong load, or any request of
 * an L1 that is off. Updates or drops its line as `effect` says. */
gm_cycle_l1_answer gm_cycle_l1_forward(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                       const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                       uint32_t *answers);

/* Decoupled: sends a request to which the tag store gives no data line. A load takes the bypass
 * path; a store that would allocate takes the miss queue. */
gm_cycle_l1_answer gm_cycle_l1_bypass_decoupled(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                                const gm_cycle_l1_found *found,
                                                const gm_l1_effect *effect, uint32_t *answers);

#endif
