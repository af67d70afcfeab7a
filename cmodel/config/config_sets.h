/* Sets of a cache. */
#ifndef GOLDMEM_CONFIG_CONFIG_SETS_H
#define GOLDMEM_CONFIG_CONFIG_SETS_H

#include "goldmem/config.h"

/* Returns the sets of one of `banks` that share `size` bytes equally; 1 where size is GM_UNBOUNDED
 * or ways GM_FULL. */
uint64_t gm_config_sets_of(uint64_t size, uint64_t banks, uint64_t ways, uint64_t line);

#endif
