/* Unified memory of L1 and shared memory, as GPGPU-Sim divides it (-gpgpu_adaptive_cache_config).
 */
#include "frontend/l1_share.h"

gm_unified_statistics gm_l1_share_beside(const gm_config *config, uint64_t ctas, uint64_t needed)
{
    if (config->l1.unified == 0) {
        return (gm_unified_statistics){0};
    }
    const gm_size_list *options = &config->l1.shared_options; /* one is sm.shared_bytes */
    uint64_t number = 0;
    while (number + 1 < options->count && options->size[number] < needed) {
        number++;
    }
    uint64_t ways = gm_config_l1_ways_beside(config, options->size[number]);
    bool all = needed == 0;
    return (gm_unified_statistics){
        .l1_bytes = ways * gm_config_l1_sets(config) * config->l1.line,
        .l1_ways = ways,
        .shared_bytes = options->size[number],
        .resident_ctas = ctas,
        .on_fill = config->l1.allocation == GM_ALLOCATE_ON_FILL ||
                   (config->l1.allocation == GM_ALLOCATE_STREAMING && !all),
    };
}

gm_unified_statistics gm_l1_share_of(const gm_config *config, const gm_cta_scheduler *scheduler,
                                     const gm_kernel *kernel)
{
    uint64_t ctas = config->l1.unified != 0 ? gm_cta_scheduler_most(scheduler, kernel) : 0;
    return gm_l1_share_beside(config, ctas, ctas * kernel->shared_bytes);
}
