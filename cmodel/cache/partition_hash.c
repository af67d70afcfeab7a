/* Partition hash: computes its matrix, a location's hash and the inverse. */
#include "cache/partition_hash.h"

#include "goldmem/bits.h"

int gm_partition_hash_init(gm_partition_hash *hash, const gm_config *config, unsigned block_bits,
                           unsigned bank_bits_in_block, gm_error *error)
{
    bool ipoly = config->memory.partition_index == GM_PARTITION_IPOLY;
    unsigned bank_bits = ipoly ? gm_log2_floor(config->memory.banks) : 0;
    uint32_t units = (uint32_t)config->memory.partitions << bank_bits;
    uint32_t hashes = UINT32_C(1) << gm_log2_ceil(units);
    /* Where every hash is a unit, the lowest bits of a block's number stay out of the hash, as many
     * as the bank takes from the block: so GPGPU-Sim does. */
    unsigned row_shift = hashes == units ? block_bits : block_bits - bank_bits_in_block;
    *hash = (gm_partition_hash){
        .row_shift = row_shift,
        .bank_bits = bank_bits,
        .in_banks = (UINT32_C(1) << bank_bits) - 1,
        .units = units,
        .doubled = hashes - units,
        .taken = config->memory.partition_bits == 0
                     ? UINT64_MAX
                     : gm_mask((unsigned)config->memory.partition_bits),
    };
    gm_set_index_parameters parameters = {
        .kind = ipoly ? GM_INDEX_IPOLY : GM_INDEX_XOR,
        .sets = hashes,
        .address_bits = GM_LINE_ADDRESS_BITS,
    };
    gm_error inner = {0};
    int code = gm_set_index_init(&hash->function, &parameters, &inner);
    return code < 0 ? gm_fail(error, code, "memory.partition_index: %.200s", inner.text) : 0;
}

/* Returns the hash of a unit's number where partitions take turns, and back: it is its own inverse
 * for one row. */
static uint32_t mix(const gm_partition_hash *hash, uint64_t row, uint32_t unit)
{
    return unit ^
           gm_set_index_multiply(&hash->function, (row & hash->taken) << hash->function.bits);
}

static uint32_t unit_of(const gm_partition_hash *hash, gm_location at)
{
    return at.partition << hash->bank_bits | (at.bank & hash->in_banks);
}

static void put_unit(const gm_partition_hash *hash, gm_location *at, uint32_t unit)
{
    at->partition = unit >> hash->bank_bits;
    at->bank = (at->bank & ~hash->in_banks) | (unit & hash->in_banks);
}

gm_location gm_partition_hash_scatter(const gm_partition_hash *hash, gm_location at)
{
    uint64_t row = at.line >> hash->row_shift;
    uint32_t unit = mix(hash, row, unit_of(hash, at));
    bool second = unit >= hash->units;
    unit -= second ? hash->units : 0;
    if (unit < hash->doubled) {
        uint64_t in_block = at.line & gm_mask(hash->row_shift);
        at.line = (row << 1 | second) << hash->row_shift | in_block;
    }
    put_unit(hash, &at, unit);
    return at;
}

gm_location gm_partition_hash_gather(const gm_partition_hash *hash, gm_location at)
{
    uint64_t row = at.line >> hash->row_shift;
    uint32_t unit = unit_of(hash, at);
    if (unit < hash->doubled) {
        uint64_t in_block = at.line & gm_mask(hash->row_shift);
        unit += (row & 1) != 0 ? hash->units : 0;
        row >>= 1;
        at.line = row << hash->row_shift | in_block;
    }
    put_unit(hash, &at, mix(hash, row, unit));
    return at;
}
