/* Masks of the bytes that an SM's stores and atomics write, from the instruction's record to the
 * packets (gm_config_sends_bytes). Line requests in the load/store unit carry the number of theirs.
 */
#ifndef GOLDMEM_CYCLE_L1_BYTE_MASKS_H
#define GOLDMEM_CYCLE_L1_BYTE_MASKS_H

#include "base/snapshot.h"

#include <stdint.h>

typedef struct gm_byte_masks {
    uint32_t *mask;                  /* [room][sectors] */
    uint32_t *vacant;                /* [room] numbers given back, a stack */
    uint32_t sectors;                /* of an L1 line */
    uint32_t room, given, vacancies; /* numbers from `given` on were never given */
    bool failed;                     /* out of memory: some requests have no masks */
} gm_byte_masks;

/* Makes no masks, for lines of so many sectors. gm_byte_masks_free frees their memory. */
void gm_byte_masks_init(gm_byte_masks *masks, uint32_t sectors);
void gm_byte_masks_free(gm_byte_masks *masks);

/* Keeps masks of a line's sectors. Returns their number, from 1; 0 on lack of memory. */
uint32_t gm_byte_masks_put(gm_byte_masks *masks, const uint32_t *mask);

/* Returns the masks of a number that was put, and gives the number back: they are valid until the
 * next put. */
const uint32_t *gm_byte_masks_take(gm_byte_masks *masks, uint32_t number);

/* Returns the masks of a number that was put: valid until the next put. */
static inline const uint32_t *gm_byte_masks_of(const gm_byte_masks *masks, uint32_t number)
{
    return &masks->mask[(size_t)(number - 1) * masks->sectors];
}

/* Returns how many are kept. */
static inline uint32_t gm_byte_masks_count(const gm_byte_masks *masks)
{
    return masks->given - masks->vacancies;
}

/* Saves or loads the masks. */
void gm_byte_masks_snapshot(gm_byte_masks *masks, gm_snapshot *snapshot);

#endif
