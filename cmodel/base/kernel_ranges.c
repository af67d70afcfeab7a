/* Kernel ranges: sets of kernel numbers, as in 0,3-5,8-. */
#include "goldmem/kernel_ranges.h"

#include <errno.h>
#include <stdlib.h>

/* Reads a decimal number at *at, and moves *at behind it. */
static bool read_number(const char **at, uint64_t *number)
{
    char *end = NULL;
    if (**at < '0' || **at > '9') {
        return false;
    }
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0 && *number < UINT64_MAX;
}

bool gm_kernel_ranges_read(gm_kernel_ranges *ranges, const char *text)
{
    ranges->count = 0;
    for (;;) {
        uint64_t first = 0;
        if (ranges->count == GM_KERNEL_RANGES || !read_number(&text, &first)) {
            return false;
        }
        uint64_t last = first;
        if (*text == '-') {
            text++;
            last = UINT64_MAX;
            if (*text != ',' && *text != '\0' && (!read_number(&text, &last) || last < first)) {
                return false;
            }
        }
        ranges->range[ranges->count].first = first;
        ranges->range[ranges->count++].last = last;
        if (*text == '\0') {
            return true;
        }
        if (*text++ != ',') {
            return false;
        }
    }
}

bool gm_kernel_ranges_have(const gm_kernel_ranges *ranges, uint64_t kernel)
{
    for (unsigned i = 0; i < ranges->count; i++) {
        if (kernel >= ranges->range[i].first && kernel <= ranges->range[i].last) {
            return true;
        }
    }
    return false;
}

uint64_t gm_kernel_ranges_last(const gm_kernel_ranges *ranges)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < ranges->count; i++) {
        last = ranges->range[i].last > last ? ranges->range[i].last : last;
    }
    return last;
}

uint64_t gm_kernel_ranges_needed(const gm_kernel_ranges *ranges)
{
    uint64_t needed = 0;
    for (unsigned i = 0; i < ranges->count; i++) {
        uint64_t last = ranges->range[i].last;
        uint64_t named = last == UINT64_MAX ? ranges->range[i].first : last;
        needed = named > needed ? named : needed;
    }
    return needed;
}
