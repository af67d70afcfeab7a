/* Line errors: the message that says why an instruction line is refused, with field, token and what
 * is expected. */
#ifndef GOLDMEM_TRACE_LINE_ERROR_H
#define GOLDMEM_TRACE_LINE_ERROR_H

#include "trace/instruction_line.h"

/* Sets the parser's reason, "FIELD: 'TOKEN' is not WANTED", for the token at or around `at`, and
 * its code, -EINVAL. Returns NULL. */
const char *gm_line_bad(gm_line_parser *parser, const char *line, const char *at, const char *field,
                        const char *wanted);

#endif
