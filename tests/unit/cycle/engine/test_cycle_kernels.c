/* What happens around kernels in the cycle engine: host copies, caches that are kept or flushed,
 * kernels and CTAs in which nothing happens, CTAs that cannot be placed. */
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

enum { LINES = 40 };

static gm_config small(void)
{
    gm_config config = order_preset("gtx480");
    config.gpu.sms = 2;
    config.l1.flush = true;
    config.l1.size = config.l2.size = GM_UNBOUNDED;
    config.l1.line = config.l2.line = 128;
    config.l1.sectored = config.l2.sectored = false;
    return config;
}

/* A CTA of one warp that accesses all lines, one after the other. */
static void all_lines(memory_source *source, unsigned opcode)
{
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (unsigned i = 0; i < LINES; i++) {
        memory_stride(source, opcode, UINT32_MAX, 0x100000 + i * 128, 4, 4);
        memory_registers(source, 1, 1);
    }
}

/* Three kernels of the same loads: what the second and third find depends on l1.flush; a copy
 * between the second and third drops the lines of both caches, or leaves them in the L2. */
static void caches_between_kernels(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 4; number++) {
        bool flush = number % 2 == 0;
        bool fills = number / 2 == 1;
        gm_config config = small();
        config.gpu.sms = 1;
        config.l1.flush = flush;
        config.l2.copy_fills = fills;
        memory_source *source = memory_source_new();
        for (unsigned kernel = 0; kernel < 3; kernel++) {
            memory_kernel(source, 1, 32);
            all_lines(source, MEMORY_LOAD);
            if (kernel == 1) {
                memory_copy(source, 0x100000, LINES * 128);
            }
        }
        cycle_kernels kernels = cycle_run_kernels(&config, source);
        assert_int_equal(kernels.count, 3);
        assert_int_equal(kernels.own[0].dram.reads, 4 * LINES);
        assert_int_equal(kernels.own[1].l1d.hits[GM_LOAD], flush ? 0 : LINES);
        assert_int_equal(kernels.own[1].l2.hits[GM_LOAD], flush ? LINES : 0);
        assert_int_equal(kernels.own[1].dram.reads, 0);
        assert_int_equal(kernels.own[2].l1d.hits[GM_LOAD], 0);
        assert_int_equal(kernels.own[2].l2.hits[GM_LOAD], fills ? LINES : 0);
        assert_int_equal(kernels.own[2].dram.reads, fills ? 0 : 4 * LINES);
        assert_int_equal(kernels.own[2].copies, 1);
        assert_int_equal(kernels.total.copy_bytes, LINES * 128);
        assert_int_equal(kernels.total.time.cycles, kernels.own[0].time.cycles +
                                                        kernels.own[1].time.cycles +
                                                        kernels.own[2].time.cycles);
    }
}

/* Dirty lines of an L1 that is kept are written back at the copy, in no kernel's time; so are those
 * of the L2 that the copy overwrites only in part. */
static void copies_write_back(void **state)
{
    (void)state;
    gm_config config = small();
    config.gpu.sms = 1;
    config.l1.flush = false;
    config.l1.global_write = GM_WRITE_BACK;
    config.l1.global_allocate = true;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    all_lines(source, MEMORY_STORE);
    memory_copy(source, 0x900000, 4); /* elsewhere */
    memory_kernel(source, 1, 32);
    all_lines(source, MEMORY_LOAD);
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.own[0].l1d.write_backs[GM_STORE], 0);
    assert_int_equal(kernels.own[1].l1d.write_backs[GM_STORE], LINES);
    assert_int_equal(kernels.own[1].l2.accesses[GM_STORE], LINES);
    assert_int_equal(kernels.own[1].l1d.hits[GM_LOAD], 0);
    assert_int_equal(kernels.own[1].l2.hits[GM_LOAD], LINES);
    assert_int_equal(kernels.total.l2_dirty_sectors, 4 * LINES);
    assert_int_equal(kernels.total.time.cycles,
                     kernels.own[0].time.cycles + kernels.own[1].time.cycles);
}

