/* LU decomposition without pivoting, in place [Rodinia lud, kernels lud_diagonal, lud_perimeter and
 * lud_internal; li, Table 1: cache unfriendly]. Each step factors a 16x16 tile of the diagonal in
 * shared memory, then the tiles of its row and column, then updates all tiles behind. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, SEED, MATRIX };
static const gm_workload_option options[] = {
    [N] = {"n", 16, 1 << 13, 256, false, "rows of a random matrix, rounded down to 16s"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random matrix"},
    [MATRIX] = {"matrix", 0, 0, 0, true, "file in Rodinia's form: n, then n*n numbers"},
    {0},
};

enum { TILE = 16 };

typedef struct lud {
    float *m;
    uint32_t n;
    uint32_t offset; /* row and column of this step's diagonal tile */
} lud;

typedef struct lud_locals {
    uint32_t i;
} lud_locals;
typedef struct diagonal_tile {
    float shadow[TILE][TILE];
} diagonal_tile;
typedef struct perimeter_tiles {
    float diagonal[TILE][TILE], row[TILE][TILE], column[TILE][TILE];
} perimeter_tiles;
typedef struct internal_tiles {
    float row[TILE][TILE], column[TILE][TILE];
} internal_tiles;

/* Subtracts the product of `count` elements of a row and of a column from the thread's element. */
#define LESS_PRODUCT(t, target, left, right, count)                                                \
    do {                                                                                           \
        float rest = SHARED_LOAD(t, target);                                                       \
        for (uint32_t j = 0; j < (count); j++) {                                                   \
            float factor = SHARED_LOAD(t, left);                                                   \
            float other = SHARED_LOAD(t, right);                                                   \
            COMPUTE(t, FP32, 1);                                                                   \
            rest -= factor * other;                                                                \
            LOOP(t);                                                                               \
        }                                                                                          \
        SHARED_STORE(t, target, rest);                                                             \
    } while (0)

