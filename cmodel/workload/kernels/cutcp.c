/* Cutoff-limited Coulomb potential on a lattice [Parboil cutcp; anssari, Table 4.2: broadcast
 * sharing]. Atoms lie in bins of 4 Angstrom; a CTA computes the 8 x 8 x 8 lattice points of one bin
 * and loads the bins around it into shared memory, one after the other; or its threads load each
 * atom for themselves, as programs that rely on the cache do [anssari, 2.2]. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, DEPTH = 2, THREADS = SIDE * SIDE * DEPTH, POINTS = SIDE / DEPTH };

enum { ATOMS, BOX, CUTOFF, SHARED, SEED, PQR };
static const gm_workload_option options[] = {
    [ATOMS] = {"atoms", 1, 1 << 20, 256, false, "random atoms"},
    [BOX] = {"box", 4, 400, 16, false, "side of the box of random atoms [Angstrom]"},
    [CUTOFF] = {"cutoff", 1, 24, 8, false, "distance beyond which atoms do not count [Angstrom]"},
    [SHARED] = {"shared", 0, 1, 1, false, "0: without shared memory"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the atoms"},
    [PQR] = {"pqr", 0, 0, 0, true, "PQR file, instead of random atoms"},
    {0},
};

static const float bin_side = 4.0F;
static const float spacing = 0.5F; /* of the lattice: SIDE points to a bin */

typedef struct atom {
    float x, y, z, charge; /* charge 0 fills a bin up */
} atom;

typedef struct cutcp {
    atom *bin; /* [z][y][x][capacity] */
    float *potential;
    uint32_t bins[3], capacity;
    int32_t reach; /* bins around that the cutoff touches */
    float cutoff;
} cutcp;

typedef struct loaded {
    atom atom[THREADS];
} loaded;
typedef struct cutcp_locals {
    float sum[POINTS];
    int32_t x, y, z; /* of the bin that is loaded, from this one */
} cutcp_locals;

static inline bool inside(const cutcp *a, const gm_thread *t, const cutcp_locals *l)
{
    return (uint32_t)((int32_t)t->cta.x + l->x) < a->bins[0] &&
           (uint32_t)((int32_t)t->cta.y + l->y) < a->bins[1] &&
           (uint32_t)((int32_t)t->cta.z + l->z) < a->bins[2];
}

static inline const atom *bin_of(const cutcp *a, const gm_thread *t, const cutcp_locals *l)
{
    uint32_t x = t->cta.x + (uint32_t)l->x;
    uint32_t y = t->cta.y + (uint32_t)l->y;
    uint32_t z = t->cta.z + (uint32_t)l->z;
    return a->bin + (((size_t)z * a->bins[1] + y) * a->bins[0] + x) * a->capacity;
}

/* Returns the potential of a unit charge at squared distance r2. */
static inline float share(float r2, float cutoff)
{
    float s = 1.0F - r2 / (cutoff * cutoff);
    return s > 0.0F ? s * s / sqrtf(r2 + 1.0e-6F) : 0.0F;
}

