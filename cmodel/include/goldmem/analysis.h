/* Analyses: what needs a table per line, gathered while an engine runs and only when asked for.
 * The engine reports every line request of every L1, and every access of every L2 bank, in the
 * order in which they happen. */
#ifndef GOLDMEM_ANALYSIS_H
#define GOLDMEM_ANALYSIS_H

#include "goldmem/config.h"
#include "goldmem/error.h"
#include "goldmem/instruction.h"
#include "goldmem/statistics.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gm_analysis gm_analysis;

/* One line request. At an L2, the fields of the warp are those of the access that caused it; a
 * write-back at the end of a kernel has no lanes. */
typedef struct gm_analysis_access {
    uint64_t line;    /* byte address >> log2 of the line size of that level */
    uint64_t kernel;  /* launches before this one in the run */
    uint64_t cta;     /* linear id in its grid, x fastest */
    uint64_t warp;    /* number in the kernel: cta * warps of a CTA + warp in the CTA */
    uint32_t lanes;   /* mask of the threads that touch the line */
    uint32_t sectors; /* mask of the 32-byte sectors that they touch */
    uint32_t sm;
    gm_space space; /* GM_SPACE_GLOBAL or GM_SPACE_LOCAL */
    gm_access_kind kind;
    bool hit;    /* every sector asked for was there */
    bool bypass; /* went on without looking for or allocating a line */
} gm_analysis_access;

/* `kinds`: gm_analysis_kind values, or'ed. Returns 0, or -ENOMEM. */
int gm_analysis_create(gm_analysis **analysis, const gm_config *config, unsigned kinds,
                       gm_error *error);

/* Returns 0, or a negative errno value (-ENOMEM) that ends the run. */
int gm_analysis_l1_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error);
int gm_analysis_l2_access(gm_analysis *analysis, const gm_analysis_access *access, gm_error *error);

void gm_analysis_free(gm_analysis *analysis);

#endif
