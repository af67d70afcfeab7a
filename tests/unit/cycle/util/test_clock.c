/* Clock domains: each cycle of a domain belongs to exactly one core cycle, the one in which it
 * begins. Expected: the definition in exact fractions, own cycle n begins at n / own, core cycle c
 * lasts from c / core to (c + 1) / core. */
#include "cycle/util/clock.h"
#include "support/support.h"

static const struct {
    uint64_t core, own;             /* MHz */
    uint64_t core_ratio, own_ratio; /* without common factor */
} ratios[] = {
    {700, 700, 1, 1},       {700, 924, 25, 33},       {700, 1400, 1, 2},
    {1400, 700, 2, 1},      {1400, 1401, 1400, 1401}, {1, 100000, 1, 100000},
    {100000, 1, 100000, 1}, {1126, 1000, 563, 500},
};

enum { RATIOS = sizeof ratios / sizeof ratios[0], CYCLES = 3000 };

static void ratios_are_reduced(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RATIOS; i++) {
        gm_clock clock = gm_clock_make(ratios[i].core, ratios[i].own);
        assert_int_equal(clock.core.divisor, ratios[i].core_ratio);
        assert_int_equal(clock.own.divisor, ratios[i].own_ratio);
    }
}

/* Own cycle n begins within core cycle c: c / core <= n / own < (c + 1) / core. */
static void own_cycles_belong_to_the_core_cycle_in_which_they_begin(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RATIOS; i++) {
        gm_clock clock = gm_clock_make(ratios[i].core, ratios[i].own);
        for (uint64_t n = 0; n < CYCLES; n++) {
            uint64_t c = gm_clock_core(clock, n);
            assert_true(c * ratios[i].own <= n * ratios[i].core);
            assert_true(n * ratios[i].core < (c + 1) * ratios[i].own);
        }
    }
}

/* One core cycle after the other, first to first - 1: no own cycle is missed, none is twice. */
static void core_cycles_share_the_own_cycles_out(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RATIOS; i++) {
        gm_clock clock = gm_clock_make(ratios[i].core, ratios[i].own);
        uint64_t next = 0;
        for (uint64_t c = 0; c < CYCLES && next < 100 * CYCLES; c++) {
            assert_int_equal(gm_clock_first(clock, c), next);
            for (; next < gm_clock_first(clock, c + 1); next++) {
                assert_int_equal(gm_clock_core(clock, next), c);
            }
        }
    }
}

/* gm_clock_visit: the first core cycle from c on with an own cycle, found one by one. */
static void a_domain_is_visited_when_it_has_a_cycle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RATIOS; i++) {
        gm_clock clock = gm_clock_make(ratios[i].core, ratios[i].own);
        uint64_t found = 0;
        for (uint64_t c = 0; c < CYCLES; c++) {
            found = found > c ? found : c;
            while (gm_clock_first(clock, found) == gm_clock_first(clock, found + 1)) {
                found++;
            }
            assert_int_equal(gm_clock_visit(&clock, c), found);
        }
    }
}

/* 25 core cycles are 33 own ones: first = ceil(33 c / 25) = 0, 2, 3, 4, 6, 7, 8, 10, ... */
static void the_first_cycles_of_924_against_700_mhz(void **state)
{
    (void)state;
    static const uint64_t first[] = {0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14};
    gm_clock clock = gm_clock_make(700, 924);
    for (unsigned c = 0; c < sizeof first / sizeof first[0]; c++) {
        assert_int_equal(gm_clock_first(clock, c), first[c]);
    }
    assert_int_equal(gm_clock_first(clock, 25), 33);
}

/* First cycles by division, at the largest numbers of cycles and around them at random. */
static void late_cycles_are_as_exact_as_early_ones(void **state)
{
    (void)state;
    static const uint64_t last = UINT64_C(5000000000000);
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < RATIOS * CYCLES; i++) {
        uint64_t core = ratios[i % RATIOS].core_ratio;
        uint64_t own = ratios[i % RATIOS].own_ratio;
        gm_clock clock = gm_clock_make(ratios[i % RATIOS].core, ratios[i % RATIOS].own);
        uint64_t cycle = i < RATIOS ? last : last - (test_random_next(&random) >> i % 60) % last;
        assert_int_equal(gm_clock_first(clock, cycle), (cycle * own + core - 1) / core);
        assert_int_equal(gm_clock_core(clock, cycle), cycle * core / own);
        assert_int_equal(gm_clock_core_from(clock, cycle), (cycle * core + own - 1) / own);
    }
}

static void never_stays_never(void **state)
{
    (void)state;
    assert_int_equal(gm_clock_core(gm_clock_make(700, 924), GM_NEVER), GM_NEVER);
    gm_cycle wake = 7;
    gm_wake(&wake, 9);
    assert_int_equal(wake, 7);
    gm_wake(&wake, 3);
    assert_int_equal(wake, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_reduced),
        cmocka_unit_test(own_cycles_belong_to_the_core_cycle_in_which_they_begin),
        cmocka_unit_test(core_cycles_share_the_own_cycles_out),
        cmocka_unit_test(a_domain_is_visited_when_it_has_a_cycle),
        cmocka_unit_test(the_first_cycles_of_924_against_700_mhz),
        cmocka_unit_test(late_cycles_are_as_exact_as_early_ones),
        cmocka_unit_test(never_stays_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
