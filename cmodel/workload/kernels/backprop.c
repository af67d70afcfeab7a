/* One round of training of a neural network with a hidden layer of 16 [Rodinia backprop, kernels
 * bpnn_layerforward_CUDA and bpnn_adjust_weights_cuda; khairy, Table 2 (BP): cache friendly; li,
 * Table 1 (BP): cache friendly]. CTAs of 16x16 threads sum 16 inputs' products in shared memory;
 * rows of weights are 17 long, so that lanes are not aligned. As in Rodinia, the first kernel
 * overwrites the weights with its partial products, and the host copies them anew; the host does
 * the output layer, one unit. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS, SEED };
static const gm_workload_option options[] = {
    [INPUTS] = {"inputs", 16, 1 << 20, 65536, false, "of the network, rounded down to 16s"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of inputs and weights"},
    {0},
};

enum { SIDE = 16, HIDDEN = 16, WIDTH = HIDDEN + 1 };
static const float RATE = 0.3F;
static const float MOMENTUM = 0.3F;

typedef struct backprop {
    float *input;        /* [0] is the bias, 1 */
    float *weight;       /* of input i to hidden unit j: [i * WIDTH + j] */
    float *before;       /* the weights' last changes */
    float *partial;      /* [16 inputs' CTA][hidden unit - 1] */
    float *delta;        /* of each hidden unit, from 1 */
    float *unchanged;    /* the host's weights */
    float output[WIDTH]; /* weights of the output unit */
    uint32_t inputs;
    float target;
} backprop;

typedef struct backprop_locals {
    uint32_t half;
} backprop_locals;
typedef struct backprop_tile {
    float input[SIDE];
    float weight[SIDE][SIDE];
} backprop_tile;

GM_THREAD(layerforward, backprop)
{
    backprop_locals *l = t->locals;
    backprop_tile *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = t->thread.y;
    size_t row = (size_t)t->cta.y * SIDE + y + 1;
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    if (x == 0) {
        float value = LOAD(t, a->input + row);
        SHARED_STORE(t, &s->input[y], value);
    }
    BARRIER(t);
    float weight = LOAD(t, a->weight + row * WIDTH + x + 1);
    SHARED_STORE(t, &s->weight[y][x], weight);
    BARRIER(t);
    float own = SHARED_LOAD(t, &s->weight[y][x]);
    float input = SHARED_LOAD(t, &s->input[y]);
    COMPUTE(t, FP32, 1);
    SHARED_STORE(t, &s->weight[y][x], own * input);
    BARRIER(t);
    for (l->half = 1; l->half < SIDE; l->half *= 2) {
        COMPUTE(t, INTEGER, 2);
        if (y % (2 * l->half) == 0) {
            float mine = SHARED_LOAD(t, &s->weight[y][x]);
            float other = SHARED_LOAD(t, &s->weight[y + l->half][x]);
            COMPUTE(t, FP32, 1);
            SHARED_STORE(t, &s->weight[y][x], mine + other);
        }
        BARRIER(t);
        LOOP(t);
    }
    float product = SHARED_LOAD(t, &s->weight[y][x]);
    STORE(t, a->weight + row * WIDTH + x + 1, product);
    BARRIER(t);
    if (x == 0) {
        float sum = SHARED_LOAD(t, &s->weight[0][y]);
        STORE(t, a->partial + (size_t)t->cta.y * HIDDEN + y, sum);
    }
    END(t);
}
GM_BARRIER_KERNEL(layerforward, backprop, backprop_locals, backprop_tile)

/* Adjusts the weight at `index` and stores its change, by delta times input. */
#define ADJUST(t, a, index, slope)                                                                 \
    do {                                                                                           \
        float weight = LOAD(t, (a)->weight + (index));                                             \
        float change = LOAD(t, (a)->before + (index));                                             \
        COMPUTE(t, FP32, 4);                                                                       \
        change = RATE * (slope) + MOMENTUM * change;                                               \
        STORE(t, (a)->weight + (index), weight + change);                                          \
        STORE(t, (a)->before + (index), change);                                                   \
    } while (0)

