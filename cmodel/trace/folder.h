/* The kernel files of a folder without a list. */
#ifndef GOLDMEM_TRACE_FOLDER_H
#define GOLDMEM_TRACE_FOLDER_H

#include "goldmem/error.h"

#include <stddef.h>

typedef struct gm_folder {
    char **names; /* in ascending kernel id */
    size_t count;
} gm_folder;

/* Lists the files named kernel-ID[-TEXT].trace[g|z][.xz|.gz|.zst]. Of several forms of one kernel,
 * prefers grouped to binary, and binary to raw. Returns 0, -ENOMEM, or -EINVAL for a folder without
 * such files. */
int gm_folder_read(gm_folder *folder, const char *path, gm_error *error);

void gm_folder_free(gm_folder *folder);

#endif
