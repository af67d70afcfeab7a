/* Kernels of a run: launch, dispatch of CTAs, L1 flushes, ends and reports. */
#include "cycle/engine/kernels.h"

#include "base/content_hash.h"
#include "cycle/engine/checkpoint.h"
#include "cycle/engine/core_reports.h"
#include "cycle/engine/cycle_invariants.h"
#include "cycle/engine/functional_warming.h"
#include "frontend/l1_share.h"
#include "goldmem/assert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef gm_cycle_run_state state;

int gm_kernels_init(state *run, const gm_config *config, gm_error *error)
{
    run->due = GM_NEVER;
    run->scheduler.apart = config->gpu.kernels > 1 && !config->gpu.kernels_share_sm;
    run->scheduler.paced = config->gpu.cta_paced;
    run->l1_has = calloc(config->gpu.sms, sizeof *run->l1_has);
    return run->l1_has == NULL ? gm_fail(error, -ENOMEM, "out of memory: kernels")
                               : gm_kernel_window_init(&run->window, config, error);
}

uint64_t gm_kernels_cycles(const state *run, gm_cycle now)
{
    return run->position.cycles + now + 1 - run->position.start;
}

/* True if kernels may run beside each other. */
static bool has_several(const state *run)
{
    return run->window.most > 1;
}

/* Counts the cycles of a CTA that has ended in cycle `now`. */
static void count_cycles(gm_cta_statistics *ctas, const gm_cta *cta, gm_cycle now)
{
    uint64_t cycles = now - cta->placed;
    ctas->least = ctas->ended == 0 || cycles < ctas->least ? cycles : ctas->least;
    ctas->most = cycles > ctas->most ? cycles : ctas->most;
    ctas->cycles += cycles;
    ctas->ended++;
}

/* Removes a CTA that has ended in cycle `now`. */
static void end_cta(state *run, gm_cta *cta, gm_cycle now)
{
    gm_window_kernel *kernel = gm_kernel_window_of(&run->window, cta->kernel);
    count_cycles(&kernel->state.ctas, cta, now);
    kernel->state.live--;
    gm_cta_scheduler_release_of(&run->scheduler, cta->sm, &kernel->cost);
    gm_feeder_recycle(run->feeder, cta);
}

/* Takes the CTAs that have ended from their SMs. */
static void end_ctas(state *run, gm_cycle now)
{
    gm_cycle_machine *machine = &run->machine;
    for (uint32_t word = 0; word < gm_bitset_words(machine->sms); word++) {
        while (machine->ended[word] != 0) {
            uint32_t bit = gm_bitset_take_lowest(&machine->ended[word]);
            gm_cycle_sm *sm = &machine->sm[word * GM_BITSET_WORD + bit];
            for (gm_cta *cta = sm->ended; cta != NULL; cta = sm->ended) {
                sm->ended = cta->next_ended;
                end_cta(run, cta, now);
            }
        }
    }
}

/* Places a CTA on an SM; it issues from the cycle after `now` on. */
static void place(state *run, gm_window_kernel *kernel, gm_cta *cta, uint32_t number, gm_cycle now)
{
    gm_cycle_delivered *delivered = &run->position.delivered;
    delivered->ctas++;
    delivered->warps += cta->warps;
    delivered->instructions += cta->core.warp_instructions;
    delivered->lanes += cta->core.thread_instructions;
    run->accounting.executed += cta->core.warp_instructions;
    kernel->state.dispatched++;
    kernel->state.live++;
    gm_core_statistics_add(&kernel->state.core, &cta->core);
    kernel->state.ctas.sms += run->l1_has[number] != kernel->state.number + 1;
    run->l1_has[number] = kernel->state.number + 1;
    gm_cta_scheduler_place(&run->scheduler, number);
    if (gm_cycle_sm_admit(&run->machine.sm[number], cta, now)) {
        end_cta(run, cta, now);
    }
}

