/* Sparse matrices in jagged diagonal form. */
#include "workload/jds_matrix.h"

#include "workload/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_LIMIT = 1 << 28, ROWS_LIMIT = 1 << 26 };

/* Allocates the arrays for the sizes in *jds. */
static int take(gm_jds_matrix *jds, gm_error *error)
{
    jds->start = calloc((size_t)jds->diagonals + 1, sizeof *jds->start);
    jds->place = calloc(jds->rows, sizeof *jds->place);
    jds->length = calloc(jds->rows / GM_JDS_GROUP, sizeof *jds->length);
    jds->column = calloc((size_t)jds->entries + 1, sizeof *jds->column);
    jds->value = calloc((size_t)jds->entries + 1, sizeof *jds->value);
    bool all = jds->start != NULL && jds->place != NULL && jds->length != NULL &&
               jds->column != NULL && jds->value != NULL;
    return all ? 0 : gm_fail(error, -ENOMEM, "matrix: out of memory");
}

void gm_jds_matrix_free(gm_jds_matrix *jds)
{
    free(jds->start);
    free(jds->place);
    free(jds->length);
    free(jds->column);
    free(jds->value);
    *jds = (gm_jds_matrix){0};
}

typedef struct sorted_row {
    int32_t row, length;
} sorted_row;

/* Longest first; rows of one length in their order. */
static int longest_first(const void *a, const void *b)
{
    const sorted_row *x = a;
    const sorted_row *y = b;
    if (x->length != y->length) {
        return x->length < y->length ? 1 : -1;
    }
    return (x->row > y->row) - (x->row < y->row);
}

/* Returns the rows sorted, with empty ones behind them to fill the last group; NULL: out of memory.
 */
static sorted_row *sort_rows(const gm_sparse_matrix *matrix, uint32_t rows)
{
    sorted_row *sorted = calloc(rows, sizeof *sorted);
    for (uint32_t i = 0; sorted != NULL && i < rows; i++) {
        bool real = i < matrix->rows;
        sorted[i].row = (int32_t)i;
        sorted[i].length = real ? matrix->row[i + 1] - matrix->row[i] : 0;
    }
    if (sorted != NULL) {
        qsort(sorted, rows, sizeof *sorted, longest_first);
    }
    return sorted;
}

static void place_entries(gm_jds_matrix *jds, const gm_sparse_matrix *matrix,
                          const sorted_row *sorted)
{
    uint32_t groups = jds->rows / GM_JDS_GROUP;
    for (uint32_t g = 0; g < groups; g++) {
        jds->length[g] = sorted[(size_t)g * GM_JDS_GROUP].length;
    }
    uint32_t long_enough = groups;
    for (uint32_t k = 0; k < jds->diagonals; k++) {
        while (jds->length[long_enough - 1] <= (int32_t)k) {
            long_enough--;
        }
        jds->start[k + 1] = jds->start[k] + (int32_t)(long_enough * GM_JDS_GROUP);
    }
    for (uint32_t i = 0; i < jds->rows; i++) {
        jds->place[i] = sorted[i].row;
        for (int32_t k = 0; k < sorted[i].length; k++) {
            int32_t from = matrix->row[sorted[i].row] + k;
            int32_t at = jds->start[k] + (int32_t)i;
            jds->column[at] = matrix->column[from];
            jds->value[at] = matrix->value[from];
        }
    }
}

int gm_jds_matrix_convert(gm_jds_matrix *jds, const gm_sparse_matrix *matrix, gm_error *error)
{
    uint32_t groups = (matrix->rows + GM_JDS_GROUP - 1) / GM_JDS_GROUP;
    *jds = (gm_jds_matrix){.rows = groups * GM_JDS_GROUP,
                           .columns = matrix->columns,
                           .results = groups * GM_JDS_GROUP};
    sorted_row *sorted = sort_rows(matrix, jds->rows);
    if (sorted == NULL) {
        return gm_fail(error, -ENOMEM, "matrix: out of memory");
    }
    uint64_t entries = 0;
    for (uint32_t g = 0; g < groups; g++) {
        entries += (uint64_t)sorted[(size_t)g * GM_JDS_GROUP].length * GM_JDS_GROUP;
    }
    jds->diagonals = (uint32_t)sorted[0].length;
    jds->entries = (uint32_t)entries;
    int code = entries > ENTRIES_LIMIT
                   ? gm_fail(error, -EINVAL, "matrix: %llu entries with the padding, limit %d",
                             (unsigned long long)entries, ENTRIES_LIMIT)
                   : take(jds, error);
    if (code == 0) {
        place_entries(jds, matrix, sorted);
    }
    free(sorted);
    return code;
}

