/* Contention [anssari, 3.3] in runs of both engines: bypasses calculated by hand, and for random
 * instructions by a second way from what the block is asked. */
#include "goldmem/contention_bypass.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <string.h>

enum { LINE = 128, MOST_CALLS = 4096 };

/* What the SM's block was asked. */
typedef struct calls {
    uint32_t count;
    gm_contention_bypass_request request[MOST_CALLS];
    bool bypass[MOST_CALLS];
} calls;

static void note(void *context, const uint64_t *request, const uint64_t *response)
{
    calls *calls = context;
    assert_true(calls->count < MOST_CALLS);
    calls->request[calls->count] = *(const gm_contention_bypass_request *)(const void *)request;
    calls->bypass[calls->count++] = response[0] != 0;
}

/* One SM of kepler-hybrid, 64 lines, 8 warps. */
static gm_config one_sm(void)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 1;
    config.sm.warps = 8;
    config.sm.threads = 256;
    config.l1.size = 64 * LINE;
    config.l1.bypass = GM_BYPASS_CONTENTION;
    return config;
}

/* Engines, and the order engine with values, whose records have another form. */
enum { MODES = 3 };

static gm_statistics run(unsigned mode, const gm_config *config, memory_source *source,
                         calls *calls)
{
    const gm_observer observer = {calls, note};
    const gm_run_options options = {
        .threads = 1, .check = true, .check_values = mode == 2, .contention_bypass = &observer};
    gm_engine engine = mode == 1 ? GM_ENGINE_CYCLE : GM_ENGINE_ORDER;
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_engine_run(engine, config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Lanes 0 to `lines` - 1 load one word each of consecutive lines. */
static void load_lines(memory_source *source, unsigned opcode, uint64_t line, unsigned lines)
{
    memory_stride(source, opcode, (uint32_t)gm_mask(lines), line * LINE, LINE, 4);
}

/* 8 warps of one load each, which end one after the other in the order engine: the shares of the 64
 * lines are 64/8 = 8, 64/7 = 9, 64/6 = 10, ... A load of 9 lines bypasses while 8 and 7 warps are
 * resident. */
static void shares_grow_as_warps_end(void **state)
{
    (void)state;
    static calls calls;
    gm_config config = one_sm();
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 256);
    memory_cta(source, 0);
    for (uint32_t warp = 0; warp < 8; warp++) {
        memory_warp(source, warp);
        load_lines(source, MEMORY_LOAD, 0x10000 + 32 * warp, 9);
    }
    calls.count = 0;
    gm_statistics counts = run(0, &config, source, &calls);
    assert_int_equal(calls.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(calls.request[i].touched, 9);
        assert_int_equal(calls.request[i].warps, 8 - i);
        assert_int_equal(calls.request[i].lines, 64);
        assert_int_equal(calls.bypass[i], i < 2);
    }
    assert_int_equal(counts.l1d.bypasses[GM_LOAD], 2 * 9);
    assert_int_equal(counts.l1d.misses[GM_LOAD], 6 * 9);
    /* one sector of a line that bypasses, four of one that is filled */
    assert_int_equal(counts.traffic.ld, (2 * 9 + 6 * 9 * 4) * 32);
    gm_source_close(&source->source);
}

/* 8 warps that wait at a barrier share 8 lines. What is present hits; stores, atomics and strong
 * loads are not asked; a load of one line fills. */
static void only_loads_of_absent_lines_bypass(void **state)
{
    (void)state;
    static calls calls;
    enum { LINES = 0x10000 };
    gm_config config = one_sm();
    config.l1.size = 8 * LINE;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 256);
    memory_cta(source, 0);
    for (uint32_t warp = 0; warp < 8; warp++) {
        memory_warp(source, warp);
        if (warp == 0) {
            load_lines(source, MEMORY_LOAD, LINES, 1); /* fills */
            memory_registers(source, 1, 255);
            load_lines(source, MEMORY_LOAD, LINES, 3); /* a hit, two that bypass */
            memory_registers(source, 2, 1);
            load_lines(source, MEMORY_LOAD, LINES + 1, 2);         /* two that bypass */
            load_lines(source, MEMORY_LOCAL_LOAD, 0, 1);           /* words of one line: fills */
            memory_stride(source, MEMORY_LOCAL_LOAD, 1, 64, 0, 8); /* two words, two lines */
            load_lines(source, MEMORY_STRONG_LOAD, LINES + 40, 4); /* not asked */
            load_lines(source, MEMORY_STORE, LINES + 50, 5);
            load_lines(source, MEMORY_ATOMIC, LINES + 60, 6);
        }
        memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
        memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
    }
    for (unsigned mode = 0; mode < MODES; mode++) {
        static const bool chosen[] = {false, true, true, false, true};
        calls.count = 0;
        gm_statistics counts = run(mode, &config, source, &calls);
        assert_int_equal(calls.count, 5);
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(calls.bypass[i], chosen[i]);
            assert_int_equal(calls.request[i].warps, 8);
        }
        assert_int_equal(counts.l1d.hits[GM_LOAD], 1);
        assert_int_equal(counts.l1d.misses[GM_LOAD], 2);
        assert_int_equal(counts.l1d.bypasses[GM_LOAD], 2 + 2 + 2 + 4 /* strong */);
    }
    gm_source_close(&source->source);
}

