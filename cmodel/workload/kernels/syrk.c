/* Symmetric rank-k update, C = alpha A A' + beta C [PolyBench/GPU, syrk_kernel; khairy, 4.3 and
 * figure 6]: the lanes of a warp read A down a column, so that with rows of a multiple of
 * 32 sets * 128 bytes all of them fall into one set of the L1. PolyBench's text adds to C in
 * memory, which a compiler must keep where arrays may overlap: `sums`. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, M, SUMS, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 15, 128, false, "rows and columns of C"},
    [M] = {"m", 1, 1 << 15, 1024, false, "columns of A, 4 bytes each"},
    [SUMS] = {"sums", 0, 1, 0, false, "1: each step adds to C in memory, not in a register"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

typedef struct syrk {
    const float *a;
    float *c;
    uint32_t n, m;
    bool in_memory; /* sums */
    float alpha, beta;
} syrk;

GM_THREAD(syrk, syrk)
{
    uint32_t j = GM_GLOBAL_X(t);
    uint32_t i = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->n && j < a->n) {
        float *c = a->c + (size_t)i * a->n + j;
        float sum = LOAD(t, c);
        COMPUTE(t, FP32, 1);
        sum *= a->beta;
        for (uint32_t k = 0; k < a->m; k++) {
            float x = LOAD(t, a->a + (size_t)i * a->m + k);
            float y = LOAD(t, a->a + (size_t)j * a->m + k);
            COMPUTE(t, FP32, 2);
            sum += a->alpha * x * y;
            LOOP(t);
        }
        STORE(t, c, sum);
    }
}
GM_KERNEL(syrk, syrk)

GM_THREAD(syrk_in_memory, syrk)
{
    uint32_t j = GM_GLOBAL_X(t);
    uint32_t i = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->n && j < a->n) {
        float *c = a->c + (size_t)i * a->n + j;
        float scaled = a->beta * LOAD(t, c);
        COMPUTE(t, FP32, 1);
        STORE(t, c, scaled);
        for (uint32_t k = 0; k < a->m; k++) {
            float x = LOAD(t, a->a + (size_t)i * a->m + k);
            float y = LOAD(t, a->a + (size_t)j * a->m + k);
            float sum = LOAD(t, c);
            COMPUTE(t, FP32, 2);
            sum += a->alpha * x * y;
            STORE(t, c, sum);
            LOOP(t);
        }
    }
}
GM_KERNEL(syrk_in_memory, syrk)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    syrk *s = state;
    size_t n = (size_t)workload->value[N];
    size_t m = (size_t)workload->value[M];
    float *a = gm_workload_input(workload, "a", n * m, sizeof *a, error);
    float *c = gm_workload_input(workload, "c", n * n, sizeof *c, error);
    if (a == NULL || c == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n * m; i++) {
        a[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    for (size_t i = 0; i < n * n; i++) {
        c[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *s = (syrk){a, c, (uint32_t)n, (uint32_t)m, workload->value[SUMS] != 0, 1.5F, 0.5F};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const syrk *s = state;
    launch->code = s->in_memory ? &syrk_in_memory_code : &syrk_code;
    launch->arguments = s;
    launch->block = (gm_dim){32, 8, 1};
    launch->grid = (gm_dim){gm_blocks(s->n, 32), gm_blocks(s->n, 8), 1};
    return step == 0;
}

extern const gm_workload_definition gm_workload_syrk;
const gm_workload_definition gm_workload_syrk = {
    .description = {"syrk", "symmetric rank-k update, naive",
                    "PolyBench/GPU [khairy, Table 2 and figure 6]", options},
    .state_bytes = sizeof(syrk),
    .setup = setup,
    .launch = launch,
};
