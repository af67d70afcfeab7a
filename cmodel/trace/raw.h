/* The body of a raw kernel file (.trace): lines of all warps interleaved, each with its thread
 * block and warp in front. Groups them as upstream's post-processor does, in bounded memory. */
#ifndef GOLDMEM_TRACE_RAW_H
#define GOLDMEM_TRACE_RAW_H

#include "goldmem/source.h"
#include "trace/input.h"
#include "trace/instruction_line.h"

enum { GM_RAW_MEMORY = 8 * 1024 * 1024 }; /* bytes of text sorted at a time */

typedef struct gm_raw gm_raw;

/* Reads the whole body and sorts it. Requires `input` at the body's first line, and that `input`
 * and `kernel` stay valid. Returns 0 or a negative errno value. */
int gm_raw_open(gm_raw **raw, gm_input *input, const gm_kernel *kernel, size_t memory,
                gm_error *error);

/* Delivers the next thread block. Returns 1, 0 at the end, or a negative errno value. */
int gm_raw_next_cta(gm_raw *raw, gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error);

void gm_raw_close(gm_raw *raw);

#endif
