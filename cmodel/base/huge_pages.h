/* Large memory that is written from end to end: in huge pages, where the system has them, that
 * costs a page fault for each 2 MiB in place of each 4 KiB. */
#ifndef GM_BASE_HUGE_PAGES_H
#define GM_BASE_HUGE_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { GM_HUGE_PAGE = 2 << 20 }; /* bytes */

/* At least `bytes`, more than 0, that free() gives back; not zeroed. NULL: there is none left. */
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
