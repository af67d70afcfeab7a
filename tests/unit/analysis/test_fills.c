/* Intervals from fills to later accesses: hand-worked lines, and random ones against a list of all
 * events that is read from its end. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { SMS = 66 }; /* more than one word of bits */

static gm_analysis *create(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_FILLS, &error), error);
    return analysis;
}

/* An event at a level: a fill, an access, an access that waits for the fill, a kernel's end. */
typedef struct event {
    char what; /* F, A, W, E */
    uint32_t sm;
    uint64_t line, cycle, kernel;
} event;

static void tell(gm_analysis *analysis, gm_cache_level level, const event *event)
{
    gm_error error;
    const gm_analysis_access access = {.line = event->line,
                                       .kernel = event->kernel,
                                       .sm = event->sm,
                                       .waits = event->what == 'W',
                                       .hit = event->what == 'W',
                                       .cycle = event->cycle};
    if (event->what == 'E') {
        test_ok(gm_analysis_kernel_end(analysis, event->kernel, &error), error);
    } else if (event->what != 'F') {
        test_ok(level == GM_LEVEL_L1 ? gm_analysis_l1_access(analysis, &access, &error)
                                     : gm_analysis_l2_access(analysis, &access, &error),
                error);
    } else if (level == GM_LEVEL_L1) {
        gm_analysis_l1_fill(analysis, event->sm, event->line, event->cycle);
    } else {
        gm_analysis_l2_fill(analysis, event->line, event->cycle);
    }
}

/* SM 0 misses line 1 at 10, merges at 12, its data come at 50; it hits at 60 and 1050, and misses
 * again at 2000, which ends the interval of the first fill. SM 1 has its own copy, so that line 1
 * is shared and line 2 is not. In kernel 1 line 1 is private, and nothing is left of kernel 0. */
static const event by_hand[] = {
    {'A', 0, 1, 10, 0},   {'W', 0, 1, 12, 0},   {'A', 0, 2, 13, 0},   {'F', 0, 1, 50, 0},
    {'A', 0, 1, 60, 0},   {'A', 1, 1, 70, 0},   {'F', 1, 1, 75, 0},   {'F', 0, 2, 80, 0},
    {'A', 0, 1, 1050, 0}, {'A', 0, 2, 1079, 0}, {'A', 0, 1, 2000, 0}, {'F', 0, 1, 2100, 0},
    {'A', 0, 1, 2100, 0}, {'E', 0, 0, 2200, 0}, {'A', 0, 1, 3000, 1}, {'F', 0, 1, 3001, 1},
    {'A', 0, 1, 4001, 1}, {'E', 0, 0, 5000, 1},
};

static void intervals_by_hand(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++) {
        tell(analysis, GM_LEVEL_L1, &by_hand[i]);
    }
    const gm_fill_results *got = &gm_analysis_read(analysis)->fills[GM_LEVEL_L1];
    assert_int_equal(got->shared.requests, 7);
    assert_int_equal(got->shared.hits_pending, 1);
    assert_int_equal(got->shared.next.count, 2); /* 60 - 50, 2100 - 2100 */
    assert_int_equal(got->shared.next.cycles, 10);
    assert_int_equal(got->shared.future.count, 4); /* and 1050 - 50, 2000 - 50 */
    assert_int_equal(got->shared.future.cycles, 10 + 1000 + 1950);
    assert_int_equal(got->shared.future.most, 1950);
    assert_int_equal(gm_latency_at_least(&got->shared.future, GM_FILL_LONG), 2);
    assert_int_equal(gm_latency_percentile(&got->shared.future, 500), 10);
    assert_int_equal(got->exclusive.requests, 4); /* line 2 of kernel 0, line 1 of kernel 1 */
    assert_int_equal(got->exclusive.hits_pending, 0);
    assert_int_equal(got->exclusive.next.count, 2); /* 1079 - 80, 4001 - 3001 */
    assert_int_equal(got->exclusive.next.cycles, 999 + 1000);
    assert_int_equal(gm_latency_at_least(&got->exclusive.next, GM_FILL_LONG), 1);
    gm_analysis_free(analysis);
}

