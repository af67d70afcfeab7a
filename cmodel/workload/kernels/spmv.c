/* Sparse matrix times vector, y = A x, rows in compressed form, a thread a row [SHOC spmv scalar
 * kernel; khairy, Table 2: thrashing, with intra-thread locality]: each lane walks its own row. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>
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

/* Makes a random matrix with rows of 0 to 2 * nonzeros entries. */
static int make_matrix(gm_workload *workload, spmv *s, gm_error *error)
{
    s->rows = s->columns = (uint32_t)workload->value[ROWS];
    uint64_t bound = (uint64_t)workload->value[NONZEROS] * 2 + 1;
    uint64_t random = (uint64_t)workload->value[SEED];
    uint64_t counting = random;
    size_t entries = 0;
    for (uint32_t i = 0; i < s->rows; i++) {
        entries += gm_random_below(&counting, bound);
    }
    int code = take_arrays(workload, s, entries, error);
    for (uint32_t i = 0; code == 0 && i < s->rows; i++) {
        s->row[i + 1] = s->row[i] + (int32_t)gm_random_below(&random, bound);
    }
    for (size_t i = 0; code == 0 && i < entries; i++) {
        s->column[i] = (int32_t)gm_random_below(&random, s->columns);
        s->value[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    return code;
}

/* One entry of a coordinate file, from 0. */
typedef struct entry {
    int32_t row, column;
    float value;
} entry;

static int read_entry(gm_input_file *file, const spmv *s, bool pattern, entry *read,
                      gm_error *error)
{
    int64_t row = 0;
    int64_t column = 0;
    double value = 1.0;
    int code = gm_input_file_integer(file, "row", 1, s->rows, &row, error);
    if (code == 0) {
        code = gm_input_file_integer(file, "column", 1, s->columns, &column, error);
    }
    if (code == 0 && !pattern) {
        code = gm_input_file_real(file, "value", &value, error);
    }
    *read = (entry){(int32_t)row - 1, (int32_t)column - 1, (float)value};
    return code;
}

/* Sorts the entries (and their mirror images) by row with a counting sort. */
static void place(spmv *s, const entry *entries, size_t count, bool symmetric)
{
    for (size_t i = 0; i < count; i++) {
        s->row[entries[i].row + 1]++;
        if (symmetric && entries[i].row != entries[i].column) {
            s->row[entries[i].column + 1]++;
        }
    }
    for (uint32_t i = 0; i < s->rows; i++) {
        s->row[i + 1] += s->row[i];
    }
    for (size_t i = count; i-- > 0;) {
        entry e = entries[i];
        int copies = symmetric && e.row != e.column ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            int32_t at = --s->row[e.row + 1];
            s->column[at] = e.column;
            s->value[at] = e.value;
            e = (entry){e.column, e.row, e.value};
        }
    }
    /* Each row[i + 1] has moved to the start of row i. */
    memmove(s->row, s->row + 1, s->rows * sizeof *s->row);
}

static int read_entries(gm_workload *workload, spmv *s, gm_input_file *file, size_t count,
                        bool pattern, bool symmetric, gm_error *error)
{
    entry *entries = calloc(count + 1, sizeof *entries);
    if (entries == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
    }
    size_t stored = 0;
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        code = read_entry(file, s, pattern, &entries[i], error);
        stored += symmetric && entries[i].row != entries[i].column ? 2 : 1;
    }
    if (code == 0) {
        code = take_arrays(workload, s, stored, error);
    }
    if (code == 0) {
        place(s, entries, count, symmetric);
        s->row[s->rows] = (int32_t)stored;
    }
    free(entries);
    return code;
}

static int read_matrix(gm_workload *workload, spmv *s, gm_input_file *file, gm_error *error)
{
    const char *banner = gm_input_file_line(file);
    bool pattern = strstr(banner, " pattern") != NULL;
    bool symmetric = strstr(banner, " symmetric") != NULL;
    if (strncmp(banner, "%%MatrixMarket matrix coordinate ", 33) != 0 ||
        strstr(banner, " complex") != NULL || strstr(banner, " skew") != NULL ||
        strstr(banner, " hermitian") != NULL) {
        return gm_fail(error, -EINVAL,
                       "%s:1: not a MatrixMarket coordinate matrix of real, integer or pattern "
                       "entries, general or symmetric",
                       file->path);
    }
    while (file->at < file->length && file->bytes[file->at] == '%') {
        gm_input_file_line(file);
    }
    int64_t size[3] = {0};
    static const char *const what[] = {"number of rows", "number of columns", "number of entries"};
    for (int i = 0; i < 3; i++) {
        int code = gm_input_file_integer(file, what[i], i < 2, 1 << 28, &size[i], error);
        if (code < 0) {
            return code;
        }
    }
    if (symmetric && size[0] != size[1]) {
        return gm_input_file_fail(file, error, "a symmetric matrix of %lld rows and %lld columns",
                                  (long long)size[0], (long long)size[1]);
    }
    s->rows = (uint32_t)size[0];
    s->columns = (uint32_t)size[1];
    return read_entries(workload, s, file, (size_t)size[2], pattern, symmetric, error);
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    spmv *s = state;
    int code = 0;
    if (workload->path[MATRIX] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[MATRIX], error);
        if (code == 0) {
            code = read_matrix(workload, s, &file, error);
            gm_input_file_free(&file);
        }
    } else {
        code = make_matrix(workload, s, error);
    }
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
