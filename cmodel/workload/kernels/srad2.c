/* Speckle-reducing anisotropic diffusion in tiles [Rodinia srad_v2, kernels srad_cuda_1 and 2; li,
 * Table 1: SD2]: a CTA takes 16x16 pixels to shared memory, and each of its threads also loads the
 * pixels beyond the tile's edges in its row and column. Rows are apart by the image's width, so
 * that with a multiple of 32 sets * 128 bytes all rows of a tile fall into one set of the L1. The
 * host computes the speckle scale from the image between iterations, as Rodinia's does. */
#include "base/random.h"
#include "workload/diffusion.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>

enum { ROWS, COLUMNS, ITERATIONS, SEED };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 16, 1 << 14, 256, false, "rows of the image; a multiple of 16"},
    [COLUMNS] = {"columns", 16, 1 << 14, 1024, false, "its columns; a multiple of 16"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "rounds of diffusion"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random image"},
    {0},
};

enum { TILE = 16 };

typedef struct srad2 {
    float *image, *coefficient;         /* row-major */
    float *north, *south, *west, *east; /* derivatives */
    uint32_t rows, columns;
    float lambda, q0; /* step; speckle scale of this iteration */
} srad2;

typedef struct srad2_tile {
    float centre[TILE][TILE];
    float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
} srad2_tile;

/* Places on the image of a thread's pixel and of the pixels beyond the tile's edges. */
typedef struct srad2_places {
    size_t here, north, south, west, east;
} srad2_places;

static srad2_places places(const gm_thread *t, const srad2 *a)
{
    size_t top = (size_t)t->cta.y * TILE;
    size_t left = (size_t)t->cta.x * TILE;
    size_t row = top + t->thread.y;
    size_t column = left + t->thread.x;
    size_t above = top == 0 ? 0 : top - 1;
    size_t below = top + TILE == a->rows ? a->rows - 1U : top + TILE;
    size_t before = left == 0 ? 0 : left - 1;
    size_t behind = left + TILE == a->columns ? a->columns - 1U : left + TILE;
    return (srad2_places){row * a->columns + column, above * a->columns + column,
                          below * a->columns + column, row * a->columns + before,
                          row * a->columns + behind};
}

GM_THREAD(srad2_diffuse, srad2)
{
    srad2_tile *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = t->thread.y;
    srad2_places at = places(t, a);
    BEGIN(t)
    COMPUTE(t, INTEGER, 16);
    float above = LOAD(t, a->image + at.north);
    SHARED_STORE(t, &s->north[y][x], above);
    float below = LOAD(t, a->image + at.south);
    SHARED_STORE(t, &s->south[y][x], below);
    BARRIER(t);
    float before = LOAD(t, a->image + at.west);
    SHARED_STORE(t, &s->west[y][x], before);
    float behind = LOAD(t, a->image + at.east);
    SHARED_STORE(t, &s->east[y][x], behind);
    BARRIER(t);
    float middle = LOAD(t, a->image + at.here);
    SHARED_STORE(t, &s->centre[y][x], middle);
    BARRIER(t);
    float centre = SHARED_LOAD(t, &s->centre[y][x]);
    float north = SHARED_LOAD(t, y == 0 ? &s->north[y][x] : &s->centre[y - 1][x]);
    float south = SHARED_LOAD(t, y == TILE - 1 ? &s->south[y][x] : &s->centre[y + 1][x]);
    float west = SHARED_LOAD(t, x == 0 ? &s->west[y][x] : &s->centre[y][x - 1]);
    float east = SHARED_LOAD(t, x == TILE - 1 ? &s->east[y][x] : &s->centre[y][x + 1]);
    COMPUTE(t, FP32, 24);
    COMPUTE(t, SPECIAL, 3);
    north -= centre;
    south -= centre;
    west -= centre;
    east -= centre;
    STORE(t, a->coefficient + at.here, gm_diffusion(centre, north, south, west, east, a->q0));
    STORE(t, a->east + at.here, east);
    STORE(t, a->west + at.here, west);
    STORE(t, a->south + at.here, south);
    STORE(t, a->north + at.here, north);
    END(t);
}
GM_KERNEL_OF(srad2_diffuse, srad2, 0, sizeof(srad2_tile), true)

