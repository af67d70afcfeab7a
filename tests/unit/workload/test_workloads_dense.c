/* Workloads on vectors and matrices against straightforward host versions, in double precision
 * where they sum floats (relative tolerance 1e-5: 24-bit sums of a few hundred terms). */
#include "support/workload/workload_run.h"

static const double TOLERANCE = 1e-5;

static void vectoradd(void **state)
{
    (void)state;
    workload_run run = workload_run_whole("vectoradd,n=1000,seed=4");
    const float *a = workload_data(&run, "a");
    const float *b = workload_data(&run, "b");
    const float *c = workload_data(&run, "c");
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(c[i] == a[i] + b[i]);
    }
    assert_true(a[0] != a[1] && a[0] != b[0]);
    gm_source_close(run.source);
}

static double normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2.0));
}

static void blackscholes(void **state)
{
    (void)state;
    enum { COUNT = 62000 }; /* more than the 61440 threads: some take two */
    workload_run run = workload_run_whole("blackscholes,n=62000");
    const float *price = workload_data(&run, "price");
    const float *strike = workload_data(&run, "strike");
    const float *years = workload_data(&run, "years");
    const float *call = workload_data(&run, "call");
    const float *put = workload_data(&run, "put");
    for (unsigned i = 0; i < COUNT; i++) {
        /* the formula with an exact normal distribution; the kernel's polynomial is good to 1e-7,
         * its 24-bit sums to 1e-5 of a strike of up to 100 */
        double s = price[i];
        double x = strike[i];
        double y = years[i];
        double d1 = (log(s / x) + (0.02 + 0.3 * 0.3 / 2) * y) / (0.3 * sqrt(y));
        double d2 = d1 - 0.3 * sqrt(y);
        double expected = s * normal(d1) - x * exp(-0.02 * y) * normal(d2);
        assert_true(fabs(call[i] - expected) < 1e-4);
        assert_true(fabs(put[i] - (expected - s + x * exp(-0.02 * y))) < 1e-4);
    }
    gm_source_close(run.source);
}

static void conv2d(void **state)
{
    (void)state;
    enum { ROWS = 37, COLUMNS = 70 };
    static const double filter[3][3] = {{0.2, -0.3, 0.4}, {0.5, 0.6, 0.7}, {-0.8, -0.9, 0.1}};
    workload_run run = workload_run_whole("conv2d,rows=37,columns=70");
    const float *in = workload_data(&run, "in");
    const float *out = workload_data(&run, "out");
    for (unsigned i = 0; i < ROWS; i++) {
        for (unsigned j = 0; j < COLUMNS; j++) {
            bool inside = i > 0 && j > 0 && i < ROWS - 1 && j < COLUMNS - 1;
            double sum = 0.0;
            for (unsigned k = 0; inside && k < 9; k++) {
                sum += filter[k / 3][k % 3] * in[(i + k / 3 - 1) * COLUMNS + j + k % 3 - 1];
            }
            workload_close(out[i * COLUMNS + j], sum, TOLERANCE);
        }
    }
    gm_source_close(run.source);
}

static void multiply(const float *a, const float *b, const float *result, unsigned rows, unsigned n)
{
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < n; j++) {
            double sum = 0.0;
            for (unsigned k = 0; k < n; k++) {
                sum += (double)a[i * n + k] * b[k * n + j];
            }
            workload_close(result[i * n + j], sum, TOLERANCE);
        }
    }
}

static void check_mm(const char *specification, unsigned rows, unsigned n)
{
    workload_run run = workload_run_whole(specification);
    const float *d = workload_array(run.source, "d", (size_t)rows * n, 4);
    assert_int_equal(run.kernels, 2);
    multiply(workload_data(&run, "a"), workload_data(&run, "b"), d, rows, n);
    multiply(d, workload_data(&run, "e"), workload_data(&run, "f"), rows, n);
    gm_source_close(run.source);
}

static void mm(void **state)
{
    (void)state;
    check_mm("mm,n=45", 45, 45);
    check_mm("mm,n=64,rows=13", 13, 64);
    check_mm("mm,n=40,rows=9,sums=1", 9, 40);
}

static void check_syrk(const char *text)
{
    enum { N = 40, M = 50 };
    workload_run run = workload_run_open(text);
    const float *a = workload_data(&run, "a");
    const float *c = workload_data(&run, "c");
    float before[N * N];
    memcpy(before, c, sizeof before);
    workload_run_drain(&run);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            double sum = 0.5 * before[i * N + j];
            for (unsigned k = 0; k < M; k++) {
                sum += 1.5 * a[i * M + k] * a[j * M + k];
            }
            workload_close(c[i * N + j], sum, TOLERANCE);
        }
    }
    gm_source_close(run.source);
}

static void syrk(void **state)
{
    (void)state;
    check_syrk("syrk,n=40,m=50");
    check_syrk("syrk,n=40,m=50,sums=1");
}

static void check_gesummv(const char *text)
{
    enum { N = 300 };
    workload_run run = workload_run_whole(text);
    const float *a = workload_data(&run, "a");
    const float *b = workload_data(&run, "b");
    const float *x = workload_data(&run, "x");
    const float *y = workload_data(&run, "y");
    for (unsigned i = 0; i < N; i++) {
        double sum = 0.0;
        for (unsigned j = 0; j < N; j++) {
            sum += (1.5 * a[i * N + j] + 0.5 * b[i * N + j]) * x[j];
        }
        workload_close(y[i], sum, TOLERANCE);
    }
    gm_source_close(run.source);
}

