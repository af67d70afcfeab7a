/* Error messages: one line on stderr for any failure. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>

static void print_line(const char *format, va_list arguments)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        /* Drops text that cannot be written, so that the exit prints no second message. */
        __fpurge(stdout);
        clearerr(stdout);
    }
    char text[GM_ERROR_TEXT];
    gm_error error;
    vsnprintf(text, sizeof text, format, arguments);
    gm_fail(&error, 0, "%s", text); /* gm_fail keeps the text one line */
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, error.text);
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
    case EPROTO:  /* an invariant is broken */
    case EDEADLK: /* the watchdog ended the run */
    case EBADF:   /* standard output is closed */
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
