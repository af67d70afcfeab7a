/* Launch of warps: an SM launches the warps of its CTAs one after the other, sm.warp_launch apart,
 * each CTA's first one sm.cta_launch after the CTA was placed at the earliest. */
#include "cycle/sm/launch.h"

#include "cache/values.h"
#include "cycle/sm/warp_state.h"

/* Lets a warp go: it is to be fetched for, or ready. Requires that it has left its old state. */
static void begin(gm_cycle_sm *sm, gm_cycle_warp *warp, uint32_t slot)
{
    gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
    if (sm->fetch != 0) {
        gm_bitset_add(sm->unfetched, slot);
        gm_cycle_sm_enter(sm, scheduler, warp, slot, GM_STATE_FRONT, GM_SM_ANY);
    } else {
        gm_cycle_sm_enter_ready(scheduler, warp, slot, GM_SM_ANY);
    }
}

void gm_cycle_sm_launch(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    if (sm->shared->values != NULL) {
        gm_values_begin_warp(sm->shared->values, sm->number, slot);
    }
    if (!sm->launches) {
        begin(sm, warp, slot);
        return;
    }
    if (sm->fetch != 0) {
        gm_bitset_remove(sm->unfetched, slot); /* not fetched for before the end of its launch */
    }
    gm_cycle earliest = now + 1 + sm->cta_launch;
    warp->not_before = sm->launch_free > earliest ? sm->launch_free : earliest;
    sm->launch_free = warp->not_before + sm->warp_launch;
    gm_cycle_sm_enter(sm, gm_cycle_sm_scheduler_of(sm, warp), warp, slot, GM_STATE_LAUNCH,
                      GM_SM_ANY);
    gm_wake(&sm->next_launch, warp->not_before);
}

void gm_cycle_sm_end_launches(gm_cycle_sm *sm, gm_cycle now)
{
    sm->next_launch = GM_NEVER;
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        gm_cycle_warp *warp = &sm->warp[slot];
        if (warp->state == GM_STATE_LAUNCH && warp->not_before <= now) {
            gm_cycle_sm_scheduler_of(sm, warp)->warps[GM_STATE_LAUNCH]--;
            begin(sm, warp, slot);
        } else if (warp->state == GM_STATE_LAUNCH) {
            gm_wake(&sm->next_launch, warp->not_before);
        }
    }
}
