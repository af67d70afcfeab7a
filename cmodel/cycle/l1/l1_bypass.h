/* Private to the L1 with time: where it asks its bypass policy (policy/bypass.h). */
#ifndef GOLDMEM_CYCLE_L1_L1_BYPASS_H
#define GOLDMEM_CYCLE_L1_L1_BYPASS_H

#include "cycle/l1/l1_queue.h"

/* gm_cycle_l1_access without a policy, and with one (l1d_shared.asks_policy). */
gm_cycle_l1_answer gm_cycle_l1_access_line(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                           gm_cycle now, uint32_t *answers);
gm_cycle_l1_answer gm_cycle_l1_access_by_policy(gm_cycle_l1 *l1d,
                                                const gm_cycle_l1_request *request, gm_cycle now,
                                                uint32_t *answers);

/* What passes the L1 and drops the line: strong loads, atomics, everything where it is off. */
gm_cycle_l1_answer gm_cycle_l1_go_past(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                       uint32_t *answers);

/* Is every line of a set protected, so that none makes room for the line that belongs there? */
bool gm_cycle_l1_is_protected(const gm_cycle_l1 *l1d, gm_cache_place place);

/* gm_cache_victim, of lines that are not protected. */
uint32_t gm_cycle_l1_unprotected_victim(const gm_cycle_l1 *l1d, gm_cache_place place);

static inline uint32_t gm_cycle_l1_victim(const gm_cycle_l1 *l1d, gm_cache_place place)
{
    return l1d->shared->policy.bypasses ? gm_cycle_l1_unprotected_victim(l1d, place)
                                        : gm_cache_victim(&l1d->cache, place);
}

/* The slot that a line takes which has come. Where all lines have become protected since its miss,
 * one goes nonetheless. */
uint32_t gm_cycle_l1_fill_victim(const gm_cycle_l1 *l1d, gm_cache_place place);

/* A line has come, and takes its slot now. */
void gm_cycle_l1_note_fill(gm_cycle_l1 *l1d, uint32_t slot);

#endif
