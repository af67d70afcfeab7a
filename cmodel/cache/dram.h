/* DRAM channel of the order engine: counts 32-byte reads and writes, and row hits with one open row
 * per bank, in the order of the requests. The address mapping of a channel, for both engines. */
#ifndef GOLDMEM_CACHE_DRAM_H
#define GOLDMEM_CACHE_DRAM_H

#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/statistics.h"

/* Maps the sectors of a partition to banks and rows. Pieces of dram.low_bytes bytes go to
 * dram.low_banks banks of each of its channels and pseudo-channels in turn; a bank's pieces make up
 * its rows, and consecutive rows lie in consecutive banks (or sets of so many banks). Banks are
 * numbered over the whole partition: the lowest bits of the number are the pseudo-channel's, those
 * above the channel's. */
typedef struct gm_dram_map {
    uint64_t row_mask, bank_mask; /* sectors of a row - 1, banks - 1 */
    uint64_t rows_mask;           /* rows of a bank - 1 */
    unsigned row_bits, bank_bits; /* log2 of a row's sectors, and of the banks */
    unsigned piece_bits;          /* log2 of a piece's sectors */
    unsigned low_bits;            /* log2 of the banks that pieces go to in turn */
} gm_dram_map;

/* A sector's place in the partition. */
typedef struct gm_dram_place {
    uint64_t row; /* of the bank */
    uint32_t bank;
    uint32_t sector; /* of the row */
} gm_dram_place;

/* Returns the pseudo-channels of all channels of a partition. */
static inline uint64_t gm_dram_pseudo_channels(const gm_config *config)
{
    return config->dram.channels * config->dram.pseudo_channels;
}

/* Returns the banks of a partition. */
static inline uint64_t gm_dram_banks(const gm_config *config)
{
    return gm_dram_pseudo_channels(config) * config->dram.banks;
}

/* Requires that dram.banks, dram.row, memory.interleave and dram.low_banks are powers of two. */
gm_dram_map gm_dram_map_make(const gm_config *config);

/* Returns 0, or -EINVAL, which names dram.banks, dram.rows or dram.row, if it is no power of two.
 */
int gm_dram_map_check(const gm_config *config, gm_error *error);

/* Returns the place of sector number `sector` of the partition (byte address / 32). */
static inline gm_dram_place gm_dram_locate(const gm_dram_map *map, uint64_t sector)
{
    uint64_t row = sector >> map->row_bits;
    if (map->low_bits != 0) {
        uint64_t piece = sector >> map->piece_bits;
        sector = piece >> map->low_bits << map->piece_bits | (sector & gm_mask(map->piece_bits));
        row = sector >> map->row_bits << map->low_bits | (piece & gm_mask(map->low_bits));
    }
    return (gm_dram_place){.row = row >> map->bank_bits & map->rows_mask,
                           .bank = (uint32_t)(row & map->bank_mask),
                           .sector = (uint32_t)(sector & map->row_mask)};
}

typedef struct gm_dram {
    gm_dram_map map;
    uint64_t *open_row; /* [gm_dram_banks] row + 1; 0: none is open */
    gm_dram_statistics statistics;
} gm_dram;

/* Returns the bytes of the arena that gm_dram_init takes. */
size_t gm_dram_bytes(const gm_config *config);

/* Makes a channel without open rows. Returns 0, -EINVAL (names the key that is out of range) or
 * -ENOMEM. */
int gm_dram_init(gm_dram *dram, const gm_config *config, gm_arena *arena, gm_error *error);

/* Counts one request: `sectors` (a number) of the line at byte `address` of the channel. */
void gm_dram_access(gm_dram *dram, uint64_t address, unsigned sectors, bool write);

#endif
