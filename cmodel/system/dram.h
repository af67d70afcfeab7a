/* DRAM channel of the order engine: counts 32-byte reads and writes, and which requests find their
 * row open, in order of arrival with one open row per bank. */
#ifndef GOLDMEM_SYSTEM_DRAM_H
#define GOLDMEM_SYSTEM_DRAM_H

#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"
#include "system/divider.h"

typedef struct gm_dram {
    gm_divider row_sectors;
    gm_divider banks;
    uint64_t *open_row; /* [banks] row + 1; 0: none is open */
    gm_dram_statistics statistics;
} gm_dram;

size_t gm_dram_bytes(const gm_config *config); /* of arena that gm_dram_init takes */
int gm_dram_init(gm_dram *dram, const gm_config *config, gm_arena *arena, gm_error *error);

/* One line request: `sectors` of the line at byte `address` of the channel. */
void gm_dram_access(gm_dram *dram, uint64_t address, unsigned sectors, bool write);

#endif
