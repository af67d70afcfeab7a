/* How an input's line requests spread over cache sets, under several set-index functions at once
 * [khairy, 4.3: SYRK and GESUMMV]. */
#ifndef GOLDMEM_SET_HISTOGRAM_H
#define GOLDMEM_SET_HISTOGRAM_H

#include "goldmem/set_index.h"
#include "goldmem/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Use of the sets under one function. A divergent instruction touches two lines or more. */
typedef struct gm_set_use {
    uint64_t *requests; /* [sets] line requests that fall in each */
    uint64_t *lines;    /* [sets] different lines among them */
    uint64_t sets;      /* different sets, summed over divergent instructions */
    uint64_t fullest;   /* lines in the fullest set, summed over divergent instructions */
} gm_set_use;

typedef struct gm_set_histogram {
    unsigned functions;
    gm_set_use *use;          /* [functions] */
    uint64_t instructions;    /* warp instructions that touch global memory */
    uint64_t divergent;       /* of them, two lines or more */
    uint64_t divergent_lines; /* lines of divergent instructions */
    uint64_t requests;        /* line requests, all instructions */
    uint64_t lines;           /* different lines */
} gm_set_histogram;

/* Reads the whole source and counts its coalesced requests to global memory: loads, stores and
 * atomics. Ignores line-address bits that a function does not cover. Requires functions with
 * equally many sets, and line_bytes a power of two from 32 to 1024. */
int gm_set_histogram_read(gm_set_histogram *histogram, gm_source *source,
                          const gm_set_index *function, unsigned functions, uint64_t line_bytes,
                          gm_error *error);
void gm_set_histogram_free(gm_set_histogram *histogram);

#ifdef __cplusplus
}
#endif

#endif
