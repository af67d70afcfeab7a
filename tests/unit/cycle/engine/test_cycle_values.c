/* Values in whole runs of the cycle engine: no load is wrong in any kind of L1 and L2; values
 * change no statistic; the observer is told of what the run does. */
#include "support/config/coherent.h"
#include "support/config/mixture.h"
#include "support/config/random_machine.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/order/value_counts.h"

/* Runs a source without and with values. */
static void compare(const gm_config *config, memory_source *source, value_counts *counts)
{
    const gm_value_observer observer = value_counts_observer(counts);
    const gm_run_options options = {
        .threads = 1, .check = true, .check_values = true, .values = &observer};
    gm_results without = cycle_results(config, source, 1, false);
    gm_results with;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_cycle_run(config, &source->source, &options, &with, &error), error);
    cycle_same(config, &with, &without);
    gm_results_free(&with);
    gm_results_free(&without);
    gm_source_close(&source->source);
}

static void every_policy(void **state)
{
    (void)state;
    test_random random = test_random_start(130);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(VARIANTS); number++) {
        gm_config config = timed_variant(number);
        if (number % 2 == 1) {
            make_tiny(&config);
        }
        give_write_port(&config);
        end_answered(&config);
        compare(&config, mixture_of(test_random_next(&random), 2, 40), &counts);
    }
    value_counts_are_many(&counts);
}

/* The presets of machines of today, with a few SMs. */
static void modern_presets(void **state)
{
    (void)state;
    static const char *const presets[] = {"v100", "a100", "h100", "rtx3070"};
    test_random random = test_random_start(134);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(12); number++) {
        gm_config config = order_preset(presets[number % 4]);
        config.gpu.sms = 4;
        compare(&config, mixture_of(test_random_next(&random), 2, 40), &counts);
    }
    value_counts_are_many(&counts);
}

static void decoupled(void **state)
{
    (void)state;
    test_random random = test_random_start(131);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(12); number++) {
        gm_config config = timed_variant(number);
        config.l1.kind = GM_L1_DECOUPLED;
        fit_for_decoupled(&config, number);
        compare(&config, mixture_of(test_random_next(&random), 2, 40), &counts);
    }
    value_counts_are_many(&counts);
}

/* With a protocol a load must see what is visible: every kind of fence, merging and lifetime, time
 * that begins anew often. The printed table of TC-Weak is not safe. */
static void coherent(void **state)
{
    (void)state;
    test_random random = test_random_start(133);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(60); number++) {
        gm_config config = timed_variant(number % POLICY_VARIANTS);
        config.gpu.sms = 3;
        config.sm.ctas = 3;
        config.memory.partitions = 2;
        config.l2.size = config.l2.size == GM_UNBOUNDED ? GM_UNBOUNDED : 16384;
        config.l2.ways = config.l2.ways == GM_FULL ? GM_FULL : 4;
        make_coherent(&config, &random);
        config.coherence.table = GM_TC_TABLE_CORRECTED;
        if (number % 3 == 2) {
            make_tiny(&config);
        }
        compare(&config, mixture_of(test_random_next(&random), 2, 14), &counts);
    }
    value_counts_are_many(&counts);
}

static void random_machines(void **state)
{
    (void)state;
    test_random random = test_random_start(132);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(60); number++) {
        gm_config config = random_machine(&random, true);
        uint64_t seed = test_random_next(&random);
        gm_error error;
        if (config.l1.bypass == GM_BYPASS_PROFILED) {
            config.l1.bypass = GM_BYPASS_ALL; /* needs no file */
        }
        if (gm_config_check(&config, &error) == 0) {
            compare(&config, mixture_of(seed, 2, 12), &counts);
        }
    }
    value_counts_are_many(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy),    cmocka_unit_test(modern_presets),
        cmocka_unit_test(decoupled),       cmocka_unit_test(coherent),
        cmocka_unit_test(random_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
