/* Limits in whole runs: a limit of all warps is none, byte for byte; whatever the limit,
 * everything runs, barriers of more warps than may issue and locks included, with and without
 * visits in every cycle; the order engine refuses it. When sampling counts, and when its limits
 * end. */
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"

#include <string.h>

enum { KERNELS = 2, CTAS = 10, THRASHING = 8, LINES_OF_WARP = 8 };

static gm_results run(gm_config config, memory_source *source, uint64_t limit, bool no_skip)
{
    config.sm.throttle = limit != 0 ? GM_THROTTLE_STATIC : GM_THROTTLE_NONE;
    config.sm.limit = limit != 0 ? limit : 1;
    return cycle_results(&config, source, 1, no_skip);
}

static void limit_of_all_is_none(void **state)
{
    (void)state;
    test_random random = test_random_start(61);
    for (unsigned number = 0; number < 30; number++) {
        gm_config config = timed_variant(number);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, CTAS);
        uint64_t all = (config.sm.warps + config.sm.schedulers - 1) / config.sm.schedulers;
        gm_results none = run(config, source, 0, false);
        gm_results limited = run(config, source, all, false);
        cycle_same(&config, &none, &limited);
        gm_results_free(&none);
        gm_results_free(&limited);
        gm_source_close(&source->source);
    }
}

static void every_limit_runs_all(void **state)
{
    (void)state;
    test_random random = test_random_start(62);
    uint64_t throttled = 0;
    for (unsigned number = 0; number < 30; number++) {
        gm_config config = timed_variant(number);
        config.gpu.watchdog = 100000;
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, CTAS);
        gm_results none = run(config, source, 0, false);
        for (uint64_t limit = 1; limit <= 3; limit++) {
            gm_results skips = run(config, source, limit, false);
            if (test_takes(number + (unsigned)limit)) {
                gm_results visits = run(config, source, limit, true);
                cycle_same(&config, &skips, &visits);
                gm_results_free(&visits);
            }
            assert_memory_equal(&skips.total.core, &none.total.core, sizeof none.total.core);
            throttled += skips.total.time.slots_throttled;
            gm_results_free(&skips);
        }
        gm_results_free(&none);
        gm_source_close(&source->source);
    }
    assert_true(throttled > 1000);
}

/* One of 16 warps may issue, and each must reach two barriers. */
static void a_barrier_of_all_with_one_that_may_issue(void **state)
{
    (void)state;
    enum { WARPS = 16 };
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.gpu.sms = 1;
    config.gpu.watchdog = 10000;
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * WARPS);
    for (uint32_t cta = 0; cta < 2; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            memory_warp(source, warp);
            for (unsigned barrier = 0; barrier < 2; barrier++) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
                memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
            }
            memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
        }
    }
    for (config.sm.schedulers = 1; config.sm.schedulers <= 4; config.sm.schedulers *= 2) {
        gm_results results = run(config, source, 1, false);
        assert_int_equal(results.total.core.warp_instructions, 2 * WARPS * 5);
        gm_results_free(&results);
    }
    gm_source_close(&source->source);
}

/* A lock: its warps try in turn, the w-th of them w + 1 times, and write while they have it. A try
 * that waits for its atomic gives the schedulers nothing else to issue under a limit of one. */
static void locks_with_one_that_may_issue(void **state)
{
    (void)state;
    enum { WARPS = 8, CTAS_OF_LOCK = 4, HELD = 6 };
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.gpu.sms = 2;
    config.gpu.watchdog = 20000;
    config.gpu.sampling_period = 64;
    memory_source *source = memory_source_new();
    memory_kernel(source, CTAS_OF_LOCK, 32 * WARPS);
    for (uint32_t cta = 0; cta < CTAS_OF_LOCK; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            memory_warp(source, warp);
            for (uint32_t tries = 0; tries <= warp; tries++) {
                memory_stride(source, MEMORY_ATOMIC, 1, 0x1000, 0, 4);
                memory_registers(source, 1, 1);
            }
            memory_plain(source, MEMORY_FENCE, UINT32_MAX);
            memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0x2000, 4, 4);
            memory_registers(source, 2, 1);
            memory_stride(source, MEMORY_STORE, UINT32_MAX, 0x2000, 4, 4);
            memory_registers(source, 255, 2);
            memory_plain(source, MEMORY_FENCE, UINT32_MAX);
            memory_stride(source, MEMORY_ATOMIC, 1, 0x1000, 0, 4);
            memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
        }
    }
    const gm_throttling policies[] = {GM_THROTTLE_STATIC, GM_THROTTLE_SAMPLING, GM_THROTTLE_CCWS};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        config.sm.throttle = policies[i];
        config.sm.limit = 1;
        gm_results results = cycle_results(&config, source, 1, false);
        gm_results visits = cycle_results(&config, source, 1, true);
        cycle_same(&config, &results, &visits);
        uint64_t tries = WARPS * (WARPS + 1) / 2;
        assert_int_equal(results.total.core.warp_instructions,
                         CTAS_OF_LOCK * (tries + WARPS * HELD));
        gm_results_free(&results);
        gm_results_free(&visits);
    }
    gm_source_close(&source->source);
}

