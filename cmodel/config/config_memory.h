/* Configuration check: what keys of the interconnect, the L2 and DRAM require of other keys. */
#ifndef GOLDMEM_CONFIG_CONFIG_MEMORY_H
#define GOLDMEM_CONFIG_CONFIG_MEMORY_H

#include "goldmem/config.h"

/* Each returns 0, or -EINVAL, which names the keys. */
int gm_config_check_l2(const gm_config *config, gm_error *error);
int gm_config_check_partitions(const gm_config *config, gm_error *error);
int gm_config_check_dram(const gm_config *config, gm_error *error);
int gm_config_check_noc(const gm_config *config, gm_error *error);

/* Returns what gpu.kernel_end=answered needs and the configuration lacks, or NULL. Also asked by
 * the import. */
const char *gm_config_kernel_end_lacks(const gm_config *config);

/* Returns what l2.answer_beside=yes needs and the configuration lacks, or NULL. */
const char *gm_config_l2_beside_lacks(const gm_config *config);

/* Returns what l2.merge_by=sector lacks, "l2.sectored=yes"; NULL if nothing. Also asked by the
 * import of a gpgpusim.config. */
const char *gm_config_l2_merge_lacks(const gm_config *config);

/* Returns what this l2.dirty lacks, "l2.streaming=no"; NULL if nothing. Also asked by the import.
 */
const char *gm_config_l2_dirty_lacks(const gm_config *config, gm_l2_dirty dirty);

#endif
