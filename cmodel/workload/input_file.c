/* Input files of workloads. */
#include "workload/input_file.h"

#include "trace/byte_stream.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 20, LIMIT = 1 << 30 };

static int grow(gm_input_file *file, size_t *capacity, gm_error *error)
{
    if (file->length >= LIMIT) {
        gm_fail(error, -EINVAL, "%s: more than %d bytes", file->path, LIMIT);
        return -EINVAL;
    }
    char *larger = realloc(file->bytes, *capacity * 2 + STEP + 1);
    if (larger == NULL) {
        gm_fail(error, -ENOMEM, "%s: out of memory", file->path);
        return -ENOMEM;
    }
    *capacity = *capacity * 2 + STEP;
    file->bytes = larger;
    return 0;
}

int gm_input_file_load(gm_input_file *file, const char *path, gm_error *error)
{
    *file = (gm_input_file){.path = path, .line = 1};
    gm_byte_stream *stream = NULL;
    int code = gm_file_stream_open(&stream, path, NULL, error);
    if (code < 0) {
        return code;
    }
    size_t capacity = 0;
    code = grow(file, &capacity, error);
    ptrdiff_t got = 1;
    while (code == 0 && got > 0) {
        if (capacity - file->length < STEP / 2 && (code = grow(file, &capacity, error)) < 0) {
            break;
        }
        got = stream->read(stream, file->bytes + file->length, capacity - file->length, error);
        file->length += got > 0 ? (size_t)got : 0;
        code = got < 0 ? (int)got : 0;
    }
    stream->close(stream);
    if (code < 0) {
        gm_input_file_free(file);
        return code;
    }
    file->bytes[file->length] = '\0';
    return 0;
}

void gm_input_file_free(gm_input_file *file)
{
    free(file->bytes);
    file->bytes = NULL;
}

int gm_input_file_fail(const gm_input_file *file, gm_error *error, const char *format, ...)
{
    char reason[GM_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return gm_fail(error, -EINVAL, "%s:%llu: %s", file->path, (unsigned long long)file->line,
                   reason);
}

static void skip_blanks(gm_input_file *file)
{
    while (file->at < file->length && strchr(" \t\r\n", file->bytes[file->at]) != NULL) {
        file->line += file->bytes[file->at] == '\n';
        file->at++;
    }
}

bool gm_input_file_ended(gm_input_file *file)
{
    skip_blanks(file);
    return file->at == file->length;
}

bool gm_input_file_line_ended(gm_input_file *file)
{
    file->at += strspn(file->bytes + file->at, " \t\r");
    return file->at == file->length || file->bytes[file->at] == '\n';
}

/* Returns -EINVAL unless the next token ends in white space. */
static int expect_end(gm_input_file *file, const char *end, const char *what, gm_error *error)
{
    const char *start = file->bytes + file->at;
    if (end == start || strchr(" \t\r\n", *end) == NULL || errno != 0) {
        return gm_input_file_fail(file, error, "%s: '%.*s' is not a number in range", what,
                                  (int)strcspn(start, " \t\r\n"), start);
    }
    file->at = (size_t)(end - file->bytes);
    return 0;
}

int gm_input_file_integer(gm_input_file *file, const char *what, int64_t low, int64_t high,
                          int64_t *value, gm_error *error)
{
    if (gm_input_file_ended(file)) {
        return gm_input_file_fail(file, error, "%s is missing: the file ends", what);
    }
    char *end = NULL;
    errno = 0;
    *value = strtoll(file->bytes + file->at, &end, 10);
    int code = expect_end(file, end, what, error);
    if (code == 0 && (*value < low || *value > high)) {
        return gm_input_file_fail(file, error, "%s: %lld is not in %lld..%lld", what,
                                  (long long)*value, (long long)low, (long long)high);
    }
    return code;
}

int gm_input_file_real(gm_input_file *file, const char *what, double *value, gm_error *error)
{
    if (gm_input_file_ended(file)) {
        return gm_input_file_fail(file, error, "%s is missing: the file ends", what);
    }
    char *end = NULL;
    errno = 0;
    *value = strtod(file->bytes + file->at, &end);
    errno = isfinite(*value) ? 0 : ERANGE; /* a number too small for a double is 0 */
    return expect_end(file, end, what, error);
}

void gm_input_file_word(gm_input_file *file)
{
    skip_blanks(file);
    file->at += strcspn(file->bytes + file->at, " \t\r\n");
}

char *gm_input_file_line(gm_input_file *file)
{
    char *start = file->bytes + file->at;
    size_t length = strcspn(start, "\n");
    file->at += length;
    if (file->at < file->length) {
        start[length] = '\0';
        file->at++;
        file->line++;
    }
    return start;
}

int gm_input_file_bytes(gm_input_file *file, const char *what, void *into, size_t bytes,
                        gm_error *error)
{
    if (bytes > file->length - file->at) {
        return gm_fail(error, -EINVAL, "%s: %s: %zu bytes are missing at the end", file->path, what,
                       bytes - (file->length - file->at));
    }
    memcpy(into, file->bytes + file->at, bytes);
    file->at += bytes;
    return 0;
}

int gm_input_file_floats(const char *path, float *number, size_t count, gm_error *error)
{
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    for (size_t i = 0; code == 0 && i < count; i++) {
        double value = 0.0;
        if (gm_input_file_ended(&file)) {
            code =
                gm_input_file_fail(&file, error, "%zu numbers, where %zu are expected", i, count);
        } else {
            code = gm_input_file_real(&file, "number", &value, error);
            number[i] = (float)value;
        }
    }
    if (code == 0 && !gm_input_file_ended(&file)) {
        code = gm_input_file_fail(&file, error, "more than the %zu numbers expected", count);
    }
    gm_input_file_free(&file);
    return code;
}
