/* White blood cells found in a frame of a video, and the flow that draws a contour to each [Rodinia
 * leukocyte: GICOV_kernel, dilate_kernel and IMGVF_kernel (leukocyte_track.c); li, Table 1 (LFK):
 * cache insensitive]. A pixel is a cell's middle where the image's gradient points outwards all
 * around: GICOV is the mean of that over its standard deviation, the best of seven circles. The
 * host takes the largest ones, each the largest of its neighbourhood, and cuts a window out around
 * it. Rodinia's host then moves the contours through many frames; this workload does not.
 *
 * The CUDA program reads both images of the first two kernels as textures, which the L1 does not
 * hold ("no read access from the global memory" [li, 3.2]). Texture caches are not modelled: with
 * texture=1 a fetch is an instruction of the special unit, as it is in traces; with texture=0 it is
 * a load. */
#include "workload/kernels/leukocyte.h"
#include "base/random.h"
#include "workload/clamp.h"
#include "workload/pgm.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>

enum { ROWS, COLUMNS, CELLS, ITERATIONS, TEXTURE, SEED, FRAME };
static const gm_workload_option options[] = {
    [ROWS] = {"rows", 45, 1068, 108, false, "of a frame that is made up"},
    [COLUMNS] = {"columns", 81, 1 << 14, 96, false, "of a frame that is made up"},
    [CELLS] = {"cells", 1, 1024, 4, false, "in it, and to be found at most"},
    [ITERATIONS] = {"iterations", 1, 500, 20, false, "of the flow, at most"},
    [TEXTURE] = {"texture", 0, 1, 1, false, "1: images are read as textures; 0: loaded"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of that frame"},
    [FRAME] = {"frame", 0, 0, 0, true, "PGM file (P2), instead of that frame"},
    {0},
};

enum { CIRCLES = GM_LEUKOCYTE_CIRCLES, POINTS = GM_LEUKOCYTE_POINTS, REACH = GM_LEUKOCYTE_REACH };
enum { SMALLEST = 8, GROWTH = 2 };                       /* radius of a circle */
enum { MARGIN = SMALLEST + GROWTH * (CIRCLES - 1) + 2 }; /* of a frame, where circles do not fit */
enum { DILATE_BLOCK = 256 };

/* Fetches a pixel of an image, as a texture or as a load. */
#define FETCH(t, a, image, place, pixel)                                                           \
    do {                                                                                           \
        if ((a)->texture) {                                                                        \
            COMPUTE(t, SPECIAL, 1);                                                                \
            (pixel) = (image)[place];                                                              \
        } else {                                                                                   \
            (pixel) = LOAD(t, (image) + (place));                                                  \
        }                                                                                          \
    } while (0)

/* A CTA has a column, a thread a row of it, both where all circles fit. Mean and squared deviation
 * run along with the points [Welford, Knuth]. */
GM_THREAD(gicov, gm_leukocyte)
{
    int32_t row = (int32_t)t->thread.x + MARGIN;
    int32_t column = (int32_t)t->cta.x + MARGIN;
    float best = 0.0F;
    float gicov = 0.0F;
    COMPUTE(t, INTEGER, 4);
    for (int32_t circle = 0; circle < CIRCLES; circle++) {
        float mean = 0.0F;
        float square = 0.0F;
        for (int32_t point = 0; point < POINTS; point++) {
            float along_x = 0.0F;
            float along_y = 0.0F;
            int32_t place =
                (column + a->right[circle][point]) * a->rows + row + a->down[circle][point];
            COMPUTE(t, INTEGER, 2);
            FETCH(t, a, a->gradient_x, place, along_x);
            FETCH(t, a, a->gradient_y, place, along_y);
            COMPUTE(t, FP32, 6);
            float outwards = along_x * a->cosine[point] + along_y * a->sine[point];
            float off = outwards - mean;
            mean += off / (float)(point + 1);
            square += off * (outwards - mean);
            LOOP(t);
        }
        COMPUTE(t, FP32, 6);
        COMPUTE(t, SPECIAL, 2);
        float variance = square / (float)(POINTS - 1);
        if (mean * mean / variance > best) {
            best = mean * mean / variance;
            gicov = mean / sqrtf(variance);
        }
        LOOP(t);
    }
    COMPUTE(t, INTEGER, 2);
    STORE(t, a->gicov + (size_t)column * (size_t)a->rows + (size_t)row, gicov);
}
GM_KERNEL(gicov, gm_leukocyte)

/* Computes the largest GICOV in the disk around a pixel. */
GM_THREAD(dilate, gm_leukocyte)
{
    int32_t place = (int32_t)GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 4);
    if (place < a->rows * a->columns) {
        float most = 0.0F;
        for (int32_t right = -REACH; right <= REACH; right++) {
            for (int32_t down = -REACH; down <= REACH; down++) {
                int32_t row = place % a->rows + down;
                int32_t column = place / a->rows + right;
                bool in_disk = down * down + right * right <= REACH * REACH;
                COMPUTE(t, INTEGER, 3);
                if (in_disk && row >= 0 && row < a->rows && column >= 0 && column < a->columns) {
                    float value = 0.0F;
                    FETCH(t, a, a->gicov, column * a->rows + row, value);
                    COMPUTE(t, FP32, 1);
                    most = fmaxf(most, value);
                }
                LOOP(t);
            }
            LOOP(t);
        }
        STORE(t, a->dilated + place, most);
    }
}
GM_KERNEL(dilate, gm_leukocyte)

