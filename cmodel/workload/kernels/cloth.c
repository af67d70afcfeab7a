/* Cloth: distance constraints between particles of a sheet, several relaxations a time step, all in
 * one launch [singh, Table 3 (CL): "the Distance Solver kernel which adjusts cloth particle
 * locations using a set of constraints to model a spring-mass system"; Brownsword, Cloth in OpenCL,
 * GDC 2009; the relaxation: Jakobsen, Advanced character physics, GDC 2001].
 *
 * A CTA has a strip of rows. Constraints are relaxed in four batches, in none of which two share a
 * particle: along rows from even and from odd columns, between rows from even and from odd rows.
 * The first row of a strip is also moved by the strip above, so that it is accessed by SYNC
 * accesses only; behind each batch a CTA waits for its two neighbours. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH, HEIGHT, CTAS, STEPS, ITERATIONS, SEED };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 2, 1 << 12, 64, false, "particles of a row"},
    [HEIGHT] = {"height", 2, 1 << 12, 60, false, "rows"},
    [CTAS] = {"ctas", 1, 4096, 15, false, "strips, all of which must be resident at once"},
    [STEPS] = {"steps", 1, 1000, 2, false, "time steps"},
    [ITERATIONS] = {"iterations", 1, 1000, 4, false, "relaxations of all constraints a step"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the sheet"},
    {0},
};

enum { BLOCK = 64, BATCHES = 4, DIMENSIONS = 3 };

#define REST    1.0F
#define GRAVITY (-0.01F)

typedef struct cloth {
    float *at[DIMENSIONS], *before[DIMENSIONS]; /* places now, and a step before */
    float *host_at[DIMENSIONS], *host_before[DIMENSIONS];
    uint32_t *done; /* [strips] passes that each has done */
    uint32_t width, height, rows, strips, steps, iterations;
} cloth;

typedef struct cloth_locals {
    uint32_t pass, done, i, p, q, seen, neighbour;
    float first[DIMENSIONS], second[DIMENSIONS];
} cloth_locals;

/* The particles of an item of a pass: in pass 0 one that moves; later the two of a constraint. */
typedef struct item {
    uint32_t p, q;
    bool is; /* there is one */
} item;

/* Returns item `i` of the rows from `row` on; an item of every batch belongs to its upper row. */
static inline item item_of(const cloth *a, uint32_t pass, uint32_t row, uint32_t i)
{
    uint32_t x = i % a->width;
    uint32_t y = row + i / a->width;
    uint32_t p = y * a->width + x;
    if (pass == 0) {
        return (item){p, p, true};
    }
    uint32_t batch = (pass - 1) % BATCHES;
    return batch < 2 ? (item){p, p + 1, x % 2 == batch && x + 1 < a->width}
                     : (item){p, p + a->width, y % 2 == batch - 2 && y + 1 < a->height};
}

/* Returns the rows of a strip. */
static inline uint32_t rows_of(const cloth *a, uint32_t strip)
{
    uint32_t first = strip * a->rows;
    return first + a->rows < a->height ? a->rows : a->height - first;
}

/* True for a particle in the first row of a strip but the first. */
static inline bool is_shared(const cloth *a, uint32_t p)
{
    uint32_t y = p / a->width;
    return y != 0 && y % a->rows == 0;
}

/* True for the corners from which the sheet hangs. */
static inline bool is_fixed(const cloth *a, uint32_t p)
{
    return p == 0 || p == a->width - 1;
}

/* Moves a particle by its speed and gravity; `before` becomes where it was. */
static inline void move(const cloth *a, uint32_t p, float *at, float *before)
{
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        float was = at[k];
        if (!is_fixed(a, p)) {
            at[k] += (was - before[k]) * 0.99F + (k == 1 ? GRAVITY : 0.0F);
        }
        before[k] = was;
    }
}

/* Moves two particles to their distance at rest. */
static inline void relax(const cloth *a, uint32_t p, uint32_t q, float *first, float *second)
{
    float apart[DIMENSIONS];
    float square = 0.0F;
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        apart[k] = second[k] - first[k];
        square += apart[k] * apart[k];
    }
    float length = sqrtf(square);
    float share = (length - REST) / (length + 1e-6F);
    float own = is_fixed(a, p) ? 0.0F : is_fixed(a, q) ? share : share / 2;
    float other = is_fixed(a, q) ? 0.0F : share - own;
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        first[k] += apart[k] * own;
        second[k] -= apart[k] * other;
    }
}

