/* The memory part of an instruction line: width, address mode, addresses. FORMAT, section 5. */
#ifndef GM_TRACE_MEMORY_PART_H
#define GM_TRACE_MEMORY_PART_H

#include "trace/instruction_line.h"
#include "trace/opcode.h"

/* Reads up to the width, from the token at `p`; fills width, and form and addresses as for none.
 * *addresses: address fields follow. Returns the start of the next token, or NULL (see
 * gm_line_bad). */
const char *gm_memory_width(gm_line_parser *parser, const char *line, const char *p,
                            const gm_opcode_entry *opcode, gm_instruction *instruction,
                            bool *addresses);

/* Reads the address fields that follow the width; fills form and addresses where the mask, already
 * there, has lanes. Returns as gm_memory_width. */
const char *gm_memory_addresses(gm_line_parser *parser, const char *line, const char *p,
                                const gm_opcode_entry *opcode, gm_instruction *instruction);

#endif
