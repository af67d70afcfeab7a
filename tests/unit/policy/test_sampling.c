/* Dynamic warp throttling in a run [khairy, 4.2]: what SMs report, what is counted of it, which
 * periods are whole; on a machine of two SMs, worked by hand. */
#include "goldmem/config.h"
#include "policy/sampling.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

enum { PERIOD = 1000 };

static gm_sampling make(void)
{
    gm_sampling sampling;
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    config.gpu.sms = 2;
    config.sm.warps = 8;
    config.sm.threads = 256;
    config.gpu.sampling_period = PERIOD;
    config.sm.throttle = GM_THROTTLE_SAMPLING;
    test_ok(gm_config_check(&config, &error), error);
    test_ok(gm_sampling_init(&sampling, &config, &error), error);
    return sampling;
}

static void parameters_follow_the_configuration(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    gm_cores_sampling_parameters p = gm_sampling_parameters(&config);
    /* [khairy, Table 1]: 15 SMs, 48 warps on 2 schedulers; 10,000 and 20,000 have 14 and 15 bits */
    const gm_cores_sampling_parameters table = {15, 24, 14, 15, 10, 3, 3, 8, 32};
    assert_memory_equal(&p, &table, sizeof p);
    config.gpu.sms = 80;
    config.sm.warps = 63;
    config.sm.schedulers = 4;
    config.l1.ports = 2;
    config.gpu.sampling_period = 8192;
    p = gm_sampling_parameters(&config);
    const gm_cores_sampling_parameters volta = {80, 16, 15, 16, 10, 3, 3, 8, 32};
    assert_memory_equal(&p, &volta, sizeof p);
    config.l1.ports = 1;
    config.l1.banks = 8; /* takes as many requests a cycle as it has banks: 65,536 */
    assert_int_equal(gm_sampling_parameters(&config).miss_bits, 17);
    config.l1.banks = 1;
    /* the ends of the ranges: the block takes them */
    config.gpu.sms = 256;
    config.sm.warps = 256;
    config.sm.schedulers = 8;
    config.l1.ports = 16;
    config.gpu.sampling_period = 1000000;
    gm_sampling sampling;
    test_ok(gm_sampling_init(&sampling, &config, &error), error);
    assert_int_equal(sampling.block.parameters.miss_bits, 24); /* 16,000,000 */
    assert_int_equal(sampling.block.parameters.issue_bits, 23);
}

/* FNV-1a of the empty name and of "a", as its authors list them. */
static void kernels_are_known_by_name(void **state)
{
    (void)state;
    gm_sampling sampling = make();
    gm_sampling_begin(&sampling, "", 0, 0);
    assert_int_equal(sampling.block.kernel, UINT32_C(0x811c9dc5));
    gm_sampling_begin(&sampling, "a", 1, 0);
    assert_int_equal(sampling.block.kernel, UINT32_C(0xe40c292c));
}

static void whole_periods_only(void **state)
{
    (void)state;
    gm_sampling sampling = make();
    assert_false(gm_sampling_reports(&sampling, PERIOD, PERIOD)); /* no kernel */
    gm_sampling_begin(&sampling, "k", 0, 0);
    assert_true(gm_sampling_reports(&sampling, PERIOD, PERIOD));
    gm_sampling_begin(&sampling, "k", 0, 1000);
    assert_false(gm_sampling_reports(&sampling, PERIOD, 1000));
    assert_true(gm_sampling_reports(&sampling, PERIOD, 2000));
    gm_sampling_begin(&sampling, "k", 0, 1001);
    assert_false(gm_sampling_reports(&sampling, PERIOD, 2000));
    assert_true(gm_sampling_reports(&sampling, PERIOD, 3000));
    assert_false(gm_sampling_reports(&sampling, 10000, 11000)); /* Table 4's */
    assert_true(gm_sampling_reports(&sampling, 10000, 11001));
    gm_sampling_end(&sampling);
    assert_false(gm_sampling_reports(&sampling, PERIOD, 4000));
}

/* A period in which SM 0 and SM 1 miss and issue so much more than at the end of the last one. */
static void pass(gm_sampling *sampling, uint64_t misses, uint64_t threads_0, uint64_t threads_1,
                 bool idle, uint64_t now)
{
    gm_error error;
    for (uint32_t sm = 0; sm < 2; sm++) {
        gm_sampling_sm counters = sampling->last[sm];
        counters.misses += misses;
        counters.threads += sm == 0 ? threads_0 : threads_1;
        gm_sampling_report(sampling, sm, counters, idle && sm == 1, now);
        sampling->last[sm] = counters;
    }
    test_ok(gm_sampling_check(sampling, &error), error);
}

