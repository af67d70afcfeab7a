/* matmul_tiled and fft, which keep data in the L1 or in shared memory, against straightforward host
 * versions in double precision; their instructions, lines and banks against counts by hand. */
#include "support/workload/workload_run.h"

/* Runs it with its lines counted. */
static workload_run run_counted(const char *specification)
{
    workload_run run = workload_run_open(specification);
    run.counts_lines = true;
    workload_run_drain(&run);
    return run;
}

static void check_product(const workload_run *run, size_t n)
{
    const float *a = workload_array(run->source, "a", n * n, sizeof *a);
    const float *b = workload_array(run->source, "b", n * n, sizeof *b);
    const float *c = workload_array(run->source, "c", n * n, sizeof *c);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) {
                sum += (double)a[i * n + k] * (double)b[k * n + j];
            }
            workload_close((double)c[i * n + j], sum, 1e-5);
        }
    }
    assert_true(a[0] != a[1] && a[0] != b[0]);
}

enum { N = 96, CTAS = N / 16 * (N / 16), WARPS = CTAS * 8 };

/* A warp is two rows of a tile. It reads two rows of A, one number of each, and 16 numbers of one
 * row of B, 64 bytes of a line; it writes two rows of C. */
static void matmul_in_the_l1(void **state)
{
    (void)state;
    workload_run run = run_counted("matmul_tiled,n=96,seed=5");
    check_product(&run, N);
    assert_int_equal(run.kernels, 1);
    assert_int_equal(run.ctas, CTAS);
    assert_int_equal(run.warps, WARPS);
    /* 6 at first; for each k two loads, a product and a branch, for each 16 of them four more; a
     * store and the end */
    assert_int_equal(run.instructions, WARPS * (6 + 4 * N + 4 * (N / 16) + 2));
    assert_int_equal(run.thread_instructions, 32 * run.instructions);
    assert_int_equal(run.global, WARPS * (2 * N + 1));
    assert_int_equal(run.lines, WARPS * ((2 + 1) * N + 2));
    assert_int_equal(run.shared, 0);
    gm_source_close(run.source);
}

/* A warp copies two rows of 64 bytes of each tile: two lines each, 32 banks. Then all lanes of a
 * row read one number of A's tile: two words in one bank, 16 apart; and 16 of B's. */
static void matmul_in_shared_memory(void **state)
{
    (void)state;
    workload_run run = run_counted("matmul_tiled,n=96,seed=5,shared=1");
    check_product(&run, N);
    assert_int_equal(run.instructions, WARPS * (6 + 4 * N + 9 * (N / 16) + 2));
    assert_int_equal(run.global, WARPS * (2 * (N / 16) + 1));
    assert_int_equal(run.lines, 2 * run.global);
    assert_int_equal(run.shared, WARPS * (2 * N + 2 * (N / 16)));
    assert_int_equal(run.passes, run.shared);
    /* Both add up in one order. */
    workload_run cached = workload_run_whole("matmul_tiled,n=96,seed=5");
    assert_memory_equal(workload_data(&run, "c"), workload_data(&cached, "c"),
                        N * N * sizeof(float));
    gm_source_close(cached.source);
    gm_source_close(run.source);
}

static void matmul_needs_whole_tiles(void **state)
{
    (void)state;
    gm_source *source = NULL;
    gm_error error;
    assert_int_equal(gm_workload_open(&source, "matmul_tiled,n=40", &error), -EINVAL);
    assert_string_equal(error.text, "workload matmul_tiled: n=40 is not a multiple of 16");
}

/* By the definition of the transform. */
static void check_spectrum(const float *signal, const float *spectrum, unsigned points)
{
    for (unsigned k = 0; k < points; k++) {
        double re = 0.0;
        double im = 0.0;
        for (unsigned n = 0; n < points; n++) {
            double angle = -2.0 * acos(-1.0) * (double)(k * n % points) / points;
            re += (double)signal[2 * n] * cos(angle) - (double)signal[2 * n + 1] * sin(angle);
            im += (double)signal[2 * n] * sin(angle) + (double)signal[2 * n + 1] * cos(angle);
        }
        /* 512 numbers up to 1, errors of 2^-24 that add up over 9 stages at random */
        assert_true(fabs((double)spectrum[2 * k] - re) < 1e-4);
        assert_true(fabs((double)spectrum[2 * k + 1] - im) < 1e-4);
    }
}

static void fft_transforms(void **state)
{
    (void)state;
    enum { POINTS = 512, COUNT = 3 };
    workload_run run = run_counted("fft,transforms=3,seed=2");
    const float *signal = workload_array(run.source, "signal", (size_t)COUNT * POINTS, 8);
    const float *spectrum = workload_array(run.source, "spectrum", (size_t)COUNT * POINTS, 8);
    for (size_t i = 0; i < COUNT; i++) {
        check_spectrum(signal + i * 2 * POINTS, spectrum + i * 2 * POINTS, POINTS);
    }
    assert_true(signal[0] != signal[2 * POINTS]);
    /* Each number is read once and written once, 32 neighbours of 8 bytes in two lines; between,
     * every number is stored and loaded twice, its two parts apart, without a bank conflict. */
    assert_int_equal(run.warps, 2 * COUNT);
    assert_int_equal(run.global, 2 * COUNT * (8 + 8));
    assert_int_equal(run.lines, 2 * run.global);
    assert_int_equal(run.shared, 2 * COUNT * 2 * 2 * 16);
    assert_int_equal(run.passes, run.shared);
    /* 3 transforms of 56, 2 twiddles of 49, 11 of addresses, 3 barriers, the end */
    assert_int_equal(run.instructions, 2 * COUNT * (16 + 64 + 3 * 56 + 2 * 49 + 11 + 3 + 1));
    assert_int_equal(run.thread_instructions, 32 * run.instructions);
    gm_source_close(run.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul_in_the_l1),
        cmocka_unit_test(matmul_in_shared_memory),
        cmocka_unit_test(matmul_needs_whole_tiles),
        cmocka_unit_test(fft_transforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
