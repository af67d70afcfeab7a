/* The order engine: in each round every SM in turn selects the next ready warp of its run queue,
 * and one instruction of the warp goes through the whole hierarchy at once [anssari, 4.1]. */
#include "frontend/accounting.h"
#include "frontend/cta_dispatch.h"
#include "frontend/feeder.h"
#include "frontend/kernel_sms.h"
#include "frontend/l1_share.h"
#include "frontend/warm_up.h"
#include "goldmem/assert.h"
#include "order/order_machine.h"
#include "order/order_variants.h"

#include <errno.h>
#include <stdlib.h>

enum {
    DEFAULT_BUFFER = 16 << 20, /* bytes */
    SOURCE_THREADS = 2,        /* threads from which the source has its own */
    MEMORY_THREADS = 3,        /* threads from which the memory side has its own */
};

typedef struct order {
    gm_order_machine machine;
    gm_feeder *feeder;
    gm_warp_store *store;
    gm_analysis *analysis;       /* owned by the results */
    gm_set_contents *l2_sets;    /* owned by the results; NULL: not asked for */
    gm_order_variants *variants; /* or NULL */
    const gm_run_options *options;
    gm_accounting accounting;
    gm_stop *stop; /* of the results */
    gm_warmed warmed;
    bool warms;              /* the warm-up goes on */
    uint64_t ctas;           /* of the kernel, dispatched */
    uint64_t limit_check_at; /* instructions executed from which max_instructions may be reached */
    bool more;               /* the kernel has CTAs not yet dispatched */
    bool whole;              /* its end has been read */
    gm_cta_dispatch dispatch;
    gm_kernel_sms kernel_sms; /* with options->kernel_sms */
    gm_results *results;      /* the caller's */
} order;

static int end_cta(order *order, gm_cta *cta)
{
    gm_cta_scheduler_release(&order->machine.scheduler, cta->sm);
    gm_feeder_recycle(order->feeder, cta);
    return 0;
}

/* Reads the kernel's next CTA into *cta, or NULL at its end. */
static int read_cta(void *context, gm_cta **cta, gm_error *error)
{
    order *order = context;
    gm_feed feed;
    *cta = NULL;
    int code = order->whole ? 0 : gm_feeder_next(order->feeder, &feed, error);
    if (code < 0 || order->whole) {
        return code;
    }
    order->whole = feed.kind != GM_FEED_CTA; /* KERNEL_END, the only record that follows CTAs */
    *cta = order->whole ? NULL : feed.cta;
    return 0;
}

/* Sets *cta to the CTA that is placed next, *number to its SM; *cta is NULL if none can be now. */
static int next_cta(order *order, uint32_t *number, gm_cta **cta, gm_error *error)
{
    gm_cta_scheduler *scheduler = &order->machine.scheduler;
    int code = 0;
    *cta = NULL;
    if (order->dispatch.queued) {
        code = gm_cta_dispatch_next(&order->dispatch, scheduler, order->feeder, read_cta, order,
                                    number, cta, error);
        order->more = *cta != NULL || !gm_cta_dispatch_is_done(&order->dispatch);
        gm_cta *none;
        return code < 0 || order->more ? code : read_cta(order, &none, error);
    }
    int found = gm_cta_scheduler_find(scheduler);
    if (found >= 0) {
        *number = (uint32_t)found;
        code = read_cta(order, cta, error);
        order->more = !order->whole;
    }
    return code;
}

/* Dispatches CTAs while an SM has room. */
static int dispatch(order *order, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    while (order->more) {
        gm_cta *cta;
        uint32_t number = 0;
        int code = next_cta(order, &number, &cta, error);
        if (code < 0 || cta == NULL) {
            return code;
        }
        code = gm_opcode_tally_merge(&order->accounting.tally, &cta->tally, error);
        if (code < 0) {
            return code;
        }
        gm_order_sm *sm = &machine->sm[number];
        machine->delivered.ctas++;
        machine->delivered.warps += cta->warps;
        machine->delivered.instructions += cta->core.warp_instructions;
        machine->delivered.lanes += cta->core.thread_instructions;
        order->ctas++;
        gm_cta_scheduler_place(&machine->scheduler, number);
        uint32_t resident = sm->resident;
        if (gm_order_sm_admit(sm, cta)) {
            end_cta(order, cta);
        }
        machine->resident += sm->resident - resident;
    }
    return 0;
}

