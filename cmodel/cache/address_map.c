/* Address map: computes its parameters. */
#include "cache/address_map.h"

#include "cache/cache.h"

#include <errno.h>

/* Returns the bytes of a partition's consecutive addresses that lie in one bank. */
static uint64_t piece_of(const gm_config *config)
{
    return config->memory.bank_interleave == GM_LINE_EACH ? config->l2.line
                                                          : config->memory.bank_interleave;
}

static int check(const gm_config *config, gm_error *error)
{
    uint64_t interleave = config->memory.interleave;
    uint64_t line = config->l2.line;
    uint64_t piece = piece_of(config);
    if (!gm_is_power_of_two(line) || line < GM_SECTOR || line > (uint64_t)GM_SECTOR * 32) {
        return gm_fail(error, -EINVAL, "l2.line: %llu: a power of two, 32 to 1024, is needed",
                       (unsigned long long)line);
    }
    if (!gm_is_power_of_two(interleave) || interleave < line) {
        return gm_fail(error, -EINVAL,
                       "memory.interleave: %llu: a power of two, at least l2.line (%llu), is "
                       "needed",
                       (unsigned long long)interleave, (unsigned long long)line);
    }
    if (!gm_is_power_of_two(config->memory.banks) || config->memory.banks > UINT16_MAX) {
        return gm_fail(error, -EINVAL, "memory.banks: %llu: a power of two, 1 to 32768, is needed",
                       (unsigned long long)config->memory.banks);
    }
    if (config->memory.partitions == 0 || config->memory.partitions > UINT16_MAX) {
        return gm_fail(error, -EINVAL, "memory.partitions: %llu: 1 to 65535 are possible",
                       (unsigned long long)config->memory.partitions);
    }
    if (!gm_is_power_of_two(piece) || piece < line) {
        return gm_fail(error, -EINVAL,
                       "memory.bank_interleave: %llu: a power of two, at least l2.line (%llu), is "
                       "needed",
                       (unsigned long long)piece, (unsigned long long)line);
    }
    return 0;
}

int gm_address_map_init(gm_address_map *map, const gm_config *config, gm_error *error)
{
    int code = check(config, error);
    if (code < 0) {
        return code;
    }
    uint64_t line = config->l2.line;
    uint64_t lines = config->memory.interleave / line;
    unsigned bank_bits = gm_log2_floor(config->memory.banks);
    unsigned bank_shift = gm_log2_floor(piece_of(config) / line);
    *map = (gm_address_map){
        .partitions = gm_divider_make(config->memory.partitions),
        .line_shift = gm_log2_floor(line),
        .bank_bits = bank_bits,
        .bank_shift = bank_shift,
        .block_bits = gm_log2_floor(lines),
        .in_block = lines - 1,
        .in_banks = config->memory.banks - 1,
        .in_piece = gm_mask(bank_shift),
    };
    uint64_t units = config->memory.partitions * config->memory.banks;
    if (config->memory.partition_index == GM_PARTITION_LINEAR || units == 1) {
        return 0;
    }
    map->hashed = true;
    unsigned below = map->block_bits > bank_shift ? map->block_bits - bank_shift : 0;
    return gm_partition_hash_init(&map->hash, config, map->block_bits,
                                  below < bank_bits ? below : bank_bits, error);
}
