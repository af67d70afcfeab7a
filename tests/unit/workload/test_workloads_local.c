/* libor, whose threads have their arrays in local memory, against a host version. */
#include "support/workload/workload_run.h"

enum { MOST_RATES = 80, SWAPTIONS = 15 };

typedef struct market {
    uint32_t rates, steps, seed;
} market;

/* A uniform number in 0..2^24 - 1: number `n` of a path. */
static uint32_t hashed(uint32_t path, uint32_t n, uint32_t seed)
{
    uint32_t x = (path * 80 + n) * 0x9e3779b9U + seed * 0x7feb352dU;
    x ^= x >> 16;
    x *= 0x85ebca6bU;
    x ^= x >> 13;
    x *= 0xc2b2ae35U;
    x ^= x >> 16;
    return x / 256;
}

/* What 1 unit of each swaption gains at the end of a path, discounted; all rates begin at
 * 0.05 + shift. */
static void gains_of(const market *m, uint32_t path, double shift, double gain[SWAPTIONS])
{
    double rate[MOST_RATES];
    for (uint32_t i = 0; i < m->rates; i++) {
        rate[i] = 0.05 + shift;
    }
    double discount = 1.0;
    for (uint32_t n = 0; n < m->steps; n++) {
        double u = (hashed(path, 2 * n, m->seed) + 0.5) / 16777216.0;
        double v = hashed(path, 2 * n + 1, m->seed) / 16777216.0;
        double normal = sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * v);
        double sum = 0.0; /* of volatility * rate / (1 + rate / 4), which the drift follows */
        discount /= 1.0 + 0.25 * rate[n]; /* fixed now: moves no more */
        for (uint32_t i = n + 1; i < m->rates; i++) {
            double volatility = 0.3 - 0.2 * (i - n - 1) / 80.0;
            sum += volatility * rate[i] / (1.0 + 0.25 * rate[i]);
            double drift = 0.25 * volatility * sum - volatility * volatility / 2.0;
            rate[i] *= exp(0.25 * drift + 0.5 * volatility * normal);
        }
    }
    for (unsigned k = 0; k < SWAPTIONS; k++) {
        static const unsigned maturity[] = {4, 8, 20, 28, 40};
        unsigned bonds = m->rates - m->steps;
        unsigned kind = k / 3;
        unsigned last = (unsigned)ceil((double)(maturity[kind] * bonds) / 40.0);
        double bond = 1.0;
        double fixed = 0.0;
        for (unsigned i = m->steps; i < m->steps + last; i++) {
            bond /= 1.0 + 0.25 * rate[i];
            fixed += 0.25 * bond * (0.045 + 0.005 * (k % 3));
        }
        gain[k] = discount * (1.0 - bond - fixed);
    }
}

static double value_of(const market *m, uint32_t path, double shift, unsigned *exercised)
{
    double gain[SWAPTIONS];
    double value = 0.0;
    gains_of(m, path, shift, gain);
    *exercised = 0;
    for (unsigned k = 0; k < SWAPTIONS; k++) {
        *exercised += gain[k] > 0.0;
        value += gain[k] > 0.0 ? 100.0 * gain[k] : 0.0;
    }
    return value;
}

/* Values, derivatives (by differences, where the kernel walks back), and how often arrays in local
 * memory are accessed. */
static void check_libor(const char *specification, market m, uint32_t paths)
{
    workload_run run = workload_run_whole(specification);
    const float *value = workload_array(run.source, "value", paths, sizeof *value);
    const float *sensitivity =
        workload_array(run.source, "sensitivity", paths, sizeof *sensitivity);
    uint64_t moves = (uint64_t)m.steps * (2 * m.rates - m.steps - 1) / 2;
    uint64_t bonds = m.rates - m.steps;
    uint64_t price = m.rates + m.steps + m.steps + 2 * moves + 3 * bonds + 2 * SWAPTIONS + m.steps;
    uint64_t derive = m.rates + moves + 2 * bonds + 5 * bonds + 4 * (bonds - 1) + 2 * m.steps +
                      4 * moves + m.rates;
    uint64_t local = paths * (2 * price + derive);
    double spread = 0.0;
    for (uint32_t p = 0; p < paths; p++) {
        unsigned exercised = 0;
        unsigned either[2];
        const double shift = 1e-6;
        double expected = value_of(&m, p, 0.0, &exercised);
        double slope = (value_of(&m, p, shift, &either[0]) - value_of(&m, p, -shift, &either[1])) /
                       (2 * shift);
        workload_close((double)value[p], expected, 2e-4);
        if (either[0] == either[1]) {
            workload_close((double)sensitivity[p], slope, 2e-4);
        }
        local += 4 * exercised;
        spread += fabs(expected - (double)value[0]);
    }
    assert_int_equal(run.local, local);
    assert_int_equal(run.lanes - run.local, 3 * paths);
    assert_int_equal(run.kernels, 2);
    assert_int_equal(run.ctas, 2 * ((paths + 63) / 64));
    assert_true(spread > 0.1 * paths);
    gm_source_close(run.source);
}

static void libor_values_swaptions(void **state)
{
    (void)state;
    check_libor("libor,paths=70,rates=9,steps=4,seed=3", (market){9, 4, 3}, 70);
    check_libor("libor,paths=40,rates=80,steps=40", (market){80, 40, 1}, 40);
    check_libor("libor,paths=33,rates=41,steps=1", (market){41, 1, 1}, 33);
    check_libor("libor,paths=64,rates=2,steps=1,seed=0", (market){2, 1, 0}, 64);
}

static void refuses_too_many_or_few_rates(void **state)
{
    (void)state;
    static const char *const specifications[] = {"libor,rates=10,steps=10",
                                                 "libor,rates=60,steps=19"};
    static const char *const messages[] = {"workload libor: rates=10 is not in steps+1..steps+40",
                                           "workload libor: rates=60 is not in steps+1..steps+40"};
    for (size_t i = 0; i < 2; i++) {
        gm_error error;
        gm_source *source = NULL;
        assert_int_equal(gm_workload_open(&source, specifications[i], &error), -EINVAL);
        assert_string_equal(error.text, messages[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libor_values_swaptions),
        cmocka_unit_test(refuses_too_many_or_few_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
