/* Latency in the cycle engine: a chain of loads, each with the address that the one before it has
 * loaded, takes for each the sum of the configured latencies (support/cycle/engine/timeline.h), at
 * every level and with clocks of any ratio. */
#include "support/cycle/engine/cycle_run.h"
#include "support/cycle/engine/timeline.h"
#include "support/order/order_run.h"

enum { CHAIN = 12, BANKS = 16, ROW = 4096 };

/* One SM, one bank, one channel; what is measured is the preset's. */
static gm_config lone(const char *preset, const uint64_t clocks[4])
{
    gm_config config = order_preset(preset);
    config.gpu.sms = config.memory.partitions = config.memory.banks = 1;
    config.sm.launch = 0;
    config.l1.enabled = config.l1.flush = true;
    config.l1.size = 16 << 10;
    config.l1.ways = 4;
    config.l2.size = 128 << 10;
    config.l2.ways = 16;
    config.l1.line = config.l2.line = 128;
    config.l1.sectored = config.l2.sectored = false;
    test_text_copy(config.l1.index, sizeof config.l1.index, "sequential");
    test_text_copy(config.l2.index, sizeof config.l2.index, "sequential");
    config.memory.interleave = 256;
    config.noc.topology = GM_TOPOLOGY_CROSSBAR;
    config.dram.banks = BANKS;
    config.dram.row = ROW;
    config.dram.burst = 64;
    config.clock.core = clocks[0];
    config.clock.noc = clocks[1];
    config.clock.l2 = clocks[2];
    config.clock.dram = clocks[3];
    return config;
}

static const uint64_t clocks[][4] = {
    {700, 700, 700, 700},
    {700, 1400, 700, 924},
    {997, 613, 401, 1499},
    {500, 100, 1700, 90},
};

/* A kernel of one warp that loads `count` lines `apart` bytes apart, one after the other. */
static void chain(memory_source *source, unsigned count, uint64_t apart)
{
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < count; i++) {
        memory_stride(source, MEMORY_LOAD, UINT32_MAX, i * apart, 4, 4);
        memory_registers(source, 1, 1);
    }
}

/* What a chain of `count` loads, the first issued in cycle `from`, must have left. The last core
 * cycle of a kernel is the one in which its last load is answered. */
static void expect_chain(const gm_config *config, const gm_statistics *own, uint64_t from,
                         unsigned count, timeline_level level)
{
    uint64_t issue = from;
    uint64_t waits = 0;
    uint64_t in_l2 = 0;
    for (unsigned i = 0; i < count; i++) {
        timeline at = timeline_load(config, issue, level);
        waits += at.answer - at.access;
        in_l2 += at.l2_residence;
        issue = at.answer;
    }
    assert_int_equal(own->time.cycles, issue + 1 - from);
    assert_int_equal(own->time.loads, count);
    assert_int_equal(own->time.load_cycles, waits);
    assert_int_equal(own->time.l1_mshr_entries, level == TIMELINE_L1 ? 0 : count);
    assert_int_equal(own->time.l1_mshr_cycles, level == TIMELINE_L1 ? 0 : waits);
    assert_int_equal(own->time.l2_mshr_entries, level < TIMELINE_DRAM ? 0 : count);
    assert_int_equal(own->time.l2_mshr_cycles, in_l2);
}

static void every_machine(void (*test)(const gm_config *config))
{
    static const char *const presets[] = {"gtx480",        "fermi-tc",      "fermi-l1d",
                                          "fermi-sharing", "kepler-hybrid", "kepler-sharing"};
    for (size_t preset = 0; preset < sizeof presets / sizeof presets[0]; preset++) {
        for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
            gm_config config = lone(presets[preset], clocks[i]);
            test(&config);
            config.l1.latency = config.l2.latency = config.dram.latency = 0;
            config.noc.latency = 1;
            test(&config);
            config.l1.latency = 77;
            config.l2.latency = 311;
            config.dram.latency = 207;
            config.noc.latency = 19;
            config.noc.flit = 40;
            config.dram.burst_cycles = 5;
            config.dram.tccdl = 9;
            test(&config);
        }
    }
}

/* Each load opens a row of its own in a bank that no other has used. */
static void dram_chain(const gm_config *config)
{
    memory_source *source = memory_source_new();
    chain(source, CHAIN, ROW);
    cycle_kernels kernels = cycle_run_kernels(config, source);
    expect_chain(config, &kernels.own[0], 1, CHAIN, TIMELINE_DRAM);
    assert_int_equal(kernels.own[0].dram.row_hits, 0);
}

