/* Replies of a load/store unit with a write port (write_port.h). Private to the unit. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_WRITE_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_WRITE_H

#include "cycle/lsu/load_store.h"

/* Computes a cycle of the write port and of the reply port. Returns the stall reasons that may be
 * gone. */
uint32_t gm_load_store_write(gm_load_store *unit, gm_cycle now);

/* Returns the next cycle in which the write port has work without a reply; GM_NEVER: none. */
gm_cycle gm_load_store_next_write(const gm_load_store *unit, gm_cycle now);

#endif
