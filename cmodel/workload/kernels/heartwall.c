/* Points of a heart's wall followed through the frames of a film, like Rodinia's heartwall in
 * structure and in what is kept where, smaller and without its masks [li, Table 1 (HT): cache
 * friendly]. A CTA is a point: it copies its surroundings from the frame, correlates them with the
 * point's template (in shared memory, the rest in global memory), gets sums and squares under the
 * template by cumulative sums down the columns, then along the rows, normalises, takes the best
 * place, and lets the template follow. Images are column by column. */
#include "workload/random.h"
#include "workload/workload_internal.h"

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

enum { BLOCK = 256, WIDEST = 51 };
static const float KEPT = 0.87F; /* of the template in each frame: Rodinia's alpha */

typedef struct heartwall {
    float *film;
    const float *frame;
    int32_t *row, *column;         /* of each point */
    float *template;               /* of each point */
    float *window;                 /* surroundings of each point, width * width */
    float *correlation, *normal;   /* of each point, moves * moves */
    float *running[2], *under[2];  /* cumulative sums; differences: of values, of squares */
    int32_t n, side, width, moves; /* of frame, template, window; places of a template */
    int32_t frames, points, template_reach, reach; /* reach: from a window's middle to its edge */
} heartwall;

typedef struct heartwall_locals {
    int32_t best; /* the template's new place in the window */
} heartwall_locals;
typedef struct heartwall_shared {
    float template[WIDEST * WIDEST];
    float sum[BLOCK], square[BLOCK]; /* of columns; then the best of each column */
    int32_t place[BLOCK];
    float mean, deviation;
    int32_t best;
} heartwall_shared;

/* The template is what surrounds the point in the first frame. */
GM_THREAD(take_template, heartwall)
{
    int32_t pixels = a->side * a->side;
    int32_t point = (int32_t)t->cta.x;
    COMPUTE(t, INTEGER, 4);
    int32_t row = LOAD(t, a->row + point);
    int32_t column = LOAD(t, a->column + point);
    for (int32_t e = (int32_t)t->thread.x; e < pixels; e += BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t r = row - a->template_reach + e % a->side;
        int32_t c = column - a->template_reach + e / a->side;
        float pixel = LOAD(t, a->frame + c * a->n + r);
        STORE(t, a->template + point * pixels + e, pixel);
        LOOP(t);
    }
}
GM_KERNEL(take_template, heartwall)

/* Sums of `side` elements next to each other, from cumulative sums `step` elements apart. */
#define DIFFERENCE(t, from, at, first, step, side, into)                                           \
    do {                                                                                           \
        float sum = LOAD(t, (from) + (at) + ((side)-1) * (step));                                  \
        if (!(first)) {                                                                            \
            float before = LOAD(t, (from) + (at) - (step));                                        \
            COMPUTE(t, FP32, 1);                                                                   \
            sum -= before;                                                                         \
        }                                                                                          \
        STORE(t, (into), sum);                                                                     \
    } while (0)

/* The CTA's point's share of an array of all points. */
static inline float *template_of(const gm_thread *t, const heartwall *a)
{
    return a->template + (int32_t)t->cta.x * a->side * a->side;
}

static inline float *window_of(const gm_thread *t, const heartwall *a)
{
    return a->window + (int32_t)t->cta.x * a->width * a->width;
}

static inline float *places_of(const gm_thread *t, const heartwall *a, float *array)
{
    return array + (int32_t)t->cta.x * a->moves * a->moves;
}

/* Of values (0) or of squares (1). */
static inline float *running_of(const gm_thread *t, const heartwall *a, unsigned squares)
{
    return a->running[squares] + (int32_t)t->cta.x * a->width * a->width;
}

static inline float *under_of(const gm_thread *t, const heartwall *a, unsigned squares)
{
    return a->under[squares] + (int32_t)t->cta.x * a->width * a->moves;
}

GM_PARTS(track)

GM_PART(copy_window, heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t point = (int32_t)t->cta.x;
    int32_t width = a->width;
    float *window = window_of(t, a);
    COMPUTE(t, INTEGER, 12);
    int32_t row = LOAD(t, a->row + point);
    int32_t column = LOAD(t, a->column + point);
    for (int32_t e = x; e < width * width; e += BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t place = (column - a->reach + e / width) * a->n + row - a->reach + e % width;
        float pixel = LOAD(t, a->frame + place);
        STORE(t, window + e, pixel);
        LOOP(t);
    }
}

/* Turned, as for a convolution. */
GM_PART(copy_template, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    float *template = template_of(t, a);
    for (int32_t e = x; e < side * side; e += BLOCK) {
        float pixel = LOAD(t, template + e);
        COMPUTE(t, INTEGER, 2);
        SHARED_STORE(t, &s->template[side * side - 1 - e], pixel);
        LOOP(t);
    }
}

GM_POINT(copied)

