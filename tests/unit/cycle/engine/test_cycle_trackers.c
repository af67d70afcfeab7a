/* Sharing trackers in time: whole runs under the value oracle, with and without skipping; counts
 * equal to the order engine's where nothing overlaps; the smallest queues; each law can fail. */
#include "cycle/engine/cycle_invariants.h"
#include "support/config/mixture.h"
#include "support/config/tracked.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

/* A machine of few SMs and small caches, so that lines are shared, evicted and written. */
static gm_config tracked_machine(unsigned number, test_random *random)
{
    gm_config config = timed_variant(number);
    config.gpu.sms = 3 + number % 4;
    config.sm.ctas = 3;
    config.memory.partitions = 1 + number % 3;
    config.l2.size = GM_UNBOUNDED;
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
    for (size_t i = 0; i < sizeof seen / sizeof *counts && test_rounds(2) == 2; i++) {
        if (counts[i] < 30) {
            fail_msg("counter %zu: %llu", i, (unsigned long long)counts[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
