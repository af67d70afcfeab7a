/* Failed assertions: what a debug build prints before it aborts. */
#include "goldmem/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void gm_assert_failed(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: %s: ", file, line, condition);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

unsigned gm_assert_count(void)
{
    static _Thread_local unsigned count;
    return ++count;
}
