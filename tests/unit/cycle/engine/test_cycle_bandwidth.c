/* Bandwidth in the cycle engine: streams reach what the narrowest part can do within 2%, and never
 * exceed it, with each part in turn the narrowest; and Little's law where MSHRs are. */
#include "stats/invariants.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/cycle/engine/timeline.h"
#include "support/order/order_run.h"

enum { WARPS = 32, LINE = 128 };

/* Nothing limits but what a test then makes narrow: equal clocks, long queues. */
static gm_config wide(void)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = config.memory.partitions = config.memory.banks = 1;
    config.clock.core = config.clock.noc = config.clock.l2 = config.clock.dram = 1000;
    config.sm.memory_queue = 8;
    config.sm.launch = 0;
    config.l1.enabled = true;
    config.l1.flush = true;
    config.l1.size = config.l2.size = GM_UNBOUNDED;
    config.l1.line = config.l2.line = LINE;
    config.l1.sectored = config.l2.sectored = false;
    config.l1.latency = 10;
    config.l1.ports = 1;
    config.l1.mshrs = config.l1.merges = config.l1.miss_queue = 256;
    config.l2.latency = 20;
    config.l2.mshrs = config.l2.merges = config.l2.queue = 256;
    config.l2.dram_queue = config.l2.reply_queue = 256;
    config.memory.interleave = 256;
    config.dram.queue = config.dram.return_queue = 256;
    config.dram.latency = 20;
    config.dram.row = 64 << 10; /* opening rows of 4 KB takes 3% of the time */
    config.dram.banks = 16;
    config.dram.burst = 64;
    config.dram.tccd = config.dram.tccdl = config.dram.burst_cycles = 2;
    config.noc.topology = GM_TOPOLOGY_CROSSBAR;
    config.noc.latency = 4;
    config.noc.header = 8;
    config.noc.flit = 32;
    config.noc.buffer = config.noc.ejection = 64;
    return config;
}

/* A kernel of `ctas` CTAs of 32 warps of `loads` loads of 32 lines each: every warp has lines of
 * its own, or, with `again`, all loads of a warp are of the same ones. */
static void stream(memory_source *source, uint32_t ctas, uint32_t loads, bool again)
{
    memory_kernel(source, ctas, WARPS * 32);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            memory_warp(source, warp);
            for (uint32_t i = 0; i < loads; i++) {
                uint64_t load = (uint64_t)(again ? 0 : i) * ctas * WARPS + cta * WARPS + warp;
                memory_stride(source, MEMORY_LOAD, UINT32_MAX, load * 32 * LINE, LINE, 4);
                memory_registers(source, i % 8, 255);
            }
        }
    }
}

/* Statistics of the last kernel. */
static gm_statistics last_kernel(const gm_config *config, memory_source *source)
{
    cycle_kernels kernels = cycle_run_kernels(config, source);
    assert_true(kernels.count > 0);
    return kernels.own[kernels.count - 1];
}

/* done <= possible, and done >= 0.98 possible. */
static void expect_full(const char *what, uint64_t done, uint64_t possible)
{
    if (done > possible || done * 100 < possible * 98) {
        fail_msg("%s: %llu of %llu", what, (unsigned long long)done, (unsigned long long)possible);
    }
}

/* Line requests that hit: l1.ports a cycle. */
static void l1_ports(void **state)
{
    (void)state;
    for (uint64_t ports = 1; ports <= 2; ports++) {
        gm_config config = wide();
        config.l1.ports = ports;
        config.l1.flush = false;
        memory_source *source = memory_source_new();
        stream(source, 1, 1, true);
        stream(source, 1, 20, true);
        gm_statistics own = last_kernel(&config, source);
        assert_int_equal(own.l1d.hits[GM_LOAD], 20 * WARPS * 32);
        expect_full("L1", own.l1d.accesses[GM_LOAD], ports * own.time.cycles);
    }
}

