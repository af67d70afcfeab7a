/* Policies of an L1 data cache: allocation, writes and bypass as configured. */
#ifndef GOLDMEM_CACHE_L1_POLICY_H
#define GOLDMEM_CACHE_L1_POLICY_H

#include "goldmem/config.h"

typedef struct gm_l1_policy {
    uint32_t all_sectors; /* of a line */
    bool enabled;
    bool conventional; /* enabled, and l1.kind says so */
    bool bypasses;     /* conventional, and l1.bypass decides about an access */
    bool sectored;
    bool by_sector;           /* l1.merge_by */
    bool lazy;                /* l1.fetch_on_write: a store miss fetches nothing */
    bool keeps;               /* l1.keep_bypassed: requests that bypass leave the line as it is */
    bool flush;               /* at the end of each kernel */
    gm_write_policy write[2]; /* [0] global, [1] local */
    bool allocate[2];         /* [0] global, [1] local: on a store miss */
} gm_l1_policy;

void gm_l1_policy_init(gm_l1_policy *policy, const gm_config *config);

#endif
