/* Estimates from sampled units. */
#include "stats/sample_estimate.h"

#include <math.h>
#include <stddef.h>

double gm_sample_student(double degrees)
{
    static const struct {
        double degrees, quantile;
    } table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},
                 {7, 2.365},  {8, 2.306},  {9, 2.262},  {10, 2.228}, {12, 2.179}, {15, 2.131},
                 {20, 2.086}, {30, 2.042}, {60, 2.000}, {120, 1.980}};
    double quantile = table[0].quantile;
    for (size_t i = 0; i < sizeof table / sizeof table[0] && table[i].degrees <= degrees; i++) {
        quantile = table[i].quantile;
    }
    return quantile;
}

static double sum_of_instructions(const gm_sample_unit *unit, uint64_t units)
{
    double sum = 0;
    for (uint64_t i = 0; i < units; i++) {
        sum += unit[i].instructions;
    }
    return sum;
}

/* Returns a counter per warp instruction over all units. */
static double rate_of(const gm_sample_unit *unit, uint64_t units, unsigned counter, double all)
{
    double sum = 0;
    for (uint64_t i = 0; i < units; i++) {
        sum += unit[i].counter[counter];
    }
    return sum / all;
}

/* Returns the covariance of the estimates of two counters: that of the residuals of the units
 * [cochran, 6.4], with the correction for a finite population. */
static double covariance(const gm_sample_unit *unit, uint64_t units, double instructions,
                         unsigned a, unsigned b)
{
    double all = sum_of_instructions(unit, units);
    double rate_a = rate_of(unit, units, a, all);
    double rate_b = rate_of(unit, units, b, all);
    double products = 0;
    for (uint64_t i = 0; i < units; i++) {
        products += (unit[i].counter[a] - rate_a * unit[i].instructions) *
                    (unit[i].counter[b] - rate_b * unit[i].instructions);
    }
    double number = (double)units;
    double left = all < instructions ? 1 - all / instructions : 0; /* share not measured */
    double scale = instructions / (all / number);
    return scale * scale * left * products / (number - 1) / number;
}

gm_sample_variance gm_sample_variance_of(const gm_sample_unit *unit, uint64_t units,
                                         double instructions)
{
    const double all = sum_of_instructions(unit, units);
    const double measured = all < instructions ? all : instructions;
    gm_sample_variance variance = {.degrees = (double)(units - 1)};
    for (unsigned i = 0; i < GM_SAMPLE_COUNTER_COUNT; i++) {
        double own = covariance(unit, units, instructions, i, i);
        variance.counter[i] = own;
        variance.spread[i] = own * own / variance.degrees;
        variance.estimated[i] = rate_of(unit, units, i, all) * (instructions - measured);
    }
#define RATIO(name, path, above, below, meaning)                                                   \
    variance.with[GM_SAMPLE_##name] =                                                              \
        covariance(unit, units, instructions, GM_SAMPLE_##above, GM_SAMPLE_##below);
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
    return variance;
}

void gm_sample_variance_add(gm_sample_variance *sum, const gm_sample_variance *more)
{
    for (unsigned i = 0; i < GM_SAMPLE_COUNTER_COUNT; i++) {
        sum->counter[i] += more->counter[i];
        sum->spread[i] += more->spread[i];
        sum->estimated[i] += more->estimated[i];
    }
    for (unsigned i = 0; i < GM_SAMPLE_RATIO_COUNT; i++) {
        sum->with[i] += more->with[i];
    }
    if (sum->degrees == 0 || (more->degrees != 0 && more->degrees < sum->degrees)) {
        sum->degrees = more->degrees;
    }
}

static double sum_of(const uint64_t count[GM_ACCESS_KINDS])
{
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        sum += count[kind];
    }
    return (double)sum;
}

void gm_sample_read(const gm_statistics *statistics, double counter[GM_SAMPLE_COUNTER_COUNT])
{
    uint64_t bytes = 0;
#define CLASS(name, meaning) bytes += statistics->traffic.name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    counter[GM_SAMPLE_cycles] = (double)statistics->time.cycles;
    counter[GM_SAMPLE_l1d_accesses] = sum_of(statistics->l1d.accesses);
    counter[GM_SAMPLE_l1d_misses] = sum_of(statistics->l1d.misses);
    counter[GM_SAMPLE_l2_accesses] = sum_of(statistics->l2.accesses);
    counter[GM_SAMPLE_l2_misses] = sum_of(statistics->l2.misses);
    counter[GM_SAMPLE_dram_reads] = (double)statistics->dram.reads;
    counter[GM_SAMPLE_dram_writes] = (double)statistics->dram.writes;
    counter[GM_SAMPLE_traffic_bytes] = (double)bytes;
}

static gm_sample_interval interval(double value, double half)
{
    return (gm_sample_interval){value, value > half ? value - half : 0, value + half};
}

/* Returns half of a counter's interval. Degrees of freedom of a sum of kernels: [satterthwaite
 * 1946]. */
static double half_width(const gm_sample_variance *variance, unsigned counter)
{
    double own = variance->counter[counter];
    double bias = variance->estimated[counter] * GM_SAMPLE_BIAS / 100;
    return own <= 0 ? bias
                    : bias + gm_sample_student(own * own / variance->spread[counter]) * sqrt(own);
}

/* Returns the interval of a ratio, by the variance of above - ratio * below. */
static gm_sample_interval ratio_interval(const double *counter, const gm_sample_variance *variance,
                                         unsigned ratio, unsigned above, unsigned below)
{
    if (counter[below] <= 0) {
        return (gm_sample_interval){0};
    }
    double value = counter[above] / counter[below];
    double own = variance->counter[above] - 2 * value * variance->with[ratio] +
                 value * value * variance->counter[below];
    double half = own <= 0 ? 0 : gm_sample_student(variance->degrees) * sqrt(own) / counter[below];
    half += value * GM_SAMPLE_BIAS / 100 * variance->estimated[below] / counter[below];
    return interval(value, half);
}

void gm_sample_set_intervals(gm_sample_estimate *estimate, const gm_statistics *statistics,
                             const gm_sample_variance *variance)
{
    double counter[GM_SAMPLE_COUNTER_COUNT];
    gm_sample_read(statistics, counter);
    for (unsigned i = 0; i < GM_SAMPLE_COUNTER_COUNT; i++) {
        estimate->counter[i] = interval(counter[i], half_width(variance, i));
    }
#define RATIO(name, path, above, below, meaning)                                                   \
    estimate->ratio[GM_SAMPLE_##name] =                                                            \
        ratio_interval(counter, variance, GM_SAMPLE_##name, GM_SAMPLE_##above, GM_SAMPLE_##below);
    GM_SAMPLE_RATIOS(RATIO)
#undef RATIO
    const gm_sample_interval *cycles = &estimate->counter[GM_SAMPLE_cycles];
    double issued = (double)statistics->core.warp_instructions;
    if (cycles->low > 0) {
        estimate->ipc = (gm_sample_interval){issued / cycles->value, issued / cycles->high,
                                             issued / cycles->low};
    }
}
