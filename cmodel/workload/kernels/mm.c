/* Two matrix products, D = A B, F = D E, one thread for each element [PolyBench/GPU, 2MM; khairy,
 * Table 2 (MM)]: a row of the first factor is broadcast, the second is read along its rows. With
 * `rows`, A, D and F have fewer rows than the square B and E have: long rows, which fall into one
 * set of the L1 [khairy, 4.3], in a run that is not so long. PolyBench's text adds to the result in
 * memory, which a compiler must keep where arrays may overlap: `sums`. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, ROWS, SUMS, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 14, 224, false, "rows and columns of each matrix, 4 bytes each"},
    [ROWS] = {"rows", 0, 1 << 14, 0, false, "of the first factors and of the results; 0: n"},
    [SUMS] = {"sums", 0, 1, 0, false,
              "1: each step adds to the result in memory, not in a register"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    {0},
};

/* One product. */
typedef struct product {
    const float *left, *right;
    float *result;
    uint32_t n, rows;
    bool in_memory; /* sums */
} product;

typedef struct mm {
    product product[2];
} mm;

GM_THREAD(mm, product)
{
    uint32_t j = GM_GLOBAL_X(t);
    uint32_t i = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->rows && j < a->n) {
        float sum = 0.0F;
        for (uint32_t k = 0; k < a->n; k++) {
            float x = LOAD(t, a->left + (size_t)i * a->n + k);
            float y = LOAD(t, a->right + (size_t)k * a->n + j);
            COMPUTE(t, FP32, 1);
            sum += x * y;
            LOOP(t);
        }
        STORE(t, a->result + (size_t)i * a->n + j, sum);
    }
}
GM_KERNEL(mm, product)

GM_THREAD(mm_in_memory, product)
{
    uint32_t j = GM_GLOBAL_X(t);
    uint32_t i = GM_GLOBAL_Y(t);
    COMPUTE(t, INTEGER, 4);
    if (i < a->rows && j < a->n) {
        float *result = a->result + (size_t)i * a->n + j;
        STORE(t, result, 0.0F);
        for (uint32_t k = 0; k < a->n; k++) {
            float x = LOAD(t, a->left + (size_t)i * a->n + k);
            float y = LOAD(t, a->right + (size_t)k * a->n + j);
            float sum = LOAD(t, result);
            COMPUTE(t, FP32, 1);
            STORE(t, result, sum + x * y);
            LOOP(t);
        }
    }
}
GM_KERNEL(mm_in_memory, product)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const char *const names[] = {"a", "b", "e"};
    size_t n = (size_t)workload->value[N];
    size_t rows = workload->value[ROWS] != 0 ? (size_t)workload->value[ROWS] : n;
    uint64_t random = (uint64_t)workload->value[SEED];
    float *input[3];
    for (unsigned m = 0; m < 3; m++) {
        size_t count = (m == 0 ? rows : n) * n;
        input[m] = gm_workload_input(workload, names[m], count, sizeof *input[m], error);
        if (input[m] == NULL) {
            return error->code;
        }
        for (size_t i = 0; i < count; i++) {
            input[m][i] = gm_random_float(&random, 0.0F, 1.0F);
        }
    }
    float *d = gm_workload_output(workload, "d", rows * n, sizeof *d, error);
    float *f = gm_workload_output(workload, "f", rows * n, sizeof *f, error);
    if (d == NULL || f == NULL) {
        return error->code;
    }
    bool in_memory = workload->value[SUMS] != 0;
    *(mm *)state = (mm){{{input[0], input[1], d, (uint32_t)n, (uint32_t)rows, in_memory},
                         {d, input[2], f, (uint32_t)n, (uint32_t)rows, in_memory}}};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const mm *m = state;
    if (step == 2) {
        return 0;
    }
    launch->code = m->product[step].in_memory ? &mm_in_memory_code : &mm_code;
    launch->arguments = &m->product[step];
    launch->block = (gm_dim){32, 8, 1};
    launch->grid =
        (gm_dim){gm_blocks(m->product[step].n, 32), gm_blocks(m->product[step].rows, 8), 1};
    return 1;
}

extern const gm_workload_definition gm_workload_mm;
const gm_workload_definition gm_workload_mm = {
    .description = {"mm", "two matrix products, naive", "PolyBench/GPU [khairy, Table 2: MM]",
                    options},
    .state_bytes = sizeof(mm),
    .setup = setup,
    .launch = launch,
};
