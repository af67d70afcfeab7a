/* Sharing trackers in time: whole runs under the value oracle, with and without skipping; counts
 * equal to the order engine's where nothing overlaps; the smallest queues. */
#include "support/config/mixture.h"
#include "support/config/tracked.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/trace/sharing_source.h"

/* A machine of few SMs and small caches, so that lines are shared, evicted and written. */
static gm_config tracked_machine(unsigned number, test_random *random)
{
    gm_config config = timed_variant(number);
    config.gpu.sms = 3 + number % 4;
    config.sm.ctas = 3;
    config.memory.partitions = 1 + number % 3;
    config.l2.size = GM_UNBOUNDED;
    config.l2.atomic_buffer = false;
    config.l2.ways = GM_FULL;
    config.l2.replacement = GM_REPLACE_LRU;
    config.l1.sectored = number % 2 == 0;
    make_tracked(&config, random);
    if (config.l1.size != GM_UNBOUNDED && config.l1.ways != GM_FULL) {
        config.l1.size = config.l1.line * 8 * config.l1.ways;
    }
    if (number % 4 == 3) {
        config.l1.kind = GM_L1_DECOUPLED;
        fit_for_decoupled(&config, number);
    }
    if (number % 5 == 2 && config.l1.kind != GM_L1_DECOUPLED) {
        config.l1.bypass = GM_BYPASS_CONTENTION;
    }
    config.tracker.trackers = UINT64_C(1) << number % 3;
    config.tracker.ask = number / 2 % 2 != 0;
    config.tracker.pointers = number % 2;
    fit_trackers(&config, random);
    return config;
}

/* Runs a source as the engine skips cycles, in every cycle, and with values: all the same. */
static gm_statistics compare(const gm_config *config, memory_source *source)
{
    const gm_run_options options = {.threads = 1, .check = true, .check_values = true};
    gm_results skipping = cycle_results(config, source, 1, false);
    gm_results stepping = cycle_results(config, source, 1, true);
    gm_results valued;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_cycle_run(config, &source->source, &options, &valued, &error), error);
    cycle_same(config, &skipping, &stepping);
    cycle_same(config, &skipping, &valued);
    gm_statistics total = skipping.total;
    gm_results_free(&skipping);
    gm_results_free(&stepping);
    gm_results_free(&valued);
    gm_source_close(&source->source);
    return total;
}

static void whole_runs(void **state)
{
    (void)state;
    test_random random = test_random_start(310);
    gm_tracker_statistics seen = {0};
    for (unsigned number = 0; number < test_rounds(2 * POLICY_VARIANTS); number++) {
        gm_config config = tracked_machine(number % POLICY_VARIANTS, &random);
        if (number % 4 == 1) {
            make_tiny(&config);
        }
        gm_statistics total = compare(&config, mixture_of(test_random_next(&random), 2, 16));
        gm_tracker_statistics_add(&seen, &total.tracker);
    }
    const uint64_t *counts = (const void *)&seen;
    const size_t end = offsetof(gm_tracker_statistics, evict_sectors); /* without victims */
    for (size_t i = 0; i < end / sizeof *counts && test_rounds(2) == 2; i++) {
        if (counts[i] < 30) {
            fail_msg("counter %zu: %llu", i, (unsigned long long)counts[i]);
        }
    }
}

/* Counts that time does not change, where one access is in flight at a time. In time each packet of
 * a store or atomic is a transaction, of which the first alone changes an entry. */
static void expect_counts(const gm_statistics *order, const gm_statistics *cycle)
{
    gm_tracker_statistics counts = cycle->tracker;
    assert_true(counts.writes > order->tracker.writes);
    assert_true(counts.coherent > order->tracker.coherent);
    assert_true(counts.told >= order->tracker.told);
    counts.told = order->tracker.told;
    counts.writes = order->tracker.writes;
    counts.coherent = order->tracker.coherent;
    assert_memory_equal(&order->tracker, &counts, sizeof counts);
    assert_memory_equal(&order->l1d, &cycle->l1d, sizeof order->l1d);
    assert_memory_equal(order->l2.accesses, cycle->l2.accesses, sizeof order->l2.accesses);
    assert_memory_equal(&order->dram.reads, &cycle->dram.reads, sizeof order->dram.reads);
    assert_int_equal(order->traffic.rem, cycle->traffic.rem);
    assert_int_equal(order->traffic.vic, cycle->traffic.vic);
    assert_memory_equal(&order->l2_victim, &cycle->l2_victim, sizeof order->l2_victim);
}

/* Each kernel has one warp with accesses, on another SM than others'; the others' warps end at
 * once. A fence behind each access waits until it is answered. The L1s are not flushed. */