/* gpu.cta_paced: an SM gets its CTAs in cycles that follow each other, the first one when the
 * launch is over; else all of them before. 6 CTAs of two dependent instructions on 2 SMs: the third
 * of an SM is placed two cycles after the first, when nothing else happens. */
static void an_sm_gets_a_cta_in_a_cycle(void **state)
{
    (void)state;
    enum { LAUNCH = 50, CTAS = 6, EACH = CTAS / 2, RESULT = 10 };
    uint64_t cycles[2];
    for (unsigned paced = 0; paced < 2; paced++) {
        gm_config config = small();
        config.gpu.cta_paced = paced != 0;
        config.sm.launch = LAUNCH;
        config.sm.schedulers = 4; /* a warp each */
        config.unit.integer.latency = config.unit.fp32.latency = RESULT;
        memory_source *source = memory_source_new();
        memory_kernel(source, CTAS, 32);
        for (unsigned i = 0; i < CTAS; i++) {
            memory_cta(source, i);
            memory_warp(source, 0);
            for (unsigned k = 0; k < 2; k++) {
                memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
                memory_registers(source, 1, 1);
            }
        }
        cycle_kernels kernels = cycle_run_kernels(&config, source);
        cycles[paced] = kernels.total.time.cycles;
        const gm_cta_statistics *ctas = &kernels.own[0].cta;
        assert_int_equal(ctas->ended, CTAS);
        assert_int_equal(ctas->least, (paced ? 1 : LAUNCH + 1) + RESULT);
        assert_int_equal(ctas->most, ctas->least);
    }
    assert_int_equal(cycles[0], LAUNCH + 1 + RESULT);
    assert_int_equal(cycles[1], LAUNCH + EACH + RESULT);
}

/* Two kernels, and behind a copy one without stores and one more: stores of more lines than the L2
 * holds, in their order, so that lines leave it until the last store is answered. */
static cycle_kernels stores_that_evict(gm_kernel_end end)
{
    gm_config config = small();
    config.l2.size = 6 * 128 * 4; /* a set of 4 lines a bank */
    config.l2.ways = 4;
    config.l2.fetch_on_write = GM_FETCH_PARTIAL;
    config.sm.launch = 0;
    config.gpu.kernel_end = end;
    memory_source *source = memory_source_new();
    for (unsigned kernel = 0; kernel < 4; kernel++) {
        if (kernel == 2) {
            memory_copy(source, 0x900000, 4);
        }
        memory_kernel(source, 1, 32);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (unsigned i = 0; kernel != 2 && i < 4 * LINES; i++) {
            uint64_t line = (kernel * 4 * LINES + i) * UINT64_C(128);
            memory_stride(source, MEMORY_STORE, UINT32_MAX, 0x100000 + line, 4, 4);
        }
        memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
    }
    return cycle_run_kernels(&config, source);
}

/* gpu.kernel_end: with answered a kernel ends before what its last stores evicted is in DRAM. The
 * rest counts in the next kernel, or behind a copy or the last kernel in the total alone. */
static void a_kernel_ends_when_answered(void **state)
{
    (void)state;
    cycle_kernels written = stores_that_evict(GM_END_WRITTEN);
    cycle_kernels answered = stores_that_evict(GM_END_ANSWERED);
    const gm_statistics *own = answered.own;
    uint64_t of_kernels = 0;
    for (unsigned kernel = 0; kernel < 4; kernel++) {
        const gm_statistics *whole = &written.own[kernel];
        assert_true(kernel == 2 || own[kernel].time.cycles < whole->time.cycles);
        assert_int_equal(own[kernel].l2.sectors_written_back[GM_STORE],
                         whole->l2.sectors_written_back[GM_STORE]);
        of_kernels += own[kernel].time.dram_bursts;
    }
    uint64_t first = own[0].time.dram_bursts;
    assert_true(first > 0 && first < written.own[0].time.dram_bursts);
    assert_true(first + own[1].time.dram_bursts <
                written.own[0].time.dram_bursts + written.own[1].time.dram_bursts);
    assert_int_equal(own[2].time.dram_bursts, 0);
    assert_true(of_kernels < answered.total.time.dram_bursts);
    assert_int_equal(answered.total.time.dram_bursts, written.total.time.dram_bursts);
    assert_int_equal(answered.total.time.cycles, own[0].time.cycles + own[1].time.cycles +
                                                     own[2].time.cycles + own[3].time.cycles);
}

