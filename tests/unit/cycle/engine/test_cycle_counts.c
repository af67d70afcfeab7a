/* Counts of the cycle engine against the order engine's, where order cannot matter: requests
 * answered one by one, and caches without bounds. */
#include "goldmem/workload.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/workload/small_workloads.h"

#include <string.h>

/* One warp, and a fence after each access, so that each is answered before the next. Each has one
 * line. */
static memory_source *one_by_one(uint64_t seed)
{
    static const unsigned kinds[] = {MEMORY_LOAD,       MEMORY_STORE,       MEMORY_ATOMIC,
                                     MEMORY_REDUCTION,  MEMORY_STRONG_LOAD, MEMORY_LOCAL_LOAD,
                                     MEMORY_LOCAL_STORE};
    test_random random = {seed};
    memory_source *source = memory_source_new();
    for (unsigned k = 0; k < 2; k++) {
        memory_copy(source, UINT64_C(0x10000) + k * 1000, 5000);
        gm_kernel *kernel = memory_kernel(source, 1, 32);
        kernel->local_base = UINT64_C(0x7f4ffe000000);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned i = 0; i < 800; i++) {
            uint64_t kind = kinds[test_random_below(&random, 7) * test_random_below(&random, 2)];
            uint32_t mask = UINT32_C(1) << test_random_below(&random, 32);
            uint64_t line = UINT64_C(0x10000) / 128 + test_random_below(&random, 600);
            if (kind == MEMORY_LOCAL_LOAD || kind == MEMORY_LOCAL_STORE) {
                memory_stride(source, (unsigned)kind, mask, 8 * test_random_below(&random, 64), 0,
                              8);
            } else if (test_random_below(&random, 2) == 0) {
                memory_stride(source, (unsigned)kind, UINT32_MAX, line * 128, 4, 4);
            } else {
                memory_stride(source, (unsigned)kind, mask,
                              line * 128 + 8 * test_random_below(&random, 16), 0, 8);
            }
            memory_plain(source, MEMORY_FENCE, UINT32_MAX);
        }
    }
    return source;
}

/* As one_by_one, of one sector each: stores of halves, mostly, of few lines, so that two stores
 * often make a sector whole. */
static memory_source *one_by_one_in_parts(uint64_t seed)
{
    static const unsigned kinds[] = {MEMORY_LOAD,  MEMORY_STORE,  MEMORY_STORE,      MEMORY_STORE,
                                     MEMORY_STORE, MEMORY_ATOMIC, MEMORY_STRONG_LOAD};
    test_random random = {seed};
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < 1500; i++) {
        uint64_t sector = UINT64_C(0x10000) + 32 * test_random_below(&random, 160);
        bool half = test_random_below(&random, 4) != 0;
        memory_stride(source, kinds[test_random_below(&random, 7)], half ? 0xf : 0xff,
                      sector + (half ? 16 * test_random_below(&random, 2) : 0), 4, 4);
        memory_plain(source, MEMORY_FENCE, UINT32_MAX);
    }
    return source;
}

static uint64_t sum(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC];
}

/* Takes what dirty lines wrote to DRAM out of its counters. */
static void without_write_backs(gm_statistics *statistics)
{
    uint64_t sectors = sum(statistics->l2.sectors_written_back);
    statistics->dram.writes -= sectors;
    statistics->dram.bytes -= sectors * 32;
    statistics->dram.requests -= sum(statistics->l2.write_backs);
    memset(statistics->l2.sectors_written_back, 0, sizeof statistics->l2.sectors_written_back);
    memset(statistics->l2.write_backs, 0, sizeof statistics->l2.write_backs);
    statistics->l2_dirty_sectors = 0;
}

/* An L1 that allocates for a store sends a read and the store behind it, which the L2 has before
 * the line has come: where stores that miss go on to DRAM, it does too, as in GPGPU-Sim
 * (data_cache::process_tag_probe: what is reserved is no write hit), and leaves its sector clean.
 * In the order engine the line has come: a hit. A store that covers its line needs no read, and the
 * others here have one sector. */
