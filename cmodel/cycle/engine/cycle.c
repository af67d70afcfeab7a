/* Cycle engine: the main loop, which skips cycles in which no unit is due; commands of the source,
 * limits and the watchdog. */
#include "cycle/engine/checkpoint.h"
#include "cycle/engine/core_reports.h"
#include "cycle/engine/cycle_invariants.h"
#include "cycle/engine/intervals.h"
#include "cycle/engine/kernels.h"
#include "goldmem/assert.h"
#include "goldmem/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef gm_cycle_run_state state;

enum {
    DEFAULT_BUFFER = 16 << 20, /* bytes */
    SOURCE_THREADS = 2,        /* from this number on, the source has a thread of its own */
    WATCHDOG_SAMPLES = 8,      /* samples of the watchdog within its limit */
    PROGRESS_PERIOD = 1 << 14, /* visited cycles, some milliseconds */
};

/* Returns a measure of the work done, which grows while the machine makes progress. */
static uint64_t work_done(state *run)
{
    gm_cycle_machine *machine = &run->machine;
    gm_statistics issued = {0};
    uint64_t work = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        work += machine->load_store[i].l1.time.loads;
        gm_cycle_sm_statistics(&machine->sm[i], machine->now + 1, &issued);
    }
    for (uint32_t i = 0; i < machine->partitions; i++) {
        work += machine->channel[i].time.dram_bursts;
    }
    gm_network_add(&machine->requests, &issued.time);
    gm_network_add(&machine->acknowledgements, &issued.time);
    gm_network_add(&machine->replies, &issued.time);
    return work + issued.time.request_flits + issued.time.reply_flits + issued.time.slots_issued;
}

/* Fails with the oldest request of a machine that has made no progress since cycle `since`. */
static int stuck(const state *run, gm_cycle now, gm_cycle since, gm_error *error)
{
    char text[400];
    gm_cycle oldest = gm_cycle_machine_oldest(&run->machine, text, sizeof text);
    if (oldest == GM_NEVER) {
        return gm_fail(error, -EDEADLK,
                       "cycle %" PRIu64 ": no progress since cycle %" PRIu64
                       ", and no request is in flight",
                       now, since);
    }
    return gm_fail(error, -EDEADLK,
                   "cycle %" PRIu64 ": no progress since cycle %" PRIu64
                   "; the oldest request is there since cycle %" PRIu64 ": %s",
                   now, since, oldest, text);
}

/* Fails if, in a kernel that communicates, a request is older than `limit` at cycle `now`, while
 * other warps look for what it is to bring: their loads are progress. */
static int overtaken(const state *run, gm_cycle now, uint64_t limit, gm_error *error)
{
    char text[400];
    if (run->live.source == NULL) {
        return 0;
    }
    gm_cycle oldest = gm_cycle_machine_oldest(&run->machine, text, sizeof text);
    return oldest == GM_NEVER || now <= oldest + limit
               ? 0
               : gm_fail(error, -EDEADLK,
                         "cycle %" PRIu64 ": a request is there since cycle %" PRIu64
                         ", while others go on: %s",
                         now, oldest, text);
}

/* True if something waits for a time that will come: a fence, a write, or the kernel's end. */
static bool waits_for_time(const state *run)
{
    const gm_cycle_machine *machine = &run->machine;
    return gm_cycle_machine_waits_for_time(machine) ||
           (run->position.flushed && gm_cycle_machine_idle(machine));
}

/* Watchdog: -EDEADLK after gpu.watchdog cycles without progress, sampled every limit/8 cycles.
 * Called before cycle `next` is computed; skipped cycles make no progress unless something waits
 * for time. */
static int watch(state *run, gm_cycle next, gm_error *error)
{
    if (next <= run->watchdog_next) {
        return 0;
    }
    const gm_config *config = run->machine.config;
    uint64_t limit = config->gpu.watchdog + config->sm.launch;
    uint64_t period = limit / WATCHDOG_SAMPLES + 1;
    uint64_t work = work_done(run);
    bool waits = waits_for_time(run);
    if (work != run->watched_work) {
        run->watched_work = work;
        run->watched = run->watchdog_next;
    }
    run->watchdog_next += (next - 1 - run->watchdog_next) / period * period;
    run->watched = waits ? run->watchdog_next : run->watched;
    int code = gm_live_run_watch(run, run->watchdog_next, limit, error);
    code = code < 0 || waits ? code : overtaken(run, run->watchdog_next, limit, error);
    if (code < 0) {
        return code;
    }
    if (run->watchdog_next - run->watched > limit) {
        return stuck(run, run->watched + limit + 1, run->watched, error);
    }
    run->watchdog_next += period;
    return 0;
}

