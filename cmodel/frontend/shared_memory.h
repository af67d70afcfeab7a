/* Shared memory: how many passes over its banks an access of a warp takes. */
#ifndef GOLDMEM_FRONTEND_SHARED_MEMORY_H
#define GOLDMEM_FRONTEND_SHARED_MEMORY_H

#include "frontend/coalescer.h"

enum { GM_SHARED_BANKS = 128 }; /* at most */

typedef struct gm_shared_passes {
    uint32_t accesses;  /* passes that a conflict-free access would take */
    uint32_t conflicts; /* further passes */
} gm_shared_passes;

/* `count` lane accesses of `width` bytes; `banks` of 4 bytes, a power of two. Lanes of one word
 * share a pass, except where they change it one after the other (`atomic`). */
gm_shared_passes gm_shared_memory_access(const gm_shared_access *access, uint32_t count,
                                         unsigned width, uint32_t banks, bool atomic);

#endif
