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

/* Creates `path`, which must not exist yet, in the folder that `folder` is open on; `name` stands
 * for it in messages. gm_packer_discard is needed also after a failure. */
int gm_packer_open(gm_packer *packer, int folder, const char *path, const char *name,
                   gm_trace_packing packing, gm_error *error);

enum { GM_PACKER_ROOM = 64 * 1024 }; /* largest room [bytes] */

/* Room for `length` bytes at *at; gm_packer_add then tells how many of them were written. */
int gm_packer_room(gm_packer *packer, size_t length, unsigned char **at, gm_error *error);
static inline void gm_packer_add(gm_packer *packer, size_t length)
{
    packer->used += length;
}

/* Writes bytes, any number. */
int gm_packer_write(gm_packer *packer, const void *bytes, size_t length, gm_error *error);

/* Writes all that is left and closes the file: a full disk shows here at the latest. */
int gm_packer_finish(gm_packer *packer, gm_error *error);

/* Frees everything; the file stays as it is. */
void gm_packer_discard(gm_packer *packer);

#endif
