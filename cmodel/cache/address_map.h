/* Address map: the memory partition, L2 bank and DRAM row of a byte address. Blocks of
 * `memory.interleave` bytes are spread round-robin over any number of partitions; the address
 * inside a partition is compacted, so that no L2 set or DRAM row stays unused. */
#ifndef GOLDMEM_CACHE_ADDRESS_MAP_H
#define GOLDMEM_CACHE_ADDRESS_MAP_H

#include "base/divider.h"
#include "goldmem/config.h"

typedef struct gm_address_map {
    gm_divider partitions;
    unsigned line_shift; /* of an L2 line */
    unsigned bank_bits;
    unsigned block_bits; /* log2 of the lines of an interleaved block */
    uint64_t in_block;   /* mask of a line's number in its block */
    uint64_t in_banks;   /* mask of a bank's number */
} gm_address_map;

/* The location of an L2 line. */
typedef struct gm_location {
    uint32_t partition;
    uint32_t bank; /* in its partition */
    uint64_t line; /* line address inside the bank: partition-local, without the bank's bits */
} gm_location;

/* Makes the map. Returns 0, or -EINVAL when a parameter is no power of two or an L2 line would be
 * spread over partitions. */
int gm_address_map_init(gm_address_map *map, const gm_config *config, gm_error *error);

/* Returns the location of a line: the byte address >> log2 of the L2 line size. */
static inline gm_location gm_address_map_locate(const gm_address_map *map, uint64_t line)
{
    uint64_t block = line >> map->block_bits;
    uint64_t local_block = gm_divide(&map->partitions, block);
    uint64_t local = (local_block << map->block_bits) | (line & map->in_block);
    return (gm_location){(uint32_t)(block - local_block * map->partitions.divisor),
                         (uint32_t)(local & map->in_banks), local >> map->bank_bits};
}

/* Returns the line address of a location: the inverse of gm_address_map_locate. */
static inline uint64_t gm_address_map_line(const gm_address_map *map, gm_location location)
{
    uint64_t local = (location.line << map->bank_bits) | location.bank;
    uint64_t block = (local >> map->block_bits) * map->partitions.divisor + location.partition;
    return (block << map->block_bits) | (local & map->in_block);
}

/* Returns the byte address of a line in its DRAM channel. */
static inline uint64_t gm_address_map_local(const gm_address_map *map, gm_location location)
{
    return ((location.line << map->bank_bits) | location.bank) << map->line_shift;
}

#endif
