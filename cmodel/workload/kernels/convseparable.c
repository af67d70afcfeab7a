/* Convolution of an image with a separable filter of 17 x 17 [CUDA samples, convolutionSeparable;
 * khairy, Table 2 (CONV): streaming, with a high hit rate in the L2]: rows, then columns. A thread
 * computes eight pixels; the CTA's pixels and those within the filter's reach on two sides pass
 * through shared memory. Beyond the edges pixels are 0. Coefficients lie in constant memory. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { WIDTH, HEIGHT, SEED };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 128, 1 << 14, 3072, false, "of the image, a multiple of 128"},
    [HEIGHT] = {"height", 64, 1 << 14, 384, false, "of the image, a multiple of 64"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the image and the filter"},
    {0},
};

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, STEPS = 8, PIECES = STEPS + 2 };
enum { ROWS_X = 16, ROWS_Y = 4, COLUMNS_X = 16, COLUMNS_Y = 8 };
enum { COLUMNS_PITCH = PIECES * COLUMNS_Y + 1 /* odd: lanes in different banks */ };

typedef struct convolution {
    const float *from;
    float *to;
    uint32_t width, height;
    float tap[TAPS]; /* constant memory */
} convolution;

typedef struct convseparable {
    convolution rows, columns;
} convseparable;

typedef struct rows_shared {
    float pixel[ROWS_Y][PIECES * ROWS_X];
} rows_shared;
typedef struct columns_shared {
    float pixel[COLUMNS_X][COLUMNS_PITCH];
} columns_shared;
typedef struct no_locals {
    uint32_t unused;
} no_locals;

/* Loops that the compiler unrolls. Of the PIECES pixels of a thread, 0 and 9 may lie beyond an
 * edge. */
#define EIGHT(STATEMENT)                                                                           \
    STATEMENT(1)                                                                                   \
    STATEMENT(2) STATEMENT(3) STATEMENT(4) STATEMENT(5) STATEMENT(6) STATEMENT(7) STATEMENT(8)
#define NEXT_EIGHT(STATEMENT)                                                                      \
    STATEMENT(9)                                                                                   \
    STATEMENT(10)                                                                                  \
    STATEMENT(11) STATEMENT(12) STATEMENT(13) STATEMENT(14) STATEMENT(15) STATEMENT(16)
#define SEVENTEEN(STATEMENT) STATEMENT(0) EIGHT(STATEMENT) NEXT_EIGHT(STATEMENT)

#define LOAD_PIECE(i) piece[i] = LOAD(t, from + (ptrdiff_t)(i)*distance);
#define KEEP_PIECE(i) SHARED_STORE(t, mine + (i)*apart, piece[i]);
/* Product j, with the pixel j - RADIUS places on. */
#define ADD_TAP(j)                                                                                 \
    sum += a->tap[TAPS - 1 - (j)] * SHARED_LOAD(t, place + (j)-RADIUS);                            \
    COMPUTE(t, FP32, 1);

