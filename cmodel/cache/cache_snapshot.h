/* Snapshots of what a cache is made of: its tag array, its replacement state, its MSHRs. When
 * loading, each has just been initialised with the parameters that it had. */
#ifndef GOLDMEM_CACHE_CACHE_SNAPSHOT_H
#define GOLDMEM_CACHE_CACHE_SNAPSHOT_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "goldmem/mshr.h"
#include "goldmem/replacement.h"

void gm_cache_snapshot(gm_cache *cache, gm_snapshot *snapshot);

/* SRRIP or SHiP. */
void gm_replacement_snapshot(gm_replacement_state *state, gm_snapshot *snapshot);

void gm_mshr_snapshot(gm_mshr *table, gm_snapshot *snapshot);

#endif
