/* Text inputs of workloads. */
#include "workload/input_text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One number of a line, or why not. Moves *text behind it. */
static int read_float(const char *path, size_t line, const char **text, float *number,
                      gm_error *error)
{
    char *end = NULL;
    *number = strtof(*text, &end);
    if (end == *text || (*end != '\0' && !isspace((unsigned char)*end)) || !isfinite(*number)) {
        size_t length = strcspn(*text, " \t\r\n\v\f");
        return gm_fail(error, -EINVAL, "%s:%zu: '%.*s' is not a number", path, line,
                       (int)(length < 20 ? length : 20), *text);
    }
    *text = end;
    return 0;
}

static int read_lines(FILE *file, const char *path, char **line, float *number, size_t count,
                      gm_error *error)
{
    size_t found = 0;
    size_t lines = 0;
    size_t capacity = 0;
    while (getline(line, &capacity, file) >= 0) {
        const char *text = *line;
        lines++;
        for (;;) {
            while (isspace((unsigned char)*text)) {
                text++;
            }
            if (*text == '\0') {
                break;
            }
            if (found == count) {
                return gm_fail(error, -EINVAL, "%s:%zu: more than the %zu numbers expected", path,
                               lines, count);
            }
            int result = read_float(path, lines, &text, &number[found++], error);
            if (result < 0) {
                return result;
            }
        }
    }
    if (ferror(file) != 0) {
        return gm_fail_errno(error, path);
    }
    if (found < count) {
        return gm_fail(error, -EINVAL, "%s:%zu: %zu numbers, where %zu are expected", path, lines,
                       found, count);
    }
    return 0;
}

int gm_input_floats(const char *path, float *number, size_t count, gm_error *error)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return gm_fail_errno(error, path);
    }
    char *line = NULL;
    int result = read_lines(file, path, &line, number, count, error);
    free(line);
    fclose(file);
    return result;
}
