/* Variants of the order engine's machine against runs of their own: equal in every counter. */
#include "support/config/mixture.h"
#include "support/config/random_machine.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const functions[] = {"sequential", "xor", "fold", "ipoly", "prime", "skew"};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Sets variant[] to `config` with other index functions of the L1s, then of the L2: each, or under
 * sanitizers every third one from `first` on. Returns their number: those functions that the caches
 * can have. */
static unsigned make_variants(const gm_config *config, unsigned first,
                              gm_config variants[2 * FUNCTIONS])
{
    unsigned count = 0;
    gm_error error;
    for (unsigned i = 0; i < 2 * FUNCTIONS; i++) {
        gm_config *to = &variants[count];
        *to = *config;
        char *index = i < FUNCTIONS ? to->l1.index : to->l2.index;
        strcpy(index, functions[i % FUNCTIONS]);
        count += test_takes(first + i) && gm_config_check(to, &error) == 0;
    }
    return count;
}

static gm_statistics *run_variants(const gm_config *config, memory_source *source,
                                   const gm_config *variants, unsigned count,
                                   gm_run_options options)
{
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    options.check = true;
    options.variants = variants;
    options.variant_count = count;
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_statistics *totals = malloc((count + 1) * sizeof *totals);
    assert_non_null(totals);
    totals[0] = results.total;
    memcpy(&totals[1], results.variants, count * sizeof *totals);
    gm_results_free(&results);
    return totals;
}

static gm_statistics run_alone(const gm_config *config, memory_source *source,
                               gm_run_options options)
{
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

/* Runs the source with variants of the machine, and each alone: equal in every counter. Returns how
 * many differ from the machine's run. */
static unsigned compare_runs(const gm_config *config, unsigned first, memory_source *source,
                             gm_run_options options)
{
    gm_config variants[2 * FUNCTIONS];
    unsigned count = make_variants(config, first, variants);
    unsigned differ = 0;
    gm_statistics *totals = run_variants(config, source, variants, count, options);
    gm_statistics own = run_alone(config, source, options);
    assert_memory_equal(&totals[0], &own, sizeof own);
    for (unsigned i = 0; i < count; i++) {
        gm_statistics alone = run_alone(&variants[i], source, options);
        assert_memory_equal(&totals[1 + i], &alone, sizeof alone);
        differ += memcmp(&alone, &own, sizeof own) != 0;
    }
    free(totals);
    return differ;
}

/* Every policy, L1s of both kinds, copies, trackers. Sometimes the run stops in a kernel, or leaves
 * kernels out. */
static void equal_runs_of_their_own(void **state)
{
    (void)state;
    test_random random = test_random_start(2111);
    unsigned differ = 0;
    for (unsigned number = 0; number < VARIANTS; number++) {
        gm_config config = variant(number);
        gm_kernel_ranges kernels = {.count = 1, .range = {{1, 2}}};
        memory_source *source = mixture_of(test_random_next(&random), 3, 40);
        const gm_run_options options = {
            .threads = 1 + number % 3,
            .max_instructions = number % 4 == 1 ? 20000 : 0,
            .kernels = number % 5 == 2 ? &kernels : NULL,
        };
        differ += compare_runs(&config, number + (unsigned)test_random_below(&random, 3), source,
                               options);
        gm_source_close(&source->source);
    }
    assert_true(differ > test_rounds(VARIANTS)); /* the functions matter to these programs */
}

/* 50 KB that L1 and shared memory divide: the L1 has 2 ways or 50. */
static gm_config divided(void)
{
    static const char *const keys[][2] = {{"l1.size", "2KB"},
                                          {"l1.ways", "2"},
                                          {"sm.shared_bytes", "48KB"},
                                          {"l1.unified", "50KB"},
                                          {"l1.shared_options", "0,48KB"}};
    gm_config config = order_preset("gtx480");
    gm_error error;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        test_ok(gm_config_set(&config, keys[i][0], keys[i][1], &error), error);
    }
    config.gpu.sms = 3;
    return config;
}

/* A machine whose stores make sectors whole together. */
static gm_config whole_by_parts(void)
{
    gm_config config = order_preset("v100");
    make_whole_by_parts(&config);
    config.gpu.sms = 3;
    return config;
}

/* A machine whose L2 knows the bytes that stores have written. */
static gm_config known_bytes(void)
{
    gm_config config = order_preset("kepler-hybrid");
    gm_error error;
    test_ok(gm_config_set(&config, "l2.dirty", "byte", &error), error);
    test_ok(gm_config_set(&config, "l2.fetch_on_write", "lazy", &error), error);
    config.gpu.sms = 3;
    return config;
}

