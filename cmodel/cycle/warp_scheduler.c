/* Warp scheduler: greedy then oldest, loose round robin, two-level. */
#include "cycle/warp_scheduler.h"

#include "goldmem/bits.h"

#include <string.h>

enum { WORD = 64 };

void gm_warp_scheduler_init(gm_warp_scheduler *scheduler, const gm_config *config)
{
    bool groups = config->sm.scheduler == GM_SCHEDULE_TWO_LEVEL;
    *scheduler = (gm_warp_scheduler){
        .policy = config->sm.scheduler,
        .group = groups ? (uint32_t)config->sm.group : UINT32_MAX,
        .last = GM_NO_WARP,
        .words = (uint32_t)(config->sm.warps + WORD - 1) / WORD,
    };
    memset(scheduler->active, groups ? 0 : UINT8_MAX, sizeof scheduler->active);
}

static bool has(const uint64_t *mask, uint32_t slot)
{
    return slot != GM_NO_WARP && (mask[slot / WORD] >> slot % WORD & 1) != 0;
}

/* Oldest warp of the mask less those of `without` (or NULL); GM_NO_WARP: there is none. */
static uint32_t oldest(const gm_warp_scheduler *scheduler, const uint64_t *mask,
                       const uint64_t *without, const uint64_t *age)
{
    uint32_t best = GM_NO_WARP;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < scheduler->words; i++) {
        uint64_t left = without == NULL ? mask[i] : mask[i] & ~without[i];
        for (; left != 0; left &= left - 1) {
            uint32_t slot = i * WORD + gm_lowest_one(left);
            if (age[slot] < least) {
                least = age[slot];
                best = slot;
            }
        }
    }
    return best;
}

void gm_warp_scheduler_fill(gm_warp_scheduler *scheduler, const uint64_t *ready,
                            const uint64_t *age)
{
    while (scheduler->actives < scheduler->group) {
        uint32_t slot = oldest(scheduler, ready, scheduler->active, age);
        if (slot == GM_NO_WARP) {
            return;
        }
        scheduler->active[slot / WORD] |= UINT64_C(1) << slot % WORD;
        scheduler->actives++;
    }
}

static uint32_t choose_gto(const gm_warp_scheduler *scheduler, const uint64_t *candidates,
                           const uint64_t *age)
{
    return has(candidates, scheduler->last) ? scheduler->last
                                            : oldest(scheduler, candidates, NULL, age);
}

uint32_t gm_warp_behind(uint32_t last, const uint64_t *candidates, uint32_t words)
{
    uint32_t from = last == GM_NO_WARP ? 0 : last + 1;
    uint32_t word = from / WORD == words ? 0 : from / WORD;
    uint64_t left = candidates[word] & (UINT64_MAX << from % WORD);
    for (uint32_t i = 0; i <= words; i++) { /* the first word again in the end, all of it */
        if (left != 0) {
            return word * WORD + gm_lowest_one(left);
        }
        word = word + 1 == words ? 0 : word + 1;
        left = candidates[word];
    }
    return GM_NO_WARP;
}

static uint32_t choose_two_level(const gm_warp_scheduler *scheduler, const uint64_t *candidates)
{
    uint64_t active[GM_WARP_WORDS] = {0};
    for (uint32_t i = 0; i < scheduler->words; i++) {
        active[i] = candidates[i] & scheduler->active[i];
    }
    return gm_warp_behind(scheduler->last, active, scheduler->words);
}

uint32_t gm_warp_scheduler_choose(gm_warp_scheduler *scheduler, const uint64_t *candidates,
                                  const uint64_t *age)
{
    uint32_t slot = GM_NO_WARP;
    switch (scheduler->policy) {
    case GM_SCHEDULE_GTO:
        slot = choose_gto(scheduler, candidates, age);
        break;
    case GM_SCHEDULE_LRR:
        slot = gm_warp_behind(scheduler->last, candidates, scheduler->words);
        break;
    case GM_SCHEDULE_TWO_LEVEL:
        slot = choose_two_level(scheduler, candidates);
        break;
    }
    scheduler->last = slot == GM_NO_WARP ? scheduler->last : slot;
    return slot;
}

void gm_warp_scheduler_wait(gm_warp_scheduler *scheduler, uint32_t slot)
{
    if (scheduler->policy == GM_SCHEDULE_TWO_LEVEL && has(scheduler->active, slot)) {
        scheduler->active[slot / WORD] &= ~(UINT64_C(1) << slot % WORD);
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
