/* Shared memory: the passes over its banks that an access of a warp takes. */
#ifndef GOLDMEM_FRONTEND_SHARED_MEMORY_H
#define GOLDMEM_FRONTEND_SHARED_MEMORY_H

#include "frontend/coalescer.h"

enum { GM_SHARED_BANKS = 128 }; /* most banks */

typedef struct gm_shared_passes {
    uint32_t accesses;  /* passes that a conflict-free access would take */
    uint32_t conflicts; /* further passes */
} gm_shared_passes;

/* Returns the passes of `count` lane accesses of `width` bytes. Requires `banks`, of 4 bytes each,
 * to be a power of two. Lanes of one word share a pass, unless the access is `atomic`. */
gm_shared_passes gm_shared_memory_access(const gm_shared_access *access, uint32_t count,
                                         unsigned width, uint32_t banks, bool atomic);

#endif
