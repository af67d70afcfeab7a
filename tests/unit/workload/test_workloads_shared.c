/* Workloads with shared memory and barriers against straightforward host versions. */
#include "support/workload/workload_run.h"

#include <stdio.h>

/* The transform by its definition: element i is the sum of x[j] times -1 to the number of ones in
 * i & j. Exact: whole numbers below 2^24. Covers vectors that fit in shared memory, of even and odd
 * log2, and one and two global launches. */
static void fwt(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        unsigned log2n, vectors, kernels;
    } cases[] = {
        {"fwt,log2n=2,vectors=3", 2, 3, 1},   {"fwt,log2n=5,vectors=2", 5, 2, 1},
        {"fwt,log2n=8,vectors=1", 8, 1, 1},   {"fwt,log2n=11,vectors=2", 11, 2, 1},
        {"fwt,log2n=12,vectors=2", 12, 2, 2}, {"fwt,log2n=13,vectors=1", 13, 1, 2},
        {"fwt,log2n=14,vectors=1", 14, 1, 3},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        unsigned n = 1U << cases[c].log2n;
        workload_run run = workload_run_open(cases[c].specification);
        const float *data = workload_data(&run, "data");
        float *before = malloc(sizeof *before * n * cases[c].vectors);
        assert_non_null(before);
        memcpy(before, data, sizeof *before * n * cases[c].vectors);
        workload_run_drain(&run);
        assert_int_equal(run.kernels, cases[c].kernels);
        for (unsigned i = 0; i<n * cases[c].vectors; i += n> 4096 ? 61 : 1) {
            const float *vector = before + (size_t)(i / n) * n;
            int sum = 0;
            for (unsigned j = 0; j < n; j++) {
                sum += __builtin_parity(i % n & j) != 0 ? -(int)vector[j] : (int)vector[j];
            }
            assert_true(data[i] == (float)sum);
        }
        free(before);
        gm_source_close(run.source);
    }
}

static int max3(int a, int b, int c)
{
    int larger = a > b ? a : b;
    return larger > c ? larger : c;
}

static void nw(void **state)
{
    (void)state;
    enum { N = 80, COLUMNS = N + 1, PENALTY = 7 };
    workload_run run = workload_run_whole("nw,n=95,penalty=7"); /* rounded down to 80 */
    assert_int_equal(run.kernels, 2 * N / 16 - 1);
    const int32_t *reference = workload_data(&run, "reference");
    const int32_t *score = workload_data(&run, "score");
    static int expected[COLUMNS][COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            expected[i][j] = i == 0 || j == 0
                                 ? -(i + j) * PENALTY
                                 : max3(expected[i - 1][j - 1] + reference[i * COLUMNS + j],
                                        expected[i][j - 1] - PENALTY, expected[i - 1][j] - PENALTY);
            assert_int_equal(score[i * COLUMNS + j], expected[i][j]);
        }
    }
    gm_source_close(run.source);
}

/* One time step over the whole chip [Huang et al.: HotSpot, as in Rodinia's host version]. */
static void hotspot_step(const double *from, double *to, const float *power, int n)
{
    double cell = 0.016 / n;
    double capacity = 0.5 * 1.75e6 * 0.0005 * cell * cell;
    double step = 0.001 / (3.0e6 / (0.5 * 0.0005 * 1.75e6));
    double across = cell / (2.0 * 100.0 * 0.0005 * cell);
    double up = 0.0005 / (100.0 * cell * cell);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double here = from[i * n + j];
            double north = i > 0 ? from[(i - 1) * n + j] : here;
            double south = i < n - 1 ? from[(i + 1) * n + j] : here;
            double west = j > 0 ? from[i * n + j - 1] : here;
            double east = j < n - 1 ? from[i * n + j + 1] : here;
            to[i * n + j] = here + step / capacity *
                                       (power[i * n + j] + (north + south - 2 * here) / across +
                                        (west + east - 2 * here) / across + (80.0 - here) / up);
        }
    }
}