/* Load or store a particle's place. */
#define TAKE(t, place, particle)                                                                   \
    do {                                                                                           \
        if (is_shared(a, particle)) {                                                              \
            SYNC_LOAD(t, (place)[0], a->at[0] + (particle));                                       \
            SYNC_LOAD(t, (place)[1], a->at[1] + (particle));                                       \
            SYNC_LOAD(t, (place)[2], a->at[2] + (particle));                                       \
        } else {                                                                                   \
            (place)[0] = LOAD(t, a->at[0] + (particle));                                           \
            (place)[1] = LOAD(t, a->at[1] + (particle));                                           \
            (place)[2] = LOAD(t, a->at[2] + (particle));                                           \
        }                                                                                          \
    } while (0)
#define PUT(t, place, particle)                                                                    \
    do {                                                                                           \
        if (is_shared(a, particle)) {                                                              \
            SYNC_STORE(t, a->at[0] + (particle), (place)[0]);                                      \
            SYNC_STORE(t, a->at[1] + (particle), (place)[1]);                                      \
            SYNC_STORE(t, a->at[2] + (particle), (place)[2]);                                      \
        } else {                                                                                   \
            STORE(t, a->at[0] + (particle), (place)[0]);                                           \
            STORE(t, a->at[1] + (particle), (place)[1]);                                           \
            STORE(t, a->at[2] + (particle), (place)[2]);                                           \
        }                                                                                          \
    } while (0)

GM_THREAD(solve, cloth)
{
    cloth_locals *l = t->locals;
    uint32_t row = t->cta.x * a->rows;
    uint32_t items = rows_of(a, t->cta.x) * a->width;
    BEGIN(t)
    for (l->pass = 0; l->done < a->steps * (1 + BATCHES * a->iterations);) {
        for (l->i = t->thread.x; l->i < items; l->i += BLOCK) {
            item item = item_of(a, l->pass, row, l->i);
            l->p = item.p;
            l->q = item.q;
            COMPUTE(t, INTEGER, 4);
            if (item.is) {
                TAKE(t, l->first, l->p);
                if (l->pass == 0) {
                    float before[DIMENSIONS];
                    before[0] = LOAD(t, a->before[0] + l->p);
                    before[1] = LOAD(t, a->before[1] + l->p);
                    before[2] = LOAD(t, a->before[2] + l->p);
                    COMPUTE(t, FP32, 7);
                    move(a, l->p, l->first, before);
                    STORE(t, a->before[0] + l->p, before[0]);
                    STORE(t, a->before[1] + l->p, before[1]);
                    STORE(t, a->before[2] + l->p, before[2]);
                } else {
                    TAKE(t, l->second, l->q);
                    COMPUTE(t, FP32, 20);
                    COMPUTE(t, SPECIAL, 2);
                    relax(a, l->p, l->q, l->first, l->second);
                    PUT(t, l->second, l->q);
                }
                PUT(t, l->first, l->p);
            }
            LOOP(t);
        }
        FENCE(t, GPU);
        BARRIER(t);
        l->done++;
        l->pass = l->pass < BATCHES * a->iterations ? l->pass + 1 : 0;
        if (t->thread.x == 0) {
            SYNC_STORE(t, a->done + t->cta.x, l->done);
            for (l->i = 0; l->i < 2; l->i++) {
                l->neighbour = l->i == 0 ? t->cta.x - 1 : t->cta.x + 1;
                if (l->neighbour < t->grid.x) {
                    for (;;) {
                        SYNC_LOAD(t, l->seen, a->done + l->neighbour);
                        if (l->seen >= l->done) {
                            break;
                        }
                        COMPUTE(t, INTEGER, 1);
                        LOOP(t);
                    }
                }
                LOOP(t);
            }
        }
        BARRIER(t);
        FENCE(t, GPU);
        LOOP(t);
    }
    END(t);
}
typedef struct no_shared {
    uint32_t unused;
} no_shared;
GM_SYNC_BARRIER_KERNEL(solve, cloth, cloth_locals, no_shared)

