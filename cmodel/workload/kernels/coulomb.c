/* Coulombic potential of point charges on a plane of grid points [tabbakh: CP; Bakhoda et al.,
 * Analyzing CUDA workloads, ISPASS 2009: CP, from Parboil's first version]. A CTA of 16x8 threads
 * has 32x8 points: a thread two points of a row, 16 apart. Each launch adds the potential of up to
 * 4000 atoms to what the grid has. Atoms are in constant memory, whose cache is not the L1: with
 * `constant=1` they are not accessed. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { X, Y, ATOMS, CONSTANT, SEED };
static const gm_workload_option options[] = {
    [X] = {"x", 1, 1 << 14, 500, false, "grid points of a row"},
    [Y] = {"y", 1, 1 << 14, 420, false, "rows"},
    [ATOMS] = {"atoms", 1, 1 << 20, 200, false, "charges beside the plane"},
    [CONSTANT] = {"constant", 0, 1, 1, false, "1: atoms in constant memory; 0: loaded"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the atoms"},
    {0},
};

enum { WIDE = 16, HIGH = 8, POINTS = 2, MOST_ATOMS = 4000 };
static const float SPACING = 0.1F;

typedef struct atom {
    float x, y, distance_2, charge; /* distance from the plane, squared */
} __attribute__((aligned(16))) atom;

typedef struct coulomb {
    const atom *atoms;
    float *energy;
    uint32_t x, y, first, count; /* atoms of this launch */
    bool constant;
} coulomb;

GM_THREAD(potential, coulomb)
{
    uint32_t x = t->cta.x * WIDE * POINTS + t->thread.x;
    uint32_t y = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 8);
    COMPUTE(t, FP32, 3);
    if (x < a->x && y < a->y) {
        float *energy = a->energy + (size_t)y * a->x + x;
        float sum[POINTS] = {0.0F, 0.0F};
        for (uint32_t i = a->first; i < a->first + a->count; i++) {
            const atom *from = a->atoms + i;
            atom other = *from;
            if (!a->constant) {
                other = LOAD(t, from);
            }
            float dx = SPACING * (float)x - other.x;
            float dy = SPACING * (float)y - other.y;
            float fixed = dy * dy + other.distance_2;
            float dx_next = dx + SPACING * WIDE;
            sum[0] += other.charge / sqrtf(dx * dx + fixed);
            sum[1] += other.charge / sqrtf(dx_next * dx_next + fixed);
            COMPUTE(t, FP32, 8);
            COMPUTE(t, SPECIAL, 2);
            COMPUTE(t, INTEGER, 1);
            LOOP(t);
        }
        float before = LOAD(t, energy);
        COMPUTE(t, FP32, 1);
        STORE(t, energy, before + sum[0]);
        if (x + WIDE < a->x) {
            float next = LOAD(t, energy + WIDE);
            COMPUTE(t, FP32, 1);
            STORE(t, energy + WIDE, next + sum[1]);
        }
    }
}
GM_KERNEL(potential, coulomb)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    coulomb *s = state;
    s->x = (uint32_t)workload->value[X];
    s->y = (uint32_t)workload->value[Y];
    s->constant = workload->value[CONSTANT] != 0;
    size_t count = (size_t)workload->value[ATOMS];
    atom *atoms = gm_workload_input(workload, "atoms", count, sizeof(atom), error);
    s->energy = gm_workload_input(workload, "energy", (size_t)s->x * s->y, sizeof(float), error);
    if (atoms == NULL || s->energy == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < count; i++) {
        float x = gm_random_float(&random, 0.0F, SPACING * (float)s->x);
        float y = gm_random_float(&random, 0.0F, SPACING * (float)s->y);
        float distance = gm_random_float(&random, 0.2F, 2.0F);
        float charge = gm_random_float(&random, -1.0F, 1.0F);
        atoms[i] = (atom){x, y, distance * distance, charge};
    }
    s->atoms = atoms;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    coulomb *s = state;
    uint64_t atoms = (uint64_t)workload->value[ATOMS];
    uint64_t first = step * MOST_ATOMS;
    if (first >= atoms) {
        return 0;
    }
    s->first = (uint32_t)first;
    s->count = (uint32_t)(atoms - first < MOST_ATOMS ? atoms - first : MOST_ATOMS);
    launch->code = &potential_code;
    launch->arguments = s;
    launch->block = (gm_dim){WIDE, HIGH, 1};
    launch->grid = (gm_dim){gm_blocks(s->x, WIDE * POINTS), gm_blocks(s->y, HIGH), 1};
    return 1;
}

extern const gm_workload_definition gm_workload_coulomb;
const gm_workload_definition gm_workload_coulomb = {
    .description = {"coulomb", "potential of point charges on a plane, atoms in constant memory",
                    "ISPASS 2009 suite, Parboil 1 [tabbakh: CP]", options},
    .state_bytes = sizeof(coulomb),
    .setup = setup,
    .launch = launch,
};
