/* Gravity among bodies by Barnes and Hut's tree [LonestarGPU bh, kernels BoundingBox,
 * ForceCalculation (barneshut_force.c) and Integration; li, Table 1 (BH): cache unfriendly]. The
 * host builds the tree, sums its cells up and sorts the bodies by it; the original, which the paper
 * runs, does so in three more kernels. The kernel that builds the tree, for which singh has BH, is
 * left out. */
#include "workload/kernels/barneshut.h"
#include "base/random.h"

#include <math.h>

enum { BODIES, STEPS, THETA, SEED };
static const gm_workload_option options[] = {
    [BODIES] = {"bodies", 1, 1 << 20, 2048, false, "in Plummer's model of a star cluster"},
    [STEPS] = {"steps", 1, 1000, 2, false, "time steps"},
    [THETA] = {"theta", 0, 100, 50, false,
               "percent: a cell's side by its distance, from which on it is opened; 0: all are"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of places and velocities"},
    {0},
};

enum { BOX_BLOCK = 512, BOX_CTAS = 15 };

typedef struct box_locals {
    uint32_t half;
} box_locals;
typedef struct box_shared {
    float low[3][BOX_BLOCK], high[3][BOX_BLOCK];
} box_shared;

#define LOAD_BOUNDS(t, a, axis)                                                                    \
    do {                                                                                           \
        float value = LOAD(t, (a)->tree.place[axis] + i);                                          \
        COMPUTE(t, FP32, 2);                                                                       \
        low[axis] = fminf(low[axis], value);                                                       \
        high[axis] = fmaxf(high[axis], value);                                                     \
    } while (0)
#define MERGE_BOUNDS(t, s, axis, x, other)                                                         \
    do {                                                                                           \
        float low = SHARED_LOAD(t, &(s)->low[axis][x]);                                            \
        float high = SHARED_LOAD(t, &(s)->high[axis][x]);                                          \
        float other_low = SHARED_LOAD(t, &(s)->low[axis][other]);                                  \
        float other_high = SHARED_LOAD(t, &(s)->high[axis][other]);                                \
        COMPUTE(t, FP32, 2);                                                                       \
        SHARED_STORE(t, &(s)->low[axis][x], fminf(low, other_low));                                \
        SHARED_STORE(t, &(s)->high[axis][x], fmaxf(high, other_high));                             \
    } while (0)
#define STORE_BOUNDS(t, s, a, axis)                                                                \
    do {                                                                                           \
        float low = SHARED_LOAD(t, &(s)->low[axis][0]);                                            \
        STORE(t, (a)->low[axis] + (t)->cta.x, low);                                                \
        float high = SHARED_LOAD(t, &(s)->high[axis][0]);                                          \
        STORE(t, (a)->high[axis] + (t)->cta.x, high);                                              \
    } while (0)

GM_THREAD(bounding_box, gm_barneshut)
{
    box_locals *l = t->locals;
    box_shared *s = t->shared;
    uint32_t x = t->thread.x;
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    for (uint32_t i = GM_GLOBAL_X(t); i < (uint32_t)a->tree.bodies; i += BOX_BLOCK * t->grid.x) {
        LOAD_BOUNDS(t, a, 0);
        LOAD_BOUNDS(t, a, 1);
        LOAD_BOUNDS(t, a, 2);
        LOOP(t);
    }
    SHARED_STORE(t, &s->low[0][x], low[0]);
    SHARED_STORE(t, &s->low[1][x], low[1]);
    SHARED_STORE(t, &s->low[2][x], low[2]);
    SHARED_STORE(t, &s->high[0][x], high[0]);
    SHARED_STORE(t, &s->high[1][x], high[1]);
    SHARED_STORE(t, &s->high[2][x], high[2]);
    for (l->half = BOX_BLOCK / 2; l->half > 0; l->half /= 2) {
        BARRIER(t);
        if (x < l->half) {
            MERGE_BOUNDS(t, s, 0, x, x + l->half);
            MERGE_BOUNDS(t, s, 1, x, x + l->half);
            MERGE_BOUNDS(t, s, 2, x, x + l->half);
        }
        LOOP(t);
    }
    if (x == 0) {
        STORE_BOUNDS(t, s, a, 0);
        STORE_BOUNDS(t, s, a, 1);
        STORE_BOUNDS(t, s, a, 2);
    }
    END(t);
}
GM_BARRIER_KERNEL(bounding_box, gm_barneshut, box_locals, box_shared)

#define INTEGRATE(t, a, axis)                                                                      \
    do {                                                                                           \
        float change = LOAD(t, (a)->acceleration[axis] + i) * GM_BARNESHUT_STEP * 0.5F;            \
        float velocity = LOAD(t, (a)->velocity[axis] + i) + change;                                \
        float place = LOAD(t, (a)->tree.place[axis] + i);                                          \
        COMPUTE(t, FP32, 4);                                                                       \
        STORE(t, (a)->tree.place[axis] + i, place + velocity * GM_BARNESHUT_STEP);                 \
        STORE(t, (a)->velocity[axis] + i, velocity + change);                                      \
    } while (0)

GM_THREAD(integrate, gm_barneshut)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < (uint32_t)a->tree.bodies) {
        INTEGRATE(t, a, 0);
        INTEGRATE(t, a, 1);
        INTEGRATE(t, a, 2);
    }
}
GM_KERNEL(integrate, gm_barneshut)

