/* The caches that the analysis of misses runs beside each real one [tabbakh, I], against runs whose
 * caches are really unbounded, or fully associative: docs/analyses.md promises the same misses. */
#include "cache/analysis_effect.h"
#include "stats/invariants.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"

typedef struct misses {
    uint64_t real, unbounded, lru;
} misses;

static void run(const gm_config *config, memory_source *source, misses misses[GM_LEVELS])
{
    const gm_run_options options = {.threads = 1, .check = true, .analyses = GM_ANALYZE_MISSES};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    const gm_miss_results *beside = gm_analysis_read(results.analysis)->misses;
    misses[GM_LEVEL_L1].real = gm_invariants_sum(results.total.l1d.misses);
    misses[GM_LEVEL_L2].real = gm_invariants_sum(results.total.l2.misses);
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        misses[level].unbounded = beside[level].unbounded;
        misses[level].lru = beside[level].fully_associative;
    }
    gm_results_free(&results);
}

/* An L2 that fetches blocks of sectors, or nothing for stores: these have a bounded size. */
static void as_an_l2_of_blocks(void **state)
{
    (void)state;
    static const gm_fetch_policy policies[] = {GM_FETCH_ALWAYS, GM_FETCH_PARTIAL, GM_FETCH_LAZY};
    test_random random = test_random_start(83);
    for (unsigned number = 0; number < 12; number++) {
        gm_config config = order_preset("gtx480");
        config.l1.sectored = config.l2.sectored = true;
        config.l2.fetch = UINT64_C(32) << number % 3;
        config.l2.fetch_on_write = policies[number / 3 % 3];
        config.l2.ways = 4;
        config.l2.size =
            4 * config.l2.line * config.l2.ways * config.memory.partitions * config.memory.banks;
        memory_source *source = mixture_of(test_random_next(&random), 2, 40);
        misses asked[GM_LEVELS];
        misses found[GM_LEVELS];
        run(&config, source, asked);
        config.l2.ways = GM_FULL;
        run(&config, source, found);
        assert_int_equal(asked[GM_LEVEL_L2].lru, found[GM_LEVEL_L2].real);
        assert_true(asked[GM_LEVEL_L2].unbounded < asked[GM_LEVEL_L2].lru);
        gm_source_close(&source->source);
    }
}

/* The L2's accesses depend on the L1, never on the L2. */
static void compare(const gm_config *config, memory_source *source)
{
    misses asked[GM_LEVELS];
    misses found[GM_LEVELS];
    run(config, source, asked);
    gm_config other = *config;
    other.l1.size = GM_UNBOUNDED;
    run(&other, source, found);
    assert_int_equal(asked[GM_LEVEL_L1].unbounded, found[GM_LEVEL_L1].real);
    other = *config;
    other.l2.size = GM_UNBOUNDED;
    run(&other, source, found);
    assert_int_equal(asked[GM_LEVEL_L2].unbounded, found[GM_LEVEL_L2].real);
    other = *config;
    other.l1.ways = other.l2.ways = GM_FULL;
    run(&other, source, found);
    assert_int_equal(asked[GM_LEVEL_L1].lru, found[GM_LEVEL_L1].real);
    other.l1.ways = config->l1.ways;
    run(&other, source, found);
    assert_int_equal(asked[GM_LEVEL_L2].lru, found[GM_LEVEL_L2].real);
}

static void as_real_caches(void **state)
{
    (void)state;
    test_random random = test_random_start(82);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = variant(number);
        config.l1.replacement = config.l2.replacement = GM_REPLACE_LRU;
        config.l2.atomic_buffer = false;      /* the caches beside the L2 have none */
        if (config.l1.size != GM_UNBOUNDED) { /* small, so that lines of the mixture are evicted */
            config.l1.size = 4 * config.l1.line * (config.l1.ways == GM_FULL ? 1 : config.l1.ways);
        }
        if (config.l2.size != GM_UNBOUNDED) {
            config.l2.size = 4 * config.l2.line * config.l2.ways * config.memory.partitions *
                             config.memory.banks;
        }
        memory_source *source = mixture_of(test_random_next(&random), 2, 40);
        compare(&config, source);
        gm_source_close(&source->source);
    }
}