GM_THREAD(cutcp, cutcp)
{
    loaded *s = t->shared;
    cutcp_locals *l = t->locals;
    uint32_t thread = (t->thread.z * SIDE + t->thread.y) * SIDE + t->thread.x;
    uint32_t x = t->cta.x * SIDE + t->thread.x;
    uint32_t y = t->cta.y * SIDE + t->thread.y;
    uint32_t z = t->cta.z * SIDE + t->thread.z;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    for (l->z = -a->reach; l->z <= a->reach; l->z++) {
        for (l->y = -a->reach; l->y <= a->reach; l->y++) {
            for (l->x = -a->reach; l->x <= a->reach; l->x++) {
                COMPUTE(t, INTEGER, 4);
                if (inside(a, t, l)) {
                    if (thread < a->capacity) {
                        atom one = LOAD(t, bin_of(a, t, l) + thread);
                        SHARED_STORE(t, &s->atom[thread], one);
                    }
                    BARRIER(t);
                    for (uint32_t i = 0; i < a->capacity; i++) {
                        atom one = SHARED_LOAD(t, &s->atom[i]);
                        float dx = one.x - (float)x * spacing;
                        float dy = one.y - (float)y * spacing;
                        COMPUTE(t, FP32, 24);
                        COMPUTE(t, SPECIAL, 4);
                        for (uint32_t p = 0; p < POINTS; p++) {
                            float dz = one.z - (float)(z + p * DEPTH) * spacing;
                            l->sum[p] += one.charge * share(dx * dx + dy * dy + dz * dz, a->cutoff);
                        }
                        LOOP(t);
                    }
                    BARRIER(t);
                }
                LOOP(t);
            }
            LOOP(t);
        }
        LOOP(t);
    }
    for (uint32_t p = 0; p < POINTS; p++) {
        size_t at = ((size_t)(z + p * DEPTH) * a->bins[1] * SIDE + y) * a->bins[0] * SIDE + x;
        COMPUTE(t, INTEGER, 2);
        STORE(t, a->potential + at, l->sum[p]);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(cutcp, cutcp, cutcp_locals, loaded)

GM_THREAD(cutcp_cached, cutcp)
{
    cutcp_locals *l = t->locals;
    uint32_t x = t->cta.x * SIDE + t->thread.x;
    uint32_t y = t->cta.y * SIDE + t->thread.y;
    uint32_t z = t->cta.z * SIDE + t->thread.z;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    for (l->z = -a->reach; l->z <= a->reach; l->z++) {
        for (l->y = -a->reach; l->y <= a->reach; l->y++) {
            for (l->x = -a->reach; l->x <= a->reach; l->x++) {
                COMPUTE(t, INTEGER, 4);
                if (inside(a, t, l)) {
                    for (uint32_t i = 0; i < a->capacity; i++) {
                        atom one = LOAD(t, bin_of(a, t, l) + i);
                        float dx = one.x - (float)x * spacing;
                        float dy = one.y - (float)y * spacing;
                        COMPUTE(t, FP32, 24);
                        COMPUTE(t, SPECIAL, 4);
                        for (uint32_t p = 0; p < POINTS; p++) {
                            float dz = one.z - (float)(z + p * DEPTH) * spacing;
                            l->sum[p] += one.charge * share(dx * dx + dy * dy + dz * dz, a->cutoff);
                        }
                        LOOP(t);
                    }
                }
                YIELD(t);
                LOOP(t);
            }
            LOOP(t);
        }
        LOOP(t);
    }
    for (uint32_t p = 0; p < POINTS; p++) {
        size_t at = ((size_t)(z + p * DEPTH) * a->bins[1] * SIDE + y) * a->bins[0] * SIDE + x;
        COMPUTE(t, INTEGER, 2);
        STORE(t, a->potential + at, l->sum[p]);
        LOOP(t);
    }
    END(t);
}
GM_YIELD_KERNEL(cutcp_cached, cutcp, cutcp_locals)

/* Sorts the atoms into bins that cover all of them, with the smallest coordinates moved to 0; the
 * fullest bin gives the capacity. */
static int bin_atoms(gm_workload *workload, cutcp *s, atom *atoms, size_t count, gm_error *error)
{
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const float at[3] = {atoms[i].x, atoms[i].y, atoms[i].z};
        for (int d = 0; d < 3; d++) {
            low[d] = fminf(low[d], at[d]);
            high[d] = fmaxf(high[d], at[d]);
        }
    }
    for (int d = 0; d < 3; d++) {
        float extent = high[d] - low[d];
        if (!(extent < 400.0F)) {
            return gm_fail(error, -EINVAL, "workload cutcp: atoms over %g Angstrom, limit 400",
                           (double)extent);
        }
        s->bins[d] = (uint32_t)(extent / bin_side) + 1;
    }
    size_t bins = (size_t)s->bins[0] * s->bins[1] * s->bins[2];
    uint32_t *place = calloc(count + 1, sizeof *place);
    uint32_t *filled = calloc(bins + 1, sizeof *filled);
    if (place == NULL || filled == NULL) {
        free(place);
        free(filled);
        return gm_fail(error, -ENOMEM, "workload cutcp: out of memory");
    }
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        atoms[i].x -= low[0];
        atoms[i].y -= low[1];
        atoms[i].z -= low[2];
        place[i] =
            ((uint32_t)(atoms[i].z / bin_side) * s->bins[1] + (uint32_t)(atoms[i].y / bin_side)) *
                s->bins[0] +
            (uint32_t)(atoms[i].x / bin_side);
        uint32_t members = ++filled[place[i]];
        s->capacity = members > s->capacity ? members : s->capacity;
    }
    if (code == 0 && s->capacity > THREADS) {
        code = gm_fail(error, -EINVAL, "workload cutcp: %u atoms in a bin of %g Angstrom, limit %d",
                       s->capacity, (double)bin_side, THREADS);
    }
    s->bin = code == 0 ? gm_workload_input(workload, "bin", bins * s->capacity, sizeof(atom), error)
                       : NULL;
    code = code == 0 && s->bin == NULL ? error->code : code;
    for (size_t i = 0; code == 0 && i < count; i++) {
        s->bin[place[i] * (size_t)s->capacity + --filled[place[i]]] = atoms[i];
    }
    free(place);
    free(filled);
    return code;
}

