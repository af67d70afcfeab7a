/* The header of a kernel file: "-key = value" lines up to the "#traces format" line. */
#ifndef GOLDMEM_TRACE_HEADER_H
#define GOLDMEM_TRACE_HEADER_H

#include "goldmem/source.h"
#include "trace/input.h"

/* Reads the header and leaves the cursor at the first line of the body. Requires a grid and a
 * block; other keys may be absent, and unknown keys are ignored. Returns 1 after a "#traces format"
 * line of a text form, 0 without one, or a negative errno value. */
int gm_header_read(gm_input *input, gm_kernel *kernel, gm_error *error);

#endif
