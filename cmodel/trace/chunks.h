/* The lines of one warp of a .tracez as a byte stream: decompresses zstd frames and appends a
 * newline to each (docs/trace-format.md: binary). */
#ifndef GOLDMEM_TRACE_CHUNKS_H
#define GOLDMEM_TRACE_CHUNKS_H

#include "trace/byte_stream.h"

#include <stdbool.h>
#include <zstd.h>

enum { GM_CHUNKS_BUFFER = 64 * 1024 };

typedef struct gm_chunks {
    gm_byte_stream base;
    int file;
    char *name;
    gm_byte_count *count;
    uint64_t start, end; /* where frames can lie in the file */
    uint64_t at;         /* offset of the next bytes to read */
    uint32_t chunks;     /* frames not begun yet */
    uint32_t left;       /* bytes of the frame not read yet */
    bool in_frame;
    ZSTD_DStream *zstd;
    ZSTD_DDict *dictionary;
    size_t used, filled; /* of `buffer` */
    unsigned char buffer[GM_CHUNKS_BUFFER];
} gm_chunks;

/* Opens the file. Sets chunks->file to a negative value on failure. */
void gm_chunks_open(gm_chunks *chunks, const char *path, gm_byte_count *count);

/* Reads sizes and dictionary at `offset` [bytes]. Frames lie between the dictionary and `end`.
 * Returns 0 or a negative errno value. */
int gm_chunks_start(gm_chunks *chunks, uint64_t offset, uint64_t end, uint32_t largest_dictionary,
                    gm_error *error);

/* Reads all of to[0..length) from this offset [bytes] of the file. Returns 0 or a negative errno
 * value. */
int gm_chunks_read(gm_chunks *chunks, void *to, size_t length, uint64_t offset, gm_error *error);

/* Moves to a warp at `offset` [bytes]. Requires that the warp's header agrees with the index, else
 * -EINVAL. */
int gm_chunks_seek(gm_chunks *chunks, uint64_t offset, uint32_t instructions, uint32_t frames,
                   gm_error *error);

void gm_chunks_close(gm_chunks *chunks);

#endif