/* Reads the next CTA of the kernel, which is the last one read. Sets *cta to NULL at its end. */
static int read_cta(state *run, gm_window_kernel *kernel, gm_cta **cta, gm_error *error)
{
    gm_feed feed;
    *cta = NULL;
    int code = gm_feeder_next(run->feeder, &feed, error);
    if (code < 0) {
        return code;
    }
    if (feed.kind != GM_FEED_CTA) { /* KERNEL_END: nothing else follows CTAs */
        kernel->state.whole = 1;
        kernel->state.content = run->content;
        return 0;
    }
    run->content = gm_content_word(run->content, feed.cta->content);
    feed.cta->kernel = kernel->state.number;
    kernel->state.read++;
    *cta = feed.cta;
    return 0;
}

/* Reads the machine's counters for the marks of a sample. */
static void read_counters(void *context, gm_statistics *statistics)
{
    state *run = context;
    gm_cycle_machine_visit_channels(&run->machine);
    gm_cycle_machine_sum(&run->machine, statistics);
    statistics->time.cycles = gm_kernels_cycles(run, run->machine.now);
}

/* Leaves a CTA out: it warms the L2 from where it might have been. */
static int skip(state *run, const gm_window_kernel *kernel, gm_cta *cta, gm_error *error)
{
    const gm_cycle_machine *machine = &run->machine;
    uint64_t sm = cta->number % machine->sms;
    uint64_t place = cta->number / machine->sms % gm_cta_scheduler_capacity(&run->scheduler);
    uint64_t slot = sm * machine->sm[sm].slots + place * gm_kernel_warps(kernel->kernel);
    int code = gm_functional_warming(&run->machine, cta, (uint32_t)slot, error);
    gm_feeder_recycle(run->feeder, cta);
    return code;
}

/* Reads CTAs of the kernel up to the next one that a sampled run computes. */
static int read_sampled_cta(state *run, gm_window_kernel *kernel, gm_cta **cta, gm_error *error)
{
    int code = read_cta(run, kernel, cta, error);
    while (code == 0 && *cta != NULL &&
           !gm_cta_sample_takes(&run->sample, *cta, kernel->state.read - 1, read_counters, run)) {
        code = skip(run, kernel, *cta, error);
        code = code < 0 ? code : read_cta(run, kernel, cta, error);
    }
    return code;
}

/* Takes the kernel's next CTA for dispatch; without one the kernel has no more. */
static int take_cta(state *run, gm_window_kernel *kernel, gm_cta **cta, gm_error *error)
{
    *cta = gm_kernel_window_take(kernel);
    int code = *cta == NULL && !kernel->state.whole ? read_sampled_cta(run, kernel, cta, error) : 0;
    kernel->state.more = *cta != NULL;
    return code < 0 || *cta == NULL
               ? code
               : gm_opcode_tally_merge(&run->accounting.tally, &(*cta)->tally, error);
}

/* Reads the last kernel of the window to its end; its CTAs wait. */
static int read_whole(state *run, gm_error *error)
{
    gm_kernel_window *window = &run->window;
    gm_window_kernel *last = window->count != 0 ? &window->kernel[window->count - 1] : NULL;
    int code = 0;
    while (last != NULL && code == 0 && !last->state.whole) {
        gm_cta *cta;
        code = read_cta(run, last, &cta, error);
        if (code == 0 && cta != NULL) {
            gm_kernel_window_keep(last, cta);
        }
    }
    return code;
}

/* Launches the kernel, whose first cycle is `start`; nothing issues before `ready`. */
static int launch(state *run, gm_window_kernel *kernel, gm_cycle start, gm_cycle ready,
                  gm_error *error)
{
    int code = gm_cta_scheduler_cost(&run->scheduler, kernel->kernel, &kernel->cost, error);
    code = code < 0 ? code
                    : gm_bypass_kernel(&run->machine.l1_shared.bypass, kernel->state.number,
                                       kernel->kernel, error);
    code = code < 0 ? code
                    : gm_cta_dispatch_start(&run->dispatch, kernel->kernel, &run->scheduler, error);
    if (code == 0) {
        gm_kernel_window_launch(&run->window, kernel, start, ready);
        kernel->state.began = gm_kernels_cycles(run, start - 1);
    }
    return code;
}

/* Returns the first cycle for which a kernel's CTAs are placed, which is launched in cycle `start`.
 * Until the work's start + sm.launch no SM issues. */
