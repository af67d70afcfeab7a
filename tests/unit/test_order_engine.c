/* The order engine on sources that lie in memory: totals that the input alone determines, threads,
 * barriers, every preset, and errors. */
#include "goldmem/engine.h"
#include "support/memory_source.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

#define ALL UINT32_MAX

static gm_config preset(const char *name)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, name, &error), error);
    return config;
}

static gm_statistics run(const gm_config *config, memory_source *source, unsigned threads)
{
    gm_run_options options = {.threads = threads, .check = true};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Each warp of each CTA loads and stores its own lines once. */
static memory_source *stream(uint32_t ctas)
{
    memory_source *source = memory_source_new();
    memory_kernel(source, ctas, 256);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        memory_cta(source, cta);
        for (uint32_t warp = 0; warp < 8; warp++) {
            uint64_t address = 0x7f0000000000 + (cta * 8 + warp) * UINT64_C(128);
            memory_warp(source, warp);
            memory_stride(source, MEMORY_LOAD, ALL, address, 4, 4);
            memory_plain(source, MEMORY_COMPUTE, ALL);
            memory_stride(source, MEMORY_STORE, ALL, address + 0x10000000, 4, 4);
        }
    }
    return source;
}

/* Every line is touched once: every access misses, at both levels, and the L2 reads each line. */
static void streams(void **state)
{
    (void)state;
    memory_source *source = stream(100);
    gm_config config = preset("gtx480");
    for (unsigned threads = 1; threads <= 4; threads++) {
        gm_statistics total = run(&config, source, threads);
        assert_int_equal(total.core.ctas, 100);
        assert_int_equal(total.core.warps, 800);
        assert_int_equal(total.core.warp_instructions, 2400);
        assert_int_equal(total.core.thread_instructions, 2400 * 32);
        assert_int_equal(total.core.memory_instructions, 1600);
        assert_int_equal(total.core.lane_accesses, 1600 * 32);
        assert_int_equal(total.l1d.misses[GM_LOAD], 800);
        assert_int_equal(total.l1d.misses[GM_STORE], 800);
        assert_int_equal(total.l2.misses[GM_LOAD], 800);
        assert_int_equal(total.l2.misses[GM_STORE], 800);
        assert_int_equal(total.dram.bytes - 32 * total.dram.writes, 32 * total.dram.reads);
        assert_int_equal(total.traffic.req, 800 * 8);
        assert_int_equal(total.traffic.ld, 800 * (8 + 128));
        assert_int_equal(total.traffic.st, 800 * (8 + 128 + 8));
    }
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
