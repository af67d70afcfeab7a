/* The decoupled L1 in whole runs of the cycle engine. With threshold 0 or 1 it is the conventional
 * one [li, 4.1], cycle by cycle, but for lines that a store or an atomic finds in flight: they
 * keep their data line until their data come. So those are counted, and where there are none every
 * counter must be the same. Then: all laws, no cycle skipped, and observers. */
#include "goldmem/workload.h"
#include "order/order_l1_decoupled.h"
#include "support/blocks/tag_store_watch.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/workload/small_workloads.h"

#include <stdlib.h>

/* The tag stores of a run, watched. */
typedef struct watch {
    gm_set_index index;
    gm_arena arena;
    tag_store_watcher *watcher; /* [SMs] */
    gm_observer *observer;      /* [SMs] */
    uint64_t sms;
} watch;

static void make_watch(watch *watch, const gm_config *config)
{
    gm_error error;
    unsigned address_bits = 64 - gm_log2_floor(config->l1.line);
    test_ok(gm_set_index_parse(&watch->index, config->l1.index, gm_config_l1_sets(config),
                               address_bits, &error),
            error);
    watch->sms = config->gpu.sms;
    gm_tag_store_parameters p = gm_decoupled_l1_parameters(config, &watch->index);
    test_ok(gm_arena_create(&watch->arena, watch->sms * gm_tag_store_bytes(&p), &error), error);
    watch->watcher = calloc(watch->sms, sizeof *watch->watcher);
    watch->observer = calloc(watch->sms, sizeof *watch->observer);
    assert_non_null(watch->watcher);
    assert_non_null(watch->observer);
    for (uint64_t i = 0; i < watch->sms; i++) {
        test_ok(gm_tag_store_init(&watch->watcher[i].store, &p, &watch->arena, &error), error);
        watch->observer[i] = (gm_observer){&watch->watcher[i], watch_tag_store};
    }
}

/* All SMs' in one: nothing was answered otherwise than by the test's own store. */
static tag_store_watcher end_watch(watch *watch)
{
    tag_store_watcher sum = {0};
    for (uint64_t i = 0; i < watch->sms; i++) {
        const tag_store_watcher *one = &watch->watcher[i];
        assert_int_equal(one->wrong + one->errors + one->both, 0);
        sum.calls += one->calls;
        sum.dead += one->dead;
        for (unsigned outcome = 0; outcome < 5; outcome++) {
            sum.outcome[outcome] += one->outcome[outcome];
        }
    }
    free(watch->watcher);
    free(watch->observer);
    gm_arena_free(&watch->arena);
    return sum;
}

/* A run with all laws checked; a decoupled one is watched, and the lines that died counted. */
static gm_results run(const gm_config *config, gm_source *source, uint64_t *dead)
{
    gm_error error;
    gm_results results;
    watch watch;
    gm_run_options options = {.threads = 1, .check = true};
    bool decoupled = config->l1.kind == GM_L1_DECOUPLED;
    if (decoupled) {
        make_watch(&watch, config);
        options.l1_tag_store = watch.observer;
    }
    test_ok(gm_cycle_run(config, source, &options, &results, &error), error);
    if (decoupled) {
        *dead = end_watch(&watch).dead;
    }
    return results;
}

/* Both kinds; whether they could be compared. */
static bool compare(gm_config config, gm_source *(*open)(const void *), const void *what)
{
    uint64_t dead = 0;
    gm_source *source = open(what);
    config.l1.kind = GM_L1_CONVENTIONAL;
    gm_results conventional = run(&config, source, &dead);
    gm_source_close(source);
    source = open(what);
    config.l1.kind = GM_L1_DECOUPLED;
    gm_results decoupled = run(&config, source, &dead);
    gm_source_close(source);
    if (dead == 0) {
        cycle_same(&config, &conventional, &decoupled);
        assert_true(decoupled.total.l1d.misses[GM_LOAD] > 0);
    }
    gm_results_free(&conventional);
    gm_results_free(&decoupled);
    return dead == 0;
}

enum { READERS = 12 }; /* CTAs */

/* Loads of lines that nobody stores to, stores and atomics elsewhere, local memory of each warp. */
static gm_source *readers(const void *seed)
{
    test_random random = {*(const uint64_t *)seed};
    memory_source *source = memory_source_new();
    for (unsigned k = 0; k < 2; k++) {
        memory_kernel(source, READERS, 64)->local_base = UINT64_C(0x7f4ffe000000);
        for (uint32_t cta = 0; cta < READERS; cta++) {
            memory_cta(source, cta);
            for (uint32_t warp = 0; warp < 2; warp++) {
                memory_warp(source, warp);
                for (unsigned i = 0; i < 40; i++) {
                    static const unsigned kinds[] = {MEMORY_LOAD, MEMORY_LOAD, MEMORY_LOAD,
                                                     MEMORY_STORE, MEMORY_ATOMIC};
                    unsigned kind = kinds[test_random_below(&random, 5)];
                    uint64_t base = kind == MEMORY_LOAD ? 0x10000 : 0x900000;
                    uint32_t mask = (uint32_t)test_random_next(&random);
                    unsigned local = (unsigned)test_random_below(&random, 8);
                    if (local < 2) {
                        memory_stride(source, local == 0 ? MEMORY_LOCAL_LOAD : MEMORY_LOCAL_STORE,
                                      mask, 8 * test_random_below(&random, 64), 0, 8);
                    } else {
                        memory_stride(source, kind, mask,
                                      base + 4 * test_random_below(&random, 20000), 4, 4);
                    }
                    memory_registers(source, (unsigned)test_random_below(&random, 16),
                                     (unsigned)test_random_below(&random, 16));
                }
            }
        }
    }
    return &source->source;
}

