/* The body of a grouped kernel file (.traceg): thread blocks, warps, instruction lines. */
#ifndef GOLDMEM_TRACE_GROUPED_H
#define GOLDMEM_TRACE_GROUPED_H

#include "trace/deliver.h"

/* Delivers the next thread block. Returns 1, 0 at the end of the file, or a negative errno value.
 */
int gm_grouped_next_cta(gm_input *input, const gm_kernel *kernel, gm_cta_order *order,
                        gm_line_parser *parser, const gm_cta_sink *sink, gm_error *error);

#endif