/* Computes one cycle of the machine, and lets kernels go on at its end. */
static int do_cycle(state *run, gm_cycle now, gm_error *error)
{
    bool ended = false;
    gm_cycle_machine_begin(&run->machine, now);
    int code = gm_cycle_machine_step(&run->machine, now, &ended, error);
    bool goes_on = ended || now >= run->due || run->flushes;
    code = code == 0 ? gm_live_run_failed(run, error) : code;
    return code == 0 && goes_on ? gm_kernels_go_on(run, now, error) : code;
}

/* Returns the warp instructions issued. */
static uint64_t issued_warps(const state *run)
{
    uint64_t issued = 0;
    for (uint32_t i = 0; i < run->machine.sms; i++) {
        issued += run->machine.sm[i].slot[GM_SLOT_ISSUED];
    }
    return issued;
}

/* Counts a visited cycle; calls options->progress once every PROGRESS_PERIOD visited cycles.
 * Returns a positive value if the run is to stop. */
static int tell_progress(state *run, gm_error *error)
{
    const gm_run_options *options = run->options;
    gm_error broken;
    run->done++;
    gm_assert(run->done % GM_ASSERT_PERIOD != 0 ||
                  gm_cycle_check_running(&run->machine, &broken) == 0,
              "%s", broken.text);
    if (run->done % PROGRESS_PERIOD != 0) {
        return 0;
    }
    int wrong = run->machine.values != NULL ? gm_values_check(run->machine.values, error) : 0;
    if (wrong < 0 || options->progress == NULL) {
        return wrong;
    }
    const gm_kernel_state *oldest = &run->window.kernel[0].state;
    gm_run_progress progress = {
        .begun = run->accounting.executed,
        .kernel = run->accounting.kernels,
        .ctas_begun = oldest->dispatched,
        .ctas_done = oldest->dispatched - oldest->live,
        .cycles = gm_kernels_cycles(run, run->machine.now),
        .warp_instructions = issued_warps(run),
    };
    int code = options->progress(options->context, &progress, error);
    if (code > 0) {
        run->stop->reason = GM_STOP_ASKED;
    }
    return code;
}

/* Returns the last cycle of the work that max_cycles allows, which may be before its first. */
static gm_cycle last_cycle(const state *run)
{
    uint64_t limit = run->options->max_cycles;
    return limit == 0 ? GM_NEVER : run->position.start + (limit - run->position.cycles) - 1;
}

/* Returns the thread instructions issued. */
static uint64_t count_issued(const state *run)
{
    uint64_t issued = 0;
    for (uint32_t i = 0; i < run->machine.sms; i++) {
        issued += gm_cycle_sm_issued_threads(&run->machine.sm[i]);
    }
    return issued;
}

/* True if `target` thread instructions have been issued at the end of cycle `now`. Counts them only
 * when full warps could have issued the rest since the last count, so that no cycle is missed. */
static bool has_issued(const state *run, uint64_t target, gm_issue_watch *watch)
{
    const gm_cycle_machine *machine = &run->machine;
    if (machine->now < watch->cycle) {
        return false;
    }
    uint64_t warps = issued_warps(run);
    if (warps >= watch->warps) {
        uint64_t issued = count_issued(run);
        if (issued >= target) {
            return true;
        }
        watch->warps = warps + (target - issued + GM_WARP_SIZE - 1) / GM_WARP_SIZE;
    }
    uint64_t most = machine->sms * machine->config->sm.schedulers; /* warps in a cycle */
    watch->cycle = machine->now + (watch->warps - warps + most - 1) / most;
    return false;
}

/* True if max_instructions have been issued at the end of cycle `now`. */
static bool is_at_instructions(state *run)
{
    uint64_t limit = run->options->max_instructions;
    if (limit == 0 || !has_issued(run, limit, &run->limit_watch)) {
        return false;
    }
    run->stop->reason = GM_STOP_INSTRUCTIONS;
    return true;
}