static void gesummv(void **state)
{
    (void)state;
    check_gesummv("gesummv,n=300");
    check_gesummv("gesummv,n=300,sums=1");
}

typedef struct sets {
    workload_run run;
    unsigned columns; /* loads that read down a column */
} sets;

static int look_at_sets(void *context, const gm_instruction *instruction, gm_error *error)
{
    sets *s = context;
    if (instruction->addresses == 32 && instruction->stride >= 128) {
        uint64_t set = instruction->base / 128 % 32;
        for (unsigned k = 0; k < 32; k++) {
            assert_int_equal(gm_instruction_address(instruction, k) / 128 % 32, set);
        }
        s->columns++;
    }
    return workload_instruction(&s->run, instruction, error);
}

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    sets *s = context;
    return workload_begin_cta(&s->run, cta, error);
}
static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    sets *s = context;
    return workload_begin_warp(&s->run, warp, error);
}
static int end_cta(void *context, gm_error *error)
{
    sets *s = context;
    return workload_end_cta(&s->run, error);
}

/* [khairy, figure 6]: at the defaults a warp's 32 lanes read lines of one set of 32. */
static void rows_fall_into_one_set(void **state)
{
    (void)state;
    static const char *const names[] = {"syrk", "gesummv"};
    for (unsigned i = 0; i < 2; i++) {
        sets s = {.run = workload_run_open(names[i])};
        const gm_cta_sink sink = {&s, begin_cta, begin_warp, look_at_sets, end_cta};
        gm_command command = {.kind = GM_COMMAND_COPY};
        gm_error error;
        while (command.kind == GM_COMMAND_COPY) {
            assert_int_equal(gm_source_next_command(s.run.source, &command, &error), 1);
        }
        s.run.kernel = *command.kernel;
        test_ok(gm_source_next_cta(s.run.source, &sink, &error), error);
        /* 8 warps: syrk 1024 columns of one matrix, gesummv 2048 of two */
        assert_int_equal(s.columns, 8 * (i == 0 ? 1024 : 2 * 2048));
        gm_source_close(s.run.source);
    }
}

static void stream(void **state)
{
    (void)state;
    static const char *const copies[] = {"stream,n=5000,copy=1,width=4",
                                         "stream,n=5000,copy=1,width=8",
                                         "stream,n=5000,copy=1,width=16"};
    for (unsigned i = 0; i < 3; i++) {
        workload_run run = workload_run_whole(copies[i]);
        const uint32_t *from = workload_data(&run, "from");
        assert_memory_equal(from, workload_data(&run, "to"), (size_t)5000 * (4U << i));
        assert_true(from[0] != from[1]);
        gm_source_close(run.source);
    }
    /* 8192 elements, 16 a thread: 512 threads, 16 warps of 16 loads */
    workload_run run = workload_run_whole("stream,n=8192");
    assert_int_equal(run.memory, 256);
    assert_int_equal(run.lanes, 8192);
    gm_source_close(run.source);
}

static void gather(void **state)
{
    (void)state;
    enum { N = 500, EACH = 7 };
    workload_run indexed = workload_run_whole("gather,bytes=65536,n=500,each=7,index=1");
    workload_run hashed = workload_run_whole("gather,bytes=65536,n=500,each=7");
    const uint32_t *table = workload_data(&indexed, "table");
    const uint32_t *index = workload_data(&indexed, "index");
    const uint32_t *sum = workload_data(&indexed, "sum");
    uint64_t places = 0;
    for (unsigned i = 0; i < N; i++) {
        uint32_t expected = 0;
        for (unsigned k = 0; k < EACH; k++) {
            expected += table[index[k * N + i]];
            places += index[k * N + i];
        }
        assert_int_equal(sum[i], expected);
    }
    /* places are spread: their mean of 3500 is within 5 sigma of 8192 */
    assert_true(fabs((double)places / (N * EACH) - 8192.0) < 5 * 16384 / sqrt(12.0 * N * EACH));
    assert_memory_equal(sum, workload_data(&hashed, "sum"), N * sizeof *sum);
    gm_source_close(indexed.source);
    gm_source_close(hashed.source);
}

/* More vectors than CTAs, lengths that leave partial sums without an element. */
static void scalarprod(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        unsigned vectors, n;
    } cases[] = {
        {"scalarprod,vectors=7,n=2500,ctas=3", 7, 2500},
        {"scalarprod,vectors=2,n=5,ctas=4", 2, 5},
        {"scalarprod,vectors=1,n=1024,ctas=1", 1, 1024},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        workload_run run = workload_run_whole(cases[k].specification);
        size_t elements = (size_t)cases[k].vectors * cases[k].n;
        const float *a = workload_array(run.source, "a", elements, 4);
        const float *b = workload_array(run.source, "b", elements, 4);
        const float *c = workload_array(run.source, "c", cases[k].vectors, 4);
        for (unsigned v = 0; v < cases[k].vectors; v++) {
            double sum = 0.0;
            for (size_t i = (size_t)v * cases[k].n; i < (size_t)(v + 1) * cases[k].n; i++) {
                sum += (double)a[i] * (double)b[i];
            }
            workload_close((double)c[v], sum, TOLERANCE);
        }
        gm_source_close(run.source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectoradd),    cmocka_unit_test(scalarprod),
        cmocka_unit_test(blackscholes), cmocka_unit_test(conv2d),
        cmocka_unit_test(mm),           cmocka_unit_test(syrk),
        cmocka_unit_test(gesummv),      cmocka_unit_test(stream),
        cmocka_unit_test(gather),       cmocka_unit_test(rows_fall_into_one_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
