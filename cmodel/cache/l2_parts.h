/* Parts of sectors in a lazy L2 with l2.dirty=parts: the bytes that stores have written of a sector
 * that none has written whole. When they have written all of them between them, the sector is
 * partial no more, as in GPGPU-Sim, whose cache blocks have a byte mask. docs/l2.md has the rules.
 */
#ifndef GOLDMEM_CACHE_L2_PARTS_H
#define GOLDMEM_CACHE_L2_PARTS_H

#include "cache/l2.h"
#include "cache/l2_access_rules.h"
#include "goldmem/bits.h"

typedef struct gm_l2_parts {
    uint32_t *written; /* [slots][sectors] of a partial sector: the bytes that stores have written;
                          of others: not used */
    uint32_t sectors;  /* of a line */
} gm_l2_parts;

/* Returns the bytes of arena that gm_l2_parts_make takes. `sectors`: of a line. */
size_t gm_l2_parts_size(const gm_cache_parameters *cache, uint32_t sectors);

/* Makes the parts of an empty cache. Returns NULL if the arena is full. */
gm_l2_parts *gm_l2_parts_make(const gm_cache *cache, uint32_t sectors, gm_arena *arena);

/* A store writes bytes of a sector of the line in the slot. `partial`: the line's partial sectors
 * before; `sector`: mask, one bit. Returns `sector` if all of its bytes are written now, else 0. */
static inline uint32_t gm_l2_parts_write(gm_l2_parts *own, uint32_t slot, uint32_t partial,
                                         uint32_t sector, uint32_t bytes)
{
    uint32_t *written = &own->written[(size_t)slot * own->sectors + gm_lowest_one(sector)];
    *written = ((partial & sector) != 0 ? *written : 0) | bytes;
    return *written == UINT32_MAX ? sector : 0;
}

/* Returns the line's partial sectors when a message has been answered: gm_l2_partial_after, with
 * what stores before it have written. With parts, `whole` of a WRITE is the bytes of its sector.
 * While data of the line are in flight, `line` has the partial sectors of the MSHR entry only. */
static inline uint32_t gm_l2_parts_after(gm_l2 *l2, uint32_t slot, const gm_l2_request *request,
                                         const gm_l2_line *line, const gm_l2_effect *effect)
{
    gm_l2_request done = *request;
    if (l2->parts != NULL && request->kind == GM_MESSAGE_WRITE) {
        uint32_t partial = line->partial | (effect->allocates ? 0 : l2->partial[slot]);
        done.whole = gm_l2_parts_write(l2->parts, slot, partial, request->sectors, request->whole);
    }
    return gm_l2_partial_after(&done, line, effect);
}

#endif
