/* Turns of the warps of an SM: barriers, their ends, and one instruction at a time. */
#include "support/order/order_run.h"

#define ALL UINT32_MAX

/* Two warps load line 1 before and line 2 after a barrier, in a cache of one line: held together,
 * each line misses once. Without the barrier, or with one of no lane, warp 0 runs ahead while warp
 * 1 counts. */
static void barriers_hold(void **state)
{
    (void)state;
    enum { NONE, NO_LANE, BARRIER, KINDS };
    for (int barrier = 0; barrier < KINDS; barrier++) {
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 64);
        memory_cta(source, 0);
        for (uint32_t warp = 0; warp < 2; warp++) {
            memory_warp(source, warp);
            for (uint32_t i = 0; i < 10 * warp; i++) {
                memory_plain(source, MEMORY_COMPUTE, ALL);
            }
            memory_stride(source, MEMORY_LOAD, ALL, 0x1000, 4, 4);
            if (barrier != NONE) {
                memory_plain(source, MEMORY_BARRIER, barrier == BARRIER ? ALL : 0);
            }
            memory_stride(source, MEMORY_LOAD, ALL, 0x2000, 4, 4);
        }
        gm_config config = order_preset("gtx480");
        config.l1.size = 128;
        config.l1.ways = 1;
        gm_statistics total = order_run(&config, source, 1, 0);
        assert_int_equal(total.l1d.misses[GM_LOAD], barrier == BARRIER ? 2 : 4);
        assert_int_equal(total.core.barriers, barrier == NONE ? 0 : 2);
        gm_source_close(&source->source);
    }
}

/* A warp that ends, or that has no barrier to come to, holds nobody; nor does a barrier of no
 * lane. */
static void barriers_end(void **state)
{
    (void)state;
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 128);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_plain(source, MEMORY_BARRIER, ALL);
    memory_plain(source, MEMORY_BARRIER, ALL);
    memory_plain(source, MEMORY_COMPUTE, ALL);
    memory_warp(source, 1);
    memory_plain(source, MEMORY_COMPUTE, ALL);
    memory_warp(source, 2);
    memory_plain(source, MEMORY_BARRIER, 0);
    memory_plain(source, MEMORY_BARRIER, ALL);
    memory_warp(source, 3);
    gm_config config = order_preset("gtx480");
    gm_statistics total = order_run(&config, source, 1, 0);
    assert_int_equal(total.core.warp_instructions, 6);
    assert_int_equal(total.core.warps, 4);
    gm_source_close(&source->source);
}

/* Warps take turns, and each compute instruction is a turn of its own: seen through a cache of one
 * line. Warp 0 loads A B A, warp 1 loads B after some compute instructions (-). */
static void turns_pass_one_by_one(void **state)
{
    (void)state;
    static const struct {
        uint32_t delay; /* compute instructions of warp 1 */
        uint64_t misses;
    } rows[] = {
        {0, 3}, /* A, B of warp 1, B hits, A */
        {1, 3}, /* A - B, B of warp 1 hits, A */
        {2, 4}, /* A - B - A, B of warp 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory_source *source = memory_source_new();
        memory_kernel(source, 1, 64);
        memory_cta(source, 0);
        memory_warp(source, 0);
        memory_stride(source, MEMORY_LOAD, ALL, 0x1000, 4, 4);
        memory_stride(source, MEMORY_LOAD, ALL, 0x2000, 4, 4);
        memory_stride(source, MEMORY_LOAD, ALL, 0x1000, 4, 4);
        memory_warp(source, 1);
        for (uint32_t j = 0; j < rows[i].delay; j++) {
            memory_plain(source, MEMORY_COMPUTE, ALL);
        }
        memory_stride(source, MEMORY_LOAD, ALL, 0x2000, 4, 4);
        gm_config config = order_preset("gtx480");
        config.l1.size = 128;
        config.l1.ways = 1;
        gm_statistics total = order_run(&config, source, 1, 0);
        assert_int_equal(total.l1d.misses[GM_LOAD], rows[i].misses);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(barriers_end),
        cmocka_unit_test(turns_pass_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
