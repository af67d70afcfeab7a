/* Output files: they get their name when they are complete, so that a failed run leaves nothing
 * that looks whole. Until then the file has no name and goes with the process however that ends,
 * or, where the file system knows no such files (O_TMPFILE), a temporary name beside the target,
 * which stays behind when the process is killed. "-" is standard output. */
#ifndef GOLDMEM_OUTPUT_H
#define GOLDMEM_OUTPUT_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_output {
    FILE *file;      /* write here */
    char *path;      /* final name; NULL for standard output */
    char *temporary; /* NULL: written in place, or nameless so far */
    bool nameless;
} gm_output;

/* Opens. Returns 0 or a negative errno value. */
int gm_output_open(gm_output *output, const char *path, gm_error *error);

/* Can it be opened? Leaves what is there as it is. Returns as gm_output_open does. */
int gm_output_check(const char *path, gm_error *error);

/* Flushes, checks every earlier write (a full disk shows here) and renames. On failure the
 * temporary file is removed. */
int gm_output_commit(gm_output *output, gm_error *error);

/* Closes and removes the temporary file; nothing after a commit. */
void gm_output_discard(gm_output *output);

#ifdef __cplusplus
}
#endif

#endif
