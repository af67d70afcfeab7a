/* Lines of a text: a bounded window over a byte stream that always holds whole lines, so that a
 * parser needs no bounds: each line ends in a newline inside the window, the last one too. */
#ifndef GOLDMEM_TRACE_INPUT_H
#define GOLDMEM_TRACE_INPUT_H

#include "goldmem/error.h"
#include "trace/byte_stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    GM_INPUT_LINE = 64 * 1024,    /* bytes of a line, at most, with its newline */
    GM_INPUT_WINDOW = 256 * 1024, /* bytes held at a time: stays in a second-level cache */
    GM_INPUT_PADDING = 64,        /* readable bytes after any line */
};

typedef struct gm_input {
    const char *cursor;   /* start of the next line */
    const char *complete; /* end of the last whole line in the window */
    uint64_t line;        /* number of the line at `cursor`, from 1 */
    char *window;
    char *filled; /* end of the bytes in the window */
    bool ended;   /* the stream has no more bytes */
    bool cut;     /* the last line had no newline of its own */
    gm_byte_stream *stream;
    char *name; /* for messages */
} gm_input;

/* Takes over the stream, also on failure. Returns 0 or a negative errno value. */
int gm_input_open(gm_input *input, gm_byte_stream *stream, const char *name, gm_error *error);

/* Opens a file, decompressed by content; see gm_file_stream_open. */
int gm_input_open_file(gm_input *input, const char *path, gm_byte_count *count, gm_error *error);

void gm_input_close(gm_input *input);

/* Makes cursor < complete. Returns 1; 0 at the end of the text; a negative errno value for bad
 * input. */
int gm_input_fill(gm_input *input, gm_error *error);

/* A line without its newline and trailing blanks, valid until the next call. */
typedef struct gm_text {
    const char *start;
    size_t length;
} gm_text;

/* Finds the next line that is not blank and leaves the cursor at its start. Returns 1, 0 at the
 * end, or a negative errno value. */
int gm_input_peek(gm_input *input, gm_text *text, gm_error *error);

/* Skips the empty lines in the window. */
static inline void gm_input_pass_blank(gm_input *input)
{
    while (input->cursor != input->complete && *input->cursor == '\n') {
        input->cursor++;
        input->line++;
    }
}

/* Moves the cursor to the next line. */
void gm_input_advance(gm_input *input);

/* Sets the error "NAME:LINE: reason" with the line at the cursor. Returns `code`. */
int gm_input_fail(const gm_input *input, gm_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline bool gm_text_starts(gm_text text, const char *prefix)
{
    size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.start, prefix, length) == 0;
}

#endif
