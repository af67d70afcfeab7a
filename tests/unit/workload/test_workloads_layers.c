/* pathfinder, backprop and neuralnet, whose launches go over a grid or a network row by row,
 * against straightforward host versions. */
#include "base/random.h"
#include "support/workload/workload_run.h"

/* The cheapest way to a cell, remembered once known: from the cell up, not row by row. */
typedef struct ways {
    const int32_t *first, *wall;
    int32_t *cost; /* -1: not known */
    int columns;
} ways;

static int32_t way_to(const ways *w, int row, int column)
{
    if (row == 0) {
        return w->first[column];
    }
    int32_t *cost = &w->cost[row * w->columns + column];
    if (*cost < 0) {
        int32_t best = INT32_MAX;
        for (int from = column - 1; from <= column + 1; from++) {
            if (from >= 0 && from < w->columns) {
                int32_t way = way_to(w, row - 1, from);
                best = way < best ? way : best;
            }
        }
        *cost = best + w->wall[(row - 1) * w->columns + column];
    }
    return *cost;
}

static void pathfinder_finds_ways(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int columns, rows;
        uint64_t kernels, ctas;
    } cases[] = {
        {"pathfinder,columns=1,rows=3,pyramid=1", 1, 3, 2, 2},
        {"pathfinder,columns=1000,rows=30,pyramid=7,seed=3", 1000, 30, 5, 25}, /* 242 of 256 */
        {"pathfinder,columns=700,rows=21,pyramid=20", 700, 21, 1, 4},          /* 216 of 256 */
        {"pathfinder,columns=6,rows=200,pyramid=127", 6, 200, 2, 6},           /* 2 of 256 */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        workload_run run = workload_run_open(cases[c].specification);
        int columns = cases[c].columns;
        size_t cells = (size_t)columns * (size_t)cases[c].rows;
        int32_t *first = malloc((size_t)columns * sizeof *first);
        ways w = {first, workload_data(&run, "wall"), malloc(cells * sizeof *w.cost), columns};
        assert_non_null(first);
        assert_non_null(w.cost);
        memcpy(first, workload_data(&run, "result0"), (size_t)columns * sizeof *first);
        memset(w.cost, -1, cells * sizeof *w.cost);
        workload_run_drain(&run);
        assert_int_equal(run.kernels, cases[c].kernels);
        assert_int_equal(run.ctas, cases[c].ctas);
        const int32_t *result = workload_data(&run, run.kernels % 2 == 0 ? "result0" : "result1");
        for (int i = 0; i < columns; i++) {
            assert_int_equal(result[i], way_to(&w, cases[c].rows - 1, i));
        }
        free(first);
        free(w.cost);
        gm_source_close(run.source);
    }
}

enum { HIDDEN = 16, WIDTH = 17 };

/* What each hidden unit is to change, by the chain rule in double precision. The output unit's
 * weights are drawn behind the inputs and the other weights. */
static void check_deltas(const float *input, const float *weight, size_t inputs, uint64_t seed,
                         const float *delta)
{
    for (size_t i = 0; i < inputs + (inputs + 1) * WIDTH; i++) {
        gm_random_next(&seed);
    }
    double hidden[WIDTH] = {1.0};
    double output[WIDTH];
    double sum = 0.0;
    for (size_t j = 0; j < WIDTH; j++) {
        double in = 0.0;
        for (size_t i = 0; i <= inputs; i++) {
            in += (double)input[i] * (double)weight[i * WIDTH + j];
        }
        hidden[j] = j == 0 ? 1.0 : 1.0 / (1.0 + exp(-in));
        output[j] = (double)gm_random_float(&seed, -1.0F, 1.0F);
        sum += hidden[j] * output[j];
    }
    double value = 1.0 / (1.0 + exp(-sum));
    for (size_t j = 1; j < WIDTH; j++) {
        double slope = (0.1 - value) * value * (1.0 - value) * output[j]; /* the target is 0.1 */
        workload_close((double)delta[j], slope * hidden[j] * (1.0 - hidden[j]), 1e-7);
    }
}

/* Two CTAs that overlap by two columns: 255 columns on the grid are loaded by each and stored in
 * shared memory, and each of the 508 is computed once, with 4 loads, 1 store, and 2 accesses for
 * its result. Values alone do not show a column that is computed twice. */
static void pathfinder_computes_each_column_once(void **state)
{
    (void)state;
    workload_run run = workload_run_whole("pathfinder,columns=508,rows=2,pyramid=1");
    assert_int_equal(run.lanes, 2 * 2 * 255 + 508 * (4 + 1 + 2));
    gm_source_close(run.source);
}

