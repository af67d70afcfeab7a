/* Lattice-Boltzmann flow, D3Q19, collide and stream [Parboil lbm; anssari, Table 4.2]. A thread is
 * a cell; its distributions lie together (AoS: not coalesced) or in an array each (SoA: coalesced).
 */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <string.h>

enum { DIRECTIONS = 19, OBSTACLE = 19, ENTRIES = 20 };

enum { X, Y, Z, ITERATIONS, SOA, SEED, OBSTACLES };
static const gm_workload_option options[] = {
    [X] = {"x", 1, 1024, 64, false, "cells in x"},
    [Y] = {"y", 1, 1024, 16, false, "cells in y"},
    [Z] = {"z", 1, 1024, 16, false, "cells in z"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "time steps"},
    [SOA] = {"soa", 0, 1, 0, false, "1: an array for each distribution; 0: a struct for each cell"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the start and the obstacles"},
    [OBSTACLES] = {"obstacles", 0, 0, 0, true,
                   "Parboil's obstacle file (of x * y * z characters), instead of random ones"},
    {0},
};

typedef struct lbm {
    float *from, *to;
    uint32_t x, y, z;
    size_t cell_step,
        entry_step; /* element of a cell and entry: cell * cell_step + entry * entry_step */
} lbm;

/* Velocities; the one at e + 1 is opposite to that at e, for odd e. */
static const int8_t velocity[DIRECTIONS][3] = {
    {0, 0, 0},  {0, 1, 0},   {0, -1, 0},  {1, 0, 0},  {-1, 0, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {0, 1, 1},  {0, -1, -1}, {0, 1, -1},
    {0, -1, 1}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
};

static float weight_of(unsigned e)
{
    return e == 0 ? 1.0F / 3.0F : e < 7 ? 1.0F / 18.0F : 1.0F / 36.0F;
}

/* Returns the equilibrium of direction e at density rho and velocity u. */
static inline float equilibrium(unsigned e, float rho, const float u[3])
{
    float along =
        (float)velocity[e][0] * u[0] + (float)velocity[e][1] * u[1] + (float)velocity[e][2] * u[2];
    float square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    return weight_of(e) * rho * (1.0F + 3.0F * along + 4.5F * along * along - 1.5F * square);
}

/* Returns i + d, wrapped into 0..n-1. */
static inline uint32_t wrapped(uint32_t i, int d, uint32_t n)
{
    return d < 0 ? (i == 0 ? n - 1 : i - 1) : d > 0 ? (i == n - 1 ? 0 : i + 1) : i;
}

static inline size_t neighbour(const lbm *a, const gm_thread *t, unsigned e)
{
    size_t x = wrapped(t->thread.x, velocity[e][0], a->x);
    size_t y = wrapped(t->cta.x, velocity[e][1], a->y);
    size_t z = wrapped(t->cta.y, velocity[e][2], a->z);
    return x + a->x * (y + a->y * z);
}

GM_THREAD(step, lbm)
{
    size_t cell = t->thread.x + a->x * (t->cta.x + (size_t)a->y * t->cta.y);
    const float *own = a->from + cell * a->cell_step;
    float f[DIRECTIONS];
    COMPUTE(t, INTEGER, 6);
    for (unsigned e = 0; e < DIRECTIONS; e++) {
        f[e] = LOAD(t, own + e * a->entry_step);
        LOOP(t);
    }
    if (LOAD(t, own + OBSTACLE * a->entry_step) != 0.0F) {
        for (unsigned e = 1; e < DIRECTIONS; e++) {
            unsigned opposite = e % 2 == 1 ? e + 1 : e - 1;
            COMPUTE(t, INTEGER, 1);
            STORE(t, a->to + neighbour(a, t, e) * a->cell_step + e * a->entry_step, f[opposite]);
            LOOP(t);
        }
        STORE(t, a->to + cell * a->cell_step, f[0]);
    } else {
        float rho = 0.0F;
        float u[3] = {0.0F};
        COMPUTE(t, FP32, 60);
        for (unsigned e = 0; e < DIRECTIONS; e++) {
            rho += f[e];
            for (unsigned d = 0; d < 3; d++) {
                u[d] += f[e] * (float)velocity[e][d];
            }
        }
        for (unsigned d = 0; d < 3; d++) {
            u[d] /= rho;
        }
        for (unsigned e = 0; e < DIRECTIONS; e++) {
            COMPUTE(t, FP32, 8);
            float omega = 1.85F;
            float next = f[e] - omega * (f[e] - equilibrium(e, rho, u));
            STORE(t, a->to + neighbour(a, t, e) * a->cell_step + e * a->entry_step, next);
            LOOP(t);
        }
    }
}
GM_KERNEL(step, lbm)

/* Marks the obstacles in both grids. */
static void mark(lbm *s, size_t cell, bool obstacle)
{
    size_t at = cell * s->cell_step + OBSTACLE * s->entry_step;
    s->from[at] = s->to[at] = obstacle ? 1.0F : 0.0F;
}

static int read_obstacles(lbm *s, gm_input_file *file, gm_error *error)
{
    size_t cells = (size_t)s->x * s->y * s->z;
    for (size_t cell = 0; cell < cells; cell++) {
        if (gm_input_file_ended(file)) {
            return gm_input_file_fail(file, error, "%zu cells, of %u x %u x %u", cell, s->x, s->y,
                                      s->z);
        }
        mark(s, cell, file->bytes[file->at++] != '.');
    }
    if (!gm_input_file_ended(file)) {
        return gm_input_file_fail(file, error, "more than %u x %u x %u cells", s->x, s->y, s->z);
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    lbm *s = state;
    s->x = (uint32_t)workload->value[X];
    s->y = (uint32_t)workload->value[Y];
    s->z = (uint32_t)workload->value[Z];
    size_t cells = (size_t)s->x * s->y * s->z;
    bool soa = workload->value[SOA] != 0;
    s->cell_step = soa ? 1 : ENTRIES;
    s->entry_step = soa ? cells : 1;
    s->from = gm_workload_input(workload, "from", cells * ENTRIES, sizeof(float), error);
    s->to = gm_workload_input(workload, "to", cells * ENTRIES, sizeof(float), error);
    if (s->from == NULL || s->to == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t cell = 0; cell < cells; cell++) {
        for (unsigned e = 0; e < DIRECTIONS; e++) {
            s->from[cell * s->cell_step + e * s->entry_step] =
                weight_of(e) * gm_random_float(&random, 0.9F, 1.1F);
        }
        mark(s, cell, gm_random_below(&random, 16) == 0);
    }
    if (workload->path[OBSTACLES] == NULL) {
        return 0;
    }
    gm_input_file file;
    int code = gm_input_file_load(&file, workload->path[OBSTACLES], error);
    if (code == 0) {
        code = read_obstacles(s, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    lbm *s = state;
    if (step > 0) {
        float *written = s->to;
        s->to = s->from;
        s->from = written;
    }
    launch->code = &step_code;
    launch->arguments = s;
    launch->block.x = s->x;
    launch->grid = (gm_dim){s->y, s->z, 1};
    launch->registers = 40;
    return step < (uint64_t)workload->value[ITERATIONS];
}

extern const gm_workload_definition gm_workload_lbm;
const gm_workload_definition gm_workload_lbm = {
    .description = {"lbm", "lattice-Boltzmann flow, D3Q19, AoS or SoA",
                    "Parboil [anssari, Table 4.2]", options},
    .state_bytes = sizeof(lbm),
    .setup = setup,
    .launch = launch,
};
