/* A temporary file of equal slots. */
#include "base/slot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SLOTS_KEPT = 256 }; /* the file is cut when empty and longer than this */

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

static int fail_file(gm_error *error)
{
    char what[256];
    snprintf(what, sizeof what, "%s: temporary file for instructions", temporary_folder());
    return gm_fail_errno(error, what);
}

/* Makes the unlinked file, also on a file system without O_TMPFILE. */
static int make_file(gm_slot_file *file, gm_error *error)
{
    if (file->file >= 0) {
        return 0;
    }
    const char *folder = temporary_folder();
    file->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file->file >= 0) {
        return 0;
    }
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/goldmem-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return fail_file(error);
    }
    file->file = mkostemp(path, O_CLOEXEC);
    if (file->file < 0) {
        return fail_file(error);
    }
    unlink(path);
    return 0;
}

int gm_slot_file_take(gm_slot_file *file, uint64_t *slot, gm_error *error)
{
    int code = make_file(file, error);
    if (code < 0) {
        return code;
    }
    if (file->free_count > 0) {
        *slot = file->free_slots[--file->free_count];
        return 0;
    }
    if (file->slots >= file->free_capacity) { /* room for every slot to become free */
        size_t capacity = file->free_capacity * 2 + 64;
        uint64_t *larger = realloc(file->free_slots, capacity * sizeof *larger);
        if (larger == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: warp store");
        }
        file->free_slots = larger;
        file->free_capacity = capacity;
    }
    *slot = file->slots++;
    return 0;
}

void gm_slot_file_give(gm_slot_file *file, uint64_t slot)
{
    file->free_slots[file->free_count++] = slot;
    if (file->free_count == file->slots && file->slots > SLOTS_KEPT &&
        ftruncate(file->file, 0) == 0) {
        file->slots = 0;
        file->free_count = 0;
    }
}

int gm_slot_file_write(const gm_slot_file *file, uint64_t slot, const unsigned char *data,
                       size_t bytes, gm_error *error)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t wrote =
            pwrite(file->file, data + done, bytes - done, (off_t)(slot * GM_SLOT + done));
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            errno = wrote == 0 ? ENOSPC : errno;
            return fail_file(error);
        }
    }
    return 0;
}

int gm_slot_file_read(const gm_slot_file *file, uint64_t slot, unsigned char *data, size_t bytes,
                      gm_error *error)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file->file, data + done, bytes - done, (off_t)(slot * GM_SLOT + done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            errno = got == 0 ? EIO : errno;
            return fail_file(error);
        }
    }
    return 0;
}

void gm_slot_file_close(gm_slot_file *file)
{
    if (file->file >= 0) {
        close(file->file);
    }
    free(file->free_slots);
}
