/* Speckle-reducing anisotropic diffusion of an image [Rodinia srad_v1, kernels reduce, srad, srad2;
 * li, Table 1: SD1]. Each iteration sums the image in shared memory, computes
 * the diffusion coefficients, and updates; neighbours are found through index arrays. */
#include "base/random.h"
#include "workload/diffusion.h"
#include "workload/pgm.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { ROWS, COLUMNS, ITERATIONS, SEED, IMAGE };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 2, 1 << 14, 256, false, "rows of a random image"},
    [COLUMNS] = {"columns", 2, 1 << 14, 256, false, "columns of a random image"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "rounds of diffusion"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random image"},
    [IMAGE] = {"image", 0, 0, 0, true, "PGM file (P2), instead of a random image"},
    {0},
};

enum { BLOCK = 512 };

typedef struct srad {
    float *image;                       /* column-major, as Rodinia has it */
    float *north, *south, *west, *east; /* derivatives */
    float *coefficient;
    int32_t *above, *below; /* row indices, clamped at the border */
    int32_t *left, *right;  /* column indices, clamped at the border */
    float *sums, *squares;  /* of each CTA of the reduction */
    uint32_t rows, columns;
    float lambda, q0; /* step; speckle scale of this iteration */
} srad;

typedef struct tree {
    float sum[BLOCK], square[BLOCK];
} tree;
typedef struct reduce_locals {
    uint32_t half;
} reduce_locals;

GM_THREAD(reduce, srad)
{
    tree *s = t->shared;
    reduce_locals *l = t->locals;
    uint32_t x = t->thread.x;
    uint32_t i = GM_GLOBAL_X(t);
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    if (i < a->rows * a->columns) {
        float value = LOAD(t, a->image + i);
        COMPUTE(t, FP32, 1);
        SHARED_STORE(t, &s->sum[x], value);
        SHARED_STORE(t, &s->square[x], value * value);
    } else {
        SHARED_STORE(t, &s->sum[x], 0.0F);
        SHARED_STORE(t, &s->square[x], 0.0F);
    }
    for (l->half = BLOCK / 2; l->half > 0; l->half /= 2) {
        BARRIER(t);
        if (x < l->half) {
            float sum = SHARED_LOAD(t, &s->sum[x + l->half]);
            float square = SHARED_LOAD(t, &s->square[x + l->half]);
            float own_sum = SHARED_LOAD(t, &s->sum[x]);
            float own_square = SHARED_LOAD(t, &s->square[x]);
            COMPUTE(t, FP32, 2);
            SHARED_STORE(t, &s->sum[x], own_sum + sum);
            SHARED_STORE(t, &s->square[x], own_square + square);
        }
        LOOP(t);
    }
    if (x == 0) {
        float sum = SHARED_LOAD(t, &s->sum[0]);
        float square = SHARED_LOAD(t, &s->square[0]);
        STORE(t, a->sums + t->cta.x, sum);
        STORE(t, a->squares + t->cta.x, square);
    }
    END(t);
}
GM_BARRIER_KERNEL(reduce, srad, reduce_locals, tree)

GM_THREAD(diffuse, srad)
{
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t row = i % a->rows;
    uint32_t column = i / a->rows;
    COMPUTE(t, INTEGER, 6);
    if (column < a->columns) {
        size_t base = (size_t)column * a->rows;
        float centre = LOAD(t, a->image + i);
        int32_t above = LOAD(t, a->above + row);
        float north = LOAD(t, a->image + base + (size_t)above);
        int32_t below = LOAD(t, a->below + row);
        float south = LOAD(t, a->image + base + (size_t)below);
        int32_t left = LOAD(t, a->left + column);
        float west = LOAD(t, a->image + (size_t)left * a->rows + row);
        int32_t right = LOAD(t, a->right + column);
        float east = LOAD(t, a->image + (size_t)right * a->rows + row);
        COMPUTE(t, FP32, 24);
        COMPUTE(t, SPECIAL, 3);
        north -= centre;
        south -= centre;
        west -= centre;
        east -= centre;
        STORE(t, a->north + i, north);
        STORE(t, a->south + i, south);
        STORE(t, a->west + i, west);
        STORE(t, a->east + i, east);
        STORE(t, a->coefficient + i, gm_diffusion(centre, north, south, west, east, a->q0));
    }
}
GM_KERNEL(diffuse, srad)

GM_THREAD(update, srad)
{
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t row = i % a->rows;
    uint32_t column = i / a->rows;
    COMPUTE(t, INTEGER, 6);
    if (column < a->columns) {
        float centre = LOAD(t, a->coefficient + i);
        int32_t below = LOAD(t, a->below + row);
        float south = LOAD(t, a->coefficient + (size_t)column * a->rows + (size_t)below);
        int32_t right = LOAD(t, a->right + column);
        float east = LOAD(t, a->coefficient + (size_t)right * a->rows + row);
        float divergence = centre * LOAD(t, a->north + i);
        divergence += south * LOAD(t, a->south + i);
        divergence += centre * LOAD(t, a->west + i);
        divergence += east * LOAD(t, a->east + i);
        float value = LOAD(t, a->image + i);
        COMPUTE(t, FP32, 6);
        STORE(t, a->image + i, value + 0.25F * a->lambda * divergence);
    }
}
GM_KERNEL(update, srad)

