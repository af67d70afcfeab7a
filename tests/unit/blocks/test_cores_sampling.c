/* Cores sampling: operations worked by hand with the numbers of [khairy, 4.2 and Table 4]. */
#include "support/blocks/cores_sampling_run.h"

#include <errno.h>
#include <stdbool.h>

static gm_cores_sampling_response begin(gm_cores_sampling *sampling, uint64_t kernel)
{
    return act(sampling,
               (gm_cores_sampling_request){.op = GM_CORES_SAMPLING_KERNEL, .kernel = kernel});
}

/* A period in which each SM has `misses` and issues `issued`, and SM `best` one more. SMs from
 * `idle` on have no warps, the first `closed` SMs a closed L1. */
typedef struct period {
    uint64_t misses, issued;
    unsigned best, idle, closed;
} period;

enum { NOBODY = 999 };

static gm_cores_sampling_response pass(gm_cores_sampling *sampling, period p)
{
    gm_cores_sampling_response response = {0};
    for (unsigned sm = 0; sm < sampling->parameters.sms; sm++) {
        assert_int_equal(response.ended, 0);
        response = act(sampling, (gm_cores_sampling_request){.misses = p.misses,
                                                             .issued = p.issued + (sm == p.best),
                                                             .idle = sm >= p.idle,
                                                             .closed = sm < p.closed});
    }
    assert_int_equal(response.ended, 1);
    return response;
}

static const period hot = {.misses = 400, .issued = 1000, .best = NOBODY, .idle = NOBODY};
static const period cool = {.misses = 300, .issued = 1000, .best = NOBODY, .idle = NOBODY};

static gm_cores_sampling_response pass_times(gm_cores_sampling *sampling, period p, unsigned times)
{
    gm_cores_sampling_response response = {0};
    for (unsigned i = 0; i < times; i++) {
        response = pass(sampling, p);
    }
    return response;
}

/* A round of three periods in which SM `best` issues most. */
static gm_cores_sampling_response sample(gm_cores_sampling *sampling, unsigned best)
{
    return pass_times(sampling, (period){.misses = 0, .issued = 500, .best = best, .idle = NOBODY},
                      3);
}

static void expect(gm_cores_sampling_response response, uint64_t hot_count, bool sampling,
                   uint64_t limit)
{
    assert_int_equal(response.hot, hot_count);
    assert_int_equal(response.sampling, sampling);
    assert_int_equal(response.limit, limit);
}

static void expect_limits(const gm_cores_sampling *sampling, const unsigned *limit)
{
    for (unsigned sm = 0; sm < sampling->parameters.sms; sm++) {
        assert_int_equal(gm_cores_sampling_limit(sampling, sm), limit[sm]);
    }
}

