/* Live CTAs in an SM. */
#include "cycle/sm/live.h"

#include "cycle/sm/warp_state.h"

/* Decodes the next instruction of a warp that had run dry. Returns the first cycle in which its
 * registers are available. */
static gm_cycle decode(gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_warp_stream *stream = sm->stream[slot];
    gm_cycle_live *live = sm->shared->live;
    const unsigned char *record = gm_warp_store_first(sm->shared->store, stream, &live->failed);
    if (record == NULL) {
        return 0;
    }
    if (sm->fetch != 0 && sm->buffered[slot] == 0) {
        gm_bitset_add(sm->unfetched, slot);
    }
    return gm_cycle_sm_decode_next(sm, warp, slot, gm_cycle_sm_score(sm, slot), record, GM_SM_ANY);
}

/* Decodes for the warps of a CTA that had run dry at its barrier. */
static void decode_waiting(gm_cycle_sm *sm, uint32_t cta)
{
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = sm->waiting[i]; left != 0;) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            const gm_cycle_warp *warp = &sm->warp[slot];
            if (warp->cta == cta && sm->stream[slot]->count != 0 &&
                gm_timed_op(warp->head) == GM_OP_BARRIER) {
                decode(sm, slot);
            }
        }
    }
}

/* Lets a warp in LIVE whose next instruction has been decoded enter its next state. */
static void enter_next(gm_cycle_sm *sm, uint32_t slot, gm_cycle at, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
    scheduler->warps[GM_STATE_DATA]--;
    if (sm->throttle != NULL) {
        gm_cycle_sm_enter_next(sm, scheduler, warp, slot, at, now, now, GM_SM_THROTTLED);
    } else {
        gm_cycle_sm_enter_next(sm, scheduler, warp, slot, at, now, now, GM_SM_ANY);
    }
}

void gm_cycle_live_recheck(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_cycle_live *live = sm->shared->live;
    unsigned written = gm_timed_destinations(warp->head);
    bool answered =
        gm_scoreboard_ready(gm_cycle_sm_score(sm, slot), warp->registers, written) < GM_COLLECTING;
    if (!answered || live->failed.code != 0) {
        return;
    }
    gm_cta *cta = sm->resident_cta[warp->cta];
    if (live->go_on(live->context, sm, cta, warp->place, &live->failed) < 0) {
        return;
    }
    decode_waiting(sm, warp->cta);
    gm_cycle at = decode(sm, slot);
    if (live->failed.code == 0) {
        enter_next(sm, slot, at, now);
    }
}
