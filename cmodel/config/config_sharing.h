/* Configuration check: what sharing-aware caches require of the other keys. */
#ifndef GOLDMEM_CONFIG_CONFIG_SHARING_H
#define GOLDMEM_CONFIG_CONFIG_SHARING_H

#include "goldmem/config.h"

/* `l1_sets`, `l2_sets`: of an L1 and of an L2 bank. Requires that the caches' keys have been
 * checked. Returns 0, or -EINVAL, which names the keys. */
int gm_config_check_sharing(const gm_config *config, uint64_t l1_sets, uint64_t l2_sets,
                            gm_error *error);

#endif
