/* The order engine: in each round every SM in turn takes the next ready warp of its run queue, and
 * one of its instructions goes through the whole hierarchy at once [anssari, 4.1]. */
#include "system/feeder.h"
#include "system/machine.h"

#include <errno.h>
#include <stdlib.h>

enum {
    DEFAULT_BUFFER = 16 << 20, /* bytes */
    PROGRESS_PERIOD = 1 << 16, /* warp instructions */
    COPY_PERIOD = 1 << 20,     /* lines of a copy */
    SOURCE_THREADS = 2,        /* from this many on, the source has its own */
    MEMORY_THREADS = 3,        /* likewise the memory side */
};

#define MOST_COPY (UINT64_C(1) << 40) /* bytes: more than any GPU's memory */

typedef struct order {
    gm_machine machine;
    gm_feeder *feeder;
    gm_warp_store *store;
    gm_analysis *analysis; /* owned by the results */
    const gm_run_options *options;
    gm_statistics before; /* sum at the end of the last kernel */
    uint64_t kernels;
    uint64_t executed; /* warp instructions */
    uint64_t reported; /* of them, at the last call of options->progress */
    bool more;         /* the kernel has CTAs not yet dispatched */
} order;

static int end_cta(order *order, gm_cta *cta)
{
    gm_cta_scheduler_release(&order->machine.scheduler, cta->sm);
    gm_feeder_recycle(order->feeder, cta);
    return 0;
}

/* Fills the SMs with CTAs. */
static int dispatch(order *order, gm_error *error)
{
    gm_machine *machine = &order->machine;
    while (order->more) {
        int number = gm_cta_scheduler_find(&machine->scheduler);
        if (number < 0) {
            break;
        }
        gm_feed feed;
        int code = gm_feeder_next(order->feeder, &feed, error);
        if (code < 0) {
            return code;
        }
        if (feed.kind != GM_FEED_CTA) {
            order->more = false; /* KERNEL_END: nothing else follows CTAs */
            break;
        }
        gm_sm *sm = &machine->sm[number];
        machine->delivered.ctas++;
        machine->delivered.warps += feed.cta->warps;
        machine->delivered.instructions += feed.cta->core.warp_instructions;
        machine->delivered.lanes += feed.cta->core.thread_instructions;
        gm_cta_scheduler_place(&machine->scheduler, (uint32_t)number);
        uint32_t resident = sm->resident;
        if (gm_sm_admit(sm, feed.cta)) {
            end_cta(order, feed.cta);
        }
        machine->resident += sm->resident - resident;
    }
    return 0;
}

static int report_progress(order *order, gm_error *error)
{
    const gm_run_options *options = order->options;
    if (options->progress == NULL || order->executed - order->reported < PROGRESS_PERIOD) {
        return 0;
    }
    order->reported = order->executed;
    return options->progress(options->context, order->executed, error);
}

/* Every SM takes one step; *freed: a CTA has ended. */
static int run_round(order *order, bool *freed, gm_error *error)
{
    gm_machine *machine = &order->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_sm *sm = &machine->sm[i];
        if (sm->resident == 0) {
            continue;
        }
        gm_cta *ended;
        uint32_t resident = sm->resident;
        int code = gm_sm_step(sm, &machine->shared, &ended, error);
        if (code < 0) {
            return code;
        }
        order->executed++;
        machine->resident -= resident - sm->resident;
        if (ended != NULL) {
            end_cta(order, ended);
            *freed = true;
        }
    }
    return 0;
}

static void flush_l1s(order *order)
{
    gm_machine *machine = &order->machine;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_l1d_flush(&machine->sm[i].l1d);
        if (order->analysis != NULL) {
            gm_analysis_l1_flush(order->analysis, i);
        }
    }
}

/* a - b, counter by counter: the structs hold nothing but 64-bit counters. */
static void subtract(gm_statistics *from, const gm_statistics *what)
{
    uint64_t *left = (uint64_t *)from;
    const uint64_t *right = (const uint64_t *)what;
    for (size_t i = 0; i < sizeof *from / sizeof *left; i++) {
        left[i] -= right[i];
    }
}