/* Reads "ATOM serial name residue number x y z charge ...". */
static int read_atom(gm_input_file *file, atom *one, gm_error *error)
{
    for (int word = 0; word < 5; word++) {
        gm_input_file_word(file);
    }
    float *value[] = {&one->x, &one->y, &one->z, &one->charge};
    static const char *const what[] = {"x", "y", "z", "charge"};
    int code = 0;
    for (int i = 0; code == 0 && i < 4; i++) {
        double number = 0.0;
        code = gm_input_file_real(file, what[i], &number, error);
        *value[i] = (float)number;
    }
    return code;
}

/* Reads the atoms of a file; skips other lines. */
static int read_atoms(gm_input_file *file, atom *atoms, size_t *count, gm_error *error)
{
    *count = 0;
    while (!gm_input_file_ended(file)) {
        bool is_atom = strncmp(file->bytes + file->at, "ATOM", 4) == 0 ||
                       strncmp(file->bytes + file->at, "HETATM", 6) == 0;
        atom *one = &atoms[*count];
        int code = is_atom ? read_atom(file, one, error) : 0;
        if (code < 0) {
            return code;
        }
        *count += is_atom;
        gm_input_file_line(file);
    }
    return *count > 0 ? 0 : gm_fail(error, -EINVAL, "%s: no atoms", file->path);
}

static int read_pqr(const char *path, atom **atoms, size_t *count, gm_error *error)
{
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code < 0) {
        return code;
    }
    *atoms = calloc(file.length / 5 + 1, sizeof **atoms);
    code = *atoms != NULL ? read_atoms(&file, *atoms, count, error)
                          : gm_fail(error, -ENOMEM, "%s: out of memory", path);
    gm_input_file_free(&file);
    return code;
}

static int make_atoms(const gm_workload *workload, atom **atoms, size_t *count, gm_error *error)
{
    *count = (size_t)workload->value[ATOMS];
    *atoms = calloc(*count, sizeof **atoms);
    if (*atoms == NULL) {
        return gm_fail(error, -ENOMEM, "workload cutcp: out of memory");
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    float box = (float)workload->value[BOX];
    for (size_t i = 0; i < *count; i++) {
        atom *one = &(*atoms)[i];
        one->x = gm_random_float(&random, 0.0F, box);
        one->y = gm_random_float(&random, 0.0F, box);
        one->z = gm_random_float(&random, 0.0F, box);
        one->charge = gm_random_float(&random, -1.0F, 1.0F);
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    cutcp *s = state;
    s->cutoff = (float)workload->value[CUTOFF];
    s->reach = (int32_t)ceilf(s->cutoff / bin_side);
    atom *atoms = NULL;
    size_t count = 0;
    const char *path = workload->path[PQR];
    int code = path != NULL ? read_pqr(path, &atoms, &count, error)
                            : make_atoms(workload, &atoms, &count, error);
    if (code == 0) {
        code = bin_atoms(workload, s, atoms, count, error);
    }
    free(atoms);
    if (code < 0) {
        return code;
    }
    size_t points = (size_t)s->bins[0] * s->bins[1] * s->bins[2] * SIDE * SIDE * SIDE;
    s->potential = gm_workload_output(workload, "potential", points, sizeof(float), error);
    return s->potential != NULL ? 0 : error->code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const cutcp *s = state;
    launch->code = workload->value[SHARED] == 1 ? &cutcp_code : &cutcp_cached_code;
    launch->arguments = s;
    launch->block = (gm_dim){SIDE, SIDE, DEPTH};
    launch->grid = (gm_dim){s->bins[0], s->bins[1], s->bins[2]};
    launch->registers = 32;
    return step == 0;
}

extern const gm_workload_definition gm_workload_cutcp;
const gm_workload_definition gm_workload_cutcp = {
    .description = {"cutcp", "cutoff-limited Coulomb potential", "Parboil [anssari, Table 4.2]",
                    options},
    .state_bytes = sizeof(cutcp),
    .setup = setup,
    .launch = launch,
};
