/* What histo_parboil's host program and its kernels share. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_HISTO_PARBOIL_H
#define GOLDMEM_WORKLOAD_KERNELS_HISTO_PARBOIL_H

#include "workload/input_file.h"
#include "workload/workload_internal.h"

enum {
    GM_HISTO_THREADS = 512,
    GM_HISTO_ROWS = 16,      /* of a CTA of inter */
    GM_HISTO_KILOBYTES = 16, /* of shared memory: that of [anssari, Table 4.1] */
    GM_HISTO_SECTION = GM_HISTO_KILOBYTES * 1024, /* bins that a CTA counts, a byte each */
};

/* Where a pixel's counter is: 4 bytes, as main reads them. */
typedef struct gm_histo_place {
    uint8_t section, high, low, shift;
} gm_histo_place;

/* Words that final reads as one. */
typedef struct gm_histo_halves {
    uint32_t word[2]; /* each two counters of 16 bits */
} gm_histo_halves;
typedef struct gm_histo_four {
    uint32_t bin[4];
} gm_histo_four;

typedef struct gm_histo {
    uint32_t *input; /* rows of `pitch` pixels */
    uint32_t *range; /* first and last section of the range */
    gm_histo_place *mapping;
    uint32_t *counted;        /* of bins in the range, modulo 256 in each CTA */
    gm_histo_four *overflow;  /* what that misses */
    gm_histo_halves *outside; /* of bins outside the range */
    uint32_t *saturated;      /* four bins a word */
    uint32_t width, height, pitch, bins, sections;
    uint32_t stride, sampled; /* pixels of a CTA of prescan, and those that it reads */
    uint32_t first, last;     /* sections of the range */
} gm_histo;

/* prescan, inter, main, final */
extern const gm_code *const gm_histo_kernel[4];

#endif
