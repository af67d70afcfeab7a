/* Sum of two matrix-vector products, y = alpha A x + beta B x [PolyBench/GPU, GESUMMV;
 * khairy, 4.3]: each thread walks along a row, so the lanes of a warp read down a column, which
 * falls into one set of the L1 when rows are a multiple of 32 sets * 128 bytes. PolyBench's text
 * keeps both sums in memory, which a compiler must keep where arrays may overlap: `sums`. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, SUMS, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 15, 2048, false, "rows and columns, 4 bytes each"},
    [SUMS] = {"sums", 0, 1, 0, false, "1: each step adds to both in memory, not in registers"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

typedef struct gesummv {
    const float *a, *b, *x;
    float *y;
    float *sum; /* of A's product; with `sums` in memory */
    uint32_t n;
    bool in_memory;
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

GM_THREAD(gesummv_in_memory, gesummv)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 3);
    if (i < a->n) {
        float *sum = a->sum + i;
        float *y = a->y + i;
        for (uint32_t j = 0; j < a->n; j++) {
            float p = LOAD(t, a->a + (size_t)i * a->n + j);
            float x = LOAD(t, a->x + j);
            float first = LOAD(t, sum);
            COMPUTE(t, FP32, 1);
            STORE(t, sum, first + p * x);
            float q = LOAD(t, a->b + (size_t)i * a->n + j);
            x = LOAD(t, a->x + j);
            float second = LOAD(t, y);
            COMPUTE(t, FP32, 1);
            STORE(t, y, second + q * x);
            LOOP(t);
        }
        float first = LOAD(t, sum);
        float second = LOAD(t, y);
        COMPUTE(t, FP32, 2);
        STORE(t, y, a->alpha * first + a->beta * second);
    }
}
GM_KERNEL(gesummv_in_memory, gesummv)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t n = (size_t)workload->value[N];
    float *a = gm_workload_input(workload, "a", n * n, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", n * n, sizeof *b, error);
    float *x = gm_workload_input(workload, "x", n, sizeof *x, error);
    float *y = gm_workload_output(workload, "y", n, sizeof *y, error);
    bool in_memory = workload->value[SUMS] != 0;
    float *sum = in_memory ? gm_workload_output(workload, "tmp", n, sizeof *sum, error) : y;
    if (a == NULL || b == NULL || x == NULL || y == NULL || sum == NULL) {
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
    *(gesummv *)state = (gesummv){a, b, x, y, sum, (uint32_t)n, in_memory, 1.5F, 0.5F};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const gesummv *g = state;
    launch->code = g->in_memory ? &gesummv_in_memory_code : &gesummv_code;
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
