/* Huge pages: for large memory that is written from end to end, one page fault for each 2 MiB
 * instead of each 4 KiB, where the system has them. */
#ifndef GOLDMEM_BASE_HUGE_PAGES_H
#define GOLDMEM_BASE_HUGE_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { GM_HUGE_PAGE = 2 << 20 }; /* bytes */

/* Returns at least `bytes` of memory, not zeroed, or NULL if out of memory. Requires bytes > 0. The
 * caller frees it with free(). */
static inline void *gm_huge_pages(size_t bytes)
{
    size_t rounded = (bytes + GM_HUGE_PAGE - 1) / GM_HUGE_PAGE * GM_HUGE_PAGE;
    void *memory = rounded < bytes ? NULL : aligned_alloc(GM_HUGE_PAGE, rounded);
    if (memory != NULL) {
        (void)madvise(memory, rounded, MADV_HUGEPAGE);
    }
    return memory;
}

#endif