/* Adds the instructions that the SM's warps have not yet executed. */
static void add_left(const gm_order_sm *sm, gm_core_statistics *left)
{
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        const gm_resident_warp *warp = &sm->warp[slot];
        if (warp->cta != NULL) {
            gm_cta_left(warp->cta, warp->place, left);
        }
    }
}

/* Sets the counters of the results to those up to now. */
static int count_all(order *order, gm_results *results, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    const gm_memory_side *memory = &machine->memory;
    gm_order_noc_drain(&machine->noc);
    int code = gm_order_machine_failed(machine, error);
    code = code < 0 ? code
                    : gm_accounting_make_results(results, machine->sms, memory->banks,
                                                 memory->partitions, error);
    if (code < 0) {
        return code;
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_machine_sm_statistics(&machine->sm[i], &results->per_sm[i]);
    }
    for (uint32_t i = 0; i < memory->banks; i++) {
        gm_order_machine_bank_statistics(&memory->bank[i], &results->per_bank[i]);
    }
    for (uint32_t i = 0; i < memory->partitions; i++) {
        results->per_partition[i].dram = memory->channel[i].statistics;
    }
    /* Copies after the last kernel belong to the total only. */
    gm_order_machine_sum(machine, &results->total);
    gm_accounting_add_copies(&order->accounting, &results->total);
    return 0;
}

/* Returns the thread instructions executed. */
static uint64_t count_executed(const order *order)
{
    gm_core_statistics left = {0};
    uint64_t begun = 0;
    for (uint32_t i = 0; i < order->machine.sms; i++) {
        begun += order->machine.sm[i].core.thread_instructions;
        add_left(&order->machine.sm[i], &left);
    }
    return begun - left.thread_instructions;
}

/* True if the warm-up, which goes on, ends with what has been executed. */
static bool is_warm(order *order)
{
    const gm_warm_up *warm_up = &order->options->warm_up;
    switch (warm_up->kind) {
    case GM_WARM_UP_KERNELS:
        return order->accounting.kernels >= warm_up->count;
    case GM_WARM_UP_CTAS:
        return order->machine.delivered.ctas -
                   gm_cta_scheduler_resident(&order->machine.scheduler) >=
               warm_up->count;
    case GM_WARM_UP_INSTRUCTIONS:
        if (order->accounting.executed >= order->warmed.check_at) {
            uint64_t executed = count_executed(order);
            uint64_t rest = executed < warm_up->count ? warm_up->count - executed : 0;
            order->warmed.check_at =
                order->accounting.executed + (rest + GM_WARP_SIZE - 1) / GM_WARP_SIZE;
            return rest == 0;
        }
        return false;
    case GM_WARM_UP_NONE:
        break;
    }
    return false;
}

/* Takes the counters at the end of the warm-up, if it ends now. What CTAs have not executed counts
 * later. */
static int end_warm_up(order *order, gm_error *error)
{
    gm_results *at = &order->warmed.at;
    if (!gm_warm_up_goes_on(&order->warmed, order->options) || !is_warm(order)) {
        return 0;
    }
    int code = count_all(order, at, error);
    for (uint32_t i = 0; code == 0 && i < order->machine.sms; i++) {
        gm_core_statistics left = {0};
        add_left(&order->machine.sm[i], &left);
        gm_core_statistics_subtract(&at->per_sm[i].core, &left);
        gm_core_statistics_subtract(&at->total.core, &left);
    }
    order->warmed.reached = code == 0;
    return code;
}

/* Returns true if max_instructions have been executed, after each warp instruction. Counts anew
 * only when full warps could have executed the rest. */
