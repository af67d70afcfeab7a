/* Bypass policies in whole runs of both engines: beside what they are in their limits, all laws;
 * profiles that one run writes and another reads. */
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"
#include "support/policy/bypass_variant.h"

#include <stdlib.h>
#include <string.h>

enum { SMS = 4, CTAS = 20 };

/* bypass_variant with few SMs. */
static gm_config few_sms(unsigned number, gm_l1_bypass bypass)
{
    gm_config config = bypass_variant(number, bypass);
    config.gpu.sms = SMS;
    return config;
}

static gm_results run(gm_engine engine, const gm_config *config, memory_source *source,
                      const char *write_profile)
{
    const gm_run_options options = {.threads = 1, .check = true, .write_profile = write_profile};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_engine_run(engine, config, &source->source, &options, &results, &error), error);
    return results;
}

/* Every counter of a run, those of time and of each part included. */
static void same(gm_engine engine, const gm_config *one, const gm_config *other,
                 memory_source *source)
{
    gm_results left = run(engine, one, source, NULL);
    gm_results right = run(engine, other, source, NULL);
    cycle_same(one, &left, &right);
    gm_results_free(&left);
    gm_results_free(&right);
}

/* BALL is an L1 that is off, to the last counter of every level. */
static void all_is_none_there(void **state)
{
    (void)state;
    test_random random = test_random_start(64);
    for (unsigned number = 0; number < VARIANTS; number += 2) {
        gm_config all = few_sms(number, GM_BYPASS_ALL);
        gm_config off = all;
        off.l1.enabled = false;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        same(GM_ENGINE_ORDER, &all, &off, source);
        gm_source_close(&source->source);
    }
}

/* Distance 0: nothing is protected. In the order engine, MRPB: nothing runs out. */
static void nothing_to_do(void **state)
{
    (void)state;
    test_random random = test_random_start(65);
    for (unsigned number = 0; number < VARIANTS; number += 7) {
        gm_config config = few_sms(number, GM_BYPASS_PDP);
        gm_config none = config;
        config.l1.replacement = none.l1.replacement = (gm_replacement)(number % 2);
        config.l1.protecting_distance = 0;
        none.l1.bypass = GM_BYPASS_NONE;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        same(GM_ENGINE_ORDER, &config, &none, source);
        same(GM_ENGINE_CYCLE, &config, &none, source);
        config.l1.bypass = GM_BYPASS_MRPB;
        config.l1.lookup = GM_LOOKUP_FIRST;
        same(GM_ENGINE_ORDER, &config, &none, source);
        gm_source_close(&source->source);
    }
}

/* Contention: no instruction of 2080 lines reaches a share of 131072 / 48 lines. */
static void large_shares(void **state)
{
    (void)state;
    test_random random = test_random_start(165);
    for (unsigned number = 0; number < VARIANTS; number += 9) {
        gm_config config = few_sms(number, GM_BYPASS_CONTENTION);
        config.l1.size = 131072 * config.l1.line;
        config.l1.ways = 4;
        gm_config none = config;
        none.l1.bypass = GM_BYPASS_NONE;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        same(GM_ENGINE_ORDER, &config, &none, source);
        same(GM_ENGINE_CYCLE, &config, &none, source);
        gm_source_close(&source->source);
    }
}

/* A distance that no kernel reaches: no line that came is ever evicted. */
static void for_ever(void **state)
{
    (void)state;
    test_random random = test_random_start(66);
    uint64_t bypasses = 0;
    for (unsigned number = 0; number < VARIANTS; number += 7) {
        gm_config config = few_sms(number, GM_BYPASS_PDP);
        config.l1.protecting_distance = 1000000;
        config.l1.allocation = GM_ALLOCATE_ON_MISS;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
            gm_results results = run(engine, &config, source, NULL);
            const gm_cache_statistics *l1d = &results.total.l1d;
            assert_int_equal(l1d->evictions[GM_LOAD] + l1d->evictions[GM_STORE], 0);
            bypasses += config.l1.enabled ? l1d->bypasses[GM_LOAD] : 0;
            gm_results_free(&results);
        }
        gm_source_close(&source->source);
    }
    assert_true(bypasses > 1000);
}

/* Threshold 1: each line that a load asks for has been referenced, by the same SM. */
static void threshold_of_one(void **state)
{
    (void)state;
    test_random random = test_random_start(67);
    for (unsigned number = 0; number < VARIANTS; number += 9) {
        gm_config config = few_sms(number, GM_BYPASS_PROFILED);
        gm_config none = config;
        none.l1.bypass = GM_BYPASS_NONE;
        config.l1.profile_threshold = 1;
        config.l1.profile_filter = number % 2 == 0 ? GM_PROFILE_LOCAL : GM_PROFILE_BOTH;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
            write_profile(engine, &config, source);
            same(engine, &config, &none, source);
        }
        gm_source_close(&source->source);
    }
}

