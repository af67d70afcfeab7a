/* Values in whole runs of the order engine: no load is wrong in any kind of L1 and L2, with and
 * without trackers; values change no statistic; the observer is told of what the run does. */
#include "support/config/mixture.h"
#include "support/order/order_run.h"
#include "support/order/value_counts.h"

static gm_statistics run_with_values(const gm_config *config, memory_source *source,
                                     value_counts *counts)
{
    const gm_value_observer observer = value_counts_observer(counts);
    const gm_run_options options = {
        .threads = 3, .check = true, .check_values = true, .values = &observer};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Runs a mixture without and with values. */
static void compare(const gm_config *config, uint64_t seed, value_counts *counts)
{
    memory_source *source = mixture_of(seed, 3, 40);
    gm_statistics without = order_run(config, source, 1, 0);
    gm_statistics with = run_with_values(config, source, counts);
    assert_memory_equal(&with, &without, sizeof with);
    gm_source_close(&source->source);
}

static void every_policy(void **state)
{
    (void)state;
    test_random random = test_random_start(120);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(VARIANTS); number++) {
        gm_config config = variant(number);
        if (number % 2 != 0 && config.l2.size != GM_UNBOUNDED) {
            config.l2.bypass = GM_L2_BYPASS_COALESCED;
        }
        compare(&config, test_random_next(&random), &counts);
    }
    value_counts_are_many(&counts);
}

static void decoupled(void **state)
{
    (void)state;
    test_random random = test_random_start(121);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(12); number++) {
        gm_config config = variant(number);
        config.l1.kind = GM_L1_DECOUPLED;
        fit_for_decoupled(&config, number);
        compare(&config, test_random_next(&random), &counts);
    }
    value_counts_are_many(&counts);
}

/* An L2 that knows bytes, with and without coalesced loads that bypass it, and trackers. */
static void bytes(void **state)
{
    (void)state;
    test_random random = test_random_start(123);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(VARIANTS); number += 3) {
        gm_config config = variant(number);
        if (config.l2.size == GM_UNBOUNDED) {
            continue;
        }
        config.l2.size = (number % 4 == 0 ? 8 : 64) * config.l2.size / config.l2.line;
        config.l2.size -= config.l2.size % (config.memory.partitions * config.memory.banks *
                                            (config.l2.ways == GM_FULL ? 1 : config.l2.ways) * 32);
        config.l2.line = 32;
        config.l2.dirty = GM_DIRTY_BYTE;
        config.l2.fetch_on_write = GM_FETCH_LAZY;
        config.l2.bypass = number % 2 == 0 ? GM_L2_BYPASS_NONE : GM_L2_BYPASS_COALESCED;
        config.l1.local_write = GM_WRITE_THROUGH;
        if (config.l1.global_write == GM_WRITE_BACK) {
            config.l1.global_write = GM_WRITE_THROUGH;
        }
        config.tracker.enabled = config.l1.enabled && number % 5 < 2;
        config.l2.victim = may_take_victims(&config);
        compare(&config, test_random_next(&random), &counts);
    }
    value_counts_are_many(&counts);
}

/* An L2 whose sectors become whole by several stores. */
static void parts(void **state)
{
    (void)state;
    test_random random = test_random_start(124);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(VARIANTS); number += 3) {
        gm_config config = variant(number);
        if (config.l2.size == GM_UNBOUNDED) {
            continue;
        }
        make_whole_by_parts(&config);
        compare(&config, test_random_next(&random), &counts);
    }
    value_counts_are_many(&counts);
}

/* An L1 that is supplied by another one must not lose its SM's writes. */
static void trackers(void **state)
{
    (void)state;
    test_random random = test_random_start(122);
    value_counts counts = {0};
    for (unsigned number = 0; number < test_rounds(VARIANTS); number++) {
        gm_config config = variant(number);
        config.tracker.enabled = config.l1.enabled;
        config.tracker.trackers = UINT64_C(1) << test_random_below(&random, 3);
        give_tracker_sets(&config, 64);
        config.tracker.pointers = 0;
        config.tracker.ask = number % 3 == 0;
        config.l1.sectored = number % 2 == 0;
        if (number % 3 != 0 && config.l2.size != GM_UNBOUNDED) {
            config.l2.bypass = GM_L2_BYPASS_COALESCED;
        }
        config.l2.victim = may_take_victims(&config);
        config.l2.atomic_buffer = config.l2.victim && number % 4 == 0;
        compare(&config, test_random_next(&random), &counts);
    }
    value_counts_are_many(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy), cmocka_unit_test(decoupled), cmocka_unit_test(bytes),
        cmocka_unit_test(parts),        cmocka_unit_test(trackers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
