/* Fetch: for warps in turn by slots, as in GPGPU-Sim, which decodes what it has fetched in the next
 * of the cycle's turns, after the last turn in the next cycle. A machine without sm.fetch issues a
 * warp's next instruction at once. With an instruction cache, warps whose lines have arrived go
 * first. */
#include "cycle/sm/fetch.h"

/* Returns the next warp in turn whose buffer is empty, which then is not; GM_NO_WARP: there is
 * none. */
static inline uint32_t take_turn(gm_cycle_sm *sm)
{
    uint32_t slot = gm_bitset_next(sm->unfetched, sm->words, sm->fetched + 1);
    if (slot == GM_BITSET_NONE) {
        return GM_NO_WARP;
    }
    gm_bitset_remove(sm->unfetched, slot);
    sm->fetched = slot;
    return slot;
}

/* Fills the warp's buffer with instructions that can issue from cycle `issue` on. */
static inline void fill_buffer(gm_cycle_sm *sm, uint32_t slot, gm_cycle issue)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    sm->buffered[slot] = sm->fetch;
    if (warp->not_before < issue) {
        warp->not_before = issue;
    }
}

/* gm_cycle_sm_fetch with an instruction cache. Not in line: in line, a stream on the imported QV100
 * takes 0.8% more instructions. */
static __attribute__((noinline)) uint32_t fetch_line(gm_cycle_sm *sm, gm_cycle issue, gm_cycle now)
{
    gm_l1i *l1i = sm->l1i;
    uint32_t slot;
    if (gm_l1i_has_arrived(l1i)) {
        slot = gm_l1i_serve(l1i);
    } else {
        slot = take_turn(sm);
        if (slot == GM_NO_WARP || !gm_l1i_look_up(l1i, slot, sm->load_store, now)) {
            return slot;
        }
        issue += l1i->latency;
    }
    fill_buffer(sm, slot, issue);
    l1i->line[slot] = l1i->next[slot];
    return slot;
}

uint32_t gm_cycle_sm_fetch(gm_cycle_sm *sm, gm_cycle now, bool last)
{
    gm_cycle issue = now + 1 + last; /* first cycle, after fetch and decode */
    if (sm->l1i != NULL) {
        return fetch_line(sm, issue, now);
    }
    uint32_t slot = take_turn(sm);
    if (slot != GM_NO_WARP) {
        fill_buffer(sm, slot, issue);
    }
    return slot;
}
