/* The L2 of hybrid caching [anssari, 3.3, 4.3] in whole runs of the cycle engine: skipped cycles,
 * values and checkpoints make no difference. */
#include "support/config/mixture.h"
#include "support/cycle/engine/all_ways.h"
#include "support/order/order_run.h"

#include <string.h>

/* A machine with small caches, of the preset. */
static gm_config machine(const char *preset)
{
    gm_config config = order_preset(preset);
    config.gpu.sms = 3;
    config.memory.partitions = 2;
    config.l1.size = 16 * config.l1.line;
    config.l2.size = 128 * config.l2.line;
    config.l2.ways = 4;
    config.l1.ways = 4;
    return config;
}

static void coalesced(void **state)
{
    (void)state;
    static const char *const presets[] = {"gtx480", "kepler-hybrid", "kepler-hybrid"};
    test_random random = test_random_start(140);
    uint64_t joined = 0;
    for (unsigned i = 0; i < 3; i++) {
        gm_config config = machine(presets[i]);
        config.l2.bypass = GM_L2_BYPASS_COALESCED;
        config.l1.bypass = i == 2 ? GM_BYPASS_CONTENTION : GM_BYPASS_NONE;
        memory_source *source = mixture_of(test_random_next(&random), 2, 12);
        gm_statistics total = run_all_ways(&config, source);
        assert_true(total.l2_coalesced.bypassed > 100);
        assert_true(total.l2_coalesced.present > 0);
        joined += total.l2_coalesced.joined;
        gm_source_close(&source->source);
    }
    assert_true(joined > 0);
}

/* Machines with trackers whose L2 takes the L1s' victims: with lines of sectors, bytes, an atomic
 * buffer; with one place in every queue. */
static void victims(void **state)
{
    (void)state;
    test_random random = test_random_start(144);
    gm_l2_victim_statistics sum = {0};
    for (unsigned i = 0; i < 6; i++) {
        gm_config config = machine("kepler-hybrid");
        config.tracker.enabled = true;
        config.l2.bypass = GM_L2_BYPASS_COALESCED;
        config.l2.victim = true;
        config.l2.atomic_buffer = i % 2 == 0;
        config.l1.bypass = i == 1 ? GM_BYPASS_CONTENTION : GM_BYPASS_NONE;
        config.l1.allocation = i == 2 ? GM_ALLOCATE_ON_FILL : GM_ALLOCATE_ON_MISS;
        config.l1.sectored = i == 3;
        if (i == 3) {
            config.l2.line = 128;
            config.l2.size *= 4;
            config.l2.sectored = true;
        }
        if (i == 4) {
            config.l2.dirty = GM_DIRTY_BYTE;
            config.l2.fetch_on_write = GM_FETCH_LAZY;
        }
        if (i == 5) {
            make_tiny(&config);
        }
        memory_source *source = mixture_of(test_random_next(&random), 2, 12);
        gm_statistics total = run_all_ways(&config, source);
        assert_true(total.l2_victim.inserted > 10 && total.l2_victim.moved > 0);
        sum.present += total.l2_victim.present;
        sum.refused += total.l2_victim.refused;
        sum.inserted += total.l2_victim.inserted;
        sum.moved += total.l2_victim.moved;
        gm_source_close(&source->source);
    }
    print_message("victims: %llu inserted, %llu present, %llu refused; %llu lines moved\n",
                  (unsigned long long)sum.inserted, (unsigned long long)sum.present,
                  (unsigned long long)sum.refused, (unsigned long long)sum.moved);
    assert_true(sum.inserted > 300 && sum.present > 10 && sum.refused > 0 && sum.moved > 100);
}

static void atomic_buffer(void **state)
{
    (void)state;
    static const char *const presets[] = {"gtx480", "kepler-hybrid", "kepler-hybrid", "gtx480"};
    test_random random = test_random_start(143);
    gm_statistics sum = {0};
    for (unsigned i = 0; i < 4; i++) {
        gm_config config = machine(presets[i]);
        config.l2.atomic_buffer = true;
        config.l2.atomic_interval = 1 + 3 * (i % 2);
        config.l2.sectored = i == 3;
        config.l2.bypass = i == 2 ? GM_L2_BYPASS_COALESCED : GM_L2_BYPASS_NONE;
        memory_source *source = mixture_of(test_random_next(&random), 2, 12);
        gm_statistics total = run_all_ways(&config, source);
        gm_statistics_add(&sum, &total);
        gm_source_close(&source->source);
    }
    const gm_atomic_buffer_statistics *counts = &sum.atomic_buffer;
    print_message(
        "%llu hits, %llu in place; put back %llu, %llu, %llu; %llu of %llu strong loads hit\n",
        (unsigned long long)counts->hits, (unsigned long long)counts->in_place,
        (unsigned long long)counts->put_for_atomics, (unsigned long long)counts->put_for_accesses,
        (unsigned long long)counts->put_at_ends, (unsigned long long)counts->load_hits,
        (unsigned long long)counts->loads);
    assert_true(counts->loads > 100);
    assert_true(counts->hits > 0 && counts->in_place > 100 && counts->put_for_atomics > 100);
    assert_true(counts->put_for_accesses > 5 && counts->put_at_ends > 8);
}

