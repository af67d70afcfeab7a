/* LRU lists: the replacement order of sets of many ways. */
#include "cache/lru_list.h"

#include "base/bitset.h"

/* The clock begins in the middle: a slot that is made the oldest gets an earlier time than all. */
#define MIDDAY (UINT64_C(1) << 63)

size_t gm_lru_lists_bytes(uint32_t sets, uint32_t ways)
{
    enum { ALIGNMENT = 64 };
    return ((size_t)sets * ways + sets) * sizeof(gm_lru_link) + ALIGNMENT;
}

bool gm_lru_lists_init(gm_lru_lists *lists, uint32_t sets, uint32_t ways, gm_arena *arena)
{
    lists->slots = sets * ways;
    lists->first = MIDDAY;
    lists->last = MIDDAY;
    lists->link = gm_arena_take(arena, (size_t)lists->slots + sets, sizeof *lists->link);
    return lists->link != NULL;
}

/* Puts a slot between two neighbours. */
static void put(gm_lru_link *link, uint32_t slot, uint32_t older, uint32_t newer)
{
    link[slot].older = older;
    link[slot].newer = newer;
    link[older].newer = slot;
    link[newer].older = slot;
}

static void take_out(gm_lru_link *link, uint32_t slot)
{
    link[link[slot].newer].older = link[slot].older;
    link[link[slot].older].newer = link[slot].newer;
}

void gm_lru_lists_start(gm_lru_lists *lists, uint32_t set, uint32_t first, uint32_t ways)
{
    gm_lru_link *link = lists->link;
    uint32_t ends = lists->slots + set;
    link[ends] = (gm_lru_link){.older = ends, .newer = ends};
    for (uint32_t slot = first + ways; slot-- > first;) {
        link[slot].used = ++lists->last;
        put(link, slot, link[ends].older, ends);
    }
}

void gm_lru_lists_make_newest(gm_lru_lists *lists, uint32_t set, uint32_t slot)
{
    gm_lru_link *link = lists->link;
    uint32_t ends = lists->slots + set;
    link[slot].used = ++lists->last;
    if (link[slot].newer != ends && link[slot].newer != GM_LRU_WAITS) {
        take_out(link, slot);
        put(link, slot, link[ends].older, ends);
    }
}

void gm_lru_lists_make_oldest(gm_lru_lists *lists, uint32_t set, uint32_t slot)
{
    gm_lru_link *link = lists->link;
    uint32_t ends = lists->slots + set;
    link[slot].used = --lists->first;
    if (link[slot].newer != GM_LRU_WAITS) {
        take_out(link, slot);
        put(link, slot, ends, link[ends].newer);
    }
}

void gm_lru_lists_wait(gm_lru_lists *lists, uint32_t slot)
{
    gm_lru_link *link = lists->link;
    if (link[slot].newer != GM_LRU_WAITS) {
        take_out(link, slot);
        link[slot].older = GM_LRU_WAITS;
        link[slot].newer = GM_LRU_WAITS;
    }
}

void gm_lru_lists_arrive(gm_lru_lists *lists, uint32_t set, uint32_t slot)
{
    gm_lru_link *link = lists->link;
    uint32_t ends = lists->slots + set;
    if (link[slot].newer != GM_LRU_WAITS) {
        return;
    }
    uint32_t newer = ends;
    uint32_t older = link[ends].older;
    while (older != ends && link[older].used > link[slot].used) {
        newer = older;
        older = link[older].older;
    }
    put(link, slot, older, newer);
}

/* True if a slot is where it should be: in no list if it waits, else behind its older neighbour. */
static bool is_in_order(const gm_lru_lists *lists, uint32_t ends, uint32_t slot, bool waits)
{
    const gm_lru_link *link = lists->link;
    uint32_t older = link[slot].older;
    uint32_t newer = link[slot].newer;
    if (waits) {
        return older == GM_LRU_WAITS && newer == GM_LRU_WAITS;
    }
    bool inside =
        (older < lists->slots || older == ends) && (newer < lists->slots || newer == ends);
    return inside && link[older].newer == slot && link[newer].older == slot &&
           (older == ends || link[older].used < link[slot].used);
}

bool gm_lru_lists_are_sound(const gm_lru_lists *lists, uint32_t set, uint32_t first, uint32_t ways,
                            const uint64_t *waiting, uint32_t *broken)
{
    uint32_t ends = lists->slots + set;
    uint32_t left = ways;
    for (uint32_t slot = first; slot < first + ways; slot++) {
        bool waits = waiting != NULL && gm_bitset_has(waiting, slot);
        if (!is_in_order(lists, ends, slot, waits)) {
            *broken = slot;
            return false;
        }
        left -= waits;
    }
    *broken = lists->link[ends].newer; /* the links are sound: none else leads out of the set */
    for (; *broken - first < ways && left != 0; left--) {
        *broken = lists->link[*broken].newer;
    }
    return *broken == ends && left == 0;
}