static gm_cycle ready_of(const state *run, gm_cycle start)
{
    bool waits = start != run->position.start || run->scheduler.paced;
    return waits ? start + run->window.launch : start;
}

/* Launches all kernels that can run beside those in flight. One that needs more shared memory than
 * the division of unified memory leaves waits until nothing is in flight, and with it all later
 * ones. */
static int launch_beside(state *run, gm_error *error)
{
    const gm_cycle_position *position = &run->position;
    gm_window_kernel *kernel = gm_kernel_window_launchable(&run->window);
    int code = 0;
    for (; code == 0 && kernel != NULL; kernel = gm_kernel_window_launchable(&run->window)) {
        if (kernel->kernel->shared_bytes > run->scheduler.shared_now &&
            kernel->kernel->shared_bytes <= run->machine.config->sm.shared_bytes) {
            break;
        }
        gm_cycle start = gm_kernel_window_free_from(&run->window, kernel);
        start = start > position->start ? start : position->start;
        code = launch(run, kernel, start, ready_of(run, start), error);
    }
    return code;
}

/* Reads one more kernel, and launches it if it can run. Returns 1, 0 if there is none or no room
 * for it, or a negative errno value. */
static int read_kernel(state *run, gm_error *error)
{
    gm_kernel_window *window = &run->window;
    if (!gm_kernel_window_takes(window)) {
        return 0;
    }
    gm_feed feed;
    int code = read_whole(run, error);
    code = code < 0 ? code : gm_feeder_next(run->feeder, &feed, error);
    if (code < 0) {
        return code;
    }
    if (feed.kind != GM_FEED_KERNEL) {
        window->waits = true;
        window->feed = feed;
        return 0;
    }
    run->position.commands++;
    gm_checkpoint_hash_command(run, &feed);
    code = gm_kernel_window_add(window, feed.kernel, 0, error);
    code = code < 0 ? code : launch_beside(run, error);
    return code < 0 ? code : 1;
}

/* True if the SM's L1 has nothing of another kernel, or an SM with CTAs has both. Begins to flush
 * it otherwise. */
static bool is_flushed(state *run, const gm_window_kernel *kernel, uint32_t sm, gm_cycle now)
{
    uint64_t has = run->l1_has[sm];
    gm_load_store *unit = &run->machine.load_store[sm];
    if (!has_several(run) || has == 0 || has == kernel->state.number + 1 ||
        run->scheduler.used[sm].ctas != 0) {
        return true;
    }
    gm_load_store_end_kernel(unit, now);
    run->l1_has[sm] = 0;
    return gm_load_store_idle(unit);
}

/* Returns an SM for the kernel's next CTA, or -1. */
static int find_sm(state *run, const gm_window_kernel *kernel, gm_cycle now)
{
    gm_cta_scheduler *scheduler = &run->scheduler;
    if (scheduler->kernel != kernel->state.number) {
        gm_cta_scheduler_select(scheduler, kernel->state.number, &kernel->cost);
    }
    int sm = gm_cta_scheduler_find(scheduler);
    while (sm >= 0 && !is_flushed(run, kernel, (uint32_t)sm, now)) {
        gm_cta_scheduler_close(scheduler, (uint32_t)sm);
        sm = gm_cta_scheduler_find(scheduler);
    }
    return sm;
}

/* Reads the next CTA of the only kernel. */
static int read_only_cta(void *context, gm_cta **cta, gm_error *error)
{
    state *run = context;
    return read_cta(run, &run->window.kernel[0], cta, error);
}

/* Places CTAs of the only kernel in the order of its queues. */
static int dispatch_queued(state *run, gm_window_kernel *kernel, gm_cycle now, gm_error *error)
{
    if (run->scheduler.kernel != kernel->state.number) {
        gm_cta_scheduler_select(&run->scheduler, kernel->state.number, &kernel->cost);
    }
    for (;;) {
        gm_cta *cta;
        uint32_t sm;
        int code = gm_cta_dispatch_next(&run->dispatch, &run->scheduler, run->feeder, read_only_cta,
                                        run, &sm, &cta, error);
        code = code < 0 || cta == NULL
                   ? code
                   : gm_opcode_tally_merge(&run->accounting.tally, &cta->tally, error);
        if (code < 0 || cta == NULL) {
            kernel->state.more = !gm_cta_dispatch_is_done(&run->dispatch);
            return code < 0 || kernel->state.more ? code : read_whole(run, error);
        }
        place(run, kernel, cta, sm, now);
    }
}

