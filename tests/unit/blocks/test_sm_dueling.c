/* SM dueling: intervals worked by hand [li, 4.3, Table 3]; a second way to compare rates, by
 * Euclid's algorithm, that agrees on random intervals; and a second way to tell which intervals are
 * sampled and what is decided, from a whole run's list of events, that agrees on random runs. */
#include "goldmem/sm_dueling.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>

static const gm_sm_dueling_parameters table_3 = {
    .interval = 500, .count_bits = 9, .difference = 10, .period = 1};

static gm_sm_dueling make(gm_sm_dueling_parameters p)
{
    gm_sm_dueling d;
    gm_error error;
    test_ok(gm_sm_dueling_init(&d, &p, &error), error);
    return d;
}

static gm_sm_dueling_response act(gm_sm_dueling *d, uint64_t op, uint64_t sm, uint64_t miss,
                                  uint64_t amount)
{
    gm_error error;
    gm_sm_dueling_response a = gm_sm_dueling_access(
        d, (gm_sm_dueling_request){.op = op, .sm = sm, .miss = miss, .amount = amount});
    test_ok(gm_sm_dueling_check(d, &error), error);
    return a;
}

static void accesses(gm_sm_dueling *d, unsigned sm, unsigned count, unsigned misses)
{
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(act(d, GM_SM_DUELING_ACCESS, sm, i < misses, 0).decided, 0);
    }
}

/* One interval: accesses and misses of SM0 and SM1, then its end. */
typedef struct interval {
    unsigned accesses0, misses0, accesses1, misses1;
    bool decided, decoupled;
    const char *why;
} interval;

static void run(gm_sm_dueling_parameters p, const interval *list, unsigned count)
{
    gm_sm_dueling d = make(p);
    for (const interval *i = list; i < list + count; i++) {
        accesses(&d, 0, i->accesses0, i->misses0);
        accesses(&d, 1, i->accesses1, i->misses1);
        gm_sm_dueling_response a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, p.interval);
        if (a.decided != i->decided || a.decoupled != i->decoupled) {
            fail_msg("%s: decided %d, decoupled %d", i->why, (int)a.decided, (int)a.decoupled);
        }
        assert_int_equal(a.left, p.interval);
    }
}

#define RUN(p, list) run(p, list, sizeof(list) / sizeof *(list))

static const interval plain[] = {
    {100, 50, 100, 50, true, true, "50% and 50%: not worse, so decoupled"},
    {100, 60, 100, 50, true, true, "60% and 50%: just the threshold is not more than it"},
    {100, 61, 100, 50, true, false, "61% and 50%: worse"},
    {0, 0, 100, 0, false, false, "SM0 was idle: nothing is decided"},
    {100, 40, 100, 50, true, true, "40% and 50%: better"},
    {100, 100, 0, 0, false, true, "SM1 was idle"},
    {10, 7, 200, 119, true, false, "70% and 59.5%: worse, from other numbers of accesses"},
    {10, 7, 200, 120, true, true, "70% and 60%"},
    {0, 0, 0, 0, false, true, "nobody"},
    {1, 1, 500, 0, true, false, "100% and 0%"},
    {511, 0, 1, 1, true, true, "0% and 100%"},
};

static const interval kept[] = {
    {100, 50, 100, 50, true, false, "alike: as it began"},
    {100, 40, 100, 50, true, false, "just the threshold better is not more than it"},
    {100, 39, 100, 50, true, true, "better"},
    {100, 50, 100, 50, true, true, "alike: stays"},
    {100, 60, 100, 50, true, true, "just the threshold"},
    {100, 61, 100, 50, true, false, "worse"},
    {100, 60, 100, 50, true, false, "stays"},
};

static const interval without_threshold[] = {
    {100, 51, 100, 50, true, false, "section 4.3: a higher miss rate"},
    {100, 50, 100, 50, true, true, "otherwise"},
    {200, 101, 100, 50, true, false, "50.5% and 50%"},
};

static void intervals_by_hand(void **state)
{
    (void)state;
    RUN(table_3, plain);
    gm_sm_dueling_parameters p = table_3;
    p.hysteresis = true;
    RUN(p, kept);
    p.hysteresis = false;
    p.difference = 0;
    RUN(p, without_threshold);
}