GM_PART(correlate, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *window = window_of(t, a);
    float *correlation = places_of(t, a, a->correlation);
    for (int32_t e = x; e < moves * moves; e += BLOCK) {
        COMPUTE(t, INTEGER, 8);
        float sum = 0.0F;
        for (int32_t c = 0; c < side; c++) {
            for (int32_t r = 0; r < side; r++) {
                float pixel = LOAD(t, window + (e / moves + c) * width + e % moves + r);
                float other = SHARED_LOAD(t, &s->template[side * side - 1 - c * side - r]);
                COMPUTE(t, FP32, 1);
                sum += pixel * other;
                LOOP(t);
            }
            LOOP(t);
        }
        STORE(t, correlation + e, sum);
        LOOP(t);
    }
}

/* Cumulative sums down the columns. */
GM_PART(sum_columns, heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t width = a->width;
    float *window = window_of(t, a);
    float *running = running_of(t, a, 0);
    float *running_square = running_of(t, a, 1);
    if (x < width) {
        float sum = 0.0F;
        float square = 0.0F;
        for (int32_t r = 0; r < width; r++) {
            float pixel = LOAD(t, window + x * width + r);
            COMPUTE(t, FP32, 2);
            sum += pixel;
            square += pixel * pixel;
            STORE(t, running + x * width + r, sum);
            STORE(t, running_square + x * width + r, square);
            LOOP(t);
        }
    }
}

GM_POINT(columns_summed)

/* As long as the template: moves rows, width columns. */
GM_PART(sum_parts_of_columns, heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *running = running_of(t, a, 0);
    float *running_square = running_of(t, a, 1);
    float *under = under_of(t, a, 0);
    float *under_square = under_of(t, a, 1);
    for (int32_t e = x; e < moves * width; e += BLOCK) {
        COMPUTE(t, INTEGER, 6);
        int32_t at = e / moves * width + e % moves;
        bool first = e % moves == 0;
        DIFFERENCE(t, running, at, first, 1, side, under + e);
        DIFFERENCE(t, running_square, at, first, 1, side, under_square + e);
        LOOP(t);
    }
}

GM_POINT(parts_summed)

/* Cumulative sums of these along the rows. */
GM_PART(sum_rows, heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *running = running_of(t, a, 0);
    float *running_square = running_of(t, a, 1);
    float *under = under_of(t, a, 0);
    float *under_square = under_of(t, a, 1);
    if (x < moves) {
        float sum = 0.0F;
        float square = 0.0F;
        for (int32_t c = 0; c < width; c++) {
            float part = LOAD(t, under + c * moves + x);
            float part_square = LOAD(t, under_square + c * moves + x);
            COMPUTE(t, FP32, 2);
            sum += part;
            square += part_square;
            STORE(t, running + c * moves + x, sum);
            STORE(t, running_square + c * moves + x, square);
            LOOP(t);
        }
    }
}

GM_POINT(rows_summed)

/* Under the template, at each of its places. */
GM_PART(sum_parts_of_rows, heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t moves = a->moves;
    float *running = running_of(t, a, 0);
    float *running_square = running_of(t, a, 1);
    float *under = under_of(t, a, 0);
    float *under_square = under_of(t, a, 1);
    for (int32_t e = x; e < moves * moves; e += BLOCK) {
        COMPUTE(t, INTEGER, 4);
        bool first = e < moves;
        DIFFERENCE(t, running, e, first, moves, side, under + e);
        DIFFERENCE(t, running_square, e, first, moves, side, under_square + e);
        LOOP(t);
    }
}

/* A thread sums a column. */
GM_PART(sum_template, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    if (x < side) {
        float sum = 0.0F;
        float square = 0.0F;
        for (int32_t r = 0; r < side; r++) {
            float pixel = SHARED_LOAD(t, &s->template[x * side + r]);
            COMPUTE(t, FP32, 2);
            sum += pixel;
            square += pixel * pixel;
            LOOP(t);
        }
        SHARED_STORE(t, &s->sum[x], sum);
        SHARED_STORE(t, &s->square[x], square);
    }
}

GM_POINT(template_summed)

/* The template's mean and deviation. */
GM_PART(get_deviation, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    if (x == 0) {
        float sum = 0.0F;
        float square = 0.0F;
        for (int32_t c = 0; c < side; c++) {
            sum += SHARED_LOAD(t, &s->sum[c]);
            square += SHARED_LOAD(t, &s->square[c]);
            COMPUTE(t, FP32, 2);
            LOOP(t);
        }
        COMPUTE(t, FP32, 12);
        COMPUTE(t, SPECIAL, 2);
        float mean = sum / (float)(side * side);
        SHARED_STORE(t, &s->mean, mean);
        SHARED_STORE(t, &s->deviation, sqrtf(square - sum * mean));
    }
}

GM_POINT(deviation_known)

GM_PART(normalise, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t moves = a->moves;
    float *correlation = places_of(t, a, a->correlation);
    float *normal = places_of(t, a, a->normal);
    float *under = under_of(t, a, 0);
    float *under_square = under_of(t, a, 1);
    for (int32_t e = x; e < moves * moves; e += BLOCK) {
        float product = LOAD(t, correlation + e);
        float sum = LOAD(t, under + e);
        float square = LOAD(t, under_square + e);
        float mean = SHARED_LOAD(t, &s->mean);
        float deviation = SHARED_LOAD(t, &s->deviation);
        COMPUTE(t, FP32, 16);
        COMPUTE(t, SPECIAL, 2);
        float own = sqrtf(fmaxf(square - sum * sum / (float)(side * side), 1e-6F));
        STORE(t, normal + e, (product - sum * mean) / (own * deviation));
        LOOP(t);
    }
}