/* Computes the box of all bodies from those of the CTAs, then builds the tree. */
static int build(gm_barneshut *s, gm_error *error)
{
    float low[3];
    float high[3];
    for (int d = 0; d < 3; d++) {
        low[d] = s->low[d][0];
        high[d] = s->high[d][0];
        for (uint32_t k = 1; k < s->box_ctas; k++) {
            low[d] = fminf(low[d], s->low[d][k]);
            high[d] = fmaxf(high[d], s->high[d][k]);
        }
    }
    return gm_octree_build(&s->tree, low, high, error);
}

/* Returns a vector of random direction and the given length. */
static void point_somewhere(uint64_t *random, float length, float vector[3])
{
    float square;
    do {
        square = 0.0F;
        for (int d = 0; d < 3; d++) {
            vector[d] = gm_random_float(random, -1.0F, 1.0F);
            square += vector[d] * vector[d];
        }
    } while (square > 1.0F || square < 1e-6F);
    for (int d = 0; d < 3; d++) {
        vector[d] *= length / sqrtf(square);
    }
}

/* Makes the bodies of Plummer's model, as in the original [Aarseth, Henon and Wielen, A comparison
 * of numerical methods for the study of star cluster dynamics, 1974]. */
static void make_bodies(gm_barneshut *s, uint64_t random)
{
    const float scale = 3.0F * 3.14159265F / 16.0F;
    for (int32_t i = 0; i < s->tree.bodies; i++) {
        float inner = gm_random_float(&random, 0.0F, 0.999F) + 1e-4F; /* share of mass nearer */
        float r = 1.0F / sqrtf(powf(inner, -2.0F / 3.0F) - 1.0F);
        float x = 0.0F;
        float y = 0.0F;
        do {
            x = gm_random_float(&random, 0.0F, 1.0F);
            y = gm_random_float(&random, 0.0F, 0.1F);
        } while (y > x * x * powf(1.0F - x * x, 3.5F));
        float place[3];
        float velocity[3];
        point_somewhere(&random, scale * r, place);
        point_somewhere(&random, x * sqrtf(2.0F / sqrtf(1.0F + r * r) / scale), velocity);
        for (int d = 0; d < 3; d++) {
            s->tree.place[d][i] = place[d];
            s->velocity[d][i] = velocity[d];
        }
        s->tree.mass[i] = 1.0F / (float)s->tree.bodies;
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gm_barneshut *s = state;
    size_t bodies = (size_t)workload->value[BODIES];
    size_t cells = 2 * bodies + GM_OCTREE_DEPTH;
    size_t nodes = bodies + cells;
    s->tree.bodies = (int32_t)bodies;
    s->tree.capacity = (int32_t)cells;
    s->per_theta = workload->value[THETA] > 0 ? 100.0F / (float)workload->value[THETA] : INFINITY;
    s->box_ctas = gm_blocks(bodies, BOX_BLOCK) < BOX_CTAS ? gm_blocks(bodies, BOX_BLOCK) : BOX_CTAS;
    static const char *const names[5][3] = {{"x", "y", "z"},
                                            {"velocity_x", "velocity_y", "velocity_z"},
                                            {"acceleration_x", "acceleration_y", "acceleration_z"},
                                            {"low_x", "low_y", "low_z"},
                                            {"high_x", "high_y", "high_z"}};
    float **groups[5] = {s->tree.place, s->velocity, s->acceleration, s->low, s->high};
    const size_t counts[5] = {nodes, bodies, bodies, BOX_CTAS, BOX_CTAS};
    for (int g = 0; g < 5; g++) {
        for (int d = 0; d < 3; d++) {
            groups[g][d] = gm_device_take(&workload->device, names[g][d], counts[g], sizeof(float),
                                          g < 2, error);
            if (groups[g][d] == NULL) {
                return error->code;
            }
        }
    }
    s->tree.mass = gm_workload_input(workload, "mass", nodes, sizeof(float), error);
    s->tree.child =
        gm_workload_output(workload, "child", cells * GM_OCTREE_CHILDREN, sizeof(int32_t), error);
    s->tree.sorted = gm_workload_output(workload, "sorted", bodies, sizeof(int32_t), error);
    s->tree.radius = gm_workload_output(workload, "radius", 1, sizeof(float), error);
    s->tree.count = gm_workload_output(workload, "count", cells, sizeof(int32_t), error);
    s->tree.start = gm_workload_output(workload, "start", cells, sizeof(int32_t), error);
    if (s->tree.mass == NULL || s->tree.child == NULL || s->tree.sorted == NULL ||
        s->tree.radius == NULL || s->tree.count == NULL || s->tree.start == NULL) {
        return error->code;
    }
    make_bodies(s, (uint64_t)workload->value[SEED]);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    gm_barneshut *s = state;
    if (step >= 3 * (uint64_t)workload->value[STEPS]) {
        return 0;
    }
    if (step % 3 == 1) {
        int code = build(s, error);
        if (code < 0) {
            return code;
        }
    }
    s->has_acceleration = step > 3;
    const gm_code *const codes[] = {&bounding_box_code, gm_barneshut_force, &integrate_code};
    launch->code = codes[step % 3];
    launch->arguments = s;
    launch->block.x = step % 3 == 0 ? BOX_BLOCK : GM_BARNESHUT_BLOCK;
    launch->grid.x =
        step % 3 == 0 ? s->box_ctas : gm_blocks((uint64_t)s->tree.bodies, GM_BARNESHUT_BLOCK);
    return 1;
}

extern const gm_workload_definition gm_workload_barneshut;
const gm_workload_definition gm_workload_barneshut = {
    .description = {"barneshut", "gravity by a tree that warps walk together",
                    "LonestarGPU [li, Table 1: BH in part, cache unfriendly]", options},
    .state_bytes = sizeof(gm_barneshut),
    .setup = setup,
    .launch = launch,
};