/* The shipped SM, of 512 lines and up to 64 warps, which wait at a barrier. */
static void the_shipped_sm_has_shares_of_eight(void **state)
{
    (void)state;
    static calls calls;
    static const struct {
        uint32_t warps, share;
    } rows[] = {{64, 8}, {57, 8}, {56, 9}, {51, 10}, {48, 10}, {32, 16}, {17, 30}};
    gm_config config = order_preset("kepler-hybrid-tracker");
    config.gpu.sms = 1;
    config.sm.ctas = 1;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        uint32_t share = rows[row].share;
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 32 * rows[row].warps);
        memory_cta(source, 0);
        for (uint32_t warp = 0; warp < rows[row].warps; warp++) {
            memory_warp(source, warp);
            if (warp == 0) {
                load_lines(source, MEMORY_LOAD, 0x10000, share - 1);
                load_lines(source, MEMORY_LOAD, 0x20000, share);
                load_lines(source, MEMORY_LOAD, 0x30000, 32);
                memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0x40000 * LINE + 124, 2 * LINE, 8);
            }
            memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
        }
        for (unsigned mode = 0; mode < MODES; mode++) {
            calls.count = 0;
            gm_statistics counts = run(mode, &config, source, &calls);
            const uint32_t touched[] = {share - 1, share, 32, 64 /* two for each lane */};
            assert_int_equal(calls.count, 4);
            for (uint32_t i = 0; i < 4; i++) {
                assert_int_equal(calls.request[i].touched, touched[i]);
                assert_int_equal(calls.request[i].lines, 512);
                assert_int_equal(calls.request[i].warps, rows[row].warps);
                assert_int_equal(calls.bypass[i], i != 0);
            }
            assert_int_equal(counts.l1d.misses[GM_LOAD], share - 1);
            assert_int_equal(counts.l1d.bypasses[GM_LOAD], share + 32 + 64);
        }
        gm_source_close(&source->source);
    }
}

/* Instructions of random numbers of lines, each line once in the program: none hits, so the sum of
 * the lines of the instructions that the block must choose is the number of loads that bypass. The
 * second way hands lines out to the warps. */
static void bypasses_add_up(void **state)
{
    (void)state;
    static calls calls;
    test_random random = test_random_start(150);
    uint64_t chosen = 0, others = 0;
    for (unsigned round = 0; round < 20; round++) {
        gm_config config = one_sm();
        config.l1.size = (UINT64_C(4) << test_random_below(&random, 6)) * LINE;
        config.l1.sectored = round % 2 != 0;
        memory_source *source = memory_source_new();
        uint64_t line = 0x10000;
        uint64_t instructions = 0;
        for (unsigned kernel = 0; kernel < 2; kernel++) {
            memory_kernel(source, 5, 64);
            for (uint32_t cta = 0; cta < 5; cta++) {
                memory_cta(source, cta);
                for (uint32_t warp = 0; warp < 2; warp++) {
                    memory_warp(source, warp);
                    for (uint64_t i = test_random_below(&random, 30); i > 0; i--) {
                        unsigned lines = 1 + (unsigned)test_random_below(&random, 32);
                        load_lines(source, MEMORY_LOAD, line, lines);
                        line += 32;
                        instructions++;
                    }
                }
            }
        }
        for (unsigned mode = 0; mode < MODES; mode++) {
            uint64_t bypasses = 0, touched = 0;
            calls.count = 0;
            gm_statistics counts = run(mode, &config, source, &calls);
            assert_int_equal(calls.count, instructions);
            for (uint32_t i = 0; i < calls.count; i++) {
                const gm_contention_bypass_request *it = &calls.request[i];
                uint64_t share = 0;
                assert_true(it->warps >= 1 && it->warps <= 8);
                for (uint64_t left = config.l1.size / LINE; left >= it->warps; left -= it->warps) {
                    share++;
                }
                assert_int_equal(it->lines, config.l1.size / LINE);
                bool expected = it->touched > 1 && it->touched >= share;
                bypasses += expected ? it->touched : 0;
                touched += it->touched;
                chosen += expected;
                others += !expected;
            }
            assert_int_equal(counts.l1d.accesses[GM_LOAD], touched);
            assert_int_equal(counts.l1d.bypasses[GM_LOAD], bypasses);
        }
        gm_source_close(&source->source);
    }
    assert_true(chosen > 500 && others > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_grow_as_warps_end),
        cmocka_unit_test(only_loads_of_absent_lines_bypass),
        cmocka_unit_test(the_shipped_sm_has_shares_of_eight),
        cmocka_unit_test(bypasses_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
