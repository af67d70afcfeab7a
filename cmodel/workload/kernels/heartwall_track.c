/* heartwall's work on a frame: a CTA copies its point's surroundings from the frame, correlates
 * them with the point's template (in shared memory, the rest in global memory), gets sums and
 * squares under the template by cumulative sums down the columns, then along the rows, normalises,
 * takes the best place, and lets the template follow. */
#include "workload/kernels/heartwall.h"

#include <math.h>

static const float KEPT = 0.87F; /* of the template in each frame: Rodinia's alpha */

typedef struct heartwall_locals {
    int32_t best; /* the template's new place in the window */
} heartwall_locals;
typedef struct heartwall_shared {
    float template[GM_HEARTWALL_WIDEST * GM_HEARTWALL_WIDEST];
    float sum[GM_HEARTWALL_BLOCK],
        square[GM_HEARTWALL_BLOCK]; /* of columns; then the best of each column */
    int32_t place[GM_HEARTWALL_BLOCK];
    float mean, deviation;
    int32_t best;
} heartwall_shared;

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

GM_PARTS(track)

GM_PART(copy_window, gm_heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t point = (int32_t)t->cta.x;
    int32_t width = a->width;
    float *window = gm_heartwall_window(t, a);
    COMPUTE(t, INTEGER, 12);
    int32_t row = LOAD(t, a->row + point);
    int32_t column = LOAD(t, a->column + point);
    for (int32_t e = x; e < width * width; e += GM_HEARTWALL_BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t place = (column - a->reach + e / width) * a->n + row - a->reach + e % width;
        float pixel = LOAD(t, a->frame + place);
        STORE(t, window + e, pixel);
        LOOP(t);
    }
}

/* Copies the template into shared memory, rotated as for a convolution. */
GM_PART(copy_template, gm_heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    float *template = gm_heartwall_template(t, a);
    for (int32_t e = x; e < side * side; e += GM_HEARTWALL_BLOCK) {
        float pixel = LOAD(t, template + e);
        COMPUTE(t, INTEGER, 2);
        SHARED_STORE(t, &s->template[side * side - 1 - e], pixel);
        LOOP(t);
    }
}

GM_POINT(copied)

GM_PART(correlate, gm_heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *window = gm_heartwall_window(t, a);
    float *correlation = gm_heartwall_places(t, a, a->correlation);
    for (int32_t e = x; e < moves * moves; e += GM_HEARTWALL_BLOCK) {
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

/* Computes cumulative sums down the columns. */
GM_PART(sum_columns, gm_heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t width = a->width;
    float *window = gm_heartwall_window(t, a);
    float *running = gm_heartwall_running(t, a, 0);
    float *running_square = gm_heartwall_running(t, a, 1);
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

/* Computes sums of parts of columns as long as the template: moves rows, width columns. */
GM_PART(sum_parts_of_columns, gm_heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *running = gm_heartwall_running(t, a, 0);
    float *running_square = gm_heartwall_running(t, a, 1);
    float *under = gm_heartwall_under(t, a, 0);
    float *under_square = gm_heartwall_under(t, a, 1);
    for (int32_t e = x; e < moves * width; e += GM_HEARTWALL_BLOCK) {
        COMPUTE(t, INTEGER, 6);
        int32_t at = e / moves * width + e % moves;
        bool first = e % moves == 0;
        DIFFERENCE(t, running, at, first, 1, side, under + e);
        DIFFERENCE(t, running_square, at, first, 1, side, under_square + e);
        LOOP(t);
    }
}

GM_POINT(parts_summed)

/* Computes cumulative sums of the parts of columns along the rows. */
GM_PART(sum_rows, gm_heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *running = gm_heartwall_running(t, a, 0);
    float *running_square = gm_heartwall_running(t, a, 1);
    float *under = gm_heartwall_under(t, a, 0);
    float *under_square = gm_heartwall_under(t, a, 1);
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

/* Computes the sums under the template, at each of its places. */
GM_PART(sum_parts_of_rows, gm_heartwall)
{
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t moves = a->moves;
    float *running = gm_heartwall_running(t, a, 0);
    float *running_square = gm_heartwall_running(t, a, 1);
    float *under = gm_heartwall_under(t, a, 0);
    float *under_square = gm_heartwall_under(t, a, 1);
    for (int32_t e = x; e < moves * moves; e += GM_HEARTWALL_BLOCK) {
        COMPUTE(t, INTEGER, 4);
        bool first = e < moves;
        DIFFERENCE(t, running, e, first, moves, side, under + e);
        DIFFERENCE(t, running_square, e, first, moves, side, under_square + e);
        LOOP(t);
    }
}

/* Sums the template, a thread for each column. */
GM_PART(sum_template, gm_heartwall)
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

/* Computes the template's mean and deviation. */
GM_PART(get_deviation, gm_heartwall)
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

GM_PART(normalise, gm_heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t moves = a->moves;
    float *correlation = gm_heartwall_places(t, a, a->correlation);
    float *normal = gm_heartwall_places(t, a, a->normal);
    float *under = gm_heartwall_under(t, a, 0);
    float *under_square = gm_heartwall_under(t, a, 1);
    for (int32_t e = x; e < moves * moves; e += GM_HEARTWALL_BLOCK) {
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

/* Finds the best place of each column. */
GM_PART(search_columns, gm_heartwall)
{
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t moves = a->moves;
    float *normal = gm_heartwall_places(t, a, a->normal);
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

/* Moves the point to the best place of all, clamped so that the next window lies in the frame. */
GM_PART(move_point, gm_heartwall)
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

/* Mixes a small share of the pixels at the new place into the template. */
GM_PART(follow, gm_heartwall)
{
    heartwall_locals *l = t->locals;
    heartwall_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    int32_t side = a->side;
    int32_t width = a->width;
    int32_t moves = a->moves;
    float *window = gm_heartwall_window(t, a);
    float *template = gm_heartwall_template(t, a);
    l->best = SHARED_LOAD(t, &s->best);
    for (int32_t e = x; e < side * side; e += GM_HEARTWALL_BLOCK) {
        COMPUTE(t, INTEGER, 8);
        int32_t place = (l->best / moves + e / side) * width + l->best % moves + e % side;
        float pixel = LOAD(t, window + place);
        float old = LOAD(t, template + e);
        COMPUTE(t, FP32, 2);
        STORE(t, template + e, KEPT * old + (1.0F - KEPT) * pixel);
        LOOP(t);
    }
}

GM_WHOLE(track, gm_heartwall)
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
GM_BARRIER_KERNEL(track, gm_heartwall, heartwall_locals, heartwall_shared)

const gm_code *const gm_heartwall_track = &track_code;
