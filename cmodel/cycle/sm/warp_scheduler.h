/* Warp scheduler: chooses the warp that issues. A policy chooses one of the candidates, a bit set
 * of warp slots.
 *
 * GTO [khairy, 2.1]: greedy, the warp that issued last; then the oldest, by admission to the SM.
 * LRR (loose round robin): the first candidate in slot order behind the warp that issued last,
 *   around to that warp itself.
 * Two-level [li, 7, after Narasiman et al.; active and pending warps as in Gebhart et al.]: at most
 *   `group` warps are active, and only they issue, in loose round robin. A warp becomes pending
 * when it begins to wait for an unknown time (data of a load, a barrier, a fence, its last stores).
 *   While there is room, the oldest pending warps that are ready become active, before and after
 *   each choice. */
#ifndef GOLDMEM_CYCLE_SM_WARP_SCHEDULER_H
#define GOLDMEM_CYCLE_SM_WARP_SCHEDULER_H

#include "base/bitset.h"
#include "goldmem/config.h"

enum {
    GM_WARP_WORDS = 4, /* most words of a bit set of an SM's warp slots */
    GM_WARP_SLOTS = GM_WARP_WORDS * GM_BITSET_WORD,
};

#define GM_NO_WARP GM_BITSET_NONE

/* State of a scheduler's policy. */
typedef struct gm_warp_scheduler {
    uint64_t active[GM_WARP_WORDS]; /* two-level: bit set of the active warps; else all ones */
    uint32_t actives;               /* two-level: active warps */
    uint32_t group;                 /* two-level: most active warps; else UINT32_MAX */
    uint32_t last;                  /* slot that issued last, or GM_NO_WARP */
    uint32_t words;                 /* of the bit sets in use */
    gm_scheduling policy;
} gm_warp_scheduler;

/* Makes a scheduler without active warps. Requires sm.warps from 1 to GM_WARP_SLOTS. */
void gm_warp_scheduler_init(gm_warp_scheduler *scheduler, const gm_config *config);

/* Returns the first candidate in slot order behind `last` (a slot, or GM_NO_WARP: behind none),
 * around to `last` itself; GM_NO_WARP if there is none. */
GM_TEMPLATE uint32_t gm_warp_after(uint32_t last, const uint64_t *candidates, const uint32_t words)
{
    return gm_bitset_next(candidates, words, last + 1); /* GM_NO_WARP + 1 is 0 */
}

/* Two-level: makes the oldest of the ready warps active while there is room. age[slot]: smaller is
 * older. */
void gm_warp_scheduler_fill(gm_warp_scheduler *scheduler, const uint64_t *ready,
                            const uint64_t *age);

/* Two-level: returns the choice among the active warps. Private to gm_warp_scheduler_choose. */
uint32_t gm_warp_scheduler_choose_active(const gm_warp_scheduler *scheduler,
                                         const uint64_t *candidates);

/* Returns the oldest warp of a bit set, or GM_NO_WARP if it is empty. */
GM_TEMPLATE uint32_t gm_warp_oldest(const uint64_t *set, uint32_t words, const uint64_t *age)
{
    uint32_t best = GM_NO_WARP;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < words; i++) {
        for (uint64_t left = set[i]; left != 0;) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            if (age[slot] < least) {
                least = age[slot];
                best = slot;
            }
        }
    }
    return best;
}

/* Returns the candidate that issues now; GM_NO_WARP if there is none, or none is active. `words`
 * and `two_level` (false: the policy is known to be another) are constants of the caller's shape.
 */
GM_TEMPLATE uint32_t gm_warp_scheduler_choose(gm_warp_scheduler *scheduler,
                                              const uint64_t *candidates, uint32_t words,
                                              const uint64_t *age, const bool two_level)
{
    uint32_t last = scheduler->last;
    uint32_t slot = GM_NO_WARP;
    if (two_level && scheduler->policy == GM_SCHEDULE_TWO_LEVEL) {
        slot = gm_warp_scheduler_choose_active(scheduler, candidates);
    } else if (scheduler->policy == GM_SCHEDULE_LRR) {
        slot = gm_warp_after(last, candidates, words);
    } else if (last != GM_NO_WARP &&
               gm_bitset_has(candidates, words == 1 ? last % GM_BITSET_WORD : last)) {
        return last;
    } else {
        slot = gm_warp_oldest(candidates, words, age);
    }
    scheduler->last = slot == GM_NO_WARP ? last : slot;
    return slot;
}

/* Two-level: makes the warp pending, since it begins to wait for an unknown time. */
void gm_warp_scheduler_wait(gm_warp_scheduler *scheduler, uint32_t slot);

/* Removes a warp that has ended; its slot may get another one. */
void gm_warp_scheduler_retire(gm_warp_scheduler *scheduler, uint32_t slot);

#endif
