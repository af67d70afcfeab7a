/* Seven-point Jacobi stencil on a 3D grid, a thread a point [Parboil stencil, naive kernel; khairy,
 * Table 2 (3DS): inter-warp conflicts; anssari, Table 4.2: boundary sharing]. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { X, Y, Z, ITERATIONS, SEED };
static const gm_workload_option options[] = {
    [X] = {"x", 3, 1 << 12, 128, false, "points in x"},
    [Y] = {"y", 3, 1 << 12, 64, false, "points in y"},
    [Z] = {"z", 3, 1 << 12, 32, false, "points in z"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "sweeps"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the grid"},
    {0},
};

typedef struct stencil3d {
    float *from, *to; /* swapped after each sweep */
    uint32_t x, y, z;
    float centre, side; /* weights */
} stencil3d;

GM_THREAD(sweep, stencil3d)
{
    uint32_t x = GM_GLOBAL_X(t) + 1;
    uint32_t y = GM_GLOBAL_Y(t) + 1;
    uint32_t z = GM_GLOBAL_Z(t) + 1;
    COMPUTE(t, INTEGER, 6);
    if (x < a->x - 1 && y < a->y - 1) {
        size_t row = a->x;
        size_t plane = (size_t)a->x * a->y;
        const float *centre = a->from + z * plane + y * row + x;
        float sum = LOAD(t, centre + plane);
        sum += LOAD(t, centre - plane);
        sum += LOAD(t, centre + row);
        sum += LOAD(t, centre - row);
        sum += LOAD(t, centre + 1);
        sum += LOAD(t, centre - 1);
        float own = LOAD(t, centre);
        COMPUTE(t, FP32, 8);
        STORE(t, a->to + (centre - a->from), a->side * sum - a->centre * own);
    }
}
GM_KERNEL(sweep, stencil3d)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    stencil3d *s = state;
    s->x = (uint32_t)workload->value[X];
    s->y = (uint32_t)workload->value[Y];
    s->z = (uint32_t)workload->value[Z];
    s->centre = 1.0F / 6.0F;
    s->side = 1.0F / 36.0F;
    size_t points = (size_t)s->x * s->y * s->z;
    s->from = gm_workload_input(workload, "a", points, sizeof(float), error);
    s->to = gm_workload_input(workload, "b", points, sizeof(float), error);
    if (s->from == NULL || s->to == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < points; i++) {
        s->from[i] = s->to[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    stencil3d *s = state;
    if (step > 0) {
        float *written = s->to;
        s->to = s->from;
        s->from = written;
    }
    launch->code = &sweep_code;
    launch->arguments = s;
    launch->block = (gm_dim){32, 4, 1};
    launch->grid = (gm_dim){gm_blocks(s->x - 2, 32), gm_blocks(s->y - 2, 4), s->z - 2};
    return step < (uint64_t)workload->value[ITERATIONS];
}

extern const gm_workload_definition gm_workload_stencil3d;
const gm_workload_definition gm_workload_stencil3d = {
    .description = {"stencil3d", "seven-point stencil on a 3D grid",
                    "Parboil [khairy, Table 2; anssari, Table 4.2]", options},
    .state_bytes = sizeof(stencil3d),
    .setup = setup,
    .launch = launch,
};