/* Only strong loads are coherent: not those of an L1 that is off, nor those that a policy has
 * bypass it. Ten loads of a line are two strong ones, of four messages each where lines of the L2
 * have one sector. */
static void other_loads_that_bypass_are_not_coherent(void **state)
{
    (void)state;
    static const struct {
        const char *preset, *key;
        uint64_t messages; /* of a load */
    } rows[] = {
        {"gtx480", NULL, 1},
        {"gtx480", "l1.enabled=no", 1},
        {"gtx480", "l1.streaming=yes", 1},
        {"fermi-l1d", "l1.kind=decoupled", 1},
        {"kepler-hybrid", "l1.bypass=contention", 4},
        {"kepler-hybrid", "tracker.enabled=yes", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_error error;
        gm_config config = machine(rows[i].preset);
        config.l2.atomic_buffer = true;
        if (rows[i].key != NULL) {
            test_ok(gm_config_assign(&config, rows[i].key, &error), error);
        }
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 32);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned load = 0; load < 10; load++) {
            memory_stride(source, load % 5 == 1 ? MEMORY_STRONG_LOAD : MEMORY_LOAD, UINT32_MAX,
                          0x7f0000000000, 4, 4);
        }
        gm_statistics order = order_run(&config, source, 1, 0);
        gm_results cycle = cycle_results(&config, source, 1, false);
        assert_int_equal(order.atomic_buffer.loads, 2 * rows[i].messages);
        assert_int_equal(order.atomic_buffer.load_sectors, 8);
        assert_int_equal(order.atomic_buffer.taken, 2 * rows[i].messages);
        assert_int_equal(cycle.total.atomic_buffer.loads, 2 * rows[i].messages);
        assert_int_equal(cycle.total.atomic_buffer.load_sectors, 8);
        gm_results_free(&cycle);
        gm_source_close(&source->source);
    }
}

/* A strong load gets what an atomic has written in the buffer alone: the L2's line is older, in
 * both engines, with lines of sectors and of bytes. */
static void a_strong_load_reads_the_buffer(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 4; number++) {
        gm_config config = machine("kepler-hybrid");
        config.l2.atomic_buffer = true;
        if (number % 2 != 0) {
            config.l2.dirty = GM_DIRTY_BYTE;
            config.l2.fetch_on_write = GM_FETCH_LAZY;
        }
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 32);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned i = 0; i < 3; i++) {
            memory_stride(source, MEMORY_ATOMIC, 1, 0x7f0000000000, 0, 4);
            memory_registers(source, 2, 2); /* each waits for the one before */
        }
        memory_stride(source, MEMORY_STRONG_LOAD, 1, 0x7f0000000000, 0, 4);
        memory_registers(source, 2, 2);
        const gm_run_options options = {.threads = 1, .check = true, .check_values = true};
        gm_results results;
        gm_error error;
        int code = number < 2 ? gm_order_run(&config, &source->source, &options, &results, &error)
                              : gm_cycle_run(&config, &source->source, &options, &results, &error);
        test_ok(code, error);
        assert_int_equal(results.total.atomic_buffer.hits, 3);
        assert_int_equal(results.total.atomic_buffer.load_hits, 1);
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
}

