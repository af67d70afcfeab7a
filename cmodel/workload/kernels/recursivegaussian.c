/* Gaussian blur of a colour image by a recursive filter [CUDA samples, recursiveGaussian; singh,
 * Table 3 (RG)]: a thread filters a column downwards and upwards, the image is transposed, and both
 * again. Deriche's filter of second order: y = sum over m of k (alpha |m| + 1) exp(-alpha |m|) x,
 * with constant pixels beyond the edges [Deriche, Fast algorithms for low-level vision, 1990]. */
#include "base/random.h"
#include "workload/pgm.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { WIDTH, HEIGHT, SIGMA, SEED, IMAGE };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 2, 1 << 13, 512, false, "columns of a random image"},
    [HEIGHT] = {"height", 2, 1 << 13, 512, false, "rows of a random image"},
    [SIGMA] = {"sigma", 1, 100, 10, false, "standard deviation, in pixels"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random image"},
    [IMAGE] = {"image", 0, 0, 0, true, "PGM file (P2), instead of a random image"},
    {0},
};

enum { THREADS = 64, TILE = 16, CHANNELS = 4 };

typedef struct filter {
    float a0, a1;                 /* weights of pixels on the way down, */
    float a2, a3;                 /* and on the way up */
    float b1, b2;                 /* weights of earlier results */
    float constant[CHANNELS / 2]; /* results, down and up, in an image of ones */
} filter;

/* A launch's arguments: an image of `width` x `height` pixels, 8 bits a channel, row by row. */
typedef struct blur {
    const uint32_t *from;
    uint32_t *to;
    uint32_t width, height;
    filter filter;
} blur;

typedef struct recursivegaussian {
    uint32_t *image, *filtered, *result;
    uint32_t width, height;
    blur blur;
} recursivegaussian;

typedef struct colour {
    float channel[CHANNELS];
} colour;

static inline colour unpacked(uint32_t pixel)
{
    colour result;
    for (int c = 0; c < CHANNELS; c++) {
        result.channel[c] = (float)(pixel >> 8 * c & 255);
    }
    return result;
}

static inline uint32_t packed(colour colour)
{
    uint32_t result = 0;
    for (int c = 0; c < CHANNELS; c++) {
        float value = colour.channel[c] + 0.5F;
        result |= (value < 0.0F ? 0 : value >= 256.0F ? 255 : (uint32_t)value) << 8 * c;
    }
    return result;
}

/* Returns p * pixel + q * earlier_pixel - b1 * result - b2 * earlier_result. */
static inline colour next(const filter *f, float p, float q, const colour pixel[2],
                          const colour result[2])
{
    colour sum;
    for (int c = 0; c < CHANNELS; c++) {
        sum.channel[c] = p * pixel[0].channel[c] + q * pixel[1].channel[c] -
                         f->b1 * result[0].channel[c] - f->b2 * result[1].channel[c];
    }
    return sum;
}

static inline colour scaled(colour colour, float factor)
{
    for (int c = 0; c < CHANNELS; c++) {
        colour.channel[c] *= factor;
    }
    return colour;
}

static inline colour added(colour a, colour b)
{
    for (int c = 0; c < CHANNELS; c++) {
        a.channel[c] += b.channel[c];
    }
    return a;
}

GM_THREAD(columns, blur)
{
    uint32_t x = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (x < a->width) {
        const filter *f = &a->filter;
        const uint32_t *from = a->from + x;
        uint32_t *to = a->to + x;
        size_t width = a->width;
        colour pixel[2];  /* newest first */
        colour result[2]; /* newest first */
        pixel[0] = unpacked(LOAD(t, from));
        COMPUTE(t, FP32, 8);
        result[0] = result[1] = scaled(pixel[0], f->constant[0]);
        for (uint32_t y = 0; y < a->height; y++) {
            pixel[1] = pixel[0];
            pixel[0] = unpacked(LOAD(t, from + y * width));
            COMPUTE(t, INTEGER, 6);
            COMPUTE(t, FP32, 20);
            colour sum = next(f, f->a0, f->a1, pixel, result);
            result[1] = result[0];
            result[0] = sum;
            STORE(t, to + y * width, packed(sum));
            LOOP(t);
        }
        pixel[0] = pixel[1] = unpacked(LOAD(t, from + (a->height - 1) * width));
        COMPUTE(t, FP32, 8);
        result[0] = result[1] = scaled(pixel[0], f->constant[1]);
        for (uint32_t y = a->height; y-- > 0;) {
            colour sum = next(f, f->a2, f->a3, pixel, result);
            pixel[1] = pixel[0];
            pixel[0] = unpacked(LOAD(t, from + y * width));
            result[1] = result[0];
            result[0] = sum;
            colour down = unpacked(LOAD(t, to + y * width));
            COMPUTE(t, INTEGER, 8);
            COMPUTE(t, FP32, 28);
            STORE(t, to + y * width, packed(added(down, sum)));
            LOOP(t);
        }
    }
}
GM_KERNEL(columns, blur)