static int take_arrays(gm_workload *workload, srad *s, gm_error *error)
{
    size_t pixels = (size_t)s->rows * s->columns;
    size_t ctas = gm_blocks(pixels, BLOCK);
    s->image = gm_workload_input(workload, "image", pixels, sizeof(float), error);
    s->above = gm_workload_input(workload, "above", s->rows, sizeof(int32_t), error);
    s->below = gm_workload_input(workload, "below", s->rows, sizeof(int32_t), error);
    s->left = gm_workload_input(workload, "left", s->columns, sizeof(int32_t), error);
    s->right = gm_workload_input(workload, "right", s->columns, sizeof(int32_t), error);
    float **outputs[] = {&s->north, &s->south, &s->west, &s->east, &s->coefficient};
    static const char *const names[] = {"north", "south", "west", "east", "coefficient"};
    for (int i = 0; i < 5; i++) {
        *outputs[i] = gm_workload_output(workload, names[i], pixels, sizeof(float), error);
    }
    s->sums = gm_workload_output(workload, "sums", ctas, sizeof(float), error);
    s->squares = gm_workload_output(workload, "squares", ctas, sizeof(float), error);
    bool all = s->image != NULL && s->above != NULL && s->below != NULL && s->left != NULL &&
               s->right != NULL && s->north != NULL && s->south != NULL && s->west != NULL &&
               s->east != NULL && s->coefficient != NULL && s->sums != NULL && s->squares != NULL;
    return all ? 0 : error->code;
}

/* Returns a pixel of 0 to 255 in the algorithm's scale. */
static float compressed(double pixel)
{
    return expf((float)pixel / 255.0F);
}

static int read_image(gm_workload *workload, srad *s, const char *path, gm_error *error)
{
    gm_pgm file;
    int code = gm_pgm_read(&file, path, error);
    if (code == 0) {
        s->columns = file.columns;
        s->rows = file.rows;
        code = take_arrays(workload, s, error);
    }
    for (uint32_t row = 0; code == 0 && row < s->rows; row++) {
        for (uint32_t column = 0; column < s->columns; column++) {
            s->image[(size_t)column * s->rows + row] =
                compressed(255.0 * file.pixel[(size_t)row * s->columns + column]);
        }
    }
    gm_pgm_free(&file);
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    srad *s = state;
    s->rows = (uint32_t)workload->value[ROWS];
    s->columns = (uint32_t)workload->value[COLUMNS];
    s->lambda = 0.5F;
    int code = 0;
    if (workload->path[IMAGE] != NULL) {
        code = read_image(workload, s, workload->path[IMAGE], error);
    } else {
        code = take_arrays(workload, s, error);
        uint64_t random = (uint64_t)workload->value[SEED];
        for (size_t i = 0; code == 0 && i < (size_t)s->rows * s->columns; i++) {
            s->image[i] = compressed((double)gm_random_below(&random, 256));
        }
    }
    for (uint32_t i = 0; code == 0 && i < s->rows; i++) {
        s->above[i] = i == 0 ? 0 : (int32_t)i - 1;
        s->below[i] = i == s->rows - 1 ? (int32_t)i : (int32_t)i + 1;
    }
    for (uint32_t i = 0; code == 0 && i < s->columns; i++) {
        s->left[i] = i == 0 ? 0 : (int32_t)i - 1;
        s->right[i] = i == s->columns - 1 ? (int32_t)i : (int32_t)i + 1;
    }
    return code;
}

/* Returns the speckle scale: the squared coefficient of variation of the image. */
static float speckle_scale(const srad *s)
{
    double pixels = (double)s->rows * s->columns;
    double sum = 0.0;
    double square = 0.0;
    for (uint32_t i = 0; i < gm_blocks((uint64_t)s->rows * s->columns, BLOCK); i++) {
        sum += (double)s->sums[i];
        square += (double)s->squares[i];
    }
    double mean = sum / pixels;
    return (float)((square / pixels - mean * mean) / (mean * mean));
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    srad *s = state;
    static const gm_code *const codes[] = {&reduce_code, &diffuse_code, &update_code};
    if (step % 3 == 1) {
        s->q0 = speckle_scale(s);
    }
    launch->code = codes[step % 3];
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks((uint64_t)s->rows * s->columns, BLOCK);
    return step < 3 * (uint64_t)workload->value[ITERATIONS];
}

extern const gm_workload_definition gm_workload_srad;
const gm_workload_definition gm_workload_srad = {
    .description = {"srad", "speckle-reducing anisotropic diffusion",
                    "Rodinia [khairy, Table 2; li, Table 1; singh, Table 3]", options},
    .state_bytes = sizeof(srad),
    .setup = setup,
    .launch = launch,
};
