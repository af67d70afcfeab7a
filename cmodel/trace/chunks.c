/* Chunks of a .tracez: the lines of one warp (docs/trace-format.md: binary). */
#include "trace/chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int corrupt(const gm_chunks *chunks, const char *what, gm_error *error)
{
    return gm_fail(error, -EINVAL, "%s: %s (near byte %llu)", chunks->name, what,
                   (unsigned long long)chunks->at);
}

int gm_chunks_read(gm_chunks *chunks, void *to, size_t length, uint64_t offset, gm_error *error)
{
    char *next = to;
    while (length > 0) {
        ssize_t got = pread(chunks->file, next, length, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return gm_fail_errno(error, chunks->name);
        }
        if (got == 0) {
            return gm_fail(error, -EINVAL, "%s: the file is cut short", chunks->name);
        }
        next += got;
        length -= (size_t)got;
        offset += (uint64_t)got;
        if (chunks->count != NULL) {
            atomic_fetch_add_explicit(chunks->count, (uint64_t)got, memory_order_relaxed);
        }
    }
    return 0;
}

/* Makes bytes of the frame available in the buffer. */
static int refill(gm_chunks *chunks, gm_error *error)
{
    size_t length = chunks->left < GM_CHUNKS_BUFFER ? chunks->left : GM_CHUNKS_BUFFER;
    int code = gm_chunks_read(chunks, chunks->buffer, length, chunks->at, error);
    chunks->used = 0;
    chunks->filled = code < 0 ? 0 : length;
    chunks->left -= (uint32_t)length;
    chunks->at += length;
    return code;
}

/* Reads the size of the next frame. */
static int begin_frame(gm_chunks *chunks, gm_error *error)
{
    uint32_t size = 0;
    if (chunks->end - chunks->at < sizeof size) {
        return corrupt(chunks, "a chunk lies outside the part of the file for chunks", error);
    }
    int code = gm_chunks_read(chunks, &size, sizeof size, chunks->at, error);
    chunks->at += sizeof size;
    if (code == 0 && (size == 0 || size > chunks->end - chunks->at)) {
        return corrupt(chunks, "a chunk lies outside the part of the file for chunks", error);
    }
    ZSTD_DCtx_reset(chunks->zstd, ZSTD_reset_session_only);
    chunks->chunks--;
    chunks->left = size;
    chunks->in_frame = true;
    chunks->used = chunks->filled = 0;
    return code;
}

static ptrdiff_t read_lines(gm_byte_stream *base, char *to, size_t capacity, gm_error *error)
{
    gm_chunks *chunks = (gm_chunks *)base;
    if (!chunks->in_frame) {
        if (chunks->chunks == 0) {
            return 0;
        }
        int code = begin_frame(chunks, error);
        if (code < 0) {
            return code;
        }
    }
    ZSTD_outBuffer output = {to, capacity - 1, 0}; /* room for a newline */
    while (output.pos == 0) {
        if (chunks->used == chunks->filled && chunks->left > 0) {
            int code = refill(chunks, error);
            if (code < 0) {
                return code;
            }
        }
        ZSTD_inBuffer input = {chunks->buffer, chunks->filled, chunks->used};
        size_t result = ZSTD_decompressStream(chunks->zstd, &output, &input);
        bool stuck = input.pos == chunks->used && output.pos == 0;
        chunks->used = input.pos;
        if (ZSTD_isError(result)) {
            return corrupt(chunks, "a chunk is corrupt", error);
        }
        if (result == 0) {
            if (chunks->used != chunks->filled || chunks->left != 0) {
                return corrupt(chunks, "a chunk goes on after its frame", error);
            }
            to[output.pos++] = '\n'; /* the last line of a chunk has none */
            chunks->in_frame = false;
        } else if (stuck && chunks->left == 0) {
            return corrupt(chunks, "a chunk is cut short", error);
        }
    }
    return (ptrdiff_t)output.pos;
}

/* Closes nothing: the holder of the gm_chunks frees its memory. */
static void close_nothing(gm_byte_stream *base)
{
    (void)base;
}

void gm_chunks_open(gm_chunks *chunks, const char *path, gm_byte_count *count)
{
    chunks->base = (gm_byte_stream){read_lines, close_nothing};
    chunks->file = open(path, O_RDONLY | O_CLOEXEC);
    chunks->name = strdup(path);
    chunks->count = count;
}

int gm_chunks_start(gm_chunks *chunks, uint64_t offset, uint64_t end, uint32_t largest_dictionary,
                    gm_error *error)
{
    uint32_t sizes[2]; /* of the dictionary; of a chunk in instructions */
    if (chunks->name == NULL || (chunks->zstd = ZSTD_createDStream()) == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: .tracez");
    }
    int code = gm_chunks_read(chunks, sizes, sizeof sizes, offset, error);
    if (code < 0) {
        return code;
    }
    chunks->at = offset + sizeof sizes;
    chunks->end = end;
    if (sizes[0] > end - chunks->at || sizes[0] > largest_dictionary) {
        return corrupt(chunks, "the dictionary does not fit", error);
    }
    if (sizes[0] > 0) {
        void *bytes = malloc(sizes[0]);
        if (bytes == NULL) {
            return gm_fail(error, -ENOMEM, "%s: out of memory", chunks->name);
        }
        code = gm_chunks_read(chunks, bytes, sizes[0], chunks->at, error);
        chunks->dictionary = code < 0 ? NULL : ZSTD_createDDict(bytes, sizes[0]);
        free(bytes);
        if (code < 0) {
            return code;
        }
        if (chunks->dictionary == NULL ||
            ZSTD_isError(ZSTD_DCtx_refDDict(chunks->zstd, chunks->dictionary))) {
            return corrupt(chunks, "the dictionary is corrupt", error);
        }
    }
    chunks->start = chunks->at + sizes[0];
    return 0;
}

int gm_chunks_seek(gm_chunks *chunks, uint64_t offset, uint32_t instructions, uint32_t frames,
                   gm_error *error)
{
    uint32_t header[2];
    chunks->at = offset;
    chunks->chunks = frames;
    chunks->left = 0;
    chunks->in_frame = false;
    if (offset < chunks->start || offset > chunks->end || chunks->end - offset < sizeof header) {
        return corrupt(chunks, "the index places a warp outside the part of the file for chunks",
                       error);
    }
    int code = gm_chunks_read(chunks, header, sizeof header, offset, error);
    chunks->at += sizeof header;
    if (code == 0 && (header[0] != instructions || header[1] != frames)) {
        return corrupt(chunks, "a warp's header and the index differ", error);
    }
    return code;
}

void gm_chunks_close(gm_chunks *chunks)
{
    if (chunks->file >= 0) {
        close(chunks->file);
    }
    ZSTD_freeDStream(chunks->zstd);
    ZSTD_freeDDict(chunks->dictionary);
    free(chunks->name);
}