/* Copies rows first to end - 1 of a tile into shared memory: the thread's column x. */
#define COPY_IN(t, tile, n, copy, first, end)                                                      \
    do {                                                                                           \
        for (uint32_t i = (first); i < (end); i++) {                                               \
            float value = LOAD(t, (tile) + (size_t)i * (n) + x);                                   \
            SHARED_STORE(t, &(copy)[i][x], value);                                                 \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

/* Copies a tile back to global memory, from row `first` on. */
#define COPY_OUT(t, tile, n, copy, first)                                                          \
    do {                                                                                           \
        for (uint32_t i = (first); i < TILE; i++) {                                                \
            float value = SHARED_LOAD(t, &(copy)[i][x]);                                           \
            STORE(t, (tile) + (size_t)i * (n) + x, value);                                         \
            LOOP(t);                                                                               \
        }                                                                                          \
    } while (0)

GM_THREAD(lud_diagonal, lud)
{
    lud_locals *l = t->locals;
    diagonal_tile *s = t->shared;
    uint32_t x = t->thread.x;
    float *tile = a->m + (size_t)a->offset * a->n + a->offset;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    COPY_IN(t, tile, a->n, s->shadow, 0, TILE);
    BARRIER(t);
    for (l->i = 0; l->i < TILE - 1; l->i++) {
        COMPUTE(t, INTEGER, 1);
        if (x > l->i) {
            LESS_PRODUCT(t, &s->shadow[x][l->i], &s->shadow[x][j], &s->shadow[j][l->i], l->i);
            float value = SHARED_LOAD(t, &s->shadow[x][l->i]);
            float pivot = SHARED_LOAD(t, &s->shadow[l->i][l->i]);
            COMPUTE(t, SPECIAL, 1);
            COMPUTE(t, FP32, 4);
            SHARED_STORE(t, &s->shadow[x][l->i], value / pivot);
        }
        BARRIER(t);
        if (x > l->i) {
            LESS_PRODUCT(t, &s->shadow[l->i + 1][x], &s->shadow[l->i + 1][j], &s->shadow[j][x],
                         l->i + 1);
        }
        BARRIER(t);
        LOOP(t);
    }
    COPY_OUT(t, tile, a->n, s->shadow, 1);
    END(t);
}
GM_BARRIER_KERNEL(lud_diagonal, lud, lud_locals, diagonal_tile)

/* The first half of the CTA has a tile of the row, the second half one of the column. */
GM_THREAD(lud_perimeter, lud)
{
    perimeter_tiles *s = t->shared;
    bool has_row = t->thread.x < TILE;
    uint32_t x = t->thread.x % TILE;
    float *diagonal = a->m + (size_t)a->offset * a->n + a->offset;
    float *row = diagonal + (size_t)(t->cta.x + 1) * TILE;
    float *column = diagonal + (size_t)(t->cta.x + 1) * TILE * a->n;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    if (has_row) {
        COPY_IN(t, diagonal, a->n, s->diagonal, 0, TILE / 2);
        COPY_IN(t, row, a->n, s->row, 0, TILE);
    } else {
        COPY_IN(t, diagonal, a->n, s->diagonal, TILE / 2, TILE);
        COPY_IN(t, column, a->n, s->column, 0, TILE);
    }
    BARRIER(t);
    if (has_row) {
        for (uint32_t i = 1; i < TILE; i++) {
            LESS_PRODUCT(t, &s->row[i][x], &s->diagonal[i][j], &s->row[j][x], i);
            LOOP(t);
        }
    } else {
        for (uint32_t i = 0; i < TILE; i++) {
            LESS_PRODUCT(t, &s->column[x][i], &s->column[x][j], &s->diagonal[j][i], i);
            float value = SHARED_LOAD(t, &s->column[x][i]);
            float pivot = SHARED_LOAD(t, &s->diagonal[i][i]);
            COMPUTE(t, SPECIAL, 1);
            COMPUTE(t, FP32, 4);
            SHARED_STORE(t, &s->column[x][i], value / pivot);
            LOOP(t);
        }
    }
    BARRIER(t);
    if (has_row) {
        COPY_OUT(t, row, a->n, s->row, 1);
    } else {
        COPY_OUT(t, column, a->n, s->column, 0);
    }
    END(t);
}
GM_BARRIER_KERNEL(lud_perimeter, lud, lud_locals, perimeter_tiles)

GM_THREAD(lud_internal, lud)
{
    internal_tiles *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = t->thread.y;
    size_t row = a->offset + (size_t)(t->cta.y + 1) * TILE + y;
    size_t column = a->offset + (size_t)(t->cta.x + 1) * TILE + x;
    BEGIN(t)
    COMPUTE(t, INTEGER, 8);
    float above = LOAD(t, a->m + (size_t)(a->offset + y) * a->n + column);
    SHARED_STORE(t, &s->row[y][x], above);
    float left = LOAD(t, a->m + row * a->n + a->offset + x);
    SHARED_STORE(t, &s->column[y][x], left);
    BARRIER(t);
    float sum = 0.0F;
    for (uint32_t i = 0; i < TILE; i++) {
        float factor = SHARED_LOAD(t, &s->column[y][i]);
        float other = SHARED_LOAD(t, &s->row[i][x]);
        COMPUTE(t, FP32, 1);
        sum += factor * other;
        LOOP(t);
    }
    float value = LOAD(t, a->m + row * a->n + column);
    COMPUTE(t, FP32, 1);
    STORE(t, a->m + row * a->n + column, value - sum);
    END(t);
}
GM_BARRIER_KERNEL(lud_internal, lud, lud_locals, internal_tiles)

static int take_matrix(gm_workload *workload, lud *s, size_t n, gm_error *error)
{
    s->n = (uint32_t)n;
    s->m = gm_workload_input(workload, "m", n * n, sizeof *s->m, error);
    return s->m != NULL ? 0 : error->code;
}

static int read_matrix(gm_workload *workload, lud *s, gm_input_file *file, gm_error *error)
{
    int64_t n = 0;
    int code = gm_input_file_integer(file, "number of rows", TILE, 1 << 13, &n, error);
    if (code == 0 && n % TILE != 0) {
        code = gm_input_file_fail(file, error, "%lld rows, which is not a multiple of %d",
                                  (long long)n, TILE);
    }
    if (code == 0) {
        code = take_matrix(workload, s, (size_t)n, error);
    }
    for (int64_t i = 0; code == 0 && i < n * n; i++) {
        double value = 0.0;
        code = gm_input_file_real(file, "element", &value, error);
        s->m[i] = (float)value;
    }
    return code;
}

/* Makes a random matrix with elements in 0..1 and each diagonal element above the sum of its row,
 * so that no pivot is near 0. */
static int make_matrix(gm_workload *workload, lud *s, gm_error *error)
{
    size_t n = (size_t)workload->value[N] / TILE * TILE;
    uint64_t seed = (uint64_t)workload->value[SEED];
    int code = take_matrix(workload, s, n, error);
    for (size_t i = 0; code == 0 && i < n * n; i++) {
        s->m[i] = gm_random_float(&seed, 0.0F, 1.0F) + (i % (n + 1) == 0 ? (float)n : 0.0F);
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    const char *path = workload->path[MATRIX];
    if (path == NULL) {
        return make_matrix(workload, state, error);
    }
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_matrix(workload, state, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    lud *s = state;
    s->offset = (uint32_t)(step / 3) * TILE;
    if (s->offset >= s->n) {
        return 0;
    }
    uint32_t behind = (s->n - s->offset) / TILE - 1; /* tiles */
    if (behind == 0 && step % 3 > 0) {
        return 0;
    }
    static const gm_code *const codes[] = {&lud_diagonal_code, &lud_perimeter_code,
                                           &lud_internal_code};
    static const gm_dim blocks[] = {{TILE, 1, 1}, {2 * TILE, 1, 1}, {TILE, TILE, 1}};
    launch->code = codes[step % 3];
    launch->arguments = s;
    launch->block = blocks[step % 3];
    launch->grid.x = step % 3 == 0 ? 1 : behind;
    launch->grid.y = step % 3 == 2 ? behind : 1;
    return 1;
}

extern const gm_workload_definition gm_workload_lud;
const gm_workload_definition gm_workload_lud = {
    .description = {"lud", "LU decomposition by tiles in shared memory",
                    "Rodinia [li, Table 1: cache unfriendly]", options},
    .state_bytes = sizeof(lud),
    .setup = setup,
    .launch = launch,
};
