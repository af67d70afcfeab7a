/* From the fill of a line to later accesses, by whether several SMs use the line
 * (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_FILLS_H
#define GOLDMEM_ANALYSIS_FILLS_H

#include "analysis/kernel_lines.h"
#include "goldmem/analysis.h"

typedef struct gm_fills {
    gm_line_table
        *filled; /* [units] of each cache, or of all of the level: line -> its last fill */
    uint64_t units, sms;
    gm_kernel_lines kernels; /* what is counted of each line */
    gm_fill_results *results;
} gm_fills;

/* `units`: caches whose fills are kept apart. Returns 0 or -ENOMEM. Requires gm_fills_free in any
 * case. */
int gm_fills_create(gm_fills *fills, uint64_t units, uint64_t sms, gm_fill_results *results);

/* Counts an access of a warp at cache `unit`. Returns 0 or -ENOMEM. */
int gm_fills_access(gm_fills *fills, uint64_t unit, const gm_analysis_access *access);

/* The data of a line that was accessed before have arrived at cache `unit`. */
void gm_fills_fill(gm_fills *fills, uint64_t unit, uint64_t line, uint64_t cycle);

/* Adds a kernel's lines to the results, each to the class that it has now. */
void gm_fills_kernel_end(gm_fills *fills, uint64_t kernel);

/* Saves or loads the state. */
void gm_fills_snapshot(gm_fills *fills, gm_snapshot *snapshot);
void gm_fills_free(gm_fills *fills);

#endif
