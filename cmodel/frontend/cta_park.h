/* CTA park: CTAs that were read before their turn, whole in the spool (a temporary file): in memory
 * a CTA costs 16 bytes here, whatever its records. */
#ifndef GOLDMEM_FRONTEND_CTA_PARK_H
#define GOLDMEM_FRONTEND_CTA_PARK_H

#include "base/slot_file.h"
#include "frontend/intake.h"

/* A parked CTA: its number, and its first slot in the file. */
typedef struct gm_parked {
    uint64_t number, slot;
} gm_parked;

typedef struct gm_cta_park {
    gm_slot_file file;
    gm_parked *parked; /* [count] in the order of their numbers; some have been taken out */
    size_t count, room, taken;
    unsigned char *buffer; /* [GM_SLOT] */
    size_t used;           /* bytes of the buffer */
    uint64_t slot;         /* of the file, that the buffer is of */
} gm_cta_park;

/* Begins empty. Requires gm_cta_park_free in any case. */
void gm_cta_park_init(gm_cta_park *park);

/* Forgets all CTAs, and frees memory and file. */
void gm_cta_park_free(gm_cta_park *park);

/* Puts a CTA with all its streams' records into the file, and leaves it without streams. Requires
 * numbers in ascending order, until the park is empty. Returns 0, -ENOMEM, or the error of the
 * temporary file. */
int gm_cta_park_put(gm_cta_park *park, gm_cta *cta, gm_warp_store *store, gm_error *error);

/* True if the CTA of this number is parked. */
bool gm_cta_park_has(const gm_cta_park *park, uint64_t number);

/* Brings a parked CTA back into *cta, which has no streams. Requires gm_cta_park_has. Returns as
 * gm_cta_park_put. */
int gm_cta_park_take(gm_cta_park *park, uint64_t number, gm_cta *cta, gm_warp_store *store,
                     gm_error *error);

#endif
