/* Parser of instruction lines: one pass without bounds checks and copies, since the window
 * guarantees a newline, which no token contains. Takes a line that was read before from the memo
 * (line_memo.h). */
#include "trace/instruction_line.h"

#include "goldmem/bits.h"
#include "trace/line_error.h"
#include "trace/memory_part.h"
#include "trace/number.h"
#include "trace/opcode.h"
#include "trace/token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void gm_line_parser_start(gm_line_parser *parser, const gm_kernel *kernel, gm_opcode_table *opcodes)
{
    parser->opcodes = opcodes;
    parser->version = kernel->version;
    parser->line_numbers = kernel->has_line_numbers;
    parser->laid_out = false;
    parser->leading = 0;
    gm_line_memo_start(&parser->memo);
    parser->digits = 1;
}

static void lay_out(gm_line_parser *parser, const char *line)
{
    /* thread block and warp: kept by the post-processor before version 3; 2: SM and its warp slot
     */
    static const int before_3[] = {4, 6, 0, 2, -1};
    static const int since_3[] = {0, 2, 4, 6, -1};
    parser->leading =
        gm_line_leading(line, parser->line_numbers, parser->version < 3 ? before_3 : since_3);
    parser->laid_out = true;
}

/* Parses the decimal numbers before the PC. Returns the start of the PC. */
static const char *parse_leading(gm_line_parser *parser, const char *line, const char *p,
                                 uint32_t *source_line)
{
    static const char *const names[] = {"thread block x", "thread block y", "thread block z",
                                        "warp"};
    for (unsigned i = 0; i < parser->leading; i++) {
        uint64_t value = 0;
        if (!gm_scan_decimal(&p, &value) || !gm_next_token(&p)) {
            return gm_line_bad(parser, line, p,
                               parser->leading >= 4 && i < 4 ? names[i] : "SM or warp slot",
                               "a decimal number");
        }
        if (parser->leading >= 4 && i < 4) {
            uint32_t wanted = i < 3 ? parser->cta[i] : parser->warp;
            if (value != wanted) {
                parser->code = -EINVAL;
                snprintf(parser->reason, sizeof parser->reason, "%s: %llu on a line of %s %u",
                         names[i], (unsigned long long)value, names[i], wanted);
                return NULL;
            }
        }
    }
    uint64_t line_number = 0;
    if (parser->line_numbers && (!gm_scan_decimal(&p, &line_number) || !gm_next_token(&p))) {
        return gm_line_bad(parser, line, p, "line number", "a decimal number");
    }
    *source_line = line_number < UINT32_MAX ? (uint32_t)line_number : UINT32_MAX;
    return p;
}

/* Reads a register: R, UR, P or UP and a number up to 255. */
static inline bool scan_register(const char **at, uint16_t *number)
{
    const char *p = *at;
    unsigned file = GM_REGISTERS_GENERAL;
    if (*p != 'R') {
        bool uniform = *p == 'U';
        p += uniform;
        if (*p == 'R') {
            file = GM_REGISTERS_UNIFORM;
        } else if (*p == 'P') {
            file = uniform ? GM_REGISTERS_UNIFORM_PREDICATE : GM_REGISTERS_PREDICATE;
        } else {
            return false;
        }
    }
    p++;
    unsigned digit = (unsigned)*p - '0';
    if (digit > 9) {
        return false;
    }
    unsigned value = digit;
    for (digit = (unsigned)*++p - '0'; digit <= 9 && value <= 25; digit = (unsigned)*++p - '0') {
        value = value * 10 + digit;
    }
    if (value > 255 || digit <= 9) {
        return false;
    }
    *number = GM_REGISTER(file, value);
    *at = p;
    return true;
}

/* Parses a count and that many registers. Returns the start of the following token. */
static inline const char *parse_registers(gm_line_parser *parser, const char *line, const char *p,
                                          const char *field, unsigned most, uint8_t *count,
                                          uint16_t *registers)
{
    const char *start = p;
    unsigned number = (unsigned)*p - '0';
    if (number > most || (p++, !gm_next_token(&p))) {
        char wanted[48];
        snprintf(wanted, sizeof wanted, "a decimal number from 0 to %u", most);
        return gm_line_bad(parser, line, start, field, wanted);
    }
    *count = (uint8_t)number;
    for (unsigned i = 0; i < number; i++) {
        if (!scan_register(&p, &registers[i]) || !gm_next_token(&p)) {
            return gm_line_bad(parser, line, p, field[0] == 'd' ? "destination" : "source",
                               "a register (R, UR, P or UP and 0 to 255)");
        }
    }
    return p;
}

/* Adds an opcode that occurs for the first time. Returns its number, or a negative errno value with
 * the parser's reason set. */
