/* From instruction lines to a sink: what grouped and binary kernel files share. */
#ifndef GM_TRACE_DELIVER_H
#define GM_TRACE_DELIVER_H

#include "goldmem/source.h"
#include "trace/input.h"
#include "trace/instruction_line.h"

/* Where a kernel's reader is: thread blocks and warps must come in ascending order. */
typedef struct gm_cta_order {
    uint64_t next_cta;  /* least linear id that may follow */
    uint32_t next_warp; /* least warp that may follow in the thread block */
} gm_cta_order;

/* Is this thread block inside the grid and after the last one? Starts its warps. */
int gm_cta_order_begin(gm_cta_order *order, const gm_kernel *kernel, const uint64_t cta[3],
                       const gm_input *input, gm_error *error);

int gm_cta_order_warp(gm_cta_order *order, const gm_kernel *kernel, uint64_t warp,
                      const gm_input *input, gm_error *error);

/* Reads `count` instruction lines and hands them to the sink; empty lines do not count. */
int gm_deliver_lines(gm_input *input, gm_line_parser *parser, uint64_t count,
                     const gm_cta_sink *sink, gm_error *error);

#endif
