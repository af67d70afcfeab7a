/* Vector addition, c = a + b [CUDA samples, vectorAdd; khairy, Table 2 (VAdd)]: streaming. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 28, 1 << 20, false, "elements"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

typedef struct vectoradd {
    const float *a, *b;
    float *c;
    uint32_t n;
} vectoradd;

GM_THREAD(vectoradd, vectoradd)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->n) {
        float x = LOAD(t, a->a + i);
        float y = LOAD(t, a->b + i);
        COMPUTE(t, FP32, 1);
        STORE(t, a->c + i, x + y);
    }
}
GM_KERNEL(vectoradd, vectoradd)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    vectoradd *v = state;
    size_t n = (size_t)workload->value[N];
    float *a = gm_workload_input(workload, "a", n, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", n, sizeof *b, error);
    float *c = gm_workload_output(workload, "c", n, sizeof *c, error);
    if (a == NULL || b == NULL || c == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n; i++) {
        a[i] = gm_random_float(&random, 0.0F, 1.0F);
        b[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *v = (vectoradd){a, b, c, (uint32_t)n};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const vectoradd *v = state;
    launch->code = &vectoradd_code;
    launch->arguments = v;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(v->n, launch->block.x);
    return step == 0;
}

extern const gm_workload_definition gm_workload_vectoradd;
const gm_workload_definition gm_workload_vectoradd = {
    .description = {"vectoradd", "sum of two vectors", "CUDA samples [khairy, Table 2: VAdd]",
                    options},
    .state_bytes = sizeof(vectoradd),
    .setup = setup,
    .launch = launch,
};