/* Against the whole chip in double precision: temperatures of some 300 K, right to 1e-5. */
static void check_hotspot(workload_run *run, int n, unsigned steps)
{
    size_t cells = (size_t)n * (size_t)n;
    const float *power = workload_data(run, "power");
    const float *initial = workload_data(run, "temp0");
    double *from = calloc(cells, sizeof *from);
    double *to = calloc(cells, sizeof *to);
    assert_non_null(from);
    assert_non_null(to);
    for (size_t i = 0; i < cells; i++) {
        from[i] = initial[i];
    }
    workload_run_drain(run);
    for (unsigned k = 0; k < steps; k++) {
        hotspot_step(from, to, power, n);
        double *swap = from;
        from = to;
        to = swap;
    }
    const float *result = workload_data(run, run->kernels % 2 == 0 ? "temp0" : "temp1");
    for (size_t i = 0; i < cells; i++) {
        workload_close(result[i], from[i], 1e-5);
    }
    free(from);
    free(to);
}

static void hotspot(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int n;
        unsigned steps;
        uint64_t kernels;
    } cases[] = {
        {"hotspot,n=1,steps=1", 1, 1, 1},
        {"hotspot,n=50,steps=5,pyramid=1", 50, 5, 5},
        {"hotspot,n=50,steps=5,pyramid=2", 50, 5, 3}, /* the last launch takes one step */
        {"hotspot,n=33,steps=7,pyramid=7", 33, 7, 1},
        {"hotspot,n=64,steps=8,pyramid=3", 64, 8, 3},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        workload_run run = workload_run_open(cases[c].specification);
        check_hotspot(&run, cases[c].n, cases[c].steps);
        assert_int_equal(run.kernels, cases[c].kernels);
        gm_source_close(run.source);
    }
}

static void hotspot_reads_rodinias_files(void **state)
{
    (void)state;
    const char *inputs = test_shared_data("GOLDMEM_INPUTS");
    char specification[1024];
    snprintf(specification, sizeof specification,
             "hotspot,n=64,temp=%s/rodinia/temp_64,power=%s/rodinia/power_64", inputs, inputs);
    workload_run run = workload_run_open(specification);
    /* their first lines */
    workload_close(((const float *)workload_data(&run, "temp0"))[0], 323.865780, 1e-7);
    workload_close(((const float *)workload_data(&run, "power"))[0], 0.002048, 1e-7);
    check_hotspot(&run, 64, 4);
    gm_source_close(run.source);
}

static void hotspot_refuses_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"1\n2\n3\n", ":4: 3 numbers, where 4 are expected"},
        {"", ":1: 0 numbers, where 4 are expected"},
        {"1 2\n3\n4 5\n", ":3: more than the 4 numbers expected"},
        {"1\n2x\n3\n4\n", ":2: number: '2x' is not a number in range"},
        {"1\n2\nnan\n4\n", ":3: number: 'nan' is not a number in range"},
    };
    test_folder_make();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = test_file_write("temp", cases[i].text, strlen(cases[i].text));
        char specification[1024];
        char message[1024];
        snprintf(specification, sizeof specification, "hotspot,n=2,temp=%s", path);
        snprintf(message, sizeof message, "%s%s", path, cases[i].message);
        gm_error error;
        gm_source *source = NULL;
        assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
        assert_string_equal(error.text, message);
    }
    test_folder_remove();
}

/* What a warp of threadfence_reduction has done since its last partial sum. */
typedef struct order {
    uint64_t partial, done; /* device addresses of the arrays, and the first behind them: */
    uint64_t partial_end, done_end;
    gm_scope scope;
    uint64_t stores, fences, counts; /* in this order, or the test fails */
    uint64_t later_loads;            /* of partial sums: only the last CTA's */
    uint32_t cta, last;
    const gm_opcode_table *opcodes;
} order;

static int order_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    ((order *)context)->cta = cta[0];
    return 0;
}

static int order_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context, (void)warp, (void)error;
    return 0;
}

static int order_end(void *context, gm_error *error)
{
    (void)error;
    const order *o = context;
    assert_int_equal(o->stores, o->counts);
    return 0;
}