static int end_kernel(order *order, const gm_kernel *kernel, gm_error *error)
{
    gm_machine *machine = &order->machine;
    if (machine->l1d_policy.flush) {
        flush_l1s(order);
    }
    gm_noc_drain(&machine->noc);
    int code = gm_machine_failed(machine, error);
    if (code < 0) {
        return code;
    }
    gm_statistics sum;
    gm_machine_sum(machine, &sum);
    gm_statistics own = sum;
    subtract(&own, &order->before);
    own.l2_dirty_sectors = sum.l2_dirty_sectors;
    gm_statistics_add(&machine->total, &own);
    order->before = sum;
    order->kernels++;
    if (order->options->check) {
        code = gm_machine_check(machine, error);
    }
    if (code == 0 && order->analysis != NULL) {
        gm_analysis_kernel_end(order->analysis);
    }
    if (code == 0 && order->options->kernel_done != NULL) {
        code = order->options->kernel_done(order->options->context, kernel, &own, error);
    }
    return code;
}

static int run_kernel(order *order, const gm_kernel *kernel, gm_error *error)
{
    gm_machine *machine = &order->machine;
    machine->shared.context.shared_base = kernel->shared_base;
    machine->shared.context.local_base = kernel->local_base;
    machine->shared.kernel = order->kernels;
    machine->shared.warps = gm_kernel_warps(kernel);
    int code = gm_cta_scheduler_start(&machine->scheduler, kernel, error);
    bool freed = true;
    order->more = true;
    while (code == 0) {
        if (freed) {
            freed = false;
            code = dispatch(order, error);
        }
        if (code != 0 || (machine->resident == 0 && !order->more)) {
            break;
        }
        code = run_round(order, &freed, error);
        code = code < 0 ? code : report_progress(order, error);
    }
    return code != 0 ? code : end_kernel(order, kernel, error);
}

/* A host-to-device copy: through the L2 when l2.copy_fills says so, where it leaves clean lines;
 * else past it, so that the lines there become stale and go. So do the lines of L1s that kernels'
 * ends do not flush. */
static int copy(order *order, const gm_feed *feed, gm_error *error)
{
    const gm_run_options *options = order->options;
    gm_machine *machine = &order->machine;
    machine->copies++;
    machine->copy_bytes += feed->bytes;
    if (feed->bytes > MOST_COPY || feed->address > UINT64_MAX - feed->bytes) {
        return gm_fail(error, -EINVAL, "a copy of %llu bytes to 0x%llx: no GPU has such memory",
                       (unsigned long long)feed->bytes, (unsigned long long)feed->address);
    }
    bool fills = machine->config->l2.copy_fills;
    if (feed->bytes == 0 || (!fills && order->kernels == 0)) {
        return 0; /* nothing is cached yet */
    }
    if (!machine->l1d_policy.flush && order->kernels != 0) {
        flush_l1s(order);
    }
    unsigned shift = machine->memory.map.line_shift;
    uint64_t last = (feed->address + feed->bytes - 1) >> GM_SECTOR_SHIFT;
    uint64_t sectors = UINT64_C(1) << (shift - GM_SECTOR_SHIFT); /* of a line */
    for (uint64_t first = feed->address >> GM_SECTOR_SHIFT; first <= last;) {
        uint64_t end = (first | (sectors - 1)) < last ? first | (sectors - 1) : last;
        uint64_t mask =
            gm_mask((unsigned)(end % sectors) + 1) & ~gm_mask((unsigned)(first % sectors));
        gm_noc_copy(&machine->noc, fills ? GM_MESSAGE_INSTALL : GM_MESSAGE_DISCARD,
                    first >> (shift - GM_SECTOR_SHIFT), (uint32_t)mask);
        first = end + 1;
        if (first / sectors % COPY_PERIOD == 0 && options->progress != NULL) {
            int code = options->progress(options->context, order->executed, error);
            if (code != 0) {
                return code;
            }
        }
    }
    return 0;
}

