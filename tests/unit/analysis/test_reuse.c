/* Reuse counts and distances: the example of [li, figure 4], hand-worked sequences, and random ones
 * against counting by hand backwards through all accesses. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

#include <string.h>

static gm_analysis *create(void)
{
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_REUSE, &error), error);
    return analysis;
}

static void touch(gm_analysis *analysis, uint64_t line, uint32_t sm)
{
    gm_error error;
    const gm_analysis_access access = {.line = line, .sm = sm};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
}

/* Each letter is an access to the line of that name. One re-reference, of the last letter. */
static void distances_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *accesses;
        unsigned between, lines;
    } rows[] = {
        {"ABCA", 2, 2},      /* [li, figure 4]'s caption */
        {"AA", 0, 0},        /* nothing between */
        {"ZABCDEFGHA", 7, 7} /* Z before does not count */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_analysis *analysis = create();
        for (const char *c = rows[i].accesses; *c != '\0'; c++) {
            touch(analysis, (uint64_t)*c, 0);
        }
        const gm_reuse_results *reuse = &gm_analysis_read(analysis)->reuse;
        for (unsigned k = 0; k < GM_HISTOGRAM_BUCKETS; k++) {
            assert_int_equal(reuse->distances.count[k], k == rows[i].between);
            assert_int_equal(reuse->stack_distances.count[k], k == rows[i].lines);
        }
        gm_analysis_free(analysis);
    }
}

/* ABBA: B again at 0 and 0; A again after two accesses, but one other line. A twice, B twice. */
static void lines_differ_from_accesses(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    for (const char *c = "ABBA"; *c != '\0'; c++) {
        touch(analysis, (uint64_t)*c, 0);
    }
    const gm_reuse_results *reuse = &gm_analysis_read(analysis)->reuse;
    assert_int_equal(reuse->distances.count[0], 1);
    assert_int_equal(reuse->distances.count[2], 1);
    assert_int_equal(reuse->stack_distances.count[0], 1);
    assert_int_equal(reuse->stack_distances.count[1], 1);
    assert_int_equal(reuse->references.count[2], 2);
    assert_int_equal(reuse->lines, 2);
    assert_int_equal(reuse->accesses, 4);
    assert_int_equal(reuse->accesses_once, 0);
    gm_analysis_free(analysis);
}

/* One line on two SMs is two lines without reuse: each SM has a stream of its own. */
static void streams_are_per_sm(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    touch(analysis, 1, 0);
    touch(analysis, 1, 1);
    const gm_reuse_results *reuse = &gm_analysis_read(analysis)->reuse;
    assert_int_equal(reuse->lines, 2);
    assert_int_equal(reuse->accesses_once, 2);
    assert_int_equal(reuse->references.count[1], 2);
    gm_analysis_free(analysis);
}

/* Small letters pass by. ABcBcA: c again after one access and one line, A after four and two. Of
 * ABBA, what enters, A comes again after two accesses and one line. */
static void what_enters_is_a_stream_of_its_own(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    for (const char *c = "ABcBcA"; *c != '\0'; c++) {
        gm_error error;
        const gm_analysis_access access = {.line = (uint64_t)(*c | 32), .bypass = *c >= 'a'};
        test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    }
    const gm_reuse_results *reuse = &gm_analysis_read(analysis)->reuse;
    assert_int_equal(reuse->accesses, 6);
    assert_int_equal(reuse->lines, 3);
    assert_int_equal(reuse->distances.count[1], 2); /* B, c */
    assert_int_equal(reuse->distances.count[4], 1);
    assert_int_equal(reuse->stack_distances.count[1], 2);
    assert_int_equal(reuse->stack_distances.count[2], 1);
    const gm_reuse_results *entering = &gm_analysis_read(analysis)->entering;
    assert_int_equal(entering->accesses, 4);
    assert_int_equal(entering->lines, 2);
    assert_int_equal(entering->accesses_once, 0);
    assert_int_equal(entering->references.count[2], 2);
    assert_int_equal(entering->distances.count[0], 1);
    assert_int_equal(entering->distances.count[2], 1);
    assert_int_equal(entering->stack_distances.count[0], 1);
    assert_int_equal(entering->stack_distances.count[1], 1);
    gm_analysis_free(analysis);
}

enum { ACCESSES = 6000, LINES = 900 };

/* More accesses than the tree has times at first, so that it is packed several times. */
static void random_against_search(void **state)
{
    (void)state;
    test_random random = test_random_start(3);
    static uint64_t lines[ACCESSES];
    gm_analysis *analysis = create();
    gm_reuse_results expected = {.accesses = ACCESSES};
    static uint64_t references[LINES];
    memset(references, 0, sizeof references);
    for (unsigned i = 0; i < ACCESSES; i++) {
        /* mostly near, sometimes far */
        uint64_t range = test_random_below(&random, 4) == 0 ? LINES : 30;
        lines[i] = test_random_below(&random, range);
        touch(analysis, lines[i], 2);
        references[lines[i]]++;
        bool seen[LINES] = {false};
        unsigned different = 0;
        for (unsigned k = i; k > 0; k--) {
            if (lines[k - 1] == lines[i]) {
                expected.distances.count[gm_histogram_bucket(i - k)]++;
                expected.stack_distances.count[gm_histogram_bucket(different)]++;
                break;
            }
            different += !seen[lines[k - 1]];
            seen[lines[k - 1]] = true;
        }
    }
    for (unsigned i = 0; i < LINES; i++) {
        if (references[i] != 0) {
            expected.lines++;
            expected.accesses_once += references[i] == 1;
            expected.references.count[gm_histogram_bucket(references[i])]++;
        }
    }
    assert_memory_equal(&gm_analysis_read(analysis)->reuse, &expected, sizeof expected);
    assert_memory_equal(&gm_analysis_read(analysis)->entering, &expected, sizeof expected);
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(lines_differ_from_accesses),
        cmocka_unit_test(streams_are_per_sm),
        cmocka_unit_test(what_enters_is_a_stream_of_its_own),
        cmocka_unit_test(random_against_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
