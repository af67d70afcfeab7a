/* Slot file: an unlinked temporary file of equal slots, in $TMPDIR or /tmp, for data that do not
 * fit in memory. Created with the first slot, truncated when it is empty and long. */
#ifndef GOLDMEM_BASE_SLOT_FILE_H
#define GOLDMEM_BASE_SLOT_FILE_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

enum { GM_SLOT = 4096 }; /* bytes */

typedef struct gm_slot_file {
    int file;       /* -1: not made yet */
    uint64_t slots; /* length of the file */
    uint64_t *free_slots;
    size_t free_count, free_capacity;
} gm_slot_file;

#define GM_SLOT_FILE_NONE ((gm_slot_file){.file = -1})

/* Takes a slot; gives one back. Require one thread at a time. take returns 0, -ENOMEM, or the errno
 * value with which the file could not be made. */
int gm_slot_file_take(gm_slot_file *file, uint64_t *slot, gm_error *error);
void gm_slot_file_give(gm_slot_file *file, uint64_t slot);

/* Write or read the first `bytes` of a slot; any number of threads, each with slots of its own.
 * Return 0, -ENOSPC (disk full), -EFBIG (limit on file sizes) or -EIO. */
int gm_slot_file_write(const gm_slot_file *file, uint64_t slot, const unsigned char *data,
                       size_t bytes, gm_error *error);
int gm_slot_file_read(const gm_slot_file *file, uint64_t slot, unsigned char *data, size_t bytes,
                      gm_error *error);

void gm_slot_file_close(gm_slot_file *file);

#endif