static void set_stores_apart_that_go_on(gm_statistics *order, gm_statistics *cycle)
{
    uint64_t stores = cycle->l2.hits_pending[GM_STORE];
    assert_true(sum(cycle->l2.sectors_written_back) + cycle->l2_dirty_sectors <
                sum(order->l2.sectors_written_back) + order->l2_dirty_sectors);
    without_write_backs(order);
    without_write_backs(cycle);
    cycle->dram.writes -= stores;
    cycle->dram.bytes -= stores * 32;
    cycle->dram.requests -= stores;
}

/* Gives lines their place at the miss where a store's data may be fetched for a dirty line. A fence
 * waits for no such data, so later accesses would overtake them; and their victim would be written
 * back behind the read, where the order engine, which has no l1.allocation, does it before. */
static void place_at_the_miss(gm_config *config)
{
    if ((config->l1.global_write == GM_WRITE_BACK && config->l1.global_allocate) ||
        (config->l1.local_write == GM_WRITE_BACK && config->l1.local_allocate)) {
        config->l1.allocation = GM_ALLOCATE_ON_MISS;
    }
}

/* Every counter of the caches, of DRAM, and of bytes on the interconnect; only the order of DRAM's
 * requests may differ. */
static void both_engines(gm_config config, memory_source *source)
{
    place_at_the_miss(&config);
    config.gpu.sms = 1;
    config.l1.mshrs = config.l1.merges = config.l1.miss_queue = 256;
    config.l2.mshrs = config.l2.merges = config.l2.queue = 256;
    config.l2.dram_queue = config.l2.reply_queue = 256;
    config.l1.latency = config.l2.latency = config.dram.latency = 0;
    gm_statistics order = order_run(&config, source, 1, 0);
    gm_statistics cycle = cycle_run(&config, source);
    assert_memory_equal(&order.l1d, &cycle.l1d, sizeof order.l1d);
    if (config.l2.fetch_on_write == GM_FETCH_THROUGH && cycle.l2.hits_pending[GM_STORE] != 0) {
        set_stores_apart_that_go_on(&order, &cycle);
    }
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        /* a store through an L1 that allocates: its data come while the line is fetched */
        cycle.l2.hits[kind] += cycle.l2.hits_pending[kind];
        cycle.l2.hits_pending[kind] = 0;
    }
    assert_memory_equal(&order.l2, &cycle.l2, sizeof order.l2);
    assert_memory_equal(&order.traffic, &cycle.traffic, sizeof order.traffic);
    order.dram.row_hits = cycle.dram.row_hits;
    assert_memory_equal(&order.dram, &cycle.dram, sizeof order.dram);
    assert_int_equal(order.l2_dirty_sectors, cycle.l2_dirty_sectors);
    gm_source_close(&source->source);
}

static void answered_one_by_one(void **state)
{
    (void)state;
    test_random random = test_random_start(91);
    for (unsigned number = 0; number < VARIANTS; number++) {
        both_engines(variant(number), one_by_one(test_random_next(&random)));
    }
}

/* An L2 whose sectors become whole by several stores. */
static void parts_one_by_one(void **state)
{
    (void)state;
    test_random random = test_random_start(94);
    unsigned runs = 0;
    for (unsigned number = 0; number < VARIANTS; number += 2) {
        gm_config config = variant(number);
        if (config.l2.size == GM_UNBOUNDED) {
            continue;
        }
        make_whole_by_parts(&config);
        config.l2.streaming = false;
        both_engines(config, one_by_one_in_parts(test_random_next(&random)));
        runs++;
    }
    assert_true(runs > 5);
}

static void decoupled_one_by_one(void **state)
{
    (void)state;
    test_random random = test_random_start(92);
    for (unsigned number = 0; number < VARIANTS; number += 2) {
        gm_config config = variant(number);
        fit_for_decoupled(&config, number);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = number % 4;
        config.l1.lfu_any = number % 3 == 0;
        both_engines(config, one_by_one(test_random_next(&random)));
    }
}

