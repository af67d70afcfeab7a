/* Energy by component: the constants of [anssari, Table 4.3], typed in from the paper again, times
 * small counts. */
#include "goldmem/energy.h"
#include "order/order_machine.h"
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

static gm_energy_table built_in(void)
{
    gm_config config = machine();
    gm_energy_table table;
    gm_error error = {0};
    test_ok(gm_energy_read(&table, &config, &error), error);
    return table;
}

static gm_energy energy_of(const gm_statistics *statistics, const gm_config *config)
{
    const gm_energy_table table = built_in();
    return gm_energy_of(statistics, config, &table);
}

static void nothing_costs_nothing(void **state)
{
    (void)state;
    static const gm_statistics nothing;
    static const gm_energy zero;
    gm_config config = machine();
    gm_energy energy = energy_of(&nothing, &config);
    assert_memory_equal(&energy, &zero, sizeof zero);
}

/* Lines of 128 bytes: 100 loads looked up 3050 pJ; 10 store hits 444; 40 sectors filled, 10 lines,
 * 444; 4 written back, one line, 30.5. Bypasses and store misses: nothing, but for sectors that the
 * L1 keeps: 20 of them, 222. */
static void l1(void **state)
{
    (void)state;
    gm_config config = machine();
    gm_statistics statistics = {.l1d = {.hits = {50, 10, 0},
                                        .hits_pending = {20, 0, 0},
                                        .misses = {30, 70, 0},
                                        .bypasses = {5, 6, 7},
                                        .sectors_filled = {30, 10, 0},
                                        .sectors_written_back = {3, 1, 0}}};
    assert_int_equal(energy_of(&statistics, &config).l1d, 3050 + 444 + 444 + 30);
    statistics.l1d.sectors_stored[GM_STORE] = 20;
    assert_int_equal(energy_of(&statistics, &config).l1d, 3050 + 444 + 444 + 222 + 30);
    statistics.l1d.sectors_stored[GM_STORE] = 0;
    statistics.sharing.l1_fills_bypassed = 40;   /* of single sectors, too: only these count: */
    statistics.sharing.l1_sectors_bypassed = 20; /* half of those filled are not installed */
    assert_int_equal(energy_of(&statistics, &config).l1d, 3050 + 444 + 222 + 30);
    statistics.sharing.l1_sectors_bypassed = 0;
    config.l1.line = 64; /* a line costs half; fills and write-backs stay */
    assert_int_equal(energy_of(&statistics, &config).l1d, 1525 + 222 + 444 + 30);
}

/* 10 transactions of each kind, 20 of 50 change their entry; 8 sectors, two lines, are read for
 * other L1s: 61 pJ. With trackers a line of an L1 costs 44.5 pJ to write: 40 sectors filled, 445.
 */
static void trackers(void **state)
{
    (void)state;
    static const struct {
        uint64_t trackers;
        double read, write; /* pJ */
    } rows[] = {{1, 2.3, 3.9}, {2, 1.7, 2.9}, {4, 1.2, 2.1}, {8, 1.2, 2.1}};
    gm_config config = machine();
    const gm_statistics statistics = {.l1d = {.sectors_filled = {40, 0, 0}},
                                      .tracker = {.lookups = 10,
                                                  .fills = 10,
                                                  .evicts = 10,
                                                  .writes = 10,
                                                  .coherent = 10,
                                                  .changes = 20,
                                                  .supplied_sectors = 8}};
    gm_statistics asking = statistics;
    asking.tracker.asks = 2;
    asking.tracker.told = 8;
    config.tracker.enabled = true;
    config.tracker.ask = true; /* 10 reads more */
    assert_int_equal(energy_of(&asking, &config).tracker, (uint64_t)(60 * 2.3 + 20 * 3.9 + 0.001));
    asking.tracker.victim_asks = 5;
    asking.tracker.evict_sectors = 4; /* a line more is read in L1s */
    assert_int_equal(energy_of(&asking, &config).tracker, (uint64_t)(65 * 2.3 + 20 * 3.9 + 0.001));
    assert_int_equal(energy_of(&asking, &config).l1d, 61 * 3 / 2 + 445);
    config.tracker.ask = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        config.tracker.trackers = rows[i].trackers;
        uint64_t expected = (uint64_t)(50 * rows[i].read + 20 * rows[i].write + 0.001);
        assert_int_equal(energy_of(&statistics, &config).tracker, expected);
        assert_int_equal(energy_of(&statistics, &config).l1d, 61 + 445);
    }
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
    gm_statistics statistics = {.l2 = {.accesses = {10, 10, 10},
                                       .sectors_filled = {4, 3, 1},
                                       .sectors_written_back = {2, 1, 1}},
                                .traffic = {.req = 480, .ld = 1280, .st = 320, .ato = 640}};
    config.l2.atomic_buffer = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        config.l2.size = rows[i].size;
        double expected = 54 * rows[i].read + 28 * rows[i].write;
        uint64_t energy = energy_of(&statistics, &config).l2;
        assert_true((double)energy <= expected + 0.001 && (double)energy > expected - 1.001);
    }
    /* With atomic buffers the atomics read 7 sectors that they take, and write 6 that go back. */
    statistics.atomic_buffer.sectors_taken = 7;
    statistics.atomic_buffer.sectors_put = 6;
    config.l2.size = 128 << 10;
    config.l2.atomic_buffer = true;
    assert_int_equal(energy_of(&statistics, &config).l2, (uint64_t)(51 * 62.1 + 24 * 61.5 + 0.001));
    /* 9 sectors of the loads and 2 of the stores bypass the L2, 3 of the fills are not written. */
    gm_statistics past = statistics;
    past.l2_bypassed = (gm_l2_bypassed_statistics){3, 9, 2};
    assert_int_equal(energy_of(&past, &config).l2, (uint64_t)(42 * 62.1 + 19 * 61.5 + 0.001));
    statistics.l2_victim.inserted_sectors = 5; /* written */
    assert_int_equal(energy_of(&statistics, &config).l2, (uint64_t)(51 * 62.1 + 29 * 61.5 + 0.001));
}

