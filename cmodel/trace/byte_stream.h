/* Byte streams: the bytes of a file, decompressed where its first bytes say .xz, .gz or .zst. */
#ifndef GOLDMEM_TRACE_BYTE_STREAM_H
#define GOLDMEM_TRACE_BYTE_STREAM_H

#include "goldmem/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A source of bytes for gm_input. `read` returns 1 to capacity bytes, 0 at the end, or a negative
 * errno value whose message starts with `name`. */
typedef struct gm_byte_stream gm_byte_stream;
struct gm_byte_stream {
    ptrdiff_t (*read)(gm_byte_stream *stream, char *to, size_t capacity, gm_error *error);
    void (*close)(gm_byte_stream *stream);
};

typedef _Atomic uint64_t gm_byte_count;

/* Opens a regular file or a pipe. Adds the bytes read from it, before decompression, to `count`
 * (may be NULL). Errors name the file: -ENOENT, -EISDIR, -EIO, -EINVAL. */
int gm_file_stream_open(gm_byte_stream **stream, const char *path, gm_byte_count *count,
                        gm_error *error);

/* A stream over memory, which must stay valid. */
int gm_memory_stream_open(gm_byte_stream **stream, const void *bytes, size_t length,
                          gm_error *error);

#endif