static int run(order *order, gm_error *error)
{
    int code = 0;
    while (code == 0) {
        gm_feed feed;
        code = gm_feeder_next(order->feeder, &feed, error);
        if (code < 0 || feed.kind == GM_FEED_END) {
            break;
        }
        if (feed.kind == GM_FEED_COPY) {
            code = copy(order, &feed, error);
        } else if (feed.kind == GM_FEED_KERNEL) {
            code = run_kernel(order, feed.kernel, error);
            free(feed.kernel);
        }
    }
    return code;
}

static int fill_results(order *order, gm_results *results, gm_error *error)
{
    gm_machine *machine = &order->machine;
    const gm_memory_side *memory = &machine->memory;
    gm_noc_drain(&machine->noc);
    int code = gm_machine_failed(machine, error);
    if (code < 0) {
        return code;
    }
    results->per_sm = calloc(machine->sms, sizeof(gm_statistics));
    results->per_bank = calloc(memory->banks, sizeof(gm_statistics));
    results->per_partition = calloc(memory->partitions, sizeof(gm_statistics));
    if (results->per_sm == NULL || results->per_bank == NULL || results->per_partition == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: results");
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_machine_sm_statistics(&machine->sm[i], &results->per_sm[i]);
    }
    for (uint32_t i = 0; i < memory->banks; i++) {
        results->per_bank[i].l2 = memory->bank[i].statistics;
        results->per_bank[i].l2_dirty_sectors = memory->bank[i].dirty_sectors;
    }
    for (uint32_t i = 0; i < memory->partitions; i++) {
        results->per_partition[i].dram = memory->channel[i].statistics;
    }
    /* Copies after the last kernel belong to the total only. */
    gm_machine_sum(machine, &results->total);
    results->kernels = order->kernels;
    return 0;
}

static int start(order *order, const gm_config *config, gm_source *source, gm_error *error)
{
    const gm_run_options *options = order->options;
    /* Analyses see both levels in one order, so that the memory side stays with the SMs. */
    bool memory_thread = options->threads >= MEMORY_THREADS && options->analyses == 0;
    int code = gm_machine_init(&order->machine, config, memory_thread, error);
    if (code < 0) {
        return code;
    }
    gm_machine_observe(&order->machine, options->l1_set_index, options->l2_set_index);
    size_t buffer = options->buffer_bytes == 0 ? DEFAULT_BUFFER : options->buffer_bytes;
    code = gm_warp_store_create(&order->store, buffer, error);
    if (code == 0 && options->analyses != 0) {
        code = gm_analysis_create(&order->analysis, config, options->analyses, error);
    }
    if (code == 0) {
        code = gm_feeder_start(&order->feeder, config, source, order->store,
                               options->threads >= SOURCE_THREADS, options->analyses != 0, error);
    }
    order->machine.shared.store = order->store;
    order->machine.shared.analysis = order->analysis;
    order->machine.memory.analysis = order->analysis;
    return code;
}

int gm_order_run(const gm_config *config, gm_source *source, const gm_run_options *options,
                 gm_results *results, gm_error *error)
{
    *results = (gm_results){0};
    order *order = calloc(1, sizeof *order);
    if (order == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the order engine");
    }
    order->options = options;
    int code = start(order, config, source, error);
    results->analysis = order->analysis; /* callbacks may read it */
    code = code < 0 ? code : run(order, error);
    code = code != 0 ? code : fill_results(order, results, error);
    if (order->feeder != NULL) {
        gm_feeder_stop(order->feeder);
    }
    if (order->store != NULL) {
        gm_warp_store_free(order->store);
    }
    gm_machine_free(&order->machine);
    free(order);
    if (code != 0) {
        gm_results_free(results);
    }
    return code;
}

void gm_results_free(gm_results *results)
{
    free(results->per_sm);
    free(results->per_bank);
    free(results->per_partition);
    gm_analysis_free(results->analysis);
    *results = (gm_results){0};
}
