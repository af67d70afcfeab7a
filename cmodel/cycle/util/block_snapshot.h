/* Snapshots of what both engines or all levels share: a cache's tag array, a replacement state, a
 * decoupled L1's tags and data lines, SM dueling, and MSHRs. */
#ifndef GOLDMEM_CYCLE_UTIL_BLOCK_SNAPSHOT_H
#define GOLDMEM_CYCLE_UTIL_BLOCK_SNAPSHOT_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "cache/decoupled_l1.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"

/* When loading, the cache has just been initialised with the same parameters. */
void gm_cache_snapshot(gm_cache *cache, gm_snapshot *snapshot);

void gm_replacement_snapshot(gm_replacement_state *state, gm_snapshot *snapshot);

void gm_cycle_l1_decoupled_snapshot(gm_decoupled_l1 *decoupled, gm_snapshot *snapshot);

void gm_sm_dueling_snapshot(gm_sm_dueling *dueling, gm_snapshot *snapshot);

void gm_mshr_snapshot(gm_mshr *table, gm_snapshot *snapshot);

#endif