/* Sets the counters of the results to those up to now, when the run has so many core cycles. */
static int count_all(state *run, gm_results *results, uint64_t cycles, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    int code = gm_accounting_make_results(results, machine->sms, machine->banks,
                                          machine->partitions, error);
    if (code < 0) {
        return code;
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_machine_sm_statistics(machine, i, &results->per_sm[i]);
        results->per_sm[i].time.cycles = cycles;
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_cycle_machine_bank_statistics(machine, i, &results->per_bank[i]);
    }
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_cycle_machine_channel_statistics(machine, i, &results->per_partition[i]);
    }
    /* Copies after the last kernel belong to the total only. */
    gm_cycle_machine_sum(machine, &results->total);
    gm_accounting_add_copies(&run->accounting, &results->total);
    results->total.time.cycles = cycles;
    return 0;
}

/* True if the warm-up, which goes on, ends with what has been done up to the end of cycle `now`. */
static bool is_warm(state *run)
{
    const gm_warm_up *warm_up = &run->options->warm_up;
    uint64_t live = 0;
    switch (warm_up->kind) {
    case GM_WARM_UP_KERNELS:
        return run->accounting.kernels >= warm_up->count;
    case GM_WARM_UP_CTAS:
        for (uint32_t i = 0; i < run->window.count; i++) {
            live += run->window.kernel[i].state.live;
        }
        return run->position.delivered.ctas - live >= warm_up->count;
    case GM_WARM_UP_INSTRUCTIONS:
        return has_issued(run, warm_up->count, &run->warm_up_watch);
    case GM_WARM_UP_NONE:
        break;
    }
    return false;
}

/* Takes the counters at the end of the warm-up, if it ends now. What CTAs have not issued counts
 * later. */
static int end_warm_up(state *run, gm_error *error)
{
    gm_results *at = &run->warmed.at;
    if (!gm_warm_up_goes_on(&run->warmed, run->options) || !is_warm(run)) {
        return 0;
    }
    gm_cycle_machine_visit_channels(&run->machine);
    int code = count_all(run, at, gm_kernels_cycles(run, run->machine.now), error);
    for (uint32_t i = 0; code == 0 && i < run->machine.sms; i++) {
        gm_core_statistics left = {0};
        gm_cycle_sm_left(&run->machine.sm[i], GM_EVERY_KERNEL, &left);
        gm_core_statistics_subtract(&at->per_sm[i].core, &left);
        gm_core_statistics_subtract(&at->total.core, &left);
    }
    run->warmed.reached = code == 0;
    return code;
}

/* True if the work has ended (gpu.kernel_end), and all writes are visible to all SMs. */
static bool is_over(state *run)
{
    gm_cycle_machine *machine = &run->machine;
    return run->position.flushed &&
           (machine->config->gpu.kernel_end == GM_END_WRITTEN
                ? gm_cycle_machine_idle(machine)
                : gm_cycle_machine_answered(machine)) &&
           gm_cycle_machine_writes_are_visible(machine);
}

/* Computes cycles until the work is over. Returns 1 if the run stops earlier. */
static int run_cycles(state *run, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    int code = 0;
    while (code == 0 && !is_over(run)) {
        gm_cycle next = gm_cycle_machine_next(machine);
        next = run->due < next ? run->due : next;
        if (next == GM_NEVER) {
            return stuck(run, machine->now, machine->now, error);
        }
        code = gm_series_take_before(run, next, error);
        if (code < 0) {
            return code;
        }
        if (next > run->last) {
            machine->now = run->last; /* the cycles up to it are skipped */
            run->stop->reason = GM_STOP_CYCLES;
            return 1;
        }
        code = watch(run, next, error);
        code = code < 0 ? code : do_cycle(run, next, error);
        code = code < 0 ? code : end_warm_up(run, error);
        code = code < 0 ? code : is_at_instructions(run);
        code = code != 0 ? code : tell_progress(run, error);
        if (code == 0 && machine->now >= run->next_checkpoint) {
            code = gm_checkpoint_save(run, error);
        }
    }
    return code;
}