/* Adds a CTA of 8 warps, each of which loads its own lines again and again: more lines than the L1
 * has. */
static void thrashing_cta(memory_source *source, uint32_t cta, unsigned loads)
{
    memory_cta(source, cta);
    for (uint32_t warp = 0; warp < THRASHING; warp++) {
        memory_warp(source, warp);
        for (unsigned i = 0; i < loads; i++) {
            uint64_t line = (uint64_t)LINES_OF_WARP * (THRASHING * cta + warp) + i % LINES_OF_WARP;
            memory_stride(source, MEMORY_LOAD, UINT32_MAX, 128 * line, 0, 4);
            memory_registers(source, 1, 1);
        }
    }
}

/* Two SMs with small L1s, sampled in short periods. */
static gm_config sampled(void)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.gpu.sms = 2;
    config.gpu.sampling_period = 2000;
    config.l1.size = 2048;
    config.sm.warps = THRASHING;
    config.sm.threads = 32 * THRASHING;
    config.sm.throttle = GM_THROTTLE_SAMPLING;
    return config;
}

/* The limit found for one kernel ends with it: the next one is not held back, from its first cycle
 * on. */
static void a_limit_ends_with_its_kernel(void **state)
{
    (void)state;
    const gm_config config = sampled();
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * THRASHING);
    thrashing_cta(source, 0, 400);
    thrashing_cta(source, 1, 400);
    strcpy(memory_kernel(source, 2, 32 * THRASHING)->name, "other");
    thrashing_cta(source, 0, 4);
    thrashing_cta(source, 1, 4);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[0].sampling.decided, 1);
    assert_in_range(kernels.own[0].sampling.limit, 1, THRASHING / 2 - 1);
    assert_true(kernels.own[0].time.slots_throttled > 0);
    assert_int_equal(kernels.own[1].time.slots_throttled, 0);
}

/* A kernel that begins within a period misses until its first whole one begins, and then computes:
 * no period of it is hot. */
static void a_part_of_a_period_does_not_count(void **state)
{
    (void)state;
    enum { MISSES = 24, COMPUTES = 40 };
    gm_config config = sampled();
    config.gpu.sampling_period = 8000;
    config.unit.integer.latency = 400;
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * THRASHING);
    thrashing_cta(source, 0, 1);
    thrashing_cta(source, 1, 1);
    memory_kernel(source, 2, 32 * THRASHING);
    for (uint32_t cta = 0; cta < 2; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < THRASHING; warp++) {
            memory_warp(source, warp);
            for (unsigned i = 0; i < MISSES; i++) {
                uint64_t line = MISSES * (uint64_t)(THRASHING * cta + warp) + i;
                memory_stride(source, MEMORY_LOAD, UINT32_MAX, 128 * line, 0, 4);
                memory_registers(source, 2, 255);
            }
            for (unsigned i = 0; i < COMPUTES; i++) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
                memory_registers(source, 1, 1);
            }
        }
    }
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[1].l1d.misses[GM_LOAD], 2 * MISSES * THRASHING);
    assert_true(kernels.own[1].sampling.periods_cool > 0);
    assert_int_equal(kernels.own[1].sampling.periods_hot, 0);
}

/* Adds a CTA whose warps access a new line each time, and compute `computes` instructions between.
 */
