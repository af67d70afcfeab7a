/* Errors: writes messages of one printable line. */
#include "goldmem/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Makes a message one printable line, since it may contain input text. */
static void keep_printable(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
        }
    }
}

int gm_fail(gm_error *error, int code, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        keep_printable(error->text);
        error->code = code;
    }
    return code;
}

int gm_fail_errno(gm_error *error, const char *what)
{
    int code = errno != 0 ? -errno : -EIO;
    char reason[128];
    return gm_fail(error, code, "%s: %s", what, strerror_r(-code, reason, sizeof reason));
}
