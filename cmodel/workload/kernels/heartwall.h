/* heartwall: the state that its files share, and a point's part of the arrays. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_HEARTWALL_H
#define GOLDMEM_WORKLOAD_KERNELS_HEARTWALL_H

#include "workload/workload_internal.h"

enum { GM_HEARTWALL_BLOCK = 256, GM_HEARTWALL_WIDEST = 51 }; /* threads; side of a template */

typedef struct gm_heartwall {
    float *film;
    const float *frame;
    int32_t *row, *column;         /* of each point */
    float *template;               /* of each point */
    float *window;                 /* surroundings of each point, width * width */
    float *correlation, *normal;   /* of each point, moves * moves */
    float *running[2], *under[2];  /* cumulative sums; differences: of values, of squares */
    int32_t n, side, width, moves; /* of frame, template, window; places of a template */
    int32_t frames, points, template_reach, reach; /* reach: from a window's middle to its edge */
} gm_heartwall;

/* Return the part of the CTA's point in an array of all points. */
static inline float *gm_heartwall_template(const gm_thread *t, const gm_heartwall *a)
{
    return a->template + (int32_t)t->cta.x * a->side * a->side;
}

static inline float *gm_heartwall_window(const gm_thread *t, const gm_heartwall *a)
{
    return a->window + (int32_t)t->cta.x * a->width * a->width;
}

static inline float *gm_heartwall_places(const gm_thread *t, const gm_heartwall *a, float *array)
{
    return array + (int32_t)t->cta.x * a->moves * a->moves;
}

/* Cumulative sums of values (0) or of squares (1). */
static inline float *gm_heartwall_running(const gm_thread *t, const gm_heartwall *a,
                                          unsigned squares)
{
    return a->running[squares] + (int32_t)t->cta.x * a->width * a->width;
}

static inline float *gm_heartwall_under(const gm_thread *t, const gm_heartwall *a, unsigned squares)
{
    return a->under[squares] + (int32_t)t->cta.x * a->width * a->moves;
}

/* heartwall_track.c: a frame's work. */
extern const gm_code *const gm_heartwall_track;

#endif
