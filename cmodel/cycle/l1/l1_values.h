/* Values of the timed L1 (--check=values): tells cache/values.h of requests that the L1 takes. Each
 * function requires that l1->values is not NULL. */
#ifndef GOLDMEM_CYCLE_L1_L1_VALUES_H
#define GOLDMEM_CYCLE_L1_L1_VALUES_H

#include "cycle/l1/l1_lookup.h"

/* A hit: everything that the request needs is held. `dirtied`: of a store. */
GM_COLD void gm_cycle_l1_value_hit(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                   uint32_t dirtied);

/* A miss or a merge; `entry`: the MSHR entry that brings the rest. Without a fetch, all that the
 * store touches is valid now. */
GM_COLD void gm_cycle_l1_value_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                    const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                    uint32_t entry, bool waits);

/* A request that goes to the L2 in packets `id`. */
GM_COLD void gm_cycle_l1_value_forward(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                       const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                       uint32_t id);

/* The data of packets `id` answer `sectors` of a ticket; `last`: nothing else waits for them. */
GM_COLD void gm_cycle_l1_value_answer(gm_cycle_l1 *l1, uint64_t line, uint32_t ticket,
                                      uint32_t sectors, uint32_t id, bool last);

#endif
