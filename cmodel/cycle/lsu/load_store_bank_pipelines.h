/* Pipelines of an L1 with one for each bank (l1.lookup=banks), as GPGPU-Sim's: requests enter them
 * in order, one for each bank in a cycle; a request that the L1 does not take holds its own bank
 * only. Private to the load/store unit. docs/l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_BANK_PIPELINES_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_BANK_PIPELINES_H

#include "cycle/lsu/load_store.h"

/* Returns the bytes of arena that gm_load_store_make_bank_pipelines takes; 0 without
 * l1.lookup=banks. */
size_t gm_load_store_bank_pipelines_bytes(const gm_config *config);

/* Makes the pipelines if l1.lookup=banks; otherwise does nothing. Requires a unit with its banks.
 * Returns 0 or -ENOMEM. */
int gm_load_store_make_bank_pipelines(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                                      gm_error *error);

/* Computes a cycle: the oldest request of each bank, in the order of the banks, is looked up, and
 * the oldest instruction's requests enter. */
void gm_load_store_step_bank_pipelines(gm_load_store *unit, gm_cycle now);

/* Adds the fails up to the end of cycle `now` of the requests that wait. */
void gm_load_store_count_bank_fails(const gm_load_store *unit, gm_cycle now,
                                    gm_cache_statistics *l1);

/* Returns the requests in the pipelines. */
uint32_t gm_load_store_in_bank_pipelines(const gm_load_store *unit);

/* Returns the oldest request of a ticket in a pipeline, or NULL; sets *blocked to why the pipeline
 * does not go on. */
const gm_reordered_request *gm_load_store_find_in_banks(const gm_load_store *unit, uint32_t ticket,
                                                        gm_cycle_l1_answer *blocked);

/* Saves or loads the pipelines' state. */
void gm_load_store_snapshot_bank_pipelines(gm_load_store *unit, gm_snapshot *snapshot);

#endif
