/* SM dueling in a run [li, 4.3]: one sm_dueling block for the GPU, the effect of its decisions on
 * each SM's L1, and the ends of its intervals. docs/decoupled-l1d.md has the rules. */
#ifndef GOLDMEM_POLICY_DUELING_H
#define GOLDMEM_POLICY_DUELING_H

#include "base/snapshot.h"
#include "goldmem/config.h"
#include "goldmem/sm_dueling.h"
#include "goldmem/statistics.h"

typedef struct gm_dueling {
    gm_sm_dueling block;
    uint64_t end; /* cycle engine: core cycle in which the interval is over */
    gm_dueling_statistics statistics;
} gm_dueling;

/* Returns the block's parameters in a configuration. */
gm_sm_dueling_parameters gm_dueling_parameters(const gm_config *config);

/* Makes the block at the start of an interval. Returns 0 or -EINVAL. */
int gm_dueling_init(gm_dueling *dueling, const gm_config *config, gm_error *error);

/* Returns true if an SM now runs the conventional L1. */
static inline bool gm_dueling_is_conventional(const gm_dueling *dueling, uint32_t sm)
{
    return dueling->block.phase == 0 && sm < 2 ? sm == 1 : !dueling->block.decoupled;
}

/* Counts a load of an SM that was looked up as in a `conventional` L1 or not; a bypass is a miss.
 * In a sampling interval the loads of SM 0 and SM 1 count for the decision, except those that began
 * in an earlier interval with the other design. */
void gm_dueling_load(gm_dueling *dueling, uint32_t sm, bool conventional, bool miss);

/* Advances the interval by cycles or accesses. Requires an amount from 1 to the interval's rest. */
void gm_dueling_advance(gm_dueling *dueling, uint32_t amount);

/* Cycle engine: ends all intervals that were over when core cycle `now` began. Intervals end at the
 * multiples of their length. */
void gm_dueling_pass_intervals(gm_dueling *dueling, uint64_t now);

/* Calls gm_dueling_pass_intervals before each use of the decision. Intervals in which no decision
 * is used end late, without effect on results. */
static inline void gm_dueling_catch_up(gm_dueling *dueling, uint64_t now)
{
    if (now >= dueling->end) {
        gm_dueling_pass_intervals(dueling, now);
    }
}

/* Checks the invariants. Returns 0, or -EPROTO, which names the invariant and both values. */
int gm_dueling_check(const gm_dueling *dueling, gm_error *error);

void gm_sm_dueling_snapshot(gm_sm_dueling *dueling, gm_snapshot *snapshot);

#endif
