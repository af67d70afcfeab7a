/* Rates of [li, figures 5a and 10; 3.2] on small counts: each by hand. */
#include "goldmem/rates.h"
#include "support/support.h"

static gm_config machine(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 10;
    return config;
}

/* Hits: 200 + 40 of 900. L2: 330 accesses and 33 misses of 30,000 thread instructions. Blocked: in
 * 4000 cycles of 10 SMs 9000, 3, 3, 6000 and 2. */
static const gm_statistics small = {
    .core = {.warp_instructions = 1000, .thread_instructions = 30000},
    .l1d = {.accesses = {600, 200, 100},
            .hits = {150, 50, 0},
            .hits_pending = {40, 0, 0},
            .fails_line = {8000, 1000, 0},
            .fails_mshr_entry = {1, 1, 1},
            .fails_mshr_merge = {3, 0, 0},
            .fails_miss_queue = {0, 0, 6000},
            .fails_bypass_queue = {2, 0, 0}},
    .l2 = {.accesses = {300, 20, 10}, .misses = {30, 2, 1}, .fails_line = {70, 0, 0}},
    .time = {.cycles = 4000},
};

static void by_hand(void **state)
{
    (void)state;
    gm_config config = machine();
    gm_rates rates = gm_rates_of(&small, &config);
    assert_int_equal(rates.l1d_hits, 266667); /* 266,666.7 */
    assert_int_equal(rates.l2_accesses, 11000);
    assert_int_equal(rates.l2_misses, 1100);
    assert_int_equal(rates.stalls_line, 225000);
    assert_int_equal(rates.stalls_mshr_entry, 75);
    assert_int_equal(rates.stalls_mshr_merge, 75);
    assert_int_equal(rates.stalls_miss_queue, 150000);
    assert_int_equal(rates.stalls_bypass_queue, 50);
    assert_int_equal(gm_stall_cycles(&small), 15008); /* those of the L2 are none of them */
}

static void nothing_has_no_rates(void **state)
{
    (void)state;
    static const gm_statistics nothing;
    gm_config config = machine();
    gm_rates rates = gm_rates_of(&nothing, &config);
#define RATE(name, of, meaning) assert_int_equal(rates.name, 0);
    GM_RATES(RATE)
    GM_STALL_RATES(RATE)
#undef RATE
}

/* A run of months: more than 2^64 / 2,000,000 of each. */
static void large_counts_do_not_overflow(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics large = {
        .core = {.thread_instructions = UINT64_C(1) << 62},
        .l2 = {.accesses = {UINT64_C(1) << 60, 0, 0}, .misses = {UINT64_C(1) << 59, 0, 0}},
    };
    gm_rates rates = gm_rates_of(&large, &config);
    assert_int_equal(rates.l2_accesses, 250000);
    assert_int_equal(rates.l2_misses, 125000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nothing_has_no_rates),
        cmocka_unit_test(large_counts_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
