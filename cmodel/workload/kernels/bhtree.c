/* Barnes and Hut's tree, built by all threads at once [singh, Table 3 (BH): "the tree-building
 * kernel which iteratively builds an octree of 30000 bodies"; Burtscher, Pingali, An efficient CUDA
 * implementation of the tree-based Barnes Hut n-body algorithm, GPU Computing Gems Emerald Edition,
 * 2011, kernel 2; LonestarGPU bh].
 *
 * A thread walks from the root to the child that its body belongs into, and locks that by CAS. An
 * empty child becomes the body. In place of another body it puts a cell that has both, and more
 * cells below while both lie in one octant; behind a fence it links the first of them, which
 * unlocks the child. A child that is found locked, or was changed, is looked at again, behind a
 * barrier that keeps a CTA's threads from crowding those that hold locks. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { BODIES, CTAS, THREADS, SEED };
static const gm_workload_option options[] = {
    [BODIES] = {"bodies", 1, 1 << 22, 2048, false, "bodies; [singh]: 30000"},
    [CTAS] = {"ctas", 1, 4096, 15, false, "CTAs"},
    [THREADS] = {"threads", 1, 1024, 256, false, "threads of a CTA"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the bodies"},
    {0},
};

enum {
    EMPTY = -1,
    LOCKED = -2,
    CHILDREN = 8,
    LEVELS = 20, /* bits of a coordinate */
    NUMBER = 8,  /* of these, bits of the body's number */
};

typedef struct bhtree {
    float *place[3];  /* [bodies] in [0, 1), multiples of 2^-LEVELS */
    float *centre[3]; /* [cells] */
    int32_t *child;   /* [cells][CHILDREN] EMPTY, a body, or bodies + a cell */
    uint32_t *next;   /* cells taken; cell 0 is the root */
    uint32_t bodies, cells;
} bhtree;

/* A cube: its centre, and a quarter of its side. */
typedef struct cube {
    float at[3], quarter;
} cube;

typedef struct bhtree_locals {
    uint32_t body, node, child, locked, cell, begins;
    int32_t found, old, link;
    float place[3];
    cube cube; /* of the node */
    uint32_t k;
} bhtree_locals;

/* Returns the octant of the cube that a place lies in. */
static inline uint32_t octant_of(const cube *cube, const float *place)
{
    return (place[0] >= cube->at[0] ? 1U : 0U) | (place[1] >= cube->at[1] ? 2U : 0U) |
           (place[2] >= cube->at[2] ? 4U : 0U);
}

/* Makes the cube one of its octants. */
static inline void descend(cube *cube, uint32_t octant)
{
    for (unsigned k = 0; k < 3; k++) {
        cube->at[k] += (octant >> k & 1) != 0 ? cube->quarter : -cube->quarter;
    }
    cube->quarter /= 2;
}

static const cube whole = {{0.5F, 0.5F, 0.5F}, 0.25F};

