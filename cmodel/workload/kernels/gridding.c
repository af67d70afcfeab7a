/* Gridding of non-Cartesian MRI samples [Parboil mri-gridding; anssari, Table 4.2: broadcast and
 * dynamic sharing]: count the samples of each bin with atomics, scan the counts in shared memory,
 * sort the samples by bin, then each grid point gathers the samples near it under a window. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { SCAN = 512 };

enum { SAMPLES, SIDE, SEED };
static const gm_workload_option options[] = {
    [SAMPLES] = {"samples", 1, 1 << 22, 1 << 15, false, "samples"},
    [SIDE] = {"side", 8, 256, 32, false, "grid points in each dimension; one bin a point"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the samples"},
    {0},
};

typedef struct sample {
    float x, y, z, value; /* position in 0 <= x < side, ... */
} sample;

typedef struct gridding {
    const sample *sample;
    sample *sorted;
    uint32_t *count; /* of each bin */
    uint32_t *start; /* of each bin in sorted[], and the end */
    uint32_t *filled;
    float *grid;
    uint32_t samples, side;
} gridding;

static inline uint32_t bin_of(const gridding *a, sample s)
{
    return ((uint32_t)s.z * a->side + (uint32_t)s.y) * a->side + (uint32_t)s.x;
}

GM_THREAD(bin, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->samples) {
        sample s = LOAD(t, a->sample + i);
        COMPUTE(t, INTEGER, 5);
        RED_ADD(t, a->count + bin_of(a, s), 1);
    }
}
GM_KERNEL(bin, gridding)

typedef struct scan_shared {
    uint32_t sum[2][SCAN];
} scan_shared;
typedef struct scan_locals {
    uint32_t chunk, distance, carry, in;
} scan_locals;

/* Scans the counts, chunk after chunk, in one CTA. */
GM_THREAD(scan, gridding)
{
    scan_shared *s = t->shared;
    scan_locals *l = t->locals;
    uint32_t x = t->thread.x;
    uint32_t bins = a->side * a->side * a->side;
    BEGIN(t)
    for (l->chunk = 0; l->chunk < bins; l->chunk += SCAN) {
        uint32_t i = l->chunk + x;
        uint32_t count = 0;
        if (i < bins) {
            count = LOAD(t, a->count + i);
        }
        SHARED_STORE(t, &s->sum[0][x], count);
        l->in = 0;
        for (l->distance = 1; l->distance < SCAN; l->distance *= 2) {
            BARRIER(t);
            uint32_t own = SHARED_LOAD(t, &s->sum[l->in][x]);
            if (x >= l->distance) {
                own += SHARED_LOAD(t, &s->sum[l->in][x - l->distance]);
            }
            COMPUTE(t, INTEGER, 1);
            SHARED_STORE(t, &s->sum[1 - l->in][x], own);
            l->in = 1 - l->in;
            LOOP(t);
        }
        BARRIER(t);
        uint32_t sum = SHARED_LOAD(t, &s->sum[l->in][x]);
        COMPUTE(t, INTEGER, 1);
        if (l->chunk + x < bins) {
            STORE(t, a->start + l->chunk + x + 1, l->carry + sum);
        }
        l->carry += SHARED_LOAD(t, &s->sum[l->in][SCAN - 1]);
        BARRIER(t);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(scan, gridding, scan_locals, scan_shared)

GM_THREAD(sort, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->samples) {
        sample s = LOAD(t, a->sample + i);
        uint32_t bin = bin_of(a, s);
        COMPUTE(t, INTEGER, 5);
        uint32_t place = ATOMIC_ADD(t, a->filled + bin, 1);
        uint32_t start = LOAD(t, a->start + bin);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->sorted + start + place, s);
    }
}
GM_KERNEL(sort, gridding)

/* Returns the weight of a sample at squared distance r2, which falls from 1 to 0 at a distance of
 * 2. */
static inline float window(float r2)
{
    float s = 1.0F - 0.25F * r2;
    return s > 0.0F ? s * s : 0.0F;
}