static memory_source *one_access_at_a_time(test_random *random, uint32_t sms)
{
    static const unsigned kinds[] = {MEMORY_STORE, MEMORY_ATOMIC, MEMORY_REDUCTION,
                                     MEMORY_STRONG_LOAD};
    enum { KERNELS = 120, ACCESSES = 12, LINES = 40 };
    memory_source *source = memory_source_new();
    for (unsigned k = 0; k < KERNELS; k++) {
        uint64_t busy = test_random_below(random, sms);
        memory_kernel(source, sms, 32);
        for (uint32_t sm = 0; sm < sms; sm++) {
            memory_cta(source, sm);
            memory_warp(source, 0);
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            for (unsigned i = 0; sm == busy && i < ACCESSES; i++) {
                bool loads = test_random_below(random, 4) != 0;
                unsigned kind = loads ? MEMORY_LOAD : kinds[test_random_below(random, 4)];
                uint64_t line = 0x2000 + test_random_below(random, LINES);
                bool whole = test_random_below(random, 2) == 0;
                memory_stride(source, kind, whole ? UINT32_MAX : 1, line * 128, 4, 4);
                memory_plain(source, MEMORY_FENCE, UINT32_MAX);
            }
        }
    }
    return source;
}

static void one_at_a_time_counts_as_without_time(void **state)
{
    (void)state;
    test_random random = test_random_start(311);
    gm_tracker_statistics seen = {0};
    uint64_t moved = 0;
    for (unsigned number = 0; number < 16; number++) {
        gm_config config = order_preset("kepler-hybrid");
        config.gpu.sms = 4;
        config.sm.ctas = 1;
        config.l1.flush = false;
        config.l1.size = 2048;
        config.l1.sectored = number % 2 != 0;
        config.l1.global_write = number / 2 % 2 != 0 ? GM_WRITE_EVICT : GM_WRITE_THROUGH;
        config.l1.bypass = number % 3 == 2 ? GM_BYPASS_ALL : GM_BYPASS_NONE;
        if (number >= 12) {
            config.l1.kind = GM_L1_DECOUPLED;
            config.l1.bypass = GM_BYPASS_NONE;
            config.l1.tag_ways = 6;
            config.l1.threshold = number % 2;
        }
        config.memory.partitions = 1 + number % 3;
        config.l2.size = config.memory.partitions * 131072;
        make_tracked(&config, &random);
        config.tracker.trackers = UINT64_C(1) << number / 4 % 3;
        config.tracker.ask = number / 2 % 2 != 0;
        config.tracker.pointers = number % 5 == 1;
        config.l2.victim = number % 4 != 3;
        fit_victims(&config);
        fit_trackers(&config, &random);
        memory_source *source = one_access_at_a_time(&random, 4);
        gm_statistics order = order_run(&config, source, 1, 0);
        gm_statistics cycle = cycle_run(&config, source);
        expect_counts(&order, &cycle);
        gm_tracker_statistics_add(&seen, &cycle.tracker);
        moved += cycle.l2_victim.moved;
        gm_source_close(&source->source);
    }
    assert_true(seen.victims > 100 && moved > 100 && seen.victims_shared > 20);
    assert_true(seen.asks > 500 && seen.ask_hits > 50 && seen.told > 500);
    assert_int_equal(seen.refused + seen.held, 0);
    assert_true(seen.remote_hits > 500 && seen.remote_misses > 50 && seen.evicts > 100);
    assert_true(seen.writes > 500 && seen.coherent > 500 && seen.dropped > 0);
}

/* SM `first` loads a line in one kernel, SM 1 in the next; in between a host copy if `copies`. */
static memory_source *two_loads(uint32_t first, bool copies)
{
    memory_source *source = memory_source_new();
    for (uint32_t k = 0; k < 2; k++) {
        if (copies && k == 1) {
            memory_copy(source, 0x8000, 128);
        }
        memory_kernel(source, 2, 32);
        for (uint32_t sm = 0; sm < 2; sm++) {
            memory_cta(source, sm);
            memory_warp(source, 0);
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
            if (sm == (k == 0 ? first : 1)) {
                memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0x8000, 4, 4);
            }
        }
    }
    return source;
}

static gm_config two_sms(void)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 2;
    config.sm.ctas = 1;
    config.memory.partitions = 1;
    config.l1.flush = false;
    config.clock.core = config.clock.noc = config.clock.l2 = config.clock.dram = 1000;
    return config;
}

/* The tracker's latency is all that a load from the L2 takes more: the LOOKUP becomes a READ in
 * each cycle, as four READs would have come. */
static void loads_from_the_l2(void **state)
{
    (void)state;
    for (uint64_t latency = 1; latency < 12; latency += 5) {
        gm_config config = two_sms();
        cycle_kernels without = cycle_run_kernels(&config, two_loads(0, false));
        config.tracker.enabled = true;
        config.tracker.latency = latency;
        cycle_kernels with = cycle_run_kernels(&config, two_loads(0, false));
        assert_int_equal(with.own[0].time.loads, 1);
        assert_int_equal(with.own[0].time.load_cycles, without.own[0].time.load_cycles + latency);
    }
}

