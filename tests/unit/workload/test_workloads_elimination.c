/* lud and gaussian against straightforward host versions in double precision. */
#include "support/workload/workload_run.h"

#include <stdio.h>

/* A copy in double precision. */
static double *copied(const float *value, size_t count)
{
    double *copy = malloc(count * sizeof *copy);
    assert_non_null(copy);
    for (size_t i = 0; i < count; i++) {
        copy[i] = (double)value[i];
    }
    return copy;
}

/* Crout's and Doolittle's formula, element by element: a[i][j] is the sum of l[i][k] u[k][j]. */
static void decompose(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            size_t terms = i < j ? i : j;
            for (size_t k = 0; k < terms; k++) {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
            a[i * n + j] /= i > j ? a[j * n + j] : 1.0;
        }
    }
}

/* Runs and compares with the host's factors. */
static void check_lud(const char *specification, size_t n, uint64_t kernels)
{
    workload_run run = workload_run_open(specification);
    const float *m = workload_array(run.source, "m", n * n, sizeof *m);
    double *expected = copied(m, n * n);
    decompose(expected, n);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, kernels);
    for (size_t i = 0; i < n * n; i++) {
        workload_close((double)m[i], expected[i], 1e-5);
    }
    free(expected);
    gm_source_close(run.source);
}

/* Three launches a tile of the diagonal, and one for the last: Rodinia's host program. */
static void lud_decomposes(void **state)
{
    (void)state;
    check_lud("lud,n=16", 16, 1);
    check_lud("lud,n=47,seed=4", 32, 4);
    check_lud("lud,n=112,seed=9", 112, 19);
}

/* Its elements are all in 0..1: pivots come near 0, so that factors are far from the exact ones,
 * but their product is as near to the matrix as rounding allows [Higham, Accuracy and Stability of
 * Numerical Algorithms, theorem 9.3]: |LU - A| <= n eps |L||U| / (1 - n eps). */
static void lud_reads_rodinias_file(void **state)
{
    (void)state;
    enum { ROWS = 256 };
    char specification[1024];
    snprintf(specification, sizeof specification, "lud,matrix=%s/rodinia/lud_256.dat.xz",
             test_shared_data("GOLDMEM_INPUTS"));
    workload_run run = workload_run_open(specification);
    const float *m = workload_array(run.source, "m", (size_t)ROWS * ROWS, sizeof *m);
    workload_close((double)m[0], 0.383919, 1e-7); /* the file's first number */
    double *before = copied(m, (size_t)ROWS * ROWS);
    workload_run_drain(&run);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            double product = 0.0;
            double size = 0.0;
            for (size_t k = 0; k <= (i < j ? i : j); k++) {
                double term = (i == k ? 1.0 : (double)m[i * ROWS + k]) * (double)m[k * ROWS + j];
                product += term;
                size += fabs(term);
            }
            assert_true(fabs(product - before[i * ROWS + j]) <= ROWS * 0x1p-24 * 1.01 * size);
        }
    }
    free(before);
    gm_source_close(run.source);
}

static void check_gaussian(const char *specification, size_t n)
{
    workload_run run = workload_run_open(specification);
    const float *a = workload_array(run.source, "a", n * n, sizeof *a);
    const float *b = workload_array(run.source, "b", n, sizeof *b);
    double *left = copied(a, n * n);
    double *right = copied(b, n);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 2 * (n - 1));
    /* The solution solves what was given, and the eliminated matrix is its U. */
    const float *x = workload_array(run.source, "x", n, sizeof *x);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += left[i * n + j] * (double)x[j];
        }
        workload_close(sum, right[i], 1e-4);
    }
    decompose(left, n);
    const float *m = workload_array(run.source, "m", n * n, sizeof *m);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            workload_close((double)a[i * n + j], i <= j ? left[i * n + j] : 0.0, 1e-4);
            workload_close((double)m[i * n + j], i > j ? left[i * n + j] : 0.0, 1e-4);
        }
    }
    free(left);
    free(right);
    gm_source_close(run.source);
}

static void gaussian_solves(void **state)
{
    (void)state;
    check_gaussian("gaussian,n=2", 2);
    check_gaussian("gaussian,n=37,seed=3", 37);
    check_gaussian("gaussian,n=64", 64);
}

/* 2x + y = 4, x - y = -1: x = 1, y = 2. */
static void gaussian_reads_a_file(void **state)
{
    (void)state;
    test_folder_make();
    static const char TEXT[] = "2\n2 1\n1 -1\n\n4 -1\n";
    char specification[1024];
    snprintf(specification, sizeof specification, "gaussian,matrix=%s",
             test_file_write("system", TEXT, sizeof TEXT - 1));
    workload_run run = workload_run_whole(specification);
    const float *x = workload_array(run.source, "x", 2, sizeof *x);
    workload_close((double)x[0], 1.0, 1e-6);
    workload_close((double)x[1], 2.0, 1e-6);
    gm_source_close(run.source);
    test_folder_remove();
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *workload, *text, *reason;
    } cases[] = {
        {"lud", "8\n", ":1: number of rows: 8 is not in 16..8192"},
        {"lud", "20\n1 2\n", ":1: 20 rows, which is not a multiple of 16"},
        {"lud", "16\n1 2 a\n", ":2: element: 'a' is not a number in range"},
        {"gaussian", "1\n", ":1: number of equations: 1 is not in 2..8192"},
        {"gaussian", "2\n1 2\n3\n", ":4: coefficient is missing: the file ends"},
        {"gaussian", "2\n1 2\n3 4\n5\n", ":5: right side is missing: the file ends"},
    };
    test_folder_make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_file_write("bad", cases[i].text, strlen(cases[i].text));
        char specification[1024];
        char expected[1024];
        snprintf(specification, sizeof specification, "%s,matrix=%s", cases[i].workload, path);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        gm_source *source = NULL;
        gm_error error;
        assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
        assert_string_equal(error.text, expected);
    }
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lud_decomposes),        cmocka_unit_test(lud_reads_rodinias_file),
        cmocka_unit_test(gaussian_solves),       cmocka_unit_test(gaussian_reads_a_file),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
