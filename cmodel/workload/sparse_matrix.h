/* Sparse matrices of the workloads, rows in compressed form (CSR): random ones, and MatrixMarket
 * files. They lie on the host; a workload copies what it needs into its arrays. */
#ifndef GOLDMEM_WORKLOAD_SPARSE_MATRIX_H
#define GOLDMEM_WORKLOAD_SPARSE_MATRIX_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gm_sparse_matrix {
    uint32_t rows, columns;
    int32_t *row;    /* first entry of each row, and the end */
    int32_t *column; /* of each entry, from 0 */
    float *value;    /* of each entry */
} gm_sparse_matrix;

/* Makes a random square matrix with rows of 0 to 2 * nonzeros entries. Returns 0 or -ENOMEM. */
int gm_sparse_matrix_make(gm_sparse_matrix *matrix, uint32_t rows, uint64_t nonzeros, uint64_t seed,
                          gm_error *error);

/* Reads a MatrixMarket coordinate file of real, integer or pattern entries, general or symmetric.
 * Returns 0, -ENOENT, -EIO, -EINVAL (the message names file and line) or -ENOMEM. */
int gm_sparse_matrix_read(gm_sparse_matrix *matrix, const char *path, gm_error *error);

static inline size_t gm_sparse_matrix_entries(const gm_sparse_matrix *matrix)
{
    return (size_t)matrix->row[matrix->rows];
}

/* Frees the matrix, also after a failure. */
void gm_sparse_matrix_free(gm_sparse_matrix *matrix);

#endif