/* Makes a frame of bright ground, dark disks with soft edges, and a little noise: 0 to 1, row by
 * row. */
static void make_frame(gm_pgm *frame, uint32_t cells, uint64_t random)
{
    size_t pixels = (size_t)frame->rows * frame->columns;
    for (size_t i = 0; i < pixels; i++) {
        frame->pixel[i] = 0.8 + (double)gm_random_float(&random, -0.02F, 0.02F);
    }
    for (uint32_t cell = 0; cell < cells; cell++) {
        double row = MARGIN + (double)gm_random_below(&random, frame->rows - 2 * MARGIN);
        double column = MARGIN + (double)gm_random_below(&random, frame->columns - 2 * MARGIN);
        double radius = SMALLEST + (double)gm_random_below(&random, GROWTH * (CIRCLES - 1));
        for (size_t i = 0; i < pixels; i++) {
            size_t down = i / frame->columns;
            size_t right = i % frame->columns;
            double away = hypot((double)down - row, (double)right - column);
            double dark = 0.5 / (1.0 + exp(2.0 * (away - radius)));
            frame->pixel[i] = fmin(frame->pixel[i], 0.8 - dark);
        }
    }
}

/* Computes the gradients: half the difference of the neighbours in both directions, with the edge's
 * pixel repeated beyond the edge. */
static void set_gradients(gm_leukocyte *s, const gm_pgm *frame)
{
    for (int32_t column = 0; column < s->columns; column++) {
        int32_t left = gm_greater(column - 1, 0);
        int32_t right = gm_lesser(column + 1, s->columns - 1);
        for (int32_t row = 0; row < s->rows; row++) {
            const double *here = frame->pixel + (size_t)row * frame->columns;
            const double *above = frame->pixel + (size_t)gm_greater(row - 1, 0) * frame->columns;
            const double *below =
                frame->pixel + (size_t)gm_lesser(row + 1, s->rows - 1) * frame->columns;
            size_t place = (size_t)column * frame->rows + (size_t)row;
            s->gradient_x[place] = (float)(0.5 * (here[right] - here[left]));
            s->gradient_y[place] = (float)(0.5 * (below[column] - above[column]));
        }
    }
}

static void set_circles(gm_leukocyte *s)
{
    for (int32_t point = 0; point < POINTS; point++) {
        double angle = 2.0 * acos(-1.0) * point / POINTS;
        s->sine[point] = (float)sin(angle);
        s->cosine[point] = (float)cos(angle);
        for (int32_t circle = 0; circle < CIRCLES; circle++) {
            double radius = SMALLEST + GROWTH * circle;
            s->down[circle][point] = (int32_t)(radius * sin(angle));
            s->right[circle][point] = (int32_t)(radius * cos(angle));
        }
    }
}

static int take_arrays(gm_workload *workload, gm_leukocyte *s, gm_error *error)
{
    size_t pixels = (size_t)s->rows * (size_t)s->columns;
    size_t windows = (size_t)s->cells * GM_LEUKOCYTE_PIXELS;
    s->gradient_x = gm_workload_input(workload, "gradient_x", pixels, 4, error);
    s->gradient_y = gm_workload_input(workload, "gradient_y", pixels, 4, error);
    s->gicov = gm_workload_output(workload, "gicov", pixels, 4, error);
    s->dilated = gm_workload_output(workload, "dilated", pixels, 4, error);
    s->window = gm_workload_input(workload, "window", windows, 4, error);
    s->flow = gm_workload_output(workload, "flow", windows, 4, error);
    s->rounds = gm_workload_output(workload, "rounds", (size_t)s->cells, 4, error);
    bool all = s->gradient_x != NULL && s->gradient_y != NULL && s->gicov != NULL &&
               s->dilated != NULL && s->window != NULL && s->flow != NULL && s->rounds != NULL;
    return all ? 0 : error->code;
}

