/* A heart muscle cell that is excited and beats [after Rodinia myocyte: kernels master and solver;
 * li, Table 1 (MYC): cache insensitive, "intensive branching and very little memory access"].
 * Ordinary differential equations by Fehlberg's pair of formulas of orders 7 and 8, 13 stages a
 * step, steps as long as an error allows.
 *
 * One cell: a launch of `master` for each stage, two CTAs of a warp. One lane of the first has the
 * membrane, three of the second have a compartment each; the host adds the stages up. More cells:
 * one launch of `solver`, a thread a cell, whose states lie behind one another, so that the lanes
 * of a warp are apart by all of them.
 *
 * Rodinia's equations are 91, of which 45 describe calmodulin in three compartments. This workload
 * has simpler ones (myocyte_model.h): the membrane by Luo and Rudy's 8 equations of 1991, each
 * compartment by 15 that follow from the law of mass action, with rates that are a modelling
 * choice. */
#include "workload/kernels/myocyte_model.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { SPAN, CELLS };
static const gm_workload_option options[] = {
    [SPAN] = {"span", 1, 100000, 100, false, "ms of a cell's life"},
    [CELLS] = {"cells", 1, 1 << 16, 1, false, "1: a launch a stage; more: a thread a cell"},
    {0},
};

enum { STATES = GM_MYOCYTE_STATES, PARAMETERS = GM_MYOCYTE_PARAMETERS };
enum { MEMBRANE = GM_MYOCYTE_MEMBRANE, CALMODULIN = GM_MYOCYTE_CALMODULIN };
enum { COMPARTMENTS = GM_MYOCYTE_COMPARTMENTS };
enum {
    WARP = 32,
    SOLVER_BLOCK = 32,
    STAGES = GM_MYOCYTE_STAGES,
    PERIOD = 1000 /* ms between excitations */
};

static const float TOLERANCE = 1e-4F; /* of a step, by the larger of 1 and what is integrated */
static const float SHORTEST = 1e-4F;  /* ms, the shortest step, accepted in any case */
static const float ERROR = 41.0F / 840.0F; /* stages 1 and 11 less 12 and 13 */

/* A cell's progress: `whole` ms and a part of the next, and the step to try. */
typedef struct progress {
    int32_t whole;
    float part, step;
} progress;

typedef struct myocyte {
    const float *parameter; /* [cell][PARAMETERS] */
    float *state;           /* [cell][STATES] */
    float *trial;           /* [cell][STATES] the state of a stage */
    float *rate;            /* [cell][stage][STATES] */
    int32_t *attempts;      /* steps of each cell, rejected ones included */
    uint32_t cells;
    int32_t span;
    progress at; /* of one cell's host program */
    int32_t stage;
} myocyte;

static inline bool is_excited(int32_t whole)
{
    return whole % PERIOD == 0;
}

/* Returns the step from here, at most to the end of this ms, at which the excitation may change. */
static inline float step_from(const progress *at)
{
    return fminf(at->step, 1.0F - at->part);
}

/* Accepts or rejects a step with this error (relative to the tolerance), and chooses the next step.
 * Returns true if the step is accepted. */
static inline bool go_on(progress *at, float step, float error)
{
    bool counts = error <= 1.0F || step <= SHORTEST;
    if (counts) {
        at->part += step;
        if (at->part > 1.0F - 1e-6F) {
            at->part = 0.0F;
            at->whole++;
        }
    }
    at->step = fmaxf(step * fminf(fmaxf(0.8F * powf(error, -1.0F / 8), 0.125F), 4.0F), SHORTEST);
    return counts;
}

/* Returns the error of a state's new value, relative to the tolerance. */
static inline float relative_error(const float rate[4], float step, float value)
{
    float error = ERROR * step * (rate[0] + rate[1] - rate[2] - rate[3]);
    return fabsf(error) / (TOLERANCE * fmaxf(1.0F, fabsf(value)));
}

/* Returns the larger error; NaN counts as the largest. */
static inline float worse(float error, float other)
{
    return other <= error ? error : other;
}

/* Computes the membrane's rates: 8 states, 4 parameters, 28 exponentials, 28 quotients. Branches at
 * -40 mV between two sets of formulas. */
