/* Line requests of an instruction by definition, byte by byte: what the coalescer's shorter ways
 * are compared with. */
#ifndef GOLDMEM_TESTS_SUPPORT_FRONTEND_LINE_SET_H
#define GOLDMEM_TESTS_SUPPORT_FRONTEND_LINE_SET_H

#include "frontend/coalescer.h"

enum { LINE_SET = 1024 };

typedef struct line_set {
    uint32_t requests;
    gm_line_request request[LINE_SET];
    uint32_t bytes[LINE_SET][32]; /* [request][sector] mask of the bytes touched */
} line_set;

/* All lanes in global memory, or all in local memory: then the context says in which slot. */
void line_set_make(line_set *set, uint64_t line, const gm_coalesce_context *context,
                   const gm_instruction *instruction);

#endif
