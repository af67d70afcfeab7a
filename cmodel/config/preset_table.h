/* The tables of presets, sorted by name: generated from presets/ when goldmem is built. */
#ifndef GOLDMEM_CONFIG_PRESET_TABLE_H
#define GOLDMEM_CONFIG_PRESET_TABLE_H

#include "goldmem/config.h"

extern const gm_preset gm_preset_table[];
extern const unsigned gm_preset_table_count;

/* The presets of presets/energy/. */
extern const gm_preset gm_energy_preset_table[];
extern const unsigned gm_energy_preset_table_count;

#endif
