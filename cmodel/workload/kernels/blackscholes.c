/* Black-Scholes option prices [CUDA samples, BlackScholes; khairy, Table 2 (BLK)]: streaming, a
 * fixed number of threads in a grid-stride loop, each option read and written once. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { N, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 26, 1 << 19, false, "options to price"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of prices, strikes and years"},
    {0},
};

enum { THREADS = 480 * 128 };
static const float RISK_FREE = 0.02F;
static const float VOLATILITY = 0.30F;

typedef struct blackscholes {
    const float *price, *strike, *years;
    float *call, *put;
    uint32_t n;
} blackscholes;

/* Returns the cumulative normal distribution, by the sample's polynomial. */
static inline float normal(float d)
{
    float k = 1.0F / (1.0F + 0.2316419F * fabsf(d));
    float sum =
        k * (0.31938153F +
             k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
    float tail = 0.39894228040143267794F * expf(-0.5F * d * d) * sum;
    return d > 0.0F ? 1.0F - tail : tail;
}

GM_THREAD(blackscholes, blackscholes)
{
    COMPUTE(t, INTEGER, 2);
    for (uint32_t i = GM_GLOBAL_X(t); i < a->n; i += THREADS) {
        float price = LOAD(t, a->price + i);
        float strike = LOAD(t, a->strike + i);
        float years = LOAD(t, a->years + i);
        COMPUTE(t, SPECIAL, 6); /* square root, logarithm, exponentials, reciprocals */
        COMPUTE(t, FP32, 40);
        float root = sqrtf(years);
        float d1 = (logf(price / strike) + (RISK_FREE + 0.5F * VOLATILITY * VOLATILITY) * years) /
                   (VOLATILITY * root);
        float d2 = d1 - VOLATILITY * root;
        float discounted = strike * expf(-RISK_FREE * years);
        float call = price * normal(d1) - discounted * normal(d2);
        STORE(t, a->call + i, call);
        STORE(t, a->put + i, call + discounted - price);
        LOOP(t);
    }
}
GM_KERNEL(blackscholes, blackscholes)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t n = (size_t)workload->value[N];
    float *price = gm_workload_input(workload, "price", n, sizeof *price, error);
    float *strike = gm_workload_input(workload, "strike", n, sizeof *strike, error);
    float *years = gm_workload_input(workload, "years", n, sizeof *years, error);
    float *call = gm_workload_output(workload, "call", n, sizeof *call, error);
    float *put = gm_workload_output(workload, "put", n, sizeof *put, error);
    if (price == NULL || strike == NULL || years == NULL || call == NULL || put == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n; i++) {
        price[i] = gm_random_float(&random, 5.0F, 30.0F);
        strike[i] = gm_random_float(&random, 1.0F, 100.0F);
        years[i] = gm_random_float(&random, 0.25F, 10.0F);
    }
    *(blackscholes *)state = (blackscholes){price, strike, years, call, put, (uint32_t)n};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    launch->code = &blackscholes_code;
    launch->arguments = state;
    launch->block.x = 128;
    launch->grid.x = THREADS / 128;
    return step == 0;
}

extern const gm_workload_definition gm_workload_blackscholes;
const gm_workload_definition gm_workload_blackscholes = {
    .description = {"blackscholes", "option prices by the Black-Scholes formula",
                    "CUDA samples [khairy, Table 2: BLK]", options},
    .state_bytes = sizeof(blackscholes),
    .setup = setup,
    .launch = launch,
};
