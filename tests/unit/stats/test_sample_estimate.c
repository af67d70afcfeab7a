/* Estimates from sampled units: Student's t, a ratio estimator by hand, and the share of intervals
 * that hold the truth of known populations. */
#include "stats/sample_estimate.h"

#include "base/random.h"
#include "support/support.h"

#include <math.h>

/* Two-sided 95% quantiles of published tables; between rows the one of fewer degrees. */
static void student(void **state)
{
    (void)state;
    static const struct {
        double degrees, quantile;
    } rows[] = {{1, 12.706}, {4, 2.776},  {9, 2.262},    {11, 2.228},
                {29, 2.086}, {30, 2.042}, {1000, 1.980}, {4.9, 2.776}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(fabs(gm_sample_student(rows[i].degrees) - rows[i].quantile) < 1e-9);
    }
}

/* Three units of 10, 20 and 30 instructions with 24, 36 and 60 cycles, of a part of 600: 2 cycles
 * an instruction. Residuals 4, -4, 0: s^2 = 32 / 2 = 16. A tenth is measured. Variance: (600 /
 * 20)^2 * 0.9 * 16 / 3 = 4320. L2 misses are a fourth of the cycles: a sixteenth of the variance,
 * and a covariance with them of 1080. */
static void by_hand(void **state)
{
    (void)state;
    gm_sample_unit unit[3] = {{.instructions = 10}, {.instructions = 20}, {.instructions = 30}};
    static const double cycles[] = {24, 36, 60};
    for (unsigned i = 0; i < 3; i++) {
        unit[i].counter[GM_SAMPLE_cycles] = cycles[i];
        unit[i].counter[GM_SAMPLE_l2_accesses] = cycles[i];
        unit[i].counter[GM_SAMPLE_l2_misses] = cycles[i] / 4;
        unit[i].counter[GM_SAMPLE_dram_reads] = 7 * unit[i].instructions;
    }
    gm_sample_variance variance = gm_sample_variance_of(unit, 3, 600);
    assert_true(fabs(variance.counter[GM_SAMPLE_cycles] - 4320) < 1e-6);
    assert_true(fabs(variance.counter[GM_SAMPLE_l2_misses] - 270) < 1e-6);
    assert_true(fabs(variance.with[GM_SAMPLE_l2_miss_rate] - 1080) < 1e-6);
    assert_true(fabs(variance.counter[GM_SAMPLE_dram_reads]) < 1e-6); /* a multiple: exact */
    assert_true(fabs(variance.degrees - 2) < 1e-9);

    gm_statistics statistics = {.time = {.cycles = 1300},
                                .core = {.warp_instructions = 2600},
                                .l2 = {.accesses = {800, 300, 100}, .misses = {200, 100, 0}},
                                .dram = {.reads = 77}};
    gm_sample_estimate estimate = {0};
    gm_sample_set_intervals(&estimate, &statistics, &variance);
    /* 540 of 600 instructions are not measured: 1080 cycles, of which 2% are the bias */
    const double half = 4.303 * sqrt(4320) + 21.6;
    const gm_sample_interval *got = &estimate.counter[GM_SAMPLE_cycles];
    assert_true(fabs(got->value - 1300) < 1e-9);
    assert_true(fabs(got->low - (1300 - half)) < 1e-6 && fabs(got->high - (1300 + half)) < 1e-6);
    assert_true(fabs(estimate.ipc.value - 2) < 1e-9);
    assert_true(fabs(estimate.ipc.low - 2600 / (1300 + half)) < 1e-9);
    assert_true(fabs(estimate.ipc.high - 2600 / (1300 - half)) < 1e-9);
    /* 300 of 1200 is the rate of every unit: misses - accesses / 4 has no variance. */
    assert_true(fabs(estimate.ratio[GM_SAMPLE_l2_miss_rate].value - 0.25) < 1e-12);
    /* 1080 of the 1200 accesses are estimated: 2% of 90% of the rate */
    assert_true(fabs(estimate.ratio[GM_SAMPLE_l2_miss_rate].high - 0.2545) < 1e-6);
    got = &estimate.counter[GM_SAMPLE_dram_reads];
    assert_true(fabs(got->high - (77 + 75.6)) < 1e-4 && fabs(got->low - (77 - 75.6)) < 1e-4);

    /* Two such kernels: twice the variance, 4 degrees of freedom. */
    gm_sample_variance sum = {0};
    gm_sample_variance_add(&sum, &(gm_sample_variance){0}); /* a kernel that is computed whole */
    gm_sample_variance_add(&sum, &variance);
    gm_sample_variance_add(&sum, &variance);
    gm_sample_set_intervals(&estimate, &statistics, &sum);
    got = &estimate.counter[GM_SAMPLE_cycles];
    assert_true(fabs(got->high - (1300 + 2.776 * sqrt(8640) + 43.2)) < 1e-6);
    assert_true(fabs(sum.degrees - 2) < 1e-9);
    gm_sample_variance more = variance;
    more.degrees = 7;
    gm_sample_variance_add(&sum, &more); /* the fewest count */
    assert_true(fabs(sum.degrees - 2) < 1e-9);
    more.degrees = 1;
    gm_sample_variance_add(&sum, &more);
    assert_true(fabs(sum.degrees - 1) < 1e-9);
}

