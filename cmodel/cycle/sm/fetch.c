/* Fetch: one warp a cycle, in turn by slots, as in GPGPU-Sim. A machine without sm.fetch issues a
 * warp's next instruction at once. */
#include "cycle/sm/fetch.h"

uint32_t gm_cycle_sm_fetch(gm_cycle_sm *sm, gm_cycle now)
{
    enum { UNTIL_ISSUE = 2 }; /* cycles from fetch over decode to issue */
    uint32_t slot = gm_bitset_next(sm->unfetched, sm->words, sm->fetched + 1);
    if (slot == GM_BITSET_NONE) {
        return GM_NO_WARP;
    }
    gm_bitset_remove(sm->unfetched, slot);
    sm->buffered[slot] = sm->fetch;
    sm->fetched = slot;
    gm_cycle_warp *warp = &sm->warp[slot];
    if (warp->not_before < now + UNTIL_ISSUE) {
        warp->not_before = now + UNTIL_ISSUE;
    }
    return slot;
}
