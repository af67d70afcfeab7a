/* Warp scheduler: greedy then oldest, loose round robin, two-level. */
#include "cycle/sm/warp_scheduler.h"

#include <string.h>

void gm_warp_scheduler_init(gm_warp_scheduler *scheduler, const gm_config *config)
{
    bool groups = config->sm.scheduler == GM_SCHEDULE_TWO_LEVEL;
    *scheduler = (gm_warp_scheduler){
        .policy = config->sm.scheduler,
        .group = groups ? (uint32_t)config->sm.group : UINT32_MAX,
        .last = GM_NO_WARP,
        .words = gm_bitset_words((uint32_t)config->sm.warps),
    };
    memset(scheduler->active, groups ? 0 : UINT8_MAX, sizeof scheduler->active);
}

void gm_warp_scheduler_fill(gm_warp_scheduler *scheduler, const uint64_t *ready,
                            const uint64_t *age)
{
    while (scheduler->actives < scheduler->group) {
        uint64_t pending[GM_WARP_WORDS] = {0};
        for (uint32_t i = 0; i < scheduler->words; i++) {
            pending[i] = ready[i] & ~scheduler->active[i];
        }
        uint32_t slot = gm_warp_oldest(pending, scheduler->words, age);
        if (slot == GM_NO_WARP) {
            return;
        }
        gm_bitset_add(scheduler->active, slot);
        scheduler->actives++;
    }
}

uint32_t gm_warp_scheduler_choose_active(const gm_warp_scheduler *scheduler,
                                         const uint64_t *candidates)
{
    uint64_t active[GM_WARP_WORDS] = {0};
    for (uint32_t i = 0; i < scheduler->words; i++) {
        active[i] = candidates[i] & scheduler->active[i];
    }
    return gm_warp_after(scheduler->last, active, scheduler->words);
}

void gm_warp_scheduler_wait(gm_warp_scheduler *scheduler, uint32_t slot)
{
    if (scheduler->policy == GM_SCHEDULE_TWO_LEVEL && gm_bitset_has(scheduler->active, slot)) {
        gm_bitset_remove(scheduler->active, slot);
        scheduler->actives--;
    }
}

void gm_warp_scheduler_retire(gm_warp_scheduler *scheduler, uint32_t slot)
{
    gm_warp_scheduler_wait(scheduler, slot);
    if (scheduler->policy == GM_SCHEDULE_GTO && scheduler->last == slot) {
        scheduler->last = GM_NO_WARP;
    }
}