/* A sector that a store has written in part is fetched for the load behind it, one that it has
 * written whole is not, and a load's neighbour is fetched with it: four misses, in both engines. */
static void parts_and_neighbours(void **state)
{
    (void)state;
    enum { A = 0x100000, B = 0x200000, C = 0x300000, ALL = -1, FIRST = 1, MISSES = 4 };
    gm_config config = order_preset("gtx480");
    config.l1.enabled = false;
    config.l2.sectored = true;
    config.l2.fetch = 64;
    config.l2.fetch_on_write = GM_FETCH_LAZY;
    const gm_run_options options = {.threads = 1, .check = true, .analyses = GM_ANALYZE_MISSES};
    memory_source *source = memory_source_new();
    memory_kernel(source, 1, 32);
    memory_cta(source, 0);
    memory_warp(source, 0);
    memory_stride(source, MEMORY_STORE, FIRST, A, 4, 4);
    memory_stride(source, MEMORY_LOAD, FIRST, A, 4, 4);
    memory_registers(source, 1, 1);
    memory_stride(source, MEMORY_STORE, (uint32_t)ALL, B, 4, 4);
    memory_stride(source, MEMORY_LOAD, (uint32_t)ALL, B, 4, 4);
    memory_registers(source, 1, 1);
    memory_stride(source, MEMORY_LOAD, FIRST, C, 4, 4);
    memory_registers(source, 1, 1);
    memory_stride(source, MEMORY_LOAD, FIRST, C + 32, 4, 4);
    memory_registers(source, 1, 1);
    for (unsigned engine = 0; engine < 2; engine++) {
        gm_results results;
        gm_error error;
        memory_source_rewind(source);
        test_ok(engine == 0 ? gm_order_run(&config, &source->source, &options, &results, &error)
                            : gm_cycle_run(&config, &source->source, &options, &results, &error),
                error);
        const gm_miss_results *beside = &gm_analysis_read(results.analysis)->misses[GM_LEVEL_L2];
        assert_int_equal(gm_invariants_sum(results.total.l2.misses), MISSES);
        assert_int_equal(beside->unbounded, MISSES);
        assert_int_equal(beside->fully_associative, MISSES);
        assert_int_equal(beside->misses[GM_MISS_policy], 1); /* the load behind a part */
        gm_results_free(&results);
    }
    gm_source_close(&source->source);
}

/* Loads and fetches of instructions bring blocks of sectors; stores, atomics and copies do not. */
static void what_fetches_blocks(void **state)
{
    (void)state;
    static const struct {
        gm_message_kind kind;
        uint32_t block;
    } rows[] = {
        {GM_MESSAGE_READ, 2},       {GM_MESSAGE_INSTRUCTION, 2}, {GM_MESSAGE_WRITE, 0},
        {GM_MESSAGE_WRITE_BACK, 0}, {GM_MESSAGE_ATOMIC, 0},      {GM_MESSAGE_INSTALL, 0},
    };
    const gm_l2_policy policy = {.all_sectors = 15, .sectored = true, .fetch_sectors = 2};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_analysis_access access = {.sectors = 1};
        gm_analysis_effect_l2(&policy, rows[i].kind, 0, false, &access);
        assert_int_equal(access.block, rows[i].block);
        const gm_l2_request request = {rows[i].kind, 1, 0};
        const gm_l2_line line = {.present = false};
        bool more = gm_l2_access_effect(&policy, &request, &line).validated != 1;
        assert_int_equal(more, rows[i].block != 0); /* as the L2 does */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_real_caches), cmocka_unit_test(as_an_l2_of_blocks),
        cmocka_unit_test(parts_and_neighbours), cmocka_unit_test(what_fetches_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
