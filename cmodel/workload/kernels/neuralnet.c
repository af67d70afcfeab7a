/* A convolutional network that reads handwritten digits [khairy, Table 2 (NN): friendly; the
 * network of Bakhoda et al., Analyzing CUDA workloads, ISPASS 2009]: images of 29 x 29, two layers
 * of convolutions of 5 x 5 two places apart, two fully connected layers. A CTA computes a feature
 * map of an image, or, in the last two layers, with one thread, a neuron. Weights are random. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { IMAGES, SEED };
static const gm_workload_option options[] = {
    [IMAGES] = {"images", 1, 1 << 12, 28, false, "images, 29 x 29"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of images and weights"},
    {0},
};

/* Sides of an image and of the feature maps, and how many there are of these. */
enum { SIDE = 29, SIDE_1 = 13, MAPS_1 = 6, SIDE_2 = 5, MAPS_2 = 50, FILTER = 5 };
enum { NEURONS_2 = MAPS_2 * SIDE_2 * SIDE_2, NEURONS_3 = 100, NEURONS_4 = 10 };
enum { TAPS = FILTER * FILTER, PIXELS = SIDE * SIDE, PIXELS_1 = SIDE_1 * SIDE_1 };

/* One layer of all images. The first weight of a neuron's is its bias. */
typedef struct layer {
    const float *from, *weight;
    float *to;
    uint32_t inputs; /* of a neuron that is connected with all; outputs of the layer: */
    uint32_t outputs;
} layer;

typedef struct neuralnet {
    layer layer[4];
} neuralnet;

static inline float activation(float sum)
{
    return 1.7159F * tanhf(0.66666667F * sum);
}
/* The instructions of activation: tanh by an exponential and a quotient. */
#define COMPUTE_ACTIVATION(t)                                                                      \
    do {                                                                                           \
        COMPUTE(t, FP32, 6);                                                                       \
        COMPUTE(t, SPECIAL, 2);                                                                    \
    } while (0)

/* A filter's place in a map of `side`. */
static inline uint32_t tap_place(uint32_t tap, uint32_t side)
{
    return tap / FILTER * side + tap % FILTER;
}

GM_THREAD(convolve_image, layer)
{
    uint32_t map = t->cta.x;
    uint32_t image = t->cta.y;
    COMPUTE(t, INTEGER, 8);
    const float *weight = a->weight + map * (TAPS + 1);
    const float *window =
        a->from + image * PIXELS + (size_t)2 * t->thread.y * SIDE + (size_t)2 * t->thread.x;
    float sum = LOAD(t, weight);
    for (uint32_t i = 0; i < TAPS; i++) {
        float x = LOAD(t, window + tap_place(i, SIDE));
        float w = LOAD(t, weight + 1 + i);
        COMPUTE(t, FP32, 1);
        COMPUTE(t, INTEGER, 3);
        sum += x * w;
        LOOP(t);
    }
    COMPUTE_ACTIVATION(t);
    size_t place = (size_t)(image * MAPS_1 + map) * PIXELS_1 + t->thread.y * SIDE_1 + t->thread.x;
    STORE(t, a->to + place, activation(sum));
}
GM_KERNEL(convolve_image, layer)

/* Weights of one tap lie side by side, one for each map of the layer before. */
GM_THREAD(convolve_maps, layer)
{
    uint32_t map = t->cta.x;
    uint32_t image = t->cta.y;
    COMPUTE(t, INTEGER, 8);
    const float *weight = a->weight + map * (TAPS + 1) * MAPS_1;
    const float *window = a->from + image * MAPS_1 * PIXELS_1 + (size_t)2 * t->thread.y * SIDE_1 +
                          (size_t)2 * t->thread.x;
    float sum = LOAD(t, weight);
    for (uint32_t i = 0; i < TAPS; i++) {
        for (uint32_t from = 0; from < MAPS_1; from++) {
            float x = LOAD(t, window + from * PIXELS_1 + tap_place(i, SIDE_1));
            float w = LOAD(t, weight + 1 + i * MAPS_1 + from);
            COMPUTE(t, FP32, 1);
            COMPUTE(t, INTEGER, 2);
            sum += x * w;
            LOOP(t);
        }
        LOOP(t);
    }
    COMPUTE_ACTIVATION(t);
    size_t place = image * NEURONS_2 + (size_t)map * SIDE_2 * SIDE_2;
    STORE(t, a->to + place + t->thread.y * SIDE_2 + t->thread.x, activation(sum));
}
GM_KERNEL(convolve_maps, layer)