static int order_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    order *o = context;
    uint64_t address = instruction->addresses != 0 ? gm_instruction_address(instruction, 0) : 0;
    bool is_partial = address >= o->partial && address < o->partial_end;
    if (instruction->op == GM_OP_STORE && is_partial) {
        assert_int_equal(o->stores++, o->counts);
    } else if (instruction->op == GM_OP_FENCE) {
        assert_int_equal(o->opcodes->opcodes[instruction->opcode].scope, o->scope);
        assert_int_equal(++o->fences, o->stores);
    } else if (instruction->op == GM_OP_ATOMIC) {
        assert_true(address >= o->done && address < o->done_end);
        assert_int_equal(++o->counts, o->fences);
    } else if (instruction->op == GM_OP_LOAD && is_partial) {
        assert_int_equal(o->cta, o->last);
        o->later_loads += instruction->addresses;
    }
    return 0;
}

static uint64_t device_address(gm_source *source, const char *name, uint64_t *end)
{
    const gm_device_array *array = gm_workload_array(source, name);
    const gm_device *device = &gm_workload_of(source)->device;
    uint64_t first =
        GM_DEVICE_BASE + (uint64_t)((const unsigned char *)array->data - device->memory);
    *end = first + array->bytes;
    return first;
}

/* Every CTA stores its partial sum, fences with the given scope, and counts; the last CTA reads all
 * partial sums of each vector. */
static void check_order(const char *specification, gm_scope scope, uint32_t ctas, uint64_t vectors)
{
    gm_error error;
    gm_source *source;
    test_ok(gm_workload_open(&source, specification, &error), error);
    order o = {.scope = scope, .last = ctas - 1, .opcodes = &source->opcodes};
    o.partial = device_address(source, "partial", &o.partial_end);
    o.done = device_address(source, "done", &o.done_end);
    const gm_cta_sink sink = {&o, order_cta, order_warp, order_instruction, order_end};
    gm_command command;
    while (gm_source_next_command(source, &command, &error) == 1) {
        if (command.kind == GM_COMMAND_KERNEL) {
            while (gm_source_next_cta(source, &sink, &error) == 1) {
            }
        }
    }
    assert_int_equal(o.counts, ctas * vectors);
    assert_int_equal(o.later_loads, ctas * vectors);
    gm_source_close(source);
}

/* Whole numbers, whose sums are exact. */
static void check_sums(const char *specification, size_t n, size_t vectors, uint32_t ctas)
{
    workload_run run = workload_run_whole(specification);
    const float *x = workload_array(run.source, "x", n * vectors, 4);
    const float *sum = workload_array(run.source, "sum", vectors, 4);
    const uint32_t *done = workload_array(run.source, "done", vectors, 4);
    for (size_t v = 0; v < vectors; v++) {
        uint64_t expected = 0;
        for (size_t i = 0; i < n; i++) {
            expected += (uint64_t)x[v * n + i];
        }
        assert_true(sum[v] == (float)expected);
        assert_true(n < 100 || expected > 7 * n);
        assert_int_equal(done[v], ctas);
    }
    assert_int_equal(run.kernels, 1);
    assert_int_equal(run.ctas, ctas);
    gm_source_close(run.source);
}

static void threadfence_reduction(void **state)
{
    (void)state;
    check_sums("threadfence_reduction,n=10000,vectors=4,ctas=7", 10000, 4, 7);
    check_sums("threadfence_reduction,n=1,vectors=3,ctas=2", 1, 3, 2);
    check_sums("threadfence_reduction,n=3000,vectors=2,ctas=300", 3000, 2, 300);
    check_sums("threadfence_reduction,n=257,vectors=5,ctas=1", 257, 5, 1);
    check_order("threadfence_reduction,n=5000,vectors=3,ctas=5", GM_SCOPE_GPU, 5, 3);
    check_order("threadfence_reduction,n=50,vectors=2,ctas=260,scope=0", GM_SCOPE_CTA, 260, 2);
    check_order("threadfence_reduction,n=5000,vectors=3,ctas=5,scope=2", GM_SCOPE_SYS, 5, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threadfence_reduction),
        cmocka_unit_test(fwt),
        cmocka_unit_test(nw),
        cmocka_unit_test(hotspot),
        cmocka_unit_test(hotspot_reads_rodinias_files),
        cmocka_unit_test(hotspot_refuses_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
