/* The caches that the analysis of misses runs beside each real one [tabbakh, I], against runs whose
 * caches are really unbounded, or fully associative: docs/analyses.md promises the same misses. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_real_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
