/* How a set-index function spreads strided references [khairy, 4.3]. */
#ifndef GOLDMEM_SET_INDEX_STRIDES_H
#define GOLDMEM_SET_INDEX_STRIDES_H

#include "goldmem/set_index.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Use of the sets by `references` lines 0, stride, 2 stride, ... */
typedef struct gm_stride_use {
    uint32_t sets; /* different sets: the paper's "n-way conflict degree" is this n */
    uint32_t most; /* lines in the fullest set: the ways that hold them all */
} gm_stride_use;

/* Returns the use of the sets by one stride. Lines beyond the function's address bits wrap. `count`
 * is scratch for one number per set. */
gm_stride_use gm_set_index_stride(const gm_set_index *function, uint64_t stride,
                                  uint64_t references, uint32_t *count);

/* Strides 1 to `last`, each with as many references as there are sets. */
typedef struct gm_stride_summary {
    uint64_t strides;
    uint64_t free;                          /* strides that meet every set once */
    uint64_t sets;                          /* different sets, summed over the strides */
    uint64_t aligned_strides, aligned_sets; /* of multiples of the number of sets */
    uint64_t worst;                         /* first stride with the fewest sets */
    uint32_t fewest;                        /* different sets that `worst` meets */
    uint32_t most;                          /* lines in the fullest set of any stride */
} gm_stride_summary;
gm_stride_summary gm_set_index_strides(const gm_set_index *function, uint64_t last,
                                       uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
