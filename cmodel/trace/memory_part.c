/* The memory part of an instruction line, and of bulk copies (TMA) of version 6
 * (docs/trace-format.md: memory part). */
#include "trace/memory_part.h"

#include "goldmem/bits.h"
#include "trace/line_error.h"
#include "trace/number.h"
#include "trace/token.h"

#include <stdio.h>

enum { MODE_LIST, MODE_STRIDE, MODE_DELTA, MODE_BULK_LIST, MODE_BULK_DELTA };

static const char hex_64[] = "a hexadecimal number of 64 bits";
static const char delta_64[] = "a decimal number of 64 bits";

/* Parses `count` addresses, each written out. */
static const char *parse_list(gm_line_parser *parser, const char *line, const char *p,
                              unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!gm_scan_hex_like(&p, &parser->addresses[i], &parser->digits) || !gm_next_token(&p)) {
            return gm_line_bad(parser, line, p, "address", hex_64);
        }
    }
    return p;
}

/* Parses `count` - 1 differences, each to the previous address. */
static inline const char *parse_deltas(gm_line_parser *parser, const char *line, const char *p,
                                       uint64_t address, unsigned count)
{
    parser->addresses[0] = address;
    for (unsigned i = 1; i < count; i++) {
        int64_t delta = 0;
        if (!gm_scan_signed_short(&p, &delta) || !gm_next_token(&p)) {
            char field[48];
            snprintf(field, sizeof field, "address delta %u of %u", i, count - 1);
            return gm_line_bad(parser, line, p, field, delta_64);
        }
        address += (uint64_t)delta;
        parser->addresses[i] = address;
    }
    return p;
}

/* Parses the address list of a TMA instruction, which gives its own length. */
static const char *parse_bulk(gm_line_parser *parser, const char *line, const char *p,
                              unsigned mode, gm_instruction *instruction)
{
    uint64_t base = 0;
    if (mode == MODE_BULK_DELTA &&
        (!gm_scan_hex_like(&p, &base, &parser->digits) || !gm_next_token(&p))) {
        return gm_line_bad(parser, line, p, "base address", hex_64);
    }
    uint64_t count = 0;
    if (!gm_scan_decimal_to(&p, GM_ADDRESSES, &count) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "address count", "a decimal number from 0 to 256");
    }
    p = mode == MODE_BULK_LIST ? parse_list(parser, line, p, (unsigned)count)
                               : parse_deltas(parser, line, p, base, (unsigned)count);
    if (p != NULL && instruction->mask != 0 && count > 0) {
        instruction->form = GM_ADDRESS_LIST;
        instruction->address = parser->addresses;
        instruction->addresses = (uint16_t)count;
    }
    return p;
}

/* Skips what precedes a TMA's mode: mbar_addr is_multicast [cta_mask] byte_count oob_byte_count. */
static const char *skip_bulk_fields(gm_line_parser *parser, const char *line, const char *p)
{
    uint64_t multicast = 0;
    uint64_t value = 0;
    if (!gm_scan_hex(&p, &value) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "mbarrier address", hex_64);
    }
    if (!gm_scan_decimal_to(&p, 1, &multicast) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "is_multicast", "0 or 1");
    }
    if (multicast == 1 && (!gm_scan_hex(&p, &value) || !gm_next_token(&p))) {
        return gm_line_bad(parser, line, p, "CTA mask", hex_64);
    }
    if (!gm_scan_decimal(&p, &value) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "byte count", delta_64);
    }
    if (!gm_scan_decimal(&p, &value) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "out-of-bounds byte count", delta_64);
    }
    return p;
}

/* Parses a base address and a stride. */
static inline const char *parse_stride(gm_line_parser *parser, const char *line, const char *p,
                                       gm_instruction *instruction)
{
    int64_t stride = 0;
    if (!gm_scan_hex_like(&p, &instruction->base, &parser->digits) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "base address", hex_64);
    }
    if (!gm_scan_signed_32(&p, &stride) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "stride", "a decimal number of 32 bits");
    }
    instruction->stride = stride;
    if (instruction->mask != 0) {
        instruction->form = GM_ADDRESS_STRIDE;
        instruction->addresses = (uint16_t)gm_count_ones(instruction->mask);
    }
    return p;
}

/* Parses mode and addresses for the lanes of the mask. */
static const char *parse_addresses(gm_line_parser *parser, const char *line, const char *p,
                                   bool is_bulk, gm_instruction *instruction)
{
    unsigned mode = (unsigned)*p - '0';
    const char *start = p;
    p++;
    if (mode > (is_bulk ? MODE_BULK_DELTA : MODE_DELTA) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, start, "address mode",
                           is_bulk ? "one of 0, 1, 2, 3, 4" : "one of 0, 1, 2");
    }
    if (mode == MODE_STRIDE) {
        return parse_stride(parser, line, p, instruction);
    }
    if (mode > MODE_DELTA) {
        return parse_bulk(parser, line, p, mode, instruction);
    }
    unsigned lanes = gm_count_ones(instruction->mask);
    if (mode == MODE_LIST) {
        p = parse_list(parser, line, p, lanes);
    } else {
        uint64_t base = 0;
        if (!gm_scan_hex_like(&p, &base, &parser->digits) || !gm_next_token(&p)) {
            return gm_line_bad(parser, line, p, "base address", hex_64);
        }
        p = parse_deltas(parser, line, p, base, lanes);
    }
    if (lanes != 0) {
        instruction->form = GM_ADDRESS_LIST;
        instruction->address = parser->addresses;
        instruction->addresses = (uint16_t)lanes;
    }
    return p;
}

/* True for an opcode whose written width is 0 although addresses follow, as in "0 1 0x100 4": the
 * tracer's rule took a token below 8 bits for the width. */
static bool has_hidden_addresses(const gm_opcode_entry *opcode, const char *p)
{
    return opcode->written_width == 0 && opcode->space != GM_SPACE_NONE && p[0] >= '0' &&
           p[0] <= '2' && p[1] == ' ' && p[2] == '0' && p[3] == 'x';
}

const char *gm_memory_width(gm_line_parser *parser, const char *line, const char *p,
                            const gm_opcode_entry *opcode, gm_instruction *instruction,
                            bool *addresses)
{
    uint64_t width = 0;
    if (opcode->has_commit && parser->version >= 6 &&
        (!gm_scan_decimal(&p, &width) || !gm_next_token(&p))) {
        return gm_line_bad(parser, line, p, "gmma_commit", "a decimal number");
    }
    if (!gm_scan_decimal_to(&p, UINT8_MAX, &width) || !gm_next_token(&p)) {
        return gm_line_bad(parser, line, p, "mem_width", "a decimal number from 0 to 255");
    }
    *addresses = width != 0 || has_hidden_addresses(opcode, p);
    instruction->form = GM_ADDRESS_NONE;
    instruction->addresses = 0;
    instruction->width = !*addresses                      ? 0
                         : width == opcode->written_width ? opcode->width
                                                          : (uint8_t)width;
    return p;
}

const char *gm_memory_addresses(gm_line_parser *parser, const char *line, const char *p,
                                const gm_opcode_entry *opcode, gm_instruction *instruction)
{
    bool is_bulk = opcode->is_bulk && parser->version >= 6;
    if (is_bulk && (p = skip_bulk_fields(parser, line, p)) == NULL) {
        return NULL;
    }
    return parse_addresses(parser, line, p, is_bulk, instruction);
}