/* Random and modern machines: unified memory, bytes of stores that the L2 keeps. */
static void equal_on_random_machines(void **state)
{
    (void)state;
    test_random random = test_random_start(2112);
    unsigned unified = 0;
    unsigned bytes = 0;
    unsigned parts = 0;
    for (unsigned number = 0; number < test_rounds(80); number++) {
        static const char *const modern[] = {"v100", "rtx3070", "a100", "h100"};
        gm_config config = number % 8 == 0   ? order_preset(modern[number / 8 % 4])
                           : number % 8 == 2 ? known_bytes()
                           : number % 8 == 4 ? divided()
                           : number % 8 == 6 ? whole_by_parts()
                                             : random_machine(&random, true);
        gm_error error;
        config.gpu.sms = number % 8 == 0 ? 3 : config.gpu.sms;
        config.sm.throttle = GM_THROTTLE_NONE;
        config.coherence.protocol = GM_COHERENCE_NONE;
        config.l1.bypass =
            config.l1.bypass == GM_BYPASS_PROFILED ? GM_BYPASS_NONE : config.l1.bypass;
        memory_source *source = mixture_of(test_random_next(&random), 2, 20);
        if (gm_config_check(&config, &error) == 0) {
            compare_runs(&config, number, source, (gm_run_options){.threads = 1});
            unified += config.l1.unified != 0;
            bytes += config.l2.dirty == GM_DIRTY_BYTE;
            parts += config.l2.dirty == GM_DIRTY_PARTS;
        }
        gm_source_close(&source->source);
    }
    assert_true(unified > test_rounds(5) && bytes > test_rounds(5) && parts > test_rounds(3));
}

/* Kernels without shared memory and with all of it, in turn: the L1s of all variants are resized
 * between them. Lines fit 50 ways, and not 2. */
static void equal_where_l1s_are_resized(void **state)
{
    (void)state;
    enum { KERNELS = 2, CTAS = 3, LINES = 128, WHOLE = 40 * 1024 };
    gm_config config = divided();
    memory_source *source = memory_source_new();
    for (uint32_t kernel = 0; kernel < KERNELS; kernel++) {
        memory_kernel(source, CTAS, 32)->shared_bytes = kernel % 2 == 0 ? 0 : WHOLE;
        for (uint32_t cta = 0; cta < CTAS; cta++) {
            memory_cta(source, cta);
            memory_warp(source, 0);
            for (uint64_t line = 0; line < (uint64_t)2 * LINES; line++) {
                memory_stride(source, MEMORY_LOAD, UINT32_MAX,
                              UINT64_C(0x7f0000000000) + line % LINES * 128, 4, 4);
            }
        }
    }
    gm_statistics own = run_alone(&config, source, (gm_run_options){.threads = 1});
    assert_in_range(own.l1d.hits[GM_LOAD], KERNELS / 2 * CTAS * LINES / 2,
                    KERNELS / 2 * CTAS * LINES * 3 / 2);
    compare_runs(&config, 0, source, (gm_run_options){.threads = 1});
    gm_source_close(&source->source);
}

/* A policy that reads a profile, kernel by kernel. */
static void equal_with_a_profile(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    memory_source *source = mixture_of(5, 3, 40);
    snprintf(config.l1.profile, sizeof config.l1.profile, "%s/profile", test_folder_make());
    run_alone(&config, source, (gm_run_options){.threads = 1, .write_profile = config.l1.profile});
    config.l1.bypass = GM_BYPASS_PROFILED;
    assert_true(compare_runs(&config, 0, source, (gm_run_options){.threads = 1}) > 0);
    test_folder_remove();
    gm_source_close(&source->source);
}

/* What a variant may not differ in, and what does not go with variants. */
static void refusals(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    gm_config other = config;
    memory_source *source = mixture_of(1, 1, 2);
    gm_results results;
    gm_error error;
    other.l1.ways = 8;
    gm_run_options options = {.threads = 1, .variants = &other, .variant_count = 1};
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_string_equal(error.text, "variant 0: l1.ways=8: must be 4 as in the run");
    other = config;
    options.analyses = GM_ANALYZE_REUSE;
    memory_source_rewind(source);
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_string_equal(error.text, "variants go neither with analyses nor with values");
    options.analyses = 0;
    options.check_values = true;
    memory_source_rewind(source);
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    options.check_values = false;
    assert_int_equal(gm_cycle_run(&config, &source->source, &options, &results, &error), -EINVAL);
    assert_string_equal(error.text, "variants need the order engine");
    strcpy(other.l1.index, "ipoly:33");
    memory_source_rewind(source);
    assert_int_equal(gm_order_run(&config, &source->source, &options, &results, &error), -EINVAL);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_runs_of_their_own),
        cmocka_unit_test(equal_on_random_machines),
        cmocka_unit_test(equal_where_l1s_are_resized),
        cmocka_unit_test(equal_with_a_profile),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
