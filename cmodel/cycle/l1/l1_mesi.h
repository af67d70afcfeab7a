/* MESI at the timed L1: what an L1 that owns lines does in place of l1_coherent.c. */
#ifndef GOLDMEM_CYCLE_L1_L1_MESI_H
#define GOLDMEM_CYCLE_L1_L1_MESI_H

#include "cycle/l1/l1.h"

/* As gm_cycle_l1_access. */
gm_cycle_l1_answer gm_cycle_l1_mesi_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                           gm_cycle now, uint32_t *answers);

/* As gm_cycle_l1_reply. */
uint32_t gm_cycle_l1_mesi_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket);

/* Empties a slot that has a line, for a host copy: an owned line is written back, dirty or not.
 * Returns false if there is no room. */
bool gm_cycle_l1_mesi_flush(gm_cycle_l1 *l1, uint32_t slot);

/* Dirty sectors that answered a forward after they had been written back: sent twice; 0 without
 * MESI. */
uint64_t gm_cycle_l1_mesi_crossed(const gm_cycle_l1 *l1);

#endif
