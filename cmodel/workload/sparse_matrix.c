/* Sparse matrices of the workloads. */
#include "workload/sparse_matrix.h"

#include "base/random.h"
#include "workload/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int take(gm_sparse_matrix *m, size_t entries, gm_error *error)
{
    m->row = calloc((size_t)m->rows + 1, sizeof *m->row);
    m->column = calloc(entries + 1, sizeof *m->column);
    m->value = calloc(entries + 1, sizeof *m->value);
    bool all = m->row != NULL && m->column != NULL && m->value != NULL;
    return all ? 0 : gm_fail(error, -ENOMEM, "matrix: out of memory");
}

void gm_sparse_matrix_free(gm_sparse_matrix *matrix)
{
    free(matrix->row);
    free(matrix->column);
    free(matrix->value);
    *matrix = (gm_sparse_matrix){0};
}

int gm_sparse_matrix_make(gm_sparse_matrix *matrix, uint32_t rows, uint64_t nonzeros, uint64_t seed,
                          gm_error *error)
{
    *matrix = (gm_sparse_matrix){.rows = rows, .columns = rows};
    uint64_t bound = nonzeros * 2 + 1;
    uint64_t random = seed;
    uint64_t counting = random;
    size_t entries = 0;
    for (uint32_t i = 0; i < rows; i++) {
        entries += gm_random_below(&counting, bound);
    }
    int code = take(matrix, entries, error);
    for (uint32_t i = 0; code == 0 && i < rows; i++) {
        matrix->row[i + 1] = matrix->row[i] + (int32_t)gm_random_below(&random, bound);
    }
    for (size_t i = 0; code == 0 && i < entries; i++) {
        matrix->column[i] = (int32_t)gm_random_below(&random, rows);
        matrix->value[i] = gm_random_float(&random, -1.0F, 1.0F);
    }
    return code;
}

/* One entry of a coordinate file, from 0. */
typedef struct entry {
    int32_t row, column;
    float value;
} entry;

static int read_entry(gm_input_file *file, const gm_sparse_matrix *m, bool pattern, entry *read,
                      gm_error *error)
{
    int64_t row = 0;
    int64_t column = 0;
    double value = 1.0;
    int code = gm_input_file_integer(file, "row", 1, m->rows, &row, error);
    if (code == 0) {
        code = gm_input_file_integer(file, "column", 1, m->columns, &column, error);
    }
    if (code == 0 && !pattern) {
        code = gm_input_file_real(file, "value", &value, error);
    }
    *read = (entry){(int32_t)row - 1, (int32_t)column - 1, (float)value};
    return code;
}

/* Sorts the entries (and their mirror images) by row with a counting sort. */
static void place(gm_sparse_matrix *m, const entry *entries, size_t count, bool symmetric)
{
    for (size_t i = 0; i < count; i++) {
        m->row[entries[i].row + 1]++;
        if (symmetric && entries[i].row != entries[i].column) {
            m->row[entries[i].column + 1]++;
        }
    }
    for (uint32_t i = 0; i < m->rows; i++) {
        m->row[i + 1] += m->row[i];
    }
    for (size_t i = count; i-- > 0;) {
        entry e = entries[i];
        int copies = symmetric && e.row != e.column ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            int32_t at = --m->row[e.row + 1];
            m->column[at] = e.column;
            m->value[at] = e.value;
            e = (entry){e.column, e.row, e.value};
        }
    }
    /* Each row[i + 1] has moved to the start of row i. */
    memmove(m->row, m->row + 1, m->rows * sizeof *m->row);
}

static int read_entries(gm_sparse_matrix *m, gm_input_file *file, size_t count, bool pattern,
                        bool symmetric, gm_error *error)
{
    entry *entries = calloc(count + 1, sizeof *entries);
    if (entries == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
    }
    size_t stored = 0;
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        code = read_entry(file, m, pattern, &entries[i], error);
        stored += symmetric && entries[i].row != entries[i].column ? 2 : 1;
    }
    if (code == 0) {
        code = take(m, stored, error);
    }
    if (code == 0) {
        place(m, entries, count, symmetric);
        m->row[m->rows] = (int32_t)stored;
    }
    free(entries);
    return code;
}

static int read_matrix(gm_sparse_matrix *m, gm_input_file *file, gm_error *error)
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
    m->rows = (uint32_t)size[0];
    m->columns = (uint32_t)size[1];
    return read_entries(m, file, (size_t)size[2], pattern, symmetric, error);
}

int gm_sparse_matrix_read(gm_sparse_matrix *matrix, const char *path, gm_error *error)
{
    *matrix = (gm_sparse_matrix){0};
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_matrix(matrix, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}
