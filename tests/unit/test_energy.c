/* Energy by component: the constants of [anssari, Table 4.3], typed in from the paper again, times
 * small counts. */
#include "goldmem/energy.h"
#include "support/support.h"

#include <string.h>

/* The machine of the table: kepler-hybrid [anssari, Table 4.1] with 1 MB of L2. */
static gm_config machine(void)
{
    gm_config config;
    gm_error error = {0};
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.noc.header = 8;
    return config;
}

static void nothing_costs_nothing(void **state)
{
    (void)state;
    static const gm_statistics nothing;
    static const gm_energy zero;
    gm_config config = machine();
    gm_energy energy = gm_energy_of(&nothing, &config);
    assert_memory_equal(&energy, &zero, sizeof zero);
}

/* Lines of 128 bytes: 100 loads looked up 3050 pJ; 10 store hits 444; 40 sectors filled, 10 lines,
 * 444; 4 written back, one line, 30.5. Bypasses and store misses: nothing. */
static void l1(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.l1d = {.hits = {50, 10, 0},
                                              .hits_pending = {20, 0, 0},
                                              .misses = {30, 70, 0},
                                              .bypasses = {5, 6, 7},
                                              .sectors_filled = {30, 10, 0},
                                              .sectors_written_back = {3, 1, 0}}};
    assert_int_equal(gm_energy_of(&statistics, &config).l1d, 3050 + 444 + 444 + 30);
    config.l1.line = 64; /* a line costs half; fills and write-backs stay */
    assert_int_equal(gm_energy_of(&statistics, &config).l1d, 1525 + 222 + 444 + 30);
}

/* Data of 10 loads of 4 sectors, 10 stores of one, 10 atomics of one (20 sectors there and back),
 * with 60 headers; 8 sectors filled, 4 written back. Reads 40 + 4 and half of 20, writes 10 + 8 and
 * half of 20. */
static void l2(void **state)
{
    (void)state;
    static const struct {
        uint64_t size;
        double read, write; /* pJ */
    } rows[] = {
        {128 << 10, 62.1, 61.5}, {64 << 10, 62.1, 61.5},  {256 << 10, 67.7, 67.5},
        {384 << 10, 78.5, 77.2}, {512 << 10, 78.5, 77.2}, {768 << 10, 99.7, 96.1},
        {1 << 20, 99.7, 96.1},   {4 << 20, 99.7, 96.1},   {GM_UNBOUNDED, 99.7, 96.1},
    };
    gm_config config = machine();
    const gm_statistics statistics = {.l2 = {.accesses = {10, 10, 10},
                                             .sectors_filled = {4, 3, 1},
                                             .sectors_written_back = {2, 1, 1}},
                                      .traffic = {.req = 480, .ld = 1280, .st = 320, .ato = 640}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        config.l2.size = rows[i].size;
        double expected = 54 * rows[i].read + 28 * rows[i].write;
        uint64_t energy = gm_energy_of(&statistics, &config).l2;
        assert_true((double)energy <= expected + 0.001 && (double)energy > expected - 1.001);
    }
}

/* 0.144 pJ a byte and mm, 10 mm: 1.44 pJ a byte of any class; 4480 pJ a sector. */
static void interconnect_and_dram(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {
        .traffic = {.req = 100, .ld = 200, .st = 300, .ato = 200, .inv = 100, .rcl = 100},
        .dram = {.reads = 7, .writes = 3}};
    gm_energy energy = gm_energy_of(&statistics, &config);
    assert_int_equal(energy.interconnect, 1440);
    assert_int_equal(energy.dram, 44800);
}

/* 1400 cycles at 1400 MHz are 1 us: 170.38 mW of 16 L1s and 211.24 mW of 1 MB are 381,620 pJ; 8 L1s
 * 85.19 mW; no L1 none. */
static void leakage(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.time = {.cycles = 1400}};
    config.clock.core = 1400;
    config.gpu.sms = 16;
    assert_int_equal(gm_energy_of(&statistics, &config).leakage, 381620);
    config.gpu.sms = 8;
    assert_int_equal(gm_energy_of(&statistics, &config).leakage, 85190 + 211240);
    config.clock.core = 700;
    assert_int_equal(gm_energy_of(&statistics, &config).leakage, 2 * (85190 + 211240));
    config.l1.enabled = false;
    assert_int_equal(gm_energy_of(&statistics, &config).leakage, 2 * 211240);
}

/* 2^50 sectors, 5 * 10^21 fJ, more than 64 bits: no sum overflows on the way. */
static void large_counts(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.dram = {.reads = UINT64_C(1) << 50}};
    assert_int_equal(gm_energy_of(&statistics, &config).dram, (UINT64_C(1) << 50) * 4480);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_costs_nothing),
        cmocka_unit_test(l1),
        cmocka_unit_test(l2),
        cmocka_unit_test(interconnect_and_dram),
        cmocka_unit_test(leakage),
        cmocka_unit_test(large_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
