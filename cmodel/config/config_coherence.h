/* Configuration check: what a coherence protocol requires of the other keys. */
#ifndef GOLDMEM_CONFIG_CONFIG_COHERENCE_H
#define GOLDMEM_CONFIG_CONFIG_COHERENCE_H

#include "goldmem/config.h"

/* Requires that the caches' keys have been checked. Returns 0, or -EINVAL, which names the keys. */
int gm_config_check_coherence(const gm_config *config, gm_error *error);

#endif
