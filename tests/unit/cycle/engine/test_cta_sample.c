/* Plans of sampled kernels: which CTAs are computed, and the marks of a kernel whose counters are
 * known. */
#include "cycle/engine/cta_sample.h"

#include "base/random.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* Small kernels, and those of which more than 60% would be computed, are computed whole. By hand:
 * 6 waves at the ends and 5 units of 2 waves are 16 waves. */
static void when_all_are_computed(void **state)
{
    (void)state;
    static const struct {
        uint64_t ctas, wave;
        uint32_t share;
        uint64_t units;
    } rows[] = {
        {2700, 100, 100000, 5},     /* 1600 of 2700 are 59% */
        {2600, 100, 100000, 0},     /* 62% */
        {10000, 100, 100000, 5},    /* (1000 - 600) / 200 = 2: at least 5 */
        {100000, 100, 100000, 47},  /* (10000 - 600) / 200 */
        {100000, 100, 10000, 5},    /* 1% */
        {100000, 100, 500000, 247}, /* half */
        {100000, 100, 610000, 0},   {100000, 100, GM_SAMPLE_ALL, 0},
        {100000, 100, 0, 0},        {100, 100, 100000, 0},
        {0, 100, 100000, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_cta_plan plan = gm_cta_plan_make(rows[i].ctas, rows[i].wave, rows[i].share, 1);
        assert_int_equal(plan.units, rows[i].units);
    }
}

/* Units lie each in a stratum of its own, between the ends, and do not overlap; over many seeds
 * every place of a stratum is taken. */
static void places(void **state)
{
    (void)state;
    uint64_t seed = test_random_start(1).state;
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (unsigned turn = 0; turn < 3000; turn++) {
        uint64_t wave = 1 + gm_random_below(&seed, 200);
        uint64_t ctas = wave * 28 + gm_random_below(&seed, wave * 300);
        gm_cta_plan plan = gm_cta_plan_make(
            ctas, wave, 50000 + (uint32_t)gm_random_below(&seed, 400000), gm_random_next(&seed));
        uint64_t end = plan.head;
        for (uint64_t i = 0; i < plan.units; i++) {
            uint64_t first = gm_cta_plan_unit(&plan, i);
            assert_true(first >= end);
            end = first + wave;
            assert_int_equal(gm_cta_plan_unit(&plan, i), first);
        }
        assert_true(end <= plan.tail || plan.units == 0);
        plan = (gm_cta_plan){.ctas = 1000,
                             .wave = 10,
                             .units = 2,
                             .head = 20,
                             .tail = 990,
                             .seed = gm_random_next(&seed)};
        uint64_t second = gm_cta_plan_unit(&plan, 1); /* 505 to 990 */
        least = second < least ? second : least;
        most = second > most ? second : most;
    }
    assert_int_equal(least, 505);
    assert_int_equal(most, 980);
}

/* A kernel whose counters are known: CTA i is computed in i % 7 + 10 cycles, one after the other,
 * and issues 50 instructions. */
typedef struct known {
    uint64_t cycles, issued;
} known;

static void read_known(void *context, gm_statistics *statistics)
{
    const known *known = context;
    *statistics = (gm_statistics){.time = {.cycles = known->cycles, .slots_issued = known->issued},
                                  .dram = {.reads = 3 * known->issued},
                                  .unified = {.l1_ways = 4},
                                  .l2_dirty_sectors = 7 + known->issued % 11};
}

enum { CTAS = 6000, WAVE = 10 };

/* True if the plan says that a CTA is computed: at the ends, in a unit, or in front of one. */
static bool is_planned(const gm_cta_plan *plan, uint64_t number)
{
    bool planned = plan->units == 0 || number < plan->head || number >= plan->tail - plan->wave;
    for (uint64_t i = 0; i < plan->units; i++) {
        const uint64_t first = gm_cta_plan_unit(plan, i);
        planned = planned || (number >= first - plan->wave && number < first + plan->wave);
    }
    return planned;
}

/* Runs the kernel at a share; sets *own to the estimate. */
static gm_sample_estimate run_known(uint32_t share, uint64_t seed, gm_statistics *own,
                                    gm_statistics *total)
{
    gm_error error;
    gm_cta_sample sample = {0};
    test_ok(gm_cta_sample_init(&sample, &(gm_sample_options){share, seed}, &error), error);
    gm_kernel kernel = {.grid = {CTAS, 1, 1}, .block = {32, 1, 1}};
    gm_config config;
    gm_config_defaults(&config);
    config.gpu.sms = 1;
    config.sm.ctas = WAVE;
    gm_arena arena;
    gm_cta_scheduler scheduler;
    test_ok(gm_arena_create(&arena, gm_cta_scheduler_bytes(&config), &error), error);
    test_ok(gm_cta_scheduler_init(&scheduler, &config, &arena, &error), error);
    test_ok(gm_cta_scheduler_start(&scheduler, &kernel, &error), error);
    test_ok(gm_cta_sample_begin(&sample, &kernel, 0, &scheduler, &error), error);
    assert_int_equal(sample.plan.wave, WAVE);
    known known = {0};
    const gm_cta cta = {.core = {.ctas = 1, .warp_instructions = 50}};
    uint64_t computed = 0;
    for (uint64_t i = 0; i < CTAS; i++) {
        bool takes = gm_cta_sample_takes(&sample, &cta, i, read_known, &known);
        assert_int_equal(takes, is_planned(&sample.plan, i));
        if (takes) {
            known.cycles += i % 7 + 10;
            known.issued += 50;
            computed++;
        }
    }
    read_known(&known, own);
    own->cta.ended = computed;
    own->cta.cycles = 100 * computed;
    *total = *own;
    total->cta = (gm_cta_statistics){0};
    test_ok(gm_cta_sample_end(&sample, &kernel, false, own, &error), error);
    gm_cta_sample_finish(&sample, total);
    assert_int_equal(sample.results->kernel.simulated, computed);
    gm_sample_estimate estimate = sample.results->kernel;
    gm_cta_sample_free(&sample);
    free(sample.results);
    gm_arena_free(&arena);
    return estimate;
}

/* Returns the cycles of CTAs first..end-1. */
static uint64_t cycles_of(uint64_t first, uint64_t end)
{
    uint64_t cycles = 0;
    for (uint64_t i = first; i < end; i++) {
        cycles += i % 7 + 10;
    }
    return cycles;
}

/* Returns the estimate of the cycles by the plan: both ends, and between them the units' cycles a
 * CTA. */
static uint64_t expected_cycles(uint64_t seed)
{
    const uint64_t places = gm_hash64(seed) ^ gm_hash64(~UINT64_C(0));
    gm_cta_plan plan = gm_cta_plan_make(CTAS, WAVE, 100000, places);
    uint64_t measured = 0;
    for (uint64_t i = 0; i < plan.units; i++) {
        uint64_t first = gm_cta_plan_unit(&plan, i);
        measured += cycles_of(first, first + WAVE);
    }
    assert_int_equal(plan.head, 4 * WAVE);
    assert_int_equal(plan.tail, CTAS - WAVE);
    double rate = (double)measured / (double)(plan.units * WAVE);
    return cycles_of(0, plan.head) + cycles_of(plan.tail, CTAS) +
           (uint64_t)llround(rate * (double)(plan.tail - plan.head));
}

/* What follows the instructions is exact, cycles lie in the interval, and the run's total is the
 * kernel's. */
static void estimates(void **state)
{
    (void)state;
    const uint64_t cycles = cycles_of(0, CTAS);
    unsigned inside = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        gm_statistics own;
        gm_statistics total;
        gm_sample_estimate estimate = run_known(100000, seed, &own, &total);
        assert_int_equal(estimate.ctas, CTAS);
        assert_int_equal(estimate.units, 27); /* (600 - 60) / 20 */
        assert_true(estimate.simulated <= CTAS / 10 && estimate.simulated > CTAS / 20);
        assert_int_equal(own.core.warp_instructions, CTAS * 50);
        assert_int_equal(own.time.slots_issued, CTAS * 50);
        assert_int_equal(own.dram.reads, CTAS * 150);
        assert_int_equal(own.cta.ended, CTAS);
        assert_int_equal(own.unified.l1_ways, 4);
        assert_int_equal(own.l2_dirty_sectors, total.l2_dirty_sectors);
        assert_true(own.l2_dirty_sectors >= 7 && own.l2_dirty_sectors < 18); /* a level */
        assert_int_equal(own.cta.cycles, CTAS * 100);
        assert_int_equal(total.time.cycles, own.time.cycles);
        assert_int_equal(total.dram.reads, own.dram.reads);
        assert_int_equal(total.cta.ended, 0);
        assert_int_equal(own.time.cycles, expected_cycles(seed));
        assert_true(own.time.cycles > cycles * 97 / 100 && own.time.cycles < cycles * 103 / 100);
        const gm_sample_interval *got = &estimate.counter[GM_SAMPLE_cycles];
        assert_true(got->high > got->low);
        inside += got->low <= (double)cycles && (double)cycles <= got->high;
    }
    assert_true(inside >= 36);
}

/* A share of 1: everything as it was. */
static void all(void **state)
{
    (void)state;
    gm_statistics own;
    gm_statistics total;
    gm_sample_estimate estimate = run_known(GM_SAMPLE_ALL, 1, &own, &total);
    assert_int_equal(estimate.simulated, CTAS);
    assert_int_equal(estimate.units, 0);
    assert_int_equal(own.time.slots_issued, CTAS * 50);
    assert_true(estimate.counter[GM_SAMPLE_cycles].low >= (double)own.time.cycles);
    assert_true(estimate.counter[GM_SAMPLE_cycles].high <= (double)own.time.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_all_are_computed),
        cmocka_unit_test(places),
        cmocka_unit_test(estimates),
        cmocka_unit_test(all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
