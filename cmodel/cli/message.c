/* One line on stderr for whatever goes wrong, and the nearest name to a mistyped one. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void print_line(const char *format, va_list arguments)
{
    fflush(stdout);
    fputs("goldmem: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int gm_cli_fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return status;
}

int gm_cli_error(const gm_error *error)
{
    switch (-error->code) {
    case EINTR:
        return gm_cli_fail(GM_EXIT_INTERRUPTED, "%s", error->text);
    case EPROTO: /* a conservation law is broken */
    case EIO:
    case ENOMEM:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EPIPE:
        return gm_cli_fail(GM_EXIT_FAILED, "%s", error->text);
    default:
        return gm_cli_fail(GM_EXIT_USAGE, "%s", error->text);
    }
}

enum { LONGEST_NAME = 32 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, row by row. */
static size_t edit_distance(const char *from, const char *to)
{
    size_t row[LONGEST_NAME + 1];
    size_t length = strlen(to);
    if (length > LONGEST_NAME) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; from[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= length; j++) {
            size_t replace = diagonal + (from[i] != to[j - 1]);
            diagonal = row[j];
            row[j] = smaller(replace, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

const char *gm_cli_nearest(const char *word, const char *const *names, size_t count, size_t stride)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2; /* farther is not a slip of the keyboard */
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        size_t distance = edit_distance(word, name);
        if (distance < best_distance) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}
