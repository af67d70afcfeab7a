/* Grey images of image workloads: PGM files in text form (P2). */
#ifndef GOLDMEM_WORKLOAD_PGM_H
#define GOLDMEM_WORKLOAD_PGM_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gm_pgm {
    uint32_t rows, columns; /* 2 to 16384 */
    double *pixel;          /* row by row, 0 to 1 */
} gm_pgm;

/* Allocates an image. Returns 0 or -ENOMEM. */
int gm_pgm_make(gm_pgm *image, uint32_t rows, uint32_t columns, gm_error *error);

/* Reads an image. Returns 0, -ENOENT, -EIO, -EINVAL (the message names file and line) or -ENOMEM.
 */
int gm_pgm_read(gm_pgm *image, const char *path, gm_error *error);

/* Frees the image, also after a failure. */
void gm_pgm_free(gm_pgm *image);

#endif