/* A load that misses in cycle t. LOOKUP sent in t + 1; at the tracker, header in one flit,
 * noc.latency later; SUPPLY leaves tracker.latency later, is at the supplier noc.latency later; the
 * data leave l1.latency later, and their last flit arrives noc.latency and flits - 1 later. (A
 * packet of one flit takes two cycles at least.) */
static void loads_from_another_l1(void **state)
{
    (void)state;
    static const uint64_t rows[][4] = {
        {5, 20, 3, 32}, {2, 1, 1, 8}, {9, 33, 8, 64}, {2, 28, 3, 256}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config = two_sms();
        config.noc.latency = rows[i][0];
        config.l1.latency = rows[i][1];
        config.tracker.enabled = true;
        config.tracker.latency = rows[i][2];
        config.noc.flit = rows[i][3];
        uint64_t flits = (config.noc.header + 128 + config.noc.flit - 1) / config.noc.flit;
        cycle_kernels kernels = cycle_run_kernels(&config, two_loads(0, false));
        assert_int_equal(kernels.own[1].tracker.remote_hits, 1);
        assert_int_equal(kernels.own[1].tracker.remote_sectors, 4);
        assert_int_equal(kernels.own[1].time.load_cycles,
                         1 + 3 * rows[i][0] + rows[i][2] + rows[i][1] + flits - 1);
        /* headers of LOOKUP, SUPPLY, SUPPLIED and FILL; 128 bytes of data */
        assert_int_equal(kernels.own[1].traffic.trk, 4 * config.noc.header);
        assert_int_equal(kernels.own[1].traffic.rem, 128);
        assert_int_equal(kernels.own[1].traffic.req + kernels.own[1].traffic.ld, 0);
    }
}

/* The trackers know nothing after a flush of the L1s: at a kernel's end, and at a host copy. */
static void flushes(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 4; number++) {
        gm_config config = two_sms();
        config.tracker.enabled = true;
        config.l1.flush = number % 2 != 0;
        cycle_kernels kernels = cycle_run_kernels(&config, two_loads(0, number / 2 != 0));
        assert_int_equal(kernels.own[1].tracker.lookups, 1);
        assert_int_equal(kernels.own[1].tracker.hits, number == 0);
    }
}

/* Every place there is once, in SMs, networks, L2 and DRAM, and credits few or many: SUPPLY, RETURN
 * and the other requests wait for each other wherever they can. The watchdog ends a run in which
 * nothing moves. */
static void the_smallest_queues(void **state)
{
    (void)state;
    const sharing_mix mix = {.kernels = 1,
                             .ctas = 32,
                             .warps = 4,
                             .instructions = 30,
                             .lines = 48,
                             .stores = 8,
                             .atomics = 30};
    test_random random = test_random_start(312);
    gm_tracker_statistics seen = {0};
    for (unsigned number = 0; number < test_rounds(24); number++) {
        gm_config config = order_preset("kepler-hybrid");
        config.gpu.sms = 8;
        config.sm.ctas = 4;
        config.l1.size = 1024;
        config.l1.allocation = number % 2 == 0 ? GM_ALLOCATE_ON_MISS : GM_ALLOCATE_ON_FILL;
        config.l1.bypass = number % 4 == 3 ? GM_BYPASS_ALL : GM_BYPASS_NONE;
        config.memory.partitions = 1 + number % 2;
        config.l2.size = config.memory.partitions * 32768;
        make_tiny(&config);
        config.l1.mshrs = number % 3 == 0 ? 1 : 16;
        make_tracked(&config, &random);
        config.tracker.trackers = UINT64_C(1) << number % 4;
        config.tracker.ask = number % 4 != 0;
        config.tracker.supplies = number % 8 < 4 ? 1 : 64;
        config.tracker.latency = 1 + number % 5;
        config.noc.latency = 1 + 30 * (number / 2 % 2);
        config.gpu.watchdog = 50000;
        gm_statistics total = compare(&config, sharing_source(test_random_next(&random), &mix));
        gm_tracker_statistics_add(&seen, &total.tracker);
    }
    assert_true(seen.remote_hits > 100 * test_rounds(24) && seen.refused > 5 * test_rounds(24));
    assert_true(seen.remote_misses > 5 * test_rounds(24) && seen.held > test_rounds(24));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_runs),        cmocka_unit_test(one_at_a_time_counts_as_without_time),
        cmocka_unit_test(loads_from_the_l2), cmocka_unit_test(loads_from_another_l1),
        cmocka_unit_test(flushes),           cmocka_unit_test(the_smallest_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