/* Reads the frame, or makes one. */
static int take_frame(const gm_workload *workload, gm_pgm *frame, gm_error *error)
{
    const gm_workload_option *rows = &options[ROWS];
    const gm_workload_option *columns = &options[COLUMNS];
    if (workload->path[FRAME] != NULL) {
        int code = gm_pgm_read(frame, workload->path[FRAME], error);
        if (code == 0 && (frame->rows < rows->low || frame->rows > rows->high ||
                          frame->columns < columns->low)) {
            code = gm_fail(error, -EINVAL,
                           "%s: %u rows of %u pixels, not %lld to %lld of at least %lld",
                           workload->path[FRAME], frame->rows, frame->columns, (long long)rows->low,
                           (long long)rows->high, (long long)columns->low);
        }
        return code;
    }
    int code = gm_pgm_make(frame, (uint32_t)workload->value[ROWS],
                           (uint32_t)workload->value[COLUMNS], error);
    if (code == 0) {
        make_frame(frame, (uint32_t)workload->value[CELLS], (uint64_t)workload->value[SEED]);
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gm_leukocyte *s = state;
    s->cells = (int32_t)workload->value[CELLS];
    s->iterations = (int32_t)workload->value[ITERATIONS];
    s->texture = workload->value[TEXTURE] != 0;
    gm_pgm frame = {0};
    int code = take_frame(workload, &frame, error);
    if (code == 0) {
        s->rows = (int32_t)frame.rows;
        s->columns = (int32_t)frame.columns;
        code = take_arrays(workload, s, error);
    }
    if (code == 0) {
        set_gradients(s, &frame);
        set_circles(s);
    }
    gm_pgm_free(&frame);
    return code;
}

/* True if pixel i follows `last` (-1: any pixel does) in order of descending GICOV, then ascending
 * place. */
static bool comes_after(const gm_leukocyte *s, int32_t i, int32_t last)
{
    if (last < 0) {
        return true;
    }
    float own = s->gicov[i];
    float before = s->gicov[last];
    return own < before || (own == before && i > last);
}

/* Returns the first pixel after `last` that is the largest of its neighbourhood, -1 if none is
 * left. */
static int32_t next_cell(const gm_leukocyte *s, int32_t last)
{
    int32_t next = -1;
    for (int32_t i = 0; i < s->rows * s->columns; i++) {
        bool is_peak = s->gicov[i] > 0.0F && s->gicov[i] == s->dilated[i];
        if (is_peak && comes_after(s, i, last) && (next < 0 || s->gicov[i] > s->gicov[next])) {
            next = i;
        }
    }
    return next;
}

/* Computes the sizes of the gradient around a cell, relative to the largest; the window is clamped
 * to the frame. */
static void cut_window(gm_leukocyte *s, int32_t place, float *window)
{
    int32_t top = place % s->rows - GM_LEUKOCYTE_HEIGHT / 2;
    int32_t left = place / s->rows - GM_LEUKOCYTE_WIDTH / 2;
    top = gm_greater(gm_lesser(top, s->rows - GM_LEUKOCYTE_HEIGHT), 0);
    left = gm_greater(gm_lesser(left, s->columns - GM_LEUKOCYTE_WIDTH), 0);
    float most = 0.0F;
    for (int32_t i = 0; i < GM_LEUKOCYTE_PIXELS; i++) {
        int32_t at = (left + i % GM_LEUKOCYTE_WIDTH) * s->rows + top + i / GM_LEUKOCYTE_WIDTH;
        window[i] = hypotf(s->gradient_x[at], s->gradient_y[at]);
        most = fmaxf(most, window[i]);
    }
    for (int32_t i = 0; i < GM_LEUKOCYTE_PIXELS; i++) {
        window[i] /= most;
    }
}

static void find_cells(gm_leukocyte *s)
{
    int32_t place = next_cell(s, -1);
    for (s->found = 0; s->found < s->cells && place >= 0; s->found++) {
        cut_window(s, place, s->window + (size_t)s->found * GM_LEUKOCYTE_PIXELS);
        place = next_cell(s, place);
    }
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    gm_leukocyte *s = state;
    launch->arguments = s;
    if (step == 0) {
        launch->code = &gicov_code;
        launch->block.x = (uint32_t)s->rows - 2 * MARGIN;
        launch->grid.x = (uint32_t)s->columns - 2 * MARGIN;
    } else if (step == 1) {
        launch->code = &dilate_code;
        launch->block.x = DILATE_BLOCK;
        launch->grid.x = gm_blocks((uint64_t)s->rows * (uint64_t)s->columns, DILATE_BLOCK);
    } else if (step == 2) {
        find_cells(s);
        launch->code = gm_leukocyte_track;
        launch->block.x = GM_LEUKOCYTE_BLOCK;
        launch->grid.x = (uint32_t)s->found;
    }
    return step < 2 || (step == 2 && s->found > 0);
}

extern const gm_workload_definition gm_workload_leukocyte;
const gm_workload_definition gm_workload_leukocyte = {
    .description = {"leukocyte", "white blood cells found in a frame, and flows to their edges",
                    "Rodinia [li, Table 1: LFK, cache insensitive]", options},
    .state_bytes = sizeof(gm_leukocyte),
    .setup = setup,
    .launch = launch,
};
