/* Numbers of kernels in an input, from 0: "3-7", "1,3-7", "5-". */
#ifndef GOLDMEM_KERNEL_RANGES_H
#define GOLDMEM_KERNEL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_KERNEL_RANGES = 256 };

typedef struct gm_kernel_ranges {
    unsigned count;
    struct {
        uint64_t first, last; /* last: UINT64_MAX when open */
    } range[GM_KERNEL_RANGES];
} gm_kernel_ranges;

/* Reads a list of numbers and ranges, in any order. False: `text` is none, or has more than
 * GM_KERNEL_RANGES items. */
bool gm_kernel_ranges_read(gm_kernel_ranges *ranges, const char *text);

bool gm_kernel_ranges_have(const gm_kernel_ranges *ranges, uint64_t kernel);

/* The highest number named; UINT64_MAX when a range is open. */
uint64_t gm_kernel_ranges_last(const gm_kernel_ranges *ranges);

/* The highest number that is named, the beginnings of open ranges included. */
uint64_t gm_kernel_ranges_needed(const gm_kernel_ranges *ranges);

#ifdef __cplusplus
}
#endif

#endif
