/* The memory part of an instruction line: width, address mode, addresses (docs/trace-format.md). */
#ifndef GOLDMEM_TRACE_MEMORY_PART_H
#define GOLDMEM_TRACE_MEMORY_PART_H

#include "trace/instruction_line.h"
#include "trace/opcode.h"

/* Reads up to the width, from the token at `p`. Sets the width, and form and addresses to none.
 * Sets *addresses if address fields follow. Returns the start of the next token, or NULL (see
 * gm_line_bad). */
const char *gm_memory_width(gm_line_parser *parser, const char *line, const char *p,
                            const gm_opcode_entry *opcode, gm_instruction *instruction,
                            bool *addresses);

/* Reads the address fields that follow the width. Sets form and addresses where the mask has lanes.
 * Requires that the mask is set. Returns as gm_memory_width. */
const char *gm_memory_addresses(gm_line_parser *parser, const char *line, const char *p,
                                const gm_opcode_entry *opcode, gm_instruction *instruction);

#endif
