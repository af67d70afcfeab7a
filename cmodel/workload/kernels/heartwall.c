/* Points of a heart's wall followed through the frames of a film, with the structure and the memory
 * spaces of Rodinia's heartwall, smaller and without its masks [li, Table 1 (HT): cache friendly].
 * A CTA is a point: in the first frame it takes its template, in the others it tracks its point
 * (heartwall_track.c). Images are column by column. */
#include "workload/kernels/heartwall.h"
#include "base/random.h"

#include <errno.h>
#include <math.h>

enum { N, FRAMES, POINTS, TEMPLATE, SEARCH, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 16, 1 << 12, 256, false, "rows and columns of a frame"},
    [FRAMES] = {"frames", 2, 100, 3, false, "of the film; the first gives the templates"},
    [POINTS] = {"points", 1, 1024, 51, false, "on the wall, an ellipse"},
    [TEMPLATE] = {"template", 1, 25, 10, false, "pixels of a template to each side of its middle"},
    [SEARCH] = {"search", 1, 20, 8, false, "pixels that a point may move in a frame"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the film"},
    {0},
};

/* Takes the point's surroundings in the first frame as its template. */
GM_THREAD(take_template, gm_heartwall)
{
    int32_t pixels = a->side * a->side;
    int32_t point = (int32_t)t->cta.x;
    COMPUTE(t, INTEGER, 4);
    int32_t row = LOAD(t, a->row + point);
    int32_t column = LOAD(t, a->column + point);
    for (int32_t e = (int32_t)t->thread.x; e < pixels; e += GM_HEARTWALL_BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t r = row - a->template_reach + e % a->side;
        int32_t c = column - a->template_reach + e / a->side;
        float pixel = LOAD(t, a->frame + c * a->n + r);
        STORE(t, a->template + point * pixels + e, pixel);
        LOOP(t);
    }
}
GM_KERNEL(take_template, gm_heartwall)

/* Returns smooth noise with a period of n, from 0 to 1: the mean of 3x3 random pixels. */
static float texture(uint64_t seed, int32_t row, int32_t column, int32_t n)
{
    uint64_t sum = 0;
    for (int32_t k = 0; k < 9; k++) {
        uint64_t r = (uint64_t)((row + k / 3 + n) % n);
        uint64_t c = (uint64_t)((column + k % 3 + n) % n);
        sum += gm_hash64(seed * 0x10001 + (c << 32) + r + 1) >> 40;
    }
    return (float)sum / (9.0F * 0x1p24F);
}

/* Makes the film: the wall moves by (2, -1) in every frame, or by less where the search does not
 * reach that far, with a little noise. */
static void make_film(gm_heartwall *s, uint64_t seed)
{
    int32_t down = s->moves / 2 < 2 ? 1 : 2;
    uint64_t random = seed;
    for (int32_t f = 0; f < s->frames; f++) {
        for (int32_t i = 0; i < s->n * s->n; i++) {
            float pixel = texture(seed, (i % s->n - down * f) % s->n, (i / s->n + f) % s->n, s->n);
            s->film[(size_t)f * (size_t)(s->n * s->n) + (size_t)i] =
                pixel + gm_random_float(&random, -0.02F, 0.02F);
        }
    }
}

static int take_arrays(gm_workload *workload, gm_heartwall *s, gm_error *error)
{
    size_t points = (size_t)s->points;
    size_t side = (size_t)s->side;
    size_t width = (size_t)s->width;
    size_t moves = (size_t)s->moves;
    size_t pixels = (size_t)s->n * (size_t)s->n * (size_t)s->frames;
    s->film = gm_workload_input(workload, "film", pixels, 4, error);
    s->row = gm_workload_input(workload, "row", points, 4, error);
    s->column = gm_workload_input(workload, "column", points, 4, error);
    struct {
        float **array;
        const char *name;
        size_t count;
    } scratch[] = {
        {&s->template, "template", side * side},
        {&s->window, "window", width * width},
        {&s->correlation, "correlation", moves * moves},
        {&s->normal, "normal", moves * moves},
        {&s->running[0], "running", width * width},
        {&s->running[1], "running_square", width * width},
        {&s->under[0], "under", width * moves},
        {&s->under[1], "under_square", width * moves},
    };
    bool all = s->film != NULL && s->row != NULL && s->column != NULL;
    for (size_t i = 0; all && i < sizeof scratch / sizeof scratch[0]; i++) {
        *scratch[i].array = gm_workload_output(workload, scratch[i].name, points * scratch[i].count,
                                               sizeof(float), error);
        all = *scratch[i].array != NULL;
    }
    return all ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gm_heartwall *s = state;
    const int64_t *value = workload->value;
    s->n = (int32_t)value[N];
    s->frames = (int32_t)value[FRAMES];
    s->points = (int32_t)value[POINTS];
    s->template_reach = (int32_t)value[TEMPLATE];
    s->reach = s->template_reach + (int32_t)value[SEARCH];
    s->side = 2 * s->template_reach + 1;
    s->width = 2 * s->reach + 1;
    s->moves = 2 * (int32_t)value[SEARCH] + 1;
    if (s->n < 2 * s->width) {
        return gm_fail(error, -EINVAL,
                       "workload heartwall: n=%d is less than %d, two windows of 2 * (template + "
                       "search) + 1",
                       s->n, 2 * s->width);
    }
    int code = take_arrays(workload, s, error);
    if (code < 0) {
        return code;
    }
    make_film(s, (uint64_t)value[SEED]);
    double room = s->n / 2.0 - s->reach - 1.0;
    for (int32_t i = 0; i < s->points; i++) {
        double angle = 6.283185307179586 * i / s->points;
        s->row[i] = (int32_t)(s->n / 2.0 + room * 0.8 * sin(angle));
        s->column[i] = (int32_t)(s->n / 2.0 + room * 0.5 * cos(angle));
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    gm_heartwall *s = state;
    if (step >= (uint64_t)s->frames) {
        return 0;
    }
    s->frame = s->film + step * (size_t)(s->n * s->n);
    launch->code = step == 0 ? &take_template_code : gm_heartwall_track;
    launch->arguments = s;
    launch->block.x = GM_HEARTWALL_BLOCK;
    launch->grid.x = (uint32_t)s->points;
    return 1;
}

extern const gm_workload_definition gm_workload_heartwall;
const gm_workload_definition gm_workload_heartwall = {
    .description = {"heartwall", "points followed through a film by their surroundings",
                    "after Rodinia [li, Table 1: HT, cache friendly]", options},
    .state_bytes = sizeof(gm_heartwall),
    .setup = setup,
    .launch = launch,
};
