/* Fast Walsh-Hadamard transform of several vectors, in place [CUDA samples, fastWalshTransform;
 * khairy, Table 2 (FWT)]: radix-4 stages over global memory while a vector is too long for shared
 * memory, then all stages left in shared memory, a barrier before each. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { LOG2N, VECTORS, SEED };
static const gm_workload_option options[] = {
    [LOG2N] = {"log2n", 2, 24, 18, false, "log2 of a vector's elements"},
    [VECTORS] = {"vectors", 1, 1024, 4, false, "vectors"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs: whole numbers in -8..7"},
    {0},
};

enum { SHARED_LOG2 = 11, THREADS = 256 };

typedef struct fwt {
    float *data;
    size_t stride; /* of the global stage */
    uint32_t log2n, vectors;
    uint32_t part; /* log2 of what one CTA transforms in shared memory */
} fwt;

/* The four values of a radix-4 stage. */
#define BUTTERFLY(d0, d1, d2, d3)                                                                  \
    do {                                                                                           \
        float sum02 = (d0) + (d2);                                                                 \
        float dif02 = (d0) - (d2);                                                                 \
        float sum13 = (d1) + (d3);                                                                 \
        float dif13 = (d1) - (d3);                                                                 \
        (d0) = sum02 + sum13;                                                                      \
        (d1) = sum02 - sum13;                                                                      \
        (d2) = dif02 + dif13;                                                                      \
        (d3) = dif02 - dif13;                                                                      \
    } while (0)

/* Returns the first element of thread `position` at a stride. */
static inline size_t first_of(size_t position, size_t stride)
{
    size_t low = position & (stride - 1);
    return ((position - low) << 2) + low;
}

GM_THREAD(fwt_global, fwt)
{
    uint32_t position = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 6);
    if (position < (UINT32_C(1) << a->log2n) / 4) {
        float *d = a->data + ((size_t)t->cta.y << a->log2n) + first_of(position, a->stride);
        float d0 = LOAD(t, d);
        float d1 = LOAD(t, d + a->stride);
        float d2 = LOAD(t, d + 2 * a->stride);
        float d3 = LOAD(t, d + 3 * a->stride);
        COMPUTE(t, FP32, 8);
        BUTTERFLY(d0, d1, d2, d3);
        STORE(t, d, d0);
        STORE(t, d + a->stride, d1);
        STORE(t, d + 2 * a->stride, d2);
        STORE(t, d + 3 * a->stride, d3);
    }
}
GM_KERNEL(fwt_global, fwt)

typedef struct fwt_locals {
    size_t stride;
} fwt_locals;
typedef struct fwt_tile {
    float value[1 << SHARED_LOG2];
} fwt_tile;

GM_THREAD(fwt_shared, fwt)
{
    fwt_locals *l = t->locals;
    float *s = ((fwt_tile *)t->shared)->value;
    size_t n = (size_t)1 << a->part;
    size_t x = t->thread.x;
    float *d = a->data + ((size_t)t->cta.x << a->part);
    BEGIN(t)
    COMPUTE(t, INTEGER, 3);
    for (size_t i = x; i < n; i += t->block.x) {
        float value = LOAD(t, d + i);
        SHARED_STORE(t, s + i, value);
        LOOP(t);
    }
    for (l->stride = n / 4; l->stride > 0; l->stride /= 4) {
        BARRIER(t);
        float *f = s + first_of(x, l->stride);
        COMPUTE(t, INTEGER, 4);
        float d0 = SHARED_LOAD(t, f);
        float d1 = SHARED_LOAD(t, f + l->stride);
        float d2 = SHARED_LOAD(t, f + 2 * l->stride);
        float d3 = SHARED_LOAD(t, f + 3 * l->stride);
        COMPUTE(t, FP32, 8);
        BUTTERFLY(d0, d1, d2, d3);
        SHARED_STORE(t, f, d0);
        SHARED_STORE(t, f + l->stride, d1);
        SHARED_STORE(t, f + 2 * l->stride, d2);
        SHARED_STORE(t, f + 3 * l->stride, d3);
        LOOP(t);
    }
    if (a->part % 2 != 0) {
        BARRIER(t);
        for (size_t i = x; i < n / 2; i += t->block.x) {
            float d0 = SHARED_LOAD(t, s + 2 * i);
            float d1 = SHARED_LOAD(t, s + 2 * i + 1);
            COMPUTE(t, FP32, 2);
            SHARED_STORE(t, s + 2 * i, d0 + d1);
            SHARED_STORE(t, s + 2 * i + 1, d0 - d1);
            LOOP(t);
        }
    }
    BARRIER(t);
    for (size_t i = x; i < n; i += t->block.x) {
        float value = SHARED_LOAD(t, s + i);
        STORE(t, d + i, value);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(fwt_shared, fwt, fwt_locals, fwt_tile)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    uint32_t log2n = (uint32_t)workload->value[LOG2N];
    uint32_t vectors = (uint32_t)workload->value[VECTORS];
    size_t n = (size_t)vectors << log2n;
    float *data = gm_workload_input(workload, "data", n, sizeof *data, error);
    if (data == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n; i++) {
        data[i] = (float)gm_random_below(&random, 16) - 8.0F;
    }
    *(fwt *)state = (fwt){.data = data, .log2n = log2n, .vectors = vectors};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    fwt *f = state;
    uint32_t left = f->log2n; /* stages that are left, two a global launch */
    uint64_t global = 0;
    for (; left > SHARED_LOG2; left -= 2) {
        global++;
    }
    launch->arguments = f;
    if (step < global) {
        f->stride = ((size_t)1 << f->log2n >> 2 * step) / 4;
        launch->code = &fwt_global_code;
        launch->block.x = THREADS;
        launch->grid = (gm_dim){gm_blocks((UINT32_C(1) << f->log2n) / 4, THREADS), f->vectors, 1};
        return 1;
    }
    f->part = left;
    launch->code = &fwt_shared_code;
    launch->block.x = (UINT32_C(1) << left) / 4;
    launch->grid.x = f->vectors << (f->log2n - left);
    return step == global;
}

extern const gm_workload_definition gm_workload_fwt;
const gm_workload_definition gm_workload_fwt = {
    .description = {"fwt", "fast Walsh-Hadamard transform", "CUDA samples [khairy, Table 2: FWT]",
                    options},
    .state_bytes = sizeof(fwt),
    .setup = setup,
    .launch = launch,
};