static void expect_choice(const gm_sampling *sampling, uint64_t number, gm_sampling_event event,
                          uint32_t limit, uint64_t kernel, uint64_t cycle)
{
    assert_int_equal(sampling->choices.count, number + 1);
    const gm_sampling_choice *choice = &sampling->choices.choice[number];
    assert_int_equal(choice->event, event);
    assert_int_equal(choice->limit, limit);
    assert_int_equal(choice->kernel, kernel);
    assert_int_equal(choice->cycle, cycle);
}

static void expect_limit(const gm_sampling *sampling, uint64_t number, const char *name,
                         uint32_t limit, uint64_t launches, uint64_t kernel, uint64_t cycle)
{
    const gm_sampling_limit *row = &sampling->limits.row[number];
    assert_string_equal(row->name, name);
    assert_int_equal(row->limit, limit);
    assert_int_equal(row->launches, launches);
    assert_int_equal(row->kernel, kernel);
    assert_int_equal(row->cycle, cycle);
}

static void a_run_by_hand(void **state)
{
    (void)state;
    gm_sampling s = make();
    gm_sampling_begin(&s, "k", 7, 0);
    pass(&s, 1, 32, 32, false, 1000); /* 31 misses per 1000 */
    pass(&s, 0, 32, 32, false, 2000); /* none */
    for (unsigned i = 0; i < 3; i++) {
        pass(&s, 1, 100, 99, false, 3000 + 1000 * i); /* 10.05; 3 and 3 warps' worth: 10.4 */
    }
    expect_choice(&s, 0, GM_SAMPLING_BEGINS, 1, 7, 5000);
    assert_int_equal(gm_cores_sampling_limit(&s.block, 0), 1);
    assert_int_equal(gm_cores_sampling_limit(&s.block, 1), 2);
    pass(&s, 0, 320, 640, true, 6000); /* SM 1 has no warps */
    expect_choice(&s, 1, GM_SAMPLING_DROPPED, 0, 7, 6000);
    pass(&s, 1, 32, 32, false, 7000);
    expect_choice(&s, 2, GM_SAMPLING_BEGINS, 1, 7, 7000);
    for (unsigned i = 0; i < 3; i++) {
        pass(&s, 0, 320, 640, false, 8000 + 1000 * i); /* SM 1 wins, the last one */
    }
    assert_int_equal(s.choices.count, 3); /* a further round: limits 3 and 4 */
    assert_int_equal(gm_cores_sampling_limit(&s.block, 1), 4);
    for (unsigned i = 0; i < 3; i++) {
        pass(&s, 0, 960, 640, false, 11000 + 1000 * i);
    }
    expect_choice(&s, 3, GM_SAMPLING_DECIDED, 3, 7, 13000);
    pass(&s, 9, 32, 32, false, 14000);
    gm_sampling_end(&s);
    gm_sampling_begin(&s, "other", 8, 14500);
    for (unsigned i = 0; i < 3; i++) {
        pass(&s, 1, 32, 32, false, 16000 + 1000 * i);
    }
    gm_sampling_end(&s); /* cuts its sampling */
    gm_sampling_begin(&s, "k", 9, 18500);
    assert_int_equal(gm_cores_sampling_limit(&s.block, 0), 0);
    pass(&s, 1, 32, 32, true, 20000);
    expect_choice(&s, 5, GM_SAMPLING_KNOWN, 3, 9, 20000);
    assert_int_equal(s.limits.count, 1);
    expect_limit(&s, 0, "k", 3, 2, 7, 13000);
    const gm_sampling_statistics expected = {
        .periods = 2 + 3 + 1 + 1 + 6 + 1 + 3 + 1,
        .periods_hot = 1 + 3 + 1 + 3 + 1,
        .periods_cool = 1,
        .periods_sampled = 1 + 6,
        .periods_limited = 1,
        .samplings = 3,
        .rounds = 1,
        .decided = 1,
        .dropped = 1,
        .cut = 1,
        .known = 1,
        .limit = 3,
    };
    assert_memory_equal(&s.statistics, &expected, sizeof expected);
}

/* Thread instructions are reported in 32s, and none is lost; counts beyond the block's bits are
 * the largest. */
static void reports_are_in_warps(void **state)
{
    (void)state;
    gm_sampling s = make();
    gm_sampling_begin(&s, "k", 0, 0);
    const uint64_t threads[] = {31, 32, 95, 96, 1000};
    const uint32_t issued[] = {0, 1, 1, 1, 28}; /* floor(1000/32) = 31 in all */
    for (unsigned i = 0; i < 5; i++) {
        gm_sampling_sm counters = {.threads = threads[i]};
        gm_sampling_report(&s, 0, counters, false, 1000);
        assert_int_equal(s.block.issued, issued[i]);
        s.last[0] = counters;
        gm_sampling_report(&s, 1, (gm_sampling_sm){0}, false, 1000);
    }
    const gm_sampling_sm large = {.misses = 5000, .threads = UINT64_C(1) << 40};
    gm_sampling_report(&s, 0, large, false, 1000);
    assert_int_equal(s.block.misses, 1023); /* 10 bits for 1000 */
    assert_int_equal(s.block.issued, 2047); /* 11 bits for 2000 */
}

