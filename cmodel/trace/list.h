/* Kernel list: the commands of a kernelslist(.g), the kernel files of a folder, or one kernel file,
 * in order. */
#ifndef GOLDMEM_TRACE_LIST_H
#define GOLDMEM_TRACE_LIST_H

#include "goldmem/source.h"

typedef struct gm_list gm_list;

typedef struct gm_list_entry {
    gm_command_kind kind;
    uint64_t address; /* COPY */
    uint64_t bytes;   /* COPY */
    const char *path; /* KERNEL: valid until the next call */
} gm_list_entry;

/* Opens a list and checks every line that has a meaning and that each named file exists. Sets
 * *total to the bytes of all kernel files, 0 if unknown (a pipe). Returns 0 or a negative errno
 * value. */
int gm_list_open(gm_list **list, const char *path, uint64_t *total, gm_error *error);

/* Takes the next entry. Returns 1, 0 at the end, or a negative errno value. */
int gm_list_next(gm_list *list, gm_list_entry *entry, gm_error *error);

void gm_list_close(gm_list *list);

/* Calls `each` with the files that an input at `path` consists of: its list, if it has one, and its
 * kernel files. Ends with the first result that is not 0, and returns it; else 0, or a negative
 * errno value of a list that cannot be read. */
int gm_list_each_file(const char *path,
                      int (*each)(void *context, const char *file, gm_error *error), void *context,
                      gm_error *error);

#endif