/* Runs the work to its end or until the run stops. */
static int finish_work(state *run, gm_error *error)
{
    int code = run_cycles(run, error);
    code = code < 0 ? code : code > 0 ? gm_kernels_stop(run, error) : gm_kernels_end(run, error);
    return code != 0 ? code : end_warm_up(run, error);
}

/* Returns 1 if the last kernel reached a limit with its end. */
static int check_limits(state *run)
{
    const gm_run_options *options = run->options;
    if (options->max_cycles != 0 && run->position.cycles >= options->max_cycles) {
        run->stop->reason = GM_STOP_CYCLES;
    } else if (options->max_instructions != 0 && count_issued(run) >= options->max_instructions) {
        run->stop->reason = GM_STOP_INSTRUCTIONS;
    }
    return run->stop->reason != GM_STOP_NONE;
}

/* Runs the kernels of the window, and those that can run beside them. */
static int run_work(state *run, gm_error *error)
{
    if (check_limits(run)) {
        return 1;
    }
    int code = gm_kernels_begin(run, error);
    run->last = last_cycle(run);
    gm_series_begin_work(run);
    code = code < 0 ? code : finish_work(run, error);
    return code != 0 ? code : gm_series_end_work(run, error);
}

static void put_copy(void *context, gm_message_kind kind, uint64_t l2_line, uint32_t sectors)
{
    state *run = context;
    gm_cycle_machine_copy(&run->machine, kind, l2_line, sectors);
}

/* Applies a copy. Requires that nothing is in flight. */
static int copy(state *run, const gm_feed *feed, gm_error *error)
{
    const gm_copy_sink sink = {run, put_copy, gm_kernels_flush_l1s};
    int code = gm_accounting_copy(&run->accounting, run->machine.config, feed, &sink, error);
    if (code > 0) {
        run->stop->reason = GM_STOP_ASKED;
    }
    return code;
}

/* Takes copies and kernels from the source, to its end or until the run stops. */
static int run_commands(state *run, gm_error *error)
{
    gm_kernel_window *window = &run->window;
    int code = 0;
    while (code == 0) {
        if (window->count != 0) {
            code = run_work(run, error);
            continue;
        }
        gm_feed feed = window->feed;
        code = window->waits ? 0 : gm_feeder_next(run->feeder, &feed, error);
        window->waits = false;
        if (code == 0 && feed.kind != GM_FEED_KERNEL) {
            code = gm_kernels_finish_writes(run, error);
        }
        if (code < 0 || feed.kind == GM_FEED_END) {
            break;
        }
        run->position.commands++;
        gm_checkpoint_hash_command(run, &feed);
        code = feed.kind == GM_FEED_COPY
                   ? copy(run, &feed, error)
                   : gm_kernel_window_add(window, feed.kernel, run->machine.now + 1, error);
    }
    return code;
}

/* Resumes a checkpoint and runs the rest of its work. */
static int resume(state *run, gm_error *error)
{
    int code = gm_checkpoint_resume(run, error);
    code = code < 0 ? code : gm_kernels_resume(run, error);
    run->last = last_cycle(run);
    if (code == 0 && run->options->max_cycles != 0 &&
        (run->options->max_cycles < run->position.cycles || run->machine.now > run->last)) {
        code = gm_fail(error, -EINVAL,
                       "%s: has %" PRIu64 " core cycles, more than the limit of %" PRIu64,
                       run->options->resume, gm_kernels_cycles(run, run->machine.now),
                       run->options->max_cycles);
    }
    return code != 0 ? code : finish_work(run, error);
}

static int fill_results(state *run, gm_results *results, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    int code = count_all(run, results, run->position.cycles, error);
    if (code < 0) {
        return code;
    }
    if (results->stop.reason != GM_STOP_NONE && !results->stop.in_kernel) {
        results->stop.kernel = run->accounting.kernels;
        results->stop.cycles = run->position.cycles;
    }
    results->kernels = run->accounting.kernels;
    results->latencies = machine->latencies; /* the caller's now */
    machine->latencies = NULL;
    results->choices = machine->sampling.choices;
    results->limits = machine->sampling.limits;
    return 0;
}

