/* New folders: filled under a temporary name beside the target and renamed when complete. */
#ifndef GOLDMEM_TRACE_NEW_FOLDER_H
#define GOLDMEM_TRACE_NEW_FOLDER_H

#include "goldmem/error.h"

typedef struct gm_new_folder {
    char *path; /* final name */
    char *temporary;
    int descriptor; /* create files relative to it */
} gm_new_folder;

/* Makes the temporary folder. Returns 0, -EEXIST if `path` exists, or another negative errno value.
 */
int gm_new_folder_open(gm_new_folder *folder, const char *path, gm_error *error);

/* Gives the folder its name; on failure removes it with its files. Returns 0 or a negative errno
 * value. */
int gm_new_folder_commit(gm_new_folder *folder, gm_error *error);

/* Removes the folder and the files in it. */
void gm_new_folder_discard(gm_new_folder *folder);

#endif
