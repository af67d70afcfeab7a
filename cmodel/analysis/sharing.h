/* Sharing of lines by CTAs and SMs within each kernel (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_SHARING_H
#define GOLDMEM_ANALYSIS_SHARING_H

#include "analysis/kernel_lines.h"
#include "goldmem/analysis.h"

typedef struct gm_sharing {
    gm_kernel_lines kernels;
    uint64_t sms;
    gm_sharing_results *total;
    gm_sharing_results *kernel;
    bool keeps;                /* the results of all kernels that have ended: */
    gm_sharing_results *ended; /* [count] */
    uint64_t count, room;
} gm_sharing;

/* Returns 0 or -ENOMEM. Requires gm_sharing_free in any case. */
int gm_sharing_create(gm_sharing *sharing, uint64_t sms, gm_sharing_results *total,
                      gm_sharing_results *kernel);

/* Notes the CTA and the SM of one access. Returns 0 or -ENOMEM. */
int gm_sharing_access(gm_sharing *sharing, const gm_analysis_access *access);

/* Makes the results of kernel `number`, adds them to the total, and forgets the kernel's lines.
 * Returns 0 or -ENOMEM. */
int gm_sharing_kernel_end(gm_sharing *sharing, uint64_t number);

/* Sets the kernel's results to those of the `place`th kernel that ended. Requires `keeps`. */
void gm_sharing_recall(gm_sharing *sharing, uint64_t place);

/* Saves or loads the lines of kernels in flight and the total. */
void gm_sharing_snapshot(gm_sharing *sharing, gm_snapshot *snapshot);
void gm_sharing_free(gm_sharing *sharing);

#endif