static void more_choices_than_are_kept(void **state)
{
    (void)state;
    gm_sampling s = make();
    gm_sampling_begin(&s, "k", 0, 0);
    pass(&s, 1, 32, 32, false, 1000);
    pass(&s, 1, 32, 32, false, 2000);
    for (unsigned i = 0; i < 20; i++) {
        pass(&s, 1, 32, 32, false, 3000 + 2000 * i);
        pass(&s, 1, 32, 32, true, 4000 + 2000 * i);
    }
    assert_int_equal(s.choices.count, 40);
    assert_int_equal(s.choices.choice[31].cycle, 34000);
}

/* Launches a kernel as number `number`, and samples it: three hot periods, three of a round in
 * which SM 0 issues most. Its limit is found 6000 cycles after `begin`. */
static void find_limit(gm_sampling *sampling, const char *name, uint64_t number, uint64_t begin)
{
    gm_sampling_begin(sampling, name, number, begin);
    assert_int_equal(sampling->statistics.limit, 0);
    for (unsigned period = 1; period <= 6; period++) {
        pass(sampling, 1, period <= 3 ? 32 : 64, 32, false, begin + PERIOD * period);
    }
    assert_int_equal(sampling->statistics.limit, 1);
    gm_sampling_end(sampling);
}

/* The block's table has 8 entries: the ninth kernel takes the first one's, which is then sampled
 * again, and has one row still. Rows of 32 names are kept, each as much of its name as fits; of two
 * long names that differ at their ends both. */
static void limits_are_kept_by_name(void **state)
{
    (void)state;
    gm_sampling s = make();
    char name[GM_SAMPLING_NAME + 40];
    memset(name, 'n', sizeof name);
    name[GM_SAMPLING_NAME + 1] = '\0';
    for (unsigned i = 0; i < 40; i++) {
        name[GM_SAMPLING_NAME] = (char)('0' + i);
        find_limit(&s, name, i, 10000 * i);
    }
    assert_int_equal(s.limits.count, GM_SAMPLING_LIMITS);
    name[GM_SAMPLING_NAME - 1] = '\0';
    expect_limit(&s, 0, name, 1, 1, 0, 6000);
    expect_limit(&s, 31, name, 1, 1, 31, 316000);
    name[GM_SAMPLING_NAME - 1] = 'n';
    name[GM_SAMPLING_NAME] = '0';
    find_limit(&s, name, 40, 400000);
    name[GM_SAMPLING_NAME - 1] = '\0';
    assert_int_equal(s.limits.count, GM_SAMPLING_LIMITS);
    expect_limit(&s, 0, name, 1, 2, 40, 406000);
    assert_int_equal(s.statistics.decided, 41);
}

static void broken_laws_are_named(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "sampling: hot + cool + sampled + limited periods = periods: 3 and 4",
        "sampling: decided + dropped + cut + running = samplings: 1 and 2",
        "sampling: sampled periods >= those of decisions and rounds: 0 and 1",
        "sampling: limit = the block's: 1 and 0",
        "sampling: launches with a limit = found + known: 0 and 1",
        "cores_sampling: 1 misses, 0 instructions, 0 closed L1s of 0 SMs",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        gm_sampling s = make();
        gm_error error;
        gm_sampling_begin(&s, "k", 0, 0);
        for (unsigned period = 1; period <= 3; period++) {
            pass(&s, 1, 32, 32, false, PERIOD * period);
        }
        s.statistics.periods += i == 0;
        s.statistics.samplings += i == 1;
        s.statistics.rounds += i == 2;
        s.statistics.limit += i == 3;
        s.statistics.known += i == 4;
        s.block.misses += i == 5;
        assert_int_equal(gm_sampling_check(&s, &error), -EPROTO);
        if (strstr(error.text, texts[i]) == NULL) {
            fail_msg("%s", error.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_follow_the_configuration),
        cmocka_unit_test(kernels_are_known_by_name),
        cmocka_unit_test(whole_periods_only),
        cmocka_unit_test(a_run_by_hand),
        cmocka_unit_test(reports_are_in_warps),
        cmocka_unit_test(more_choices_than_are_kept),
        cmocka_unit_test(limits_are_kept_by_name),
        cmocka_unit_test(broken_laws_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
