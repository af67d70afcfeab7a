/* A matrix product by 16x16 tiles, C = A B, a thread for each element of C [li, Table 1 (MM): cache
 * friendly]. The paper's is "a highly efficient version using tiled cache [21]": [21] (Li and
 * others, Understanding the Tradeoffs between Software-Managed vs. Hardware-Managed Caches in GPUs,
 * ISPASS 2014) makes kernels that use the L1 from those that use shared memory, with equal tiling.
 * So by default the tiles lie in the L1, and every thread loads each element that it needs; with
 * shared=1 the CTA copies them to shared memory first. The barrier that keeps a CTA's warps at one
 * tile in the L1 is a modelling choice: [21]'s abstract does not name one. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, SHARED, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 16, 1 << 14, 256, false, "rows and columns of each matrix; a multiple of 16"},
    [SHARED] = {"shared", 0, 1, 0, false, "1: tiles in shared memory; 0: in the L1"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

enum { TILE = 16 };

typedef struct matmul_tiled {
    const float *a, *b;
    float *c;
    uint32_t n;
    bool shared;
} matmul_tiled;

typedef struct matmul_locals {
    uint32_t k; /* first of the tile */
    float sum;
} matmul_locals;
typedef struct matmul_tiles {
    float a[TILE][TILE], b[TILE][TILE];
} matmul_tiles;

GM_THREAD(matmul_cached, matmul_tiled)
{
    matmul_locals *l = t->locals;
    const float *row = a->a + (size_t)GM_GLOBAL_Y(t) * a->n;
    const float *column = a->b + GM_GLOBAL_X(t);
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    for (l->k = 0; l->k < a->n; l->k += TILE) {
        for (uint32_t k = l->k; k < l->k + TILE; k++) {
            float x = LOAD(t, row + k);
            float y = LOAD(t, column + (size_t)k * a->n);
            COMPUTE(t, FP32, 1);
            l->sum += x * y;
            LOOP(t);
        }
        COMPUTE(t, INTEGER, 2);
        BARRIER(t);
        LOOP(t);
    }
    STORE(t, a->c + (size_t)GM_GLOBAL_Y(t) * a->n + GM_GLOBAL_X(t), l->sum);
    END(t);
}
GM_KERNEL_OF(matmul_cached, matmul_tiled, sizeof(matmul_locals), 0, true)

GM_THREAD(matmul_shared, matmul_tiled)
{
    matmul_locals *l = t->locals;
    matmul_tiles *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = t->thread.y;
    const float *row = a->a + (size_t)GM_GLOBAL_Y(t) * a->n;
    const float *column = a->b + GM_GLOBAL_X(t);
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    for (l->k = 0; l->k < a->n; l->k += TILE) {
        float left = LOAD(t, row + l->k + x);
        SHARED_STORE(t, &s->a[y][x], left);
        float right = LOAD(t, column + (size_t)(l->k + y) * a->n);
        SHARED_STORE(t, &s->b[y][x], right);
        BARRIER(t);
        for (uint32_t k = 0; k < TILE; k++) {
            float factor = SHARED_LOAD(t, &s->a[y][k]);
            float other = SHARED_LOAD(t, &s->b[k][x]);
            COMPUTE(t, FP32, 1);
            l->sum += factor * other;
            LOOP(t);
        }
        COMPUTE(t, INTEGER, 2);
        BARRIER(t);
        LOOP(t);
    }
    STORE(t, a->c + (size_t)GM_GLOBAL_Y(t) * a->n + GM_GLOBAL_X(t), l->sum);
    END(t);
}
GM_BARRIER_KERNEL(matmul_shared, matmul_tiled, matmul_locals, matmul_tiles)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t n = (size_t)workload->value[N];
    if (n % TILE != 0) {
        return gm_fail(error, -EINVAL, "workload matmul_tiled: n=%zu is not a multiple of %d", n,
                       TILE);
    }
    float *a = gm_workload_input(workload, "a", n * n, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", n * n, sizeof *b, error);
    float *c = gm_workload_output(workload, "c", n * n, sizeof *c, error);
    if (a == NULL || b == NULL || c == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n * n; i++) {
        a[i] = gm_random_float(&random, 0.0F, 1.0F);
        b[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *(matmul_tiled *)state = (matmul_tiled){a, b, c, (uint32_t)n, workload->value[SHARED] != 0};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const matmul_tiled *m = state;
    launch->code = m->shared ? &matmul_shared_code : &matmul_cached_code;
    launch->arguments = m;
    launch->block = (gm_dim){TILE, TILE, 1};
    launch->grid = (gm_dim){m->n / TILE, m->n / TILE, 1};
    return step == 0;
}

extern const gm_workload_definition gm_workload_matmul_tiled;
const gm_workload_definition gm_workload_matmul_tiled = {
    .description = {"matmul_tiled", "matrix product by tiles in the L1 or in shared memory",
                    "after [21] of li [li, Table 1: MM, cache friendly]", options},
    .state_bytes = sizeof(matmul_tiled),
    .setup = setup,
    .launch = launch,
};
