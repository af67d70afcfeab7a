/* Jacobi sweeps of Laplace's equation on a 3D grid with fixed faces [singh, Table 3 (LPS); the 3D
 * Laplace solver of Bakhoda et al., Analyzing CUDA workloads, ISPASS 2009]. A CTA takes 32x4
 * columns and walks along z, with the planes before, at and behind its place in shared memory. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { X, Y, Z, ITERATIONS, SEED };
static const gm_workload_option options[] = {
    [X] = {"x", 3, 1 << 12, 100, false, "points in x"},
    [Y] = {"y", 3, 1 << 12, 100, false, "points in y"},
    [Z] = {"z", 3, 1 << 12, 100, false, "points in z"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "sweeps"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the grid"},
    {0},
};

enum { WIDE = 32, HIGH = 4, PLANES = 3, ROUND = 2 * (WIDE + HIGH) };

typedef struct laplace3d {
    float *from, *to; /* swapped after each sweep */
    uint32_t x, y, z;
} laplace3d;

/* A plane's tile with a point more to each side; plane z is in planes[z % PLANES]. */
typedef struct tiles {
    float planes[PLANES][HIGH + 2][WIDE + 2];
} tiles;

typedef struct laplace3d_locals {
    uint32_t z; /* plane that is loaded; the plane below it is computed */
} laplace3d_locals;

GM_PARTS(sweep)

/* Loads the thread's own point of plane l->z. */
GM_PART(load_own, laplace3d)
{
    tiles *s = t->shared;
    const laplace3d_locals *l = t->locals;
    uint32_t x = GM_GLOBAL_X(t);
    uint32_t y = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 3);
    if (x < a->x && y < a->y) {
        float value = LOAD(t, a->from + ((size_t)l->z * a->y + y) * a->x + x);
        SHARED_STORE(t, &s->planes[l->z % PLANES][t->thread.y + 1][t->thread.x + 1], value);
    }
}

/* Loads one of the ROUND points around the tile: the row above, the row below, the two columns. */
GM_PART(load_around, laplace3d)
{
    tiles *s = t->shared;
    const laplace3d_locals *l = t->locals;
    uint32_t i = t->thread.y * WIDE + t->thread.x;
    COMPUTE(t, INTEGER, 2);
    if (i < ROUND) {
        uint32_t side = i - 2 * WIDE; /* of the columns' points */
        uint32_t row = i < WIDE ? 0 : i < 2 * WIDE ? HIGH + 1 : side % HIGH + 1;
        uint32_t column = i < 2 * WIDE ? i % WIDE + 1 : side < HIGH ? 0 : WIDE + 1;
        uint32_t x = t->cta.x * WIDE + column; /* one more than the point's */
        uint32_t y = t->cta.y * HIGH + row;
        COMPUTE(t, INTEGER, 8);
        if (x >= 1 && x <= a->x && y >= 1 && y <= a->y) {
            float value = LOAD(t, a->from + ((size_t)l->z * a->y + y - 1) * a->x + x - 1);
            SHARED_STORE(t, &s->planes[l->z % PLANES][row][column], value);
        }
    }
}
GM_POINT(loaded)

/* Computes the point in plane l->z - 1; points of the grid's faces stay. */
GM_PART(relax, laplace3d)
{
    tiles *s = t->shared;
    const laplace3d_locals *l = t->locals;
    uint32_t x = GM_GLOBAL_X(t);
    uint32_t y = GM_GLOBAL_Y(t);
    uint32_t z = l->z - 1;
    uint32_t row = t->thread.y + 1;
    uint32_t column = t->thread.x + 1;
    COMPUTE(t, INTEGER, 4);
    if (x < a->x && y < a->y) {
        float *to = a->to + ((size_t)z * a->y + y) * a->x + x;
        if (x > 0 && x < a->x - 1 && y > 0 && y < a->y - 1 && z > 0 && z < a->z - 1) {
            float sum = SHARED_LOAD(t, &s->planes[z % PLANES][row][column - 1]);
            sum += SHARED_LOAD(t, &s->planes[z % PLANES][row][column + 1]);
            sum += SHARED_LOAD(t, &s->planes[z % PLANES][row - 1][column]);
            sum += SHARED_LOAD(t, &s->planes[z % PLANES][row + 1][column]);
            sum += SHARED_LOAD(t, &s->planes[(z - 1) % PLANES][row][column]);
            sum += SHARED_LOAD(t, &s->planes[(z + 1) % PLANES][row][column]);
            COMPUTE(t, FP32, 6);
            STORE(t, to, sum / 6.0F);
        } else {
            float fixed = SHARED_LOAD(t, &s->planes[z % PLANES][row][column]);
            STORE(t, to, fixed);
        }
    }
}
GM_POINT(relaxed)

GM_WHOLE(sweep, laplace3d)
{
    laplace3d_locals *l = t->locals;
    BEGIN(t)
    for (l->z = 0; l->z <= a->z; l->z++) {
        if (l->z < a->z) {
            load_own(t, a);
            load_around(t, a);
        }
        BARRIER_AT(t, loaded);
        if (l->z > 0) {
            relax(t, a);
        }
        BARRIER_AT(t, relaxed);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(sweep, laplace3d, laplace3d_locals, tiles)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    laplace3d *s = state;
    s->x = (uint32_t)workload->value[X];
    s->y = (uint32_t)workload->value[Y];
    s->z = (uint32_t)workload->value[Z];
    size_t points = (size_t)s->x * s->y * s->z;
    s->from = gm_workload_input(workload, "a", points, sizeof(float), error);
    s->to = gm_workload_output(workload, "b", points, sizeof(float), error);
    if (s->from == NULL || s->to == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < points; i++) {
        s->from[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    laplace3d *s = state;
    if (step > 0) {
        float *written = s->to;
        s->to = s->from;
        s->from = written;
    }
    launch->code = &sweep_code;
    launch->arguments = s;
    launch->block = (gm_dim){WIDE, HIGH, 1};
    launch->grid = (gm_dim){gm_blocks(s->x, WIDE), gm_blocks(s->y, HIGH), 1};
    return step < (uint64_t)workload->value[ITERATIONS];
}

extern const gm_workload_definition gm_workload_laplace3d;
const gm_workload_definition gm_workload_laplace3d = {
    .description = {"laplace3d", "3D Laplace solver with planes in shared memory",
                    "ISPASS 2009 suite [singh, Table 3: LPS]", options},
    .state_bytes = sizeof(laplace3d),
    .setup = setup,
    .launch = launch,
};