/* Loads of global memory that hit, of lanes `stride` bytes apart: the words of the fullest of 32
 * banks for each group of lanes, or the lines of the fullest of four tag banks. */
static void l1_banks_of_data_and_tags(void **state)
{
    (void)state;
    static const struct {
        int64_t stride;
        unsigned width;
        uint32_t mask;
        uint64_t passes;
    } rows[] = {
        {1 * 4, 4, UINT32_MAX, 1},   {2 * 4, 4, UINT32_MAX, 2},
        {3 * 4, 4, UINT32_MAX, 1},   {4 * 4, 4, UINT32_MAX, 4},
        {5 * 4, 4, UINT32_MAX, 2},   {8 * 4, 4, UINT32_MAX, 8},
        {16 * 4, 4, UINT32_MAX, 16}, {31 * 4, 4, UINT32_MAX, 8},
        {32 * 4, 4, UINT32_MAX, 32}, {1 * 8, 8, UINT32_MAX, 2},
        {4 * 8, 8, UINT32_MAX, 8},   {1 * 16, 16, UINT32_MAX, 4},
        {2 * 16, 16, UINT32_MAX, 8}, {32 * 4, 4, 0x0000ff00, 8},
        {32 * 4, 4, 0x10101010, 4},  {8, 8, 0x0000ffff, 1},
        {8, 8, 0x00ffff00, 2},       {33 * 4, 4, UINT32_MAX, 8}, /* lines 0 to 31 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum { LOADS = 100 };
        gm_config config = wide();
        config.l1.ports = 4;
        config.l1.tag_banks = 4;
        config.l1.data_banks = 32;
        config.l1.flush = false;
        memory_source *source = memory_source_new();
        for (unsigned kernel = 0; kernel < 2; kernel++) {
            memory_kernel(source, 1, WARPS * 32);
            memory_cta(source, 0);
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                memory_warp(source, warp);
                for (uint32_t load = 0; load < (kernel == 0 ? 1 : LOADS); load++) {
                    memory_stride(source, MEMORY_LOAD, rows[i].mask, 0, rows[i].stride,
                                  rows[i].width);
                    memory_registers(source, load % 8, 255);
                }
            }
        }
        gm_statistics own = last_kernel(&config, source);
        assert_int_equal(gm_invariants_sum(own.l1d.hits), gm_invariants_sum(own.l1d.accesses));
        expect_full("L1", rows[i].passes * LOADS * WARPS, own.time.cycles);
    }
}

/* The second kernel's lines are in the L2. Replies are 5 flits. */
static gm_statistics from_l2(const gm_config *config, uint32_t ctas, uint32_t loads)
{
    memory_source *source = memory_source_new();
    stream(source, ctas, loads, false);
    stream(source, ctas, loads, false);
    gm_statistics own = last_kernel(config, source);
    assert_int_equal(own.l2.hits[GM_LOAD], ctas * loads * WARPS * 32);
    assert_int_equal(own.time.reply_flits, 5 * own.l2.hits[GM_LOAD]);
    return own;
}

/* Four banks for one SM: a flit in each cycle of the interconnect, at two clocks. */
static void reply_port_of_an_sm(void **state)
{
    (void)state;
    for (uint64_t mhz = 1000; mhz <= 2000; mhz += 1000) {
        gm_config config = wide();
        config.memory.partitions = 4;
        config.clock.noc = mhz;
        gm_statistics own = from_l2(&config, 1, 8);
        expect_full("SM's port", own.time.reply_flits, own.time.cycles * mhz / 1000);
    }
}

/* One bank for four SMs, likewise. */
static void reply_port_of_a_bank(void **state)
{
    (void)state;
    for (uint64_t mhz = 1000; mhz <= 2000; mhz += 1000) {
        gm_config config = wide();
        config.gpu.sms = 4;
        config.clock.noc = mhz;
        gm_statistics own = from_l2(&config, 4, 2);
        expect_full("bank's port", own.time.reply_flits, own.time.cycles * mhz / 1000);
    }
}

/* One bank for four SMs, and an interconnect of eight times its clock: one request in each of its
 * cycles, also at three quarters of the core's clock. */
static void l2_bank(void **state)
{
    (void)state;
    for (uint64_t mhz = 750; mhz <= 1000; mhz += 250) {
        gm_config config = wide();
        config.gpu.sms = 4;
        config.clock.noc = 8000;
        config.clock.l2 = mhz;
        gm_statistics own = from_l2(&config, 4, 8);
        expect_full("L2 bank", own.l2.accesses[GM_LOAD], own.time.cycles * mhz / 1000);
    }
}

/* Reads of DRAM: 64 bytes in max(burst_cycles, tCCD) cycles of its clock; the L2 is twice as fast.
 */
static void dram(void **state)
{
    (void)state;
    static const struct {
        uint64_t mhz, burst_cycles, tccd, cycles; /* of a burst */
    } rows[] = {{1000, 2, 2, 2}, {500, 2, 2, 2}, {1000, 4, 2, 4}, {1000, 2, 5, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config = wide();
        config.gpu.sms = 4;
        config.clock.noc = 4000;
        config.clock.dram = rows[i].mhz;
        config.dram.burst_cycles = rows[i].burst_cycles;
        config.dram.tccd = config.dram.tccdl = rows[i].tccd;
        memory_source *source = memory_source_new();
        stream(source, 4, 4, false);
        gm_statistics own = last_kernel(&config, source);
        assert_int_equal(own.dram.bytes, 4 * 4 * WARPS * 32 * LINE);
        expect_full("DRAM", own.dram.bytes,
                    own.time.cycles * rows[i].mhz / 1000 * 64 / rows[i].cycles);
    }
}

/* Writes: the stores of whole lines that the L2 then evicts, 128 bytes in two bursts. */
static void dram_writes(void **state)
{
    (void)state;
    gm_config config = wide();
    config.gpu.sms = 4;
    config.clock.noc = 4000;
    config.l2.size = 16 << 10;
    config.l2.ways = GM_FULL;
    config.l2.fetch_on_write = GM_FETCH_PARTIAL;
    config.dram.burst_cycles = 4;
    memory_source *source = memory_source_new();
    memory_kernel(source, 16, WARPS * 32);
    for (uint32_t i = 0; i < 16 * WARPS * 16; i++) {
        if (i % (WARPS * 16) == 0) {
            memory_cta(source, i / (WARPS * 16));
        }
        if (i % 16 == 0) {
            memory_warp(source, i / 16 % WARPS);
        }
        memory_stride(source, MEMORY_STORE, UINT32_MAX, (uint64_t)i * LINE, 4, 4);
    }
    gm_statistics own = last_kernel(&config, source);
    assert_int_equal(own.dram.reads, 0);
    assert_int_equal(own.dram.writes, 4 * (16 * WARPS * 16 - 128)); /* 128 lines stay */
    expect_full("DRAM writes", own.dram.bytes, own.time.cycles * 64 / 4);
}

/* Each load misses, and no two are of one line: a load waits as long as its entry is taken. */
static void loads_wait_as_long_as_entries(void **state)
{
    (void)state;
    gm_config config = wide();
    config.gpu.sms = 3;
    memory_source *source = memory_source_new();
    memory_kernel(source, 30, 128);
    for (uint32_t i = 0; i < 30 * 4 * 2; i++) {
        if (i % 8 == 0) {
            memory_cta(source, i / 8);
        }
        if (i % 2 == 0) {
            memory_warp(source, i / 2 % 4);
        }
        memory_stride(source, MEMORY_LOAD, 1, (uint64_t)i * 37 * LINE, 4, 4);
    }
    gm_statistics own = last_kernel(&config, source);
    assert_int_equal(own.time.l1_mshr_entries, 240);
    assert_int_equal(own.time.loads, 240);
    assert_int_equal(own.time.l1_mshr_cycles, own.time.load_cycles);
}

/* L1 with few entries, L2 hits: entries / latency lines a cycle, by the latency of a lone load. */
static void l1_mshrs(void **state)
{
    (void)state;
    for (uint64_t entries = 1; entries <= 8; entries *= 2) {
        gm_config config = wide();
        config.l1.mshrs = entries;
        config.l2.latency = 400;
        config.l2.queue = 256;
        timeline lone = timeline_load(&config, 1, TIMELINE_L2);
        uint64_t latency = lone.answer - lone.access;
        gm_statistics own = from_l2(&config, 1, 1);
        expect_full("L1 MSHRs in use", own.time.l1_mshr_cycles, entries * own.time.cycles);
        expect_full("L1 MSHRs' throughput", own.time.l1_mshr_entries * latency,
                    entries * own.time.cycles);
        assert_true(own.l1d.fails_mshr_entry[GM_LOAD] > 0);
    }
}

/* Of 512 entries more than 400 are in use on average: so are entries above number 300. */
enum { ENTRIES_OF_10_BITS = 512, MANY = 400 };

static void l1_mshrs_of_10_bits(void **state)
{
    (void)state;
    gm_config config = wide();
    config.l1.mshrs = ENTRIES_OF_10_BITS;
    config.l2.latency = 20000;
    gm_statistics own = from_l2(&config, 1, 2);
    assert_true(own.time.l1_mshr_cycles > MANY * own.time.cycles);
    assert_true(own.l1d.fails_mshr_entry[GM_LOAD] > 0);
}

static void l2_mshrs_of_10_bits(void **state)
{
    (void)state;
    gm_config config = wide();
    config.l1.mshrs = 1024;
    config.l2.mshrs = ENTRIES_OF_10_BITS;
    config.dram.latency = 10000;
    config.dram.row = 1 << 20;
    memory_source *source = memory_source_new();
    stream(source, 1, 1, false);
    gm_statistics own = last_kernel(&config, source);
    assert_true(own.time.l2_mshr_cycles > MANY * own.time.cycles);
    assert_int_equal(own.l1d.fails_mshr_entry[GM_LOAD], 0);
    assert_true(own.l2.fails_mshr_entry[GM_LOAD] > 0);
}

/* L2 bank with few entries, reads from one open row: entries / latency lines a cycle. */
static void l2_mshrs(void **state)
{
    (void)state;
    for (uint64_t entries = 1; entries <= 8; entries *= 2) {
        gm_config config = wide();
        config.l2.mshrs = entries;
        config.l2.latency = 1;
        config.dram.latency = 500;
        config.dram.row = 1 << 20;
        uint64_t latency = timeline_load(&config, 1, TIMELINE_OPEN).l2_residence;
        memory_source *source = memory_source_new();
        stream(source, 1, 1, false);
        gm_statistics own = last_kernel(&config, source);
        expect_full("L2 MSHRs in use", own.time.l2_mshr_cycles, entries * own.time.cycles);
        expect_full("L2 MSHRs' throughput", own.time.l2_mshr_entries * latency,
                    entries * own.time.cycles);
        assert_true(own.l2.fails_mshr_entry[GM_LOAD] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1_ports),
        cmocka_unit_test(l1_banks_of_data_and_tags),
        cmocka_unit_test(reply_port_of_an_sm),
        cmocka_unit_test(reply_port_of_a_bank),
        cmocka_unit_test(l2_bank),
        cmocka_unit_test(dram),
        cmocka_unit_test(dram_writes),
        cmocka_unit_test(loads_wait_as_long_as_entries),
        cmocka_unit_test(l1_mshrs),
        cmocka_unit_test(l2_mshrs),
        cmocka_unit_test(l1_mshrs_of_10_bits),
        cmocka_unit_test(l2_mshrs_of_10_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
