/* Passes of an instruction through the load/store unit: over the banks of the L1's data
 * (l1.data_banks), over those of its tags (l1.tag_banks), and by groups of lanes (sm.memory_lanes).
 * Private to the unit. docs/l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_PASSES_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_PASSES_H

#include "cycle/lsu/load_store.h"

/* Sets what passes follow from. */
void gm_load_store_make_passes(gm_load_store *unit, const gm_config *config);

/* Returns the most accesses whose passes are not answered yet. */
uint32_t gm_load_store_passes_capacity(const gm_config *config);

/* Begins an instruction in cycle `now`: sets its last pass, and schedules the answer of its passes.
 * Requires unit->counts_passes. */
void gm_load_store_begin_passes(gm_load_store *unit, gm_queued_access *access, gm_cycle now);

#endif
