/* Temperature of a chip from its power [Rodinia, hotspot; khairy, Table 2 (HS); li, Table 1 (HS):
 * cache unfriendly; singh, Table 3 (HSP)]: each CTA loads a 16x16 tile with its borders and takes
 * `pyramid` time steps in shared memory; the valid part of the tile shrinks with each step. */
#include "base/random.h"
#include "workload/clamp.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, PYRAMID, STEPS, SEED, TEMPERATURE, POWER };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 14, 512, false, "rows and columns of the chip"},
    [PYRAMID] = {"pyramid", 1, 7, 2, false, "time steps of one launch"},
    [STEPS] = {"steps", 1, 10000, 4, false, "time steps"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs, where no file is given"},
    [TEMPERATURE] = {"temp", 0, 0, 0, true, "file of n*n temperatures, in Rodinia's form"},
    [POWER] = {"power", 0, 0, 0, true, "file of n*n powers, in Rodinia's form"},
    {0},
};

enum { TILE = 16 };
static const float AMBIENT = 80.0F;

typedef struct hotspot {
    const float *power;
    float *temperature[2];
    const float *from;
    float *to;
    int32_t n, pyramid, steps;
    int32_t iterations;           /* of this launch */
    float step_by_capacity;       /* time step / heat capacity */
    float per_rx, per_ry, per_rz; /* 1 / thermal resistance */
} hotspot;

typedef struct hotspot_locals {
    int32_t i;
    bool computed;
} hotspot_locals;
typedef struct hotspot_tile {
    float temperature[TILE][TILE];
    float power[TILE][TILE];
    float next[TILE][TILE];
} hotspot_tile;

static inline bool within(int32_t value, int32_t low, int32_t high)
{
    return value >= low && value <= high;
}

/* A thread's element of the grid, true if it is on the chip, and its neighbours in the tile. */
typedef struct hotspot_place {
    ptrdiff_t index;
    bool on_chip;
    int32_t north, south, west, east;
} hotspot_place;

static inline hotspot_place place_of(const gm_thread *t, const hotspot *a)
{
    int32_t tx = (int32_t)t->thread.x;
    int32_t ty = (int32_t)t->thread.y;
    int32_t small = TILE - 2 * a->iterations;
    int32_t left = small * (int32_t)t->cta.x - a->pyramid;
    int32_t top = small * (int32_t)t->cta.y - a->pyramid;
    /* The part of the tile that is on the chip; neighbours are clamped to it. */
    int32_t low_x = gm_greater(-left, 0);
    int32_t low_y = gm_greater(-top, 0);
    int32_t high_x = gm_lesser(a->n - 1 - left, TILE - 1);
    int32_t high_y = gm_lesser(a->n - 1 - top, TILE - 1);
    return (hotspot_place){
        .index = (ptrdiff_t)a->n * (top + ty) + left + tx,
        .on_chip = within(tx, low_x, high_x) && within(ty, low_y, high_y),
        .north = gm_greater(ty - 1, low_y),
        .south = gm_lesser(ty + 1, high_y),
        .west = gm_greater(tx - 1, low_x),
        .east = gm_lesser(tx + 1, high_x),
    };
}

GM_THREAD(hotspot, hotspot)
{
    hotspot_locals *l = t->locals;
    hotspot_tile *s = t->shared;
    int32_t tx = (int32_t)t->thread.x;
    int32_t ty = (int32_t)t->thread.y;
    hotspot_place at = place_of(t, a);
    BEGIN(t)
    COMPUTE(t, INTEGER, 20);
    if (at.on_chip) {
        float temperature = LOAD(t, a->from + at.index);
        SHARED_STORE(t, &s->temperature[ty][tx], temperature);
        float power = LOAD(t, a->power + at.index);
        SHARED_STORE(t, &s->power[ty][tx], power);
    }
    BARRIER(t);
    for (l->i = 0; l->i < a->iterations; l->i++) {
        COMPUTE(t, INTEGER, 4);
        l->computed = at.on_chip && within(tx, l->i + 1, TILE - l->i - 2) &&
                      within(ty, l->i + 1, TILE - l->i - 2);
        if (l->computed) {
            float here = SHARED_LOAD(t, &s->temperature[ty][tx]);
            float power = SHARED_LOAD(t, &s->power[ty][tx]);
            float below = SHARED_LOAD(t, &s->temperature[at.south][tx]);
            float above = SHARED_LOAD(t, &s->temperature[at.north][tx]);
            float right = SHARED_LOAD(t, &s->temperature[ty][at.east]);
            float before = SHARED_LOAD(t, &s->temperature[ty][at.west]);
            COMPUTE(t, FP32, 12);
            float next =
                here + a->step_by_capacity * (power + (below + above - 2.0F * here) * a->per_ry +
                                              (right + before - 2.0F * here) * a->per_rx +
                                              (AMBIENT - here) * a->per_rz);
            SHARED_STORE(t, &s->next[ty][tx], next);
        }
        BARRIER(t);
        if (l->i == a->iterations - 1) {
            break;
        }
        if (l->computed) {
            float next = SHARED_LOAD(t, &s->next[ty][tx]);
            SHARED_STORE(t, &s->temperature[ty][tx], next);
        }
        BARRIER(t);
        LOOP(t);
    }
    if (l->computed) {
        float next = SHARED_LOAD(t, &s->next[ty][tx]);
        STORE(t, a->to + at.index, next);
    }
    END(t);
}
GM_BARRIER_KERNEL(hotspot, hotspot, hotspot_locals, hotspot_tile)

