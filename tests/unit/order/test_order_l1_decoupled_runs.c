/* The decoupled L1 in whole runs of the order engine: beside the conventional one, which threshold
 * 0 or 1 makes of it [li, 4.1]; all laws; observers. */
#include "goldmem/workload.h"
#include "order/order_l1_decoupled.h"
#include "support/blocks/set_index_watch.h"
#include "support/blocks/tag_store_watch.h"
#include "support/config/mixture.h"
#include "support/order/order_run.h"
#include "support/workload/small_workloads.h"

#include <string.h>

/* The policies that the decoupled L1 can have. */
static gm_config decoupled_variant(unsigned number)
{
    gm_config config = variant(number);
    config.gpu.sms = 4;
    fit_for_decoupled(&config, number);
    return config;
}

/* Threshold 0 or 1: the conventional cache, to the last counter. */
static void every_line_at_once(void **state)
{
    (void)state;
    test_random random = test_random_start(77);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = decoupled_variant(number);
        memory_source *source = mixture_of(test_random_next(&random), 2, 20);
        gm_statistics conventional = order_run(&config, source, 1, 0);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = number % 2;
        gm_statistics decoupled = order_run(&config, source, 1, 0);
        assert_memory_equal(&conventional.core, &decoupled.core, sizeof decoupled.core);
        assert_memory_equal(&conventional.l1d, &decoupled.l1d, sizeof decoupled.l1d);
        assert_memory_equal(&conventional.traffic, &decoupled.traffic, sizeof decoupled.traffic);
        gm_source_close(&source->source);
    }
}

/* Threshold 0 or 1, for workloads as they are: the conventional cache, the L2 and DRAM included. */
static void every_line_of_workloads(void **state)
{
    (void)state;
    static const struct {
        const char *name, *index;
    } rows[] = {
        {"bfs", "sequential"}, {"kmeans", "sequential"}, {"spmv", "ipoly:37"},
        {"gather", "xor"},     {"nw", "sequential"},     {"pathfinder", "ipoly:37"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_statistics total[2];
        for (unsigned kind = 0; kind < 2; kind++) {
            gm_error error;
            gm_source *source;
            gm_results results;
            gm_config config = order_preset("gtx480");
            const gm_run_options options = {.threads = 1, .check = true};
            config.l1.kind = (gm_l1_kind)kind;
            config.l1.threshold = i % 2;
            test_text_copy(config.l1.index, sizeof config.l1.index, rows[i].index);
            test_ok(gm_workload_open(&source, small_workload(rows[i].name), &error), error);
            test_ok(gm_order_run(&config, source, &options, &results, &error), error);
            total[kind] = results.total;
            gm_results_free(&results);
            gm_source_close(source);
        }
        assert_memory_equal(&total[0], &total[1], sizeof total[0]);
        assert_true(total[0].l1d.hits[GM_LOAD] > 0 && total[0].l1d.evictions[GM_LOAD] > 0);
    }
}

/* Every law, the analyses' too; threads change nothing. */
static void laws_hold(void **state)
{
    (void)state;
    const unsigned all =
        GM_ANALYZE_LOCALITY | GM_ANALYZE_REUSE | GM_ANALYZE_MISSES | GM_ANALYZE_SHARING;
    test_random random = test_random_start(78);
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = decoupled_variant(number);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = number % 4;
        config.l1.lfu_any = number % 3 == 0;
        memory_source *source = mixture_of(test_random_next(&random), 2, 20);
        gm_statistics one = order_run(&config, source, 1, all);
        gm_statistics three = order_run(&config, source, 3, 0);
        assert_memory_equal(&one, &three, sizeof one);
        gm_source_close(&source->source);
    }
}

static void observers(void **state)
{
    (void)state;
    enum { SMS = 2 };
    gm_error error;
    gm_arena arena;
    set_index_watcher sets = {0};
    gm_config config = order_preset("gtx480");
    config.l1.kind = GM_L1_DECOUPLED;
    memory_source *source = mixture(80, 2);
    config.gpu.sms = SMS;
    test_text_copy(config.l1.index, sizeof config.l1.index, "ipoly:37");
    test_ok(gm_set_index_parse(&sets.index, config.l1.index, 32, 57, &error), error);
    gm_tag_store_parameters parameters = gm_decoupled_l1_parameters(&config, &sets.index);
    test_ok(gm_arena_create(&arena, SMS * gm_tag_store_bytes(&parameters), &error), error);
    tag_store_watcher tags[SMS] = {0};
    gm_observer of_tags[SMS];
    for (unsigned i = 0; i < SMS; i++) {
        test_ok(gm_tag_store_init(&tags[i].store, &parameters, &arena, &error), error);
        of_tags[i] = (gm_observer){&tags[i], watch_tag_store};
    }
    const gm_observer of_sets = {&sets, watch_set_index};
    const gm_run_options options = {
        .threads = 1, .l1_tag_store = of_tags, .l1_set_index = &of_sets};
    gm_results results;
    memory_source_rewind(source);
    test_ok(gm_order_run(&config, &source->source, &options, &results, &error), error);
    const gm_cache_statistics *l1 = &results.total.l1d;
    uint64_t accesses = l1->accesses[GM_LOAD] + l1->accesses[GM_STORE] + l1->accesses[GM_ATOMIC];
    uint64_t flushes = SMS * results.kernels;
    assert_int_equal(sets.wrong + tags[0].wrong + tags[1].wrong, 0);
    assert_true(sets.calls > accesses);
    assert_int_equal(tags[0].calls + tags[1].calls, sets.calls + flushes);
    assert_true(tags[0].calls > flushes && tags[1].calls > flushes);
    gm_statistics unseen = order_run(&config, source, 1, 0);
    assert_memory_equal(&unseen, &results.total, sizeof unseen);
    gm_results_free(&results);
    gm_arena_free(&arena);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_at_once),
        cmocka_unit_test(every_line_of_workloads),
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(observers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
