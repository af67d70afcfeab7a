/* Fetch: for warps in turn by slots, as in GPGPU-Sim, which decodes what it has fetched in the next
 * of the cycle's turns, after the last turn in the next cycle. A machine without sm.fetch issues a
 * warp's next instruction at once. */
#include "cycle/sm/fetch.h"

uint32_t gm_cycle_sm_fetch(gm_cycle_sm *sm, gm_cycle now, bool last)
{
    gm_cycle issue = now + 1 + last; /* first cycle, after fetch and decode */
    uint32_t slot = gm_bitset_next(sm->unfetched, sm->words, sm->fetched + 1);
    if (slot == GM_BITSET_NONE) {
        return GM_NO_WARP;
    }
    gm_bitset_remove(sm->unfetched, slot);
    sm->buffered[slot] = sm->fetch;
    sm->fetched = slot;
    gm_cycle_warp *warp = &sm->warp[slot];
    if (warp->not_before < issue) {
        warp->not_before = issue;
    }
    return slot;
}
