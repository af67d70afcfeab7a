/* The kernel files of a folder without a list. */
#ifndef GM_TRACE_FOLDER_H
#define GM_TRACE_FOLDER_H

#include "goldmem/error.h"

#include <stddef.h>

typedef struct gm_folder {
    char **names; /* in ascending kernel id */
    size_t count;
} gm_folder;

/* Files called kernel-ID[-TEXT].trace[g|z][.xz|.gz|.zst]. Of several forms of one kernel, the
 * grouped one is taken before the binary and the raw one. Refuses a folder that has none. */
int gm_folder_read(gm_folder *folder, const char *path, gm_error *error);

void gm_folder_free(gm_folder *folder);

#endif
