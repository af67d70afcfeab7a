/* Wave propagation in three dimensions, by a star of 24 neighbours, all steps in one launch [singh,
 * Table 3 (STN): "3D wave propagation ... 24-neighbour stencil ... fast barriers"]. The CTAs meet
 * after each step at the lock-free barrier of Xiao and Feng, Inter-block GPU communication via fast
 * barrier synchronization, IPDPS 2010: each says that it has come in a word of its own, CTA 0 waits
 * for all words and answers each in another word. So all CTAs must be resident. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { X, Y, Z, STEPS, CTAS, STRONG, SEED };
static const gm_workload_option options[] = {
    [X] = {"x", 1, 1 << 12, 64, false, "points in x"},
    [Y] = {"y", 1, 1 << 12, 64, false, "points in y"},
    [Z] = {"z", 1, 1 << 12, 32, false, "points in z"},
    [STEPS] = {"steps", 1, 1000, 4, false, "time steps"},
    [CTAS] = {"ctas", 1, 256, 15, false, "CTAs, all of which must be resident at once"},
    [STRONG] = {"strong", 0, 1, 1, false,
                "0: the barrier's loads may hit in an L1 that is not coherent, and wait for ever"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the field"},
    {0},
};

enum { WIDE = 32, HIGH = 8, BLOCK = WIDE * HIGH, REACH = 4 };

/* Weights of the eighth-order second derivative: the point, then its neighbours by distance; scaled
 * by the square of the Courant number, 1/16. */
#define WEIGHT_0 (-205.0F / 72.0F * 3.0F / 16.0F)
#define WEIGHT_1 (8.0F / 5.0F / 16.0F)
#define WEIGHT_2 (-1.0F / 5.0F / 16.0F)
#define WEIGHT_3 (8.0F / 315.0F / 16.0F)
#define WEIGHT_4 (-1.0F / 560.0F / 16.0F)

typedef struct wave3d {
    float *field[2]; /* with REACH points of 0 on all sides: now, and before, then after */
    float *host[2];
    uint32_t *arrived, *released; /* [ctas] steps that each CTA has done, and may go on from */
    uint32_t x, y, z, steps;
    size_t row, plane; /* points from a row to the next, from a plane to the next */
} wave3d;

typedef struct wave3d_locals {
    uint32_t step, tile, seen;
} wave3d_locals;

/* Returns the place of a point. */
static inline size_t place(const wave3d *a, uint32_t x, uint32_t y, uint32_t z)
{
    return (z + REACH) * a->plane + (y + REACH) * a->row + x + REACH;
}

GM_PARTS(wave)

/* Adds the six neighbours at a distance, in one order everywhere. */
#define AROUND(distance, weight)                                                                   \
    do {                                                                                           \
        float west = LOAD(t, at - (distance));                                                     \
        float east = LOAD(t, at + (distance));                                                     \
        float north = LOAD(t, at - (distance)*a->row);                                             \
        float south = LOAD(t, at + (distance)*a->row);                                             \
        float below = LOAD(t, at - (distance)*a->plane);                                           \
        float above = LOAD(t, at + (distance)*a->plane);                                           \
        sum += (weight) * (((west + east) + (north + south)) + (below + above));                   \
        COMPUTE(t, FP32, 6);                                                                       \
    } while (0)

/* Computes the thread's points of a tile of columns. */
GM_PART(columns, wave3d)
{
    const wave3d_locals *l = t->locals;
    uint32_t across = (a->x + WIDE - 1) / WIDE;
    uint32_t x = l->tile % across * WIDE + t->thread.x;
    uint32_t y = l->tile / across * HIGH + t->thread.y;
    COMPUTE(t, INTEGER, 4);
    if (x < a->x && y < a->y) {
        for (uint32_t z = 0; z < a->z; z++) {
            const float *at = a->field[l->step & 1] + place(a, x, y, z);
            float *after = a->field[~l->step & 1] + place(a, x, y, z);
            float now = LOAD(t, at);
            float sum = WEIGHT_0 * now;
            COMPUTE(t, INTEGER, 2);
            AROUND(1, WEIGHT_1);
            AROUND(2, WEIGHT_2);
            AROUND(3, WEIGHT_3);
            AROUND(4, WEIGHT_4);
            float before = LOAD(t, after);
            COMPUTE(t, FP32, 2);
            STORE(t, after, 2.0F * now - before + sum);
            LOOP(t);
        }
    }
}