/* Fills the SMs with CTAs at the end of cycle `now`. */
static int dispatch(state *run, gm_cycle now, gm_error *error)
{
    for (;;) {
        gm_window_kernel *kernel = gm_kernel_window_dispatches(&run->window, now);
        if (kernel == NULL) {
            int code = read_kernel(run, error);
            if (code <= 0) {
                return code;
            }
            continue;
        }
        if (run->dispatch.queued) {
            return dispatch_queued(run, kernel, now, error);
        }
        int number = find_sm(run, kernel, now);
        if (number < 0) {
            return 0;
        }
        gm_cta *cta;
        int code = take_cta(run, kernel, &cta, error);
        if (code < 0) {
            return code;
        }
        if (cta != NULL) {
            place(run, kernel, cta, (uint32_t)number, now);
        }
    }
}

/* Opens the SMs whose L1s have been flushed for the next kernel. */
static void reopen(state *run)
{
    for (uint32_t i = 0; run->scheduler.closed_sms != 0 && i < run->machine.sms; i++) {
        if (run->scheduler.closed[i] && gm_load_store_idle(&run->machine.load_store[i])) {
            gm_cta_scheduler_reopen(&run->scheduler, i);
        }
    }
}

/* Begins the end of the work: the L1s write back. Requires that its warps have ended. */
static void end_work(state *run)
{
    gm_cycle_machine *machine = &run->machine;
    run->position.flushed = true;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_load_store_end_kernel(&machine->load_store[i], machine->now);
        run->l1_has[i] = 0;
    }
}

/* Flushes the L1s that had a kernel last, and have no CTAs. */
static void begin_closing(state *run, gm_window_kernel *kernel, gm_cycle now)
{
    kernel->state.closing = 1;
    kernel->state.visible = gm_cycle_machine_visible_from(&run->machine);
    for (uint32_t i = 0; i < run->machine.sms; i++) {
        if (run->l1_has[i] == kernel->state.number + 1 && run->scheduler.used[i].ctas == 0) {
            gm_load_store_end_kernel(&run->machine.load_store[i], now);
        }
    }
}

/* True if the kernel, whose CTAs have ended, has left no L1 with something to write back, and its
 * writes are visible. */
static bool is_closed(const state *run, const gm_window_kernel *kernel, gm_cycle now)
{
    bool closed = kernel->state.visible <= now;
    for (uint32_t i = 0; closed && i < run->machine.sms; i++) {
        closed = run->l1_has[i] != kernel->state.number + 1 || run->scheduler.used[i].ctas != 0 ||
                 gm_load_store_idle(&run->machine.load_store[i]);
    }
    return closed;
}

static void end_kernel(state *run, gm_window_kernel *kernel, gm_cycle now)
{
    for (uint32_t i = 0; i < run->machine.sms; i++) {
        if (run->l1_has[i] == kernel->state.number + 1 && run->scheduler.used[i].ctas == 0) {
            run->l1_has[i] = 0;
        }
    }
    kernel->state.ended_at = gm_kernels_cycles(run, now);
    gm_kernel_window_end(&run->window, kernel, now);
}

/* Sets *own to a kernel's own statistics: with others beside it only what is known of it alone.
 * `gain`: what the machine's counters have gained in the work. */
static void own_of(const gm_cycle_run_state *run, const gm_window_kernel *kernel,
                   const gm_statistics *gain, gm_statistics *own)
{
    const gm_kernel_state *state = &kernel->state;
    if (state->beside == 0) {
        *own = *gain;
    } else {
        *own = (gm_statistics){
            .core = state->core,
            .time = {.cycles = state->ended_at - state->began},
            .unified = run->machine.unified,
        };
    }
    own->cta = state->ctas;
    if (has_several(run)) {
        own->overlap = (gm_overlap_statistics){.stream = kernel->kernel->stream,
                                               .began = state->began,
                                               .ended = state->ended_at,
                                               .beside = state->beside};
    }
}