GM_THREAD(rows, convolution)
{
    rows_shared *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = GM_GLOBAL_Y(t);
    uint32_t first = t->cta.x * STEPS * ROWS_X + x; /* column of piece 1 */
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    const float *from = a->from + (size_t)y * a->width + first - ROWS_X;
    float *mine = &s->pixel[t->thread.y][x];
    enum { distance = ROWS_X, apart = ROWS_X };
    float piece[PIECES] = {0};
    EIGHT(LOAD_PIECE)
    if (first >= ROWS_X) {
        LOAD_PIECE(0)
    }
    if (first + STEPS * ROWS_X < a->width) {
        LOAD_PIECE(9)
    }
    EIGHT(KEEP_PIECE)
    KEEP_PIECE(0)
    KEEP_PIECE(9)
    BARRIER(t);
    float *to = a->to + (size_t)y * a->width + first;
    for (uint32_t i = 0; i < STEPS; i++) {
        const float *place = &s->pixel[t->thread.y][x + (i + 1) * ROWS_X];
        float sum = 0.0F;
        SEVENTEEN(ADD_TAP)
        STORE(t, to + i * ROWS_X, sum);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(rows, convolution, no_locals, rows_shared)

GM_THREAD(columns, convolution)
{
    columns_shared *s = t->shared;
    uint32_t x = GM_GLOBAL_X(t);
    uint32_t y = t->thread.y;
    uint32_t first = t->cta.y * STEPS * COLUMNS_Y + y; /* row of piece 1 */
    BEGIN(t)
    COMPUTE(t, INTEGER, 6);
    const float *from = a->from + (size_t)first * a->width + x - (size_t)COLUMNS_Y * a->width;
    float *mine = &s->pixel[t->thread.x][y];
    ptrdiff_t distance = (ptrdiff_t)COLUMNS_Y * (ptrdiff_t)a->width;
    enum { apart = COLUMNS_Y };
    float piece[PIECES] = {0};
    EIGHT(LOAD_PIECE)
    if (first >= COLUMNS_Y) {
        LOAD_PIECE(0)
    }
    if (first + STEPS * COLUMNS_Y < a->height) {
        LOAD_PIECE(9)
    }
    EIGHT(KEEP_PIECE)
    KEEP_PIECE(0)
    KEEP_PIECE(9)
    BARRIER(t);
    float *to = a->to + (size_t)first * a->width + x;
    for (uint32_t i = 0; i < STEPS; i++) {
        const float *place = &s->pixel[t->thread.x][y + (i + 1) * COLUMNS_Y];
        float sum = 0.0F;
        SEVENTEEN(ADD_TAP)
        STORE(t, to + (size_t)i * COLUMNS_Y * a->width, sum);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(columns, convolution, no_locals, columns_shared)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    convseparable *s = state;
    static const uint32_t multiple[] = {STEPS * ROWS_X, STEPS * COLUMNS_Y};
    for (int i = WIDTH; i <= HEIGHT; i++) {
        if (workload->value[i] % multiple[i] != 0) {
            return gm_fail(error, -EINVAL,
                           "workload convseparable: %s=%lld is not a multiple of %u",
                           options[i].name, (long long)workload->value[i], multiple[i]);
        }
    }
    uint32_t width = (uint32_t)workload->value[WIDTH];
    uint32_t height = (uint32_t)workload->value[HEIGHT];
    size_t pixels = (size_t)width * height;
    float *image = gm_workload_input(workload, "image", pixels, sizeof(float), error);
    float *between = gm_workload_output(workload, "between", pixels, sizeof(float), error);
    float *result = gm_workload_output(workload, "result", pixels, sizeof(float), error);
    if (image == NULL || between == NULL || result == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    s->rows = (convolution){.from = image, .to = between, .width = width, .height = height};
    for (uint32_t i = 0; i < TAPS; i++) {
        s->rows.tap[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    for (size_t i = 0; i < pixels; i++) {
        image[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    s->columns = s->rows;
    s->columns.from = between;
    s->columns.to = result;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    convseparable *s = state;
    if (step == 0) {
        launch->code = &rows_code;
        launch->arguments = &s->rows;
        launch->block = (gm_dim){ROWS_X, ROWS_Y, 1};
        launch->grid = (gm_dim){s->rows.width / (STEPS * ROWS_X), s->rows.height / ROWS_Y, 1};
    } else {
        launch->code = &columns_code;
        launch->arguments = &s->columns;
        launch->block = (gm_dim){COLUMNS_X, COLUMNS_Y, 1};
        launch->grid = (gm_dim){s->rows.width / COLUMNS_X, s->rows.height / (STEPS * COLUMNS_Y), 1};
    }
    return step < 2;
}

extern const gm_workload_definition gm_workload_convseparable;
const gm_workload_definition gm_workload_convseparable = {
    .description = {"convseparable", "separable convolution, rows and columns in shared memory",
                    "CUDA samples [khairy, Table 2: CONV]", options},
    .state_bytes = sizeof(convseparable),
    .setup = setup,
    .launch = launch,
};