GM_THREAD(srad2_update, srad2)
{
    srad2_tile *s = t->shared;
    uint32_t x = t->thread.x;
    uint32_t y = t->thread.y;
    srad2_places at = places(t, a);
    BEGIN(t)
    COMPUTE(t, INTEGER, 12);
    float below = LOAD(t, a->coefficient + at.south);
    SHARED_STORE(t, &s->south[y][x], below);
    BARRIER(t);
    float behind = LOAD(t, a->coefficient + at.east);
    SHARED_STORE(t, &s->east[y][x], behind);
    BARRIER(t);
    float middle = LOAD(t, a->coefficient + at.here);
    SHARED_STORE(t, &s->centre[y][x], middle);
    BARRIER(t);
    float centre = SHARED_LOAD(t, &s->centre[y][x]);
    float south = SHARED_LOAD(t, y == TILE - 1 ? &s->south[y][x] : &s->centre[y + 1][x]);
    float east = SHARED_LOAD(t, x == TILE - 1 ? &s->east[y][x] : &s->centre[y][x + 1]);
    float divergence = centre * LOAD(t, a->north + at.here);
    divergence += south * LOAD(t, a->south + at.here);
    divergence += centre * LOAD(t, a->west + at.here);
    divergence += east * LOAD(t, a->east + at.here);
    float value = LOAD(t, a->image + at.here);
    COMPUTE(t, FP32, 6);
    STORE(t, a->image + at.here, value + 0.25F * a->lambda * divergence);
    END(t);
}
GM_KERNEL_OF(srad2_update, srad2, 0, sizeof(srad2_tile), true)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    srad2 *s = state;
    s->rows = (uint32_t)workload->value[ROWS];
    s->columns = (uint32_t)workload->value[COLUMNS];
    s->lambda = 0.5F;
    for (int i = ROWS; i <= COLUMNS; i++) {
        if (workload->value[i] % TILE != 0) {
            return gm_fail(error, -EINVAL, "workload srad2: %s=%lld is not a multiple of %d",
                           options[i].name, (long long)workload->value[i], TILE);
        }
    }
    size_t pixels = (size_t)s->rows * s->columns;
    s->image = gm_workload_input(workload, "image", pixels, sizeof(float), error);
    float **outputs[] = {&s->coefficient, &s->north, &s->south, &s->west, &s->east};
    static const char *const names[] = {"coefficient", "north", "south", "west", "east"};
    bool all = s->image != NULL;
    for (int i = 0; i < 5; i++) {
        *outputs[i] = gm_workload_output(workload, names[i], pixels, sizeof(float), error);
        all = all && *outputs[i] != NULL;
    }
    if (!all) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < pixels; i++) {
        s->image[i] = expf(gm_random_float(&random, 0.0F, 1.0F));
    }
    return 0;
}

/* Returns the speckle scale: the squared coefficient of variation of the image. */
static float speckle_scale(const srad2 *s)
{
    size_t pixels = (size_t)s->rows * s->columns;
    double sum = 0.0;
    double square = 0.0;
    for (size_t i = 0; i < pixels; i++) {
        sum += (double)s->image[i];
        square += (double)s->image[i] * (double)s->image[i];
    }
    double mean = sum / (double)pixels;
    return (float)((square / (double)pixels - mean * mean) / (mean * mean));
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    srad2 *s = state;
    if (step % 2 == 0) {
        s->q0 = speckle_scale(s);
    }
    launch->code = step % 2 == 0 ? &srad2_diffuse_code : &srad2_update_code;
    launch->arguments = s;
    launch->block = (gm_dim){TILE, TILE, 1};
    launch->grid.x = s->columns / TILE;
    launch->grid.y = s->rows / TILE;
    return step < 2 * (uint64_t)workload->value[ITERATIONS];
}

extern const gm_workload_definition gm_workload_srad2;
const gm_workload_definition gm_workload_srad2 = {
    .description = {"srad2", "speckle-reducing anisotropic diffusion, in shared-memory tiles",
                    "Rodinia [li, Table 1: SD2, cache unfriendly]", options},
    .state_bytes = sizeof(srad2),
    .setup = setup,
    .launch = launch,
};
