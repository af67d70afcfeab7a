/* The lesser and the greater of two coordinates or costs. Kernels clamp coordinates to their grid
 * with them. */
#ifndef GOLDMEM_WORKLOAD_CLAMP_H
#define GOLDMEM_WORKLOAD_CLAMP_H

#include <stdint.h>

static inline int32_t gm_lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t gm_greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

#endif
