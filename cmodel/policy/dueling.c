/* SM dueling in a run [li, 4.3]: counts loads and ends intervals. */
#include "policy/dueling.h"

#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>

/* The counters of accesses are as wide as the interval's: an SM has at most one access a cycle. */
gm_sm_dueling_parameters gm_dueling_parameters(const gm_config *config)
{
    return (gm_sm_dueling_parameters){
        .interval = (unsigned)config->l1.dueling_interval,
        .count_bits = gm_log2_floor(config->l1.dueling_interval) + 1,
        .difference = (unsigned)config->l1.dueling_difference,
        .hysteresis = config->l1.dueling_hysteresis,
        .period = (unsigned)config->l1.dueling_period,
    };
}

int gm_dueling_init(gm_dueling *dueling, const gm_config *config, gm_error *error)
{
    const gm_sm_dueling_parameters parameters = gm_dueling_parameters(config);
    *dueling = (gm_dueling){.end = parameters.interval};
    return gm_sm_dueling_init(&dueling->block, &parameters, error);
}

void gm_dueling_load(gm_dueling *dueling, uint32_t sm, bool conventional, bool miss)
{
    if (dueling->block.phase == 0 && sm < 2 && conventional == (sm == 1)) {
        dueling->statistics.loads_sampled++;
        gm_sm_dueling_access(
            &dueling->block,
            (gm_sm_dueling_request){.op = GM_SM_DUELING_ACCESS, .sm = sm, .miss = miss});
    } else if (conventional) {
        dueling->statistics.loads_conventional++;
    } else {
        dueling->statistics.loads_decoupled++;
    }
}

void gm_dueling_advance(gm_dueling *dueling, uint32_t amount)
{
    bool sampling = dueling->block.phase == 0;
    gm_sm_dueling_response response = gm_sm_dueling_access(
        &dueling->block, (gm_sm_dueling_request){.op = GM_SM_DUELING_ADVANCE, .amount = amount});
    dueling->statistics.intervals_sampled += sampling && dueling->block.elapsed == 0;
    dueling->statistics.decisions += response.decided;
    dueling->statistics.decisions_decoupled += response.decided & response.decoupled;
}

void gm_dueling_pass_intervals(gm_dueling *dueling, uint64_t now)
{
    uint32_t interval = dueling->block.parameters.interval;
    for (; now >= dueling->end; dueling->end += interval) {
        gm_dueling_advance(dueling, interval);
    }
}

int gm_dueling_check(const gm_dueling *dueling, gm_error *error)
{
    const gm_dueling_statistics *statistics = &dueling->statistics;
    gm_error inner;
    if (gm_sm_dueling_check(&dueling->block, &inner) < 0) {
        return gm_fail(error, -EPROTO, "%s", inner.text);
    }
    GM_INVARIANT("SM dueling", "decisions <= sampling intervals",
                 statistics->decisions <= statistics->intervals_sampled, 1);
    GM_INVARIANT("SM dueling", "decisions for the decoupled L1 <= decisions",
                 statistics->decisions_decoupled <= statistics->decisions, 1);
    return 0;
}

void gm_sm_dueling_snapshot(gm_sm_dueling *dueling, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, dueling->accesses, 2);
    GM_SNAPSHOT_ARRAY(snapshot, dueling->misses, 2);
    GM_SNAPSHOT_VALUE(snapshot, dueling->elapsed);
    GM_SNAPSHOT_VALUE(snapshot, dueling->phase);
    GM_SNAPSHOT_VALUE(snapshot, dueling->decoupled);
}
