/* Output files: a file gets its name when it is complete, so that a failed run leaves no file that
 * looks complete. Until then the file has no name (O_TMPFILE) and vanishes when the process ends.
 * On a file system without such files it has a temporary name beside the target, which remains when
 * the process is killed. "-" is standard output. A symbolic link stays: its target is the file.
 * What is no regular file, and a descriptor's name (/dev/stdout, /dev/fd/3), is written in place.
 */
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
    char *temporary; /* NULL: written in place, or no name yet */
    bool nameless;
} gm_output;

/* Opens the file. Returns 0 or a negative errno value. */
int gm_output_open(gm_output *output, const char *path, gm_error *error);

/* Checks that the file can be opened; does not change it. Returns as gm_output_open. */
int gm_output_check(const char *path, gm_error *error);

/* Flushes, checks every earlier write (reports a full disk) and gives the file its name. On failure
 * the temporary file is removed. Returns 0 or a negative errno value. */
int gm_output_commit(gm_output *output, gm_error *error);

/* Closes the file and removes the temporary one; does nothing after a commit. */
void gm_output_discard(gm_output *output);

#ifdef __cplusplus
}
#endif

#endif