/* 0.144 pJ a byte and mm, 10 mm: 1.44 pJ a byte of any class; 4480 pJ a sector. */
static void interconnect_and_dram(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.traffic = {.req = 100,
                                                  .ld = 200,
                                                  .st = 300,
                                                  .ato = 200,
                                                  .inv = 100,
                                                  .rcl = 100,
                                                  .trk = 300,
                                                  .rem = 700},
                                      .dram = {.reads = 7, .writes = 3}};
    gm_energy energy = energy_of(&statistics, &config);
    assert_int_equal(energy.interconnect, 2880);
    assert_int_equal(energy.dram, 44800);
    config.noc.length = 5;
    assert_int_equal(energy_of(&statistics, &config).interconnect, 1440);
}

/* 7 reads and 3 writes, two of these with masks, of 37 bytes together with the whole one: 8 sectors
 * and 5 bytes of 4480 / 32 pJ. */
static void masked_writes(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.dram = {.reads = 7, .writes = 3},
                                      .l2_bytes = {.writes = 3, .masked = 2, .written_bytes = 37}};
    assert_int_equal(energy_of(&statistics, &config).dram, 8 * 4480 + 5 * 140);
}

/* With HBM2, 10 sectors of 650.24 pJ, and 909 pJ for each row: 4 of 9 requests are no hits where
 * there is no time, else the activates. */
static void rows_of_dram(void **state)
{
    (void)state;
    gm_config config = machine();
    gm_error error;
    test_ok(gm_config_set(&config, "dram.standard", "hbm2", &error), error);
    gm_energy_table table;
    test_ok(gm_energy_read(&table, &config, &error), error);
    gm_statistics statistics = {.dram = {.reads = 7, .writes = 3, .requests = 9, .row_hits = 5}};
    assert_int_equal(gm_energy_of(&statistics, &config, &table).dram, 6502 + 4 * 909);
    statistics.time.cycles = 100;
    statistics.time.dram_activates = 6;
    assert_int_equal(gm_energy_of(&statistics, &config, &table).dram, 6502 + 6 * 909);
}

/* 1400 cycles at 1400 MHz are 1 us: 170.38 mW of 16 L1s and 211.24 mW of 1 MB are 381,620 pJ; 8 L1s
 * 85.19 mW; no L1 none. With trackers 16 L1s leak 183.11 mW, and 1, 2, 4
 * trackers 13.35, 12.72, 12.30; 8 are charged as 4. */
static void leakage(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.time = {.cycles = 1400}};
    config.clock.core = 1400;
    config.gpu.sms = 16;
    assert_int_equal(energy_of(&statistics, &config).leakage, 381620);
    config.gpu.sms = 8;
    assert_int_equal(energy_of(&statistics, &config).leakage, 85190 + 211240);
    config.clock.core = 700;
    assert_int_equal(energy_of(&statistics, &config).leakage, 2 * (85190 + 211240));
    config.l1.enabled = false;
    assert_int_equal(energy_of(&statistics, &config).leakage, 2 * 211240);
    config.l1.enabled = true;
    config.gpu.sms = 16;
    config.clock.core = 1400;
    config.tracker.enabled = true;
    static const unsigned trackers[][2] = {{1, 13350}, {2, 12720}, {4, 12300}, {8, 12300}};
    for (size_t i = 0; i < sizeof trackers / sizeof *trackers; i++) {
        config.tracker.trackers = trackers[i][0];
        assert_int_equal(energy_of(&statistics, &config).leakage, 183110 + 211240 + trackers[i][1]);
    }
}