/* What is written of a kernel is what its loads asked for, and nothing of it depends on the L1. */
static char *slurp(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

/* Sum of the references, line by line; *lines: their number. */
static uint64_t references(const char *text, uint64_t *lines)
{
    uint64_t sum = 0;
    *lines = 0;
    for (const char *at = strstr(text, "kernel 0"); at != NULL; at = strchr(at + 1, '\n')) {
        const char *end = strchr(at + 1, '\n');
        for (const char *colon = strchr(at, ':'); colon != NULL && end != NULL && colon < end;
             colon = strchr(colon + 1, ':')) {
            sum += strtoull(colon + 1, NULL, 10);
        }
        *lines += end != NULL && memchr(at, ':', (size_t)(end - at)) != NULL;
    }
    return sum;
}

static void what_is_written(void **state)
{
    (void)state;
    test_random random = test_random_start(68);
    for (unsigned number = 0; number < VARIANTS; number += 11) {
        gm_config config = few_sms(number, GM_BYPASS_PROFILED);
        const char *path = config.l1.profile;
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        char *text[3];
        for (unsigned i = 0; i < 3; i++) {
            gm_config one = config;
            one.l1.bypass = GM_BYPASS_NONE;
            one.l1.enabled = i != 1;
            gm_results results =
                run(i == 2 ? GM_ENGINE_CYCLE : GM_ENGINE_ORDER, &one, source, path);
            text[i] = slurp(path);
            uint64_t lines;
            uint64_t sum = references(text[i], &lines);
            assert_int_equal(results.kernels, 2);
            assert_true(lines > 50 && sum > lines);
            assert_true(sum < results.total.l1d.accesses[GM_LOAD]); /* which has strong ones too */
            gm_results_free(&results);
        }
        uint64_t lines[2];
        assert_string_equal(text[0], text[1]);
        /* The cycle engine's CTAs are on other SMs. */
        assert_int_equal(references(text[0], &lines[0]), references(text[2], &lines[1]));
        for (unsigned i = 0; i < 3; i++) {
            free(text[i]);
        }
        gm_source_close(&source->source);
    }
}

/* A profile with another number of kernels, or of other shapes. */
static void of_another_run(void **state)
{
    (void)state;
    gm_config config = bypass_variant(0, GM_BYPASS_PROFILED);
    gm_results results;
    memory_source *source = mixture(1, 2);
    memory_source *longer = mixture(1, 3);
    write_profile(GM_ENGINE_ORDER, &config, source);
    for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
        const gm_run_options options = {.threads = 1};
        gm_error error;
        memory_source_rewind(longer);
        assert_true(gm_engine_run(engine, &config, &longer->source, &options, &results, &error) <
                    0);
        assert_non_null(strstr(error.text, "the profile has 2 kernels; this run has more"));
    }
    gm_source_close(&source->source);
    gm_source_close(&longer->source);
}

/* Both engines keep every law with every policy; visiting every cycle changes nothing, nor do
 * threads. */
static void every_law(void **state)
{
    (void)state;
    static const gm_l1_bypass kinds[] = {GM_BYPASS_ALL, GM_BYPASS_PROFILED, GM_BYPASS_MRPB,
                                         GM_BYPASS_PDP, GM_BYPASS_CONTENTION};
    enum { KINDS = 5, ROUNDS = 3 * KINDS };
    test_random random = test_random_start(69);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (!test_takes(round)) { /* every third one: each kind, too */
            continue;
        }
        unsigned number = (unsigned)test_random_below(&random, VARIANTS);
        gm_config config = few_sms(number, kinds[round % KINDS]);
        config.l1.profile_filter = (gm_profile_filter)(number % 3);
        config.l1.protecting_distance = 1 + number;
        config.l1.bypass_queue = 1 + number % 4;
        if (round >= 2 * KINDS) {
            make_tiny(&config);
        }
        memory_source *source = mixture_of(test_random_next(&random), 2, CTAS);
        write_profile(GM_ENGINE_CYCLE, &config, source);
        const unsigned all =
            GM_ANALYZE_LOCALITY | GM_ANALYZE_REUSE | GM_ANALYZE_MISSES | GM_ANALYZE_SHARING;
        gm_statistics order = order_run(&config, source, 1, all);
        gm_statistics threaded = order_run(&config, source, 3, 0);
        assert_memory_equal(&order, &threaded, sizeof order);
        gm_results one = cycle_results(&config, source, 1, false);
        gm_results other = cycle_results(&config, source, 2, true);
        cycle_same(&config, &one, &other);
        gm_results_free(&one);
        gm_results_free(&other);
        gm_source_close(&source->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_none_there), cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(for_ever),          cmocka_unit_test(threshold_of_one),
        cmocka_unit_test(what_is_written),   cmocka_unit_test(of_another_run),
        cmocka_unit_test(every_law),         cmocka_unit_test(large_shares),
    };
    return cmocka_run_group_tests(tests, test_folder_setup, test_folder_teardown);
}
