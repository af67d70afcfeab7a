/* Live CTAs of a run. */
#include "cycle/engine/live_run.h"

#include "cycle/engine/run_state.h"

#include <errno.h>
#include <inttypes.h>

int gm_live_run_check(const gm_source *source, const gm_config *config,
                      const gm_run_options *options, gm_error *error)
{
    if (source->live == NULL) {
        return 0;
    }
    const char *needs = config->gpu.kernels > 1        ? "gpu.kernels=1"
                        : config->gpu.cta != GM_CTA_RR ? "gpu.cta=rr"
                        : options->checkpoint != NULL  ? "a run without checkpoints (--checkpoint)"
                        : options->resume != NULL      ? "the run from its beginning (not --resume)"
                                                       : NULL;
    return needs == NULL ? 0
                         : gm_fail(error, -EINVAL, "%s: its CTAs communicate: it needs %s",
                                   source->name, needs);
}

static void wrote(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value)
{
    const gm_live_run *live = context;
    live->source->wrote(live->source->context, warp, address, value);
    if (live->user != NULL && live->user->wrote != NULL) {
        live->user->wrote(live->user->context, warp, address, value);
    }
}

static void performed(void *context, uint64_t address, uint32_t old, uint32_t value)
{
    const gm_live_run *live = context;
    live->source->performed(live->source->context, address, old, value);
    if (live->user != NULL && live->user->performed != NULL) {
        live->user->performed(live->user->context, address, old, value);
    }
}

static void loaded(void *context, const gm_value_warp *warp, uint64_t address, uint32_t value)
{
    const gm_live_run *live = context;
    live->source->loaded(live->source->context, warp, address, value);
    if (live->user != NULL && live->user->loaded != NULL) {
        live->user->loaded(live->user->context, warp, address, value);
    }
}

static void each_held(void *context, gm_live_held *held, void *source)
{
    gm_values_each(context, held, source);
}

static bool wants(void *context, const gm_value_warp *warp, uint64_t address)
{
    const gm_live_run *live = context;
    return live->source->wants(live->source->context, warp, address);
}

/* Runs a warp on, and counts what its CTA executes. */
static int go_on(void *context, gm_cycle_sm *sm, gm_cta *cta, uint32_t place, gm_error *error)
{
    gm_cycle_run_state *run = context;
    run->source->live->forget(run->source, each_held, run->machine.values);
    int code = gm_feeder_go_on(run->feeder, cta, cta->warp[place], error);
    gm_cycle_delivered *delivered = &run->position.delivered;
    gm_window_kernel *kernel = gm_kernel_window_of(&run->window, cta->kernel);
    delivered->instructions += cta->core.warp_instructions;
    delivered->lanes += cta->core.thread_instructions;
    run->accounting.executed += cta->core.warp_instructions;
    gm_core_statistics_add(&kernel->state.core, &cta->core);
    gm_core_statistics_add(&sm->core, &cta->core);
    return code < 0 ? code : gm_opcode_tally_merge(&run->accounting.tally, &cta->tally, error);
}

int gm_live_run_start(gm_cycle_run_state *run, gm_error *error)
{
    gm_live_run *live = &run->live;
    if (run->source->live == NULL) {
        return 0;
    }
    live->source = run->source->live->begin(run->source);
    live->user = run->options->check_values ? run->options->values : NULL;
    live->both = (gm_value_observer){live, wrote, performed, loaded, wants};
    run->live_ctas = (gm_cycle_live){.context = run, .go_on = go_on};
    run->machine.shared.live = &run->live_ctas;
    int code = gm_cycle_machine_keep_values(&run->machine, &live->both, error);
    if (code == 0 && !run->options->check_values) {
        gm_values_carry_only(run->machine.values);
    }
    return code;
}

int gm_live_run_failed(const gm_cycle_run_state *run, gm_error *error)
{
    const gm_error *failed = &run->live_ctas.failed;
    return failed->code == 0 ? 0 : gm_fail(error, failed->code, "%s", failed->text);
}

int gm_live_run_watch(gm_cycle_run_state *run, uint64_t now, uint64_t limit, gm_error *error)
{
    char text[400];
    gm_source *source = run->source;
    if (run->live.source == NULL) {
        return 0;
    }
    if (!source->live->is_stuck(source, text, sizeof text)) {
        run->live.since = now;
    }
    return now - run->live.since <= limit
               ? 0
               : gm_fail(error, -EDEADLK,
                         "cycle %" PRIu64 ": %s, since cycle %" PRIu64
                         ": it waits for a CTA that is not resident, or for itself",
                         now, text, run->live.since);
}