static void area_and_leakage(void **state)
{
    (void)state;
    const gm_energy_table table = built_in();
    gm_config config = machine();
    static const gm_chip baseline = {{5760000, 0, 1250000}, {170380, 0, 211240}};
    gm_chip chip = gm_chip_of(&config, &table);
    assert_memory_equal(&chip, &baseline, sizeof chip);
    config.tracker.enabled = true;
    config.tracker.trackers = 2;
    config.gpu.sms = 8;
    config.l2.size = 256 << 10;
    static const gm_chip proposed = {{2895000, 50000, 560000}, {91555, 12720, 81260}};
    chip = gm_chip_of(&config, &table);
    assert_memory_equal(&chip, &proposed, sizeof chip);
    config.tracker.enabled = false;
    config.l1.enabled = false;
    assert_int_equal(gm_chip_of(&config, &table).area_um2.l1d, 0);
    assert_int_equal(gm_chip_of(&config, &table).leakage_uw.l1d, 0);
}

/* 2^50 sectors, 5 * 10^21 fJ, more than 64 bits: no sum overflows on the way. */
static void large_counts(void **state)
{
    (void)state;
    gm_config config = machine();
    const gm_statistics statistics = {.dram = {.reads = UINT64_C(1) << 50}};
    assert_int_equal(energy_of(&statistics, &config).dram, (UINT64_C(1) << 50) * 4480);
}

/* A run small enough to be charged by hand: with lines of 128 bytes in the L1s and 32 in the L2, SM
 * 3 loads a line, SM 7 is supplied with it and stores all of it. Without the trackers' messages,
 * their accesses or the supplier's read of its L1 a component is too small. */
static void a_run_with_trackers(void **state)
{
    (void)state;
    enum { P = 3, Q = 7, HEADER = 8, SECTORS = 4 };
    gm_error error;
    gm_order_machine run;
    gm_outcome outcome = {0};
    gm_statistics sum;
    gm_config config = machine();
    const gm_line_request line = {.sectors = 0xf, .whole = 0xf, .lanes = 1};
    config.tracker.enabled = true;
    test_ok(gm_order_machine_init(&run, &config, false, &error), error);
    gm_order_l1_access(&run.sm[P].l1, &line, GM_REQUEST_LOAD, &outcome);
    gm_order_l1_access(&run.sm[Q].l1, &line, GM_REQUEST_LOAD, &outcome);
    gm_order_l1_access(&run.sm[Q].l1, &line, GM_REQUEST_STORE, &outcome);
    gm_order_noc_drain(&run.noc);
    gm_order_machine_sum(&run, &sum);
    const gm_energy_table table = built_in();
    gm_energy energy = gm_energy_of(&sum, &config, &table);
    /* two lines looked up, one supplied: reads; two filled, one stored to: writes */
    assert_int_equal(energy.l1d, 225); /* 3 * 30.5 + 3 * 44.5 */
    /* LOOKUP and FILL of each load, WRITE: all change the entry */
    assert_int_equal(energy.tracker, 31); /* 5 * 2.3 + 5 * 3.9 */
    /* four sectors sent; four filled and four received */
    assert_int_equal(energy.l2, 1167); /* 4 * 99.7 + 8 * 96.1 */
    /* 8 messages to the L2 and their answers with 8 sectors; to the tracker and on to the supplier,
     * its answer with 4, 2 FILLs */
    const uint64_t bytes = (16 + 5) * HEADER + (8 + 4) * 32;
    assert_int_equal(energy.interconnect, bytes * 144 / 100); /* 0.144 pJ * 10 mm */
    assert_int_equal(energy.dram, SECTORS * 4480);
    gm_order_machine_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_costs_nothing),
        cmocka_unit_test(l1),
        cmocka_unit_test(trackers),
        cmocka_unit_test(l2),
        cmocka_unit_test(interconnect_and_dram),
        cmocka_unit_test(masked_writes),
        cmocka_unit_test(rows_of_dram),
        cmocka_unit_test(leakage),
        cmocka_unit_test(area_and_leakage),
        cmocka_unit_test(large_counts),
        cmocka_unit_test(a_run_with_trackers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
