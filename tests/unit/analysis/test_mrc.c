/* Miss-ratio curves against caches that are played through for each size: a list of lines by their
 * last use. Sampled ones against the lines of small hashes, played through in caches that are
 * smaller by the rate, and against the paper's own rescaling of counts. Then against whole runs of
 * the engine with fully associative L1s. */
#include "base/random.h"
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "goldmem/workload.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESSES = 60000, LINES = 12000, NONE = LINES };

/* An LRU cache of numbers below LINES, as a list: `towards_old`[NONE] is the newest one. */
typedef struct lru {
    unsigned towards_old[LINES + 1], towards_new[LINES + 1];
    bool held[LINES];
    unsigned count;
} lru;

static void empty(lru *cache)
{
    memset(cache, 0, sizeof *cache);
    cache->towards_old[NONE] = cache->towards_new[NONE] = NONE;
}

static void take_out(lru *cache, unsigned line)
{
    cache->towards_new[cache->towards_old[line]] = cache->towards_new[line];
    cache->towards_old[cache->towards_new[line]] = cache->towards_old[line];
    cache->held[line] = false;
    cache->count--;
}

/* Returns whether the access hits. */
static bool use(lru *cache, unsigned line, uint64_t size)
{
    bool hit = cache->held[line];
    if (hit) {
        take_out(cache, line);
    } else if (cache->count == size) {
        take_out(cache, cache->towards_new[NONE]);
    }
    cache->towards_new[line] = NONE;
    cache->towards_old[line] = cache->towards_old[NONE];
    cache->towards_new[cache->towards_old[NONE]] = line;
    cache->towards_old[NONE] = line;
    cache->held[line] = true;
    cache->count++;
    return hit;
}

/* Mostly near, sometimes far; long loops in between. */
static void make_stream(unsigned line[ACCESSES], uint64_t seed)
{
    test_random random = test_random_start(seed);
    unsigned at = 0;
    for (unsigned i = 0; i < ACCESSES; i++) {
        static const unsigned ranges[] = {20, 300, 2500, LINES};
        unsigned phase = i / 7500;
        at = (at + 1) % (phase % 4 == 3 ? LINES : 900);
        line[i] = phase % 2 == 1
                      ? at
                      : (unsigned)test_random_below(&random, ranges[test_random_below(&random, 4)]);
    }
}

static gm_analysis *create(const gm_mrc_sampling *sampling)
{
    gm_config config;
    gm_config_defaults(&config);
    config.l1.size = UINT64_C(128) * 1001; /* an odd number of lines */
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_MRC, &error), error);
    gm_analysis_sample_mrc(analysis, sampling);
    return analysis;
}

/* An access of SM `sm`, and of another kind each time: the curve counts all alike. */
static void touch(gm_analysis *analysis, unsigned line, unsigned sm)
{
    gm_error error;
    const gm_analysis_access access = {
        .line = line, .sm = sm, .kind = line % GM_ACCESS_KINDS, .bypass = line % 5 == 0};
    test_ok(gm_analysis_l1_access(analysis, &access, &error), error);
    test_ok(gm_analysis_l2_access(analysis, &access, &error), error);
}

/* Two SMs take turns of 100 accesses; every 20,000 accesses the first one's L1 is flushed. */
static unsigned sm_of(unsigned i)
{
    return i / 100 % 2;
}

static bool flushes(unsigned i)
{
    return i % 20000 == 19999;
}

static uint64_t played(const unsigned line[ACCESSES], uint64_t size, bool l1)
{
    static lru cache[2];
    uint64_t misses = 0;
    empty(&cache[0]);
    empty(&cache[1]);
    for (unsigned i = 0; i < ACCESSES; i++) {
        misses += !use(&cache[l1 ? sm_of(i) : 0], line[i], size);
        if (l1 && flushes(i)) {
            empty(&cache[0]);
        }
    }
    return misses;
}

static void every_size_is_a_cache(void **state)
{
    (void)state;
    static unsigned line[ACCESSES];
    make_stream(line, 1);
    gm_analysis *analysis = create(&(gm_mrc_sampling){0});
    for (unsigned i = 0; i < ACCESSES; i++) {
        touch(analysis, line[i], sm_of(i));
        if (flushes(i)) {
            gm_analysis_l1_flush(analysis, 0);
        }
    }
    const gm_analysis_results *results = gm_analysis_read(analysis);
    for (gm_cache_level level = GM_LEVEL_L1; level < GM_LEVELS; level++) {
        const gm_mrc_results *curve = &results->mrc[level];
        assert_int_equal(curve->accesses, ACCESSES);
        assert_int_equal(curve->sampled, ACCESSES);
        assert_int_equal(curve->rate, GM_MRC_HASHES);
        assert_int_equal(curve->cold, played(line, LINES, level == GM_LEVEL_L1));
        assert_true(curve->points > 40); /* beyond the distances that have a bucket each */
        for (uint32_t i = 0; i < curve->points; i++) {
            const gm_mrc_point *point = &curve->point[i];
            assert_int_equal(point->misses, played(line, point->lines, level == GM_LEVEL_L1));
            assert_int_equal(gm_mrc_misses(curve, point->lines), point->misses);
        }
        assert_int_equal(curve->point[curve->points - 1].misses, curve->cold);
    }
    const gm_mrc_point *configured = &results->mrc[GM_LEVEL_L1].configured;
    assert_int_equal(configured->lines, 1001);
    assert_int_equal(configured->misses, played(line, 1001, true));
    gm_analysis_free(analysis);
}