/* Sums of the first launch, deltas of the host, then the weights' gradient step. */
static void check_backprop(const char *specification, size_t inputs, uint64_t seed)
{
    workload_run run = workload_run_open(specification);
    size_t weights = (inputs + 1) * WIDTH;
    const float *weight = workload_array(run.source, "weight", weights, sizeof *weight);
    const float *input = workload_array(run.source, "input", inputs + 1, sizeof *input);
    float *initial = malloc(weights * sizeof *initial);
    assert_non_null(initial);
    memcpy(initial, weight, weights * sizeof *initial);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 2);
    assert_int_equal(run.ctas, 2 * inputs / 16);
    const float *partial = workload_array(run.source, "partial", inputs, sizeof *partial);
    const float *delta = workload_array(run.source, "delta", WIDTH, sizeof *delta);
    const float *before = workload_array(run.source, "before", weights, sizeof *before);
    for (size_t j = 1; j < WIDTH; j++) {
        for (size_t k = 0; k < inputs / 16; k++) {
            double sum = 0.0;
            for (size_t i = 16 * k + 1; i <= 16 * k + 16; i++) {
                sum += (double)input[i] * (double)initial[i * WIDTH + j];
            }
            workload_close((double)partial[k * HIDDEN + j - 1], sum, 1e-5);
        }
        for (size_t i = 0; i <= inputs; i++) { /* input 0 is the bias */
            double change = 0.3 * (double)delta[j] * (i == 0 ? 1.0 : (double)input[i]);
            workload_close((double)before[i * WIDTH + j], change, 1e-7);
            workload_close((double)weight[i * WIDTH + j], (double)initial[i * WIDTH + j] + change,
                           1e-6);
        }
    }
    check_deltas(input, initial, inputs, seed, delta);
    free(initial);
    gm_source_close(run.source);
}

static void backprop_trains(void **state)
{
    (void)state;
    check_backprop("backprop,inputs=31", 16, 1);
    check_backprop("backprop,inputs=320,seed=8", 320, 8);
}

static double tanh_of(double sum)
{
    return 1.7159 * tanh(0.66666667 * sum);
}

/* Neuron (y, x) of a feature map: `maps` maps of `side`, a bias, then a weight for each map of each
 * of the 25 places of the window at (2y, 2x). */
static double convolved(const float *maps, int count, int side, const float *weight, int y, int x)
{
    double sum = (double)weight[0];
    for (int map = 0; map < count; map++) {
        for (int row = 0; row < 5; row++) {
            for (int column = 0; column < 5; column++) {
                int place = (map * side + 2 * y + row) * side + 2 * x + column;
                sum += (double)maps[place] * (double)weight[1 + (row * 5 + column) * count + map];
            }
        }
    }
    return tanh_of(sum);
}

static double connected(const float *from, int count, const float *weight)
{
    double sum = (double)weight[0];
    for (int i = 0; i < count; i++) {
        sum += (double)from[i] * (double)weight[1 + i];
    }
    return tanh_of(sum);
}

/* Each layer from the layer before as the program computed it. */
static void neuralnet(void **state)
{
    (void)state;
    enum { IMAGES = 3 };
    gm_source *source = workload_run_whole("neuralnet,images=3").source;
    const float *image = workload_array(source, "images", IMAGES * 29 * 29, 4);
    const float *maps1 = workload_array(source, "maps1", IMAGES * 6 * 13 * 13, 4);
    const float *maps2 = workload_array(source, "maps2", IMAGES * 50 * 5 * 5, 4);
    const float *neurons3 = workload_array(source, "neurons3", IMAGES * 100, 4);
    const float *neurons4 = workload_array(source, "neurons4", IMAGES * 10, 4);
    const float *weights1 = workload_array(source, "weights1", 6 * 26, 4);
    const float *weights2 = workload_array(source, "weights2", 50 * 26 * 6, 4);
    const float *weights3 = workload_array(source, "weights3", 100 * 1251, 4);
    const float *weights4 = workload_array(source, "weights4", 10 * 101, 4);
    for (int i = 0; i < IMAGES * 6 * 169; i++) {
        double expected = convolved(image + i / 1014 * 841, 1, 29, weights1 + i / 169 % 6 * 26,
                                    i % 169 / 13, i % 13);
        workload_close((double)maps1[i], expected, 1e-5);
    }
    for (int i = 0; i < IMAGES * 1250; i++) {
        double expected = convolved(maps1 + i / 1250 * 1014, 6, 13, weights2 + i / 25 % 50 * 156,
                                    i % 25 / 5, i % 5);
        workload_close((double)maps2[i], expected, 1e-5);
    }
    double spread = 0.0;
    for (int i = 0; i < IMAGES * 100; i++) {
        double expected = connected(maps2 + i / 100 * 1250, 1250, weights3 + i % 100 * 1251);
        workload_close((double)neurons3[i], expected, 1e-5);
        spread += fabs(expected) / (IMAGES * 100);
    }
    for (int i = 0; i < IMAGES * 10; i++) {
        double expected = connected(neurons3 + i / 10 * 100, 100, weights4 + i % 10 * 101);
        workload_close((double)neurons4[i], expected, 1e-5);
    }
    assert_true(spread > 0.2 && spread < 1.6); /* neither nothing nor saturated */
    gm_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neuralnet),
        cmocka_unit_test(pathfinder_finds_ways),
        cmocka_unit_test(pathfinder_computes_each_column_once),
        cmocka_unit_test(backprop_trains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