/* Prepares what the options ask for beside the counters. Requires the machine. */
static int keep_records(state *run, const gm_config *config, gm_error *error)
{
    const gm_run_options *options = run->options;
    int code = 0;
    if (run->source->live != NULL) {
        code = gm_live_run_start(run, error);
    } else if (options->check_values) {
        code = gm_cycle_machine_keep_values(&run->machine, options->values, error);
    }
    if (code == 0 && options->latencies) {
        code = gm_cycle_machine_keep_latencies(&run->machine, error);
    }
    if (code == 0 && options->kernel_sms) {
        code = gm_kernel_sms_init(&run->kernel_sms, run->machine.sms, error);
    }
    if (code == 0 && options->l2_sets) {
        code = gm_set_contents_make(&run->l2_sets, config, error);
    }
    if (code == 0 && options->analyses != 0) {
        code = gm_cycle_analyses_init(&run->analyses, &run->machine, &run->window, options, error);
    }
    if (code == 0 && options->per_pc) {
        code = gm_cycle_machine_keep_pcs(&run->machine, error);
    }
    return code;
}

/* Makes the warp store, and begins to read the source into it. Requires keep_records. */
static int start_feeder(state *run, const gm_config *config, gm_source *source, gm_error *error)
{
    const gm_run_options *options = run->options;
    size_t buffer = options->buffer_bytes == 0 ? DEFAULT_BUFFER : options->buffer_bytes;
    int code = gm_warp_store_create(&run->store, buffer, error);
    run->machine.shared.store = run->store;
    if (code == 0 && (options->checkpoint != NULL || options->resume != NULL)) {
        gm_warp_store_keep_content(run->store);
        code = gm_source_content(source, &run->files, error);
    }
    code = code < 0 ? code : gm_series_open(run, error);
    const gm_feeder_options feeder = {
        .threaded = options->threads >= SOURCE_THREADS && source->live == NULL,
        .live = source->live != NULL,
        .logs = gm_accounting_limited(&run->accounting) || options->series.every != 0 ||
                config->sm.throttle == GM_THROTTLE_SAMPLING,
        .words = run->machine.values != NULL,
        .lanes = options->analyses != 0,
        .form = GM_INTAKE_TIMED,
        .map = options->per_pc ? &run->code : NULL,
        .kernels = options->kernels,
    };
    return code < 0 ? code
                    : gm_feeder_start(&run->feeder, config, source, run->store, &feeder, error);
}

static int start(state *run, const gm_config *config, gm_source *source, gm_error *error)
{
    const gm_run_options *options = run->options;
    run->source = source;
    gm_code_map_init(&run->code);
    int code = gm_cycle_machine_init(&run->machine, config, error);
    code = code < 0 ? code : gm_machine_sampling_init(&run->machine, error);
    code = code < 0 ? code : gm_arena_create(&run->arena, gm_cta_scheduler_bytes(config), error);
    code = code < 0 ? code : gm_cta_scheduler_init(&run->scheduler, config, &run->arena, error);
    code = code < 0 ? code : gm_cta_dispatch_init(&run->dispatch, config, error);
    run->dispatch.queues.observer = options->cta_queues;
    code = code < 0 ? code : gm_kernels_init(run, config, error);
    code = code < 0 ? code : gm_accounting_open(&run->accounting, options, config, error);
    if (code < 0) {
        return code;
    }
    run->machine.l1_shared.bypass.into = run->accounting.profile;
    run->machine.l1_shared.notes_issue |= run->accounting.profile != NULL;
    gm_cycle_machine_observe(&run->machine, options);
    run->machine.no_skip = options->no_skip;
    run->watchdog_next = config->gpu.watchdog != 0 ? 0 : GM_NEVER;
    run->next_checkpoint = options->checkpoint != NULL ? options->checkpoint_every : GM_NEVER;
    code = keep_records(run, config, error);
    return code < 0 ? code : start_feeder(run, config, source, error);
}

/* Requires that the feeder has stopped. */
static int make_profile(state *run, gm_results *results, gm_error *error)
{
    int code = run->machine.pcs.failed
                   ? -ENOMEM
                   : gm_code_map_profile(&run->code, &run->machine.pcs.counts,
                                         &run->source->opcodes, &results->per_pc);
    return code < 0 ? gm_fail(error, code, "out of memory: counts by instruction") : 0;
}

