/* Binary kernel files of version 6. The index is read along with the warps, so that memory does not
 * grow with it. */
#include "trace/tracez.h"

#include "trace/chunks.h"
#include "trace/header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 64 * 1024, TRAILER = 8, DICTIONARY = 16 * 1024 * 1024 };

struct gm_tracez {
    gm_chunks chunks;
    uint64_t index;     /* offset of the next word of the index */
    uint64_t index_end; /* offset of the trailer */
    uint32_t blocks;    /* thread blocks left */
    gm_input input;     /* instruction lines of the warp at hand */
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static int read_index(gm_tracez *tracez, void *to, size_t length, gm_error *error)
{
    if (length > tracez->index_end - tracez->index) {
        return gm_input_fail(&tracez->input, error, -EINVAL, "the index is cut short");
    }
    int code = gm_chunks_read(&tracez->chunks, to, length, tracez->index, error);
    tracez->index += length;
    return code;
}

/* Reads header text, dictionary and the start of the index. `header`: length of the header text in
 * bytes. */
static int start(gm_tracez *tracez, const char *path, const char *text, size_t header,
                 uint64_t index, gm_kernel *kernel, gm_error *error)
{
    gm_byte_stream *stream = NULL;
    int code = gm_memory_stream_open(&stream, text, header, error);
    if (code == 0) {
        code = gm_input_open(&tracez->input, stream, path, error);
    }
    if (code == 0) {
        code = gm_header_read(&tracez->input, kernel, error);
    }
    gm_input_close(&tracez->input);
    if (code < 0) {
        return code;
    }
    code = gm_chunks_start(&tracez->chunks, header + 1, index, DICTIONARY, error);
    if (code < 0 || (code = gm_input_open(&tracez->input, &tracez->chunks.base, path, error)) < 0) {
        return code;
    }
    tracez->index = index;
    return read_index(tracez, &tracez->blocks, sizeof tracez->blocks, error);
}

/* Returns 1 for a .tracez (header text, NUL, and an index offset inside the file), 0 for another
 * file, or a negative errno value. */
static int detect(gm_tracez *tracez, const char *path, char *text, size_t *header, uint64_t *index,
                  gm_error *error)
{
    struct stat status;
    int file = tracez->chunks.file;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        return 0; /* the next attempt to open it reports why */
    }
    ssize_t got = pread(file, text, HEADER, 0);
    const char *nul = got > 0 ? memchr(text, '\0', (size_t)got) : NULL;
    if (nul == NULL || text[0] != '-') {
        return 0;
    }
    *header = (size_t)(nul - text);
    uint64_t size = (uint64_t)status.st_size;
    bool good = size >= *header + 1 + 2 * sizeof(uint32_t) + sizeof(uint32_t) + TRAILER &&
                pread(file, index, sizeof *index, (off_t)(size - TRAILER)) == TRAILER &&
                *index > *header + 2 * sizeof(uint32_t) &&
                *index <= size - TRAILER - sizeof(uint32_t);
    if (!good && !ends_with(path, ".tracez")) {
        return 0;
    }
    tracez->index_end = size - TRAILER;
    return good ? 1
                : gm_fail(
                      error, -EINVAL,
                      "%s: the last 8 bytes give no place of an index inside the file; it is cut "
                      "short or corrupt",
                      path);
}

int gm_tracez_open(gm_tracez **tracez, const char *path, gm_kernel *kernel, gm_byte_count *count,
                   gm_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return 0; /* a pipe must not be opened twice */
    }
    gm_tracez *made = calloc(1, sizeof *made);
    char *text = malloc(HEADER);
    int code = -ENOMEM;
    if (made == NULL || text == NULL) {
        free(made);
        free(text);
        return gm_fail(error, code, "%s: out of memory", path);
    }
    gm_chunks_open(&made->chunks, path, count);
    size_t header = 0;
    uint64_t index = 0;
    code = detect(made, path, text, &header, &index, error);
    if (code > 0) {
        code = start(made, path, text, header, index, kernel, error);
        code = code < 0 ? code : 1;
    }
    free(text);
    if (code <= 0) {
        gm_tracez_close(made);
        return code;
    }
    *tracez = made;
    return 1;
}

/* Reads one warp: its place from the index, its lines from the chunks. */
static int read_warp(gm_tracez *tracez, gm_line_parser *parser, const gm_cta_sink *sink,
                     gm_error *error)
{
    struct {
        uint32_t instructions;
        uint32_t chunks;
        uint64_t offset;
    } place = {0};
    int code = read_index(tracez, &place, sizeof place, error);
    if (code < 0) {
        return code;
    }
    uint64_t counts = (uint64_t)place.chunks * sizeof(uint32_t);
    if (counts > tracez->index_end - tracez->index) {
        return gm_input_fail(&tracez->input, error, -EINVAL, "the index is cut short");
    }
    tracez->index += counts; /* instructions of each chunk: not needed, the total is checked */
    code = gm_chunks_seek(&tracez->chunks, place.offset, place.instructions, place.chunks, error);
    if (code < 0) {
        return code;
    }
    tracez->input.ended = false;
    gm_text text;
    code = gm_input_peek(&tracez->input, &text, error);
    if (code >= 0) {
        code = gm_deliver_lines(&tracez->input, parser, place.instructions, sink, error);
    }
    if (code == 0 && (code = gm_input_peek(&tracez->input, &text, error)) > 0) {
        return gm_input_fail(&tracez->input, error, -EINVAL,
                             "more lines than the %u that the index gives the warp",
                             place.instructions);
    }
    return code;
}

int gm_tracez_next_cta(gm_tracez *tracez, const gm_kernel *kernel, gm_cta_order *order,
                       gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error)
{
    enum { CTA_WORDS = 11, RANK_WORD = 9, WARPS_WORD = 10 }; /* block, cluster (7), warps */
    uint32_t words[CTA_WORDS] = {0};
    if (tracez->blocks == 0) {
        return order->next_cta > 0
                   ? 0
                   : gm_input_fail(&tracez->input, error, -EINVAL, "the index has no thread block");
    }
    int code = read_index(tracez, words, sizeof words, error);
    if (code < 0) {
        return code;
    }
    uint64_t cta[3] = {words[0], words[1], words[2]};
    code = gm_cta_order_begin(order, kernel, cta, &tracez->input, error);
    if (code < 0) {
        return code;
    }
    memcpy(parser->cta, words, sizeof parser->cta);
    parser->has_clusters |= words[RANK_WORD] != 0;
    code = sink->begin_cta(sink->context, parser->cta, error);
    for (uint32_t warp = 0; code >= 0 && warp < words[WARPS_WORD]; warp++) {
        code = gm_cta_order_warp(order, kernel, warp, &tracez->input, error);
        if (code == 0) {
            parser->warp = warp;
            code = sink->begin_warp(sink->context, warp, error);
        }
        if (code >= 0) {
            code = read_warp(tracez, parser, sink, error);
        }
    }
    if (code < 0 || (code = sink->end_cta(sink->context, error)) < 0) {
        return code;
    }
    tracez->blocks--;
    return 1;
}

void gm_tracez_close(gm_tracez *tracez)
{
    if (tracez != NULL) {
        tracez->input.stream = NULL; /* the stream is a member of *tracez */
        gm_input_close(&tracez->input);
        gm_chunks_close(&tracez->chunks);
        free(tracez);
    }
}
