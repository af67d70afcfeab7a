/* Model of a heart muscle cell: its state at rest, and the rates of change of membrane and
 * calmodulin. */
#include "workload/kernels/myocyte_model.h"

#include <math.h>

enum { ALONE = GM_MYOCYTE_ALONE, KINASE = GM_MYOCYTE_KINASE, ACTIVE = GM_MYOCYTE_ACTIVE };
enum { PHOSPHATASE = GM_MYOCYTE_PHOSPHATASE, PARTNERS = GM_MYOCYTE_PARTNERS };
enum { LEVELS = GM_MYOCYTE_LEVELS, STAGES = GM_MYOCYTE_STAGES };

const float gm_myocyte_rest[GM_MYOCYTE_MEMBRANE] = {-84.5286F, 0.0017F, 0.9832F, 0.995484F,
                                                    0.000003F, 1.0F,    0.0057F, 0.0002F};
const float gm_myocyte_parameters[GM_MYOCYTE_PARAMETERS] = {80.0F, 23.0F, 0.09F, 0.282F};
const float gm_myocyte_gain[GM_MYOCYTE_COMPARTMENTS] = {3.0F, 1.5F, 1.0F};

/* Returns the rate of a gate that opens at `open` and closes at `close` per ms. */
static float gate_rate(float gate, float open, float close)
{
    return open * (1.0F - gate) - close * gate;
}

/* Computes the rates of the fast sodium current's gates: m opens, h and j close. */
static void sodium_rates(const float *y, float *rate)
{
    float v = y[GM_MYOCYTE_V];
    float open_m = 0.32F * (v + 47.13F) / (1.0F - expf(-0.1F * (v + 47.13F)));
    float open_h = 0.0F;
    float open_j = 0.0F;
    float close_h = 0.0F;
    float close_j = 0.0F;
    if (v >= -40.0F) {
        close_h = 1.0F / (0.13F * (1.0F + expf((v + 10.66F) / -11.1F)));
        close_j = 0.3F * expf(-2.535e-7F * v) / (1.0F + expf(-0.1F * (v + 32.0F)));
    } else {
        open_h = 0.135F * expf((80.0F + v) / -6.8F);
        close_h = 3.56F * expf(0.079F * v) + 3.1e5F * expf(0.35F * v);
        open_j = (-1.2714e5F * expf(0.2444F * v) - 3.474e-5F * expf(-0.04391F * v)) * (v + 37.78F) /
                 (1.0F + expf(0.311F * (v + 79.23F)));
        close_j = 0.1212F * expf(-0.01052F * v) / (1.0F + expf(-0.1378F * (v + 40.14F)));
    }
    rate[GM_MYOCYTE_M] = gate_rate(y[GM_MYOCYTE_M], open_m, 0.08F * expf(-v / 11.0F));
    rate[GM_MYOCYTE_H] = gate_rate(y[GM_MYOCYTE_H], open_h, close_h);
    rate[GM_MYOCYTE_J] = gate_rate(y[GM_MYOCYTE_J], open_j, close_j);
}

/* Computes the rates of the gates of the slow inward current, d and f, and of the potassium
 * current, X. */
static void slow_rates(const float *y, float *rate)
{
    float v = y[GM_MYOCYTE_V];
    rate[GM_MYOCYTE_D] = gate_rate(
        y[GM_MYOCYTE_D], 0.095F * expf(-0.01F * (v - 5.0F)) / (1.0F + expf(-0.072F * (v - 5.0F))),
        0.07F * expf(-0.017F * (v + 44.0F)) / (1.0F + expf(0.05F * (v + 44.0F))));
    rate[GM_MYOCYTE_F] = gate_rate(
        y[GM_MYOCYTE_F], 0.012F * expf(-0.008F * (v + 28.0F)) / (1.0F + expf(0.15F * (v + 28.0F))),
        0.0065F * expf(-0.02F * (v + 30.0F)) / (1.0F + expf(-0.2F * (v + 30.0F))));
    rate[GM_MYOCYTE_X] = gate_rate(
        y[GM_MYOCYTE_X], 0.0005F * expf(0.083F * (v + 50.0F)) / (1.0F + expf(0.057F * (v + 50.0F))),
        0.0013F * expf(-0.06F * (v + 20.0F)) / (1.0F + expf(-0.04F * (v + 20.0F))));
}

