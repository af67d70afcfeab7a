/* Locality classes: a hand-worked sequence, and random ones against a search backwards through all
 * accesses. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

static gm_analysis *create(void)
{
    gm_config config;
    gm_config_defaults(&config);
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_LOCALITY, &error), error);
    return analysis;
}

static void check_level(const gm_locality_results *results, uint64_t first,
                        const uint64_t references[GM_LOCALITIES],
                        const uint64_t hits[GM_LOCALITIES])
{
    assert_int_equal(results->first, first);
    for (unsigned i = 0; i < GM_LOCALITIES; i++) {
        assert_int_equal(results->references[i], references[i]);
        assert_int_equal(results->hits[i], hits[i]);
    }
}

/* One line, eight accesses; the class of each follows from the definitions in [khairy, 3.1]. */
static void classes_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint64_t kernel, sm, cta, warp;
        uint32_t lanes;
        bool hit;
    } rows[] = {
        {0, 0, 0, 0, 0x1, false}, /* first in both views */
        {0, 0, 0, 0, 0x3, true},  /* thread 0 again: intra_thread */
        {0, 0, 0, 0, 0x4, true},  /* same warp, another thread: inter_thread */
        {0, 0, 0, 1, 0x4, false}, /* another warp of CTA 0: intra_cta */
        {0, 0, 7, 56, 0x4, true}, /* another CTA on SM 0: intra_sm */
        {0, 1, 1, 8, 0x4, false}, /* SM 1: first for its L1, inter_sm for the L2 */
        {1, 0, 7, 56, 0x4, true}, /* L1 of SM 0 saw kernel 0 last; so did the L2: inter_kernel */
        {1, 1, 7, 56, 0x4, true}, /* L1 of SM 1: inter_kernel; L2 saw SM 0 last: inter_sm */
    };
    static const uint64_t l1_references[GM_LOCALITIES] = {1, 1, 1, 1, 0, 2};
    static const uint64_t l1_hits[GM_LOCALITIES] = {1, 1, 0, 1, 0, 2};
    static const uint64_t l2_references[GM_LOCALITIES] = {1, 1, 1, 1, 2, 1};
    static const uint64_t l2_hits[GM_LOCALITIES] = {1, 1, 0, 1, 1, 1};
    gm_analysis *analysis = create();
    gm_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gm_analysis_access access = {.line = 99,
                                           .kernel = rows[i].kernel,
                                           .cta = rows[i].cta,
                                           .warp = rows[i].warp,
                                           .sm = (uint32_t)rows[i].sm,
                                           .lanes = rows[i].lanes,
                                           .hit = rows[i].hit};
        test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
        test_ok(gm_analysis_l2_access(analysis, &access, &error), error);
    }
    const gm_analysis_results *results = gm_analysis_read(analysis);
    check_level(&results->locality[GM_LEVEL_L1], 2, l1_references, l1_hits);
    check_level(&results->locality[GM_LEVEL_L2], 1, l2_references, l2_hits);
    gm_analysis_free(analysis);
}

/* Write-backs and host copies have no warp: they neither count nor come between. */
static void only_warps_count(void **state)
{
    (void)state;
    static const uint64_t references[GM_LOCALITIES] = {1, 0, 0, 0, 0, 0};
    gm_analysis *analysis = create();
    gm_error error;
    const gm_analysis_access warp = {.line = 5, .lanes = 1, .hit = true};
    const gm_analysis_access back = {.line = 5, .sm = 3, .origin = GM_ORIGIN_WRITE_BACK};
    const gm_analysis_access copy = {.line = 5, .origin = GM_ORIGIN_COPY};
    test_ok(gm_analysis_l2_access(analysis, &copy, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &warp, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &back, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &warp, &error), error);
    const gm_analysis_results *results = gm_analysis_read(analysis);
    assert_int_equal(results->locality[GM_LEVEL_L2].accesses, 2);
    check_level(&results->locality[GM_LEVEL_L2], 1, references, references);
    gm_analysis_free(analysis);
}

enum { ACCESSES = 3000 };

/* The second algorithm: look back for the last access to the line that the level can see. */
static void reference(const gm_analysis_access *accesses, unsigned count, bool per_sm,
                      gm_locality_results *results)
{
    *results = (gm_locality_results){.accesses = count};
    for (unsigned i = 0; i < count; i++) {
        const gm_analysis_access *now = &accesses[i];
        const gm_analysis_access *last = NULL;
        for (unsigned k = i; k > 0 && last == NULL; k--) {
            bool seen = accesses[k - 1].line == now->line;
            last = seen && (!per_sm || accesses[k - 1].sm == now->sm) ? &accesses[k - 1] : NULL;
        }
        unsigned class = GM_LOCALITIES;
        if (last == NULL) {
            results->first++;
            continue;
        }
        bool same_kernel = last->kernel == now->kernel;
        bool same_warp = same_kernel && last->warp == now->warp;
        class = !same_kernel               ? GM_LOCALITY_inter_kernel
                : last->sm != now->sm      ? GM_LOCALITY_inter_sm
                : last->cta != now->cta    ? GM_LOCALITY_intra_sm
                : !same_warp               ? GM_LOCALITY_intra_cta
                : last->lanes & now->lanes ? GM_LOCALITY_intra_thread
                                           : GM_LOCALITY_inter_thread;
        results->references[class]++;
        results->hits[class] += now->hit;
    }
}

static void random_against_search(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    static gm_analysis_access accesses[ACCESSES];
    gm_analysis *analysis = create();
    gm_error error;
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t cta = test_random_below(&random, 6);
        accesses[i] = (gm_analysis_access){.line = test_random_below(&random, 40),
                                           .kernel = i / 1000,
                                           .cta = cta,
                                           .warp = cta * 3 + test_random_below(&random, 3),
                                           .sm = (uint32_t)(cta % 4),
                                           .lanes = 1u << test_random_below(&random, 3),
                                           .hit = test_random_below(&random, 2) != 0};
        test_ok(gm_analysis_l1_access(analysis, &accesses[i], &error), error);
        test_ok(gm_analysis_l2_access(analysis, &accesses[i], &error), error);
    }
    const gm_analysis_results *results = gm_analysis_read(analysis);
    for (unsigned level = 0; level < GM_LEVELS; level++) {
        gm_locality_results expected;
        reference(accesses, ACCESSES, level == GM_LEVEL_L1, &expected);
        check_level(&results->locality[level], expected.first, expected.references, expected.hits);
        assert_int_equal(results->locality[level].accesses, ACCESSES);
    }
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_by_hand),
        cmocka_unit_test(only_warps_count),
        cmocka_unit_test(random_against_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
