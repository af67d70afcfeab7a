/* Raw kernel files: lines of all warps interleaved, with their CTA and warp in front, and two lines
 * for an LDGSTS (docs/trace-format.md: instruction line). */
#include "trace/raw.h"

#include "trace/line_sort.h"
#include "trace/number.h"
#include "trace/opcode.h"
#include "trace/token.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX = 4, CLUSTER_PREFIX = 11, RANK = 10 }; /* decimal numbers; the latter in version 6 */

struct gm_raw {
    gm_input *input;
    const gm_kernel *kernel;
    gm_line_sort *sort;
    unsigned prefix;     /* PREFIX or CLUSTER_PREFIX */
    unsigned leading;    /* decimal numbers after it */
    gm_sorted_line line; /* the next one, once `started` */
    bool started, ended;
    bool has_clusters; /* a line has a rank above 0 in its cluster */
};

/* Reads the prefix of the line at the cursor and moves *at past it. */
static int parse_prefix(gm_raw *raw, const char **at, gm_sorted_line *line, gm_error *error)
{
    static const char *const names[] = {"thread block x", "thread block y", "thread block z",
                                        "warp"};
    const gm_kernel *kernel = raw->kernel;
    uint64_t numbers[CLUSTER_PREFIX] = {0};
    const char *p = *at;
    for (unsigned i = 0; i < raw->prefix; i++) {
        const char *start = p;
        if (!gm_scan_decimal(&p, &numbers[i]) || !gm_next_token(&p)) {
            int length = 0;
            while (length < 60 && start[length] != '\n' && !gm_is_blank(start[length])) {
                length++;
            }
            return gm_input_fail(raw->input, error, -EINVAL, "%s: '%.*s' is not a decimal number",
                                 i < PREFIX ? names[i] : "cluster", length, start);
        }
    }
    uint64_t warps = gm_kernel_warps(kernel);
    for (unsigned i = 0; i < PREFIX; i++) {
        uint64_t bound = i < 3 ? kernel->grid[i] : warps;
        if (numbers[i] >= bound) {
            return gm_input_fail(raw->input, error, -EINVAL,
                                 "%s: %llu is outside the %s: 0 to %llu", names[i],
                                 (unsigned long long)numbers[i], i < 3 ? "grid" : "thread block",
                                 (unsigned long long)bound - 1);
        }
    }
    line->cta = (numbers[2] * kernel->grid[1] + numbers[1]) * kernel->grid[0] + numbers[0];
    line->warp = (uint32_t)numbers[3];
    raw->has_clusters |= numbers[RANK] != 0;
    *at = p;
    return 0;
}

static int add_line(gm_raw *raw, const char *start, gm_error *error)
{
    gm_input *input = raw->input;
    gm_sorted_line line = {.number = input->line, .text = start};
    int code = parse_prefix(raw, &line.text, &line, error);
    if (code < 0) {
        return code;
    }
    const char *end = memchr(line.text, '\n', (size_t)(input->complete - line.text));
    line.length = (uint32_t)(end + 1 - line.text);
    return gm_line_sort_add(raw->sort, &line, error);
}

static int read_body(gm_raw *raw, gm_error *error)
{
    static const int before_6[] = {PREFIX, PREFIX + 2, -1};
    static const int since_6[] = {CLUSTER_PREFIX, CLUSTER_PREFIX + 2, PREFIX, PREFIX + 2, -1};
    gm_input *input = raw->input;
    gm_text text;
    int code;
    while ((code = gm_input_peek(input, &text, error)) > 0) {
        if (raw->prefix == 0) {
            unsigned count = gm_line_leading(text.start, raw->kernel->has_line_numbers,
                                             raw->kernel->version < 6 ? before_6 : since_6);
            raw->prefix = count >= CLUSTER_PREFIX ? CLUSTER_PREFIX : PREFIX;
            raw->leading = count - raw->prefix;
        }
        code = add_line(raw, text.start, error);
        if (code < 0) {
            return code;
        }
        gm_input_advance(input);
    }
    return code < 0 ? code : gm_line_sort_finish(raw->sort, error);
}

int gm_raw_open(gm_raw **raw, gm_input *input, const gm_kernel *kernel, size_t memory,
                gm_error *error)
{
    gm_raw *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", input->name);
    }
    made->input = input;
    made->kernel = kernel;
    int code = gm_line_sort_open(&made->sort, memory, error);
    if (code < 0 || (code = read_body(made, error)) < 0) {
        gm_raw_close(made);
        return code;
    }
    *raw = made;
    return 0;
}

static int next_line(gm_raw *raw, gm_error *error)
{
    int code = gm_line_sort_next(raw->sort, &raw->line, error);
    raw->ended = code == 0;
    return code;
}

/* Delivers the lines of one warp. Drops the first of an LDGSTS's two lines, the one with the
 * destination in shared memory. */
static int deliver_warp(gm_raw *raw, gm_line_parser *parser, const gm_cta_sink *sink,
                        gm_error *error)
{
    uint64_t cta = raw->line.cta;
    uint32_t warp = raw->line.warp;
    bool second_half = false;
    gm_instruction instruction = {.pc = 0};
    int code = sink->begin_warp(sink->context, warp, error);
    while (code >= 0 && !raw->ended && raw->line.cta == cta && raw->line.warp == warp) {
        if (gm_line_parse(parser, raw->line.text, &instruction) == NULL) {
            return gm_fail(error, parser->code, "%s:%llu: %s", raw->input->name,
                           (unsigned long long)raw->line.number, parser->reason);
        }
        if (gm_opcode_entry_of(parser->opcodes, instruction.opcode)->is_copy_to_shared) {
            second_half = !second_half;
            if (second_half) {
                code = next_line(raw, error);
                continue;
            }
        }
        code = sink->instruction(sink->context, &instruction, error);
        if (code >= 0) {
            code = next_line(raw, error);
        }
    }
    return code < 0 ? code : 0;
}

int gm_raw_next_cta(gm_raw *raw, gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error)
{
    int code = 0;
    if (!raw->started) {
        raw->started = true;
        parser->laid_out = true;
        parser->leading = raw->leading;
        parser->has_clusters = raw->has_clusters;
        code = next_line(raw, error);
    }
    if (code < 0 || raw->ended) {
        return code < 0 ? code : 0;
    }
    uint64_t linear = raw->line.cta;
    const uint32_t *grid = raw->kernel->grid;
    uint32_t cta[3] = {(uint32_t)(linear % grid[0]), (uint32_t)(linear / grid[0] % grid[1]),
                       (uint32_t)(linear / grid[0] / grid[1])};
    code = sink->begin_cta(sink->context, cta, error);
    while (code >= 0 && !raw->ended && raw->line.cta == linear) {
        code = deliver_warp(raw, parser, sink, error);
    }
    if (code < 0 || (code = sink->end_cta(sink->context, error)) < 0) {
        return code;
    }
    return 1;
}

void gm_raw_close(gm_raw *raw)
{
    if (raw != NULL) {
        gm_line_sort_close(raw->sort);
        free(raw);
    }
}
