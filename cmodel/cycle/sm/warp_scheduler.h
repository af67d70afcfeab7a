/* Warp scheduler: which of the warps that could issue does. Three policies of one shape: a choice
 * among candidates, given as a mask of warp slots, and what the choice remembers.
 *
 * GTO [khairy, 2.1]: greedy, the warp that issued last; then the oldest, by admission to the SM.
 * LRR (loose round robin): the first candidate in slot order behind the warp that issued last,
 *   around to that warp itself.
 * Two-level [li, 7, after Narasiman et al.; active and pending warps as in Gebhart et al.]: at most
 *   `group` warps are active, and only they issue, in loose round robin. A warp that comes to wait
 *   for something whose time is not known (data of a load, a barrier, a fence, its last stores)
 *   becomes pending at once. Whenever there is room the oldest pending warps that are ready
 *   become active, before each choice and after it. */
#ifndef GOLDMEM_CYCLE_SM_WARP_SCHEDULER_H
#define GOLDMEM_CYCLE_SM_WARP_SCHEDULER_H

#include "goldmem/bits.h"
#include "goldmem/config.h"

enum {
    GM_WARP_WORDS = 4, /* of a mask of an SM's warp slots: 256 at most */
    GM_WARP_SLOTS = GM_WARP_WORDS * 64,
    GM_NO_WARP = UINT16_MAX,
};

/* State. */
typedef struct gm_warp_scheduler {
    uint64_t active[GM_WARP_WORDS]; /* two-level: mask of the group's slots; else all ones */
    uint32_t actives;               /* two-level: in it */
    uint32_t group;                 /* two-level: room in it; else UINT32_MAX */
    uint32_t last;                  /* slot that issued last, or GM_NO_WARP */
    uint32_t words;                 /* of the masks in use */
    gm_scheduling policy;
} gm_warp_scheduler;

/* `slots` of the SM, 1 to 256. */
void gm_warp_scheduler_init(gm_warp_scheduler *scheduler, const gm_config *config);

/* The first candidate (mask of `words`) in slot order behind `last`, or from the first slot on when
 * that is GM_NO_WARP, around to `last` itself; GM_NO_WARP: there is none. */
static inline __attribute__((always_inline)) uint32_t gm_warp_behind(uint32_t last,
                                                                     const uint64_t *candidates,
                                                                     uint32_t words)
{
    uint32_t from = last == GM_NO_WARP ? 0 : last + 1;
    uint32_t word = words == 1 || from / 64 == words ? 0 : from / 64;
    uint64_t left = candidates[word] & (UINT64_MAX << from % 64);
    for (uint32_t i = 0; i <= words; i++) { /* the first word again in the end, all of it */
        if (left != 0) {
            return word * 64 + gm_lowest_one(left);
        }
        word = words == 1 || word + 1 == words ? 0 : word + 1;
        left = candidates[word];
    }
    return GM_NO_WARP;
}

/* Two-level: ready warps (mask) become active while there is room. age[slot]: smaller is older. */
void gm_warp_scheduler_fill(gm_warp_scheduler *scheduler, const uint64_t *ready,
                            const uint64_t *age);

/* Private to the choice. */
uint32_t gm_warp_scheduler_choose_active(const gm_warp_scheduler *scheduler,
                                         const uint64_t *candidates);

/* Oldest warp of the mask (of `words`); GM_NO_WARP: there is none. */
static inline __attribute__((always_inline)) uint32_t gm_warp_oldest(const uint64_t *mask,
                                                                     uint32_t words,
                                                                     const uint64_t *age)
{
    uint32_t best = GM_NO_WARP;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < words; i++) {
        for (uint64_t left = mask[i]; left != 0; left &= left - 1) {
            uint32_t slot = i * 64 + gm_lowest_one(left);
            if (age[slot] < least) {
                least = age[slot];
                best = slot;
            }
        }
    }
    return best;
}

/* The slot chosen among the candidates (mask of `words`, those of the scheduler),
 * which issues now; GM_NO_WARP: none is active. `groups`: the policy may be two-level. */
static inline __attribute__((always_inline)) uint32_t gm_warp_scheduler_choose(
    gm_warp_scheduler *scheduler, const uint64_t *candidates, uint32_t words, const uint64_t *age,
    bool groups)
{
    uint32_t last = scheduler->last;
    uint32_t slot = GM_NO_WARP;
    if (groups && scheduler->policy == GM_SCHEDULE_TWO_LEVEL) {
        slot = gm_warp_scheduler_choose_active(scheduler, candidates);
    } else if (scheduler->policy == GM_SCHEDULE_LRR) {
        slot = gm_warp_behind(last, candidates, words);
    } else if (last != GM_NO_WARP &&
               (candidates[words == 1 ? 0 : last / 64] >> last % 64 & 1) != 0) {
        return last;
    } else {
        slot = gm_warp_oldest(candidates, words, age);
    }
    scheduler->last = slot == GM_NO_WARP ? last : slot;
    return slot;
}

/* The warp comes to wait for something whose time is not known. */
void gm_warp_scheduler_wait(gm_warp_scheduler *scheduler, uint32_t slot);

/* The warp has gone; its slot may get another one. */
void gm_warp_scheduler_retire(gm_warp_scheduler *scheduler, uint32_t slot);

#endif
