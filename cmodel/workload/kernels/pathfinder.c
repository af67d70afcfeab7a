/* The cheapest way from the first row of a grid to the last, a step straight down or aside in each
 * row [Rodinia pathfinder, dynproc_kernel; li, Table 1 (PF): cache insensitive]. A CTA takes
 * `pyramid` rows in shared memory; the valid part shrinks with each row, so that neighbours overlap
 * (ghost zones). */
#include "base/random.h"
#include "workload/clamp.h"
#include "workload/workload_internal.h"

enum { COLUMNS, ROWS, PYRAMID, SEED };
static const gm_workload_option options[] = {
    [COLUMNS] = {"columns", 1, 1 << 24, 65536, false, "of the grid"},
    [ROWS] = {"rows", 2, 1 << 14, 41, false, "of the grid"},
    [PYRAMID] = {"pyramid", 1, 127, 20, false, "rows of one launch"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the costs"},
    {0},
};

enum { BLOCK = 256 };

typedef struct pathfinder {
    const int32_t *wall; /* cost of each cell but the first row's */
    int32_t *result[2];
    const int32_t *from;
    int32_t *to;
    int32_t columns, rows, pyramid;
    int32_t start;      /* rows done */
    int32_t iterations; /* of this launch */
} pathfinder;

typedef struct pathfinder_locals {
    int32_t i;
    bool computed;
} pathfinder_locals;
typedef struct pathfinder_rows {
    int32_t previous[BLOCK], result[BLOCK];
} pathfinder_rows;

GM_THREAD(dynproc, pathfinder)
{
    pathfinder_locals *l = t->locals;
    pathfinder_rows *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t first = (BLOCK - 2 * a->iterations) * (int32_t)t->cta.x - a->pyramid;
    int32_t column = first + x;
    /* The part of the block that is on the grid, and the neighbours, clamped to it. */
    int32_t low = gm_greater(-first, 0);
    int32_t high = gm_lesser(a->columns - 1 - first, BLOCK - 1);
    int32_t west = gm_greater(x - 1, low);
    int32_t east = gm_lesser(x + 1, high);
    bool on_grid = x >= low && x <= high;
    BEGIN(t)
    COMPUTE(t, INTEGER, 12);
    if (on_grid) {
        int32_t value = LOAD(t, a->from + column);
        SHARED_STORE(t, &s->previous[x], value);
    }
    BARRIER(t);
    for (l->i = 0; l->i < a->iterations; l->i++) {
        COMPUTE(t, INTEGER, 3);
        l->computed = on_grid && x >= l->i + 1 && x <= BLOCK - l->i - 2;
        if (l->computed) {
            int32_t left = SHARED_LOAD(t, &s->previous[west]);
            int32_t up = SHARED_LOAD(t, &s->previous[x]);
            int32_t right = SHARED_LOAD(t, &s->previous[east]);
            COMPUTE(t, INTEGER, 4);
            int32_t shortest = gm_lesser(gm_lesser(left, up), right);
            int32_t own = LOAD(t, a->wall + (ptrdiff_t)a->columns * (a->start + l->i) + column);
            COMPUTE(t, INTEGER, 1);
            SHARED_STORE(t, &s->result[x], shortest + own);
        }
        BARRIER(t);
        if (l->i == a->iterations - 1) {
            break;
        }
        if (l->computed) {
            int32_t value = SHARED_LOAD(t, &s->result[x]);
            SHARED_STORE(t, &s->previous[x], value);
        }
        BARRIER(t);
        LOOP(t);
    }
    if (l->computed) {
        int32_t value = SHARED_LOAD(t, &s->result[x]);
        STORE(t, a->to + column, value);
    }
    END(t);
}
GM_BARRIER_KERNEL(dynproc, pathfinder, pathfinder_locals, pathfinder_rows)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    size_t columns = (size_t)workload->value[COLUMNS];
    size_t rows = (size_t)workload->value[ROWS];
    uint64_t seed = (uint64_t)workload->value[SEED];
    int32_t *first = gm_workload_input(workload, "result0", columns, sizeof *first, error);
    int32_t *second = gm_workload_output(workload, "result1", columns, sizeof *second, error);
    int32_t *wall = gm_workload_input(workload, "wall", columns * (rows - 1), sizeof *wall, error);
    if (first == NULL || second == NULL || wall == NULL) {
        return error->code;
    }
    for (size_t i = 0; i < columns; i++) {
        first[i] = (int32_t)gm_random_below(&seed, 10);
    }
    for (size_t i = 0; i < columns * (rows - 1); i++) {
        wall[i] = (int32_t)gm_random_below(&seed, 10);
    }
    *(pathfinder *)state = (pathfinder){.wall = wall,
                                        .result = {first, second},
                                        .columns = (int32_t)columns,
                                        .rows = (int32_t)rows,
                                        .pyramid = (int32_t)workload->value[PYRAMID]};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    pathfinder *s = state;
    s->start = (int32_t)step * s->pyramid;
    if (s->start >= s->rows - 1) {
        return 0;
    }
    s->iterations = gm_lesser(s->pyramid, s->rows - 1 - s->start);
    s->from = s->result[step % 2];
    s->to = s->result[1 - step % 2];
    launch->code = &dynproc_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks((uint64_t)s->columns, (uint32_t)(BLOCK - 2 * s->pyramid));
    return 1;
}

extern const gm_workload_definition gm_workload_pathfinder;
const gm_workload_definition gm_workload_pathfinder = {
    .description = {"pathfinder", "cheapest way down a grid, rows in shared memory",
                    "Rodinia [li, Table 1: PF, cache insensitive]", options},
    .state_bytes = sizeof(pathfinder),
    .setup = setup,
    .launch = launch,
};
