/* SM dueling in a run [li, 4.3]: one sm_dueling block for the GPU, what its decisions mean for each
 * SM's L1, and when its intervals end. docs/decoupled-l1d.md has the rules. */
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

/* -EINVAL. */
int gm_dueling_init(gm_dueling *dueling, const gm_config *config, gm_error *error);

/* Does an SM run the conventional L1 now? */
static inline bool gm_dueling_is_conventional(const gm_dueling *dueling, uint32_t sm)
{
    return dueling->block.phase == 0 && sm < 2 ? sm == 1 : !dueling->block.decoupled;
}

/* A load of an SM, which was `conventional`; a bypass is a miss. In a sampling interval those of
 * SM 0 and SM 1 count for the decision, but for one that an earlier interval has begun with the
 * other design. */
void gm_dueling_load(gm_dueling *dueling, uint32_t sm, bool conventional, bool miss);

/* So many cycles or accesses of the interval pass, at least one, at most what is left of it. */
void gm_dueling_advance(gm_dueling *dueling, uint32_t amount);

/* Cycle engine: core cycle `now` has begun. Intervals end at the multiples of their length; whoever
 * comes first afterwards says so, since what nobody asks for nobody misses. */
void gm_dueling_pass_intervals(gm_dueling *dueling, uint64_t now);

static inline void gm_dueling_catch_up(gm_dueling *dueling, uint64_t now)
{
    if (now >= dueling->end) {
        gm_dueling_pass_intervals(dueling, now);
    }
}

/* -EPROTO names the law and both values. */
int gm_dueling_check(const gm_dueling *dueling, gm_error *error);

void gm_sm_dueling_snapshot(gm_sm_dueling *dueling, gm_snapshot *snapshot);

#endif
