/* Jagged diagonals: what a conversion gives, what Parboil's files hold, what is said of bad ones;
 * and spmv_parboil against products by rows. */
#include "workload/jds_matrix.h"

#include "support/workload/workload_run.h"

#include <stdio.h>

/* 34 rows: row 33 has 3 entries, row 1 has 2, the others have one, on the diagonal. */
enum { ROWS = 34, ENTRIES = 37 };
static void make_rows(gm_sparse_matrix *m, int32_t row[ROWS + 1], int32_t column[ENTRIES],
                      float value[ENTRIES])
{
    *m = (gm_sparse_matrix){ROWS, ROWS, row, column, value};
    int32_t next = 0;
    for (int32_t i = 0; i < ROWS; i++) {
        row[i] = next;
        int32_t count = i == 33 ? 3 : i == 1 ? 2 : 1;
        for (int32_t k = 0; k < count; k++) {
            column[next] = (i + k) % ROWS;
            value[next++] = (float)(100 * i + k + 1);
        }
    }
    row[ROWS] = next;
}

/* Sorted: rows 33, 1, 0, 2, 3, ...; groups of 3 and 1 entries: 64 + 32 + 32 with the padding. */
static void rows_become_diagonals(void **state)
{
    (void)state;
    gm_sparse_matrix matrix;
    int32_t row[ROWS + 1];
    int32_t column[ENTRIES];
    float value[ENTRIES];
    make_rows(&matrix, row, column, value);
    gm_jds_matrix jds;
    gm_error error;
    test_ok(gm_jds_matrix_convert(&jds, &matrix, &error), error);
    assert_int_equal(jds.rows, 64);
    assert_int_equal(jds.diagonals, 3);
    assert_int_equal(jds.entries, 128);
    static const int32_t start[] = {0, 64, 96, 128};
    static const int32_t length[] = {3, 1};
    assert_memory_equal(jds.start, start, sizeof start);
    assert_memory_equal(jds.length, length, sizeof length);
    static const int32_t place[] = {33, 1, 0, 2, 3};
    assert_memory_equal(jds.place, place, sizeof place);
    assert_int_equal(jds.place[33], 32);
    assert_int_equal(jds.place[63], 63); /* the padding's rows keep their places */
    assert_true(jds.value[0] == 3301.0F && jds.column[0] == 33);
    assert_true(jds.value[64] == 3302.0F && jds.column[64] == 0);
    assert_true(jds.value[96] == 3303.0F && jds.column[96] == 1);
    assert_true(jds.value[65] == 102.0F && jds.column[65] == 2);
    assert_true(jds.value[66] == 0.0F && jds.column[66] == 0); /* padding */
    assert_true(jds.value[63] == 0.0F);
    gm_jds_matrix_free(&jds);
}

/* A kernel's result against sums by rows, in double precision. */
static void check_product(const char *specification, const gm_sparse_matrix *matrix)
{
    workload_run run = workload_run_whole(specification);
    const float *x = workload_data(&run, "x");
    const float *y = workload_data(&run, "y");
    for (uint32_t i = 0; i < matrix->rows; i++) {
        double sum = 0.0;
        double scale = 1.0;
        for (int32_t k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
            double term = (double)matrix->value[k] * (double)x[matrix->column[k]];
            sum += term;
            scale += fabs(term);
        }
        assert_true(fabs(sum - (double)y[i]) <= 1e-5 * scale);
    }
    gm_source_close(run.source);
}

static void spmv_parboil_multiplies(void **state)
{
    (void)state;
    gm_sparse_matrix matrix;
    gm_error error;
    test_ok(gm_sparse_matrix_make(&matrix, 1000, 9, 3, &error), error);
    check_product("spmv_parboil,rows=1000,nonzeros=9,seed=3,threads=64", &matrix);
    gm_sparse_matrix_free(&matrix);
    char path[512];
    char specification[600];
    snprintf(path, sizeof path, "%s/matrices/cryg2500.mtx.xz", test_shared_data("GOLDMEM_INPUTS"));
    snprintf(specification, sizeof specification, "spmv_parboil,matrix=%s", path);
    test_ok(gm_sparse_matrix_read(&matrix, path, &error), error);
    check_product(specification, &matrix);
    gm_sparse_matrix_free(&matrix);
}

/* 1138_bus has 1138 rows, 4054 entries and is symmetric [Matrix Market]; the file pads it. */
static void parboil_files_are_read(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/parboil/1138_bus.mtx.bin", test_shared_data("GOLDMEM_INPUTS"));
    gm_jds_matrix jds;
    gm_error error;
    test_ok(gm_jds_matrix_read(&jds, path, &error), error);
    assert_int_equal(jds.rows, 1152);
    assert_int_equal(jds.diagonals, 18);
    assert_int_equal(jds.entries, 4448);
    float *dense = calloc((size_t)1152 * 1152, sizeof *dense);
    assert_non_null(dense);
    size_t entries = 0;
    for (uint32_t i = 0; i < jds.rows; i++) {
        for (int32_t k = 0; k < jds.length[i / 32]; k++) {
            int32_t at = jds.start[k] + (int32_t)i;
            entries += jds.value[at] != 0.0F;
            dense[(size_t)jds.place[i] * 1152 + (size_t)jds.column[at]] += jds.value[at];
        }
    }
    assert_int_equal(entries, 4054);
    char specification[600];
    snprintf(specification, sizeof specification, "spmv_parboil,jds=%s", path);
    workload_run run = workload_run_whole(specification);
    const float *x = workload_data(&run, "x");
    const float *y = workload_data(&run, "y");
    for (size_t i = 0; i < 1152; i++) {
        double sum = 0.0;
        double scale = 1.0;
        for (size_t j = 0; j < 1152; j++) {
            assert_true(dense[i * 1152 + j] == dense[j * 1152 + i]);
            sum += (double)dense[i * 1152 + j] * (double)x[j];
            scale += fabs((double)dense[i * 1152 + j]);
        }
        assert_true(fabs(sum - (double)y[i]) <= 1e-5 * scale);
    }
    free(dense);
    gm_source_close(run.source);
    gm_jds_matrix_free(&jds);
    snprintf(path, sizeof path, "%s/parboil/bcsstk18.mtx.bin.xz",
             test_shared_data("GOLDMEM_INPUTS"));
    test_ok(gm_jds_matrix_read(&jds, path, &error), error);
    assert_int_equal(jds.rows, 11968); /* 11948 in groups of 32 */
    assert_int_equal(jds.entries, 150144);
    gm_jds_matrix_free(&jds);
}

