/* Histogram that saturates at 255, in four kernels [Parboil histo; anssari, Table 4.2: prescan,
 * inter, main, final]. Prescan finds from a sample the range of bins that most pixels have. Inter
 * splits each pixel's bin into the place of a counter. In main a CTA counts in shared memory the
 * pixels of one section of the range, 16384 bins of a byte each, and adds them to the sums in
 * global memory; pixels outside the range are counted there, by atomics. Final saturates. */
#include "workload/kernels/histo_parboil.h"

#include "base/random.h"

#include <errno.h>

enum { WIDTH, HEIGHT, BINS, DEVIATION, SEED, IMAGE };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 1, 2048, 996, false, "pixels of a row"},
    [HEIGHT] = {"height", 1, 1 << 16, 1040, false, "rows"},
    [BINS] = {"bins", 1, 1 << 22, 1 << 20, false, "bins"},
    [DEVIATION] = {"deviation", 0, 1 << 22, 6144, false, "standard deviation of the pixels' bins"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the pixels"},
    [IMAGE] = {"image", 0, 0, 0, true, "Parboil's binary image, instead of random pixels"},
    {0},
};

enum {
    PRESCAN_CTAS = 64,
    PRESCAN_SHARE = 8, /* of the pixels one in so many is sampled */
    MAIN_CTAS = 14,    /* for each section */
    FINAL_CTAS = 42,
};

/* Sums of 12 draws have nearly a normal distribution, with a deviation of 1. */
static uint32_t draw_bin(uint64_t *random, uint32_t bins, float deviation)
{
    float sum = -6.0F;
    for (int i = 0; i < 12; i++) {
        sum += gm_random_float(random, 0.0F, 1.0F);
    }
    float bin = 0.5F * (float)bins + deviation * sum;
    bin = bin < 0.0F ? 0.0F : bin;
    return bin < (float)bins ? (uint32_t)bin : bins - 1;
}

static int take_arrays(gm_workload *workload, gm_histo *s, gm_error *error)
{
    uint32_t rows = gm_blocks(s->height, GM_HISTO_ROWS) * GM_HISTO_ROWS;
    size_t bins = (size_t)s->sections * GM_HISTO_SECTION;
    s->input = gm_workload_input(workload, "input", (size_t)rows * s->pitch, 4, error);
    s->range = gm_workload_input(workload, "range", 2, 4, error);
    s->mapping = gm_workload_output(workload, "mapping", (size_t)s->width * s->height, 4, error);
    s->counted = gm_workload_output(workload, "counted", bins, 4, error);
    s->overflow = gm_workload_output(workload, "overflow", bins, 4, error);
    s->outside = gm_workload_output(workload, "outside", bins, 2, error);
    s->saturated = gm_workload_output(workload, "saturated", bins, 1, error);
    bool all = s->input != NULL && s->range != NULL && s->mapping != NULL && s->counted != NULL &&
               s->overflow != NULL && s->outside != NULL && s->saturated != NULL;
    return all ? 0 : error->code;
}

/* Sets what follows from the image's size. */
static int prepare(gm_workload *workload, gm_histo *s, uint32_t width, uint32_t height,
                   uint32_t bins, gm_error *error)
{
    s->width = width;
    s->height = height;
    s->pitch = width + width % 2;
    s->bins = bins;
    s->sections = gm_blocks(bins, GM_HISTO_SECTION);
    return take_arrays(workload, s, error);
}

/* Reads width, height, two factors of the number of bins, then the pixels. */
static int read_image(gm_workload *workload, gm_histo *s, gm_input_file *file, gm_error *error)
{
    uint32_t size[4];
    int code = gm_input_file_bytes(file, "sizes", size, sizeof size, error);
    if (code < 0) {
        return code;
    }
    uint64_t bins = (uint64_t)size[2] * size[3];
    static const char *const what[] = {"width", "height"};
    for (int i = 0; i < 2; i++) {
        if (size[i] < 1 || size[i] > options[i].high) {
            return gm_fail(error, -EINVAL, "%s: %s: %u is not in 1..%lld", file->path, what[i],
                           size[i], (long long)options[i].high);
        }
    }
    if (bins < 1 || bins > (uint64_t)options[BINS].high) {
        return gm_fail(error, -EINVAL, "%s: bins: %u x %u is not in 1..%lld", file->path, size[2],
                       size[3], (long long)options[BINS].high);
    }
    code = prepare(workload, s, size[0], size[1], (uint32_t)bins, error);
    for (uint32_t y = 0; code == 0 && y < s->height; y++) {
        uint32_t *row = s->input + (size_t)y * s->pitch;
        code = gm_input_file_bytes(file, "pixels", row, s->width * sizeof *row, error);
        for (uint32_t x = 0; code == 0 && x < s->width; x++) {
            if (row[x] >= s->bins) {
                code = gm_fail(error, -EINVAL, "%s: pixel %u of row %u: bin %u is not in 0..%u",
                               file->path, x, y, row[x], s->bins - 1);
            }
        }
    }
    if (code == 0 && file->at != file->length) {
        code = gm_fail(error, -EINVAL, "%s: %zu bytes behind the pixels", file->path,
                       file->length - file->at);
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gm_histo *s = state;
    const int64_t *value = workload->value;
    int code = 0;
    if (workload->path[IMAGE] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[IMAGE], error);
        if (code == 0) {
            code = read_image(workload, s, &file, error);
            gm_input_file_free(&file);
        }
    } else {
        code = prepare(workload, s, (uint32_t)value[WIDTH], (uint32_t)value[HEIGHT],
                       (uint32_t)value[BINS], error);
        uint64_t random = (uint64_t)value[SEED];
        for (uint32_t i = 0; code == 0 && i < s->height * s->width; i++) {
            s->input[(size_t)(i / s->width) * s->pitch + i % s->width] =
                draw_bin(&random, s->bins, (float)value[DEVIATION]);
        }
    }
    if (code == 0) {
        s->range[0] = UINT32_MAX;
    }
    return code;
}

/* Sizes of the launches. A small image has fewer CTAs in prescan, so that their threads have
 * pixels. */
static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    gm_histo *s = state;
    launch->arguments = s;
    if (step == 4) {
        return 0;
    }
    launch->code = gm_histo_kernel[step];
    launch->block.x = GM_HISTO_THREADS;
    if (step == 0) {
        uint32_t ctas = s->width * s->height / (PRESCAN_SHARE * GM_HISTO_THREADS);
        ctas = ctas < PRESCAN_CTAS ? ctas : PRESCAN_CTAS;
        launch->grid.x = ctas > 0 ? ctas : 1;
        s->stride = s->width * s->height / launch->grid.x;
        s->sampled = s->stride / PRESCAN_SHARE;
    } else if (step == 1) {
        launch->grid.x = gm_blocks(s->height, GM_HISTO_ROWS);
        launch->block.x = s->pitch / 2;
    } else if (step == 2) {
        s->first = s->range[0];
        s->last = s->range[1];
        launch->grid = (gm_dim){MAIN_CTAS, s->last - s->first + 1, 1};
    } else {
        launch->grid.x = FINAL_CTAS;
    }
    return 1;
}

extern const gm_workload_definition gm_workload_histo_parboil;
const gm_workload_definition gm_workload_histo_parboil = {
    .description = {"histo_parboil", "saturating histogram, counted in shared memory",
                    "Parboil histo [anssari, Table 4.2: Histo]", options},
    .state_bytes = sizeof(gm_histo),
    .setup = setup,
    .launch = launch,
};