static uint64_t hash_of(unsigned line)
{
    return gm_hash64(line + UINT64_C(0x9e3779b97f4a7c15)) & (GM_MRC_HASHES - 1);
}

/* Of the lines that are followed, those with d of them in between miss where d / R >= size. */
static void fixed_rate_is_a_smaller_cache(void **state)
{
    (void)state;
    static unsigned line[ACCESSES];
    static lru cache;
    make_stream(line, 2);
    const gm_mrc_sampling sampling = {.rate = GM_MRC_HASHES / 16};
    gm_analysis *analysis = create(&sampling);
    for (unsigned i = 0; i < ACCESSES; i++) {
        touch(analysis, line[i], 0);
    }
    const gm_mrc_results *curve = &gm_analysis_read(analysis)->mrc[GM_LEVEL_L2];
    assert_true(curve->sampled > ACCESSES / 32 && curve->sampled < ACCESSES / 8);
    for (uint32_t i = 0; i < curve->points; i++) {
        uint64_t misses = 0;
        uint64_t sampled = 0;
        empty(&cache);
        for (unsigned k = 0; k < ACCESSES; k++) {
            if (hash_of(line[k]) < sampling.rate) {
                misses += !use(&cache, line[k], (curve->point[i].lines + 15) / 16);
                sampled++;
            }
        }
        misses *= 16;
        assert_int_equal(curve->sampled, sampled);
        assert_int_equal(curve->point[i].misses, misses < ACCESSES ? misses : ACCESSES);
    }
    gm_analysis_free(analysis);
}

/* The paper's algorithm of fixed size with plain arrays: counts by distance, which are multiplied
 * by T_new / T_old whenever T falls. */
typedef struct rescaled {
    unsigned stack[LINES + 1]; /* newest first */
    unsigned lines;
    double threshold;
    double count[ACCESSES * 2]; /* by distance / R */
    double cold;
} rescaled;

static void rescaled_access(rescaled *all, unsigned line, unsigned most)
{
    if ((double)hash_of(line) >= all->threshold) {
        return;
    }
    unsigned at = 0;
    while (at < all->lines && all->stack[at] != line) {
        at++;
    }
    bool fresh = at == all->lines;
    size_t distance = (size_t)(at * (double)GM_MRC_HASHES / all->threshold);
    *(fresh ? &all->cold : &all->count[distance < (size_t)ACCESSES * 2 ? distance : 0]) += 1;
    memmove(all->stack + 1, all->stack, at * sizeof *all->stack);
    all->stack[0] = line;
    all->lines += fresh;
    if (all->lines <= most) {
        return;
    }
    double largest = 0;
    for (unsigned i = 0; i < all->lines; i++) {
        largest = fmax(largest, (double)hash_of(all->stack[i]));
    }
    unsigned left = 0;
    for (unsigned i = 0; i < all->lines; i++) {
        if ((double)hash_of(all->stack[i]) < largest) {
            all->stack[left++] = all->stack[i];
        }
    }
    all->lines = left;
    for (size_t i = 0; i < (size_t)ACCESSES * 2; i++) {
        all->count[i] *= largest / all->threshold;
    }
    all->cold *= largest / all->threshold;
    all->threshold = largest;
}