/* A column more than TILE: the columns' pixels lie in different banks. */
typedef struct tile {
    uint32_t pixel[TILE][TILE + 1];
} tile;
typedef struct no_locals {
    uint32_t unused;
} no_locals;

GM_THREAD(transpose, blur)
{
    tile *s = t->shared;
    uint32_t x = GM_GLOBAL_X(t);
    uint32_t y = GM_GLOBAL_Y(t);
    uint32_t column = t->cta.y * TILE + t->thread.x;
    uint32_t row = t->cta.x * TILE + t->thread.y;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    if (x < a->width && y < a->height) {
        uint32_t pixel = LOAD(t, a->from + (size_t)y * a->width + x);
        SHARED_STORE(t, &s->pixel[t->thread.y][t->thread.x], pixel);
    }
    BARRIER(t);
    COMPUTE(t, INTEGER, 4);
    if (column < a->height && row < a->width) {
        uint32_t pixel = SHARED_LOAD(t, &s->pixel[t->thread.x][t->thread.y]);
        STORE(t, a->to + (size_t)row * a->height + column, pixel);
    }
    END(t);
}
GM_BARRIER_KERNEL(transpose, blur, no_locals, tile)

static filter filter_of(double sigma)
{
    double alpha = 1.695 / sigma;
    double e = exp(-alpha);
    double k = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - e * e);
    double rest = (1.0 - e) * (1.0 - e); /* 1 + b1 + b2 */
    return (filter){
        .a0 = (float)k,
        .a1 = (float)(k * (alpha - 1.0) * e),
        .a2 = (float)(k * (alpha + 1.0) * e),
        .a3 = (float)(-k * e * e),
        .b1 = (float)(-2.0 * e),
        .b2 = (float)(e * e),
        .constant = {(float)(k * (1.0 + (alpha - 1.0) * e) / rest),
                     (float)(k * ((alpha + 1.0) * e - e * e) / rest)},
    };
}

static int take_arrays(gm_workload *workload, recursivegaussian *s, gm_error *error)
{
    size_t pixels = (size_t)s->width * s->height;
    s->image = gm_workload_input(workload, "image", pixels, sizeof(uint32_t), error);
    s->filtered = gm_workload_output(workload, "filtered", pixels, sizeof(uint32_t), error);
    s->result = gm_workload_output(workload, "result", pixels, sizeof(uint32_t), error);
    bool all = s->image != NULL && s->filtered != NULL && s->result != NULL;
    return all ? 0 : error->code;
}

static int read_image(gm_workload *workload, recursivegaussian *s, const char *path,
                      gm_error *error)
{
    gm_pgm file;
    int code = gm_pgm_read(&file, path, error);
    if (code == 0) {
        s->width = file.columns;
        s->height = file.rows;
        code = take_arrays(workload, s, error);
    }
    for (size_t i = 0; code == 0 && i < (size_t)s->width * s->height; i++) {
        uint32_t grey = (uint32_t)lround(255.0 * file.pixel[i]);
        s->image[i] = grey * 0x01010101U;
    }
    gm_pgm_free(&file);
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    recursivegaussian *s = state;
    s->width = (uint32_t)workload->value[WIDTH];
    s->height = (uint32_t)workload->value[HEIGHT];
    s->blur.filter = filter_of((double)workload->value[SIGMA]);
    if (workload->path[IMAGE] != NULL) {
        return read_image(workload, s, workload->path[IMAGE], error);
    }
    int code = take_arrays(workload, s, error);
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; code == 0 && i < (size_t)s->width * s->height; i++) {
        s->image[i] = (uint32_t)gm_random_next(&random);
    }
    return code;
}

/* Columns, transposition, columns, transposition. */
static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    recursivegaussian *s = state;
    bool lies = step >= 2; /* the image, transposed */
    s->blur.width = lies ? s->height : s->width;
    s->blur.height = lies ? s->width : s->height;
    launch->arguments = &s->blur;
    if (step % 2 == 0) {
        s->blur.from = lies ? s->result : s->image;
        s->blur.to = s->filtered;
        launch->code = &columns_code;
        launch->block.x = THREADS;
        launch->grid.x = gm_blocks(s->blur.width, THREADS);
    } else {
        s->blur.from = s->filtered;
        s->blur.to = s->result;
        launch->code = &transpose_code;
        launch->block = (gm_dim){TILE, TILE, 1};
        launch->grid = (gm_dim){gm_blocks(s->blur.width, TILE), gm_blocks(s->blur.height, TILE), 1};
    }
    return step < 4;
}

extern const gm_workload_definition gm_workload_recursivegaussian;
const gm_workload_definition gm_workload_recursivegaussian = {
    .description = {"recursivegaussian", "Gaussian blur by a recursive filter and transpositions",
                    "CUDA samples [singh, Table 3: RG]", options},
    .state_bytes = sizeof(recursivegaussian),
    .setup = setup,
    .launch = launch,
};
