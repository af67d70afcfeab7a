/* Sharing of lines by CTAs and SMs within each kernel (goldmem/analysis.h). */
#ifndef GOLDMEM_ANALYSIS_SHARING_H
#define GOLDMEM_ANALYSIS_SHARING_H

#include "base/line_table.h"
#include "goldmem/analysis.h"

typedef struct gm_sharing {
    gm_line_table lines; /* of this kernel */
    uint64_t sms;
    gm_sharing_results *total;
    gm_sharing_results *kernel;
} gm_sharing;

/* Returns 0 or -ENOMEM. Requires gm_sharing_free in any case. */
int gm_sharing_create(gm_sharing *sharing, uint64_t sms, gm_sharing_results *total,
                      gm_sharing_results *kernel);

/* Notes the CTA and the SM of one access. Returns 0 or -ENOMEM. */
int gm_sharing_access(gm_sharing *sharing, const gm_analysis_access *access);

/* Makes the kernel's results, adds them to the total, and forgets the kernel's lines. */
void gm_sharing_kernel_end(gm_sharing *sharing);
void gm_sharing_free(gm_sharing *sharing);

#endif
