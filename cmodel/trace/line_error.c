/* Line errors: the message that says why an instruction line is refused. */
#include "trace/line_error.h"

#include "trace/token.h"

#include <errno.h>
#include <stdio.h>

const char *gm_line_bad(gm_line_parser *parser, const char *line, const char *at, const char *field,
                        const char *wanted)
{
    while (*at != '\n' && at > line && !gm_is_blank(at[-1])) { /* at a newline the token is empty */
        at--;
    }
    int length = 0;
    while (length < 60 && at[length] != '\n' && !gm_is_blank(at[length])) {
        length++;
    }
    parser->code = -EINVAL;
    if (length == 0) {
        snprintf(parser->reason, sizeof parser->reason, "%s: missing; %s is wanted", field, wanted);
    } else {
        snprintf(parser->reason, sizeof parser->reason, "%s: '%.*s' is not %s", field, length, at,
                 wanted);
    }
    return NULL;
}