GM_THREAD(build, bhtree)
{
    bhtree_locals *l = t->locals;
    int32_t bodies = (int32_t)a->bodies;
    BEGIN(t)
    l->begins = 1;
    for (l->body = GM_GLOBAL_X(t); l->body < a->bodies;) {
        if (l->begins != 0) {
            l->place[0] = LOAD(t, a->place[0] + l->body);
            l->place[1] = LOAD(t, a->place[1] + l->body);
            l->place[2] = LOAD(t, a->place[2] + l->body);
            l->begins = 0;
            l->node = 0;
            l->cube = whole;
            l->child = octant_of(&l->cube, l->place);
            COMPUTE(t, FP32, 3);
        }
        for (;;) {
            COMPUTE(t, INTEGER, 2);
            SYNC_LOAD(t, l->found, a->child + (size_t)l->node * CHILDREN + l->child);
            if (l->found < bodies) {
                break;
            }
            descend(&l->cube, l->child);
            l->node = (uint32_t)(l->found - bodies);
            l->child = octant_of(&l->cube, l->place);
            COMPUTE(t, FP32, 7);
            LOOP(t);
        }
        if (l->found != LOCKED) {
            l->locked = l->node * CHILDREN + l->child;
            SYNC_CAS(t, l->old, a->child + l->locked, l->found, LOCKED);
            if (l->old == l->found && l->found == EMPTY) {
                SYNC_STORE(t, a->child + l->locked, (int32_t)l->body);
            } else if (l->old == l->found) {
                l->link = 0;
                for (;;) {
                    SYNC_ADD(t, l->cell, a->next, 1U);
                    l->cell = l->cell < a->cells ? l->cell : a->cells - 1; /* a wrong machine */
                    descend(&l->cube, l->child);
                    COMPUTE(t, FP32, 4);
                    STORE(t, a->centre[0] + l->cell, l->cube.at[0]);
                    STORE(t, a->centre[1] + l->cell, l->cube.at[1]);
                    STORE(t, a->centre[2] + l->cell, l->cube.at[2]);
                    for (l->k = 0; l->k < CHILDREN; l->k++) {
                        SYNC_STORE(t, a->child + (size_t)l->cell * CHILDREN + l->k, EMPTY);
                        LOOP(t);
                    }
                    if (l->link != 0) {
                        SYNC_STORE(t, a->child + (size_t)l->node * CHILDREN + l->child,
                                   bodies + (int32_t)l->cell);
                    } else {
                        l->link = bodies + (int32_t)l->cell;
                    }
                    float x = LOAD(t, a->place[0] + l->found);
                    float y = LOAD(t, a->place[1] + l->found);
                    float z = LOAD(t, a->place[2] + l->found);
                    const float other[3] = {x, y, z};
                    COMPUTE(t, FP32, 6);
                    l->node = l->cell;
                    l->k = octant_of(&l->cube, other);
                    l->child = octant_of(&l->cube, l->place);
                    SYNC_STORE(t, a->child + (size_t)l->node * CHILDREN + l->k, l->found);
                    if (l->k != l->child || l->cell + 1 == a->cells) {
                        break;
                    }
                    LOOP(t);
                }
                SYNC_STORE(t, a->child + (size_t)l->node * CHILDREN + l->child, (int32_t)l->body);
                FENCE(t, GPU);
                SYNC_STORE(t, a->child + l->locked, l->link);
            }
            if (l->old == l->found) {
                l->body += t->grid.x * t->block.x;
                l->begins = 1;
            }
        }
        BARRIER(t);
        LOOP(t);
    }
    END(t);
}
typedef struct no_shared {
    uint32_t unused;
} no_shared;
GM_SYNC_BARRIER_KERNEL(build, bhtree, bhtree_locals, no_shared)

/* The host's check of the tree. */
typedef struct walk {
    const bhtree *tree;
    uint32_t bodies, cells; /* seen */
    gm_error *error;
} walk;

static int wrong(walk *w, const char *what, uint32_t cell, int32_t child)
{
    return gm_fail(w->error, -EPROTO, "bhtree: cell %u: %s: %d", cell, what, child);
}

/* Checks a body that lies in an octant of a cube. */
static int check_body(walk *w, uint32_t cell, uint32_t octant, const cube *cube, int32_t body)
{
    float place[3];
    for (unsigned k = 0; k < 3; k++) {
        place[k] = w->tree->place[k][body];
    }
    w->bodies++;
    for (unsigned k = 0; k < 3; k++) {
        if (place[k] < cube->at[k] - 2 * cube->quarter ||
            place[k] >= cube->at[k] + 2 * cube->quarter) {
            return wrong(w, "a body that lies outside", cell, body);
        }
    }
    return octant_of(cube, place) == octant ? 0 : wrong(w, "a body in another octant", cell, body);
}

/* Checks a cell and all below it. Returns the bodies in it, or a negative errno value. Recursive,
 * as the tree is, on the host and once a run: as deep as the kernel has built it. */
static int64_t check_cell(walk *w, uint32_t cell, const cube *cube) /* NOLINT(misc-no-recursion) */
{
    const bhtree *tree = w->tree;
    int64_t all = 0;
    if (cell >= *tree->next || cell >= tree->cells || ++w->cells > tree->cells) {
        return wrong(w, "a cell that nobody took, or a loop", cell, 0);
    }
    for (unsigned k = 0; k < 3; k++) {
        if (tree->centre[k][cell] < cube->at[k] || tree->centre[k][cell] > cube->at[k]) {
            return wrong(w, "another centre in dimension", cell, (int32_t)k);
        }
    }
    for (uint32_t k = 0; k < CHILDREN; k++) {
        int32_t child = tree->child[(size_t)cell * CHILDREN + k];
        int64_t in = 0;
        if (child < EMPTY) {
            return wrong(w, "a child that is locked", cell, child);
        }
        if (child >= 0 && child < (int32_t)tree->bodies) {
            int code = check_body(w, cell, k, cube, child);
            in = code < 0 ? code : 1;
        } else if (child >= 0) {
            struct cube below = *cube;
            descend(&below, k);
            in = check_cell(w, (uint32_t)child - tree->bodies, &below);
        }
        if (in < 0) {
            return in;
        }
        all += in;
    }
    return all >= 2 || cell == 0 ? all : wrong(w, "less than two bodies", cell, (int32_t)all);
}