/* Reports a kernel with its SMs' counters, which are not known of one that ran beside others. */
static int report_kernel(state *run, const gm_window_kernel *kernel, const gm_statistics *own,
                         gm_error *error)
{
    gm_kernel_sms *sms = &run->kernel_sms;
    const bool known = sms->sms != 0 && kernel->state.beside == 0;
    const bool check = known && run->options->check && !run->stop->in_kernel;
    int code = check ? gm_kernel_sms_check(sms, own, error) : 0;
    if (code == 0 && sms->sms != 0 && run->options->checkpoint != NULL) {
        code = gm_kernel_sms_keep(sms, run->accounting.kernels - 1, error);
    }
    run->results->kernel_sms = known ? sms->own : NULL;
    return code < 0 ? code : gm_accounting_report(&run->accounting, kernel->kernel, own, error);
}

/* Reports the kernels that have ended, in launch order. */
static int report(state *run, const gm_statistics *gain, gm_error *error)
{
    gm_kernel_window *window = &run->window;
    int code = 0;
    while (code == 0 && window->count != 0 && window->kernel[0].state.ended) {
        const gm_window_kernel *first = &window->kernel[0];
        gm_statistics own;
        own_of(run, first, gain, &own);
        run->accounting.kernels++;
        gm_cycle_machine_read_sets(&run->machine, run->l2_sets);
        code = gm_cta_sample_end(&run->sample, first->kernel, run->stop->in_kernel, &own, error);
        code = code < 0 ? code
                        : gm_cycle_analyses_end_kernel(&run->analyses, first->state.number, error);
        code = code < 0 ? code : gm_checkpoint_keep_kernel(run, &own, first->state.content, error);
        code = code < 0 ? code : report_kernel(run, first, &own, error);
        gm_kernel_window_remove(window);
    }
    return code;
}

/* Ends kernels whose CTAs have ended while others run, and launches their successors. Sets *ended
 * if a kernel has ended. */
static int end_beside(state *run, gm_cycle now, bool *ended, gm_error *error)
{
    gm_kernel_window *window = &run->window;
    *ended = false;
    for (uint32_t i = 0; i < window->count; i++) {
        gm_window_kernel *kernel = &window->kernel[i];
        if (gm_kernel_is_done(&kernel->state)) {
            if (!kernel->state.closing) {
                begin_closing(run, kernel, now);
            }
            if (is_closed(run, kernel, now)) {
                end_kernel(run, kernel, now);
                *ended = true;
            }
        }
    }
    int code = *ended ? launch_beside(run, error) : 0;
    return code < 0 ? code : report(run, NULL, error);
}

/* Sets what calls gm_kernels_go_on when no CTA ends. */
static void set_due(state *run, gm_cycle now)
{
    run->due = run->scheduler.paced_sms != 0 ? now + 1 : gm_kernel_window_due(&run->window, now);
    run->flushes = run->scheduler.closed_sms != 0 || gm_kernel_window_closes(&run->window);
}

int gm_kernels_go_on(state *run, gm_cycle now, gm_error *error)
{
    int code = 0;
    bool ended = true;
    end_ctas(run, now);
    gm_cta_scheduler_begin_cycle(&run->scheduler);
    reopen(run);
    while (code == 0 && ended && !run->position.flushed) {
        code = dispatch(run, now, error);
        if (code == 0 && !gm_kernel_window_is_busy(&run->window)) {
            end_work(run);
        } else if (code == 0) {
            code = end_beside(run, now, &ended, error);
        }
    }
    set_due(run, now);
    return code;
}

/* Computes cycles, which belong to no kernel, until the machine is idle. Requires that no SM has
 * warps. Returns false if it is stuck. */
static bool drain(gm_cycle_machine *machine)
{
    gm_error error;
    bool ended = false;
    while (!gm_cycle_machine_idle(machine)) {
        gm_cycle next = gm_cycle_machine_next(machine);
        if (next == GM_NEVER) {
            return false;
        }
        gm_cycle_machine_begin(machine, next);
        gm_cycle_machine_step(machine, next, &ended, &error);
    }
    return true;
}

