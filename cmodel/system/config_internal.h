/* What the configuration's own files share and nobody else needs. */
#ifndef GOLDMEM_SYSTEM_CONFIG_INTERNAL_H
#define GOLDMEM_SYSTEM_CONFIG_INTERNAL_H

#include "goldmem/config.h"

/* The presets, sorted by name: generated from presets/ when goldmem is built. */
extern const gm_preset gm_preset_table[];
extern const unsigned gm_preset_table_count;

#endif