static int check(const bhtree *tree, gm_error *error)
{
    walk w = {.tree = tree, .error = error};
    int64_t all = check_cell(&w, 0, &whole);
    if (all >= 0 && (all != tree->bodies || w.cells != tree->cells)) {
        return gm_fail(error, -EPROTO, "bhtree: %u bodies in %u cells, not %u in %u", w.bodies,
                       w.cells, tree->bodies, tree->cells);
    }
    return all < 0 ? (int)all : 0;
}

/* Draws places: half of them lie towards a corner. The low bits are of the body's number, so that
 * no two bodies have one place. */
static void draw_places(const bhtree *a, uint64_t *random)
{
    for (uint32_t i = 0; i < a->bodies; i++) {
        for (unsigned k = 0; k < 3; k++) {
            uint32_t at = (uint32_t)gm_random_below(random, 1U << (LEVELS - NUMBER));
            at &= i % 2 == 0 ? (uint32_t)gm_random_below(random, 1U << (LEVELS - NUMBER))
                             : UINT32_MAX;
            at = at << NUMBER | (i >> k * NUMBER & ((1U << NUMBER) - 1));
            a->place[k][i] = (float)at / (float)(1U << LEVELS);
        }
    }
}

static int by_code(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the levels below the root at which two codes lie in one cell. */
static uint32_t common_levels(uint64_t a, uint64_t b)
{
    uint32_t level = 0;
    while ((a ^ b) >> 3 * (LEVELS - 1 - level) == 0) {
        level++;
    }
    return level;
}

/* Returns the cells of the tree, each of which has two bodies or more but for the root; 0 on lack
 * of memory. */
static uint32_t count_cells(const bhtree *a)
{
    uint64_t *code = calloc(a->bodies, sizeof *code);
    uint32_t cells = 1;
    uint32_t before = 0;
    for (uint32_t i = 0; code != NULL && i < a->bodies; i++) {
        cube cube = whole;
        for (unsigned level = 0; level < LEVELS; level++) {
            const float place[3] = {a->place[0][i], a->place[1][i], a->place[2][i]};
            uint32_t octant = octant_of(&cube, place);
            code[i] = code[i] << 3 | octant;
            descend(&cube, octant);
        }
    }
    if (code == NULL) {
        return 0;
    }
    qsort(code, a->bodies, sizeof *code, by_code);
    for (uint32_t i = 1; i < a->bodies; i++) {
        uint32_t common = common_levels(code[i - 1], code[i]);
        cells += common > before ? common - before : 0;
        before = common;
    }
    free(code);
    return cells;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const char *const places[] = {"x", "y", "z"};
    static const char *const centres[] = {"cx", "cy", "cz"};
    bhtree *a = state;
    uint64_t random = (uint64_t)workload->value[SEED];
    a->bodies = (uint32_t)workload->value[BODIES];
    for (unsigned k = 0; k < 3; k++) {
        a->place[k] = gm_workload_input(workload, places[k], a->bodies, sizeof(float), error);
        if (a->place[k] == NULL) {
            return error->code;
        }
    }
    draw_places(a, &random);
    a->cells = count_cells(a);
    if (a->cells == 0) {
        return gm_fail(error, -ENOMEM, "out of memory: bhtree");
    }
    for (unsigned k = 0; k < 3; k++) {
        a->centre[k] = gm_workload_input(workload, centres[k], a->cells, sizeof(float), error);
        if (a->centre[k] == NULL) {
            return error->code;
        }
        a->centre[k][0] = whole.at[k];
    }
    size_t children = (size_t)a->cells * CHILDREN;
    a->child = gm_workload_input(workload, "child", children, sizeof(int32_t), error);
    a->next = gm_workload_input(workload, "next", 1, sizeof(uint32_t), error);
    if (a->child == NULL || a->next == NULL) {
        return error->code;
    }
    for (unsigned k = 0; k < CHILDREN; k++) {
        a->child[k] = EMPTY; /* of the root; those of other cells are what memory has */
    }
    *a->next = 1;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    if (step == 1) {
        return check(state, error);
    }
    launch->code = &build_code;
    launch->arguments = state;
    launch->block.x = (uint32_t)workload->value[THREADS];
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return 1;
}

extern const gm_workload_definition gm_workload_bhtree;
const gm_workload_definition gm_workload_bhtree = {
    .description = {"bhtree", "octree of bodies, built under locks by all threads",
                    "LonestarGPU (bh: TreeBuildingKernel)", options},
    .state_bytes = sizeof(bhtree),
    .setup = setup,
    .launch = launch,
    .communicates = true,
};
