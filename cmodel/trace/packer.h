/* Packers: bytes into a file, plain or compressed. */
#ifndef GOLDMEM_TRACE_PACKER_H
#define GOLDMEM_TRACE_PACKER_H

#include "goldmem/trace_writer.h"

#include <lzma.h>
#include <stddef.h>
#include <zlib.h>
#include <zstd.h>

typedef struct gm_packer {
    gm_trace_packing packing;
    int file;
    char *name;           /* for messages */
    unsigned char *plain; /* not yet compressed */
    size_t used;
    unsigned char *packed;
    lzma_stream xz;
    z_stream gzip;
    ZSTD_CStream *zstd;
} gm_packer;

/* Creates `path` in the open folder `folder`; messages call the file `name`. Requires that `path`
 * does not exist, and gm_packer_discard also after a failure. Returns 0 or a negative errno value.
 */
int gm_packer_open(gm_packer *packer, int folder, const char *path, const char *name,
                   gm_trace_packing packing, gm_error *error);

enum { GM_PACKER_ROOM = 64 * 1024 }; /* largest room [bytes] */

/* Makes room for `length` bytes at *at, at most GM_PACKER_ROOM. Requires gm_packer_add with the
 * number of bytes written. Returns 0 or a negative errno value. */
int gm_packer_room(gm_packer *packer, size_t length, unsigned char **at, gm_error *error);
static inline void gm_packer_add(gm_packer *packer, size_t length)
{
    packer->used += length;
}

/* Writes any number of bytes. Returns 0 or a negative errno value. */
int gm_packer_write(gm_packer *packer, const void *bytes, size_t length, gm_error *error);

/* Writes the bytes left and closes the file. Returns 0 or a negative errno value, at the latest
 * here for a full disk. */
int gm_packer_finish(gm_packer *packer, gm_error *error);

/* Frees everything; leaves the file as it is. */
void gm_packer_discard(gm_packer *packer);

#endif