/* Sets Rodinia's chip: 16 mm by 16 mm, 0.5 mm thick, of silicon. */
static void set_chip(hotspot *h)
{
    const float side = 0.016F;
    const float thickness = 0.0005F;
    const float conductivity = 100.0F;
    const float specific_heat = 1.75e6F;
    const float factor = 0.5F;
    const float max_power_density = 3.0e6F;
    const float precision = 0.001F;
    float cell = side / (float)h->n;
    float capacity = factor * specific_heat * thickness * cell * cell;
    float step = precision / (max_power_density / (factor * thickness * specific_heat));
    float resistance = cell / (2.0F * conductivity * thickness * cell);
    h->step_by_capacity = step / capacity;
    h->per_rx = 1.0F / resistance;
    h->per_ry = 1.0F / resistance;
    h->per_rz = 1.0F / (thickness / (conductivity * cell * cell));
}

/* Fills an array from a file, or with random values from low to high. */
static int fill(const char *path, uint64_t seed, float low, float high, float *value, size_t count,
                gm_error *error)
{
    if (path != NULL) {
        return gm_input_file_floats(path, value, count, error);
    }
    for (size_t i = 0; i < count; i++) {
        value[i] = gm_random_float(&seed, low, high);
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    hotspot *h = state;
    size_t n = (size_t)workload->value[N];
    uint64_t seed = (uint64_t)workload->value[SEED];
    float *power = gm_workload_input(workload, "power", n * n, sizeof *power, error);
    float *from = gm_workload_input(workload, "temp0", n * n, sizeof *from, error);
    float *to = gm_workload_output(workload, "temp1", n * n, sizeof *to, error);
    if (power == NULL || from == NULL || to == NULL) {
        return error->code;
    }
    *h = (hotspot){.power = power,
                   .temperature = {from, to},
                   .n = (int32_t)n,
                   .pyramid = (int32_t)workload->value[PYRAMID],
                   .steps = (int32_t)workload->value[STEPS]};
    set_chip(h);
    int result = fill(workload->path[TEMPERATURE], seed, 320.0F, 330.0F, from, n * n, error);
    if (result >= 0) {
        result = fill(workload->path[POWER], seed + 1, 0.0F, 0.01F, power, n * n, error);
    }
    return result;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    hotspot *h = state;
    int64_t done = (int64_t)step * h->pyramid;
    if (done >= h->steps) {
        return 0;
    }
    h->iterations = h->steps - done < h->pyramid ? (int32_t)(h->steps - done) : h->pyramid;
    h->from = h->temperature[step % 2];
    h->to = h->temperature[1 - step % 2];
    launch->code = &hotspot_code;
    launch->arguments = h;
    launch->block = (gm_dim){TILE, TILE, 1};
    launch->grid.x = gm_blocks((uint64_t)h->n, (uint32_t)(TILE - 2 * h->pyramid));
    launch->grid.y = launch->grid.x;
    return 1;
}

extern const gm_workload_definition gm_workload_hotspot;
const gm_workload_definition gm_workload_hotspot = {
    .description = {"hotspot", "temperature of a chip, time steps in shared-memory tiles",
                    "Rodinia [khairy, Table 2: HS; li, Table 1: HS; singh, Table 3: HSP]", options},
    .state_bytes = sizeof(hotspot),
    .setup = setup,
    .launch = launch,
};
