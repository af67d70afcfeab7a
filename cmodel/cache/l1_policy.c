/* Policies of an L1 data cache, from its configuration. */
#include "cache/l1_policy.h"

#include "cache/cache.h"
#include "policy/bypass.h"

void gm_l1_policy_init(gm_l1_policy *policy, const gm_config *config)
{
    *policy = (gm_l1_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l1.line / GM_SECTOR)),
        .enabled = config->l1.enabled,
        .conventional = config->l1.enabled && config->l1.kind == GM_L1_CONVENTIONAL,
        .bypasses = config->l1.enabled && config->l1.kind == GM_L1_CONVENTIONAL &&
                    gm_bypass_decides(config->l1.bypass),
        .sectored = config->l1.sectored,
        .by_sector = config->l1.merge_by == GM_MERGE_BY_SECTOR,
        .lazy = config->l1.fetch_on_write == GM_L1_FETCH_LAZY,
        .keeps = config->l1.keep_bypassed,
        .flush = config->l1.flush,
        .write = {config->l1.global_write, config->l1.local_write},
        .allocate = {config->l1.global_allocate, config->l1.local_allocate},
    };
}