static void streaming_cta(memory_source *source, uint32_t cta, unsigned opcode, unsigned computes)
{
    enum { ACCESSES = 300 };
    memory_cta(source, cta);
    for (uint32_t warp = 0; warp < THRASHING; warp++) {
        memory_warp(source, warp);
        for (unsigned i = 0; i < ACCESSES; i++) {
            uint64_t line = ACCESSES * (uint64_t)(THRASHING * cta + warp) + i;
            memory_stride(source, opcode, UINT32_MAX, 128 * line, 0, 4);
            memory_registers(source, opcode == MEMORY_LOAD ? 2 : 1, 255);
            for (unsigned c = 0; c < computes; c++) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
                memory_registers(source, 1, 1);
            }
        }
    }
}

/* 15.6 stores per 1000 thread instructions, each of which misses: MPKI counts loads. */
static void misses_of_stores_do_not_count(void **state)
{
    (void)state;
    const gm_config config = sampled();
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * THRASHING);
    streaming_cta(source, 0, MEMORY_STORE, 1);
    streaming_cta(source, 1, MEMORY_STORE, 1);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_true(kernels.total.l1d.misses[GM_STORE] > 4000);
    assert_true(kernels.total.sampling.periods_cool > 0);
    assert_int_equal(kernels.total.sampling.periods_hot, 0);
}

/* A kernel closes the L1s' gates: it streams, with 7.8 load misses per 1000 thread instructions.
 * The next one thrashes: closed L1s report the misses of their tags, the first hot period opens
 * them, and a limit is found. */
static void closed_l1s_report_the_misses_of_their_tags(void **state)
{
    (void)state;
    gm_config config = sampled();
    config.l1.streaming = true;
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * THRASHING);
    streaming_cta(source, 0, MEMORY_LOAD, 3);
    streaming_cta(source, 1, MEMORY_LOAD, 3);
    strcpy(memory_kernel(source, 2, 32 * THRASHING)->name, "other");
    thrashing_cta(source, 0, 400);
    thrashing_cta(source, 1, 400);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[0].l1_streaming.closings, 2);
    assert_int_equal(kernels.own[0].sampling.periods_hot, 0);
    assert_true(kernels.own[1].l1_streaming.loads_bypassed > 64);
    assert_int_equal(kernels.own[1].l1_streaming.openings, 2);
    assert_int_equal(kernels.own[1].l1_streaming.periods_closed, 2 * 2); /* the first is no whole */
    assert_int_equal(kernels.own[1].sampling.decided, 1);
}

/* An SM whose warps end while SMs are sampled: no limit is found. */
static void sampling_needs_warps_on_every_sm(void **state)
{
    (void)state;
    const gm_config config = sampled();
    memory_source *source = memory_source_new();
    memory_kernel(source, 2, 32 * THRASHING);
    thrashing_cta(source, 0, 400);
    thrashing_cta(source, 1, 50);
    const cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.total.sampling.samplings, 1);
    assert_int_equal(kernels.total.sampling.dropped, 1);
    assert_int_equal(kernels.total.sampling.decided, 0);
}

static void the_order_engine_refuses(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    gm_results results;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.sm.throttle = GM_THROTTLE_STATIC;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    int code =
        gm_order_run(&config, &source->source, &(gm_run_options){.threads = 1}, &results, &error);
    assert_int_equal(code, -EINVAL);
    assert_string_equal(error.text, "sm.throttle: needs the cycle engine");
    config.sm.warps = 65;
    config.sm.schedulers = 1;
    assert_int_equal(gm_config_check(&config, &error), -EINVAL);
    assert_string_equal(error.text,
                        "sm.throttle: sm.warps=65: must be at most 64 times sm.schedulers=1");
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_of_all_is_none),
        cmocka_unit_test(every_limit_runs_all),
        cmocka_unit_test(a_barrier_of_all_with_one_that_may_issue),
        cmocka_unit_test(locks_with_one_that_may_issue),
        cmocka_unit_test(a_limit_ends_with_its_kernel),
        cmocka_unit_test(a_part_of_a_period_does_not_count),
        cmocka_unit_test(sampling_needs_warps_on_every_sm),
        cmocka_unit_test(misses_of_stores_do_not_count),
        cmocka_unit_test(closed_l1s_report_the_misses_of_their_tags),
        cmocka_unit_test(the_order_engine_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
