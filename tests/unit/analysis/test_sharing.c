/* Sharing: hand-worked lines, and random ones against sets of CTAs kept whole. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

#include <string.h>

enum { SMS = 70 }; /* more than one word of bits */

static gm_analysis *create(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = SMS;
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_SHARING, &error), error);
    return analysis;
}

static void touch(gm_analysis *analysis, uint64_t line, uint64_t cta, uint32_t sm)
{
    gm_error error;
    const gm_analysis_access access = {.line = line, .cta = cta, .sm = sm};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
}

static void end_kernel(gm_analysis *analysis, uint64_t kernel)
{
    gm_error error;
    test_ok(gm_analysis_kernel_end(analysis, kernel, &error), error);
}

/* The distance is that of the two nearest CTAs, in whatever order they come. */
static void nearest_ctas_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint64_t ctas[5];
        unsigned count, distance; /* 0: not shared */
    } rows[] = {
        {{4, 4, 4}, 3, 0},       {{4, 5}, 2, 1},         {{0, 100, 50, 57}, 4, 7},
        {{9, 3, 0, 9, 3}, 5, 3}, {{0, 5, 1}, 3, 1},      {{20, 10, 30, 22}, 4, 2},
        {{7, 1, 7}, 3, 6},       {{1, 2, 90, 90}, 4, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_analysis *analysis = create();
        for (unsigned k = 0; k < rows[i].count; k++) {
            touch(analysis, 1, rows[i].ctas[k], 0);
        }
        end_kernel(analysis, 0);
        const gm_sharing_results *sharing = &gm_analysis_read(analysis)->sharing;
        assert_int_equal(sharing->lines, 1);
        assert_int_equal(sharing->shared_ctas, rows[i].distance != 0);
        if (rows[i].distance != 0) {
            assert_int_equal(sharing->cta_distance.count[rows[i].distance], 1);
        }
        gm_analysis_free(analysis);
    }
}

/* Local memory that CTAs have one after the other is touched, but not shared by them. */
static void local_memory_is_not_shared(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    for (uint64_t cta = 0; cta < 5; cta++) {
        gm_error error;
        const gm_analysis_access access = {.line = 3, .cta = cta, .space = GM_SPACE_LOCAL};
        test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
        touch(analysis, 4, cta, 0);
    }
    end_kernel(analysis, 0);
    const gm_sharing_results *sharing = &gm_analysis_read(analysis)->sharing;
    assert_int_equal(sharing->lines, 2);
    assert_int_equal(sharing->shared_ctas, 1);
    assert_int_equal(sharing->by_sms[1], 2);
    gm_analysis_free(analysis);
}

/* Two kernels: the second starts afresh, the total adds both up. */
static void kernels_are_apart(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    touch(analysis, 1, 0, 0);
    touch(analysis, 1, 1, 69);
    touch(analysis, 2, 1, 69);
    end_kernel(analysis, 0);
    const gm_sharing_results *kernel = &gm_analysis_read_kernel(analysis)->kernel_sharing;
    assert_int_equal(kernel->lines, 2);
    assert_int_equal(kernel->shared_ctas, 1);
    assert_int_equal(kernel->shared_sms, 1);
    assert_int_equal(kernel->sharers, 2);
    assert_int_equal(kernel->by_sms[1], 1);
    assert_int_equal(kernel->by_sms[2], 1);
    touch(analysis, 1, 2, 5); /* alone in this kernel */
    end_kernel(analysis, 0);
    kernel = &gm_analysis_read_kernel(analysis)->kernel_sharing;
    assert_int_equal(kernel->lines, 1);
    assert_int_equal(kernel->shared_ctas, 0);
    assert_int_equal(kernel->by_sms[1], 1);
    const gm_sharing_results *total = &gm_analysis_read(analysis)->sharing;
    assert_int_equal(total->lines, 3);
    assert_int_equal(total->by_sms[1], 2);
    assert_int_equal(total->by_sms[2], 1);
    assert_int_equal(total->cta_distance.count[1], 1);
    gm_analysis_free(analysis);
}

