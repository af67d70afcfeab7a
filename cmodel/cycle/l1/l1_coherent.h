/* Coherent accesses and fills of the timed L1: the protocol (coherence/) says
 * which copies may be used, and what messages carry. Private to the L1. */
#ifndef GOLDMEM_CYCLE_L1_L1_COHERENT_H
#define GOLDMEM_CYCLE_L1_L1_COHERENT_H

#include "cycle/l1/l1.h"

/* Bytes of arena that gm_cycle_l1_coherent_init takes. */
size_t gm_cycle_l1_coherent_bytes(const gm_cycle_l1_shared *shared);

/* Makes l1->coherent. Returns 0, -EINVAL or -ENOMEM. */
int gm_cycle_l1_coherent_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error);

/* Attempts a request; result as gm_cycle_l1_access. */
gm_cycle_l1_answer gm_cycle_l1_coherent_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                               gm_cycle now, uint32_t *answers);

/* Takes one packet, or answers the next requester; result as gm_cycle_l1_reply. */
uint32_t gm_cycle_l1_coherent_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket);

/* Returns 0, -EINVAL or -EPROTO. */
int gm_cycle_l1_coherent_check(const gm_cycle_l1 *l1, const char *where, gm_error *error);

void gm_cycle_l1_coherent_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot);

#endif