static void fixed_size_is_the_papers(void **state)
{
    (void)state;
    static unsigned line[ACCESSES];
    static rescaled paper;
    static const unsigned limits[] = {1, 50, 700};
    make_stream(line, 3);
    for (size_t row = 0; row < sizeof limits / sizeof limits[0]; row++) {
        const gm_mrc_sampling sampling = {.lines = limits[row], .rate = GM_MRC_HASHES / 3 * 2};
        gm_analysis *analysis = create(&sampling);
        memset(&paper, 0, sizeof paper);
        paper.threshold = sampling.rate;
        for (unsigned i = 0; i < ACCESSES; i++) {
            touch(analysis, line[i], 0);
            rescaled_access(&paper, line[i], limits[row]);
        }
        const gm_mrc_results *curve = &gm_analysis_read(analysis)->mrc[GM_LEVEL_L1];
        assert_int_equal(curve->rate, paper.threshold);
        assert_true(limits[row] < 700 ||
                    (curve->rate > GM_MRC_HASHES / 32 && curve->rate < GM_MRC_HASHES / 8));
        /* SHARDS_adj: out of the expected samples, those of all accesses times R */
        double expected = ACCESSES * paper.threshold / GM_MRC_HASHES;
        for (uint32_t i = 0; i < curve->points; i++) {
            double misses = paper.cold;
            for (size_t k = curve->point[i].lines; k < (size_t)ACCESSES * 2; k++) {
                misses += paper.count[k];
            }
            misses = fmin(misses / expected, 1);
            double got = (double)curve->point[i].misses / ACCESSES;
            if (fabs(got - misses) > 0.0001) {
                fail_msg("%u lines at most, size %llu: %f and %f", limits[row],
                         (unsigned long long)curve->point[i].lines, got, misses);
            }
        }
        gm_analysis_free(analysis);
    }
}

/* L1s that are fully associative and allocate at every access miss as the curve says, flushed
 * between kernels or not. */
static uint64_t l1_misses(const char *workload, uint64_t lines, bool flush, gm_results *results)
{
    static const char *const keys[] = {"l1.ways=full", "l1.global_write=back",
                                       "l1.global_allocate=yes", "l1.local_allocate=yes",
                                       "gpu.sms=3"};
    gm_config config;
    gm_error error;
    gm_config_defaults(&config);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        test_ok(gm_config_assign(&config, keys[i], &error), error);
    }
    config.l1.size = lines * config.l1.line;
    config.l1.flush = flush;
    gm_source *source = NULL;
    test_ok(gm_workload_open(&source, workload, &error), error);
    const gm_run_options options = {.threads = 1, .check = true, .analyses = GM_ANALYZE_MRC};
    test_ok(gm_order_run(&config, source, &options, results, &error), error);
    test_ok(gm_analysis_check(results->analysis, &config, &results->total, &error), error);
    gm_source_close(source);
    uint64_t misses = 0;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        misses += results->total.l1d.misses[kind];
    }
    return misses;
}

static void runs_miss_as_the_curve_says(void **state)
{
    (void)state;
    static const char *const workloads[] = {"spmv,rows=700", "hotspot,n=64,steps=4", "syrk,n=24"};
    static const uint64_t sizes[] = {1, 7, 32, 100, 128, 513};
    for (size_t row = 0; row < sizeof workloads / sizeof workloads[0]; row++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            gm_results results;
            uint64_t misses = l1_misses(workloads[row], sizes[i], i % 2 == 0, &results);
            const gm_mrc_results *curve = &gm_analysis_read(results.analysis)->mrc[GM_LEVEL_L1];
            assert_int_equal(curve->configured.lines, sizes[i]);
            assert_int_equal(curve->configured.misses, misses);
            gm_results_free(&results);
        }
    }
}

/* Curves that follow a tenth of the lines, or 1000 of them, against the exact one: of the L2, whose
 * lines are many. */
static void samples_are_near(void **state)
{
    (void)state;
    static const gm_mrc_sampling samplings[] = {
        {.rate = 0}, {.rate = GM_MRC_HASHES / 10}, {.lines = 1000}};
    gm_results results[3];
    for (unsigned i = 0; i < 3; i++) {
        gm_config config;
        gm_error error;
        gm_config_defaults(&config);
        gm_source *source = NULL;
        test_ok(gm_workload_open(&source, "sssp,nodes=20000", &error), error);
        const gm_run_options options = {
            .threads = 1, .analyses = GM_ANALYZE_MRC, .mrc = samplings[i]};
        test_ok(gm_order_run(&config, source, &options, &results[i], &error), error);
        test_ok(gm_analysis_check(results[i].analysis, &config, &results[i].total, &error), error);
        gm_source_close(source);
    }
    const gm_mrc_results *exact = &gm_analysis_read(results[0].analysis)->mrc[GM_LEVEL_L2];
    for (unsigned i = 1; i < 3; i++) {
        const gm_mrc_results *near = &gm_analysis_read(results[i].analysis)->mrc[GM_LEVEL_L2];
        assert_int_equal(near->accesses, exact->accesses);
        assert_true(near->sampled < exact->accesses / 2);
        for (uint32_t k = 0; k < exact->points; k++) {
            double apart =
                (double)gm_mrc_misses(near, exact->point[k].lines) - (double)exact->point[k].misses;
            assert_true(fabs(apart) < 0.08 * (double)exact->accesses);
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        gm_results_free(&results[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_a_cache),    cmocka_unit_test(fixed_rate_is_a_smaller_cache),
        cmocka_unit_test(fixed_size_is_the_papers), cmocka_unit_test(runs_miss_as_the_curve_says),
        cmocka_unit_test(samples_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
