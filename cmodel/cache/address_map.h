/* Address map: the memory partition, L2 bank and DRAM row of a byte address. Blocks of
 * `memory.interleave` bytes are spread round-robin over any number of partitions, or by a hash
 * (partition_hash.h); the address inside a partition is compacted, so that no L2 set or DRAM row
 * stays unused. Round-robin and with a power of two of hashed partitions each location is a line's;
 * with other numbers some locations of each row are no line's, but lines are in every set. */
#ifndef GOLDMEM_CACHE_ADDRESS_MAP_H
#define GOLDMEM_CACHE_ADDRESS_MAP_H

#include "base/divider.h"
#include "cache/partition_hash.h"
#include "goldmem/config.h"

typedef struct gm_address_map {
    gm_divider partitions;
    unsigned line_shift; /* of an L2 line */
    unsigned bank_bits;
    unsigned bank_shift; /* log2 of the consecutive lines of a partition in one bank */
    unsigned block_bits; /* log2 of the lines of an interleaved block */
    uint64_t in_block;   /* mask of a line's number in its block */
    uint64_t in_banks;   /* mask of a bank's number */
    uint64_t in_piece;   /* mask of a line's number among the consecutive ones in one bank */
    bool hashed;
    gm_partition_hash hash; /* if hashed */
} gm_address_map;

/* Makes the map. Returns 0, or -EINVAL when a parameter is no power of two or an L2 line would be
 * spread over partitions or banks. */
int gm_address_map_init(gm_address_map *map, const gm_config *config, gm_error *error);

/* Returns the location of a line: the byte address >> log2 of the L2 line size. */
static inline gm_location gm_address_map_locate(const gm_address_map *map, uint64_t line)
{
    uint64_t block = line >> map->block_bits;
    uint64_t local_block = gm_divide(&map->partitions, block);
    uint64_t local = (local_block << map->block_bits) | (line & map->in_block);
    uint64_t piece = local >> map->bank_shift;
    gm_location at = {(uint32_t)(block - local_block * map->partitions.divisor),
                      (uint32_t)(piece & map->in_banks),
                      piece >> map->bank_bits << map->bank_shift | (local & map->in_piece)};
    return map->hashed ? gm_partition_hash_scatter(&map->hash, at) : at;
}

/* Private: returns a line address inside a bank together with the bank's bits. */
static inline uint64_t gm_address_map_join(const gm_address_map *map, uint64_t line, uint32_t bank)
{
    uint64_t piece = line >> map->bank_shift << map->bank_bits | bank;
    return piece << map->bank_shift | (line & map->in_piece);
}

/* Returns the line address of a location: the inverse of gm_address_map_locate. */
static inline uint64_t gm_address_map_line(const gm_address_map *map, gm_location location)
{
    gm_location at = map->hashed ? gm_partition_hash_gather(&map->hash, location) : location;
    uint64_t local = gm_address_map_join(map, at.line, at.bank);
    uint64_t block = (local >> map->block_bits) * map->partitions.divisor + at.partition;
    return (block << map->block_bits) | (local & map->in_block);
}

/* Returns the byte address of a line in its DRAM channel: with the bank's bits as they are in the
 * address, not hashed. No two lines of a channel have the same. */
static inline uint64_t gm_address_map_local(const gm_address_map *map, gm_location location)
{
    uint32_t bank =
        map->hashed ? gm_partition_hash_gather(&map->hash, location).bank : location.bank;
    return gm_address_map_join(map, location.line, bank) << map->line_shift;
}

#endif
