/* Snapshots of the parts of a cache: tag array, replacement state, MSHRs. Loading requires a part
 * that was just initialised with the parameters of the saved one. */
#ifndef GOLDMEM_CACHE_CACHE_SNAPSHOT_H
#define GOLDMEM_CACHE_CACHE_SNAPSHOT_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"

void gm_cache_snapshot(gm_cache *cache, gm_snapshot *snapshot);

/* Saves or loads the state of SRRIP or SHiP. */
void gm_replacement_snapshot(gm_replacement_state *state, gm_snapshot *snapshot);

void gm_mshr_snapshot(gm_mshr *table, gm_snapshot *snapshot);

#endif