/* Does an item on the host. */
static void do_on_host(const cloth *a, uint32_t pass, item item)
{
    float first[DIMENSIONS];
    float second[DIMENSIONS];
    float before[DIMENSIONS];
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        first[k] = a->host_at[k][item.p];
        second[k] = a->host_at[k][item.q];
        before[k] = a->host_before[k][item.p];
    }
    if (pass == 0) {
        move(a, item.p, first, before);
    } else {
        relax(a, item.p, item.q, first, second);
    }
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        a->host_at[k][item.q] = pass != 0 ? second[k] : first[k];
        a->host_at[k][item.p] = first[k];
        a->host_before[k][item.p] = before[k];
    }
}

/* Compares all places with the host's, bit by bit. */
static int check(const cloth *a, gm_error *error)
{
    for (uint32_t step = 0; step < a->steps; step++) {
        for (uint32_t pass = 0; pass <= BATCHES * a->iterations; pass++) {
            for (uint32_t i = 0; i < a->width * a->height; i++) {
                item item = item_of(a, pass, 0, i);
                if (item.is) {
                    do_on_host(a, pass, item);
                }
            }
        }
    }
    for (uint32_t i = 0; i < a->width * a->height; i++) {
        for (unsigned k = 0; k < DIMENSIONS; k++) {
            uint32_t found;
            uint32_t wanted;
            memcpy(&found, &a->at[k][i], sizeof found);
            memcpy(&wanted, &a->host_at[k][i], sizeof wanted);
            if (found != wanted) {
                return gm_fail(error, -EPROTO, "cloth: particle %u: coordinate %u is %g, not %g", i,
                               k, (double)a->at[k][i], (double)a->host_at[k][i]);
            }
        }
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const char *const now[] = {"x", "y", "z"};
    static const char *const before[] = {"before_x", "before_y", "before_z"};
    cloth *a = state;
    a->width = (uint32_t)workload->value[WIDTH];
    a->height = (uint32_t)workload->value[HEIGHT];
    a->steps = (uint32_t)workload->value[STEPS];
    a->iterations = (uint32_t)workload->value[ITERATIONS];
    a->rows = gm_blocks(a->height, (uint32_t)workload->value[CTAS]);
    a->strips = gm_blocks(a->height, a->rows);
    size_t particles = (size_t)a->width * a->height;
    uint64_t random = (uint64_t)workload->value[SEED];
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        a->at[k] = gm_workload_input(workload, now[k], particles, sizeof(float), error);
        a->before[k] = gm_workload_input(workload, before[k], particles, sizeof(float), error);
        if (a->at[k] == NULL || a->before[k] == NULL) {
            return error->code;
        }
        a->host_at[k] = malloc(particles * sizeof(float));
        a->host_before[k] = malloc(particles * sizeof(float));
        if (a->host_at[k] == NULL || a->host_before[k] == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: cloth");
        }
        for (uint32_t i = 0; i < particles; i++) {
            uint32_t row = i / a->width;
            float place = k == 0   ? (float)(i % a->width)
                          : k == 1 ? 0.0F - (float)row
                                   : (float)gm_random_below(&random, 1000) / 4000.0F;
            a->at[k][i] = a->before[k][i] = a->host_at[k][i] = a->host_before[k][i] = place;
        }
    }
    a->done = gm_workload_input(workload, "done", a->strips, sizeof(uint32_t), error);
    return a->done == NULL ? error->code : 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload;
    const cloth *a = state;
    if (step == 1) {
        return check(a, error);
    }
    launch->code = &solve_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = a->strips;
    return 1;
}

static void finish(void *state)
{
    cloth *a = state;
    for (unsigned k = 0; k < DIMENSIONS; k++) {
        free(a->host_at[k]);
        free(a->host_before[k]);
    }
}

extern const gm_workload_definition gm_workload_cloth;
const gm_workload_definition gm_workload_cloth = {
    .description = {"cloth", "distance constraints of a sheet, strips that share rows",
                    "after [singh] (CL)", options},
    .state_bytes = sizeof(cloth),
    .setup = setup,
    .launch = launch,
    .finish = finish,
    .communicates = true,
};
