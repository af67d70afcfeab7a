/* Host-to-device copies in the order engine: what later loads find in the caches. */
#include "support/order/order_run.h"

/* A host copy whose lines stay in the L2: later loads hit there. */
static void copies_fill_the_l2(void **state)
{
    (void)state;
    for (int fills = 0; fills < 2; fills++) {
        memory_source *source = memory_source_new();
        memory_copy(source, 0x10020, 256); /* sectors 1 to 8 of lines 0x200 to 0x202 */
        memory_kernel(source, 1, 32);
        memory_cta(source, 0);
        memory_warp(source, 0);
        for (uint64_t line = 0x200; line < 0x203; line++) {
            memory_stride(source, MEMORY_LOAD, 0xff, line * 128 + 32, 4, 4); /* sector 1 */
        }
        gm_config config = order_preset("gtx480");
        config.l1.sectored = config.l2.sectored = true;
        config.l2.copy_fills = fills;
        gm_statistics total = order_run(&config, source, 1, GM_ANALYZE_MISSES);
        assert_int_equal(total.l2.hits[GM_LOAD], fills ? 2 : 0); /* of 0x202 only sector 0 */
        assert_int_equal(total.dram.reads, fills ? 1 : 3);
        gm_source_close(&source->source);
    }
}

static void kernel_of(memory_source *source, unsigned opcode)
{
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    for (uint64_t line = 0x200; line < 0x204; line++) {
        memory_stride(source, opcode, UINT32_MAX, line * 128, 4, 4);
    }
}

/* A kernel makes lines 0x200 to 0x203 dirty, a copy writes 0x201, 0x202 and half of 0x203, a kernel
 * loads all four. What the copy wrote must not be hit as it was before, at either level. */
static void nothing_stale_is_hit(void **state)
{
    (void)state;
    static const struct {
        bool fills, flush;
        uint64_t l2_hits, reads, writes;
    } rows[] = {
        /* the rest of 0x203 is written back: 2 sectors; 3 lines are read again */
        {false, true, 1, 4 * 4 + 3 * 4, 2},
        {false, false, 1, 4 * 4 + 3 * 4, 2},
        /* through the L2: all there */
        {true, true, 4, 4 * 4, 0},
        {true, false, 4, 4 * 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned threads = 1; threads <= 3; threads++) {
            memory_source *source = memory_source_new();
            kernel_of(source, MEMORY_STORE);
            kernel_of(source, MEMORY_LOAD); /* now in the L1 too, if it is not flushed */
            memory_copy(source, 0x201 * 128, 2 * 128 + 64);
            kernel_of(source, MEMORY_LOAD);
            gm_config config = order_preset("gtx480");
            config.gpu.sms = 1;
            config.l2.ways = GM_FULL; /* what --check knows the misses of */
            config.l1.flush = rows[i].flush;
            config.l2.copy_fills = rows[i].fills;
            gm_statistics total =
                order_run(&config, source, threads, threads == 1 ? GM_ANALYZE_MISSES : 0);
            assert_int_equal(total.l1d.hits[GM_LOAD], 0);
            assert_int_equal(total.l2.hits[GM_LOAD], 4 + rows[i].l2_hits);
            assert_int_equal(total.dram.reads, rows[i].reads);
            assert_int_equal(total.dram.writes, rows[i].writes);
            gm_source_close(&source->source);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_fill_the_l2),
        cmocka_unit_test(nothing_stale_is_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