static int opcode_slow(gm_line_parser *parser, const char *line, const char *p)
{
    uint32_t length = 0;
    while (length < GM_OPCODE_TEXT && (unsigned char)p[length] > ' ') {
        length++;
    }
    gm_error error;
    int number = gm_opcode_number(parser->opcodes, p, length, &error);
    if (number == -EINVAL && length < GM_OPCODE_TEXT && parser->opcodes->count < GM_OPCODES) {
        gm_line_bad(parser, line, p, "opcode", "an opcode (a capital letter, then no blanks)");
    } else if (number < 0) {
        parser->code = number;
        snprintf(parser->reason, sizeof parser->reason, "opcode: %.200s", error.text);
    }
    return number;
}

/* Returns the number of the opcode at *at and moves *at to its end; negative on failure. Reads 8
 * bytes at a time up to the first byte of at most ' '. */
static inline int scan_opcode(gm_line_parser *parser, const char *line, const char **at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t words[GM_OPCODE_WORDS];
    uint64_t hash = 0;
    const char *p = *at;
    for (unsigned count = 0; count < GM_OPCODE_WORDS; count++) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        /* A high bit marks each byte below 0x21; the lowest mark is exact. */
        uint64_t ends = (word - ones * 0x21) & ~word & (ones * 0x80);
        if (ends != 0) {
            unsigned length = gm_lowest_one(ends) / 8;
            if (length > 0) {
                words[count] = word & gm_mask(length * 8);
                hash = gm_opcode_hash_word(hash, words[count]);
                count++;
            }
            int number = count > 0 ? gm_opcode_find(parser->opcodes, words, count, hash) : -1;
            if (number < 0) {
                number = opcode_slow(parser, line, *at);
            }
            *at = p + length;
            return number;
        }
        words[count] = word;
        hash = gm_opcode_hash_word(hash, word);
        p += sizeof word;
    }
    return opcode_slow(parser, line, *at);
}

/* Skips "Val" and, for each destination and source, "1 value" or "32 value * 32". */
static const char *parse_values(gm_line_parser *parser, const char *line, const char *p,
                                const gm_instruction *instruction)
{
    for (int i = instruction->destinations + instruction->sources; i > 0 && *p != '\n'; i--) {
        uint64_t count = 0;
        const char *start = p;
        if (!gm_scan_decimal(&p, &count) || !gm_next_token(&p) ||
            (count != 1 && count != GM_WARP_SIZE)) {
            return gm_line_bad(parser, line, start, "Val", "1 or 32");
        }
        for (; count > 0; count--) {
            uint64_t value = 0;
            if (!gm_scan_hex(&p, &value) || !gm_next_token(&p)) {
                return gm_line_bad(parser, line, p, "Val", "a hexadecimal number of 64 bits");
            }
        }
    }
    return p;
}

/* Reads a token that is a signed decimal number and moves *at past it. Returns false otherwise. */
static inline bool take_signed(const char **at, int64_t *value)
{
    const char *p = *at;
    if (!gm_scan_signed(&p, value) || !gm_next_token(&p)) {
        return false;
    }
    *at = p;
    return true;
}

static bool take_hex(const char **at)
{
    const char *p = *at;
    uint64_t value = 0;
    if (!gm_scan_hex(&p, &value) || !gm_next_token(&p)) {
        return false;
    }
    *at = p;
    return true;
}

/* Parses the tokens after a first immediate, or one that is not an immediate. Skips surplus
 * addresses: before version 4, tracers could list those of lanes that a predicate had switched off.
 */
static const char *parse_tail(gm_line_parser *parser, const char *line, const char *p,
                              gm_instruction *instruction, bool had_immediate)
{
    if (parser->version < 4 && instruction->width > 0) {
        instruction->immediate = 0;
        int64_t delta = 0;
        while (take_signed(&p, &delta) || take_hex(&p)) {
        }
    } else if (had_immediate) {
        int64_t second = 0;
        (void)(take_signed(&p, &second) || take_hex(&p));
    }
    if (memcmp(p, "NoVal", 5) == 0) {
        p += 5;
        (void)gm_next_token(&p);
    } else if (memcmp(p, "Val", 3) == 0) {
        p += 3;
        if (gm_next_token(&p)) {
            p = parse_values(parser, line, p, instruction);
        }
    }
    if (p != NULL && *p != '\n') {
        return gm_line_bad(parser, line, p, "after the last field", "the end of the line");
    }
    return p;
}

/* Parses what follows the memory part, up to the next line. */
static inline const char *parse_end(gm_line_parser *parser, const char *line, const char *p,
                                    gm_instruction *instruction)
{
    instruction->immediate = 0;
    bool has_immediate = take_signed(&p, &instruction->immediate);
    if (*p != '\n' && (p = parse_tail(parser, line, p, instruction, has_immediate)) == NULL) {
        return NULL;
    }
    return p + 1;
}

