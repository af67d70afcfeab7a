/* DRAM standards: the value of each key that dram.standard sets, with its source. */
#ifndef GOLDMEM_CONFIG_DRAM_STANDARD_H
#define GOLDMEM_CONFIG_DRAM_STANDARD_H

#include "goldmem/config.h"

#include <stdio.h>

/* A key's values, in the order of gm_dram_standard. GDDR5's are the keys' defaults. */
typedef struct gm_dram_standard_key {
    const char *key;
    struct {
        const char *text;
        char source; /* letter of gm_dram_standard_source */
    } value[GM_DRAM_STANDARDS];
} gm_dram_standard_key;

/* Returns the table; *count: its rows. */
const gm_dram_standard_key *gm_dram_standard_keys(unsigned *count);

/* Writes the section of docs/configuration.md about the table and its sources. */
void gm_dram_standard_write(FILE *file);

#endif
