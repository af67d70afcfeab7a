/* Sparse matrix times vector, y = A x, rows in compressed form, a thread a row [SHOC spmv scalar
 * kernel; khairy, Table 2: thrashing, with intra-thread locality]: each lane walks its own row. */
#include "base/random.h"
#include "workload/sparse_matrix.h"
#include "workload/workload_internal.h"

#include <string.h>

enum { ROWS, NONZEROS, SEED, MATRIX };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 1, 1 << 24, 1 << 14, false, "rows and columns of a random matrix"},
    [NONZEROS] = {"nonzeros", 1, 4096, 32, false, "entries of a row, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random matrix and of x"},
    [MATRIX] = {"matrix", 0, 0, 0, true,
                "MatrixMarket coordinate file, instead of a random matrix"},
    {0},
};

typedef struct spmv {
    int32_t *row;    /* first entry of each row, and the end */
    int32_t *column; /* of each entry */
    float *value;    /* of each entry */
    float *x, *y;
    uint32_t rows, columns;
} spmv;

GM_THREAD(spmv, spmv)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->rows) {
        int32_t first = LOAD(t, a->row + i);
        int32_t end = LOAD(t, a->row + i + 1);
        float sum = 0.0F;
        for (int32_t k = first; k < end; k++) {
            int32_t column = LOAD(t, a->column + k);
            float value = LOAD(t, a->value + k);
            float x = LOAD(t, a->x + column);
            COMPUTE(t, FP32, 1);
            sum += value * x;
            LOOP(t);
        }
        STORE(t, a->y + i, sum);
    }
}
GM_KERNEL(spmv, spmv)

static int take_arrays(gm_workload *workload, spmv *s, size_t entries, gm_error *error)
{
    s->row = gm_workload_input(workload, "row", (size_t)s->rows + 1, sizeof *s->row, error);
    s->column = gm_workload_input(workload, "column", entries, sizeof *s->column, error);
    s->value = gm_workload_input(workload, "value", entries, sizeof *s->value, error);
    s->x = gm_workload_input(workload, "x", s->columns, sizeof *s->x, error);
    s->y = gm_workload_output(workload, "y", s->rows, sizeof *s->y, error);
    bool all =
        s->row != NULL && s->column != NULL && s->value != NULL && s->x != NULL && s->y != NULL;
    return all ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    spmv *s = state;
    const int64_t *value = workload->value;
    gm_sparse_matrix matrix;
    int code = workload->path[MATRIX] != NULL
                   ? gm_sparse_matrix_read(&matrix, workload->path[MATRIX], error)
                   : gm_sparse_matrix_make(&matrix, (uint32_t)value[ROWS],
                                           (uint64_t)value[NONZEROS], (uint64_t)value[SEED], error);
    if (code == 0) {
        s->rows = matrix.rows;
        s->columns = matrix.columns;
        code = take_arrays(workload, s, gm_sparse_matrix_entries(&matrix), error);
    }
    if (code == 0) {
        size_t entries = gm_sparse_matrix_entries(&matrix);
        memcpy(s->row, matrix.row, ((size_t)s->rows + 1) * sizeof *s->row);
        memcpy(s->column, matrix.column, entries * sizeof *s->column);
        memcpy(s->value, matrix.value, entries * sizeof *s->value);
    }
    gm_sparse_matrix_free(&matrix);
    uint64_t random = ~(uint64_t)workload->value[SEED];
    for (uint32_t i = 0; code == 0 && i < s->columns; i++) {
        s->x[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const spmv *s = state;
    launch->code = &spmv_code;
    launch->arguments = s;
    launch->block.x = 128;
    launch->grid.x = gm_blocks(s->rows, 128);
    return step == 0;
}

extern const gm_workload_definition gm_workload_spmv;
const gm_workload_definition gm_workload_spmv = {
    .description = {"spmv", "sparse matrix times vector, a thread a row",
                    "SHOC [khairy, Table 2: SpMV]", options},
    .state_bytes = sizeof(spmv),
    .setup = setup,
    .launch = launch,
};