static bool is_at_limit(order *order)
{
    uint64_t limit = order->options->max_instructions;
    if (limit == 0 || order->accounting.executed < order->limit_check_at) {
        return false;
    }
    uint64_t executed = count_executed(order);
    if (executed >= limit) {
        order->stop->reason = GM_STOP_INSTRUCTIONS;
        return true;
    }
    order->limit_check_at =
        order->accounting.executed + (limit - executed + GM_WARP_SIZE - 1) / GM_WARP_SIZE;
    return false;
}

/* Runs one step of every SM, up to the limit. Sets *freed if a CTA has ended. */
static int run_round(order *order, bool *freed, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_sm *sm = &machine->sm[i];
        if (sm->resident == 0) {
            continue;
        }
        gm_cta *ended;
        uint32_t resident = sm->resident;
        int code = gm_order_sm_step(sm, &machine->shared, &ended, error);
        if (code < 0) {
            return code;
        }
        order->accounting.executed++;
        machine->resident -= resident - sm->resident;
        if (ended != NULL) {
            end_cta(order, ended);
            *freed = true;
        }
        if (order->warms) {
            code = end_warm_up(order, error);
            order->warms = gm_warm_up_goes_on(&order->warmed, order->options);
        }
        if (code == 0 && order->accounting.executed >= order->limit_check_at &&
            is_at_limit(order)) {
            return 1;
        }
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

static void flush_l1s(void *context)
{
    order *order = context;
    gm_order_machine *machine = &order->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_l1_flush(&machine->sm[i].l1);
        if (order->analysis != NULL) {
            gm_analysis_l1_flush(order->analysis, i);
        }
    }
    gm_trackers_flush(&machine->trackers);
    if (order->variants != NULL) {
        gm_order_variants_flush_l1s(order->variants);
    }
}

/* Divides unified memory for a kernel (l1.unified). L1s whose size changes are emptied first. */
static void divide_unified(order *order, const gm_kernel *kernel)
{
    gm_order_machine *machine = &order->machine;
    machine->unified = gm_l1_share_of(machine->config, &machine->scheduler, kernel);
    uint32_t ways = (uint32_t)machine->unified.l1_ways;
    if (ways == 0 || ways == machine->sm[0].l1.cache.ways) {
        return;
    }
    flush_l1s(order);
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cache_resize(&machine->sm[i].l1.cache, ways);
    }
    if (order->variants != NULL) {
        gm_order_variants_resize_l1s(order->variants, ways);
    }
    if (order->analysis != NULL) {
        gm_analysis_l1_resize(order->analysis, gm_cache_slots(&machine->sm[0].l1.cache));
    }
}

/* Reports a kernel, with its SMs' counters if they are asked for. */
static int report_kernel(order *order, const gm_kernel *kernel, const gm_statistics *own,
                         gm_error *error)
{
    gm_kernel_sms *sms = &order->kernel_sms;
    for (uint32_t i = 0; i < sms->sms; i++) {
        gm_statistics now;
        gm_order_machine_sm_statistics(&order->machine.sm[i], &now);
        gm_kernel_sms_take(sms, i, &now);
    }
    const bool check = sms->sms != 0 && order->options->check && !order->stop->in_kernel;
    int code = check ? gm_kernel_sms_check(sms, own, error) : 0;
    order->results->kernel_sms = sms->own;
    return code < 0 ? code : gm_accounting_report(&order->accounting, kernel, own, error);
}

static int end_kernel(order *order, const gm_kernel *kernel, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    if (machine->l1_policy.flush) {
        flush_l1s(order);
    }
    gm_order_noc_drain(&machine->noc);
    gm_memory_side_end_kernel(&machine->memory);
    int code = gm_order_machine_failed(machine, error);
    code = code < 0 ? code : gm_order_machine_end_values(machine, error);
    if (code < 0) {
        return code;
    }
    gm_statistics sum;
    gm_order_machine_sum(machine, &sum);
    gm_statistics own;
    gm_accounting_close(&order->accounting, &sum, &own);
    machine->total = order->accounting.total;
    if (order->options->check) {
        code = gm_order_machine_check(machine, error);
    }
    if (code == 0 && order->variants != NULL) {
        code = gm_order_variants_end_kernel(order->variants, machine, order->options->check, error);
    }
    gm_error broken;
    gm_assert(order->options->check || gm_order_machine_check(machine, &broken) == 0, "%s",
              broken.text);
    if (code == 0 && order->analysis != NULL) {
        code = gm_analysis_kernel_end(order->analysis, machine->shared.kernel, error);
    }
    gm_order_machine_read_sets(machine, order->l2_sets);
    code = code == 0 ? end_warm_up(order, error) : code;
    return code == 0 ? report_kernel(order, kernel, &own, error) : code;
}

