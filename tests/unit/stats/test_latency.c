/* Latency histograms: buckets tile the numbers, percentiles against a sorted array, invariants that
 * are broken are named. */
#include "goldmem/latency.h"
#include "support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void buckets_tile_the_latencies(void **state)
{
    (void)state;
    assert_int_equal(gm_latency_low(0), 0);
    for (unsigned i = 0; i + 1 < GM_LATENCY_BUCKETS; i++) {
        uint64_t low = gm_latency_low(i);
        uint64_t high = gm_latency_high(i);
        assert_int_equal(gm_latency_low(i + 1), high + 1);
        assert_true(high - low <= low / 64);
        assert_true(low >= 128 || high == low);
        const uint64_t ends[] = {low, high};
        for (unsigned k = 0; k < 2; k++) {
            gm_latency_histogram histogram = {0};
            gm_latency_add(&histogram, ends[k]);
            assert_int_equal(histogram.bucket[i], 1);
        }
    }
    assert_int_equal(gm_latency_high(GM_LATENCY_BUCKETS - 1), UINT32_MAX);
    gm_latency_histogram histogram = {0};
    gm_latency_add(&histogram, UINT64_C(1) << 40);
    assert_int_equal(histogram.bucket[GM_LATENCY_BUCKETS - 1], 1);
    assert_true(gm_latency_percentile(&histogram, 1) == UINT64_C(1) << 40);
}

static int by_value(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The smallest of the values that so many do not exceed, to the end of its bucket. */
static void percentiles_are_of_the_sorted_values(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static const unsigned counts[] = {1, 2, 3, 9, 10, 999, 1000, 1001, MOST};
    static uint64_t values[MOST];
    test_random random = test_random_start(1);
    for (size_t row = 0; row < sizeof counts / sizeof counts[0]; row++) {
        gm_latency_histogram halves[2] = {{0}};
        uint64_t cycles = 0;
        for (unsigned i = 0; i < counts[row]; i++) {
            values[i] = test_random_below(&random, UINT64_C(1) << test_random_below(&random, 34));
            cycles += values[i];
            gm_latency_add(&halves[i % 2], values[i]);
        }
        gm_latency_merge(&halves[0], &halves[1]);
        qsort(values, counts[row], sizeof values[0], by_value);
        assert_int_equal(halves[0].count, counts[row]);
        assert_int_equal(halves[0].cycles, cycles);
        assert_int_equal(halves[0].most, values[counts[row] - 1]);
        for (unsigned per_mille = 1; per_mille <= 1000; per_mille++) {
            unsigned rank = (counts[row] * per_mille + 999) / 1000;
            uint64_t exact = values[rank - 1];
            uint64_t got = gm_latency_percentile(&halves[0], per_mille);
            assert_true(got >= exact && got <= halves[0].most);
            assert_true(exact >= gm_latency_low(GM_LATENCY_BUCKETS - 1) ||
                        got - exact <= exact / 64);
        }
    }
    const gm_latency_histogram none = {0};
    assert_int_equal(gm_latency_percentile(&none, 500), 0);
}

static void expect(const gm_latencies *latencies, const gm_statistics *total, const char *message)
{
    gm_error error = {0};
    int code = gm_latency_check(latencies, total, &error);
    assert_int_equal(code, message == NULL ? 0 : -EPROTO);
    assert_string_equal(error.text, message == NULL ? "" : message);
}

static void invariants_hold_or_are_named(void **state)
{
    (void)state;
    static gm_latencies latencies;
    gm_statistics total = {0};
    total.time.loads = 2;
    total.time.load_cycles = 300;
    total.core.global_instructions = 3;
    total.core.local_instructions = 1;
    total.core.atomic_instructions = 1;
    gm_latency_add(&latencies.of[GM_LATENCY_requests][GM_SERVED_BY_l1], 35);
    gm_latency_add(&latencies.of[GM_LATENCY_requests][GM_SERVED_BY_dram], 265);
    gm_latency_add(&latencies.of[GM_LATENCY_loads][GM_SERVED_BY_dram], 280);
    gm_latency_add(&latencies.of[GM_LATENCY_loads][GM_SERVED_BY_peer], 90);
    gm_latency_add(&latencies.of[GM_LATENCY_stores][GM_SERVED_BY_l2], 200);
    gm_latency_add(&latencies.of[GM_LATENCY_atomics][GM_SERVED_BY_l2], 220);
    gm_latency_add(&latencies.of[GM_LATENCY_shared][GM_SERVED_BY_l1], 29);
    expect(&latencies, &total, NULL);
    total.core.local_instructions = 2;
    expect(&latencies, &total,
           "conservation law broken: latencies: loads, stores and atomics = global and local "
           "instructions: 4 "
           "and 5");
    total.core.atomic_instructions = 2;
    expect(&latencies, &total,
           "conservation law broken: latencies: atomics = atomic_instructions: 1 and 2");
    total.time.load_cycles = 301;
    expect(&latencies, &total,
           "conservation law broken: latencies: their cycles = time.load_cycles: 300 and 301");
    total.time.loads = 3;
    expect(&latencies, &total,
           "conservation law broken: latencies: line requests of loads = time.loads: 2 and 3");
    latencies.of[GM_LATENCY_shared][GM_SERVED_BY_l1].count++;
    expect(&latencies, &total,
           "conservation law broken: latencies: those of the buckets = all: 1 and 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_tile_the_latencies),
        cmocka_unit_test(percentiles_are_of_the_sorted_values),
        cmocka_unit_test(invariants_hold_or_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