static void time_passes(void **state)
{
    (void)state;
    gm_sm_dueling d = make(table_3);
    gm_sm_dueling_response a = act(&d, GM_SM_DUELING_ACCESS, 0, 1, 0);
    assert_int_equal(a.left, 500);
    assert_int_equal(a.decoupled, 0); /* SM1's, at first [li, Table 3] */
    assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 0).left, 500);
    assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 1).left, 499);
    assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 498).left, 1);
    act(&d, GM_SM_DUELING_ACCESS, 1, 1, 0);
    a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 0);
    assert_int_equal(a.decided, 0);
    a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 1);
    assert_int_equal(a.decided, 1);
    assert_int_equal(a.decoupled, 1);
    assert_int_equal(a.left, 500);
    a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 500);
    assert_int_equal(a.decided, 0); /* the counts began anew */
    assert_int_equal(a.decoupled, 1);
    act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 400);
    a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 511);
    assert_int_equal(a.left, 500); /* beyond the end: the next one begins at 0 */
    for (uint64_t op = GM_SM_DUELING_RESTART; op < 4; op++) {
        d.decoupled = true;
        accesses(&d, 0, 3, 2);
        act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 7);
        a = act(&d, op, 0, 0, 0);
        assert_int_equal(a.decided, 0);
        assert_int_equal(a.decoupled, 0);
        assert_int_equal(a.left, 500);
        assert_int_equal(d.accesses[0] + d.misses[0], 0);
    }
}

/* With 2 bits three accesses count, and of them the misses. */
static void counters_stop_together(void **state)
{
    (void)state;
    gm_sm_dueling d =
        make((gm_sm_dueling_parameters){.interval = 10, .count_bits = 2, .period = 1});
    accesses(&d, 0, 2, 0);
    accesses(&d, 0, 1000, 1000);
    assert_int_equal(d.accesses[0], 3);
    assert_int_equal(d.misses[0], 1);
    assert_int_equal(d.accesses[1], 0);
    accesses(&d, 1, 1000, 1);
    gm_sm_dueling_response a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 10);
    assert_int_equal(a.decided, 1);
    assert_int_equal(a.decoupled, 1); /* 1/3 and 1/3 */
}

/* 9 bits for an interval of 500: of 512 accesses the last does not count. The largest interval ends
 * by the largest amount, one before its end too. */
static void shipped_counts_and_the_largest_interval(void **state)
{
    (void)state;
    gm_sm_dueling d = make(table_3);
    for (unsigned sm = 0; sm < 2; sm++) {
        accesses(&d, sm, 511, 510);
        assert_int_equal(d.accesses[sm], 511);
        assert_int_equal(d.misses[sm], 510);
        accesses(&d, sm, 1, 1);
        assert_int_equal(d.accesses[sm], 511);
        assert_int_equal(d.misses[sm], 510);
    }
    gm_sm_dueling_parameters p = table_3;
    p.interval = 65535;
    d = make(p);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 65534).left, 1);
        assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 65535).left, 65535);
        assert_int_equal(act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 65535).left, 65535);
    }
}

/* With a period of 3 the first interval, the fourth and so on are sampled; in the others accesses
 * do not count, and what was decided stays. */
static void one_in_a_period_is_sampled(void **state)
{
    (void)state;
    gm_sm_dueling_parameters p = table_3;
    p.period = 3;
    gm_sm_dueling d = make(p);
    static const struct {
        unsigned misses0, misses1; /* of 10 accesses each */
        bool idle;                 /* no access of SM1 */
        bool decided, decoupled;
        const char *why;
    } rows[] = {
        {5, 5, false, true, true, "the first is sampled"},
        {10, 0, false, false, true, "second: SM0 is worse, but nobody counts"},
        {10, 0, false, false, true, "third"},
        {10, 0, false, true, false, "fourth: sampled, and SM0 is worse"},
        {0, 10, false, false, false, "fifth"},
        {0, 10, false, false, false, "sixth"},
        {0, 0, true, false, false, "seventh: SM1 was idle, no decision"},
        {0, 10, false, false, false, "eighth: not sampled in place of the seventh"},
        {0, 10, false, false, false, "ninth"},
        {0, 10, false, true, true, "tenth: SM0 is better"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_sm_dueling_response a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 0);
        assert_int_equal(a.sampling, i % 3 == 0);
        accesses(&d, 0, 10, rows[i].misses0);
        accesses(&d, 1, rows[i].idle ? 0 : 10, rows[i].misses1);
        assert_int_equal(d.accesses[0], i % 3 == 0 ? 10 : 0);
        act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 499);
        a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 1);
        if (a.decided != rows[i].decided || a.decoupled != rows[i].decoupled) {
            fail_msg("%s: decided %d, decoupled %d", rows[i].why, (int)a.decided, (int)a.decoupled);
        }
        assert_int_equal(a.sampling, i % 3 == 2);
    }
    act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 500);
    gm_sm_dueling_response a = act(&d, GM_SM_DUELING_RESTART, 0, 0, 0);
    assert_int_equal(a.sampling, 1); /* a RESTART begins a period */
    assert_int_equal(a.decoupled, 0);
}