GM_WHOLE(wave, wave3d)
{
    wave3d_locals *l = t->locals;
    uint32_t id = t->thread.y * WIDE + t->thread.x;
    uint32_t tiles = (a->x + WIDE - 1) / WIDE * ((a->y + HIGH - 1) / HIGH);
    BEGIN(t)
    for (l->step = 0; l->step < a->steps; l->step++) {
        for (l->tile = t->cta.x; l->tile < tiles; l->tile += t->grid.x) {
            columns(t, a);
            YIELD(t);
            LOOP(t);
        }
        FENCE(t, GPU);
        BARRIER(t);
        if (id == 0) {
            SYNC_STORE(t, a->arrived + t->cta.x, l->step + 1);
        }
        if (t->cta.x == 0) {
            if (id < t->grid.x) {
                for (;;) {
                    SYNC_LOAD(t, l->seen, a->arrived + id);
                    if (l->seen == l->step + 1) {
                        break;
                    }
                    COMPUTE(t, INTEGER, 1);
                    LOOP(t);
                }
            }
            BARRIER(t);
            if (id < t->grid.x) {
                SYNC_STORE(t, a->released + id, l->step + 1);
            }
        }
        if (id == 0) {
            for (;;) {
                SYNC_LOAD(t, l->seen, a->released + t->cta.x);
                if (l->seen == l->step + 1) {
                    break;
                }
                COMPUTE(t, INTEGER, 1);
                LOOP(t);
            }
        }
        BARRIER(t);
        FENCE(t, GPU);
        LOOP(t);
    }
    END(t);
}
typedef struct none {
    uint32_t unused;
} none;
GM_SYNC_BARRIER_KERNEL(wave, wave3d, wave3d_locals, none)

/* One step on the host, each point by the kernel's sums in their order. */
static void step_on_host(const wave3d *a, uint32_t step)
{
    static const float weight[] = {WEIGHT_1, WEIGHT_2, WEIGHT_3, WEIGHT_4};
    for (uint32_t z = 0; z < a->z; z++) {
        for (uint32_t y = 0; y < a->y; y++) {
            for (uint32_t x = 0; x < a->x; x++) {
                const float *at = a->host[step & 1] + place(a, x, y, z);
                float *after = a->host[~step & 1] + place(a, x, y, z);
                float sum = WEIGHT_0 * *at;
                for (size_t k = 1; k <= REACH; k++) {
                    float row = (at[-(ptrdiff_t)k] + at[k]) +
                                (at[-(ptrdiff_t)(k * a->row)] + at[k * a->row]);
                    float planes = at[-(ptrdiff_t)(k * a->plane)] + at[k * a->plane];
                    sum += weight[k - 1] * (row + planes);
                }
                *after = 2.0F * *at - *after + sum;
            }
        }
    }
}

/* Compares the field with the host's, bit by bit. */
static int check(const wave3d *a, size_t points, gm_error *error)
{
    for (uint32_t step = 0; step < a->steps; step++) {
        step_on_host(a, step);
    }
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = 0; i < points; i++) {
            uint32_t found;
            uint32_t wanted;
            memcpy(&found, &a->field[k][i], sizeof found);
            memcpy(&wanted, &a->host[k][i], sizeof wanted);
            if (found != wanted) {
                return gm_fail(error, -EPROTO, "wave3d: point %zu of field %u is %g, not %g", i, k,
                               (double)a->field[k][i], (double)a->host[k][i]);
            }
        }
    }
    return 0;
}

static size_t points_of(const wave3d *a)
{
    return (a->z + (size_t)2 * REACH) * a->plane;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    wave3d *a = state;
    a->x = (uint32_t)workload->value[X];
    a->y = (uint32_t)workload->value[Y];
    a->z = (uint32_t)workload->value[Z];
    a->steps = (uint32_t)workload->value[STEPS];
    a->row = a->x + (size_t)2 * REACH;
    a->plane = (a->y + (size_t)2 * REACH) * a->row;
    size_t points = points_of(a);
    size_t ctas = (size_t)workload->value[CTAS];
    a->field[0] = gm_workload_input(workload, "now", points, sizeof(float), error);
    a->field[1] = gm_workload_input(workload, "before", points, sizeof(float), error);
    a->arrived = gm_workload_input(workload, "arrived", ctas, sizeof(uint32_t), error);
    a->released = gm_workload_input(workload, "released", ctas, sizeof(uint32_t), error);
    if (a->field[0] == NULL || a->field[1] == NULL || a->arrived == NULL || a->released == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (uint32_t z = 0; z < a->z; z++) {
        for (uint32_t y = 0; y < a->y; y++) {
            for (uint32_t x = 0; x < a->x; x++) {
                float value = (float)gm_random_below(&random, 1000) / 1000.0F;
                a->field[0][place(a, x, y, z)] = value;
                a->field[1][place(a, x, y, z)] = value;
            }
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        a->host[k] = malloc(points * sizeof(float));
        if (a->host[k] == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: wave3d");
        }
        memcpy(a->host[k], a->field[k], points * sizeof(float));
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    wave3d *a = state;
    if (step == 1) {
        return check(a, points_of(a), error);
    }
    launch->code = &wave_code;
    launch->arguments = state;
    launch->block.x = WIDE;
    launch->block.y = HIGH;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    launch->weak = workload->value[STRONG] == 0;
    return 1;
}

static void finish(void *state)
{
    wave3d *a = state;
    free(a->host[0]);
    free(a->host[1]);
}

extern const gm_workload_definition gm_workload_wave3d;
const gm_workload_definition gm_workload_wave3d = {
    .description = {"wave3d", "wave propagation, 24 neighbours, a barrier of all CTAs each step",
                    "after [singh] (STN)", options},
    .state_bytes = sizeof(wave3d),
    .setup = setup,
    .launch = launch,
    .finish = finish,
    .communicates = true,
};
