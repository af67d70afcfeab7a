/* MRPB's FIFOs in front of the L1 (policy/mrpb.h). Private to the load/store unit. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_REORDER_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_REORDER_H

#include "cycle/lsu/load_store.h"

/* Returns the bytes of arena that gm_load_store_make_reorder takes; 0 without MRPB. */
size_t gm_load_store_reorder_bytes(const gm_config *config);

/* Makes the FIFOs with MRPB; otherwise does nothing. Returns 0 or a negative errno value. */
int gm_load_store_make_reorder(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                               gm_error *error);

/* Computes a cycle: the oldest instruction gives up to l1.ports requests to its warp's FIFO, and
 * the FIFOs give up to as many to the L1. */
void gm_load_store_step_reordered(gm_load_store *unit, gm_cycle now);

/* Returns the request of a ticket that waits in a FIFO, or NULL. */
const gm_reordered_request *gm_load_store_find_reordered(const gm_load_store *unit,
                                                         uint32_t ticket);

/* Saves or loads the FIFOs' state. */
void gm_load_store_snapshot_reorder(gm_load_store *unit, gm_snapshot *snapshot);

#endif
