/* Fills of the timed L1, for its arrivals (l1_arrivals.h). */
#ifndef GOLDMEM_CYCLE_L1_L1_FILL_H
#define GOLDMEM_CYCLE_L1_L1_FILL_H

#include "cycle/l1/l1.h"

/* Installs the data of an open entry. */
void gm_cycle_l1_install(gm_cycle_l1 *l1, uint64_t line, gm_cycle_l1_entry *entry);

/* Handles the arrival of a packet for no MSHR entry. Returns the stall reasons that may be gone. */
uint32_t gm_cycle_l1_other_arrived(gm_cycle_l1 *l1, uint32_t id, gm_cycle now, uint32_t *ticket);

#endif
