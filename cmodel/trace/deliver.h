/* Delivery: hands the instructions of lines to a sink, for grouped and binary kernel files. */
#ifndef GOLDMEM_TRACE_DELIVER_H
#define GOLDMEM_TRACE_DELIVER_H

#include "goldmem/source.h"
#include "trace/input.h"
#include "trace/instruction_line.h"

/* Progress of a kernel's reader, which requires thread blocks and warps in ascending order. */
typedef struct gm_cta_order {
    uint64_t next_cta;  /* least linear id that may follow */
    uint32_t next_warp; /* least warp that may follow in the thread block */
} gm_cta_order;

/* Begins a thread block. Returns 0, or -EINVAL unless it lies inside the grid and after the last
 * one. */
int gm_cta_order_begin(gm_cta_order *order, const gm_kernel *kernel, const uint64_t cta[3],
                       const gm_input *input, gm_error *error);

int gm_cta_order_warp(gm_cta_order *order, const gm_kernel *kernel, uint64_t warp,
                      const gm_input *input, gm_error *error);

/* Reads `count` instruction lines, empty lines not counted, and hands the instructions to the sink.
 * Returns 0 or a negative errno value. */
int gm_deliver_lines(gm_input *input, gm_line_parser *parser, uint64_t count,
                     const gm_cta_sink *sink, gm_error *error);

#endif
