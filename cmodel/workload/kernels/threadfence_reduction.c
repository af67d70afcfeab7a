/* Sums of vectors in one launch [the idea: CUDA samples, threadFenceReduction]: a CTA writes its
 * partial sum, fences, and counts itself; the last CTA to count adds the partial sums up, which it
 * may read because of the other CTAs' fences.
 *
 * A CTA sums its part of each vector in turn, and its partial sums lie side by side. So lines with
 * partial sums of one vector, once read, are written again for the next vector (false sharing).
 *
 * The executor runs a CTA to its end before the next one begins: the last CTA of the grid adds up
 * every vector, also where a timed engine has other CTAs count after it. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, VECTORS, CTAS, SCOPE, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 23, 1 << 16, false, "elements of a vector"},
    [VECTORS] = {"vectors", 1, 1024, 16, false, "vectors, one sum each"},
    [CTAS] = {"ctas", 1, 4096, 64, false, "CTAs of 256 threads, each with a part of every vector"},
    [SCOPE] = {"scope", GM_SCOPE_CTA, GM_SCOPE_SYS, GM_SCOPE_GPU, false,
               "of the fence: 0 CTA, 1 GPU, 2 system; the program needs 1"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

enum { BLOCK = 256 };

typedef struct reduction {
    const float *x; /* vector by vector */
    float *partial; /* [ctas][vectors] */
    float *sum;     /* [vectors] */
    uint32_t *done; /* [vectors] CTAs that have written their partial sums */
    uint32_t n, vectors;
    gm_scope scope;
} reduction;

typedef struct block {
    float sum[BLOCK];
    uint32_t is_last; /* this CTA was the last to count */
} block;

/* In phase OWN all CTAs add up elements; in phase ALL the last one adds up partial sums. */
enum { OWN, ALL };

typedef struct reduction_locals {
    uint32_t vector, phase, half, is_last;
} reduction_locals;

GM_PARTS(reduction)

/* Adds up the thread's elements, as far apart as the grid has threads. */
GM_PART(add_elements, reduction)
{
    block *s = t->shared;
    const reduction_locals *l = t->locals;
    const float *x = a->x + (size_t)l->vector * a->n;
    float sum = 0.0F;
    for (uint32_t i = GM_GLOBAL_X(t); i < a->n; i += t->grid.x * BLOCK) {
        sum += LOAD(t, x + i);
        COMPUTE(t, FP32, 1);
        COMPUTE(t, INTEGER, 2);
        LOOP(t);
    }
    SHARED_STORE(t, &s->sum[t->thread.x], sum);
}

/* Adds up the thread's partial sums, one of a CTA each. */
GM_PART(add_partials, reduction)
{
    block *s = t->shared;
    const reduction_locals *l = t->locals;
    float sum = 0.0F;
    for (uint32_t i = t->thread.x; i < t->grid.x; i += BLOCK) {
        sum += LOAD(t, a->partial + (size_t)i * a->vectors + l->vector);
        COMPUTE(t, FP32, 1);
        COMPUTE(t, INTEGER, 2);
        LOOP(t);
    }
    SHARED_STORE(t, &s->sum[t->thread.x], sum);
}

GM_POINT(before_fold)

/* One round of the CTA's sum in shared memory. */
GM_PART(fold, reduction)
{
    (void)a;
    block *s = t->shared;
    const reduction_locals *l = t->locals;
    uint32_t x = t->thread.x;
    if (x < l->half) {
        float upper = SHARED_LOAD(t, &s->sum[x + l->half]);
        float lower = SHARED_LOAD(t, &s->sum[x]);
        COMPUTE(t, FP32, 1);
        SHARED_STORE(t, &s->sum[x], lower + upper);
    }
    LOOP(t);
}

/* The CTA's first thread writes the partial sum, fences, and counts the CTA. */
GM_PART(count, reduction)
{
    block *s = t->shared;
    const reduction_locals *l = t->locals;
    float sum = SHARED_LOAD(t, &s->sum[0]);
    COMPUTE(t, INTEGER, 2);
    STORE(t, a->partial + (size_t)t->cta.x * a->vectors + l->vector, sum);
    switch (a->scope) {
    case GM_SCOPE_CTA:
        FENCE(t, CTA);
        break;
    case GM_SCOPE_GPU:
        FENCE(t, GPU);
        break;
    case GM_SCOPE_SYS:
    case GM_SCOPES:
        FENCE(t, SYS);
        break;
    }
    uint32_t before = ATOMIC_ADD(t, a->done + l->vector, 1U);
    COMPUTE(t, INTEGER, 1);
    SHARED_STORE(t, &s->is_last, before + 1 == t->grid.x);
}

/* The last CTA's first thread writes the vector's sum. */
GM_PART(conclude, reduction)
{
    block *s = t->shared;
    const reduction_locals *l = t->locals;
    float sum = SHARED_LOAD(t, &s->sum[0]);
    STORE(t, a->sum + l->vector, sum);
    SHARED_STORE(t, &s->is_last, 0);
}
GM_POINT(published)

GM_WHOLE(reduction, reduction)
{
    block *s = t->shared;
    reduction_locals *l = t->locals;
    BEGIN(t)
    for (l->vector = 0; l->vector < a->vectors; l->vector++) {
        l->phase = OWN;
        do {
            if (l->phase == OWN) {
                add_elements(t, a);
            } else {
                add_partials(t, a);
            }
            for (l->half = BLOCK / 2; l->half > 0; l->half /= 2) {
                BARRIER_AT(t, before_fold);
                fold(t, a);
            }
            if (t->thread.x == 0 && l->phase == OWN) {
                count(t, a);
            } else if (t->thread.x == 0) {
                conclude(t, a);
            }
            BARRIER_AT(t, published);
            l->is_last = SHARED_LOAD(t, &s->is_last);
            l->phase = ALL;
            LOOP(t);
        } while (l->is_last != 0);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(reduction, reduction, reduction_locals, block)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    reduction *r = state;
    size_t vectors = (size_t)workload->value[VECTORS];
    size_t n = (size_t)workload->value[N];
    size_t ctas = (size_t)workload->value[CTAS];
    float *x = gm_workload_input(workload, "x", vectors * n, sizeof *x, error);
    uint32_t *done = gm_workload_input(workload, "done", vectors, sizeof *done, error);
    float *partial = gm_workload_output(workload, "partial", ctas * vectors, sizeof(float), error);
    float *sum = gm_workload_output(workload, "sum", vectors, sizeof(float), error);
    if (x == NULL || done == NULL || partial == NULL || sum == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < vectors * n; i++) {
        x[i] = (float)gm_random_below(&random, 16); /* sums up to 2^24 are exact */
    }
    for (size_t i = 0; i < vectors; i++) {
        done[i] = 0;
    }
    *r = (reduction){.x = x,
                     .partial = partial,
                     .sum = sum,
                     .done = done,
                     .n = (uint32_t)n,
                     .vectors = (uint32_t)vectors,
                     .scope = (gm_scope)workload->value[SCOPE]};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = &reduction_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return step == 0;
}

extern const gm_workload_definition gm_workload_threadfence_reduction;
const gm_workload_definition gm_workload_threadfence_reduction = {
    .description = {"threadfence_reduction", "sums of vectors by a fence and the last CTA",
                    "after CUDA samples (threadFenceReduction)", options},
    .state_bytes = sizeof(reduction),
    .setup = setup,
    .launch = launch,
};