void gm_kernels_flush_l1s(void *context)
{
    state *run = context;
    gm_cycle_machine *machine = &run->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1_flush(&machine->load_store[i].l1);
        gm_wake(&machine->sm_wake[i], machine->now + 1);
    }
    if (drain(machine)) { /* else the next kernel finds that the machine is stuck */
        gm_cycle_machine_flush_trackers(machine);
    }
}

/* CTAs of several kernels have the shared memory of one division. */
static void limit_shared(state *run)
{
    const gm_config *config = run->machine.config;
    bool divided = has_several(run) && config->l1.unified != 0;
    run->scheduler.shared_now =
        divided ? run->machine.unified.shared_bytes : config->sm.shared_bytes;
}

/* Divides unified memory for a kernel (l1.unified). L1s whose size changes are emptied first. */
static void divide_unified(state *run, const gm_kernel *kernel)
{
    gm_cycle_machine *machine = &run->machine;
    const gm_unified_statistics unified = gm_l1_share_of(machine->config, &run->scheduler, kernel);
    bool resizes = gm_cycle_machine_resizes(machine, &unified);
    if (resizes) {
        gm_kernels_flush_l1s(run);
    }
    gm_cycle_machine_divide(machine, &unified);
    if (resizes) {
        gm_cycle_analyses_resize(&run->analyses);
    }
    limit_shared(run);
}

int gm_kernels_begin(state *run, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    gm_window_kernel *first = &run->window.kernel[0];
    int code = gm_cta_scheduler_start(&run->scheduler, first->kernel, error);
    if (code < 0) {
        return code;
    }
    divide_unified(run, first->kernel);
    gm_cycle_position *position = &run->position;
    position->start = machine->now + 1;
    position->flushed = false;
    if (machine->values != NULL) {
        gm_values_kernel(machine->values, first->state.number, first->kernel);
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_sm_start(&machine->sm[i], position->start);
    }
    gm_machine_sampling_begin(machine, first->kernel, first->state.number, machine->now);
    code = gm_cta_sample_begin(&run->sample, first->kernel, first->state.number, &run->scheduler,
                               error);
    code = code < 0 ? code
                    : launch(run, first, position->start, ready_of(run, position->start), error);
    code = code < 0 ? code : launch_beside(run, error);
    return code < 0 ? code : gm_kernels_go_on(run, machine->now, error);
}

int gm_kernels_resume(state *run, gm_error *error)
{
    int code = 0;
    limit_shared(run);
    for (uint32_t i = 0; code == 0 && i < run->window.count; i++) {
        gm_window_kernel *kernel = &run->window.kernel[i];
        if (kernel->state.launched) {
            code = gm_cta_scheduler_cost(&run->scheduler, kernel->kernel, &kernel->cost, error);
            code = code < 0 ? code
                            : gm_bypass_kernel(&run->machine.l1_shared.bypass, kernel->state.number,
                                               kernel->kernel, error);
        }
    }
    set_due(run, run->machine.now);
    return code;
}

/* Sets *sum to the machine's counters, *gain to what they have gained in the work. */
static void close_work(state *run, gm_statistics *sum, gm_statistics *gain)
{
    run->position.cycles = gm_kernels_cycles(run, run->machine.now);
    run->position.start = run->machine.now + 1;
    gm_cycle_machine_sum(&run->machine, sum);
    sum->time.cycles = run->position.cycles;
    gm_accounting_gain(&run->accounting, sum, gain);
    for (uint32_t i = 0; i < run->kernel_sms.sms; i++) {
        gm_statistics now;
        gm_cycle_machine_sm_statistics(&run->machine, i, &now);
        now.time.cycles = run->position.cycles;
        gm_kernel_sms_take(&run->kernel_sms, i, &now);
    }
}