GM_THREAD(adjust_weights, backprop)
{
    uint32_t x = t->thread.x + 1;
    size_t row = (size_t)t->cta.y * SIDE + t->thread.y + 1;
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    float delta = LOAD(t, a->delta + x);
    float input = LOAD(t, a->input + row);
    ADJUST(t, a, row * WIDTH + x, delta * input);
    BARRIER(t);
    if (t->thread.y == 0 && t->cta.y == 0) {
        float bias = LOAD(t, a->delta + x);
        ADJUST(t, a, x, bias);
    }
    END(t);
}
GM_BARRIER_KERNEL(adjust_weights, backprop, backprop_locals, backprop_tile)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    backprop *s = state;
    s->inputs = (uint32_t)workload->value[INPUTS] / SIDE * SIDE;
    size_t weights = ((size_t)s->inputs + 1) * WIDTH;
    s->input = gm_workload_input(workload, "input", (size_t)s->inputs + 1, sizeof(float), error);
    s->weight = gm_workload_input(workload, "weight", weights, sizeof(float), error);
    s->before = gm_workload_input(workload, "before", weights, sizeof(float), error);
    s->partial = gm_workload_output(workload, "partial", s->inputs, sizeof(float), error);
    s->delta = gm_workload_input(workload, "delta", WIDTH, sizeof(float), error);
    if (s->input == NULL || s->weight == NULL || s->before == NULL || s->partial == NULL ||
        s->delta == NULL) {
        return error->code;
    }
    s->unchanged = malloc(weights * sizeof *s->unchanged);
    if (s->unchanged == NULL) {
        return gm_fail(error, -ENOMEM, "backprop: out of memory");
    }
    uint64_t seed = (uint64_t)workload->value[SEED];
    s->input[0] = 1.0F;
    for (size_t i = 1; i <= s->inputs; i++) {
        s->input[i] = gm_random_float(&seed, 0.0F, 1.0F);
    }
    /* Small enough that any number of inputs does not saturate the hidden units. */
    float most = 2.0F / sqrtf((float)s->inputs);
    for (size_t i = 0; i < weights; i++) {
        s->unchanged[i] = gm_random_float(&seed, -most, most);
    }
    memcpy(s->weight, s->unchanged, weights * sizeof *s->weight);
    for (size_t j = 0; j < WIDTH; j++) {
        s->output[j] = gm_random_float(&seed, -1.0F, 1.0F);
    }
    s->target = 0.1F;
    return 0;
}

static float squashed(float sum)
{
    return 1.0F / (1.0F + expf(-sum));
}

/* Computes the hidden units' values and the output, then propagates the error back to each hidden
 * unit's delta. */
static void train_output(backprop *s)
{
    float hidden[WIDTH] = {1.0F};
    float sum = s->output[0];
    for (size_t j = 1; j < WIDTH; j++) {
        float in = s->unchanged[j]; /* of the bias */
        for (size_t k = 0; k < s->inputs / SIDE; k++) {
            in += s->partial[k * HIDDEN + j - 1];
        }
        hidden[j] = squashed(in);
        sum += s->output[j] * hidden[j];
    }
    float value = squashed(sum);
    float error = value * (1.0F - value) * (s->target - value);
    for (size_t j = 1; j < WIDTH; j++) {
        s->delta[j] = hidden[j] * (1.0F - hidden[j]) * error * s->output[j];
    }
    for (size_t j = 0; j < WIDTH; j++) {
        s->output[j] += RATE * error * hidden[j];
    }
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    backprop *s = state;
    if (step == 1) {
        train_output(s);
        memcpy(s->weight, s->unchanged, ((size_t)s->inputs + 1) * WIDTH * sizeof *s->weight);
    }
    launch->code = step == 0 ? &layerforward_code : &adjust_weights_code;
    launch->arguments = s;
    launch->block = (gm_dim){SIDE, SIDE, 1};
    launch->grid = (gm_dim){1, s->inputs / SIDE, 1};
    return step < 2;
}

static void finish(void *state)
{
    backprop *s = state;
    free(s->unchanged);
}

extern const gm_workload_definition gm_workload_backprop;
const gm_workload_definition gm_workload_backprop = {
    .description = {"backprop", "training of a neural network, sums in shared memory",
                    "Rodinia [khairy, Table 2: BP; li, Table 1: BP, cache friendly]", options},
    .state_bytes = sizeof(backprop),
    .setup = setup,
    .launch = launch,
    .finish = finish,
};