/* Returns the sum of the outward currents: potassium's through the gate X, which rectifies, and
 * three that depend on the potential alone. */
static float outward_current(const float *y, float conductance)
{
    float v = y[GM_MYOCYTE_V];
    float rectified = v > -100.0F ? 2.837F * (expf(0.04F * (v + 77.0F)) - 1.0F) /
                                        ((v + 77.0F) * expf(0.04F * (v + 35.0F)))
                                  : 1.0F;
    float beyond = v + 87.26F; /* potassium's equilibrium */
    float open = 1.02F / (1.0F + expf(0.2385F * (beyond - 59.215F)));
    float close =
        (0.49124F * expf(0.08032F * (beyond + 5.476F)) + expf(0.06175F * (beyond - 594.31F))) /
        (1.0F + expf(-0.5143F * (beyond + 4.753F)));
    float gated = conductance * y[GM_MYOCYTE_X] * rectified * (v + 77.0F);
    float inward_rectifier = 0.6047F * open / (open + close) * beyond;
    float plateau = 0.0183F / (1.0F + expf((7.488F - v) / 5.98F)) * beyond;
    float background = 0.03921F * (v + 59.87F);
    return gated + inward_rectifier + plateau + background;
}

void gm_myocyte_membrane(const float state[GM_MYOCYTE_MEMBRANE],
                         const float parameter[GM_MYOCYTE_PARAMETERS], int excited,
                         float rate[GM_MYOCYTE_MEMBRANE])
{
    float v = state[GM_MYOCYTE_V];
    float m = state[GM_MYOCYTE_M];
    float sodium = parameter[GM_MYOCYTE_SODIUM] * m * m * m * state[GM_MYOCYTE_H] *
                   state[GM_MYOCYTE_J] * (v - 54.4F);
    float reversal = 7.7F - 13.0287F * logf(state[GM_MYOCYTE_CALCIUM]);
    float slow =
        parameter[GM_MYOCYTE_SLOW] * state[GM_MYOCYTE_D] * state[GM_MYOCYTE_F] * (v - reversal);
    float outward = outward_current(state, parameter[GM_MYOCYTE_POTASSIUM]);
    float stimulus = excited != 0 ? parameter[GM_MYOCYTE_STIMULUS] : 0.0F;
    rate[GM_MYOCYTE_V] = stimulus - sodium - slow - outward; /* 1 uF/cm2 */
    rate[GM_MYOCYTE_CALCIUM] = -1e-4F * slow + 0.07F * (1e-4F - state[GM_MYOCYTE_CALCIUM]);
    sodium_rates(state, rate);
    slow_rates(state, rate);
}

/* Two ions of calcium bind at once, the second two more easily; partners hold them longer. */
static const float bind_calcium[2] = {1e-3F, 1e-2F};   /* per uM^2 and ms */
static const float release_calcium[2] = {0.05F, 0.5F}; /* per ms */
static const float held[PARTNERS] = {1.0F, 0.8F, 0.1F, 0.05F, 0.02F};
/* Partners bind calmodulin with 0, 2 and 4 ions; the active kinase forms from the kinase. */
static const float total[PARTNERS] = {0.0F, 20.0F, 10.0F, 3.0F, 0.0F}; /* uM */
static const float bind_partner[PARTNERS][LEVELS] = {
    {0.0F}, {1e-3F, 5e-4F, 1e-4F}, {1e-5F, 1e-3F, 1e-2F}, {1e-4F, 4e-3F, 4e-2F}, {0.0F}};