/* Checks the invariants, if the options or the build ask for them. */
static int check(const state *run, const gm_statistics *sum, gm_error *error)
{
    gm_error broken;
    gm_assert(run->options->check || gm_cycle_check(run, sum, &broken) == 0, "%s", broken.text);
    return run->options->check ? gm_cycle_check(run, sum, error) : 0;
}

int gm_kernels_finish_writes(state *run, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    if (gm_cycle_machine_idle(machine)) {
        return 0;
    }
    if (!drain(machine)) {
        char text[400];
        gm_cycle_machine_oldest(machine, text, sizeof text);
        return gm_fail(error, -EDEADLK, "cycle %" PRIu64 ": no progress behind a kernel's end: %s",
                       machine->now, text);
    }
    int code = gm_cycle_machine_failed(machine, error);
    gm_statistics sum;
    gm_statistics of_no_kernel;
    gm_cycle_machine_sum(machine, &sum);
    sum.time.cycles = run->position.cycles;
    gm_accounting_gain(&run->accounting, &sum, &of_no_kernel);
    return code < 0 ? code : check(run, &sum, error);
}

int gm_kernels_end(state *run, gm_error *error)
{
    gm_cycle_machine *machine = &run->machine;
    gm_kernel_window *window = &run->window;
    gm_cycle_machine_end_kernel(machine);
    int code = gm_cycle_machine_failed(machine, error);
    if (machine->l1_shared.policy.flush) {
        gm_cycle_machine_flush_trackers(machine);
    }
    code = code < 0 ? code : gm_cycle_machine_end_values(machine, error);
    if (code < 0) {
        return code;
    }
    for (uint32_t i = 0; i < window->count; i++) {
        if (gm_kernel_is_done(&window->kernel[i].state)) {
            end_kernel(run, &window->kernel[i], machine->now);
        }
    }
    gm_machine_sampling_end(machine);
    gm_cycle_machine_visit_channels(machine); /* which may have work left: gpu.kernel_end */
    gm_statistics sum;
    gm_statistics gain;
    close_work(run, &sum, &gain);
    code = check(run, &sum, error);
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_sm_end(&machine->sm[i]);
    }
    return code < 0 ? code : report(run, &gain, error);
}

/* Subtracts from the counters what resident CTAs have not issued. */
static void subtract_unissued(state *run)
{
    gm_cycle_machine *machine = &run->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        for (uint32_t k = 0; k < run->window.count; k++) {
            gm_kernel_state *kernel = &run->window.kernel[k].state;
            gm_core_statistics left = {0};
            gm_cycle_sm_left(&machine->sm[i], kernel->number, &left);
            gm_core_statistics_subtract(&kernel->core, &left);
            gm_core_statistics_subtract(&machine->sm[i].core, &left);
        }
    }
}

/* Ends all kernels up to the last launched one; one between them that was not has done nothing. */
static void end_all(state *run)
{
    gm_kernel_window *window = &run->window;
    gm_cycle now = run->machine.now;
    uint32_t count = window->count;
    while (count != 0 && !window->kernel[count - 1].state.launched) {
        count--;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!window->kernel[i].state.ended) {
            gm_kernel_state *kernel = &window->kernel[i].state;
            if (!kernel->launched) {
                kernel->began = gm_kernels_cycles(run, now);
                kernel->beside = 1;
            }
            end_kernel(run, &window->kernel[i], now);
        }
    }
    run->stop->kernel = window->kernel[count - 1].state.number;
}

/* Checks no invariants, which hold only when nothing is in flight. */
int gm_kernels_stop(state *run, gm_error *error)
{
    int code = gm_cycle_machine_failed(&run->machine, error);
    gm_cycle_machine_visit_channels(&run->machine);
    if (code == 0 && run->options->checkpoint != NULL) {
        code = gm_checkpoint_save(run, error);
        run->stop->saved = code == 0;
    }
    if (code < 0) {
        return code;
    }
    if (gm_accounting_limited(&run->accounting)) {
        subtract_unissued(run);
    }
    run->stop->in_kernel = true;
    end_all(run);
    gm_statistics sum;
    gm_statistics gain;
    close_work(run, &sum, &gain);
    run->stop->cycles = run->position.cycles;
    code = report(run, &gain, error);
    return code < 0 ? code : 1;
}