/* Stops the run within the kernel, whose conservation laws are not checked. */
static int stop_kernel(order *order, const gm_kernel *kernel, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    gm_order_noc_drain(&machine->noc);
    int code = gm_order_machine_failed(machine, error);
    if (code < 0) {
        return code;
    }
    for (uint32_t i = 0; gm_accounting_limited(&order->accounting) && i < machine->sms; i++) {
        gm_core_statistics left = {0};
        add_left(&machine->sm[i], &left);
        gm_core_statistics_subtract(&machine->sm[i].core, &left);
    }
    order->stop->in_kernel = true;
    order->stop->kernel = order->accounting.kernels;
    gm_statistics sum;
    gm_statistics own;
    gm_order_machine_sum(machine, &sum);
    gm_accounting_close(&order->accounting, &sum, &own);
    if (order->analysis != NULL) {
        code = gm_analysis_kernel_end(order->analysis, machine->shared.kernel, error);
    }
    gm_order_machine_read_sets(machine, order->l2_sets);
    code = code < 0 ? code : report_kernel(order, kernel, &own, error);
    return code < 0 ? code : 1;
}

/* Reports the progress now and then. Returns 1 if the run is to stop. */
static int tell_progress(order *order, gm_error *error)
{
    if (!gm_accounting_progress_due(&order->accounting)) {
        return 0;
    }
    const gm_run_ctas ctas = {order->ctas, gm_cta_scheduler_resident(&order->machine.scheduler)};
    int code = gm_accounting_progress(&order->accounting, ctas, error);
    if (code > 0) {
        order->stop->reason = GM_STOP_ASKED;
    }
    return code;
}

static int run_kernel(order *order, const gm_kernel *kernel, gm_error *error)
{
    gm_order_machine *machine = &order->machine;
    if (is_at_limit(order)) {
        return 1; /* before the kernel */
    }
    machine->shared.context.shared_base = kernel->shared_base;
    machine->shared.context.local_base = kernel->local_base;
    machine->shared.kernel = order->accounting.kernels;
    if (machine->values != NULL) {
        gm_values_kernel(machine->values, order->accounting.kernels, kernel);
    }
    machine->shared.warps = gm_kernel_warps(kernel);
    int code = gm_cta_scheduler_start(&machine->scheduler, kernel, error);
    code = code < 0 ? code
                    : gm_bypass_kernel(&machine->bypass, order->accounting.kernels, kernel, error);
    if (code == 0 && order->variants != NULL) {
        code = gm_order_variants_kernel(order->variants, order->accounting.kernels, kernel, error);
    }
    if (code == 0) {
        divide_unified(order, kernel);
    }
    bool freed = true;
    code = code < 0 ? code
                    : gm_cta_dispatch_start(&order->dispatch, kernel, &machine->scheduler, error);
    order->more = true;
    order->whole = false;
    order->ctas = 0;
    while (code == 0) {
        if (freed) {
            freed = false;
            code = dispatch(order, error);
        }
        if (code != 0 || (machine->resident == 0 && !order->more)) {
            break;
        }
        code = run_round(order, &freed, error);
        code = code != 0 ? code : tell_progress(order, error);
    }
    return code < 0   ? code
           : code > 0 ? stop_kernel(order, kernel, error)
                      : end_kernel(order, kernel, error);
}