/* At the L2 the accesses of all SMs follow a fill. */
static void the_l2_has_the_accesses_of_all(void **state)
{
    (void)state;
    static const event events[] = {
        {'A', 0, 1, 10, 0},  {'W', 3, 1, 20, 0},   {'F', 0, 1, 100, 0},
        {'A', 2, 1, 130, 0}, {'A', 65, 1, 150, 0}, {'E', 0, 0, 200, 0},
    };
    gm_analysis *analysis = create();
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        tell(analysis, GM_LEVEL_L2, &events[i]);
    }
    const gm_fill_class *got = &gm_analysis_read(analysis)->fills[GM_LEVEL_L2].shared;
    assert_int_equal(got->requests, 4);
    assert_int_equal(got->hits_pending, 1);
    assert_int_equal(got->next.cycles, 30);
    assert_int_equal(got->future.cycles, 30 + 50);
    assert_int_equal(gm_analysis_read(analysis)->fills[GM_LEVEL_L1].shared.requests, 0);
    gm_analysis_free(analysis);
}

enum { EVENTS = 20000, LINES = 40 };

/* True if another SM accesses the line of an event in its kernel. */
static bool is_shared(const event *all, size_t of)
{
    bool shared = false;
    for (size_t i = 0; i < EVENTS && !shared; i++) {
        shared = (all[i].what == 'A' || all[i].what == 'W') && all[i].line == all[of].line &&
                 all[i].kernel == all[of].kernel && all[i].sm != all[of].sm;
    }
    return shared;
}

/* Counts one access by what lies before it. An access of another kernel between fill and access
 * ends what is known of the fill. */
static void count(const event *all, size_t of, gm_fill_results *into)
{
    gm_fill_class *class = is_shared(all, of) ? &into->shared : &into->exclusive;
    class->requests++;
    class->hits_pending += all[of].what == 'W';
    bool first = true;
    bool known = false; /* a fill follows an access of this kernel */
    size_t fill = of;
    for (size_t i = of; i-- > 0;) {
        if (all[i].line != all[of].line || all[i].sm != all[of].sm) {
            continue;
        }
        if (all[i].what != 'F' && all[i].kernel != all[of].kernel) {
            break;
        }
        if (all[i].what == 'F' && fill == of) {
            fill = i;
        } else if (all[i].what != 'F') {
            known = known || fill != of;
            first = first && (fill != of || all[i].what == 'W');
        }
    }
    if (known && all[of].what == 'A') {
        gm_latency_add(&class->future, all[of].cycle - all[fill].cycle);
        if (first) {
            gm_latency_add(&class->next, all[of].cycle - all[fill].cycle);
        }
    }
}

static void random_against_the_list(void **state)
{
    (void)state;
    test_random random = test_random_start(7);
    static event all[EVENTS];
    static gm_fill_results expected;
    uint64_t cycle = 0;
    gm_analysis *analysis = create();
    for (size_t i = 0; i < EVENTS; i++) {
        uint64_t line = test_random_below(&random, LINES);
        cycle += test_random_below(&random, 1 + (line < 3 ? 400 : 20));
        /* even lines are of one SM in each kernel; two kernels at a time */
        uint64_t kernel = i * 4 / EVENTS + test_random_below(&random, 2);
        uint64_t sm = line % 2 == 0 ? line + kernel : test_random_below(&random, 3) * 32;
        all[i] = (event){"FAAW"[test_random_below(&random, 4)], (uint32_t)sm, line, cycle, kernel};
        tell(analysis, GM_LEVEL_L1, &all[i]);
    }
    for (uint64_t kernel = 0; kernel < 5; kernel++) {
        const event end = {.what = 'E', .kernel = kernel};
        tell(analysis, GM_LEVEL_L1, &end);
    }
    for (size_t i = 0; i < EVENTS; i++) {
        if (all[i].what != 'F') {
            count(all, i, &expected);
        }
    }
    assert_true(expected.shared.next.count > 300 && expected.exclusive.next.count > 300);
    assert_memory_equal(&gm_analysis_read(analysis)->fills[GM_LEVEL_L1], &expected,
                        sizeof expected);
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(the_l2_has_the_accesses_of_all),
        cmocka_unit_test(random_against_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
