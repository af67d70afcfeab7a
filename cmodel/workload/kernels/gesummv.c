/* Sum of two matrix-vector products, y = alpha A x + beta B x [PolyBench/GPU, GESUMMV;
 * khairy, 4.3]: each thread walks along a row, so the lanes of a warp read down a column, which
 * falls into one set of the L1 when rows are a multiple of 32 sets * 128 bytes. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 15, 2048, false, "rows and columns, 4 bytes each"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

typedef struct gesummv {
    const float *a, *b, *x;
    float *y;
    uint32_t n;
    float alpha, beta;
} gesummv;

GM_THREAD(gesummv, gesummv)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 3);
    if (i < a->n) {
        float first = 0.0F;
        float second = 0.0F;
        for (uint32_t j = 0; j < a->n; j++) {
            float x = LOAD(t, a->x + j);
            float p = LOAD(t, a->a + (size_t)i * a->n + j);
            float q = LOAD(t, a->b + (size_t)i * a->n + j);
            COMPUTE(t, FP32, 2);
            first += p * x;
            second += q * x;
            LOOP(t);
        }
        COMPUTE(t, FP32, 2);
        STORE(t, a->y + i, a->alpha * first + a->beta * second);
    }
}
GM_KERNEL(gesummv, gesummv)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t n = (size_t)workload->value[N];
    float *a = gm_workload_input(workload, "a", n * n, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", n * n, sizeof *b, error);
    float *x = gm_workload_input(workload, "x", n, sizeof *x, error);
    float *y = gm_workload_output(workload, "y", n, sizeof *y, error);
    if (a == NULL || b == NULL || x == NULL || y == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n * n; i++) {
        a[i] = gm_random_float(&random, 0.0F, 1.0F);
        b[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *(gesummv *)state = (gesummv){a, b, x, y, (uint32_t)n, 1.5F, 0.5F};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const gesummv *g = state;
    launch->code = &gesummv_code;
    launch->arguments = g;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(g->n, 256);
    return step == 0;
}

extern const gm_workload_definition gm_workload_gesummv;
const gm_workload_definition gm_workload_gesummv = {
    .description = {"gesummv", "sum of two matrix-vector products, a thread for each row",
                    "PolyBench/GPU [khairy, Table 2 and 4.3]", options},
    .state_bytes = sizeof(gesummv),
    .setup = setup,
    .launch = launch,
};
