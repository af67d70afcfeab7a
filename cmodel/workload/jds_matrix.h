/* Sparse matrices in jagged diagonal form (JDS), as Parboil's spmv has them: the rows sorted by
 * length, longest first; entry k of all rows lies side by side, so that the lanes of a warp read it
 * coalesced. Groups of 32 rows are padded to the longest of the group, with value 0 and column 0.
 */
#ifndef GOLDMEM_WORKLOAD_JDS_MATRIX_H
#define GOLDMEM_WORKLOAD_JDS_MATRIX_H

#include "workload/sparse_matrix.h"

enum { GM_JDS_GROUP = 32 };

typedef struct gm_jds_matrix {
    uint32_t rows;    /* a multiple of GM_JDS_GROUP */
    uint32_t columns; /* of x */
    uint32_t results; /* of y: every element of place[] is below */
    uint32_t diagonals;
    uint32_t entries;
    int32_t *start;  /* of each diagonal, and the end */
    int32_t *place;  /* element of y that a sorted row gives, a permutation of 0..results - 1 */
    int32_t *length; /* of each group's rows */
    int32_t *column; /* of each entry */
    float *value;    /* of each entry */
} gm_jds_matrix;

/* Converts a matrix. Returns 0, -EINVAL (more than 2^28 entries with the padding) or -ENOMEM. */
int gm_jds_matrix_convert(gm_jds_matrix *jds, const gm_sparse_matrix *matrix, gm_error *error);

/* Reads a file of Parboil's spmv (.mtx.bin): a line "entries starts groups rows 32", then as
 * little-endian words the values, columns, starts, places and lengths. Returns 0, -ENOENT, -EIO,
 * -EINVAL (the message names file, field and value) or -ENOMEM. */
int gm_jds_matrix_read(gm_jds_matrix *jds, const char *path, gm_error *error);

/* Frees the matrix, also after a failure. */
void gm_jds_matrix_free(gm_jds_matrix *jds);

#endif
