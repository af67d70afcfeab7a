/* Parser of instruction lines of a trace (docs/trace-format.md: instruction line, memory part). */
#ifndef GOLDMEM_TRACE_INSTRUCTION_LINE_H
#define GOLDMEM_TRACE_INSTRUCTION_LINE_H

#include "goldmem/instruction.h"
#include "goldmem/source.h"
#include "trace/line_memo.h"

enum { GM_LINE_REASON = 256 };

typedef struct gm_line_parser {
    gm_opcode_table *opcodes;
    int version;       /* of the tracer */
    bool line_numbers; /* a decimal number before the PC */
    bool has_clusters; /* of the CTAs so far, one has a rank above 0 in its cluster */
    bool laid_out;     /* `leading` is known, from the first line */
    unsigned leading;  /* other decimal numbers before it */
    uint32_t cta[3]; /* the line's required thread block, where `leading` includes block and warp */
    uint32_t warp;
    int code;                    /* negative errno value of the last failure */
    char reason[GM_LINE_REASON]; /* its text, without a location */
    uint64_t addresses[GM_ADDRESSES];
    uint8_t digits;       /* of the last address */
    gm_instruction fresh; /* of a line that missed in the memo */
    gm_line_memo memo;
} gm_line_parser;

void gm_line_parser_start(gm_line_parser *parser, const gm_kernel *kernel,
                          gm_opcode_table *opcodes);

/* Returns the count of decimal numbers before the PC, the line number left out. Derives it from the
 * first line of a file, in which dest_num, its registers and the opcode fit one count only.
 * `possible` lists the counts to try, the expected one first, and ends with a negative number; the
 * expected one is returned if none fits. */
unsigned gm_line_leading(const char *line, bool line_numbers, const int *possible);

/* Private to gm_line_next: reads a line that does not hit in the memo entry that followed the
 * previous line's entry last time. */
const char *gm_line_read(gm_line_parser *parser, const char *line,
                         const gm_instruction **instruction);

/* Reads the line that starts at `line` and ends in a newline, with GM_INPUT_PADDING readable bytes
 * after it. Returns the start of the following line, or NULL with `code` and `reason` set. The
 * instruction is valid until the next line is read. */
static inline const char *gm_line_next(gm_line_parser *parser, const char *line,
                                       const gm_instruction **instruction)
{
    gm_line_memo_entry *entry = parser->memo.last->next;
    const char *next;
    if (gm_line_memo_look_up(entry, line, &next) == GM_LINE_HIT) {
        parser->memo.last = entry;
        *instruction = &entry->instruction;
        return next;
    }
    return gm_line_read(parser, line, instruction);
}

/* As gm_line_next, with the instruction copied. */
const char *gm_line_parse(gm_line_parser *parser, const char *line, gm_instruction *instruction);

#endif