#define MEMBRANE_RATES(t, from, to, parameters, whole)                                             \
    do {                                                                                           \
        float y[MEMBRANE];                                                                         \
        float rate[MEMBRANE];                                                                      \
        float p[PARAMETERS];                                                                       \
        for (int32_t i = 0; i < MEMBRANE; i++) {                                                   \
            y[i] = LOAD(t, (from) + i);                                                            \
            LOOP(t);                                                                               \
        }                                                                                          \
        for (int32_t i = 0; i < PARAMETERS; i++) {                                                 \
            p[i] = LOAD(t, (parameters) + i);                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        if (y[GM_MYOCYTE_V] >= -40.0F) {                                                           \
            COMPUTE(t, FP32, 30);                                                                  \
            COMPUTE(t, SPECIAL, 5);                                                                \
        } else {                                                                                   \
            COMPUTE(t, FP32, 63);                                                                  \
            COMPUTE(t, SPECIAL, 11);                                                               \
        }                                                                                          \
        COMPUTE(t, FP32, 63);                                                                      \
        COMPUTE(t, SPECIAL, 20);                                                                   \
        COMPUTE(t, FP32, 63);                                                                      \
        COMPUTE(t, SPECIAL, 20);                                                                   \
        COMPUTE(t, FP32, 63);                                                                      \
        gm_myocyte_membrane(y, p, is_excited(whole), rate);                                        \
        for (int32_t i = 0; i < MEMBRANE; i++) {                                                   \
            STORE(t, (to) + i, rate[i]);                                                           \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Computes a compartment's rates: 15 states and the membrane's calcium. */
#define CALMODULIN_RATES(t, from, to, compartment)                                                 \
    do {                                                                                           \
        float y[CALMODULIN];                                                                       \
        float rate[CALMODULIN];                                                                    \
        int32_t first = MEMBRANE + (compartment)*CALMODULIN;                                       \
        COMPUTE(t, INTEGER, 2);                                                                    \
        float calcium = LOAD(t, (from) + GM_MYOCYTE_CALCIUM);                                      \
        for (int32_t i = 0; i < CALMODULIN; i++) {                                                 \
            y[i] = LOAD(t, (from) + first + i);                                                    \
            LOOP(t);                                                                               \
        }                                                                                          \
        COMPUTE(t, FP32, 63);                                                                      \
        COMPUTE(t, SPECIAL, 2);                                                                    \
        COMPUTE(t, FP32, 60);                                                                      \
        gm_myocyte_calmodulin(y, 1000.0F * gm_myocyte_gain[compartment] * calcium, rate);          \
        for (int32_t i = 0; i < CALMODULIN; i++) {                                                 \
            STORE(t, (to) + first + i, rate[i]);                                                   \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Computes the rates of the only cell in its trial state, for the stage. */
GM_THREAD(master, myocyte)
{
    float *to = a->rate + (size_t)a->stage * STATES;
    COMPUTE(t, INTEGER, 3);
    if (t->cta.x == 0) {
        if (t->thread.x == 0) {
            MEMBRANE_RATES(t, a->trial, to, a->parameter, a->at.whole);
        }
    } else if (t->thread.x < COMPARTMENTS) {
        CALMODULIN_RATES(t, a->trial, to, (int32_t)t->thread.x);
    }
}
GM_KERNEL(master, myocyte)

typedef struct solver_locals {
    progress at;
    int32_t attempts;
} solver_locals;

/* Computes a stage's state: the state at the beginning plus the step times the previous stages,
 * weighted by a row of Fehlberg's coefficients. `used`: number of coefficients that may differ from
 * 0. */
#define ADD_STAGES(t, state, rates, coefficients, used, step, to)                                  \
    do {                                                                                           \
        for (int32_t i = 0; i < STATES; i++) {                                                     \
            float sum = 0.0F;                                                                      \
            for (int32_t k = 0; k < (used); k++) {                                                 \
                if ((coefficients)[k] != 0.0F) {                                                   \
                    float rate = LOAD(t, (rates) + k * STATES + i);                                \
                    COMPUTE(t, FP32, 1);                                                           \
                    sum += (coefficients)[k] * rate;                                               \
                    LOOP(t);                                                                       \
                }                                                                                  \
            }                                                                                      \
            float before = LOAD(t, (state) + i);                                                   \
            COMPUTE(t, FP32, 1);                                                                   \
            STORE(t, (to) + i, before + (step)*sum);                                               \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Integrates a cell from beginning to end, step by step. */
GM_THREAD(solver, myocyte)
{
    solver_locals *l = t->locals;
    uint32_t cell = GM_GLOBAL_X(t);
    float *state = a->state + (size_t)cell * STATES;
    float *trial = a->trial + (size_t)cell * STATES;
    float *rates = a->rate + (size_t)cell * STAGES * STATES;
    BEGIN(t)
    l->at = (progress){0, 0.0F, 1.0F};
    COMPUTE(t, INTEGER, 6);
    while (cell < a->cells && l->at.whole < a->span) {
        float step = step_from(&l->at);
        COMPUTE(t, FP32, 2);
        for (int32_t stage = 0; stage < STAGES; stage++) {
            ADD_STAGES(t, state, rates, gm_myocyte_fehlberg[stage], stage, step, trial);
            MEMBRANE_RATES(t, trial, rates + (size_t)stage * STATES,
                           a->parameter + (size_t)cell * PARAMETERS, l->at.whole);
            for (int32_t compartment = 0; compartment < COMPARTMENTS; compartment++) {
                CALMODULIN_RATES(t, trial, rates + (size_t)stage * STATES, compartment);
                LOOP(t);
            }
            LOOP(t);
        }
        ADD_STAGES(t, state, rates, gm_myocyte_fehlberg[STAGES], STAGES, step, trial);
        float error = 1e-6F;
        for (int32_t i = 0; i < STATES; i++) {
            float rate[4];
            rate[0] = LOAD(t, rates + i);
            rate[1] = LOAD(t, rates + 10 * STATES + i);
            rate[2] = LOAD(t, rates + 11 * STATES + i);
            rate[3] = LOAD(t, rates + 12 * STATES + i);
            float value = LOAD(t, trial + i);
            COMPUTE(t, FP32, 8);
            COMPUTE(t, SPECIAL, 1);
            error = worse(error, relative_error(rate, step, value));
            LOOP(t);
        }
        COMPUTE(t, FP32, 8);
        COMPUTE(t, SPECIAL, 2);
        l->attempts++;
        if (go_on(&l->at, step, error)) {
            for (int32_t i = 0; i < STATES; i++) {
                float value = LOAD(t, trial + i);
                STORE(t, state + i, value);
                LOOP(t);
            }
        }
        YIELD(t);
        LOOP(t);
    }
    if (cell < a->cells) {
        STORE(t, a->attempts + cell, l->attempts);
    }
    END(t);
}
GM_YIELD_KERNEL(solver, myocyte, solver_locals)

/* Adds the stages on the host, for one cell, as ADD_STAGES does on the device. */
static void add_stages(const myocyte *s, int32_t stage)
{
    float step = step_from(&s->at);
    for (int32_t i = 0; i < STATES; i++) {
        float sum = 0.0F;
        for (int32_t k = 0; k < stage; k++) {
            sum += gm_myocyte_fehlberg[stage][k] * s->rate[(size_t)k * STATES + (size_t)i];
        }
        s->trial[i] = s->state[i] + step * sum;
    }
}

static void end_step(myocyte *s)
{
    float step = step_from(&s->at);
    float error = 1e-6F;
    add_stages(s, STAGES);
    for (size_t i = 0; i < STATES; i++) {
        const float *rate = s->rate + i;
        const float four[4] = {rate[0], rate[10 * STATES], rate[11 * STATES], rate[12 * STATES]};
        error = worse(error, relative_error(four, step, s->trial[i]));
    }
    s->attempts[0]++;
    if (go_on(&s->at, step, error)) {
        for (size_t i = 0; i < STATES; i++) {
            s->state[i] = s->trial[i];
        }
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    myocyte *s = state;
    s->cells = (uint32_t)workload->value[CELLS];
    s->span = (int32_t)workload->value[SPAN];
    s->at.step = 1.0F;
    size_t cells = s->cells;
    float *parameter =
        gm_workload_input(workload, "parameter", cells * PARAMETERS, sizeof *parameter, error);
    s->state = gm_workload_input(workload, "state", cells * STATES, sizeof *s->state, error);
    s->trial = gm_workload_output(workload, "trial", cells * STATES, sizeof *s->trial, error);
    s->rate = gm_workload_output(workload, "rate", cells * STAGES * STATES, sizeof *s->rate, error);
    s->attempts = gm_workload_output(workload, "attempts", cells, sizeof *s->attempts, error);
    if (parameter == NULL || s->state == NULL || s->trial == NULL || s->rate == NULL ||
        s->attempts == NULL) {
        return error->code;
    }
    s->parameter = parameter;
    for (size_t cell = 0; cell < cells; cell++) {
        /* Each is excited a little less than the one before, down to half. */
        for (size_t i = 0; i < PARAMETERS; i++) {
            parameter[cell * PARAMETERS + i] = gm_myocyte_parameters[i];
        }
        parameter[cell * PARAMETERS + GM_MYOCYTE_STIMULUS] *=
            1.0F - 0.5F * (float)cell / (float)cells;
        for (size_t i = 0; i < MEMBRANE; i++) {
            s->state[cell * STATES + i] = gm_myocyte_rest[i];
        }
        for (size_t i = 0; i < COMPARTMENTS; i++) { /* 10 uM, unbound, no calcium */
            s->state[cell * STATES + MEMBRANE + i * CALMODULIN] = 10.0F;
        }
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    myocyte *s = state;
    launch->arguments = s;
    if (s->cells > 1) {
        launch->code = &solver_code;
        launch->block.x = SOLVER_BLOCK;
        launch->grid.x = gm_blocks(s->cells, SOLVER_BLOCK);
        return step == 0;
    }
    s->stage = (int32_t)(step % STAGES);
    if (s->stage == 0 && step > 0) {
        end_step(s);
    }
    add_stages(s, s->stage);
    launch->code = &master_code;
    launch->block.x = WARP;
    launch->grid.x = 2;
    return s->at.whole < s->span;
}

extern const gm_workload_definition gm_workload_myocyte;
const gm_workload_definition gm_workload_myocyte = {
    .description = {"myocyte", "a heart muscle cell's equations, a launch for each stage of a step",
                    "after Rodinia [li, Table 1: MYC, cache insensitive]", options},
    .state_bytes = sizeof(myocyte),
    .setup = setup,
    .launch = launch,
};