/* All units measured: nothing is left to estimate. */
static void whole(void **state)
{
    (void)state;
    gm_sample_unit unit[2] = {{.instructions = 10}, {.instructions = 20}};
    unit[0].counter[GM_SAMPLE_cycles] = 100;
    gm_sample_variance variance = gm_sample_variance_of(unit, 2, 30);
    assert_true(fabs(variance.counter[GM_SAMPLE_cycles]) < 1e-9);
    assert_true(fabs(variance.estimated[GM_SAMPLE_cycles]) < 1e-9);
}

enum { POPULATION = 400, MEASURED = 8, TRIALS = 4000 };

/* Draws samples of 8 of populations of 400 units: cycles that follow the instructions with noise.
 * At least 93% of the intervals must hold the sum of the population, and not more than 97%: an
 * interval that is too wide is wrong as well. */
static void coverage(void **state)
{
    (void)state;
    uint64_t seed = test_random_start(1).state;
    gm_sample_unit all[POPULATION] = {{0}};
    double instructions = 0;
    double truth = 0;
    for (unsigned i = 0; i < POPULATION; i++) {
        double noise = 0; /* about normal: a sum of 6 */
        for (unsigned k = 0; k < 6; k++) {
            noise += (double)gm_random_float(&seed, -1, 1);
        }
        all[i].instructions = 1000 + (double)gm_random_float(&seed, 0, 400);
        all[i].counter[GM_SAMPLE_cycles] = 3 * all[i].instructions + 200 * noise;
        instructions += all[i].instructions;
        truth += all[i].counter[GM_SAMPLE_cycles];
    }
    unsigned inside = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        gm_sample_unit drawn[MEASURED];
        double x = 0;
        double y = 0;
        for (unsigned i = 0; i < MEASURED; i++) {
            const unsigned stratum = POPULATION / MEASURED;
            drawn[i] = all[i * stratum + gm_random_below(&seed, stratum)];
            x += drawn[i].instructions;
            y += drawn[i].counter[GM_SAMPLE_cycles];
        }
        gm_sample_variance variance = gm_sample_variance_of(drawn, MEASURED, instructions);
        variance.estimated[GM_SAMPLE_cycles] = 0; /* no bias here */
        gm_statistics statistics = {.time = {.cycles = (uint64_t)llround(y / x * instructions)}};
        gm_sample_estimate estimate = {0};
        gm_sample_set_intervals(&estimate, &statistics, &variance);
        const gm_sample_interval *got = &estimate.counter[GM_SAMPLE_cycles];
        inside += got->low <= truth && truth <= got->high;
    }
    print_message("%u of %u intervals hold the truth\n", inside, TRIALS);
    assert_true(inside >= TRIALS * 93 / 100 && inside <= TRIALS * 97 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(whole),
        cmocka_unit_test(coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