/* The phase counts to the longest period's end, and no further. */
static void longest_period(void **state)
{
    (void)state;
    gm_sm_dueling_parameters p = table_3;
    p.period = 65535;
    gm_sm_dueling d = make(p);
    for (unsigned i = 1; i <= 2 * 65535; i++) {
        gm_sm_dueling_response a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, 500);
        assert_int_equal(a.sampling, i % 65535 == 0);
    }
}

/* Is n0/d0 above n1/d1? By whole parts; where they are equal, by the rests turned over (Euclid). */
static bool above(uint64_t n0, uint64_t d0, uint64_t n1, uint64_t d1)
{
    while (n0 / d0 == n1 / d1) {
        uint64_t rest0 = n0 % d0;
        uint64_t rest1 = n1 % d1;
        if (rest0 == 0 || rest1 == 0) {
            return rest0 > 0;
        }
        /* rest0 / d0 above rest1 / d1: d1 / rest1 above d0 / rest0 */
        n0 = d1;
        n1 = d0;
        d0 = rest1;
        d1 = rest0;
    }
    return n0 / d0 > n1 / d1;
}

/* m0/a0 above m1/a1 by more than `difference` percent. */
static bool higher(uint64_t m0, uint64_t a0, uint64_t m1, uint64_t a1, uint64_t difference)
{
    return 100 * m0 > difference * a0 && above(100 * m0 - difference * a0, a0, 100 * m1, a1);
}

static void agrees_with_fractions(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned chosen[2] = {0};
    for (unsigned round = 0; round < 20000; round++) {
        gm_sm_dueling_parameters p = {
            .interval = 1 + (unsigned)test_random_below(&random, 65535),
            .count_bits = 16,
            .difference = (unsigned)test_random_below(&random, 101),
            .hysteresis = test_random_below(&random, 2) != 0,
            .period = 1 + (unsigned)test_random_below(&random, 65535),
        };
        gm_sm_dueling d = make(p);
        d.decoupled = test_random_below(&random, 2) != 0;
        uint64_t most = test_random_below(&random, 2) != 0 ? 65535 : 8;
        for (unsigned sm = 0; sm < 2; sm++) {
            d.accesses[sm] = 1 + (uint32_t)test_random_below(&random, most);
            d.misses[sm] = (uint32_t)test_random_below(&random, d.accesses[sm] + 1);
        }
        bool worse = higher(d.misses[0], d.accesses[0], d.misses[1], d.accesses[1], p.difference);
        bool better = higher(d.misses[1], d.accesses[1], d.misses[0], d.accesses[0], p.difference);
        bool expected = !worse && (!p.hysteresis || better || d.decoupled);
        bool is = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, p.interval).decoupled != 0;
        assert_int_equal(is, expected);
        chosen[is]++;
    }
    assert_true(chosen[0] > 1000 && chosen[1] > 1000);
}

/* A whole run's events, since the last RESTART: when an access came and of whom, in units of time
 * counted from there. */
typedef struct event {
    uint64_t time;
    bool sm, miss;
} event;

enum { EVENTS = 300 };

typedef struct history {
    event event[EVENTS];
    unsigned count;
    uint64_t time;
} history;

/* What is decided at the history's time, from all of its events: interval k of the time from
 * k * interval on is sampled when the period divides k. */
static bool decided_by(const history *h, const gm_sm_dueling_parameters *p)
{
    bool decoupled = false;
    const unsigned limit = (1u << p->count_bits) - 1;
    for (uint64_t k = 0; (k + 1) * p->interval <= h->time; k += p->period) {
        unsigned all[2] = {0}, missed[2] = {0};
        for (unsigned i = 0; i < h->count; i++) {
            const event *e = &h->event[i];
            if (e->time / p->interval == k && all[e->sm] < limit) {
                all[e->sm]++;
                missed[e->sm] += e->miss;
            }
        }
        if (all[0] > 0 && all[1] > 0) {
            bool worse = higher(missed[0], all[0], missed[1], all[1], p->difference);
            bool better = higher(missed[1], all[1], missed[0], all[0], p->difference);
            decoupled = !worse && (!p->hysteresis || better || decoupled);
        }
    }
    return decoupled;
}

