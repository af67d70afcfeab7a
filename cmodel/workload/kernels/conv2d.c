/* Two-dimensional convolution with a 3x3 filter [PolyBench/GPU, 2DCONV; khairy, Table 2 (2DCONV)]:
 * each input row is read by the warps of three rows. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { ROWS, COLUMNS, SEED };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 3, 1 << 15, 1024, false, "rows of the image"},
    [COLUMNS] = {"columns", 3, 1 << 15, 1024, false, "its columns, 4 bytes each"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the image"},
    {0},
};

typedef struct conv2d {
    const float *in;
    float *out;
    uint32_t rows, columns;
} conv2d;

GM_THREAD(conv2d, conv2d)
{
    uint32_t j = GM_GLOBAL_X(t);
    uint32_t i = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 5);
    if (i > 0 && j > 0 && i < a->rows - 1 && j < a->columns - 1) {
        const float *centre = a->in + (size_t)i * a->columns + j;
        const float *above = centre - a->columns;
        const float *below = centre + a->columns;
        float a1 = LOAD(t, above - 1);
        float b1 = LOAD(t, centre - 1);
        float c1 = LOAD(t, below - 1);
        float a2 = LOAD(t, above);
        float b2 = LOAD(t, centre);
        float c2 = LOAD(t, below);
        float a3 = LOAD(t, above + 1);
        float b3 = LOAD(t, centre + 1);
        float c3 = LOAD(t, below + 1);
        COMPUTE(t, FP32, 9);
        STORE(t, a->out + (size_t)i * a->columns + j,
              0.2F * a1 - 0.3F * a2 + 0.4F * a3 + 0.5F * b1 + 0.6F * b2 + 0.7F * b3 - 0.8F * c1 -
                  0.9F * c2 + 0.10F * c3);
    }
}
GM_KERNEL(conv2d, conv2d)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t rows = (size_t)workload->value[ROWS];
    size_t columns = (size_t)workload->value[COLUMNS];
    float *in = gm_workload_input(workload, "in", rows * columns, sizeof *in, error);
    float *out = gm_workload_output(workload, "out", rows * columns, sizeof *out, error);
    if (in == NULL || out == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < rows * columns; i++) {
        in[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *(conv2d *)state = (conv2d){in, out, (uint32_t)rows, (uint32_t)columns};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const conv2d *c = state;
    launch->code = &conv2d_code;
    launch->arguments = c;
    launch->block = (gm_dim){32, 8, 1};
    launch->grid = (gm_dim){gm_blocks(c->columns, 32), gm_blocks(c->rows, 8), 1};
    return step == 0;
}

extern const gm_workload_definition gm_workload_conv2d;
const gm_workload_definition gm_workload_conv2d = {
    .description = {"conv2d", "convolution of an image with a 3x3 filter",
                    "PolyBench/GPU [khairy, Table 2: 2DCONV]", options},
    .state_bytes = sizeof(conv2d),
    .setup = setup,
    .launch = launch,
};