/* Return the first and the last bin that can hold a sample within 2 of i, in one dimension. */
static inline uint32_t first_near(uint32_t i)
{
    return i < 2 ? 0 : i - 2;
}
static inline uint32_t last_near(uint32_t i, uint32_t side)
{
    return i + 1 < side ? i + 1 : side - 1;
}

GM_THREAD(gather, gridding)
{
    uint32_t x = t->thread.x;
    uint32_t y = t->cta.x * t->block.y + t->thread.y;
    uint32_t z = t->cta.y;
    COMPUTE(t, INTEGER, 6);
    if (y < a->side) {
        float sum = 0.0F;
        for (uint32_t bz = first_near(z); bz <= last_near(z, a->side); bz++) {
            for (uint32_t by = first_near(y); by <= last_near(y, a->side); by++) {
                const uint32_t *row = a->start + ((size_t)bz * a->side + by) * a->side;
                uint32_t from = LOAD(t, row + first_near(x));
                uint32_t to = LOAD(t, row + last_near(x, a->side) + 1);
                for (uint32_t i = from; i < to; i++) {
                    sample s = LOAD(t, a->sorted + i);
                    COMPUTE(t, FP32, 9);
                    float dx = s.x - (float)x;
                    float dy = s.y - (float)y;
                    float dz = s.z - (float)z;
                    sum += s.value * window(dx * dx + dy * dy + dz * dz);
                    LOOP(t);
                }
                LOOP(t);
            }
            LOOP(t);
        }
        STORE(t, a->grid + ((size_t)z * a->side + y) * a->side + x, sum);
    }
}
GM_KERNEL(gather, gridding)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gridding *s = state;
    s->samples = (uint32_t)workload->value[SAMPLES];
    s->side = (uint32_t)workload->value[SIDE];
    size_t bins = (size_t)s->side * s->side * s->side;
    sample *samples = gm_workload_input(workload, "sample", s->samples, sizeof *samples, error);
    s->sorted = gm_workload_output(workload, "sorted", s->samples, sizeof *s->sorted, error);
    s->count = gm_workload_output(workload, "count", bins, sizeof(uint32_t), error);
    s->start = gm_workload_output(workload, "start", bins + 1, sizeof(uint32_t), error);
    s->filled = gm_workload_output(workload, "filled", bins, sizeof(uint32_t), error);
    s->grid = gm_workload_output(workload, "grid", bins, sizeof(float), error);
    if (samples == NULL || s->sorted == NULL || s->count == NULL || s->start == NULL ||
        s->filled == NULL || s->grid == NULL) {
        return error->code;
    }
    /* Denser in the middle, as samples along spokes are. */
    uint64_t random = (uint64_t)workload->value[SEED];
    float side = (float)s->side;
    for (uint32_t i = 0; i < s->samples; i++) {
        float at[3];
        for (int d = 0; d < 3; d++) {
            at[d] = side * 0.5F *
                    (gm_random_float(&random, 0.0F, 1.0F) + gm_random_float(&random, 0.0F, 1.0F));
            at[d] = at[d] < side ? at[d] : 0.0F;
        }
        samples[i] = (sample){at[0], at[1], at[2], gm_random_float(&random, -1.0F, 1.0F)};
    }
    s->sample = samples;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const gridding *s = state;
    static const gm_code *const codes[] = {&bin_code, &scan_code, &sort_code, &gather_code};
    if (step == 4) {
        return 0;
    }
    launch->code = codes[step];
    launch->arguments = s;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(s->samples, 256);
    if (step == 1) {
        launch->block.x = SCAN;
        launch->grid.x = 1;
    } else if (step == 3) {
        uint32_t rows = s->side < 256 ? 256 / s->side : 1;
        launch->block = (gm_dim){s->side, rows, 1};
        launch->grid = (gm_dim){gm_blocks(s->side, rows), s->side, 1};
    }
    return 1;
}

extern const gm_workload_definition gm_workload_gridding;
const gm_workload_definition gm_workload_gridding = {
    .description = {"gridding", "gridding of MRI samples", "Parboil [anssari, Table 4.2]", options},
    .state_bytes = sizeof(gridding),
    .setup = setup,
    .launch = launch,
};