/* Random runs; amounts end an interval exactly at most, so that time is a sum. */
static void agrees_with_histories(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    unsigned seen[2][2] = {{0}};
    static history h;
    for (unsigned round = 0; round < 400; round++) {
        gm_sm_dueling_parameters p = {
            .interval = 1 + (unsigned)test_random_below(&random, 40),
            .count_bits = 1 + (unsigned)test_random_below(&random, 6),
            .difference = (unsigned)test_random_below(&random, 60),
            .hysteresis = test_random_below(&random, 2) != 0,
            .period = 1 + (unsigned)test_random_below(&random, 6),
        };
        gm_sm_dueling d = make(p);
        h.count = 0;
        h.time = 0;
        uint64_t rate[2] = {test_random_below(&random, 5), test_random_below(&random, 5)};
        for (unsigned i = 0; i < EVENTS; i++) {
            gm_sm_dueling_response a;
            uint64_t left = p.interval - h.time % p.interval;
            if (test_random_below(&random, 200) == 0) {
                a = act(&d, GM_SM_DUELING_RESTART, 0, 0, 0);
                h.count = 0;
                h.time = 0;
            } else if (test_random_below(&random, 3) == 0) {
                uint64_t amount = test_random_below(&random, left + 1);
                a = act(&d, GM_SM_DUELING_ADVANCE, 0, 0, amount);
                h.time += amount;
            } else {
                event *e = &h.event[h.count++];
                e->time = h.time;
                e->sm = test_random_below(&random, 2) != 0;
                e->miss = test_random_below(&random, 4) < rate[e->sm];
                a = act(&d, GM_SM_DUELING_ACCESS, e->sm, e->miss, 0);
            }
            bool expected = decided_by(&h, &p);
            assert_int_equal(a.decoupled, expected);
            assert_int_equal(a.sampling, h.time / p.interval % p.period == 0);
            assert_int_equal(a.left, p.interval - h.time % p.interval);
            seen[expected][a.sampling]++;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_true(seen[i / 2][i % 2] > 1000);
    }
}

static const struct {
    gm_sm_dueling_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{1, 1, 0, false, 1}, NULL},
    {{65535, 16, 100, true, 65535}, NULL},
    {{0, 9, 10, false, 1}, "sm_dueling: interval 0: must be 1 to 65535"},
    {{65536, 9, 10, false, 1}, "sm_dueling: interval 65536: must be 1 to 65535"},
    {{500, 0, 10, false, 1}, "sm_dueling: count_bits 0: must be 1 to 16"},
    {{500, 17, 10, false, 1}, "sm_dueling: count_bits 17: must be 1 to 16"},
    {{500, 9, 101, false, 1}, "sm_dueling: difference 101: must be 0 to 100"},
    {{500, 9, 10, false, 0}, "sm_dueling: period 0: must be 1 to 65535"},
    {{500, 9, 10, false, 65536}, "sm_dueling: period 65536: must be 1 to 65535"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_sm_dueling d;
        int code = gm_sm_dueling_init(&d, &ranges[i].p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    gm_sm_dueling d = make(table_3);
    d.misses[1] = 1;
    assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
    assert_string_equal(error.text, "sm_dueling: SM1: 1 misses of 0 accesses");
    d.misses[1] = 0;
    d.accesses[0] = 512;
    assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
    d.accesses[0] = 511;
    d.misses[0] = 511;
    assert_int_equal(gm_sm_dueling_check(&d, &error), 0);
    d.elapsed = 500;
    assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
    assert_string_equal(error.text, "sm_dueling: 500 of an interval of 500 are past");
    d.elapsed = 0;
    d.parameters.period = 3;
    d.phase = 2;
    assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
    assert_string_equal(error.text, "sm_dueling: 511 and 0 accesses, and nothing is sampled");
    d.accesses[0] = d.misses[0] = 0;
    assert_int_equal(gm_sm_dueling_check(&d, &error), 0);
    d.phase = 1;
    for (unsigned sm = 0; sm < 2; sm++) {
        d.accesses[sm] = 1;
        assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
        d.accesses[sm] = 0;
    }
    d.phase = 3;
    assert_int_equal(gm_sm_dueling_check(&d, &error), -EINVAL);
    assert_string_equal(error.text, "sm_dueling: 3 intervals of a period of 3 are past");
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[3];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_sm_dueling d = make(table_3);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    d.observer = &observer;
    for (uint64_t op = 0; op < 4; op++) {
        gm_sm_dueling_response a = act(&d, op, 0, 0, 9);
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], a.left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(time_passes),
        cmocka_unit_test(counters_stop_together),
        cmocka_unit_test(shipped_counts_and_the_largest_interval),
        cmocka_unit_test(one_in_a_period_is_sampled),
        cmocka_unit_test(longest_period),
        cmocka_unit_test(agrees_with_fractions),
        cmocka_unit_test(agrees_with_histories),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
