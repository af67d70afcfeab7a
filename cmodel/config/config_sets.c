/* Numbers that follow from the keys: sets and ways of caches, partitions and SMs of sharing
 * trackers. */
#include "config/config_sets.h"

#include "goldmem/bits.h"

uint64_t gm_config_sets_of(uint64_t size, uint64_t banks, uint64_t ways, uint64_t line)
{
    bool one_set = size == GM_UNBOUNDED || ways == GM_FULL;
    return one_set ? 1 : size / banks / (ways * line);
}

uint64_t gm_config_l1_sets(const gm_config *config)
{
    return gm_config_sets_of(config->l1.size, 1, config->l1.ways, config->l1.line);
}

uint64_t gm_config_l1_most_ways(const gm_config *config)
{
    uint64_t bytes = config->l1.unified != 0 ? config->l1.unified : config->l1.size;
    return bytes / config->l1.line / gm_config_l1_sets(config);
}

uint64_t gm_config_l1_ways_beside(const gm_config *config, uint64_t shared)
{
    uint64_t most = gm_config_l1_most_ways(config);
    uint64_t unified = config->l1.unified;
    return unified == 0 ? most : (2 * most * (unified - shared) + unified) / (2 * unified);
}

uint64_t gm_config_l2_sets(const gm_config *config)
{
    uint64_t banks = config->memory.partitions * config->memory.banks;
    return gm_config_sets_of(config->l2.size, banks, config->l2.ways, config->l2.line);
}

uint64_t gm_config_tracker_sets(const gm_config *config)
{
    uint64_t instances = config->tracker.trackers * gm_config_tracker_partitions(config);
    uint64_t sets = config->tracker.sets / instances;
    return sets == 0 ? 0 : UINT64_C(1) << gm_log2_floor(sets);
}

uint64_t gm_config_tracker_partitions(const gm_config *config)
{
    return config->memory.interleave >= config->l1.line ? config->memory.partitions : 1;
}

uint64_t gm_config_tracker_sms(const gm_config *config)
{
    return (config->gpu.sms + config->tracker.trackers - 1) / config->tracker.trackers;
}
