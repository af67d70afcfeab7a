/* The laws of the analyses: an honest run passes; counters that disagree are named. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

/* Three accesses at the L1, of which two miss; one at the L2, which misses. */
static gm_analysis *run(gm_config *config, gm_statistics *total)
{
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, config, GM_ANALYZE_ALL, &error), error);
    gm_analysis_access access = {.line = 1, .lanes = 1, .sectors = 1, .fills = 15};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &access, &error), error);
    access.hit = true;
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    access.hit = false;
    access.line = 2;
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_kernel_end(analysis, 0, &error), error);
    *total = (gm_statistics){0};
    total->l1d.accesses[GM_LOAD] = 3;
    total->l1d.misses[GM_LOAD] = 2;
    total->l2.accesses[GM_LOAD] = 1;
    total->l2.misses[GM_LOAD] = 1;
    return analysis;
}

static void expect(gm_config *config, gm_analysis *analysis, const gm_statistics *total,
                   const char *message)
{
    gm_error error = {0};
    int code = gm_analysis_check(analysis, config, total, &error);
    assert_int_equal(code, message == NULL ? 0 : -EPROTO);
    assert_string_equal(error.text, message == NULL ? "" : message);
}

static void laws_hold_or_are_named(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    gm_statistics total;
    gm_analysis *analysis = run(&config, &total);
    expect(&config, analysis, &total, NULL);
    total.l1d.misses[GM_STORE] = 1;
    expect(&config, analysis, &total, "analysis breaks the law miss classes = misses: 2 and 3");
    total.l1d.misses[GM_STORE] = 0;
    total.l1d.accesses[GM_ATOMIC] = 4;
    expect(&config, analysis, &total,
           "analysis breaks the law locality accesses = l1d.accesses: 3 and 7");
    gm_analysis_free(analysis);
}

/* A curve whose accesses are not the L1s' or the L2's. */
static void curves_count_the_caches_accesses(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_MRC, &error), error);
    gm_analysis_access access = {.line = 1};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &access, &error), error);
    access.origin = GM_ORIGIN_COPY; /* not in l2.accesses */
    test_ok(gm_analysis_l2_access(analysis, &access, &error), error);
    gm_statistics total = {.l1d = {.accesses = {1, 0, 0}}, .l2 = {.accesses = {1, 0, 0}}};
    expect(&config, analysis, &total, NULL);
    total.l2.accesses[GM_STORE] = 1;
    expect(&config, analysis, &total,
           "analysis breaks the law mrc: accesses = accesses of the caches: 1 and 2");
    total.l1d.accesses[GM_STORE] = 3;
    expect(&config, analysis, &total,
           "analysis breaks the law mrc: accesses = accesses of the caches: 1 and 4");
    gm_analysis_free(analysis);
}

/* Two accesses, of which one passes by. */
static void what_enters_is_what_does_not_pass_by(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_REUSE, &error), error);
    gm_analysis_access access = {.line = 1, .lanes = 1, .sectors = 1, .fills = 15};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    access.bypass = true;
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    gm_statistics total = {.l1d = {.accesses = {2, 0, 0}, .bypasses = {1, 0, 0}}};
    expect(&config, analysis, &total, NULL);
    total.l1d.bypasses[GM_ATOMIC] = 1;
    expect(&config, analysis, &total,
           "analysis breaks the law accesses that enter = l1d.accesses - l1d.bypasses: 1 and 0");
    total.l1d.accesses[GM_ATOMIC] = 1;
    expect(&config, analysis, &total,
           "analysis breaks the law reuse accesses = l1d.accesses: 2 and 3");
    gm_analysis_free(analysis);
}

/* The second access is said to hit a cache that, unbounded or fully associative, has seen the line:
 * so far its own counts agree. One that misses a line it must hold does not. */
static void ideal_caches_miss_as_their_shadows(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    config.l1.ways = GM_FULL;
    gm_statistics total;
    gm_analysis *analysis = run(&config, &total);
    expect(&config, analysis, &total, NULL);
    gm_error error;
    const gm_analysis_access access = {.line = 1, .lanes = 1, .sectors = 1, .fills = 15};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    total.l1d.accesses[GM_LOAD] = 4;
    total.l1d.misses[GM_LOAD] = 3;
    expect(&config, analysis, &total,
           "analysis breaks the law misses of a fully associative LRU cache: 2 and 3");
    config.l1.ways = 4;
    config.l1.size = GM_UNBOUNDED;
    expect(&config, analysis, &total,
           "analysis breaks the law misses of an unbounded cache: 2 and 3");
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold_or_are_named),
        cmocka_unit_test(curves_count_the_caches_accesses),
        cmocka_unit_test(what_enters_is_what_does_not_pass_by),
        cmocka_unit_test(ideal_caches_miss_as_their_shadows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
