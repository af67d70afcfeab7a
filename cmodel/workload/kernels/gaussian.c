/* Gaussian elimination without pivoting [Rodinia gaussian, kernels Fan1 and Fan2; li, Table 1 (GS):
 * cache insensitive]. For each column the first kernel divides its elements by the pivot, the
 * second subtracts multiples of the pivot's row, by CTAs of 4x4 threads whose x is the row. The
 * host substitutes back. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, SEED, MATRIX };
static const gm_workload_option options[] = {
    [N] = {"n", 2, 1 << 13, 96, false, "equations of a random system"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random system"},
    [MATRIX] = {"matrix", 0, 0, 0, true,
                "file in Rodinia's form: n, n*n coefficients, n right sides"},
    {0},
};

enum { BLOCK = 512, SIDE = 4 };

typedef struct gaussian {
    float *a, *b;
    float *m; /* multipliers */
    float *x; /* the solution */
    uint32_t n;
    uint32_t column; /* that is being eliminated */
} gaussian;

GM_THREAD(fan1, gaussian)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 3);
    if (i < a->n - 1 - a->column) {
        size_t at = (size_t)a->n * (i + a->column + 1) + a->column;
        float value = LOAD(t, a->a + at);
        float pivot = LOAD(t, a->a + (size_t)a->n * a->column + a->column);
        COMPUTE(t, SPECIAL, 1);
        COMPUTE(t, FP32, 4);
        STORE(t, a->m + at, value / pivot);
    }
}
GM_KERNEL(fan1, gaussian)

GM_THREAD(fan2, gaussian)
{
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t j = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 6);
    if (i < a->n - 1 - a->column && j < a->n - a->column) {
        size_t row = (size_t)a->n * (i + a->column + 1) + a->column;
        float factor = LOAD(t, a->m + row);
        float pivot = LOAD(t, a->a + (size_t)a->n * a->column + a->column + j);
        float value = LOAD(t, a->a + row + j);
        COMPUTE(t, FP32, 1);
        STORE(t, a->a + row + j, value - factor * pivot);
        if (j == 0) {
            float right = LOAD(t, a->b + a->column);
            float own = LOAD(t, a->b + a->column + 1 + i);
            COMPUTE(t, FP32, 1);
            STORE(t, a->b + a->column + 1 + i, own - factor * right);
        }
    }
}
GM_KERNEL(fan2, gaussian)

static int take_arrays(gm_workload *workload, gaussian *s, size_t n, gm_error *error)
{
    s->n = (uint32_t)n;
    s->m = gm_workload_input(workload, "m", n * n, sizeof *s->m, error);
    s->a = gm_workload_input(workload, "a", n * n, sizeof *s->a, error);
    s->b = gm_workload_input(workload, "b", n, sizeof *s->b, error);
    s->x = gm_workload_output(workload, "x", n, sizeof *s->x, error);
    bool all = s->m != NULL && s->a != NULL && s->b != NULL && s->x != NULL;
    return all ? 0 : error->code;
}

/* Reads `count` numbers of the file. */
static int read_numbers(gm_input_file *file, const char *what, float *into, size_t count,
                        gm_error *error)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < count; i++) {
        double value = 0.0;
        code = gm_input_file_real(file, what, &value, error);
        into[i] = (float)value;
    }
    return code;
}

static int read_system(gm_workload *workload, gaussian *s, gm_input_file *file, gm_error *error)
{
    int64_t n = 0;
    int code = gm_input_file_integer(file, "number of equations", 2, 1 << 13, &n, error);
    if (code == 0) {
        code = take_arrays(workload, s, (size_t)n, error);
    }
    if (code == 0) {
        code = read_numbers(file, "coefficient", s->a, (size_t)n * (size_t)n, error);
    }
    return code == 0 ? read_numbers(file, "right side", s->b, (size_t)n, error) : code;
}

/* Makes a random system with elements in -1..1 and each diagonal element above the sum of its row,
 * so that no pivot is near 0. */
static int make_system(gm_workload *workload, gaussian *s, gm_error *error)
{
    size_t n = (size_t)workload->value[N];
    uint64_t seed = (uint64_t)workload->value[SEED];
    int code = take_arrays(workload, s, n, error);
    for (size_t i = 0; code == 0 && i < n * n; i++) {
        s->a[i] = gm_random_float(&seed, -1.0F, 1.0F) + (i % (n + 1) == 0 ? (float)n : 0.0F);
    }
    for (size_t i = 0; code == 0 && i < n; i++) {
        s->b[i] = gm_random_float(&seed, -1.0F, 1.0F);
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    const char *path = workload->path[MATRIX];
    if (path == NULL) {
        return make_system(workload, state, error);
    }
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_system(workload, state, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}

static void substitute_back(gaussian *s)
{
    for (size_t i = s->n; i-- > 0;) {
        float rest = s->b[i];
        for (size_t j = i + 1; j < s->n; j++) {
            rest -= s->a[i * s->n + j] * s->x[j];
        }
        s->x[i] = rest / s->a[i * s->n + i];
    }
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    gaussian *s = state;
    s->column = (uint32_t)(step / 2);
    if (s->column >= s->n - 1) {
        substitute_back(s);
        return 0;
    }
    bool first = step % 2 == 0;
    launch->code = first ? &fan1_code : &fan2_code;
    launch->arguments = s;
    launch->block = first ? (gm_dim){BLOCK, 1, 1} : (gm_dim){SIDE, SIDE, 1};
    launch->grid.x = gm_blocks(s->n, first ? BLOCK : SIDE);
    launch->grid.y = first ? 1 : launch->grid.x;
    return 1;
}

extern const gm_workload_definition gm_workload_gaussian;
const gm_workload_definition gm_workload_gaussian = {
    .description = {"gaussian", "Gaussian elimination, two launches a column",
                    "Rodinia [li, Table 1: GS, cache insensitive]", options},
    .state_bytes = sizeof(gaussian),
    .setup = setup,
    .launch = launch,
};
