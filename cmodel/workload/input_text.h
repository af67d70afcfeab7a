/* Text inputs of workloads: Rodinia's lists of numbers. */
#ifndef GOLDMEM_WORKLOAD_INPUT_TEXT_H
#define GOLDMEM_WORKLOAD_INPUT_TEXT_H

#include "goldmem/error.h"

#include <stddef.h>

/* Reads exactly `count` numbers, separated by white space. -EINVAL ("FILE:LINE: reason"), or the
 * system's error. */
int gm_input_floats(const char *path, float *number, size_t count, gm_error *error);

#endif
