/* The body of a grouped kernel file (docs/trace-format.md: body). */
#include "trace/grouped.h"

#include "trace/number.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool is_line(gm_text text, const char *wanted)
{
    return text.length == strlen(wanted) && gm_text_starts(text, wanted);
}

/* Parses "KEY = a,b,c" with `count` decimal numbers and any blanks around the '='. */
static bool parse_numbers(gm_text text, const char *key, int count, uint64_t *numbers)
{
    const char *at = text.start + strlen(key);
    while (*at == ' ') {
        at++;
    }
    if (*at++ != '=') {
        return false;
    }
    while (*at == ' ') {
        at++;
    }
    for (int i = 0; i < count; i++) {
        if ((i > 0 && *at++ != ',') || !gm_scan_decimal(&at, &numbers[i])) {
            return false;
        }
    }
    return at == text.start + text.length;
}

/* Reads a line "KEY = ...". Fails with `what` if the next line is another. */
static int read_numbers(gm_input *input, const char *key, int count, uint64_t *numbers,
                        const char *what, gm_error *error)
{
    gm_text text;
    int code = gm_input_peek(input, &text, error);
    if (code == 0) {
        return gm_input_fail(input, error, -EINVAL, "the file ends where '%s' is wanted", what);
    }
    if (code < 0) {
        return code;
    }
    if (!gm_text_starts(text, key) || !parse_numbers(text, key, count, numbers)) {
        return gm_input_fail(input, error, -EINVAL, "'%.*s' where '%s' is wanted",
                             (int)(text.length < 80 ? text.length : 80), text.start, what);
    }
    return 0;
}

/* True if the window has a further line and it begins with this text. Skips empty lines. */
static inline bool is_next(gm_input *input, const char *beginning)
{
    gm_input_pass_blank(input);
    return input->cursor != input->complete &&
           memcmp(input->cursor, beginning, strlen(beginning)) == 0;
}

/* Version 6: reads the lines "cluster id", "cluster cta" and "cluster rank" after the thread block,
 * of which only the rank is kept, as whether there are clusters.
 */
static int read_cluster(gm_input *input, gm_line_parser *parser, gm_error *error)
{
    enum { RANK = 2 };
    static const struct {
        const char *key;
        int count;
        const char *what;
    } lines[] = {{"cluster id", 3, "cluster id = x,y,z"},
                 {"cluster cta", 3, "cluster cta = x,y,z"},
                 {"cluster rank", 1, "cluster rank = r"}};
    gm_text text;
    int code;
    if (is_next(input, "warp")) {
        return 0;
    }
    while ((code = gm_input_peek(input, &text, error)) > 0 && gm_text_starts(text, "cluster")) {
        unsigned k = 0;
        while (k < RANK && !gm_text_starts(text, lines[k].key)) {
            k++;
        }
        uint64_t numbers[3] = {0};
        code = read_numbers(input, lines[k].key, lines[k].count, numbers, lines[k].what, error);
        if (code < 0) {
            return code;
        }
        parser->has_clusters |= k == RANK && numbers[0] != 0;
        gm_input_advance(input);
    }
    return code < 0 ? code : 0;
}

/* Reads the number of the line at the cursor, "KEY = N" as tracers write it. Returns the start of
 * the next line, or NULL if the line has another form. */
static inline const char *plain_number(const gm_input *input, const char *key, uint64_t *number)
{
    enum { MOST = 64 }; /* bytes of such a line */
    const char *p = input->cursor;
    size_t length = strlen(key);
    if (p == input->complete || memcmp(p, key, length) != 0) {
        return NULL;
    }
    p += length;
    return gm_scan_decimal(&p, number) && *p == '\n' && p - input->cursor < MOST ? p + 1 : NULL;
}

/* Skips the line at the cursor, to `next` where that is known. */
static inline void go_past(gm_input *input, const char *next)
{
    if (next == NULL) {
        gm_input_advance(input);
        return;
    }
    input->cursor = next;
    input->line++;
}