GM_POINT(normalised)

/* The best place of each column. */
GM_PART(search_columns, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t moves = a->moves;
    float *normal = places_of(t, a, a->normal);
    if (x < moves) {
        float best = -2.0F; /* below all correlations */
        int32_t place = 0;
        for (int32_t r = 0; r < moves; r++) {
            float value = LOAD(t, normal + x * moves + r);
            COMPUTE(t, FP32, 1);
            COMPUTE(t, INTEGER, 1);
            place = value > best ? x * moves + r : place;
            best = value > best ? value : best;
            LOOP(t);
        }
        SHARED_STORE(t, &s->sum[x], best);
        SHARED_STORE(t, &s->place[x], place);
    }
}

GM_POINT(columns_searched)

/* To the best place of all, so far from the frame's edge that the next window lies in it. */
GM_PART(move_point, heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t point = (int32_t)t->cta.x;
    int32_t moves = a->moves;
    if (x == 0) {
        float best = -2.0F;
        int32_t place = 0;
        for (int32_t c = 0; c < moves; c++) {
            float value = SHARED_LOAD(t, &s->sum[c]);
            int32_t own = SHARED_LOAD(t, &s->place[c]);
            COMPUTE(t, FP32, 1);
            COMPUTE(t, INTEGER, 1);
            place = value > best ? own : place;
            best = value > best ? value : best;
            LOOP(t);
        }
        SHARED_STORE(t, &s->best, place);
        int32_t old_row = LOAD(t, a->row + point);
        int32_t old_column = LOAD(t, a->column + point);
        COMPUTE(t, INTEGER, 12);
        int32_t last = a->n - 1 - a->reach;
        int32_t down = old_row + place % moves - moves / 2;
        int32_t right = old_column + place / moves - moves / 2;
        down = down < a->reach ? a->reach : down > last ? last : down;
        right = right < a->reach ? a->reach : right > last ? last : right;
        STORE(t, a->row + point, down);
        STORE(t, a->column + point, right);
    }
}

GM_POINT(moved)

/* The template becomes a little of what is at its new place. */
GM_PART(follow, heartwall)
{
    heartwall_locals *l = t->locals;
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *window = window_of(t, a);
    float *template = template_of(t, a);
    l->best = SHARED_LOAD(t, &s->best);
    for (int32_t e = x; e < side * side; e += BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t place = (l->best / moves + e / side) * width + l->best % moves + e % side;
        float pixel = LOAD(t, window + place);
        float old = LOAD(t, template + e);
        COMPUTE(t, FP32, 2);
        STORE(t, template + e, KEPT * old + (1.0F - KEPT) * pixel);
        LOOP(t);
    }
}

GM_WHOLE(track, heartwall)
{
    BEGIN(t)
    copy_window(t, a);
    copy_template(t, a);
    BARRIER_AT(t, copied);
    correlate(t, a);
    sum_columns(t, a);
    BARRIER_AT(t, columns_summed);
    sum_parts_of_columns(t, a);
    BARRIER_AT(t, parts_summed);
    sum_rows(t, a);
    BARRIER_AT(t, rows_summed);
    sum_parts_of_rows(t, a);
    sum_template(t, a);
    BARRIER_AT(t, template_summed);
    get_deviation(t, a);
    BARRIER_AT(t, deviation_known);
    normalise(t, a);
    BARRIER_AT(t, normalised);
    search_columns(t, a);
    BARRIER_AT(t, columns_searched);
    move_point(t, a);
    BARRIER_AT(t, moved);
    follow(t, a);
    END(t);
}
GM_BARRIER_KERNEL(track, heartwall, heartwall_locals, heartwall_shared)

/* Smooth noise with a period of n, from 0 to 1: the mean of 3x3 random pixels. */
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

/* The wall moves by (2, -1) in every frame, or by less where the search does not go that far, and
 * is a little noisy. */
static void make_film(heartwall *s, uint64_t seed)
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

static int take_arrays(gm_workload *workload, heartwall *s, gm_error *error)
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
    heartwall *s = state;
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
    heartwall *s = state;
    if (step >= (uint64_t)s->frames) {
        return 0;
    }
    s->frame = s->film + step * (size_t)(s->n * s->n);
    launch->code = step == 0 ? &take_template_code : &track_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)s->points;
    return 1;
}

extern const gm_workload_definition gm_workload_heartwall;
const gm_workload_definition gm_workload_heartwall = {
    .description = {"heartwall", "points followed through a film by their surroundings",
                    "after Rodinia [li, Table 1: HT, cache friendly]", options},
    .state_bytes = sizeof(heartwall),
    .setup = setup,
    .launch = launch,
};
