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

/* Reads a list of numbers and ranges, in any order. Returns false if `text` is no such list or has
 * more than GM_KERNEL_RANGES items. */
bool gm_kernel_ranges_read(gm_kernel_ranges *ranges, const char *text);

/* True if the kernel of this number is in a range. */
bool gm_kernel_ranges_have(const gm_kernel_ranges *ranges, uint64_t kernel);

/* Returns the highest number in the ranges; UINT64_MAX when a range is open. */
uint64_t gm_kernel_ranges_last(const gm_kernel_ranges *ranges);

/* Returns the highest number that the text names: of an open range its first. */
uint64_t gm_kernel_ranges_needed(const gm_kernel_ranges *ranges);

#ifdef __cplusplus
}
#endif

#endif
