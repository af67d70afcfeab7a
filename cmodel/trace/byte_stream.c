/* Byte streams over files (decompressed by content) and over memory. */
#include "trace/byte_stream.h"

#include "trace/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 64 * 1024 };

typedef struct file_stream {
    gm_byte_stream base;
    int file;
    bool ended; /* the file has no more bytes */
    char *name;
    gm_byte_count *count;
    gm_codec codec;
    size_t used, filled;    /* of `buffer` */
    unsigned char buffer[]; /* [BUFFER] */
} file_stream;

static ptrdiff_t read_file(file_stream *stream, void *to, size_t capacity, gm_error *error)
{
    ssize_t got;
    do {
        got = read(stream->file, to, capacity);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return gm_fail_errno(error, stream->name);
    }
    stream->ended = got == 0;
    if (stream->count != NULL) {
        atomic_fetch_add_explicit(stream->count, (uint64_t)got, memory_order_relaxed);
    }
    return got;
}

static ptrdiff_t read_plain(gm_byte_stream *base, char *to, size_t capacity, gm_error *error)
{
    file_stream *stream = (file_stream *)base;
    size_t held = stream->filled - stream->used;
    if (held == 0) {
        return stream->ended ? 0 : read_file(stream, to, capacity, error);
    }
    size_t taken = held < capacity ? held : capacity;
    memcpy(to, stream->buffer + stream->used, taken);
    stream->used += taken;
    return (ptrdiff_t)taken;
}

static ptrdiff_t read_compressed(gm_byte_stream *base, char *to, size_t capacity, gm_error *error)
{
    file_stream *stream = (file_stream *)base;
    size_t made = 0;
    while (made == 0) {
        if (stream->used == stream->filled && !stream->ended) {
            ptrdiff_t got = read_file(stream, stream->buffer, BUFFER, error);
            if (got < 0) {
                return got;
            }
            stream->used = 0;
            stream->filled = (size_t)got;
        }
        if (stream->ended && stream->used == stream->filled && gm_codec_complete(&stream->codec)) {
            return 0;
        }
        size_t before = stream->used;
        const char *wrong = gm_codec_run(&stream->codec, stream->buffer, &stream->used,
                                         stream->filled, stream->ended, to, &made, capacity);
        if (wrong == NULL && made == 0 && stream->used == before) {
            if (stream->ended) {
                wrong =
                    gm_codec_complete(&stream->codec) ? NULL : "the compressed stream is cut short";
            } else if (stream->used < stream->filled) {
                wrong = "the compressed stream is corrupt";
            }
        }
        if (wrong != NULL) {
            return gm_fail(error, -EINVAL, "%s: %s", stream->name, wrong);
        }
    }
    return (ptrdiff_t)made;
}

static void close_file(gm_byte_stream *base)
{
    file_stream *stream = (file_stream *)base;
    gm_codec_stop(&stream->codec);
    if (stream->file >= 0) {
        close(stream->file);
    }
    free(stream->name);
    free(stream);
}

/* Opens the file and reads its first bytes, which tell how it is compressed. */
static int start_file(file_stream *stream, const char *path, gm_error *error)
{
    stream->name = strdup(path);
    if (stream->name == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    stream->file = open(path, O_RDONLY | O_CLOEXEC);
    if (stream->file < 0) {
        return gm_fail_errno(error, path);
    }
    struct stat status;
    if (fstat(stream->file, &status) != 0) {
        return gm_fail_errno(error, path);
    }
    if (S_ISDIR(status.st_mode)) {
        return gm_fail(error, -EISDIR, "%s: is a folder, not a file", path);
    }
    while (stream->filled < BUFFER && !stream->ended) { /* a pipe may give a few bytes at a time */
        ptrdiff_t got =
            read_file(stream, stream->buffer + stream->filled, BUFFER - stream->filled, error);
        if (got < 0) {
            return (int)got;
        }
        stream->filled += (size_t)got;
    }
    const char *unread = gm_codec_unread(stream->buffer, stream->filled);
    if (unread != NULL) {
        return gm_fail(error, -EINVAL, "%s: is compressed by %s; .xz, .gz and .zst are read", path,
                       unread);
    }
    gm_codec_kind kind = gm_codec_detect(stream->buffer, stream->filled);
    stream->base.read = kind == GM_CODEC_PLAIN ? read_plain : read_compressed;
    int code = gm_codec_start(&stream->codec, kind);
    return code < 0 ? gm_fail(error, code, "%s: out of memory: decompressor", path) : 0;
}

int gm_file_stream_open(gm_byte_stream **stream, const char *path, gm_byte_count *count,
                        gm_error *error)
{
    file_stream *made = malloc(sizeof *made + BUFFER);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    *made = (file_stream){.base = {.close = close_file}, .file = -1, .count = count};
    int code = start_file(made, path, error);
    if (code < 0) {
        close_file(&made->base);
        return code;
    }
    *stream = &made->base;
    return 0;
}

typedef struct memory_stream {
    gm_byte_stream base;
    const char *bytes;
    size_t left;
} memory_stream;

static ptrdiff_t read_memory(gm_byte_stream *base, char *to, size_t capacity, gm_error *error)
{
    (void)error;
    memory_stream *stream = (memory_stream *)base;
    size_t taken = stream->left < capacity ? stream->left : capacity;
    memcpy(to, stream->bytes, taken);
    stream->bytes += taken;
    stream->left -= taken;
    return (ptrdiff_t)taken;
}

static void close_memory(gm_byte_stream *base)
{
    free(base);
}

int gm_memory_stream_open(gm_byte_stream **stream, const void *bytes, size_t length,
                          gm_error *error)
{
    memory_stream *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    *made = (memory_stream){{read_memory, close_memory}, bytes, length};
    *stream = &made->base;
    return 0;
}
