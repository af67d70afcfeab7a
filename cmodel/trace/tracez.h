/* Binary kernel files of version 6 (.tracez): the lines of each warp in zstd frames, with an index.
 * docs/trace-format.md: binary. */
#ifndef GOLDMEM_TRACE_TRACEZ_H
#define GOLDMEM_TRACE_TRACEZ_H

#include "trace/deliver.h"

typedef struct gm_tracez gm_tracez;

/* Opens the file and reads its header. Returns 1, 0 if the file is no .tracez, or a negative errno
 * value. */
int gm_tracez_open(gm_tracez **tracez, const char *path, gm_kernel *kernel, gm_byte_count *count,
                   gm_error *error);

/* Delivers the next thread block. Returns 1, 0 at the end, or a negative errno value. Messages
 * count the instruction lines of the whole file. */
int gm_tracez_next_cta(gm_tracez *tracez, const gm_kernel *kernel, gm_cta_order *order,
                       gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error);

void gm_tracez_close(gm_tracez *tracez);

#endif