/* A file of two groups: one diagonal of 64 rows, one of 32; `words` are what follows the line. */
enum { WORDS = 96 + 96 + 3 + 64 + 2 };
static const char *write_file(const char *line, const int32_t words[WORDS], size_t count)
{
    char bytes[64 + WORDS * 4];
    size_t length = (size_t)snprintf(bytes, 64, "%s", line);
    memcpy(bytes + length, words, count * 4);
    return test_file_write("bad.bin", bytes, length + count * 4);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char LINE[] = "96 3 2 64 32\n";
    enum { COLUMN = 96, START = 192, PLACE = 195, LENGTH = 259 };
    static const struct {
        const char *line;
        size_t word; /* that is changed */
        int32_t to;
        size_t count; /* of words; 0: all */
        const char *reason;
    } cases[] = {
        {"96 3 2\n", 0, 0, 1, ":1: number of rows is missing"},
        {"x 3 2 64 32\n", 0, 0, 0, ":1: number of entries: 'x' is not a number in range"},
        {"96 0 2 64 32\n", 0, 0, 0, ":1: number of starts: 0 is not in 1..67108864"},
        {"96 3 2 64 16\n", 0, 0, 0, ":1: rows of a group: 16 is not in 32..32"},
        {"96 3 3 64 32\n", 0, 0, 0, ":1: number of rows: 64 is not 32 times 3 groups"},
        {"96 3 2 64 32 1\n", 0, 0, 0, ":1: more than five numbers in the first line"},
        {LINE, 0, 0, 50, ": values: 184 bytes are missing at the end"},
        {LINE, 0, 0, WORDS - 1, ": lengths: 4 bytes are missing at the end"},
        {"95 3 2 64 32\n", START + 2, 95, 0, ": 8 bytes behind the lengths"},
        {LINE, COLUMN + 5, 64, 0, ": column of entry 5: 64 is not in 0..63"},
        {LINE, COLUMN, -1, 0, ": column of entry 0: -1 is not in 0..63"},
        {LINE, START, 32, 0, ": start 0: 32 is not in 0..0"},
        {LINE, START + 1, -1, 0, ": start 1: -1 is not in 0..96"},
        {LINE, START + 2, 64, 0, ": start 2: 64 is not in 96..96"},
        {LINE, PLACE + 3, 64, 0, ": place of row 3: 64 is not in 0..63"},
        {LINE, PLACE + 3, 2, 0, ": place of row 3: 2 is another row's"},
        {LINE, LENGTH, 3, 0, ": length 0: 3 is not in 0..2"},
        {LINE, LENGTH + 1, 2, 0, ": length 1: 2, but diagonal 1 has 32 rows"},
    };
    test_folder_make();
    for (size_t c = 0; c <= sizeof cases / sizeof *cases; c++) {
        int32_t words[WORDS] = {[START + 1] = 64, [START + 2] = 96, [LENGTH] = 2, [LENGTH + 1] = 1};
        for (int32_t i = 0; i < 64; i++) {
            words[PLACE + i] = i;
        }
        gm_jds_matrix jds;
        gm_error error;
        if (c == sizeof cases / sizeof *cases) { /* unchanged, it is read */
            test_ok(gm_jds_matrix_read(&jds, write_file(LINE, words, WORDS), &error), error);
        } else {
            words[cases[c].word] = cases[c].to;
            const char *path =
                write_file(cases[c].line, words, cases[c].count == 0 ? WORDS : cases[c].count);
            char expected[1024];
            snprintf(expected, sizeof expected, "%s%s", path, cases[c].reason);
            assert_int_equal(gm_jds_matrix_read(&jds, path, &error), -EINVAL);
            assert_string_equal(error.text, expected);
        }
        gm_jds_matrix_free(&jds);
    }
    test_folder_remove();
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"spmv_parboil,threads=48", "workload spmv_parboil: threads=48 is not a multiple of 32"},
        {"spmv_parboil,matrix=a,jds=b", "workload spmv_parboil: both matrix= and jds= are given"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_source *source = NULL;
        gm_error error;
        assert_int_equal(gm_workload_open(&source, cases[i][0], &error), -EINVAL);
        assert_string_equal(error.text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_diagonals),   cmocka_unit_test(spmv_parboil_multiplies),
        cmocka_unit_test(parboil_files_are_read),  cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
