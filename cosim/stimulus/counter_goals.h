/* Goals of replacement state under SRRIP and SHiP, in replacement and in tag_store: signatures, and
 * the ends of RRPVs and of the signatures' counters. */
#ifndef GOLDMEM_COSIM_STIMULUS_COUNTER_GOALS_H
#define GOLDMEM_COSIM_STIMULUS_COUNTER_GOALS_H

#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/replacement.h"

enum {
    GOAL_FARTHEST_TOUCHED,
    GOAL_FARTHEST_EVICTED,
    GOAL_ALL_AGE,
    SRRIP_GOALS,
    GOAL_SIGNATURE = SRRIP_GOALS,
    GOAL_COUNTER_OF,
    GOAL_NO_REUSE,
    GOAL_REUSE,
    SHIP_GOALS,
};

/* Writes the goals of a policy. Returns their number. */
static inline unsigned counter_goals(gm_cosim_goal *goal, uint64_t policy, uint64_t signature_bits)
{
    if (policy == GM_REPLACEMENT_LRU) {
        return 0;
    }
    goal[GOAL_FARTHEST_TOUCHED] =
        (gm_cosim_goal){"the line of the highest RRPV is touched", false, 1};
    goal[GOAL_FARTHEST_EVICTED] =
        (gm_cosim_goal){"the line of the highest RRPV gives way", false, 1};
    goal[GOAL_ALL_AGE] = (gm_cosim_goal){"a line below the highest RRPV gives way", false, 1};
    if (policy == GM_REPLACEMENT_SRRIP) {
        return SRRIP_GOALS;
    }
    uint64_t bits = gm_mask((unsigned)signature_bits);
    goal[GOAL_SIGNATURE] = (gm_cosim_goal){"signature of a line", true, bits};
    goal[GOAL_COUNTER_OF] = (gm_cosim_goal){"signature without reuse", true, bits};
    goal[GOAL_NO_REUSE] = (gm_cosim_goal){
        "a counter is 0, and a line of its signature leaves without reuse", false, 1};
    goal[GOAL_REUSE] = (gm_cosim_goal){
        "a counter is at its highest, and a line of its signature is touched", false, 1};
    return SHIP_GOALS;
}

static inline bool is_farthest(const gm_replacement_state *state, size_t at)
{
    return state->value[at] == gm_mask(state->parameters.rrpv_bits);
}

/* A line with this signature comes into a set, in place of way `victim`; Ways: none. */
static inline void meet_insertion(const gm_replacement_state *state, uint64_t row,
                                  uint64_t signature, unsigned victim, uint64_t *met)
{
    const gm_replacement_parameters *p = &state->parameters;
    size_t first = row * p->ways;
    if (victim != p->ways) {
        met[is_farthest(state, first + victim) ? GOAL_FARTHEST_EVICTED : GOAL_ALL_AGE] |= 1;
    }
    if (p->policy != GM_REPLACEMENT_SHIP) {
        return;
    }
    uint64_t most = gm_mask(p->counter_bits);
    for (uint32_t left = state->used[row]; left != 0; left &= left - 1) {
        uint64_t difference = state->signature[first + gm_lowest_one(left)] ^ signature;
        met[GOAL_SIGNATURE] |= gm_is_power_of_two(difference) ? difference : 0;
    }
    for (unsigned b = 0; b < p->signature_bits; b++) {
        bool differs = (state->doubt[signature] == most) !=
                       (state->doubt[signature ^ UINT64_C(1) << b] == most);
        met[GOAL_COUNTER_OF] |= differs ? UINT64_C(1) << b : 0;
    }
    if (victim != p->ways && (state->reused[row] >> victim & 1) == 0) {
        met[GOAL_NO_REUSE] |= state->doubt[state->signature[first + victim]] == most;
    }
}

/* The line in a way of a set is touched. */
static inline void meet_touch(const gm_replacement_state *state, uint64_t row, unsigned way,
                              uint64_t *met)
{
    size_t at = row * state->parameters.ways + way;
    met[GOAL_FARTHEST_TOUCHED] |= is_farthest(state, at);
    if (state->parameters.policy == GM_REPLACEMENT_SHIP) {
        met[GOAL_REUSE] |= state->doubt[state->signature[at]] == 0;
    }
}

#endif