static gm_source *small_of(const void *name)
{
    gm_source *source;
    gm_error error;
    test_ok(gm_workload_open(&source, small_workload(name), &error), error);
    return source;
}

static void threshold_one_of_programs(void **state)
{
    (void)state;
    test_random random = test_random_start(111);
    unsigned compared = 0;
    for (unsigned number = 0; number < VARIANTS; number++) {
        if (!test_takes(number)) {
            continue;
        }
        gm_config config = timed_variant(number);
        config.gpu.sms = 4;
        config.l1.ways = 1 + number % 4;
        config.l1.size = config.l1.ways * config.l1.line * (UINT64_C(4) << number % 9);
        fit_for_decoupled(&config, number);
        config.l1.enabled = true;
        config.l1.sectored = false; /* docs/decoupled-l1d.md: what differs */
        /* Dirty lines of a set are flushed in the order of their slots, which differ. */
        config.l1.flush &= config.l1.ways == 1 || !config.l1.local_allocate;
        config.l1.threshold = number / 2 % 2;
        if (number % 5 == 4) {
            make_tiny(&config);
        }
        uint64_t seed = test_random_next(&random);
        compared += compare(config, readers, &seed);
    }
    assert_true(compared >= test_rounds(20));
}

static void threshold_one_of_workloads(void **state)
{
    (void)state;
    static const struct {
        const char *name, *index;
    } rows[] = {
        {"kmeans", "sequential"}, {"spmv", "ipoly"}, {"gather", "xor"},
        {"nw", "sequential"},     {"mm", "ipoly"},   {"pathfinder", "sequential"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_config config = order_preset("gtx480");
        config.l1.threshold = i % 2;
        test_text_copy(config.l1.index, sizeof config.l1.index, rows[i].index);
        assert_true(compare(config, small_of, rows[i].name));
    }
}

/* Everything at once, skipped or not. */
static void no_cycle_skipped(void **state)
{
    (void)state;
    test_random random = test_random_start(112);
    for (unsigned number = 0; number < 16; number++) {
        gm_config config = timed_variant(number);
        config.gpu.sms = 4;
        fit_for_decoupled(&config, number);
        config.l1.kind = GM_L1_DECOUPLED;
        config.l1.threshold = 1 + number % 3;
        config.l1.lfu_any = number % 3 == 0;
        config.l1.dueling = number % 2 == 0;
        config.l1.dueling_interval = 100 * (1 + number);
        config.l1.dueling_period = 1 + number / 2 % 3;
        if (number % 4 == 3) {
            make_tiny(&config);
        }
        memory_source *source = mixture_of(test_random_next(&random), 1, 20);
        gm_results one = cycle_results(&config, source, 1, false);
        gm_results other = cycle_results(&config, source, 2, true);
        cycle_same(&config, &one, &other);
        gm_results_free(&one);
        gm_results_free(&other);
        gm_source_close(&source->source);
    }
}

/* Each SM's transactions, each outcome among them, and set_index in front of them. */
static void observers(void **state)
{
    (void)state;
    gm_error error;
    gm_results results;
    watch watch;
    gm_config config = order_preset("gtx480");
    config.l1.kind = GM_L1_DECOUPLED;
    config.gpu.sms = 2;
    config.l1.size = 2048;
    memory_source *source = mixture(113, 2);
    make_watch(&watch, &config);
    const gm_run_options options = {.threads = 1, .check = true, .l1_tag_store = watch.observer};
    test_ok(gm_cycle_run(&config, &source->source, &options, &results, &error), error);
    gm_statistics unseen = cycle_run(&config, source);
    assert_memory_equal(&unseen, &results.total, sizeof unseen);
    tag_store_watcher seen = end_watch(&watch);
    for (unsigned outcome = 0; outcome < 5; outcome++) {
        assert_true(seen.outcome[outcome] > 10);
    }
    assert_true(seen.dead > 0);
    gm_results_free(&results);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold_one_of_programs),
        cmocka_unit_test(threshold_one_of_workloads),
        cmocka_unit_test(no_cycle_skipped),
        cmocka_unit_test(observers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