/* Reads the sizes in the first line. */
static int read_sizes(gm_jds_matrix *jds, gm_input_file *file, gm_error *error)
{
    static const struct {
        const char *name;
        int64_t low, high;
    } field[] = {
        {"number of entries", 0, ENTRIES_LIMIT},
        {"number of starts", 1, ROWS_LIMIT},
        {"number of groups", 1, ROWS_LIMIT / GM_JDS_GROUP},
        {"number of rows", GM_JDS_GROUP, ROWS_LIMIT},
        {"rows of a group", GM_JDS_GROUP, GM_JDS_GROUP},
    };
    int64_t size[5] = {0};
    for (int i = 0; i < 5; i++) {
        if (i > 0 && gm_input_file_line_ended(file)) {
            return gm_input_file_fail(file, error, "%s is missing", field[i].name);
        }
        int code = gm_input_file_integer(file, field[i].name, field[i].low, field[i].high, &size[i],
                                         error);
        if (code < 0) {
            return code;
        }
    }
    if (size[2] * GM_JDS_GROUP != size[3]) {
        return gm_input_file_fail(file, error, "number of rows: %lld is not 32 times %lld groups",
                                  (long long)size[3], (long long)size[2]);
    }
    if (file->bytes[file->at] != '\n') {
        return gm_input_file_fail(file, error, "more than five numbers in the first line");
    }
    file->at++;
    jds->entries = (uint32_t)size[0];
    jds->diagonals = (uint32_t)size[1] - 1;
    jds->rows = jds->columns = jds->results = (uint32_t)size[3];
    return 0;
}

static int read_arrays(gm_jds_matrix *jds, gm_input_file *file, gm_error *error)
{
    const struct {
        const char *name;
        void *into;
        size_t count;
    } array[] = {
        {"values", jds->value, jds->entries},
        {"columns", jds->column, jds->entries},
        {"starts", jds->start, (size_t)jds->diagonals + 1},
        {"places", jds->place, jds->rows},
        {"lengths", jds->length, jds->rows / GM_JDS_GROUP},
    };
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        int code =
            gm_input_file_bytes(file, array[i].name, array[i].into, array[i].count * 4, error);
        if (code < 0) {
            return code;
        }
    }
    if (file->at != file->length) {
        return gm_fail(error, -EINVAL, "%s: %zu bytes behind the lengths", file->path,
                       file->length - file->at);
    }
    return 0;
}

/* Checks that each diagonal holds the rows of all groups that reach it: no entry lies outside. */
static int check_starts(const gm_jds_matrix *jds, const char *path, gm_error *error)
{
    for (uint32_t k = 0; k <= jds->diagonals; k++) {
        int32_t low = k == 0 ? 0 : jds->start[k - 1];
        int32_t high = k == 0 ? 0 : (int32_t)jds->entries;
        low = k == jds->diagonals ? (int32_t)jds->entries : low;
        if (jds->start[k] < low || jds->start[k] > high) {
            return gm_fail(error, -EINVAL, "%s: start %u: %d is not in %d..%d", path, k,
                           jds->start[k], low, high);
        }
    }
    for (uint32_t g = 0; g < jds->rows / GM_JDS_GROUP; g++) {
        int32_t length = jds->length[g];
        if (length < 0 || (uint32_t)length > jds->diagonals) {
            return gm_fail(error, -EINVAL, "%s: length %u: %d is not in 0..%u", path, g, length,
                           jds->diagonals);
        }
        for (int32_t k = 0; k < length; k++) {
            if (jds->start[k + 1] - jds->start[k] < (int32_t)((g + 1) * GM_JDS_GROUP)) {
                return gm_fail(error, -EINVAL, "%s: length %u: %d, but diagonal %d has %d rows",
                               path, g, length, k, jds->start[k + 1] - jds->start[k]);
            }
        }
    }
    return 0;
}

static int check_places(const gm_jds_matrix *jds, const char *path, gm_error *error)
{
    for (uint32_t i = 0; i < jds->entries; i++) {
        if (jds->column[i] < 0 || (uint32_t)jds->column[i] >= jds->columns) {
            return gm_fail(error, -EINVAL, "%s: column of entry %u: %d is not in 0..%u", path, i,
                           jds->column[i], jds->columns - 1);
        }
    }
    bool *seen = calloc(jds->results, sizeof *seen);
    if (seen == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < jds->rows; i++) {
        int32_t place = jds->place[i];
        if (place < 0 || (uint32_t)place >= jds->results) {
            code = gm_fail(error, -EINVAL, "%s: place of row %u: %d is not in 0..%u", path, i,
                           place, jds->results - 1);
        } else if (seen[place]) {
            code =
                gm_fail(error, -EINVAL, "%s: place of row %u: %d is another row's", path, i, place);
        } else {
            seen[place] = true;
        }
    }
    free(seen);
    return code;
}

int gm_jds_matrix_read(gm_jds_matrix *jds, const char *path, gm_error *error)
{
    *jds = (gm_jds_matrix){0};
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code < 0) {
        return code;
    }
    code = read_sizes(jds, &file, error);
    if (code == 0) {
        code = take(jds, error);
    }
    if (code == 0) {
        code = read_arrays(jds, &file, error);
    }
    if (code == 0) {
        code = check_starts(jds, path, error);
    }
    if (code == 0) {
        code = check_places(jds, path, error);
    }
    gm_input_file_free(&file);
    return code;
}
