/* Configuration check: what the keys of an L1 require of the other keys. */
#ifndef GOLDMEM_CONFIG_CONFIG_L1_H
#define GOLDMEM_CONFIG_CONFIG_L1_H

#include "goldmem/config.h"

/* Requires that the L1's size, index and replacement have been checked. Returns 0, or -EINVAL,
 * which names the keys. */
int gm_config_check_l1(const gm_config *config, gm_error *error);

/* Returns what l1.parts=yes needs and the configuration lacks, or NULL. */
const char *gm_config_l1_parts_lacks(const gm_config *config);

/* Returns what l1.fence_drops=yes needs and the configuration lacks, or NULL. */
const char *gm_config_l1_drops_lacks(const gm_config *config);

/* Returns what an l1.load_places above 0 needs and the configuration lacks, or NULL. */
const char *gm_config_load_places_lacks(const gm_config *config);

/* Returns what sm.write_port=yes needs and the configuration lacks, or NULL. */
const char *gm_config_write_port_lacks(const gm_config *config);

/* Returns what l1.keep_bypassed=yes needs and the configuration lacks, or NULL. */
const char *gm_config_l1_keep_lacks(const gm_config *config);

#endif