static void bytes(void **state)
{
    (void)state;
    test_random random = test_random_start(141);
    gm_l2_bytes_statistics sum = {0};
    uint64_t hits = 0;
    uint64_t loads = 0;
    for (unsigned i = 0; i < 4; i++) {
        gm_config config = machine("kepler-hybrid");
        config.l2.dirty = GM_DIRTY_BYTE;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
        config.l2.bypass = i % 2 == 0 ? GM_L2_BYPASS_NONE : GM_L2_BYPASS_COALESCED;
        config.sm.coalesce = i == 2 ? GM_COALESCE_SECTOR : GM_COALESCE_LINE;
        config.sm.collectors = i == 3 ? 3 : 0;
        config.l2.atomic_buffer = i != 1;
        config.l1.lookup = i == 3 ? GM_LOOKUP_LAST : GM_LOOKUP_FIRST;
        memory_source *source = mixture_of(test_random_next(&random), 2, 12);
        gm_statistics total = run_all_ways(&config, source);
        sum.masked += total.l2_bytes.masked;
        sum.completed += total.l2_bytes.completed;
        sum.covered += total.l2_bytes.covered;
        hits += total.atomic_buffer.hits;
        loads += total.atomic_buffer.loads;
        gm_source_close(&source->source);
    }
    assert_true(sum.masked > 20 && sum.completed > 20 && sum.covered > 0);
    assert_true(hits > 0 && loads > 0);
}

enum { REGION = 1 << 16, ACCESSES = 300 };

/* Adds a store, atomic or reduction of a warp to a region that no other one touches, and returns
 * its bytes: counted one by one. */
static uint64_t random_write(memory_source *source, test_random *random, unsigned number)
{
    static const unsigned opcodes[] = {MEMORY_STORE, MEMORY_STORE, MEMORY_ATOMIC, MEMORY_REDUCTION};
    static const unsigned widths[] = {1, 2, 4, 8, 16, 100};
    static bool touched[REGION];
    unsigned opcode = opcodes[test_random_below(random, 4)];
    unsigned width = widths[test_random_below(random, 6)];
    uint32_t mask =
        test_random_below(random, 3) == 0 ? UINT32_MAX : (uint32_t)test_random_next(random) | 1;
    uint64_t first = test_random_below(random, 200);
    bool run = test_random_below(random, 2) == 0;
    uint64_t address[32];
    uint64_t region = (uint64_t)number * REGION;
    unsigned lanes = 0;
    memset(touched, 0, sizeof touched);
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((mask >> lane & 1) != 0) {
            uint64_t at = run ? first + lanes * width : test_random_below(random, REGION - 100);
            address[lanes++] = region + at;
            memset(&touched[at], true, width);
        }
    }
    if (run) {
        memory_stride(source, opcode, mask, region + first, width, width);
    } else {
        memory_list(source, opcode, mask, address, width);
    }
    uint64_t bytes = 0;
    for (unsigned i = 0; i < REGION; i++) {
        bytes += touched[i];
    }
    return bytes;
}

/* An L2 of one line, which each store and atomic drives out: exactly its bytes reach DRAM, in both
 * engines, with records of each kind. */
static void bytes_of_instructions(void **state)
{
    (void)state;
    test_random random = test_random_start(142);
    for (unsigned number = 0; number < 6; number++) {
        gm_config config = machine("kepler-hybrid");
        config.gpu.sms = 1;
        config.memory.partitions = 1;
        config.l2.atomic_buffer = number % 2 == 0;
        config.l2.size = config.l2.line;
        config.l2.ways = 1;
        config.l2.dirty = GM_DIRTY_BYTE;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
        config.l1.line = UINT64_C(32) << (number % 3 * 2);
        config.l1.size = 16 * config.l1.line;
        config.sm.coalesce = number == 5 ? GM_COALESCE_SECTOR : GM_COALESCE_LINE;
        config.l1.sectored = number == 5;
        memory_source *source = memory_source_new();
        uint64_t bytes = 0;
        memory_kernel(source, 1, 32);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned i = 0; i < ACCESSES; i++) {
            bytes += random_write(source, &random, i + 1);
        }
        memory_stride(source, MEMORY_ATOMIC, 1, 0, 0, 4); /* drives the line in the buffer out */
        memory_stride(source, MEMORY_STRONG_LOAD, 1, 64, 0, 4); /* drives the last line out: at the
                                                                   kernel's end from the buffer */
        bytes += 4;
        gm_statistics order = order_run(&config, source, 1, 0);
        assert_int_equal(order.l2_bytes.written_bytes, bytes);
        gm_results results = cycle_results(&config, source, 1, false);
        assert_int_equal(results.total.l2_bytes.written_bytes, bytes);
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(coalesced),
                                       TEST(victims),
                                       TEST(atomic_buffer),
                                       TEST(bytes),
                                       cmocka_unit_test(other_loads_that_bypass_are_not_coherent),
                                       cmocka_unit_test(a_strong_load_reads_the_buffer),
                                       cmocka_unit_test(bytes_of_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
