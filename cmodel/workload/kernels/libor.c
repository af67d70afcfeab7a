/* A portfolio of swaptions in the LIBOR market model, by Monte Carlo [Bakhoda et al., Analyzing
 * CUDA workloads, ISPASS 2009: LIB, from notes by Giles and Xiaoke]. A thread has a path: forward
 * rates that move over the steps, each by its own volatility and the drift of the rates before it.
 * The first kernel values the portfolio at the path's end; the second keeps all rates of all steps
 * and walks back, for the value's derivatives by today's rates (the adjoint of each step). Their
 * sum, the derivative by a parallel shift, is stored; the original stores the last of them.
 *
 * A thread's rates, random numbers, bonds, and the rates of all steps are arrays with a variable
 * index: local memory, at most 14 KB a thread. Global memory gets the results alone. Volatilities
 * and swaptions are in constant memory, which reaches no L1: they are not accessed. */
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>

enum { PATHS, RATES, STEPS, SEED };
enum { MOST_RATES = 80, MOST_STEPS = 40, MOST_BONDS = 40, SWAPTIONS = 15, BLOCK = 64 };
static const gm_workload_option options[] = {
    [PATHS] = {"paths", 1, 1 << 20, 9664, false, "paths, a thread each"},
    [RATES] = {"rates", 2, MOST_RATES, 60, false, "forward rates, steps + 1 to steps + 40"},
    [STEPS] = {"steps", 1, MOST_STEPS, 24, false, "steps of time"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random numbers"},
    {0},
};

static const float ACCRUAL = 0.25F; /* years of a rate and of a step */
static const float TODAY = 0.05F;   /* every rate at the beginning */
static const float NOTIONAL = 100.0F;

typedef struct libor {
    float *value, *sensitivity;
    uint32_t paths, rates, steps, seed;
    float volatility[MOST_RATES]; /* by the steps until the rate is fixed; in constant memory, */
    uint32_t last[SWAPTIONS];     /* as are the last bond of a swaption's swap, */
    float strike[SWAPTIONS];      /* and its rate */
} libor;

/* The arrays, then variables in registers. */
typedef struct libor_locals {
    float rate[MOST_RATES]; /* walking back: the value's derivative by it */
    float normal[MOST_STEPS];
    float bond[MOST_BONDS], annuity[MOST_BONDS];
    float bond_slope[MOST_BONDS], annuity_slope[MOST_BONDS]; /* the value's derivatives by them */
    float kept[(MOST_STEPS + 1) * MOST_RATES];               /* rates before step 0, 1, ... */
    uint32_t n;
    float value;
} libor_locals;

/* Returns a normally distributed number for a step of a path, by Box and Muller. */
static inline float normal_of(uint32_t path, uint32_t step, uint32_t seed)
{
    uint32_t half[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t x = (path * (2 * MOST_STEPS) + 2 * step + i) * 0x9e3779b9U + seed * 0x7feb352dU;
        x = (x ^ x >> 16) * 0x85ebca6bU;
        x = (x ^ x >> 13) * 0xc2b2ae35U;
        half[i] = (x ^ x >> 16) >> 8;
    }
    const float unit = 1.0F / (float)(1 << 24);
    float length = sqrtf(-2.0F * logf(((float)half[0] + 0.5F) * unit));
    return length * cosf(6.2831853F * ((float)half[1] * unit));
}

/* The beginning: today's rates, a random number for each step. */
#define BEGIN_PATH(t, a, l, path)                                                                  \
    do {                                                                                           \
        COMPUTE(t, INTEGER, 3);                                                                    \
        for (uint32_t i = 0; i < (a)->rates; i++) {                                                \
            LOCAL_STORE(t, &(l)->rate[i], TODAY);                                                  \
            LOOP(t);                                                                               \
        }                                                                                          \
        for (uint32_t i = 0; i < (a)->steps; i++) {                                                \
            COMPUTE(t, INTEGER, 18);                                                               \
            COMPUTE(t, FP32, 6);                                                                   \
            COMPUTE(t, SPECIAL, 4);                                                                \
            LOCAL_STORE(t, &(l)->normal[i], normal_of(path, i, (a)->seed));                        \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Moves the rates that are not fixed yet by all steps. `keeps` (a constant): keeps them too. */
#define MOVE_RATES(t, a, l, keeps)                                                                 \
    for ((l)->n = 0; (l)->n < (a)->steps; (l)->n++) {                                              \
        float normal = LOCAL_LOAD(t, &(l)->normal[(l)->n]);                                        \
        float shock = sqrtf(ACCRUAL) * normal;                                                     \
        float drift = 0.0F;                                                                        \
        COMPUTE(t, FP32, 1);                                                                       \
        for (uint32_t i = (l)->n + 1; i < (a)->rates; i++) {                                       \
            float volatility = (a)->volatility[i - (l)->n - 1];                                    \
            float scaled = ACCRUAL * volatility;                                                   \
            float rate = LOCAL_LOAD(t, &(l)->rate[i]);                                             \
            COMPUTE(t, INTEGER, 2);                                                                \
            COMPUTE(t, FP32, 8);                                                                   \
            COMPUTE(t, SPECIAL, 2);                                                                \
            drift += scaled * rate / (1.0F + ACCRUAL * rate);                                      \
            rate *= expf(scaled * drift + volatility * (shock - 0.5F * scaled));                   \
            LOCAL_STORE(t, &(l)->rate[i], rate);                                                   \
            if (keeps) {                                                                           \
                LOCAL_STORE(t, &(l)->kept[((l)->n + 1) * (a)->rates + i], rate);                   \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        YIELD(t);                                                                                  \
        LOOP(t);                                                                                   \
    }

/* Computes the bonds that the last rates give, and annuities, their sums. */
#define MAKE_BONDS(t, a, l)                                                                        \
    do {                                                                                           \
        float bond = 1.0F;                                                                         \
        float annuity = 0.0F;                                                                      \
        for (uint32_t m = 0; m < (a)->rates - (a)->steps; m++) {                                   \
            float rate = LOCAL_LOAD(t, &(l)->rate[(a)->steps + m]);                                \
            COMPUTE(t, FP32, 3);                                                                   \
            COMPUTE(t, SPECIAL, 1);                                                                \
            bond /= 1.0F + ACCRUAL * rate;                                                         \
            annuity += ACCRUAL * bond;                                                             \
            LOCAL_STORE(t, &(l)->bond[m], bond);                                                   \
            LOCAL_STORE(t, &(l)->annuity[m], annuity);                                             \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Sums up the swaptions that are worth something, undiscounted. `slopes` (a constant): adds their
 * derivatives up too. */
#define ADD_SWAPTIONS(t, a, l, slopes)                                                             \
    do {                                                                                           \
        (l)->value = 0.0F;                                                                         \
        for (uint32_t k = 0; k < SWAPTIONS; k++) {                                                 \
            uint32_t m = (a)->last[k];                                                             \
            float bond = LOCAL_LOAD(t, &(l)->bond[m]);                                             \
            float annuity = LOCAL_LOAD(t, &(l)->annuity[m]);                                       \
            float gain = 1.0F - bond - (a)->strike[k] * annuity;                                   \
            COMPUTE(t, FP32, 3);                                                                   \
            if (gain > 0.0F) {                                                                     \
                COMPUTE(t, FP32, 1);                                                               \
                (l)->value += NOTIONAL * gain;                                                     \
                if (slopes) {                                                                      \
                    float bond_slope = LOCAL_LOAD(t, &(l)->bond_slope[m]);                         \
                    float annuity_slope = LOCAL_LOAD(t, &(l)->annuity_slope[m]);                   \
                    COMPUTE(t, FP32, 2);                                                           \
                    LOCAL_STORE(t, &(l)->bond_slope[m], bond_slope - NOTIONAL);                    \
                    LOCAL_STORE(t, &(l)->annuity_slope[m],                                         \
                                annuity_slope - NOTIONAL * (a)->strike[k]);                        \
                }                                                                                  \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Discounts by the rates that have been fixed: sets `discount`. */
#define DISCOUNT(t, a, l, discount)                                                                \
    do {                                                                                           \
        for (uint32_t i = 0; i < (a)->steps; i++) {                                                \
            float rate = LOCAL_LOAD(t, &(l)->rate[i]);                                             \
            COMPUTE(t, FP32, 2);                                                                   \
            COMPUTE(t, SPECIAL, 1);                                                                \
            (discount) /= 1.0F + ACCRUAL * rate;                                                   \
            LOOP(t);                                                                               \
        }                                                                                          \
        COMPUTE(t, FP32, 1);                                                                       \
        (l)->value *= (discount);                                                                  \
    } while (0)

GM_THREAD(price, libor)
{
    libor_locals *l = t->locals;
    uint32_t path = GM_GLOBAL_X(t);
    BEGIN(t)
    if (path < a->paths) {
        BEGIN_PATH(t, a, l, path);
        MOVE_RATES(t, a, l, false)
        float discount = 1.0F;
        MAKE_BONDS(t, a, l);
        ADD_SWAPTIONS(t, a, l, false);
        DISCOUNT(t, a, l, discount);
        STORE(t, a->value + path, l->value);
    }
    END(t);
}
GM_YIELD_KERNEL(price, libor, libor_locals)

/* Puts the value's derivatives by the rates after the last step where the rates were. */
#define DERIVE_BY_LAST_RATES(t, a, l, discount)                                                    \
    do {                                                                                           \
        for (uint32_t m = (a)->rates - (a)->steps; m-- > 0;) {                                     \
            float rate = LOCAL_LOAD(t, &(l)->rate[(a)->steps + m]);                                \
            float bond = LOCAL_LOAD(t, &(l)->bond[m]);                                             \
            float bond_slope = LOCAL_LOAD(t, &(l)->bond_slope[m]);                                 \
            float annuity_slope = LOCAL_LOAD(t, &(l)->annuity_slope[m]);                           \
            float factor = 1.0F / (1.0F + ACCRUAL * rate);                                         \
            COMPUTE(t, FP32, 6);                                                                   \
            COMPUTE(t, SPECIAL, 1);                                                                \
            bond_slope += ACCRUAL * annuity_slope;                                                 \
            LOCAL_STORE(t, &(l)->rate[(a)->steps + m],                                             \
                        -(discount)*ACCRUAL *factor *bond *bond_slope);                            \
            if (m > 0) {                                                                           \
                float bond_before = LOCAL_LOAD(t, &(l)->bond_slope[m - 1]);                        \
                float annuity_before = LOCAL_LOAD(t, &(l)->annuity_slope[m - 1]);                  \
                COMPUTE(t, FP32, 2);                                                               \
                LOCAL_STORE(t, &(l)->bond_slope[m - 1], bond_before + factor * bond_slope);        \
                LOCAL_STORE(t, &(l)->annuity_slope[m - 1], annuity_before + annuity_slope);        \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        for (uint32_t i = 0; i < (a)->steps; i++) {                                                \
            float rate = LOCAL_LOAD(t, &(l)->rate[i]);                                             \
            COMPUTE(t, FP32, 3);                                                                   \
            COMPUTE(t, SPECIAL, 1);                                                                \
            LOCAL_STORE(t, &(l)->rate[i], -(l)->value *ACCRUAL / (1.0F + ACCRUAL * rate));         \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Turns derivatives by the rates after a step into those by the rates before it, step by step. */
#define WALK_BACK(t, a, l)                                                                         \
    for ((l)->n = (a)->steps; (l)->n > 0; (l)->n--) {                                              \
        const float *before = &(l)->kept[((l)->n - 1) * (a)->rates];                               \
        const float *after = before + (a)->rates;                                                  \
        float by_drift = 0.0F;                                                                     \
        COMPUTE(t, INTEGER, 2);                                                                    \
        for (uint32_t i = (a)->rates; i-- > (l)->n;) {                                             \
            float scaled = ACCRUAL * (a)->volatility[i - (l)->n];                                  \
            float from = LOCAL_LOAD(t, before + i);                                                \
            float to = LOCAL_LOAD(t, after + i);                                                   \
            float slope = LOCAL_LOAD(t, &(l)->rate[i]);                                            \
            float factor = 1.0F / (1.0F + ACCRUAL * from);                                         \
            COMPUTE(t, INTEGER, 2);                                                                \
            COMPUTE(t, FP32, 8);                                                                   \
            COMPUTE(t, SPECIAL, 2);                                                                \
            by_drift += scaled * to * slope;                                                       \
            LOCAL_STORE(t, &(l)->rate[i],                                                          \
                        slope *(to / from) + by_drift * scaled * factor * factor);                 \
            LOOP(t);                                                                               \
        }                                                                                          \
        YIELD(t);                                                                                  \
        LOOP(t);                                                                                   \
    }

GM_THREAD(price_and_derive, libor)
{
    libor_locals *l = t->locals;
    uint32_t path = GM_GLOBAL_X(t);
    BEGIN(t)
    if (path < a->paths) {
        BEGIN_PATH(t, a, l, path);
        for (uint32_t i = 0; i < a->rates; i++) {
            LOCAL_STORE(t, &l->kept[i], TODAY);
            LOOP(t);
        }
        MOVE_RATES(t, a, l, true)
        float discount = 1.0F;
        MAKE_BONDS(t, a, l);
        for (uint32_t m = 0; m < a->rates - a->steps; m++) {
            LOCAL_STORE(t, &l->bond_slope[m], 0.0F);
            LOCAL_STORE(t, &l->annuity_slope[m], 0.0F);
            LOOP(t);
        }
        ADD_SWAPTIONS(t, a, l, true);
        DISCOUNT(t, a, l, discount);
        STORE(t, a->value + path, l->value);
        DERIVE_BY_LAST_RATES(t, a, l, discount);
        WALK_BACK(t, a, l)
        float sum = 0.0F;
        for (uint32_t i = 0; i < a->rates; i++) {
            float slope = LOCAL_LOAD(t, &l->rate[i]);
            COMPUTE(t, FP32, 1);
            sum += slope;
            LOOP(t);
        }
        STORE(t, a->sensitivity + path, sum);
    }
    END(t);
}
GM_YIELD_KERNEL(price_and_derive, libor, libor_locals)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    libor *s = state;
    s->paths = (uint32_t)workload->value[PATHS];
    s->rates = (uint32_t)workload->value[RATES];
    s->steps = (uint32_t)workload->value[STEPS];
    s->seed = (uint32_t)workload->value[SEED];
    if (s->rates <= s->steps || s->rates > s->steps + MOST_BONDS) {
        return gm_fail(error, -EINVAL, "workload libor: rates=%u is not in steps+1..steps+%d",
                       s->rates, MOST_BONDS);
    }
    s->value = gm_workload_output(workload, "value", s->paths, sizeof(float), error);
    s->sensitivity = gm_workload_output(workload, "sensitivity", s->paths, sizeof(float), error);
    if (s->value == NULL || s->sensitivity == NULL) {
        return error->code;
    }
    for (uint32_t i = 0; i < MOST_RATES; i++) {
        s->volatility[i] = 0.3F - 0.2F * (float)i / MOST_RATES;
    }
    static const uint32_t maturity[] = {4, 8, 20, 28, 40}; /* of MOST_BONDS */
    static const float strike[] = {0.045F, 0.05F, 0.055F};
    for (uint32_t k = 0; k < SWAPTIONS; k++) {
        uint32_t bonds = s->rates - s->steps;
        s->last[k] = (maturity[k / 3] * bonds + MOST_BONDS - 1) / MOST_BONDS - 1;
        s->strike[k] = strike[k % 3];
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const libor *s = state;
    launch->code = step == 0 ? &price_code : &price_and_derive_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks(s->paths, BLOCK);
    return step < 2;
}

extern const gm_workload_definition gm_workload_libor;
const gm_workload_definition gm_workload_libor = {
    .description = {"libor", "swaptions by Monte Carlo, a path's arrays in local memory",
                    "ISPASS 2009 suite (LIB)", options},
    .state_bytes = sizeof(libor),
    .setup = setup,
    .launch = launch,
};
