/* Locality classes of the references to one level (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_LOCALITY_H
#define GOLDMEM_ANALYSIS_LOCALITY_H

#include "base/line_table.h"
#include "goldmem/analysis.h"

typedef struct gm_locality {
    gm_line_table *last; /* [units] of each cache of the level: line -> its last reference */
    uint64_t units;
    gm_locality_results *results;
} gm_locality;

/* Returns 0 or -ENOMEM. Requires gm_locality_free in any case. */
int gm_locality_create(gm_locality *locality, uint64_t units, gm_locality_results *results);

/* Classes one reference of cache `unit`. Returns 0 or -ENOMEM. */
int gm_locality_access(gm_locality *locality, uint64_t unit, const gm_analysis_access *access);

/* Saves or loads what was counted. */
void gm_locality_snapshot(gm_locality *locality, gm_snapshot *snapshot);
void gm_locality_free(gm_locality *locality);

#endif
