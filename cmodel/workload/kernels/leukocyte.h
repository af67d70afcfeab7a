/* leukocyte: the state that its host program and its kernels share. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_LEUKOCYTE_H
#define GOLDMEM_WORKLOAD_KERNELS_LEUKOCYTE_H

#include "workload/simt/simt.h"

enum {
    GM_LEUKOCYTE_CIRCLES = 7,
    GM_LEUKOCYTE_POINTS = 150, /* of a circle */
    GM_LEUKOCYTE_REACH = 12,   /* of the dilation's disk */
    GM_LEUKOCYTE_HEIGHT = 41,  /* of the window around a cell */
    GM_LEUKOCYTE_WIDTH = 81,
    GM_LEUKOCYTE_PIXELS = GM_LEUKOCYTE_HEIGHT * GM_LEUKOCYTE_WIDTH,
    GM_LEUKOCYTE_BLOCK = 320, /* threads that follow a cell */
};

/* Images are column by column. */
typedef struct gm_leukocyte {
    float *gradient_x, *gradient_y; /* of the frame, along the rows and along the columns */
    float *gicov;                   /* of each pixel: how well a cell fits around it */
    float *dilated;                 /* largest GICOV nearby */
    float *window;                  /* of each cell: size of the gradient, 0 to 1, row by row */
    float *flow;                    /* its gradient vector flow */
    int32_t *rounds;                /* that it took */
    int32_t rows, columns;
    int32_t cells, found; /* room for, and found */
    int32_t iterations;
    bool texture;
    /* In constant memory: sine and cosine of each point, and where it is on each circle. */
    float sine[GM_LEUKOCYTE_POINTS], cosine[GM_LEUKOCYTE_POINTS];
    int32_t down[GM_LEUKOCYTE_CIRCLES][GM_LEUKOCYTE_POINTS];
    int32_t right[GM_LEUKOCYTE_CIRCLES][GM_LEUKOCYTE_POINTS];
} gm_leukocyte;

/* The last kernel: a CTA for each cell found (leukocyte_track.c). */
extern const gm_code *const gm_leukocyte_track;

#endif