static const float release_partner[PARTNERS] = {0.0F, 1e-2F, 2e-3F, 1e-3F, 0.0F};
static const float ACTIVATE = 0.01F; /* per ms, by the share of kinases that are active */
static const float DEACTIVATE = 1e-3F;

void gm_myocyte_calmodulin(const float state[GM_MYOCYTE_CALMODULIN], float calcium,
                           float rate[GM_MYOCYTE_CALMODULIN])
{
    for (int i = 0; i < GM_MYOCYTE_CALMODULIN; i++) {
        rate[i] = 0.0F;
    }
    for (int partner = 0; partner < PARTNERS; partner++) {
        for (int level = 0; level < LEVELS - 1; level++) {
            int low = partner * LEVELS + level;
            float bound = bind_calcium[level] * calcium * calcium * state[low] -
                          held[partner] * release_calcium[level] * state[low + 1];
            rate[low] -= bound;
            rate[low + 1] += bound;
        }
    }
    const float *kinase = state + KINASE * LEVELS;
    const float *active = state + ACTIVE * LEVELS;
    float taken = active[0] + active[1] + active[2];
    float share = (kinase[LEVELS - 1] + taken) / total[KINASE];
    for (int partner = ALONE + 1; partner < ACTIVE; partner++) {
        const float *with = state + partner * LEVELS;
        float left = total[partner] - with[0] - with[1] - with[2] - (partner == KINASE ? taken : 0);
        for (int level = 0; level < LEVELS; level++) {
            float bound = bind_partner[partner][level] * left * state[level] -
                          release_partner[partner] * with[level];
            rate[level] -= bound;
            rate[partner * LEVELS + level] += bound;
        }
    }
    float off = DEACTIVATE * state[PHOSPHATASE * LEVELS + LEVELS - 1] / total[PHOSPHATASE];
    for (int level = 0; level < LEVELS; level++) {
        float activated = ACTIVATE * share * kinase[level] - off * active[level];
        rate[KINASE * LEVELS + level] -= activated;
        rate[ACTIVE * LEVELS + level] += activated;
    }
}

const float gm_myocyte_fehlberg[STAGES + 1][STAGES] = {
    {0.0F},
    {2.0F / 27},
    {1.0F / 36, 1.0F / 12},
    {1.0F / 24, 0, 1.0F / 8},
    {5.0F / 12, 0, -25.0F / 16, 25.0F / 16},
    {1.0F / 20, 0, 0, 1.0F / 4, 1.0F / 5},
    {-25.0F / 108, 0, 0, 125.0F / 108, -65.0F / 27, 125.0F / 54},
    {31.0F / 300, 0, 0, 0, 61.0F / 225, -2.0F / 9, 13.0F / 900},
    {2.0F, 0, 0, -53.0F / 6, 704.0F / 45, -107.0F / 9, 67.0F / 90, 3.0F},
    {-91.0F / 108, 0, 0, 23.0F / 108, -976.0F / 135, 311.0F / 54, -19.0F / 60, 17.0F / 6,
     -1.0F / 12},
    {2383.0F / 4100, 0, 0, -341.0F / 164, 4496.0F / 1025, -301.0F / 82, 2133.0F / 4100, 45.0F / 82,
     45.0F / 164, 18.0F / 41},
    {3.0F / 205, 0, 0, 0, 0, -6.0F / 41, -3.0F / 205, -3.0F / 41, 3.0F / 41, 6.0F / 41},
    {-1777.0F / 4100, 0, 0, -341.0F / 164, 4496.0F / 1025, -289.0F / 82, 2193.0F / 4100, 51.0F / 82,
     33.0F / 164, 12.0F / 41, 0, 1.0F},
    {41.0F / 840, 0, 0, 0, 0, 34.0F / 105, 9.0F / 35, 9.0F / 35, 9.0F / 280, 9.0F / 280,
     41.0F / 840},
};