/* Reads "warp = w" and "insts = N". */
static int read_warp_lines(gm_input *input, const gm_kernel *kernel, gm_cta_order *order,
                           uint64_t *warp, uint64_t *count, gm_error *error)
{
    const char *next = plain_number(input, "warp = ", warp);
    int code = next != NULL ? 0 : read_numbers(input, "warp", 1, warp, "warp = w", error);
    if (code < 0 || (code = gm_cta_order_warp(order, kernel, *warp, input, error)) < 0) {
        return code;
    }
    go_past(input, next);
    next = plain_number(input, "insts = ", count);
    code = next != NULL ? 0 : read_numbers(input, "insts", 1, count, "insts = N", error);
    if (code == 0) {
        go_past(input, next);
    }
    return code;
}

/* Reads "warp = w", "insts = N" and N instruction lines. Requires that "warp = w" is the next line.
 */
static int read_warp(gm_input *input, const gm_kernel *kernel, gm_cta_order *order,
                     gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error)
{
    uint64_t warp = 0;
    uint64_t count = 0;
    int code = read_warp_lines(input, kernel, order, &warp, &count, error);
    if (code < 0) {
        return code;
    }
    parser->warp = (uint32_t)warp;
    code = sink->begin_warp(sink->context, (uint32_t)warp, error);
    if (code < 0 || count == 0) {
        return code;
    }
    if (!parser->laid_out) { /* skip blank lines: the first line shows the layout */
        gm_text text;
        code = gm_input_peek(input, &text, error);
    }
    return code < 0 ? code : gm_deliver_lines(input, parser, count, sink, error);
}

/* Skips this line, which ends in a newline, and returns true if it is next. */
static inline bool pass_line(gm_input *input, const char *line)
{
    bool next = is_next(input, line);
    if (next) {
        go_past(input, input->cursor + strlen(line));
    }
    return next;
}

/* Returns 1 if a warp is next, 0 after "#END_TB", or a negative errno value. */
static int at_warp(gm_input *input, const gm_cta_order *order, gm_error *error)
{
    if (is_next(input, "warp")) {
        return 1;
    }
    if (pass_line(input, "#END_TB\n")) {
        return 0;
    }
    gm_text text;
    int code = gm_input_peek(input, &text, error);
    if (code <= 0) {
        return code < 0 ? code
                        : gm_input_fail(input, error, -EINVAL,
                                        "the file ends inside a thread block: no #END_TB");
    }
    if (is_line(text, "#END_TB")) {
        gm_input_advance(input);
        return 0;
    }
    if (!gm_text_starts(text, "warp")) {
        return gm_input_fail(input, error, -EINVAL,
                             "'%.*s'%s where 'warp = w' or '#END_TB' is wanted",
                             (int)(text.length < 80 ? text.length : 80), text.start,
                             order->next_warp > 0 ? " after the lines that 'insts' counts," : "");
    }
    return 1;
}

/* Reads a thread block from "thread block" to "#END_TB". */
static int read_cta(gm_input *input, const gm_kernel *kernel, gm_cta_order *order,
                    gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error)
{
    uint64_t cta[3] = {0};
    int code = read_numbers(input, "thread block", 3, cta, "thread block = x,y,z", error);
    if (code < 0 || (code = gm_cta_order_begin(order, kernel, cta, input, error)) < 0) {
        return code;
    }
    gm_input_advance(input);
    for (int i = 0; i < 3; i++) {
        parser->cta[i] = (uint32_t)cta[i];
    }
    code = read_cluster(input, parser, error);
    if (code < 0 || (code = sink->begin_cta(sink->context, parser->cta, error)) < 0) {
        return code;
    }
    while ((code = at_warp(input, order, error)) > 0) {
        code = read_warp(input, kernel, order, parser, sink, error);
        if (code < 0) {
            return code;
        }
    }
    if (code == 0) {
        code = sink->end_cta(sink->context, error);
    }
    return code < 0 ? code : 1;
}

int gm_grouped_next_cta(gm_input *input, const gm_kernel *kernel, gm_cta_order *order,
                        gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error)
{
    if (pass_line(input, "#BEGIN_TB\n")) {
        return read_cta(input, kernel, order, parser, sink, error);
    }
    gm_text text;
    int code = gm_input_peek(input, &text, error);
    if (code <= 0) {
        return code;
    }
    if (!is_line(text, "#BEGIN_TB")) {
        return gm_input_fail(input, error, -EINVAL, "'%.*s' where '#BEGIN_TB' is wanted",
                             (int)(text.length < 80 ? text.length : 80), text.start);
    }
    gm_input_advance(input);
    return read_cta(input, kernel, order, parser, sink, error);
}