static void put_copy(void *context, gm_message_kind kind, uint64_t l2_line, uint32_t sectors)
{
    order *order = context;
    gm_order_noc_copy(&order->machine.noc, kind, l2_line, sectors);
    if (order->variants != NULL) {
        gm_order_variants_copy(order->variants, kind, l2_line, sectors);
    }
}

static int run(order *order, gm_error *error)
{
    const gm_copy_sink sink = {order, put_copy, flush_l1s};
    int code = 0;
    while (code == 0) {
        gm_feed feed;
        code = gm_feeder_next(order->feeder, &feed, error);
        if (code < 0 || feed.kind == GM_FEED_END) {
            break;
        }
        if (feed.kind == GM_FEED_COPY) {
            code =
                gm_accounting_copy(&order->accounting, order->machine.config, &feed, &sink, error);
            if (code > 0) {
                order->stop->reason = GM_STOP_ASKED;
            }
        } else if (feed.kind == GM_FEED_KERNEL) {
            code = run_kernel(order, feed.kernel, error);
            free(feed.kernel);
        }
    }
    return code;
}

/* Adds the totals of the variants to the results. */
static int fill_variants(const order *order, gm_results *results, gm_error *error)
{
    uint64_t count = order->options->variant_count;
    results->variants = calloc(count, sizeof *results->variants);
    if (results->variants == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the variants' counters");
    }
    for (uint64_t i = 0; i < count; i++) {
        gm_order_variants_sum(order->variants, i, &order->machine, &results->variants[i]);
        gm_accounting_add_copies(&order->accounting, &results->variants[i]);
    }
    return 0;
}

static int fill_results(order *order, gm_results *results, gm_error *error)
{
    int code = count_all(order, results, error);
    if (code < 0) {
        return code;
    }
    if (results->stop.reason != GM_STOP_NONE && !results->stop.in_kernel) {
        results->stop.kernel = order->accounting.kernels;
    }
    results->kernels = order->accounting.kernels;
    return order->variants != NULL ? fill_variants(order, results, error) : 0;
}

/* Prepares what the options ask for beside the counters. Requires the machine. */
static int keep_records(order *order, const gm_config *config, gm_error *error)
{
    const gm_run_options *options = order->options;
    int code = 0;
    if (options->check_values) {
        code = gm_order_machine_keep_values(&order->machine, &order->accounting.executed,
                                            options->values, error);
    }
    if (code == 0 && options->variant_count != 0) {
        code = gm_order_variants_create(&order->variants, config, options, error);
    }
    if (code == 0 && options->kernel_sms) {
        code = gm_kernel_sms_init(&order->kernel_sms, order->machine.sms, error);
    }
    if (code == 0 && options->l2_sets) {
        code = gm_set_contents_make(&order->l2_sets, config, error);
    }
    if (code == 0 && options->analyses != 0) {
        code = gm_analysis_create(&order->analysis, config, options->analyses, error);
        if (code == 0 && (options->analyses & GM_ANALYZE_MRC)) {
            gm_analysis_sample_mrc(order->analysis, &options->mrc);
        }
    }
    order->machine.shared.analysis = order->analysis;
    order->machine.memory.analysis = order->analysis;
    if (order->variants != NULL) {
        order->machine.shared.tap = gm_order_variants_tap(order->variants);
    }
    return code;
}

/* Makes the warp store, and begins to read the source into it. */
static int start_feeder(order *order, const gm_config *config, gm_source *source, gm_error *error)
{
    const gm_run_options *options = order->options;
    bool lanes = options->analyses != 0 || options->variant_count != 0;
    const gm_feeder_options feeder = {
        .threaded = options->threads >= SOURCE_THREADS,
        .logs = gm_accounting_limited(&order->accounting),
        .words = options->check_values,
        .form = lanes ? GM_INTAKE_LANES : GM_INTAKE_LINES,
        .kernels = options->kernels,
    };
    size_t buffer = options->buffer_bytes == 0 ? DEFAULT_BUFFER : options->buffer_bytes;
    int code = gm_warp_store_create(&order->store, buffer, error);
    order->machine.shared.store = order->store;
    return code < 0 ? code
                    : gm_feeder_start(&order->feeder, config, source, order->store, &feeder, error);
}