/* Parses the fields from the PC to the sources. Returns the start of the memory part. */
static inline const char *parse_registers_and_opcode(gm_line_parser *parser, const char *line,
                                                     const char *p, gm_instruction *instruction)
{
    if (!gm_scan_hex(&p, &instruction->pc) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "PC", "a hexadecimal number");
    }
    if (!gm_scan_hex_32(&p, &instruction->mask) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "mask", "a hexadecimal number of 32 bits");
    }
    p = parse_registers(parser, line, p, "dest_num", GM_DESTINATIONS, &instruction->destinations,
                        instruction->destination);
    if (p == NULL) {
        return NULL;
    }
    int number = scan_opcode(parser, line, &p);
    if (number < 0) {
        return NULL;
    }
    if (!gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "opcode", "followed by a blank");
    }
    const gm_opcode_entry *opcode = gm_opcode_entry_of(parser->opcodes, number);
    instruction->opcode = (uint16_t)number;
    bool blind = gm_opcode_is_blind(opcode, parser->version);
    instruction->op = blind ? GM_OP_UNMODELLED : opcode->op;
    instruction->space = blind ? GM_SPACE_NONE : opcode->space;
    return parse_registers(parser, line, p, "src_num", GM_SOURCES, &instruction->sources,
                           instruction->source);
}

/* Parses a line that missed in the memo, and stores it there. */
static const char *parse_new(gm_line_parser *parser, const char *line, gm_instruction *instruction,
                             gm_line_memo_entry *entry)
{
    const char *p = line;
    while (gm_is_blank(*p)) {
        p++;
    }
    if (!parser->laid_out) {
        lay_out(parser, p);
    }
    instruction->line = 0;
    if ((parser->leading > 0 || parser->line_numbers) &&
        (p = parse_leading(parser, line, p, &instruction->line)) == NULL) {
        return NULL;
    }
    p = parse_registers_and_opcode(parser, line, p, instruction);
    if (p == NULL) {
        return NULL;
    }
    const gm_opcode_entry *opcode = gm_opcode_entry_of(parser->opcodes, instruction->opcode);
    bool addresses = false;
    p = gm_memory_width(parser, line, p, opcode, instruction, &addresses);
    if (p == NULL) {
        return NULL;
    }
    if (addresses && !opcode->addresses && !parser->opcodes->ignore_unknown) {
        parser->code = -EINVAL;
        gm_opcode_unknown_text(&parser->opcodes->opcodes[instruction->opcode], parser->reason,
                               sizeof parser->reason);
        return NULL;
    }
    bool repeats = parser->leading == 0; /* otherwise the line names its warp or the warp's place */
    if (addresses) {
        /* With a width of 0, the next tokens decide if addresses follow. */
        if (repeats && opcode->written_width != 0 && *p != '\n') {
            gm_line_memo_keep(entry, line, p, false, instruction);
        }
        p = gm_memory_addresses(parser, line, p, opcode, instruction);
    }
    p = p == NULL ? NULL : parse_end(parser, line, p, instruction);
    if (p != NULL && repeats && !addresses) {
        gm_line_memo_keep(entry, line, p, true, instruction);
    }
    return p;
}

/* Parses the addresses, at `p`, of a line whose prefix is in the memo. */
static const char *parse_rest(gm_line_parser *parser, const char *line, const char *p,
                              gm_line_memo_entry *entry)
{
    gm_instruction *instruction = &entry->instruction;
    const gm_opcode_entry *opcode = gm_opcode_entry_of(parser->opcodes, instruction->opcode);
    entry->tail_length = 0;
    const char *start = p;
    p = gm_memory_addresses(parser, line, p, opcode, instruction);
    p = p == NULL ? NULL : parse_end(parser, line, p, instruction);
    if (p != NULL && gm_line_memo_strided(start)) { /* not for TMA, whose second token is 0 or 1 */
        gm_line_memo_keep_tail(entry, start, p);
    }
    return p;
}

const char *gm_line_read(gm_line_parser *parser, const char *line,
                         const gm_instruction **instruction)
{
    gm_line_memo *memo = &parser->memo;
    gm_line_memo_entry *entry = gm_line_memo_at(memo, line);
    memo->last->next = entry;
    memo->last = entry;
    *instruction = &entry->instruction;
    const char *next = line;
    switch (gm_line_memo_look_up(entry, line, &next)) {
    case GM_LINE_HIT:
        return next;
    case GM_LINE_PREFIX:
        if (!gm_is_blank(*next)) {
            return parse_rest(parser, line, next, entry);
        }
        break;
    case GM_LINE_MISS:
        break;
    }
    *instruction = &parser->fresh;
    return parse_new(parser, line, &parser->fresh, entry);
}

const char *gm_line_parse(gm_line_parser *parser, const char *line, gm_instruction *instruction)
{
    const gm_instruction *read = NULL;
    const char *next = gm_line_next(parser, line, &read);
    if (next != NULL) {
        *instruction = *read;
    }
    return next;
}
