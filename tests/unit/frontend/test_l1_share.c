/* Division of unified memory, for the QV100 and the RTX3070 of Accel-Sim: 128 KB, 256 ways. */
#include "frontend/l1_share.h"
#include "support/support.h"

#include <string.h>

enum { KB = 1024, SMS = 80 };

/* Ways by hand: 256 * (1 - shared / 128 KB), rounded. GPGPU-Sim's own sizes of the L1 for these
 * options are 128, 120, 112, 96, 64 and 32 KB (comments of its QV100 file). */
static const struct {
    uint32_t shared; /* bytes of a CTA */
    uint32_t ctas;   /* of the kernel, of 64 threads: 32 fit into an SM */
    uint64_t resident, option, ways;
} rows[] = {
    {0, 100000, 32, 0, 256},
    {0, 1, 1, 0, 256},
    {1, 1, 1, 8 * KB, 240},
    {8 * KB, SMS, 1, 8 * KB, 240},
    {8 * KB, SMS + 1, 2, 16 * KB, 224},
    {8 * KB + 1, SMS, 1, 16 * KB, 224},
    {8 * KB, 3 * SMS, 3, 32 * KB, 192},
    {8 * KB, 8 * SMS, 8, 64 * KB, 128},
    {8 * KB, 9 * SMS, 9, 96 * KB, 64},
    {8 * KB, 100000, 12, 96 * KB, 64}, /* 12 fit into 96 KB */
    {256, 100000, 32, 8 * KB, 240},
    {257, 100000, 32, 16 * KB, 224},
    {96 * KB, 1, 1, 96 * KB, 64},
};

static gm_config machine(const char *options, uint64_t shared_bytes)
{
    gm_error error;
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    config.sm.threads = 2048;
    config.sm.warps = 64;
    config.sm.ctas = 32;
    config.sm.registers = 65536;
    config.sm.shared_bytes = shared_bytes;
    config.l1.size = 32 * (uint64_t)KB;
    config.l1.ways = 64;
    config.l1.unified = 128 * (uint64_t)KB;
    test_ok(gm_config_set(&config, "l1.shared_options", options, &error), error);
    test_ok(gm_config_check(&config, &error), error);
    return config;
}

static gm_unified_statistics divide(const gm_config *config, uint32_t shared, uint32_t ctas)
{
    gm_error error;
    gm_arena arena;
    gm_cta_scheduler scheduler;
    gm_kernel kernel = {
        .grid = {ctas, 1, 1}, .block = {64, 1, 1}, .registers = 8, .shared_bytes = shared};
    test_ok(gm_arena_create(&arena, gm_cta_scheduler_bytes(config), &error), error);
    test_ok(gm_cta_scheduler_init(&scheduler, config, &arena, &error), error);
    test_ok(gm_cta_scheduler_start(&scheduler, &kernel, &error), error);
    gm_unified_statistics unified = gm_l1_share_of(config, &scheduler, &kernel);
    gm_arena_free(&arena);
    return unified;
}

static void smallest_option_that_fits(void **state)
{
    (void)state;
    gm_config config = machine("0,8KB,16KB,32KB,64KB,96KB", 96 * (uint64_t)KB);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_unified_statistics got = divide(&config, rows[i].shared, rows[i].ctas);
        print_message("%u bytes, %u CTAs\n", rows[i].shared, rows[i].ctas);
        assert_int_equal(got.resident_ctas, rows[i].resident);
        assert_int_equal(got.shared_bytes, rows[i].option);
        assert_int_equal(got.l1_ways, rows[i].ways);
        assert_int_equal(got.l1_bytes, rows[i].ways * 4 * 128);
        assert_int_equal(got.on_fill, 0);
    }
    gm_config ampere = machine("0,8KB,16KB,32KB,64KB,100KB", 100 * (uint64_t)KB);
    assert_int_equal(divide(&ampere, 70 * KB, 1).l1_ways, 56); /* 256 * 28 / 128 */
    gm_config odd = machine("1000,97KB", 96 * (uint64_t)KB);
    assert_int_equal(divide(&odd, 0, 1).l1_ways, 254);   /* 254.05 */
    assert_int_equal(divide(&odd, 1001, 1).l1_ways, 62); /* 256 * 31 / 128 = 62 */
}

static void allocation_follows(void **state)
{
    (void)state;
    static const struct {
        gm_l1_allocation allocation;
        uint64_t without, with; /* shared memory */
    } kinds[] = {
        {GM_ALLOCATE_ON_MISS, 0, 0}, {GM_ALLOCATE_ON_FILL, 1, 1}, {GM_ALLOCATE_STREAMING, 0, 1}};
    gm_config config = machine("0,96KB", 96 * (uint64_t)KB);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        config.l1.allocation = kinds[i].allocation;
        assert_int_equal(divide(&config, 0, 500).on_fill, kinds[i].without);
        assert_int_equal(divide(&config, 1, 500).on_fill, kinds[i].with);
    }
    config.l1.unified = 0;
    const gm_unified_statistics none = {0};
    gm_unified_statistics got = divide(&config, 1, 500);
    assert_memory_equal(&got, &none, sizeof none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest_option_that_fits),
        cmocka_unit_test(allocation_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