/* Kernels in flight beside each other, which end in another order than that of their first
 * accesses: each has its own lines. */
static void kernels_beside_each_other(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    gm_error error;
    for (unsigned i = 0; i < 12; i++) {
        /* kernel k: line 5 from k SMs, line 6 from SM 0 only */
        for (uint32_t kernel = 1; kernel <= 6; kernel++) {
            const gm_analysis_access both[] = {
                {.line = 5, .kernel = kernel, .cta = i % kernel, .sm = i % kernel},
                {.line = 6, .kernel = kernel}};
            test_ok(gm_analysis_l1_access(analysis, &both[0], &error), error);
            test_ok(gm_analysis_l1_access(analysis, &both[1], &error), error);
        }
    }
    static const uint64_t ends[] = {3, 6, 1, 2, 5, 4};
    for (unsigned i = 0; i < 6; i++) {
        end_kernel(analysis, ends[i]);
        const gm_sharing_results *kernel = &gm_analysis_read_kernel(analysis)->kernel_sharing;
        assert_int_equal(kernel->lines, 2);
        assert_int_equal(kernel->by_sms[1], ends[i] == 1 ? 2 : 1);
        assert_int_equal(kernel->by_sms[ends[i]], ends[i] == 1 ? 2 : 1);
    }
    end_kernel(analysis, 77); /* without an access */
    assert_int_equal(gm_analysis_read_kernel(analysis)->kernel_sharing.lines, 0);
    assert_int_equal(gm_analysis_read(analysis)->sharing.lines, 12);
    assert_int_equal(gm_analysis_read(analysis)->sharing.sharers, 2 + 3 + 4 + 5 + 6);
    gm_analysis_free(analysis);
}

enum { LINES = 60, CTAS = 300, ACCESSES = 2000 };

static void random_against_sets(void **state)
{
    (void)state;
    test_random random = test_random_start(4);
    static bool by_cta[LINES][CTAS];
    static bool by_sm[LINES][SMS];
    memset(by_cta, 0, sizeof by_cta);
    memset(by_sm, 0, sizeof by_sm);
    gm_analysis *analysis = create();
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t line = test_random_below(&random, LINES);
        /* lines with few and with many CTAs, mostly multiples of the line's own stride */
        uint64_t stride = 1 + line % 13;
        uint64_t cta = test_random_below(&random, CTAS / stride) * stride;
        uint64_t sm = cta % (1 + line % SMS);
        touch(analysis, line, cta, (uint32_t)sm);
        by_cta[line][cta] = by_sm[line][sm] = true;
    }
    end_kernel(analysis, 0);
    gm_histogram distance = {0};
    uint64_t by_sms[SMS + 1] = {0};
    for (unsigned line = 0; line < LINES; line++) {
        unsigned nearest = CTAS;
        for (unsigned a = 0; a < CTAS; a++) {
            for (unsigned b = a + 1; b < CTAS; b++) {
                nearest = by_cta[line][a] && by_cta[line][b] && b - a < nearest ? b - a : nearest;
            }
        }
        unsigned sharers = 0;
        for (unsigned sm = 0; sm < SMS; sm++) {
            sharers += by_sm[line][sm];
        }
        distance.count[gm_histogram_bucket(nearest)] += nearest != CTAS;
        by_sms[sharers] += sharers != 0;
    }
    const gm_sharing_results *sharing = &gm_analysis_read(analysis)->sharing;
    assert_memory_equal(&sharing->cta_distance, &distance, sizeof distance);
    assert_memory_equal(sharing->by_sms, by_sms, sizeof by_sms);
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_ctas_by_hand), cmocka_unit_test(local_memory_is_not_shared),
        cmocka_unit_test(kernels_are_apart),    cmocka_unit_test(kernels_beside_each_other),
        cmocka_unit_test(random_against_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
