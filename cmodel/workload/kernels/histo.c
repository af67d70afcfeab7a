/* Histogram by global atomics, saturated to a byte in a second kernel [Parboil histo, reduced to
 * its main and final kernels; anssari, Table 4.2: dynamic sharing, atomics]. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, BINS, SEED, IMAGE };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 26, 1 << 18, false, "values"},
    [BINS] = {"bins", 1, 1 << 24, 4096, false, "bins"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the values"},
    [IMAGE] = {"image", 0, 0, 0, true, "Parboil's binary image, instead of random values"},
    {0},
};

typedef struct histo {
    uint32_t *value, *bin;
    uint8_t *saturated;
    uint32_t n, bins, threads;
} histo;

GM_THREAD(count, histo)
{
    COMPUTE(t, INTEGER, 2);
    for (uint32_t i = GM_GLOBAL_X(t); i < a->n; i += a->threads) {
        uint32_t value = LOAD(t, a->value + i);
        COMPUTE(t, INTEGER, 2);
        RED_ADD(t, a->bin + value, 1);
        LOOP(t);
    }
}
GM_KERNEL(count, histo)

GM_THREAD(saturate, histo)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->bins) {
        uint32_t count = LOAD(t, a->bin + i);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->saturated + i, (uint8_t)(count > 255 ? 255 : count));
    }
}
GM_KERNEL(saturate, histo)

static int take_arrays(gm_workload *workload, histo *s, gm_error *error)
{
    s->value = gm_workload_input(workload, "value", s->n, sizeof(uint32_t), error);
    s->bin = gm_workload_output(workload, "bin", s->bins, sizeof(uint32_t), error);
    s->saturated = gm_workload_output(workload, "saturated", s->bins, 1, error);
    bool all = s->value != NULL && s->bin != NULL && s->saturated != NULL;
    return all ? 0 : error->code;
}

/* Reads width, height, histogram width, histogram height, then the image's bin numbers. */
static int read_image(gm_workload *workload, histo *s, gm_input_file *file, gm_error *error)
{
    uint32_t size[4];
    int code = gm_input_file_bytes(file, "sizes", size, sizeof size, error);
    if (code < 0) {
        return code;
    }
    uint64_t pixels = (uint64_t)size[0] * size[1];
    uint64_t bins = (uint64_t)size[2] * size[3];
    if (pixels == 0 || pixels > 1 << 28 || bins == 0 || bins > 1 << 24) {
        return gm_fail(
            error, -EINVAL,
            "%s: not an image as Parboil has it: its first four numbers, %u x %u pixels and "
            "%u x %u bins, are out of range",
            file->path, size[0], size[1], size[2], size[3]);
    }
    s->n = (uint32_t)pixels;
    s->bins = (uint32_t)bins;
    code = take_arrays(workload, s, error);
    if (code == 0) {
        code = gm_input_file_bytes(file, "image", s->value, pixels * sizeof *s->value, error);
    }
    for (uint32_t i = 0; code == 0 && i < s->n; i++) {
        if (s->value[i] >= s->bins) {
            code = gm_fail(error, -EINVAL, "%s: pixel %u has bin %u of %u", file->path, i,
                           s->value[i], s->bins);
        }
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    histo *s = state;
    s->n = (uint32_t)workload->value[N];
    s->bins = (uint32_t)workload->value[BINS];
    int code = 0;
    if (workload->path[IMAGE] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[IMAGE], error);
        if (code == 0) {
            code = read_image(workload, s, &file, error);
            gm_input_file_free(&file);
        }
    } else {
        code = take_arrays(workload, s, error);
        uint64_t random = (uint64_t)workload->value[SEED];
        for (uint32_t i = 0; code == 0 && i < s->n; i++) {
            /* The mean of three draws gives a distribution with a hump, as real images have. */
            uint64_t sum = gm_random_below(&random, s->bins) + gm_random_below(&random, s->bins) +
                           gm_random_below(&random, s->bins);
            s->value[i] = (uint32_t)(sum / 3);
        }
    }
    s->threads = gm_blocks(gm_blocks(s->n, 8), 256) * 256;
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const histo *s = state;
    launch->code = step == 0 ? &count_code : &saturate_code;
    launch->arguments = s;
    launch->block.x = 256;
    launch->grid.x = step == 0 ? s->threads / 256 : gm_blocks(s->bins, 256);
    return step < 2;
}

extern const gm_workload_definition gm_workload_histo;
const gm_workload_definition gm_workload_histo = {
    .description = {"histo", "histogram by global atomics",
                    "Parboil [anssari, Table 4.2: Histo in part]", options},
    .state_bytes = sizeof(histo),
    .setup = setup,
    .launch = launch,
};
