/* Dynamic warp throttling in the machine [khairy, 4.2, DWT-CS]: at multiples of gpu.sampling_period
 * all SMs report what they have issued and missed, and take the limits that the block answers. */
#include "cycle/engine/core_reports.h"

#include "cache/streaming.h"

static bool samples(const gm_cycle_machine *machine)
{
    return machine->config->sm.throttle == GM_THROTTLE_SAMPLING;
}

/* Gives each SM the limit that the block has for it, from the cycle after `now` on. */
static void apply_limits(gm_cycle_machine *machine, gm_cycle now)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_sm *sm = &machine->sm[i];
        uint32_t limit = gm_cores_sampling_limit(&machine->sampling.block, i);
        limit = limit == 0 ? machine->sampling.block.parameters.warps : limit;
        gm_cycle_throttle_limit(sm, limit, now);
    }
}

/* Returns the loads that have missed an L1: a closed one, which bypasses them, has the miss rate of
 * its tags [4.1]. */
static uint64_t misses_of(const gm_cycle_l1 *l1)
{
    return l1->streaming != NULL ? l1->streaming->statistics.misses
                                 : l1->statistics.misses[GM_LOAD];
}

/* Takes the reports of a period, and tells the L1s' gates whether it was hot: a hot kernel's L1s
 * stay open. */
static void act(gm_cycle_machine *machine, gm_cycle now)
{
    gm_sampling *sampling = &machine->sampling;
    bool reports = gm_sampling_reports(sampling, machine->timer.period, now);
    for (uint32_t i = 0; i < machine->sms; i++) {
        const gm_cycle_sm *sm = &machine->sm[i];
        const gm_sampling_sm counters = {
            .misses = misses_of(&machine->load_store[i].l1),
            .threads = gm_cycle_sm_issued_threads(sm),
        };
        if (reports) {
            gm_sampling_report(sampling, i, counters, sm->occupancy.resident == 0, now);
        }
        sampling->last[i] = counters;
    }
    if (reports) {
        apply_limits(machine, now);
    }
    gm_cycle_machine_stream_hot(machine, gm_cores_sampling_hot(&sampling->block) != 0, now);
}

int gm_machine_sampling_init(gm_cycle_machine *machine, gm_error *error)
{
    if (!samples(machine)) {
        return 0;
    }
    gm_cycle_machine_set_timer(machine, machine->config->gpu.sampling_period, act);
    return gm_sampling_init(&machine->sampling, machine->config, error);
}

void gm_machine_sampling_begin(gm_cycle_machine *machine, const gm_kernel *kernel, uint64_t number,
                               gm_cycle launched)
{
    if (samples(machine)) {
        gm_sampling_begin(&machine->sampling, kernel->name, number, launched);
        apply_limits(machine, launched + 1);
    }
}

void gm_machine_sampling_end(gm_cycle_machine *machine)
{
    if (samples(machine)) {
        gm_sampling_end(&machine->sampling);
    }
}
