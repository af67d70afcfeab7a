/* Errors: a library function returns 0 (or a count) when it succeeds and a negative errno value
 * when it fails, and leaves one line in the gm_error that names what is wrong. Nothing in the
 * library prints, exits or aborts. */
#ifndef GOLDMEM_ERROR_H
#define GOLDMEM_ERROR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GM_ERROR_TEXT 512

typedef struct gm_error {
    int code;                 /* 0, or the negative errno value that was returned */
    char text[GM_ERROR_TEXT]; /* one line, no newline; "FILE:LINE: reason" for input files */
} gm_error;

/* Writes the message and returns `code` (negative errno: -EINVAL bad input or parameter, -ENOMEM,
 * -EIO, -ENOSPC, -ENOENT, ...). `error` may be NULL. Control characters in the text become '?'. */
int gm_fail(gm_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes "what: strerror" for the errno value of the last system call. Returns -errno. */
int gm_fail_errno(gm_error *error, const char *what);

#ifdef __cplusplus
}
#endif

#endif
