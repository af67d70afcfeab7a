/* A bounded window over a byte stream that always holds whole lines. */
#include "trace/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gm_input_open(gm_input *input, gm_byte_stream *stream, const char *name, gm_error *error)
{
    *input = (gm_input){.stream = stream, .line = 1};
    /* One byte more for the newline that the last line may lack. Not zeroed, since most files are
     * short. */
    input->window = malloc(GM_INPUT_WINDOW + 1 + GM_INPUT_PADDING);
    input->name = strdup(name);
    if (input->window == NULL || input->name == NULL) {
        gm_input_close(input);
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    input->cursor = input->complete = input->filled = input->window;
    return 0;
}

int gm_input_open_file(gm_input *input, const char *path, gm_byte_count *count, gm_error *error)
{
    gm_byte_stream *stream = NULL;
    int code = gm_file_stream_open(&stream, path, count, error);
    return code < 0 ? code : gm_input_open(input, stream, path, error);
}

void gm_input_close(gm_input *input)
{
    if (input->stream != NULL) {
        input->stream->close(input->stream);
    }
    free(input->window);
    free(input->name);
    *input = (gm_input){0};
}

/* Makes a stream's "NAME: reason" into "NAME:LINE: reason". */
static int name_line(const gm_input *input, gm_error *error, int code)
{
    size_t length = strlen(input->name);
    if (code != -EINVAL || error == NULL || strncmp(error->text, input->name, length) != 0 ||
        strncmp(error->text + length, ": ", 2) != 0) {
        return code;
    }
    const gm_error stream = *error;
    return gm_input_fail(input, error, code, "%s", stream.text + length + 2);
}

/* Marks the window's lines as whole up to `complete`, and makes the padding behind the last byte
 * readable. */
static int filled_to(gm_input *input, const char *complete)
{
    input->complete = complete;
    memset(input->filled, 0, GM_INPUT_PADDING);
    return 1;
}

int gm_input_fill(gm_input *input, gm_error *error)
{
    if (input->cursor < input->complete) {
        return 1;
    }
    size_t partial = (size_t)(input->filled - input->cursor);
    memmove(input->window, input->cursor, partial);
    input->cursor = input->complete = input->window;
    input->filled = input->window + partial;
    while (!input->ended) {
        if (input->filled - input->window >= GM_INPUT_LINE) {
            return gm_input_fail(input, error, -EINVAL, "a line of more than %d bytes",
                                 GM_INPUT_LINE);
        }
        size_t room = GM_INPUT_WINDOW - (size_t)(input->filled - input->window);
        ptrdiff_t got = input->stream->read(input->stream, input->filled, room, error);
        if (got < 0) {
            return name_line(input, error, (int)got);
        }
        if (got == 0) {
            input->ended = true;
            break;
        }
        const char *last = memrchr(input->filled, '\n', (size_t)got);
        input->filled += got;
        if (last != NULL) {
            return filled_to(input, last + 1);
        }
    }
    if (input->filled == input->window) {
        return 0;
    }
    *input->filled++ = '\n';
    input->cut = true;
    return filled_to(input, input->filled);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

int gm_input_peek(gm_input *input, gm_text *text, gm_error *error)
{
    for (;;) {
        int code = input->cursor < input->complete ? 1 : gm_input_fill(input, error);
        if (code <= 0) {
            return code;
        }
        gm_input_pass_blank(input);
        if (input->cursor == input->complete) {
            continue;
        }
        const char *start = input->cursor;
        const char *end = memchr(start, '\n', (size_t)(input->complete - start));
        if (end - start >= GM_INPUT_LINE) {
            return gm_input_fail(input, error, -EINVAL, "a line of more than %d bytes",
                                 GM_INPUT_LINE);
        }
        if (memchr(start, '\0', (size_t)(end - start)) != NULL) {
            return gm_input_fail(input, error, -EINVAL, "a NUL byte in the text");
        }
        while (end > start && is_blank(end[-1])) {
            end--;
        }
        while (start < end && is_blank(*start)) {
            start++;
        }
        if (start < end) {
            *text = (gm_text){start, (size_t)(end - start)};
            return 1;
        }
        gm_input_advance(input);
    }
}

void gm_input_advance(gm_input *input)
{
    const char *end = memchr(input->cursor, '\n', (size_t)(input->complete - input->cursor));
    input->cursor = end + 1;
    input->line++;
}

int gm_input_fail(const gm_input *input, gm_error *error, int code, const char *format, ...)
{
    char reason[GM_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return gm_fail(error, code, "%s:%llu: %s", input->name, (unsigned long long)input->line,
                   reason);
}
