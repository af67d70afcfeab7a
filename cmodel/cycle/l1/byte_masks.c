/* Masks of the bytes that an SM's stores and atomics write. */
#include "cycle/l1/byte_masks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

void gm_byte_masks_init(gm_byte_masks *masks, uint32_t sectors)
{
    *masks = (gm_byte_masks){.sectors = sectors};
}

void gm_byte_masks_free(gm_byte_masks *masks)
{
    free(masks->mask);
    free(masks->vacant);
    *masks = (gm_byte_masks){.sectors = masks->sectors};
}

/* Makes room for so many masks. Returns false, and sets `failed`, on lack of memory. */
static bool grow(gm_byte_masks *masks, uint32_t room)
{
    masks->failed = true;
    void *mask = realloc(masks->mask, (size_t)room * masks->sectors * sizeof *masks->mask);
    if (mask == NULL) {
        return false;
    }
    masks->mask = mask;
    void *vacant = realloc(masks->vacant, (size_t)room * sizeof *masks->vacant);
    if (vacant == NULL) {
        return false;
    }
    masks->vacant = vacant;
    masks->room = room;
    masks->failed = false;
    return true;
}

uint32_t gm_byte_masks_put(gm_byte_masks *masks, const uint32_t *mask)
{
    uint32_t number = masks->given;
    if (masks->vacancies != 0) {
        number = masks->vacant[--masks->vacancies];
    } else if (masks->given < masks->room ||
               grow(masks, masks->room == 0 ? FIRST_ROOM : 2 * masks->room)) {
        masks->given++;
    } else {
        return 0;
    }
    memcpy(&masks->mask[(size_t)number * masks->sectors], mask, masks->sectors * sizeof *mask);
    return number + 1;
}

const uint32_t *gm_byte_masks_take(gm_byte_masks *masks, uint32_t number)
{
    masks->vacant[masks->vacancies++] = number - 1;
    return &masks->mask[(size_t)(number - 1) * masks->sectors];
}

void gm_byte_masks_snapshot(gm_byte_masks *masks, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, masks->given);
    GM_SNAPSHOT_VALUE(snapshot, masks->vacancies);
    if (snapshot->loading && snapshot->failed == 0 && masks->given > masks->room &&
        !grow(masks, masks->given)) {
        snapshot->failed = -ENOMEM;
    }
    if (snapshot->failed == 0) {
        GM_SNAPSHOT_ARRAY(snapshot, masks->mask, (size_t)masks->given * masks->sectors);
        GM_SNAPSHOT_ARRAY(snapshot, masks->vacant, masks->vacancies);
    }
}