GM_THREAD(connect, layer)
{
    uint32_t neuron = t->cta.x;
    uint32_t image = t->cta.y;
    COMPUTE(t, INTEGER, 4);
    const float *weight = a->weight + (size_t)neuron * (a->inputs + 1);
    const float *from = a->from + (size_t)image * a->inputs;
    float sum = LOAD(t, weight);
    for (uint32_t i = 0; i < a->inputs; i++) {
        float x = LOAD(t, from + i);
        float w = LOAD(t, weight + 1 + i);
        COMPUTE(t, FP32, 1);
        COMPUTE(t, INTEGER, 2);
        sum += x * w;
        LOOP(t);
    }
    COMPUTE_ACTIVATION(t);
    STORE(t, a->to + (size_t)image * a->outputs + neuron, activation(sum));
}
GM_KERNEL(connect, layer)
/* The kernel of the last layer: the text of the one before it. */
static const gm_code classify_code = {
    .name = "classify", .run = connect_run, .first = connect_first, .exit = connect_exit};

/* Fills in weights whose sums of `inputs` terms are about 1. */
static void random_weights(float *weight, size_t count, uint32_t inputs, uint64_t *random)
{
    float range = 2.0F / sqrtf((float)inputs);
    for (size_t i = 0; i < count; i++) {
        weight[i] = gm_random_float(random, -range, range);
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const struct {
        const char *neurons, *weights;
        uint32_t outputs, inputs, weight_count;
    } shape[4] = {
        {"maps1", "weights1", MAPS_1 * PIXELS_1, TAPS, MAPS_1 * (TAPS + 1)},
        {"maps2", "weights2", NEURONS_2, TAPS * MAPS_1, MAPS_2 * (TAPS + 1) * MAPS_1},
        {"neurons3", "weights3", NEURONS_3, NEURONS_2, NEURONS_3 * (NEURONS_2 + 1)},
        {"neurons4", "weights4", NEURONS_4, NEURONS_3, NEURONS_4 * (NEURONS_3 + 1)},
    };
    neuralnet *s = state;
    size_t images = (size_t)workload->value[IMAGES];
    uint64_t random = (uint64_t)workload->value[SEED];
    float *from = gm_workload_input(workload, "images", images * PIXELS, sizeof(float), error);
    if (from == NULL) {
        return error->code;
    }
    for (size_t i = 0; i < images * PIXELS; i++) {
        from[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    for (unsigned i = 0; i < 4; i++) {
        float *weight = gm_workload_input(workload, shape[i].weights, shape[i].weight_count,
                                          sizeof(float), error);
        float *to = gm_workload_output(workload, shape[i].neurons, images * shape[i].outputs,
                                       sizeof(float), error);
        if (weight == NULL || to == NULL) {
            return error->code;
        }
        random_weights(weight, shape[i].weight_count, shape[i].inputs, &random);
        s->layer[i] = (layer){from, weight, to, shape[i].inputs, shape[i].outputs};
        from = to;
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    static const struct {
        const gm_code *code;
        uint32_t ctas, side;
    } launches[4] = {{&convolve_image_code, MAPS_1, SIDE_1},
                     {&convolve_maps_code, MAPS_2, SIDE_2},
                     {&connect_code, NEURONS_3, 1},
                     {&classify_code, NEURONS_4, 1}};
    if (step == 4) {
        return 0;
    }
    neuralnet *s = state;
    launch->code = launches[step].code;
    launch->arguments = &s->layer[step];
    launch->grid = (gm_dim){launches[step].ctas, (uint32_t)workload->value[IMAGES], 1};
    launch->block = (gm_dim){launches[step].side, launches[step].side, 1};
    return 1;
}

extern const gm_workload_definition gm_workload_neuralnet;
const gm_workload_definition gm_workload_neuralnet = {
    .description = {"neuralnet", "convolutional network for handwritten digits",
                    "ISPASS 2009 suite [khairy, Table 2: NN; tabbakh]", options},
    .state_bytes = sizeof(neuralnet),
    .setup = setup,
    .launch = launch,
};
