/* The line table against a plain array, and the buckets of histograms. */
#include "base/line_table.h"
#include "goldmem/analysis.h"
#include "support/support.h"

enum { LINES = 3000, STEPS = 20000 };

static void holds_what_an_array_holds(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    static uint64_t expected[LINES]; /* 0: not put in */
    gm_line_table table;
    gm_line_table_init(&table, sizeof(uint64_t));
    uint64_t held = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t number = test_random_below(&random, LINES);
        bool fresh = false;
        /* far apart, so that the hash's upper bits matter; line 0 included */
        uint64_t *value = gm_line_table_get(&table, number << 40, &fresh);
        assert_non_null(value);
        assert_int_equal(fresh, expected[number] == 0);
        assert_int_equal(*value, expected[number]);
        held += fresh;
        *value = expected[number] = i + 1;
        assert_int_equal(table.count, held);
    }
    uint64_t sum = 0;
    uint64_t expected_sum = 0;
    uint64_t slot = 0;
    for (const uint64_t *value; (value = gm_line_table_next(&table, &slot)) != NULL;) {
        sum += *value;
        held--;
    }
    for (unsigned i = 0; i < LINES; i++) {
        expected_sum += expected[i];
    }
    assert_int_equal(held, 0);
    assert_int_equal(sum, expected_sum);
    gm_line_table_free(&table);
    slot = 0;
    assert_null(gm_line_table_next(&table, &slot));
}

/* Lines come and go; a quarter of the steps takes one out. */
static void forgets_what_an_array_forgets(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    static uint64_t expected[LINES]; /* 0: not held */
    gm_line_table table;
    gm_line_table_init(&table, 2 * sizeof(uint64_t));
    uint64_t held = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t number = test_random_below(&random, i < STEPS / 2 ? 100 : LINES);
        if (expected[number] != 0 && test_random_below(&random, 2) == 0) {
            gm_line_table_remove(&table, number);
            expected[number] = 0;
            held--;
        } else {
            bool fresh = false;
            uint64_t *value = gm_line_table_get(&table, number, &fresh);
            assert_int_equal(fresh, expected[number] == 0);
            assert_int_equal(value[0], expected[number]);
            assert_int_equal(value[1], expected[number]);
            held += fresh;
            value[0] = value[1] = expected[number] = i + 1;
        }
        assert_int_equal(table.count, held);
    }
    for (uint64_t number = 0; number < LINES; number++) {
        bool fresh = false;
        uint64_t *value = gm_line_table_get(&table, number, &fresh);
        assert_int_equal(fresh, expected[number] == 0);
        assert_int_equal(value[0], expected[number]);
        assert_int_equal(value[1], expected[number]);
    }
    gm_line_table_free(&table);
}

/* Hand-made: 0 to 8 alone, then ranges that end at powers of two. */
static void buckets_cover_all_values_once(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        unsigned bucket;
    } rows[] = {
        {0, 0},
        {1, 1},
        {8, 8},
        {9, 9},
        {16, 9},
        {17, 10},
        {32, 10},
        {33, 11},
        {UINT64_MAX, 69},
        {(UINT64_C(1) << 63) + 1, 69},
        {UINT64_C(1) << 63, 68},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(gm_histogram_bucket(rows[i].value), rows[i].bucket);
    }
    assert_int_equal(gm_histogram_low(0), 0);
    for (unsigned i = 0; i < GM_HISTOGRAM_BUCKETS; i++) {
        assert_int_equal(gm_histogram_bucket(gm_histogram_low(i)), i);
        assert_int_equal(gm_histogram_bucket(gm_histogram_high(i)), i);
        assert_true(i + 1 == GM_HISTOGRAM_BUCKETS ||
                    gm_histogram_low(i + 1) == gm_histogram_high(i) + 1);
    }
    assert_true(gm_histogram_high(GM_HISTOGRAM_BUCKETS - 1) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_what_an_array_holds),
        cmocka_unit_test(forgets_what_an_array_forgets),
        cmocka_unit_test(buckets_cover_all_values_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
