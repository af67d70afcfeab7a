/* Address map: computes its parameters. */
#include "cache/address_map.h"

#include "cache/cache.h"

#include <errno.h>

int gm_address_map_init(gm_address_map *map, const gm_config *config, gm_error *error)
{
    uint64_t interleave = config->memory.interleave;
    uint64_t line = config->l2.line;
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
    *map = (gm_address_map){
        .partitions = gm_divider_make(config->memory.partitions),
        .line_shift = gm_log2_floor(line),
        .bank_bits = gm_log2_floor(config->memory.banks),
        .block_bits = gm_log2_floor(interleave / line),
        .in_block = interleave / line - 1,
        .in_banks = config->memory.banks - 1,
    };
    return 0;
}