/* Stops the reading of the source. */
static void stop_feeder(state *run)
{
    if (run->feeder != NULL) {
        gm_feeder_stop(run->feeder);
        run->feeder = NULL;
    }
}

static void stop(state *run)
{
    stop_feeder(run);
    if (run->store != NULL) {
        gm_warp_store_free(run->store);
    }
    gm_accounting_free(&run->accounting);
    gm_warmed_free(&run->warmed);
    gm_cta_sample_free(&run->sample);
    gm_kernel_sms_free(&run->kernel_sms);
    run->results->kernel_sms = NULL;
    gm_cycle_machine_free(&run->machine);
    gm_series_close(run);
    gm_code_map_free(&run->code);
    gm_cycle_analyses_free(&run->analyses);
    gm_arena_free(&run->arena);
    gm_cta_dispatch_free(&run->dispatch);
    gm_kernel_window_free(&run->window);
    free(run->l1_has);
    free(run->ended);
    free(run->ended_content);
    free(run);
}

/* Checks, before anything is read, options that the engine lacks or that exclude each other. */
static int check_options(const gm_config *config, const gm_source *source,
                         const gm_run_options *options, gm_error *error)
{
    const struct {
        bool asked;
        const char *text;
    } from_the_beginning[] = {
        {options->write_profile != NULL, "a profile needs"},
        {options->series.every != 0, "a series needs"},
        {options->l2_sets, "the sets of the L2 need"},
        {options->check_values, "values need"},
    };
    if (options->variant_count != 0) {
        return gm_fail(error, -EINVAL, "variants need the order engine");
    }
    for (size_t i = 0; i < sizeof from_the_beginning / sizeof *from_the_beginning; i++) {
        if (options->resume != NULL && from_the_beginning[i].asked) {
            return gm_fail(error, -EINVAL, "%s the run from its beginning, not resumed",
                           from_the_beginning[i].text);
        }
    }
    if (options->write_profile != NULL && config->gpu.kernels > 1) {
        return gm_fail(error, -EINVAL,
                       "a profile is of one kernel after the other: it needs gpu.kernels=1");
    }
    int code = gm_live_run_check(source, config, options, error);
    if (code == 0 && options->checkpoint != NULL) {
        code = gm_output_check(options->checkpoint, error); /* fails before the run, not within */
    }
    return code;
}

int gm_cycle_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error)
{
    *results = (gm_results){0};
    int code = check_options(config, source, options, error);
    if (code < 0) {
        return code;
    }
    state *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the cycle engine");
    }
    run->options = options;
    run->stop = &results->stop;
    run->results = results;
    code = gm_cta_sample_check(config, source, options, error);
    code = code < 0 ? code : gm_cta_sample_init(&run->sample, &options->sample, error);
    results->sample = run->sample.results;
    code = code < 0 ? code : gm_warm_up_check(options, error);
    code = code < 0 ? code : start(run, config, source, error);
    results->analysis = run->analyses.analysis; /* callbacks may read them */
    results->l2_sets = run->l2_sets;
    code = code < 0 ? code : gm_checkpoint_begin(run, error);
    if (code == 0 && options->resume != NULL) {
        code = resume(run, error);
    }
    code = code != 0 ? code : run_commands(run, error);
    if (code > 0 && results->stop.reason != GM_STOP_NONE) {
        code = 0; /* a positive code: the run was stopped, which is no failure */
    }
    code = code != 0 ? code : gm_series_end(run, error);
    code = code != 0 ? code : fill_results(run, results, error);
    code = code != 0 ? code : gm_warm_up_subtract(&run->warmed, options, results, config, error);
    if (code == 0) {
        gm_cta_sample_finish(&run->sample, &results->total);
    }
    if (code == 0 && results->stop.reason != GM_STOP_ASKED) {
        code = gm_accounting_end(&run->accounting, error);
    }
    stop_feeder(run);
    code = code != 0
               ? code
               : gm_opcode_tally_results(&run->accounting.tally, &source->opcodes, results, error);
    if (code == 0 && options->per_pc) {
        code = make_profile(run, results, error);
    }
    results->has_clusters = source->has_clusters;
    stop(run);
    if (code != 0) {
        gm_analysis_free(results->analysis);
        results->analysis = NULL;
        gm_accounting_drop_results(results);
    }
    return code;
}