static void operations_by_hand(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    expect(begin(&s, 7), 0, false, 0);
    /* 400 misses of 32,000 thread instructions are 12.5 per 1000; 300 are 9.4 */
    expect(pass(&s, cool), 0, false, 0);
    expect(pass(&s, hot), 1, false, 0);
    expect(pass(&s, hot), 2, false, 0);
    expect(pass(&s, cool), 0, false, 0); /* not in a row */
    expect(pass(&s, hot), 1, false, 0);
    expect(pass(&s, hot), 2, false, 0);
    expect(pass(&s, hot), 3, true, 1); /* the third in a row */
    const unsigned own[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    expect_limits(&s, own);
    const period second = {.misses = 0, .issued = 500, .best = 1, .idle = NOBODY};
    expect(pass(&s, second), 3, true, 1); /* misses count nothing while SMs are sampled */
    expect(pass(&s, second), 3, true, 1);
    expect(pass(&s, second), 3, false, 2); /* SM 1 has 1503, the others 1500 */
    const unsigned two[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    expect_limits(&s, two);
    expect(pass(&s, hot), 3, false, 2); /* till the end of the kernel */
    expect(pass(&s, cool), 3, false, 2);
    assert_int_equal(gm_cores_sampling_hot(&s), 3);
    expect(begin(&s, 8), 0, false, 0); /* another kernel has no limit */
    for (uint64_t op = GM_CORES_SAMPLING_RESTART; op < 4; op++) {
        begin(&s, 7);
        expect(pass(&s, hot), op == 2 ? 3 : 1, false, op == 2 ? 2 : 0);
        act(&s, (gm_cores_sampling_request){.misses = 9, .issued = 9, .idle = 1, .closed = 1});
        expect(act(&s, (gm_cores_sampling_request){.op = op}), 0, false, 0);
        const gm_cores_sampling fresh = make(table_4);
        assert_memory_equal(&s, &fresh, sizeof s);
    }
}

/* 10 misses per 1000 thread instructions are 320 misses per 1000 warp instructions, so 8 per 25. */
static void the_threshold_of_table_4(void **state)
{
    (void)state;
    static const struct {
        uint64_t misses, issued;
        bool hot;
        const char *why;
    } rows[] = {
        {320, 1000, false, "at the threshold"},
        {321, 1000, true, "a miss more"},
        {320, 999, true, "an instruction less"},
        {319, 1000, false, "a miss less"},
        {0, 0, false, "nothing happens"},
        {1, 0, true, "no instruction, a miss"},
        {1, 4, false, "7.8"},
        {1, 3, true, "10.4"},
        {16383, 32767, true, "the largest, 15.6"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_cores_sampling s = make(table_4);
        period p = {
            .misses = rows[i].misses, .issued = rows[i].issued, .best = NOBODY, .idle = NOBODY};
        if (pass(&s, p).hot != rows[i].hot) {
            fail_msg("%s: hot %d", rows[i].why, !rows[i].hot);
        }
    }
    /* Every threshold, at 32 x threshold misses of 1000 instructions. */
    for (unsigned threshold = 1; threshold <= 250; threshold++) {
        gm_cores_sampling_parameters p = table_4;
        p.threshold = threshold;
        for (unsigned above = 0; above < 2; above++) {
            gm_cores_sampling s = make(p);
            pass_times(&s, (period){UINT64_C(32) * threshold, 1000, NOBODY, NOBODY, 0}, 1);
            assert_int_equal(gm_cores_sampling_hot(&s), 0);
            pass(&s, (period){UINT64_C(32) * threshold + 1, 1000, NOBODY, NOBODY, 0});
            assert_int_equal(gm_cores_sampling_hot(&s), 1);
        }
    }
}

static void each_sm_wins(void **state)
{
    (void)state;
    for (unsigned sm = 0; sm < 14; sm++) {
        gm_cores_sampling s = make(table_4);
        pass_times(&s, hot, 3);
        expect(sample(&s, sm), 3, false, sm + 1);
    }
}

static void the_most_sms_have_limits(void **state)
{
    (void)state;
    gm_cores_sampling_parameters p = table_4;
    p.sms = p.warps = 256;
    gm_cores_sampling s = make(p);
    pass_times(&s, hot, 3);
    expect(sample(&s, 254), 3, false, 255);
}

static void ties_go_to_the_smaller_limit(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    pass_times(&s, hot, 3);
    expect(sample(&s, NOBODY), 3, false, 1); /* all issue as much */
    s = make(table_4);
    pass_times(&s, hot, 3);
    expect(pass_times(&s, (period){.best = NOBODY, .idle = NOBODY}, 3), 3, false,
           1); /* none does */
    /* SM 4 and SM 9 have one more, in different periods */
    s = make(table_4);
    pass_times(&s, hot, 3);
    pass(&s, (period){.issued = 500, .best = 9, .idle = NOBODY});
    pass(&s, (period){.issued = 500, .best = 4, .idle = NOBODY});
    expect(pass(&s, (period){.issued = 500, .best = NOBODY, .idle = NOBODY}), 3, false, 5);
}

/* "In case, the winner core is the last core (core# 15 in our case), another sampling period is
 * relaunched to test the other numbers of warps (16-24)." */
static void a_second_round_of_15_sms(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    pass_times(&s, hot, 3);
    expect(sample(&s, 14), 3, true, 16);
    const unsigned second[] = {16, 17, 18, 19, 20, 21, 22, 23, 24, 24, 24, 24, 24, 24, 24};
    expect_limits(&s, second);
    gm_cores_sampling copy = s;
    /* SM 2 issues 1800, more than the 1503 of 15 warps: 18 */
    expect(pass_times(&copy, (period){.issued = 599, .best = 2, .idle = NOBODY}, 3), 3, false, 18);
    copy = s;
    /* nobody issues more than 1503 */
    expect(pass_times(&copy, (period){.issued = 500, .best = 2, .idle = NOBODY}, 3), 3, false, 15);
    copy = s;
    /* the last SM has 24 warps too, and there is no third round */
    expect(pass_times(&copy, (period){.issued = 599, .best = 14, .idle = NOBODY}, 3), 3, false, 24);
}

static void rounds_of_4_sms(void **state)
{
    (void)state;
    gm_cores_sampling_parameters p = table_4;
    p.sms = 4;
    p.warps = 10;
    gm_cores_sampling s = make(p);
    pass_times(&s, hot, 3);
    expect_limits(&s, (const unsigned[]){1, 2, 3, 4});
    expect(pass_times(&s, (period){.issued = 100, .best = 3, .idle = NOBODY}, 3), 3, true, 5);
    expect_limits(&s, (const unsigned[]){5, 6, 7, 8});
    expect(pass_times(&s, (period){.issued = 200, .best = 3, .idle = NOBODY}, 3), 3, true, 9);
    expect_limits(&s, (const unsigned[]){9, 10, 10, 10});
    gm_cores_sampling copy = s;
    expect(pass_times(&copy, (period){.issued = 300, .best = 3, .idle = NOBODY}, 3), 3, false, 10);
    expect(pass_times(&s, (period){.issued = 100, .best = 3, .idle = NOBODY}, 3), 3, false, 8);
    /* as many SMs as warps: one round */
    p.sms = p.warps = 4;
    s = make(p);
    pass_times(&s, hot, 3);
    expect(sample(&s, 3), 3, false, 4);
}

static void sampling_needs_warps_on_every_sm(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    period dry = hot;
    dry.idle = 14;
    expect(pass_times(&s, dry, 5), 3, false, 0); /* waits */
    expect(pass(&s, hot), 3, true, 1);
    expect(pass(&s, hot), 3, true, 1);
    expect(pass(&s, dry), 3, false, 0); /* dropped; the kernel is hot still */
    expect(pass(&s, hot), 3, true, 1);
    pass_times(&s, hot, 2);
    expect(pass(&s, dry), 3, false, 0); /* in the last period too */
    expect(pass(&s, hot), 3, true, 1);
    expect(sample(&s, 6), 3, false, 7);
    expect(pass(&s, dry), 3, false, 7); /* a limit stays */
}

static void closed_l1s_clear_the_count(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    period half = hot;
    period most = hot;
    half.closed = 7;
    most.closed = 8;
    expect(pass_times(&s, half, 2), 2, false, 0);
    expect(pass(&s, most), 0, false, 0);
    expect(pass_times(&s, half, 3), 3, true, 1);
    expect(pass(&s, half), 3, true, 1);
    expect(pass(&s, most), 0, false, 0); /* drops sampling */
    expect(pass(&s, hot), 1, false, 0);
    gm_cores_sampling_parameters p = table_4;
    p.sms = 4;
    s = make(p);
    half.closed = 2;
    most.closed = 3;
    expect(pass(&s, half), 1, false, 0);
    expect(pass(&s, most), 0, false, 0);
}

/* "When the same kernel is relaunched and MPKI exceeds the threshold, it doesn't sample the cores
 * again. Instead, it uses the same number of warps obtained before." */
static void a_known_kernel_is_not_sampled(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    begin(&s, 7);
    pass_times(&s, hot, 3);
    expect(sample(&s, 4), 3, false, 5);
    expect(begin(&s, 7), 3, false, 0);
    expect(pass(&s, hot), 3, false, 5); /* at once, with a count of 3 */
    expect(begin(&s, 7), 3, false, 0);
    expect(pass(&s, cool), 0, false, 0);
    expect(pass(&s, hot), 1, false, 5); /* and of 0 */
    begin(&s, 9);
    expect(pass(&s, hot), 1, false, 0);
    begin(&s, 7);
    period dry = hot;
    dry.idle = 3;
    expect(pass(&s, dry), 2, false, 5); /* a limit needs no warps */
}

static void hot_counts_survive_launches(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    for (uint64_t launch = 0; launch < 3; launch++) {
        for (uint64_t kernel = 0; kernel < 8; kernel++) {
            expect(begin(&s, kernel), launch, false, 0);
            expect(pass(&s, hot), launch + 1, launch == 2, launch == 2);
            act(&s, (gm_cores_sampling_request){.misses = 16383}); /* a report of no period */
        }
    }
    for (uint64_t kernel = 0; kernel < 8; kernel++) { /* the kernels ended while sampled */
        expect(begin(&s, kernel), 3, false, 0);
        expect(pass(&s, hot), 3, true, 1);
        expect(sample(&s, (unsigned)kernel), 3, false, kernel + 1);
    }
}

static void the_table_forgets_the_oldest(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    for (uint64_t kernel = 0; kernel < 8; kernel++) {
        begin(&s, kernel);
        pass_times(&s, hot, 3);
        sample(&s, 2);
    }
    expect(begin(&s, 0), 3, false, 0); /* no entry is taken for a kernel that has one */
    expect(pass(&s, hot), 3, false, 3);
    begin(&s, 100);
    pass(&s, cool); /* nor for a cool one */
    expect(begin(&s, 0), 3, false, 0);
    begin(&s, 101);
    expect(pass(&s, hot), 1, false, 0); /* takes that of kernel 0, used last or not */
    expect(begin(&s, 0), 0, false, 0);
    expect(begin(&s, 1), 3, false, 0);
    begin(&s, 0);
    expect(pass(&s, hot), 1, false, 0); /* takes that of kernel 1 */
    expect(begin(&s, 1), 0, false, 0);
    for (uint64_t kernel = 2; kernel < 8; kernel++) {
        begin(&s, kernel);
        expect(pass(&s, hot), 3, false, 3);
    }
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* NULL: taken */
        gm_cores_sampling_parameters p;
    } rows[] = {
        {NULL, {1, 1, 1, 1, 1, 1, 1, 1, 1}},
        {NULL, {256, 256, 24, 24, 1000, 15, 16, 32, 32}},
        {"cores_sampling: sms 0: must be 1 to 256", {0, 1, 1, 1, 1, 1, 1, 1, 1}},
        {"cores_sampling: sms 257: must be 1 to 256", {257, 1, 1, 1, 1, 1, 1, 1, 1}},
        {"cores_sampling: warps 257: must be 1 to 256", {1, 257, 1, 1, 1, 1, 1, 1, 1}},
        {"cores_sampling: miss_bits 25: must be 1 to 24", {1, 1, 25, 1, 1, 1, 1, 1, 1}},
        {"cores_sampling: issue_bits 25: must be 1 to 24", {1, 1, 1, 25, 1, 1, 1, 1, 1}},
        {"cores_sampling: threshold 1001: must be 1 to 1000", {1, 1, 1, 1, 1001, 1, 1, 1, 1}},
        {"cores_sampling: hot 16: must be 1 to 15", {1, 1, 1, 1, 1, 16, 1, 1, 1}},
        {"cores_sampling: samples 17: must be 1 to 16", {1, 1, 1, 1, 1, 1, 17, 1, 1}},
        {"cores_sampling: entries 33: must be 1 to 32", {1, 1, 1, 1, 1, 1, 1, 33, 1}},
        {"cores_sampling: kernel_bits 33: must be 1 to 32", {1, 1, 1, 1, 1, 1, 1, 1, 33}},
        {"cores_sampling: kernel_bits 0: must be 1 to 32", {1, 1, 1, 1, 1, 1, 1, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_error error;
        gm_cores_sampling sampling;
        int code = gm_cores_sampling_init(&sampling, &rows[i].p, &error);
        assert_int_equal(code, rows[i].text == NULL ? 0 : -EINVAL);
        if (rows[i].text != NULL) {
            assert_string_equal(error.text, rows[i].text);
        }
    }
}

static gm_cores_sampling limited;

static gm_cores_sampling *damage(unsigned periods)
{
    limited = make(table_4);
    begin(&limited, 7);
    pass_times(&limited, hot, periods);
    return &limited;
}

static void finds(const char *text)
{
    gm_error error;
    assert_int_equal(gm_cores_sampling_check(&limited, &error), -EINVAL);
    assert_string_equal(error.text, text);
}

static void check_finds_damage(void **state)
{
    (void)state;
    damage(1)->misses = 1;
    finds("cores_sampling: 1 misses, 0 instructions, 0 closed L1s of 0 SMs");
    damage(1)->issued = 1;
    finds("cores_sampling: 0 misses, 1 instructions, 0 closed L1s of 0 SMs");
    damage(1)->closed = 1;
    finds("cores_sampling: 0 misses, 0 instructions, 1 closed L1s of 0 SMs");
    damage(1)->reports = 15;
    finds("cores_sampling: 0 misses, 0 instructions, 0 closed L1s of 15 SMs");
    damage(1)->next = 8;
    finds("cores_sampling: entry 8 of 8 is next");
    damage(1)->entry[0].limit = 25;
    finds("cores_sampling: entry 0: limit 25, hot count 1");
    damage(1)->entry[0].hot = 4;
    finds("cores_sampling: entry 0: limit 0, hot count 4");
    damage(1)->entry[1].kernel = 7;
    limited.next = 2;
    finds("cores_sampling: entries 0 and 1: kernel 7");
    damage(3)->kernel = 8;
    finds("cores_sampling: kernel 8 is sampled without such an entry");
    damage(3)->entry[0].limit = 3;
    finds("cores_sampling: kernel 7 is sampled without such an entry");
    damage(6)->entry[0].limit = 0;
    finds("cores_sampling: kernel 7 is limited without such an entry");
    damage(6)->entry[0].hot = 0;
    finds("cores_sampling: kernel 7 is limited without such an entry");
    damage(3)->period = 3;
    finds("cores_sampling: period 3 of 3, limits from 1 on, best limit 1");
    damage(3)->base = 24;
    finds("cores_sampling: period 0 of 3, limits from 25 on, best limit 1");
    damage(3)->best_limit = 0;
    finds("cores_sampling: period 0 of 3, limits from 1 on, best limit 0");
    damage(3)->best_limit = 25;
    finds("cores_sampling: period 0 of 3, limits from 1 on, best limit 25");
    damage(3)->total[14] = 1;
    finds("cores_sampling: SM14: 1 instructions in 0 periods");
    damage(4)->total[0] = 32768;
    finds("cores_sampling: SM0: 32768 instructions in 1 periods");
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[1];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_cores_sampling s = make(table_4);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    s.observer = &observer;
    for (uint64_t op = 0; op < 4; op++) {
        gm_cores_sampling_response response =
            act(&s, (gm_cores_sampling_request){.op = op, .misses = 1});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], response.hot);
    }
    assert_ptr_equal(s.observer, &observer); /* a RESTART keeps it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(the_threshold_of_table_4),
        cmocka_unit_test(each_sm_wins),
        cmocka_unit_test(the_most_sms_have_limits),
        cmocka_unit_test(ties_go_to_the_smaller_limit),
        cmocka_unit_test(a_second_round_of_15_sms),
        cmocka_unit_test(rounds_of_4_sms),
        cmocka_unit_test(sampling_needs_warps_on_every_sm),
        cmocka_unit_test(closed_l1s_clear_the_count),
        cmocka_unit_test(a_known_kernel_is_not_sampled),
        cmocka_unit_test(hot_counts_survive_launches),
        cmocka_unit_test(the_table_forgets_the_oldest),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
