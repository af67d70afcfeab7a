/* Dense matrix product C = alpha A B' + beta C with register and shared-memory tiles [Parboil
 * sgemm, mysgemmNT; anssari, Table 4.2: broadcast sharing], or without shared memory, as programs
 * that rely on the cache have it [anssari, 2.2]: then all lanes load each element of B. A and B are
 * column-major, C too; a thread holds 16 elements of a row of C. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { TILE_M = 128, TILE_N = 16, TILE_K = 8 };

enum { M, N, K, SHARED, SEED };
static const gm_workload_option options[] = {
    [M] = {"m", TILE_M, 1 << 14, 256, false, "rows of A and C; a multiple of 128"},
    [N] = {"n", TILE_N, 1 << 14, 256, false, "rows of B, columns of C; a multiple of 16"},
    [K] = {"k", TILE_K, 1 << 14, 128, false, "columns of A and B; a multiple of 8"},
    [SHARED] = {"shared", 0, 1, 1, false, "0: without shared memory"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

typedef struct sgemm {
    const float *a, *b;
    float *c;
    uint32_t m, n, k;
    float alpha, beta;
} sgemm;

typedef struct tile {
    float b[TILE_K][TILE_N];
} tile;
typedef struct sgemm_locals {
    float sum[TILE_N];
    uint32_t k, column;
} sgemm_locals;

GM_THREAD(sgemm, sgemm)
{
    tile *s = t->shared;
    sgemm_locals *l = t->locals;
    uint32_t thread = t->thread.y * TILE_N + t->thread.x;
    size_t row = t->cta.x * TILE_M + thread;
    size_t first = t->cta.y * TILE_N;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    for (l->k = 0; l->k < a->k; l->k += TILE_K) {
        float b = LOAD(t, a->b + first + t->thread.x + (size_t)(l->k + t->thread.y) * a->n);
        SHARED_STORE(t, &s->b[t->thread.y][t->thread.x], b);
        BARRIER(t);
        for (uint32_t k = 0; k < TILE_K; k++) {
            float x = LOAD(t, a->a + row + (size_t)(l->k + k) * a->m);
            for (uint32_t n = 0; n < TILE_N; n++) {
                float y = SHARED_LOAD(t, &s->b[k][n]);
                COMPUTE(t, FP32, 1);
                l->sum[n] += x * y;
                LOOP(t);
            }
            LOOP(t);
        }
        BARRIER(t);
        LOOP(t);
    }
    for (l->column = 0; l->column < TILE_N; l->column++) {
        float *c = a->c + row + (first + l->column) * a->m;
        float old = LOAD(t, c);
        COMPUTE(t, FP32, 2);
        STORE(t, c, a->beta * old + a->alpha * l->sum[l->column]);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(sgemm, sgemm, sgemm_locals, tile)

GM_THREAD(sgemm_cached, sgemm)
{
    sgemm_locals *l = t->locals;
    size_t row = t->cta.x * TILE_M + t->thread.y * TILE_N + t->thread.x;
    size_t first = t->cta.y * TILE_N;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    for (l->k = 0; l->k < a->k; l->k++) {
        float x = LOAD(t, a->a + row + (size_t)l->k * a->m);
        for (uint32_t n = 0; n < TILE_N; n++) {
            float y = LOAD(t, a->b + first + n + (size_t)l->k * a->n);
            COMPUTE(t, FP32, 1);
            l->sum[n] += x * y;
            LOOP(t);
        }
        YIELD(t);
        LOOP(t);
    }
    for (l->column = 0; l->column < TILE_N; l->column++) {
        float *c = a->c + row + (first + l->column) * a->m;
        float old = LOAD(t, c);
        COMPUTE(t, FP32, 2);
        STORE(t, c, a->beta * old + a->alpha * l->sum[l->column]);
        LOOP(t);
    }
    END(t);
}
GM_YIELD_KERNEL(sgemm_cached, sgemm, sgemm_locals)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    sgemm *s = state;
    static const uint32_t multiple[] = {TILE_M, TILE_N, TILE_K};
    for (int i = M; i <= K; i++) {
        if (workload->value[i] % multiple[i] != 0) {
            return gm_fail(error, -EINVAL, "workload sgemm: %s=%lld is not a multiple of %u",
                           options[i].name, (long long)workload->value[i], multiple[i]);
        }
    }
    size_t m = (size_t)workload->value[M];
    size_t n = (size_t)workload->value[N];
    size_t k = (size_t)workload->value[K];
    float *a = gm_workload_input(workload, "a", m * k, sizeof *a, error);
    float *b = gm_workload_input(workload, "b", n * k, sizeof *b, error);
    float *c = gm_workload_input(workload, "c", m * n, sizeof *c, error);
    if (a == NULL || b == NULL || c == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < m * k; i++) {
        a[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    for (size_t i = 0; i < n * k; i++) {
        b[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    for (size_t i = 0; i < m * n; i++) {
        c[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    *s = (sgemm){a, b, c, (uint32_t)m, (uint32_t)n, (uint32_t)k, 1.5F, 0.5F};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const sgemm *s = state;
    launch->code = workload->value[SHARED] == 1 ? &sgemm_code : &sgemm_cached_code;
    launch->arguments = s;
    launch->block = (gm_dim){TILE_N, TILE_K, 1};
    launch->grid = (gm_dim){s->m / TILE_M, s->n / TILE_N, 1};
    launch->registers = 32;
    return step == 0;
}

extern const gm_workload_definition gm_workload_sgemm;
const gm_workload_definition gm_workload_sgemm = {
    .description = {"sgemm", "dense matrix product, register and shared-memory tiles",
                    "Parboil [anssari, Table 4.2]", options},
    .state_bytes = sizeof(sgemm),
    .setup = setup,
    .launch = launch,
};
