/* Miss classes of the caches of one level (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_MISSES_H
#define GOLDMEM_ANALYSIS_MISSES_H

#include "base/snapshot.h"
#include "goldmem/analysis.h"

typedef struct gm_miss_cache gm_miss_cache;

typedef struct gm_misses {
    gm_miss_cache *caches; /* [units] */
    uint64_t units;
    uint64_t capacity; /* lines of each cache, or GM_UNBOUNDED */
    gm_miss_results *results;
} gm_misses;

/* Returns 0 or -ENOMEM. Requires gm_misses_free in any case. */
int gm_misses_create(gm_misses *misses, uint64_t units, uint64_t capacity,
                     gm_miss_results *results);

/* Classes one access if it missed, and updates the shadow caches. Returns 0 or -ENOMEM. */
int gm_misses_access(gm_misses *misses, const gm_analysis_access *access);

/* Drops a line from the shadows of cache `unit`, which has dropped it. */
void gm_misses_drop(gm_misses *misses, uint64_t unit, uint64_t line);

/* Flushes the shadows of cache `unit`, with the cache. */
void gm_misses_flush(gm_misses *misses, uint64_t unit);

/* Saves or loads the shadow caches and what was counted. */
void gm_misses_snapshot(gm_misses *misses, gm_snapshot *snapshot);
void gm_misses_free(gm_misses *misses);

#endif