/* Kernels without CTAs, CTAs without instructions, warps that only compute: they end, and count. */
static void nothing_happens(void **state)
{
    (void)state;
    gm_config config = small();
    config.sm.launch = 0;
    memory_source *source = memory_source_new();
    memory_kernel(source, 4, 64); /* none of its CTAs */
    memory_kernel(source, 4, 64);
    memory_cta(source, 1); /* no warp */
    memory_cta(source, 3);
    memory_warp(source, 1); /* no instruction */
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_plain(source, MEMORY_COMPUTE, UINT32_MAX);
    memory_kernel(source, 2000, 32); /* more CTAs than fit, most of them empty */
    for (uint32_t cta = 0; cta < 2000; cta++) {
        memory_cta(source, cta);
        memory_warp(source, 0);
        if (cta % 100 == 99) {
            memory_plain(source, MEMORY_BARRIER, UINT32_MAX);
        }
    }
    cycle_kernels kernels = cycle_run_kernels(&config, source);
    assert_int_equal(kernels.count, 4);
    assert_int_equal(kernels.own[0].time.cycles, 0);
    assert_int_equal(kernels.own[1].time.cycles, 0);
    assert_int_equal(kernels.own[1].core.ctas, 2);
    assert_int_equal(kernels.own[1].core.warps, 1);
    assert_int_equal(kernels.own[2].time.cycles, 1); /* it issues, and the warp has ended */
    assert_int_equal(kernels.own[2].core.warp_instructions, 1);
    assert_int_equal(kernels.own[3].core.ctas, 2000);
    assert_int_equal(kernels.own[3].core.barriers, 20);
    assert_int_equal(kernels.total.core.memory_instructions, 0);
    assert_int_equal(kernels.total.dram.requests, 0);
}

/* sm.launch: nothing is issued before. */
static void launches_take_time(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        gm_config config = small();
        config.sm.launch = 1234 * i;
        config.clock.noc = config.clock.l2 = config.clock.dram = config.clock.core;
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 32);
        all_lines(source, MEMORY_LOAD);
        cycles[i] = cycle_run(&config, source).time.cycles;
        gm_source_close(&source->source);
    }
    assert_int_equal(cycles[1], cycles[0] + 1234);
}

static void expect_refusal(const gm_config *config, memory_source *source, const char *text)
{
    const gm_run_options options = {.threads = 1};
    gm_results results;
    gm_error error;
    int code = gm_cycle_run(config, &source->source, &options, &results, &error);
    if (code != -EINVAL) {
        fail_msg("%d where \"%s\" is expected", code, text);
    }
    if (strstr(error.text, text) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, text);
    }
    assert_null(results.per_sm);
    gm_source_close(&source->source);
}

static void ctas_that_never_fit(void **state)
{
    (void)state;
    gm_config config = small();
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 64)->shared_bytes = 1 << 20;
    expect_refusal(&config, source, "sm.shared_bytes=49152 is too few");
    source = memory_source_new();
    memory_kernel(source, 1, 256)->registers = 200; /* 51200 */
    expect_refusal(&config, source, "sm.registers=32768 is too few");
    source = memory_source_new();
    memory_kernel(source, 1, 2048);
    expect_refusal(&config, source, "sm.threads=1536 is too few");
    config.l1.ways = 3;
    config.l1.size = 1024;
    source = memory_source_new();
    expect_refusal(&config, source, "l1.size=1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_between_kernels),
        cmocka_unit_test(copies_write_back),
        cmocka_unit_test(nothing_happens),
        cmocka_unit_test(launches_take_time),
        cmocka_unit_test(ctas_that_never_fit),
        cmocka_unit_test(an_sm_gets_a_cta_in_a_cycle),
        cmocka_unit_test(a_kernel_ends_when_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
