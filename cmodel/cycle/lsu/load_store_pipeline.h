/* Pipeline of an L1 that looks requests up last (l1.lookup=last). Private to the load/store unit.
 */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_PIPELINE_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_PIPELINE_H

#include "cycle/lsu/load_store.h"

/* Returns the bytes of arena that gm_load_store_make_pipeline takes; 0 without l1.lookup=last. */
size_t gm_load_store_pipeline_bytes(const gm_config *config);

/* Makes the pipeline if l1.lookup=last; otherwise does nothing. Returns 0 or a negative errno
 * value. */
int gm_load_store_make_pipeline(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                                gm_error *error);

/* Computes a cycle: up to l1.ports requests leave the pipeline for the L1, and the oldest
 * instruction puts up to as many into the pipeline. */
void gm_load_store_step_pipelined(gm_load_store *unit, gm_cycle now);

/* Computes a cycle of an L1 with banks: as many requests leave the pipeline, and come into it, as
 * their banks allow. */
void gm_load_store_step_banked_pipeline(gm_load_store *unit, gm_cycle now);

/* Returns the oldest request of a ticket in the pipeline, or NULL. */
const gm_reordered_request *gm_load_store_find_pipelined(const gm_load_store *unit,
                                                         uint32_t ticket);

/* Saves or loads the pipeline's state. */
void gm_load_store_snapshot_pipeline(gm_load_store *unit, gm_snapshot *snapshot);

#endif
