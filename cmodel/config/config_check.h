/* Requirements of keys that the check and the import of a gpgpusim.config share. */
#ifndef GOLDMEM_CONFIG_CONFIG_CHECK_H
#define GOLDMEM_CONFIG_CONFIG_CHECK_H

#include "goldmem/config.h"

/* Returns what l2.merge_by=sector lacks, "l2.sectored=yes"; NULL if nothing. */
const char *gm_config_l2_merge_lacks(const gm_config *config);

#endif
