/* Streaming bypass in whole runs of the cycle engine [khairy, 4.1]: gates close while a program
 * streams and open when it uses lines again; skipped cycles, threads, values and checkpoints make
 * no difference; what is bypassed is bypassed faster than it would have missed. */
#include "support/cycle/engine/cycle_run.h"

#include <stdio.h>

enum { SMS = 2, NEW = 3000, AGAIN = 3000 };

/* A warp for each SM. The first kernel stores to NEW lines; the host copies to some of them. In the
 * second the warp loads these lines, each once, then eight lines AGAIN and again; every second
 * instruction is a store to other lines. */
static memory_source *two_phases(void)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, SMS, 32);
    for (uint32_t cta = 0; cta < SMS; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        for (unsigned i = 0; i < NEW; i++) {
            memory_stride(source, MEMORY_STORE, 1, (cta * NEW + i) * UINT64_C(128), 4, 4);
        }
    }
    memory_copy(source, UINT64_C(128) * NEW / 2, UINT64_C(128) * NEW / 4);
    memory_kernel(source, SMS, 32);
    for (uint32_t cta = 0; cta < SMS; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        for (unsigned i = 0; i < NEW + AGAIN; i++) {
            uint64_t line = i < NEW ? cta * NEW + i : UINT64_C(1) << 20 | i % 8;
            memory_stride(source, MEMORY_LOAD, 1, line * 128, 0, 4);
            memory_stride(source, MEMORY_STORE, 2, (UINT64_C(1) << 30) + line * 128, 4, 4);
        }
    }
    return source;
}

/* Small caches, and periods of which a run has many. */
static gm_config gated(bool l1, bool l2)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    config.memory.partitions = 1;
    config.l2.size = 64 * config.l2.line;
    config.gpu.sampling_period = 3000;
    config.l1.streaming = l1;
    config.l2.streaming = l2;
    return config;
}

static void closes_and_opens(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned gates = 1; gates <= 3; gates++) {
        gm_config config = gated((gates & 1) != 0, (gates & 2) != 0);
        memory_source *source = two_phases();
        gm_results results = cycle_results(&config, source, 1, false);
        const gm_streaming_statistics *l1 = &results.total.l1_streaming;
        const gm_streaming_statistics *l2 = &results.total.l2_streaming;
        if ((gates & 1) != 0) {
            assert_int_equal(l1->closings, SMS);
            assert_int_equal(l1->openings, SMS);
            assert_int_equal(l1->first_closed % 3000, 0);
            assert_int_equal(l1->accesses, SMS * (NEW + AGAIN));
            assert_true(l1->loads_bypassed > SMS * NEW / 2);
            assert_true(results.total.l1d.hits[GM_LOAD] > SMS * AGAIN / 2);
        }
        if ((gates & 2) != 0) {
            assert_true(l2->closings >= 1 && l2->loads_bypassed > NEW / 2);
            assert_true(l2->stores_bypassed > NEW / 2);
        }
        gm_results visited = cycle_results(&config, source, 2, true);
        cycle_same(&config, &results, &visited);
        gm_results_free(&visited);
        cycle_outcome other;
        cycle_try(&config, source, (gm_run_options){.check_values = true}, &other);
        cycle_same(&config, &results, &other.results);
        gm_results_free(&other.results);
        uint64_t third = results.total.time.cycles / 3;
        for (unsigned i = 1; i <= 2; i++) {
            cycle_try(&config, source,
                      (gm_run_options){.checkpoint = path,
                                       .checkpoint_every = i * third,
                                       .max_cycles = i * third + 1},
                      &other);
            gm_results_free(&other.results);
            cycle_try(&config, source, (gm_run_options){.resume = path}, &other);
            cycle_same(&config, &results, &other.results);
            gm_results_free(&other.results);
        }
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(closes_and_opens, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
