/* The L2 of hybrid caching [anssari, 3.3, 4.3] in whole runs of the cycle engine: skipped cycles,
 * values and checkpoints make no difference. */
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <stdio.h>

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

/* Runs the source in the machine in each manner, and compares. Returns the results. */
static gm_statistics run_all_ways(const gm_config *config, memory_source *source)
{
    char path[512];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    gm_results results = cycle_results(config, source, 1, false);
    gm_results visited = cycle_results(config, source, 2, true);
    cycle_same(config, &results, &visited);
    gm_results_free(&visited);
    cycle_outcome other;
    cycle_try(config, source, (gm_run_options){.check = true, .check_values = true}, &other);
    cycle_same(config, &results, &other.results);
    gm_results_free(&other.results);
    uint64_t third = results.total.time.cycles / 3;
    for (unsigned i = 1; i <= 2; i++) {
        cycle_try(config, source,
                  (gm_run_options){.checkpoint = path,
                                   .checkpoint_every = i * third,
                                   .max_cycles = i * third + 1},
                  &other);
        gm_results_free(&other.results);
        cycle_try(config, source, (gm_run_options){.resume = path, .check = true}, &other);
        cycle_same(config, &results, &other.results);
        gm_results_free(&other.results);
    }
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
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
        assert_true(total.l2_coalesced.present > 10);
        joined += total.l2_coalesced.joined;
        gm_source_close(&source->source);
    }
    assert_true(joined > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_folder_setup, test_folder_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(coalesced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