static int start(order *order, const gm_config *config, gm_source *source, gm_error *error)
{
    const gm_run_options *options = order->options;
    /* Analyses and values require the accesses of both levels in one order: no thread for the
     * memory side. */
    bool memory_thread =
        options->threads >= MEMORY_THREADS && options->analyses == 0 && !options->check_values;
    int code = gm_order_machine_init(&order->machine, config, memory_thread, error);
    code = code < 0 ? code : gm_cta_dispatch_init(&order->dispatch, config, error);
    order->dispatch.queues.observer = options->cta_queues;
    code = code < 0 ? code : gm_accounting_open(&order->accounting, options, config, error);
    if (code < 0) {
        return code;
    }
    gm_order_machine_write_profile(&order->machine, order->accounting.profile);
    gm_order_machine_observe(&order->machine, options);
    code = keep_records(order, config, error);
    return code < 0 ? code : start_feeder(order, config, source, error);
}

/* Checks, before anything is read, options that the engine lacks. */
static int check_options(const gm_run_options *options, gm_error *error)
{
    if (options->max_cycles != 0) {
        return gm_fail(error, -EINVAL, "a limit of cycles needs the cycle engine (--engine=cycle)");
    }
    if (options->sample.share != 0) {
        return gm_fail(error, -EINVAL,
                       "--sample needs the cycle engine (--engine=cycle): here a CTA that is left "
                       "out would cost as much as one that is not");
    }
    if (options->per_pc) {
        return gm_fail(error, -EINVAL,
                       "counts by instruction need the cycle engine (--engine=cycle)");
    }
    if (options->latencies) {
        return gm_fail(error, -EINVAL, "latencies need the cycle engine (--engine=cycle)");
    }
    if ((options->analyses & GM_ANALYZE_FILLS) != 0) {
        return gm_fail(error, -EINVAL,
                       "the analysis fills needs the cycle engine (--engine=cycle)");
    }
    return gm_warm_up_check(options, error);
}

int gm_order_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error)
{
    *results = (gm_results){0};
    int code = check_options(options, error);
    if (code < 0) {
        return code;
    }
    order *order = calloc(1, sizeof *order);
    if (order == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the order engine");
    }
    order->options = options;
    order->stop = &results->stop;
    order->results = results;
    order->limit_check_at = options->max_instructions == 0 ? UINT64_MAX : 0;
    order->warms = options->warm_up.kind != GM_WARM_UP_NONE;
    code = start(order, config, source, error);
    results->analysis = order->analysis; /* callbacks may read them */
    results->l2_sets = order->l2_sets;
    code = code < 0 ? code : run(order, error);
    if (code > 0 && results->stop.reason != GM_STOP_NONE) {
        code = 0; /* a stop is no failure */
    }
    code = code != 0 ? code : fill_results(order, results, error);
    code = code != 0 ? code : gm_warm_up_subtract(&order->warmed, options, results, config, error);
    if (code == 0 && results->stop.reason != GM_STOP_ASKED) {
        code = gm_accounting_end(&order->accounting, error);
    }
    if (order->feeder != NULL) {
        gm_feeder_stop(order->feeder);
    }
    gm_cta_dispatch_free(&order->dispatch);
    gm_kernel_sms_free(&order->kernel_sms);
    results->kernel_sms = NULL;
    code = code != 0 ? code
                     : gm_opcode_tally_results(&order->accounting.tally, &source->opcodes, results,
                                               error);
    results->has_clusters = source->has_clusters;
    if (order->store != NULL) {
        gm_warp_store_free(order->store);
    }
    gm_accounting_free(&order->accounting);
    gm_order_machine_free(&order->machine);
    gm_order_variants_free(order->variants);
    gm_warmed_free(&order->warmed);
    free(order);
    if (code != 0) {
        gm_analysis_free(results->analysis);
        gm_accounting_drop_results(results);
    }
    return code;
}
