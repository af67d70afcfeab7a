/* leukocyte's last kernel: the motion gradient vector flow of the window around a cell [Rodinia
 * leukocyte, IMGVF_kernel], by iteration until it changes by little. A CTA has a cell, and keeps
 * the flow in shared memory. All pixels are updated at once: a thread keeps its pixels' new values
 * in registers until all have been computed. The window is read from global memory in each round.
 */
#include "workload/clamp.h"
#include "workload/kernels/leukocyte.h"

#include <math.h>

enum { BLOCK = GM_LEUKOCYTE_BLOCK, HEIGHT = GM_LEUKOCYTE_HEIGHT, WIDTH = GM_LEUKOCYTE_WIDTH };
enum {
    PIXELS = GM_LEUKOCYTE_PIXELS,
    OWN = (PIXELS + BLOCK - 1) / BLOCK,
    NEIGHBOURS = 8,
    HALF = 256 /* largest power below BLOCK */
};

static const float MU = 0.5F;       /* weight of smoothness */
static const float LAMBDA = 5.0F;   /* 8 mu + 1: all neighbours and the window */
static const float CUTOFF = 0.001F; /* mean change of a pixel at which it ends */
static const float RAMP = 1e-4F;    /* half of the width of the step function's slope */

typedef struct track_locals {
    int32_t round, half;
    float next[OWN]; /* new values of the thread's pixels */
} track_locals;
typedef struct track_shared {
    float flow[PIXELS];
    float change[BLOCK];
} track_shared;

/* Returns Heaviside's step, with a slope around 0. */
static inline float step(float x)
{
    return x > RAMP ? 1.0F : x < -RAMP ? 0.0F : 0.5F + x * (0.5F / RAMP);
}

/* Returns the nearest coordinate in 0..size - 1. */
static inline int32_t within(int32_t coordinate, int32_t size)
{
    return gm_greater(gm_lesser(coordinate, size - 1), 0);
}

/* Computes a pixel's new value, which moves towards its neighbours, those higher up along the
 * motion (1, 1) or lower down against it, and towards the window where that is bright. Adds the
 * change to `total`. */
#define UPDATE(t, flow, window, pixel, next, total)                                                \
    do {                                                                                           \
        float here = SHARED_LOAD(t, &(flow)[pixel]);                                               \
        float sum = 0.0F;                                                                          \
        for (int32_t k = 0; k <= NEIGHBOURS; k++) { /* 4: the pixel itself */                      \
            int32_t down = k / 3 - 1;                                                              \
            int32_t right = k % 3 - 1;                                                             \
            int32_t row = within((pixel) / WIDTH + down, HEIGHT);                                  \
            int32_t column = within((pixel) % WIDTH + right, WIDTH);                               \
            if (k != NEIGHBOURS / 2) {                                                             \
                COMPUTE(t, INTEGER, 2);                                                            \
                float other = SHARED_LOAD(t, &(flow)[row * WIDTH + column]);                       \
                COMPUTE(t, FP32, 6);                                                               \
                sum += step((other - here) * (float)(down + right)) * (other - here);              \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        float bright = LOAD(t, (window) + (pixel));                                                \
        COMPUTE(t, FP32, 6);                                                                       \
        float smooth = here + MU / LAMBDA * sum;                                                   \
        (next) = smooth - bright * (smooth - bright) / LAMBDA;                                     \
        (total) += fabsf((next)-here);                                                             \
    } while (0)

GM_THREAD(track, gm_leukocyte)
{
    track_locals *l = t->locals;
    track_shared *s = t->shared;
    int32_t x = (int32_t)t->thread.x;
    const float *window = a->window + (size_t)t->cta.x * PIXELS;
    float *flow = a->flow + (size_t)t->cta.x * PIXELS;
    BEGIN(t)
    COMPUTE(t, INTEGER, 4);
    for (int32_t pixel = x; pixel < PIXELS; pixel += BLOCK) {
        float bright = LOAD(t, window + pixel);
        SHARED_STORE(t, &s->flow[pixel], bright);
        LOOP(t);
    }
    BARRIER(t);
    for (l->round = 0; l->round < a->iterations;) {
        float total = 0.0F;
        for (int32_t pixel = x; pixel < PIXELS; pixel += BLOCK) {
            UPDATE(t, s->flow, window, pixel, l->next[pixel / BLOCK], total);
            LOOP(t);
        }
        SHARED_STORE(t, &s->change[x], total);
        BARRIER(t);
        for (int32_t pixel = x; pixel < PIXELS; pixel += BLOCK) {
            SHARED_STORE(t, &s->flow[pixel], l->next[pixel / BLOCK]);
            LOOP(t);
        }
        for (l->half = HALF; l->half > 0; l->half /= 2) {
            BARRIER(t);
            if (x < l->half && x + l->half < BLOCK) {
                float own = SHARED_LOAD(t, &s->change[x]);
                float other = SHARED_LOAD(t, &s->change[x + l->half]);
                COMPUTE(t, FP32, 1);
                SHARED_STORE(t, &s->change[x], own + other);
            }
            LOOP(t);
        }
        BARRIER(t);
        l->round++;
        float change = SHARED_LOAD(t, &s->change[0]);
        COMPUTE(t, FP32, 2);
        if (change / PIXELS < CUTOFF) {
            break;
        }
        BARRIER(t);
        LOOP(t);
    }
    for (int32_t pixel = x; pixel < PIXELS; pixel += BLOCK) {
        float value = SHARED_LOAD(t, &s->flow[pixel]);
        STORE(t, flow + pixel, value);
        LOOP(t);
    }
    if (x == 0) {
        STORE(t, a->rounds + t->cta.x, l->round);
    }
    END(t);
}
GM_BARRIER_KERNEL(track, gm_leukocyte, track_locals, track_shared)

const gm_code *const gm_leukocyte_track = &track_code;