static gm_statistics workload(gm_engine engine, const gm_config *config, const char *text)
{
    const gm_run_options options = {.threads = 1, .check = true};
    gm_source *source;
    gm_results results;
    gm_error error;
    test_ok(gm_workload_open(&source, text, &error), error);
    test_ok(gm_engine_run(engine, config, source, &options, &results, &error), error);
    gm_source_close(source);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* True if what the kernels do depends on time, which the engines do not have in common. */
static bool communicates(const char *text)
{
    gm_source *source;
    gm_error error;
    test_ok(gm_workload_open(&source, text, &error), error);
    bool live = source->live != NULL;
    gm_source_close(source);
    return live;
}

static void unbounded_caches(const char *text)
{
    gm_config config = order_preset("gtx480");
    config.l1.size = config.l2.size = GM_UNBOUNDED;
    config.l1.enabled = false; /* all SMs' accesses are the L2's: a line misses once */
    gm_statistics order = workload(GM_ENGINE_ORDER, &config, text);
    gm_statistics cycle = workload(GM_ENGINE_CYCLE, &config, text);
    assert_memory_equal(&order.core, &cycle.core, sizeof order.core);
    assert_memory_equal(order.l2.accesses, cycle.l2.accesses, sizeof order.l2.accesses);
    assert_int_equal(sum(order.l2.misses), sum(cycle.l2.misses));
    assert_int_equal(sum(order.l2.hits), sum(cycle.l2.hits) + sum(cycle.l2.hits_pending));
    assert_int_equal(order.dram.reads, cycle.dram.reads);
    assert_int_equal(order.l2_dirty_sectors, cycle.l2_dirty_sectors);
    assert_memory_equal(&order.traffic, &cycle.traffic, sizeof order.traffic);

    config.l1.enabled = true; /* one L1 that takes every line at its first access */
    config.gpu.sms = 1;
    config.l1.global_write = config.l1.local_write = GM_WRITE_BACK;
    config.l1.global_allocate = config.l1.local_allocate = true;
    order = workload(GM_ENGINE_ORDER, &config, text);
    cycle = workload(GM_ENGINE_CYCLE, &config, text);
    assert_memory_equal(order.l1d.accesses, cycle.l1d.accesses, sizeof order.l1d.accesses);
    assert_memory_equal(order.l1d.bypasses, cycle.l1d.bypasses, sizeof order.l1d.bypasses);
    if (sum(order.l1d.bypasses) == 0) { /* which drop lines */
        assert_int_equal(sum(order.l1d.misses), sum(cycle.l1d.misses));
        assert_int_equal(sum(order.l1d.hits), sum(cycle.l1d.hits) + sum(cycle.l1d.hits_pending));
    }
    /* Local lines are the slot's: which sectors of them are written depends on which CTAs share it.
     */
    if (sum(order.l1d.bypasses) == 0 && order.core.local_instructions == 0) {
        assert_int_equal(sum(order.l1d.sectors_written_back), sum(cycle.l1d.sectors_written_back));
        assert_int_equal(order.l2_dirty_sectors, cycle.l2_dirty_sectors);
    }
}

static void unbounded_caches_miss_each_line_once(void **state)
{
    (void)state;
    unsigned count = 0;
    const gm_workload_description *const *workloads = gm_workloads(&count);
    const unsigned rounds = test_rounds(count);
    for (unsigned i = 0; i < rounds; i++) {
        const char *text = small_workload(workloads[i * count / rounds]->name);
        if (!communicates(text)) {
            unbounded_caches(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answered_one_by_one),
        cmocka_unit_test(parts_one_by_one),
        cmocka_unit_test(decoupled_one_by_one),
        cmocka_unit_test(unbounded_caches_miss_each_line_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
