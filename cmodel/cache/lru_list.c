/* LRU list: the replacement order of a set of many ways. */
#include "cache/lru_list.h"

void gm_lru_list_start(gm_lru_link *link, uint32_t first, uint32_t ways, gm_lru_clock *clock)
{
    uint32_t last = first + ways - 1;
    for (uint32_t slot = first; slot <= last; slot++) {
        link[slot].older = slot == last ? first : slot + 1;
        link[slot].newer = slot == first ? last : slot - 1;
        link[slot].used = clock->latest + ways - (slot - first);
    }
    clock->latest += ways;
}

/* Moves a slot between the oldest and the newest. Requires that it is neither. */
static void move_to_the_seam(gm_lru_link *link, uint32_t newest, uint32_t slot)
{
    link[link[slot].newer].older = link[slot].older;
    link[link[slot].older].newer = link[slot].newer;
    uint32_t oldest = link[newest].newer;
    link[slot].older = newest;
    link[slot].newer = oldest;
    link[oldest].older = slot;
    link[newest].newer = slot;
}

uint32_t gm_lru_list_make_newest(gm_lru_link *link, uint64_t newest, uint32_t slot,
                                 gm_lru_clock *clock)
{
    link[slot].used = ++clock->latest;
    if (slot != newest && slot != link[newest].newer) {
        move_to_the_seam(link, (uint32_t)newest, slot);
    }
    return slot; /* the oldest becomes the newest: only the head moves */
}

uint32_t gm_lru_list_make_oldest(gm_lru_link *link, uint64_t newest, uint32_t slot,
                                 gm_lru_clock *clock)
{
    link[slot].used = --clock->earliest;
    if (slot == newest) {
        return link[slot].older;
    }
    if (slot != link[newest].newer) {
        move_to_the_seam(link, (uint32_t)newest, slot);
    }
    return (uint32_t)newest;
}

bool gm_lru_list_is_sound(const gm_lru_link *link, uint64_t newest, uint32_t first, uint32_t ways,
                          uint32_t *broken)
{
    uint32_t slot = (uint32_t)newest;
    for (uint32_t i = 0; i < ways; i++) {
        uint32_t older = link[slot].older;
        bool last = i + 1 == ways;
        bool by_use = last || (older - first < ways && link[older].used < link[slot].used);
        if (slot - first >= ways || link[older].newer != slot || (older == newest) != last ||
            !by_use) {
            *broken = slot;
            return false;
        }
        slot = older;
    }
    return true;
}
