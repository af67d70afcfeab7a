/* Sparse matrix times vector, y = A x, in jagged diagonal form [Parboil spmv; anssari, Table 4.2:
 * dynamic sharing, coalesced partitioned data]: the lanes of a warp read entry k of 32 rows side by
 * side and gather from x. The starts of diagonals and the lengths of groups of rows are in constant
 * memory, which reaches no L1: they are not accessed here. */
#include "base/random.h"
#include "workload/jds_matrix.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <string.h>

enum { ROWS, NONZEROS, SEED, THREADS, MATRIX, JDS };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 1, 1 << 24, 1 << 14, false, "rows and columns of a random matrix"},
    [NONZEROS] = {"nonzeros", 1, 4096, 32, false, "entries of a row, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random matrix and of x"},
    [THREADS] = {"threads", 32, 1024, 192, false, "of a CTA; a multiple of 32"},
    [MATRIX] = {"matrix", 0, 0, 0, true, "MatrixMarket file, instead of a random matrix"},
    [JDS] = {"jds", 0, 0, 0, true, "Parboil's binary file, instead of a random matrix"},
    {0},
};

typedef struct spmv {
    int32_t *column; /* of each entry */
    float *value;    /* of each entry */
    int32_t *place;  /* element of y of each row */
    float *x, *y;
    gm_jds_matrix jds;
} spmv;

GM_THREAD(spmv, spmv)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->jds.rows) {
        int32_t length = a->jds.length[i / GM_JDS_GROUP];
        float sum = 0.0F;
        for (int32_t k = 0; k < length; k++) {
            int32_t at = a->jds.start[k] + (int32_t)i;
            COMPUTE(t, INTEGER, 1);
            int32_t column = LOAD(t, a->column + at);
            float value = LOAD(t, a->value + at);
            float x = LOAD(t, a->x + column);
            COMPUTE(t, FP32, 1);
            sum += value * x;
            LOOP(t);
        }
        int32_t place = LOAD(t, a->place + i);
        STORE(t, a->y + place, sum);
    }
}
GM_KERNEL(spmv, spmv)

/* Makes or reads the matrix. */
static int take_matrix(const gm_workload *workload, gm_jds_matrix *jds, gm_error *error)
{
    const int64_t *value = workload->value;
    if (workload->path[JDS] != NULL) {
        return gm_jds_matrix_read(jds, workload->path[JDS], error);
    }
    gm_sparse_matrix matrix;
    int code = workload->path[MATRIX] != NULL
                   ? gm_sparse_matrix_read(&matrix, workload->path[MATRIX], error)
                   : gm_sparse_matrix_make(&matrix, (uint32_t)value[ROWS],
                                           (uint64_t)value[NONZEROS], (uint64_t)value[SEED], error);
    if (code == 0) {
        code = gm_jds_matrix_convert(jds, &matrix, error);
    }
    gm_sparse_matrix_free(&matrix);
    return code;
}

static int take_arrays(gm_workload *workload, spmv *s, gm_error *error)
{
    const gm_jds_matrix *jds = &s->jds;
    s->value = gm_workload_input(workload, "value", jds->entries, sizeof *s->value, error);
    s->column = gm_workload_input(workload, "column", jds->entries, sizeof *s->column, error);
    s->place = gm_workload_input(workload, "place", jds->rows, sizeof *s->place, error);
    s->x = gm_workload_input(workload, "x", jds->columns, sizeof *s->x, error);
    s->y = gm_workload_output(workload, "y", jds->results, sizeof *s->y, error);
    bool all =
        s->value != NULL && s->column != NULL && s->place != NULL && s->x != NULL && s->y != NULL;
    return all ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    spmv *s = state;
    if (workload->value[THREADS] % GM_WARP_SIZE != 0) {
        return gm_fail(error, -EINVAL,
                       "workload spmv_parboil: threads=%lld is not a multiple of 32",
                       (long long)workload->value[THREADS]);
    }
    if (workload->path[JDS] != NULL && workload->path[MATRIX] != NULL) {
        return gm_fail(error, -EINVAL, "workload spmv_parboil: both matrix= and jds= are given");
    }
    int code = take_matrix(workload, &s->jds, error);
    if (code == 0) {
        code = take_arrays(workload, s, error);
    }
    if (code == 0) {
        memcpy(s->value, s->jds.value, s->jds.entries * sizeof *s->value);
        memcpy(s->column, s->jds.column, s->jds.entries * sizeof *s->column);
        memcpy(s->place, s->jds.place, s->jds.rows * sizeof *s->place);
    }
    uint64_t random = ~(uint64_t)workload->value[SEED];
    for (uint32_t i = 0; code == 0 && i < s->jds.columns; i++) {
        s->x[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const spmv *s = state;
    uint32_t threads = (uint32_t)workload->value[THREADS];
    launch->code = &spmv_code;
    launch->arguments = s;
    launch->block.x = threads;
    launch->grid.x = gm_blocks(s->jds.rows, threads);
    return step == 0;
}

static void finish(void *state)
{
    spmv *s = state;
    gm_jds_matrix_free(&s->jds);
}

extern const gm_workload_definition gm_workload_spmv_parboil;
const gm_workload_definition gm_workload_spmv_parboil = {
    .description = {"spmv_parboil", "sparse matrix times vector, jagged diagonals",
                    "Parboil spmv [anssari, Table 4.2: SPMV]", options},
    .state_bytes = sizeof(spmv),
    .setup = setup,
    .launch = launch,
    .finish = finish,
};