/* The first kernel brings lines to the L2, the second has an empty L1. */
static void l2_chain(const gm_config *config)
{
    memory_source *source = memory_source_new();
    chain(source, CHAIN, ROW);
    chain(source, CHAIN, ROW);
    cycle_kernels kernels = cycle_run_kernels(config, source);
    expect_chain(config, &kernels.own[1], 1 + kernels.own[0].time.cycles, CHAIN, TIMELINE_L2);
    assert_int_equal(kernels.own[1].l2.hits[GM_LOAD], CHAIN);
}

/* One line is read again and again, in an L1 that kept it. */
static void l1_chain(const gm_config *config)
{
    gm_config keeping = *config;
    keeping.l1.flush = false;
    memory_source *source = memory_source_new();
    chain(source, 1, 0);
    chain(source, CHAIN, 0);
    cycle_kernels kernels = cycle_run_kernels(&keeping, source);
    expect_chain(config, &kernels.own[1], 1 + kernels.own[0].time.cycles, CHAIN, TIMELINE_L1);
    assert_int_equal(kernels.own[1].l1d.hits[GM_LOAD], CHAIN);
}

static void loads_from_dram(void **state)
{
    (void)state;
    every_machine(dram_chain);
}

static void loads_from_the_l2(void **state)
{
    (void)state;
    every_machine(l2_chain);
}

static void loads_from_the_l1(void **state)
{
    (void)state;
    every_machine(l1_chain);
}

/* With equal clocks the sums are short; gtx480's latencies as given here, lines of 128 bytes in
 * flits of 32: 1 for a request, 5 for a reply of 8 + 128 bytes.
 *   L1: 1 to the load/store unit, 35.
 *   L2: 1 to the L1, 1 to the miss queue's end, 6 + 1 - 1 through the crossbar, 120 to the look-up,
 *       1 to the reply queue's end, 6 + 5 - 1 back.
 *   DRAM: 1 to the end of the queue to the channel instead, 100 on the way, 12 tRCD, 3 tCCDL to the
 *       second burst, 12 tCL, 2 for the burst; then 1 to the reply queue's end. */
static void by_hand(void **state)
{
    (void)state;
    gm_config config = lone("gtx480", clocks[0]);
    config.l1.latency = 35;
    config.l2.latency = 120;
    config.dram.latency = 100;
    config.noc.latency = 6;
    config.noc.flit = 32;
    config.noc.header = 8;
    config.dram.trcd = config.dram.tcl = 12;
    config.dram.tccd = config.dram.burst_cycles = 2;
    config.dram.tccdl = 3;
    assert_int_equal(timeline_load(&config, 0, TIMELINE_L1).answer, 1 + 35);
    assert_int_equal(timeline_load(&config, 0, TIMELINE_L2).answer, 1 + 1 + 6 + 120 + 1 + 10);
    assert_int_equal(timeline_load(&config, 0, TIMELINE_DRAM).answer,
                     1 + 1 + 6 + 120 + 1 + 100 + 12 + 3 + 12 + 2 + 1 + 10);
    dram_chain(&config);
    l2_chain(&config);
    l1_chain(&config);
}

/* A second load of the same line, which the L1 takes a cycle after the first, merges with it, and
 * is answered a cycle after it: the reply port answers one request a cycle. */
static void a_load_that_merges(void **state)
{
    (void)state;
    gm_config config = lone("gtx480", clocks[1]);
    config.sm.memory_queue = 2;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0, 4, 4);
    memory_stride(source, MEMORY_LOAD, UINT32_MAX, 0, 4, 4);
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    const gm_statistics *own = &kernels.own[0];
    timeline at = timeline_load(&config, 1, TIMELINE_DRAM);
    assert_int_equal(own->l1d.misses[GM_LOAD], 1);
    assert_int_equal(own->l1d.hits_pending[GM_LOAD], 1);
    assert_int_equal(own->time.load_cycles, 2 * (at.answer - at.access));
    assert_int_equal(own->time.l1_mshr_cycles, at.answer + 1 - at.access);
    assert_int_equal(own->time.cycles, at.answer + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_from_dram),    cmocka_unit_test(loads_from_the_l2),
        cmocka_unit_test(loads_from_the_l1),  cmocka_unit_test(by_hand),
        cmocka_unit_test(a_load_that_merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
