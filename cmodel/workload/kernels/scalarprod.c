/* Scalar products of pairs of vectors [CUDA samples, scalarProd; khairy, Table 2 (Sprod):
 * streaming]. A CTA takes a pair of vectors at a time: 1024 partial sums in shared memory, each of
 * elements 1024 apart, then a tree. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { VECTORS, N, CTAS, SEED };
static const gm_workload_option options[] = {
    [VECTORS] = {"vectors", 1, 1 << 16, 256, false, "pairs of vectors"},
    [N] = {"n", 1, 1 << 20, 4096, false, "elements of a vector"},
    [CTAS] = {"ctas", 1, 1 << 16, 128, false, "CTAs of 256 threads"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the vectors"},
    {0},
};

enum { BLOCK = 256, SUMS = 1024 };

typedef struct scalarprod {
    const float *a, *b; /* vector by vector */
    float *c;           /* [vectors] */
    uint32_t vectors, n;
} scalarprod;

typedef struct scalarprod_shared {
    float sum[SUMS];
} scalarprod_shared;

typedef struct scalarprod_locals {
    uint32_t vector, half;
} scalarprod_locals;

GM_PARTS(scalarprod)

/* Adds up the thread's SUMS / BLOCK partial sums. */
GM_PART(accumulate, scalarprod)
{
    scalarprod_shared *s = t->shared;
    const scalarprod_locals *l = t->locals;
    size_t begin = (size_t)l->vector * a->n;
    COMPUTE(t, INTEGER, 2);
    for (uint32_t i = t->thread.x; i < SUMS; i += BLOCK) {
        float sum = 0.0F;
        for (uint32_t k = i; k < a->n; k += SUMS) {
            float x = LOAD(t, a->a + begin + k);
            float y = LOAD(t, a->b + begin + k);
            COMPUTE(t, FP32, 1);
            COMPUTE(t, INTEGER, 3);
            sum += x * y;
            LOOP(t);
        }
        SHARED_STORE(t, &s->sum[i], sum);
        COMPUTE(t, INTEGER, 2);
        LOOP(t);
    }
}
GM_POINT(before_fold)

/* Adds the upper half of the sums to the lower. */
GM_PART(fold, scalarprod)
{
    (void)a;
    scalarprod_shared *s = t->shared;
    const scalarprod_locals *l = t->locals;
    for (uint32_t i = t->thread.x; i < l->half; i += BLOCK) {
        float upper = SHARED_LOAD(t, &s->sum[l->half + i]);
        float lower = SHARED_LOAD(t, &s->sum[i]);
        COMPUTE(t, FP32, 1);
        SHARED_STORE(t, &s->sum[i], lower + upper);
        COMPUTE(t, INTEGER, 2);
        LOOP(t);
    }
    LOOP(t);
}
GM_POINT(folded)

GM_PART(conclude, scalarprod)
{
    scalarprod_shared *s = t->shared;
    const scalarprod_locals *l = t->locals;
    if (t->thread.x == 0) {
        float product = SHARED_LOAD(t, &s->sum[0]);
        STORE(t, a->c + l->vector, product);
    }
}

GM_WHOLE(scalarprod, scalarprod)
{
    scalarprod_locals *l = t->locals;
    BEGIN(t)
    for (l->vector = t->cta.x; l->vector < a->vectors; l->vector += t->grid.x) {
        accumulate(t, a);
        for (l->half = SUMS / 2; l->half > 0; l->half /= 2) {
            BARRIER_AT(t, before_fold);
            fold(t, a);
        }
        BARRIER_AT(t, folded);
        conclude(t, a);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(scalarprod, scalarprod, scalarprod_locals, scalarprod_shared)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    scalarprod *s = state;
    size_t vectors = (size_t)workload->value[VECTORS];
    size_t n = (size_t)workload->value[N];
    float *a = gm_workload_input(workload, "a", vectors * n, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", vectors * n, sizeof *b, error);
    float *c = gm_workload_output(workload, "c", vectors, sizeof *c, error);
    if (a == NULL || b == NULL || c == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < vectors * n; i++) {
        a[i] = gm_random_float(&random, 0.0F, 1.0F);
        b[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *s = (scalarprod){a, b, c, (uint32_t)vectors, (uint32_t)n};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = &scalarprod_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return step == 0;
}

extern const gm_workload_definition gm_workload_scalarprod;
const gm_workload_definition gm_workload_scalarprod = {
    .description = {"scalarprod", "scalar products of pairs of vectors",
                    "CUDA samples [khairy, Table 2: Sprod]", options},
    .state_bytes = sizeof(scalarprod),
    .setup = setup,
    .launch = launch,
};
