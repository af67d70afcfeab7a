/* Unified memory of L1 and shared memory, divided anew for each kernel (l1.unified): shared memory
 * gets the smallest of l1.shared_options that holds what the resident CTAs need, the L1 the rest.
 */
#ifndef GOLDMEM_FRONTEND_L1_SHARE_H
#define GOLDMEM_FRONTEND_L1_SHARE_H

#include "frontend/cta_scheduler.h"
#include "goldmem/statistics.h"

/* Returns the division for CTAs that need so many bytes of an SM's shared memory, sm.shared_bytes
 * at most; zeros without l1.unified. */
gm_unified_statistics gm_l1_share_beside(const gm_config *config, uint64_t ctas, uint64_t needed);

/* Returns the division for the kernel that the scheduler has begun; zeros without l1.unified. */
gm_unified_statistics gm_l1_share_of(const gm_config *config, const gm_cta_scheduler *scheduler,
                                     const gm_kernel *kernel);

#endif
