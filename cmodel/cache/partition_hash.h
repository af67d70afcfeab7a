/* Partition hash: spreads the rows of an address map over all partitions and L2 banks, with a
 * matrix over GF(2) [khairy, 4.3; Rau, "Pseudo-randomly interleaved memory", ISCA 1991]. A row is
 * one block of memory.interleave bytes of every partition; a unit is what the hash chooses: with
 * ipoly an L2 bank of a partition, with xor a partition.
 *
 * hash = (row number * 2^k + unit number) * matrix, for 2^k >= units; unit = hash mod units. With
 * 2^k > units, two hashes are one unit's for the units below 2^k - units: a line address of these
 * has one bit more, which says which of the two it is. So every location is one line's. */
#ifndef GOLDMEM_CACHE_PARTITION_HASH_H
#define GOLDMEM_CACHE_PARTITION_HASH_H

#include "goldmem/config.h"
#include "goldmem/set_index.h"

/* The location of an L2 line. */
typedef struct gm_location {
    uint32_t partition;
    uint32_t bank; /* in its partition */
    uint64_t line; /* line address inside the bank: partition-local, without the bank's bits */
} gm_location;

typedef struct gm_partition_hash {
    unsigned row_shift;    /* from a line address inside a bank to its row number */
    unsigned bank_bits;    /* of a unit's number: the bank's; the partition's are above them */
    uint32_t in_banks;     /* mask of them */
    uint32_t units;        /* not only 2^k */
    uint64_t taken;        /* mask of the bits of a row number that the hash takes */
    uint32_t doubled;      /* units below this number have two hashes: 2^k - units */
    gm_set_index function; /* of 2^k sets */
} gm_partition_hash;

/* Makes the hash of memory.partition_index, other than linear. `bank_bits_in_block`: bits of the
 * bank's number below those that choose the partition; `block_bits`: log2 of the lines of a block.
 * Requires two partitions or L2 banks at least. Returns 0 or -EINVAL. */
int gm_partition_hash_init(gm_partition_hash *hash, const gm_config *config, unsigned block_bits,
                           unsigned bank_bits_in_block, gm_error *error);

/* Returns the hashed location of a line, from its location where partitions take turns. */
gm_location gm_partition_hash_scatter(const gm_partition_hash *hash, gm_location at);

/* Returns the location where partitions take turns, from the hashed one: the inverse. */
gm_location gm_partition_hash_gather(const gm_partition_hash *hash, gm_location at);

#endif
