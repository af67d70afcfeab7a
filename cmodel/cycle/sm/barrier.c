/* Barriers, fences, waits for asynchronous copies, and the end of warps. Rare, so not inlined. */
#include "cycle/sm/barrier.h"

#include "cycle/sm/fence.h"
#include "cycle/sm/live.h"
#include "cycle/sm/scoreboard.h"
#include "cycle/sm/warp_state.h"

/* Returns the first cycle from which all registers of the warp are available. */
static gm_cycle all_registers(const gm_cycle_sm *sm, uint32_t slot)
{
    return gm_scoreboard_all(gm_cycle_sm_score(sm, slot), sm->warp[slot].written);
}

/* With leases, the load/store unit's order is enough for a fence of CTA scope. */
static bool fence_waits(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    const gm_cycle_warp *warp = &sm->warp[slot];
    if (sm->fences != NULL) {
        return gm_timed_scope(warp->head) != GM_SCOPE_CTA && gm_cycle_fence_waits(sm, slot, now);
    }
    return sm->fence == GM_FENCE_ACCESSES && warp->accesses != 0;
}

gm_cycle gm_cycle_sm_fenced_until(const gm_cycle_sm *sm, uint32_t slot)
{
    return all_registers(sm, slot);
}

gm_warp_state gm_cycle_sm_wait_of(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    const gm_cycle_warp *warp = &sm->warp[slot];
    gm_op op = gm_timed_op(warp->head);
    bool copies = op == GM_OP_WAIT_GROUP && warp->groups > gm_timed_count(warp->head);
    bool fence = op == GM_OP_FENCE && fence_waits(sm, slot, now);
    return copies ? GM_STATE_DATA : fence ? GM_STATE_FENCE : GM_STATE_READY;
}

/* Releases the CTA's warps from its barrier. */
static void open_barrier(gm_cycle_sm *sm, uint32_t number, gm_cycle now)
{
    gm_cycle latency = sm->latency[GM_UNIT_CONTROL];
    gm_cycle from = sm->turns_occupied ? now : now + (latency != 0 ? latency : 1);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = sm->waiting[i]; left != 0;) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            gm_cycle_warp *warp = &sm->warp[slot];
            if (warp->cta == number) {
                gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
                gm_bitset_remove(sm->waiting, slot);
                if (warp->not_before < from) {
                    warp->not_before = from;
                }
                scheduler->warps[GM_STATE_BARRIER]--;
                gm_cycle_sm_enter_next_again(sm, scheduler, warp, slot, from, now, GM_SM_ANY);
            }
        }
    }
    sm->cta[number].waiting = 0;
}

/* Opens the CTA's barrier if all its warps with instructions left wait there. */
static inline void open_if_all(gm_cycle_sm *sm, uint32_t number, gm_cycle now)
{
    const gm_resident_cta *cta = &sm->cta[number];
    if (cta->waiting != 0 && cta->waiting == cta->running) {
        open_barrier(sm, number, now);
    }
}

void gm_cycle_sm_reach_barrier(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    uint32_t cta = warp->cta;
    gm_cycle_sm_enter(sm, gm_cycle_sm_scheduler_of(sm, warp), warp, slot, GM_STATE_BARRIER,
                      GM_SM_ANY);
    gm_bitset_add(sm->waiting, slot);
    sm->cta[cta].waiting++;
    open_if_all(sm, cta, now);
}

/* Handles an open warp that has issued all that has been delivered: it enters BARRIER or LIVE. */
static void run_dry(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    if (gm_timed_op(warp->head) == GM_OP_BARRIER) {
        gm_cycle_sm_reach_barrier(sm, slot, now);
        return;
    }
    gm_cycle_sm_enter(sm, gm_cycle_sm_scheduler_of(sm, warp), warp, slot, GM_STATE_DATA, GM_SM_ANY);
    warp->state = GM_STATE_LIVE;
}

/* Returns the cycle in which a warp ends that has issued all its instructions: GM_NEVER while an
 * access is unanswered or an instruction in a collector. */
static gm_cycle end_of(const gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    const gm_cycle_warp *warp = &sm->warp[slot];
    if (warp->accesses != 0 || sm->drain == 0) {
        return warp->accesses != 0 ? GM_NEVER : now;
    }
    gm_cycle results = all_registers(sm, slot);
    return warp->not_before > results ? warp->not_before : results;
}

/* Lets a warp in state ENDING wait until cycle `end`; GM_NEVER: until its next answer. */
static void drain_until(gm_cycle_sm *sm, uint32_t slot, gm_cycle end)
{
    if (end != GM_NEVER) {
        uint32_t turn = gm_wheel_slot(&sm->wheel, end, false);
        gm_bitset_add(&sm->waking[(size_t)turn * sm->words], slot);
        gm_wheel_add(&sm->wheel, turn, false);
    }
}

void gm_cycle_sm_run_out(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    uint32_t cta = warp->cta;
    if (gm_cycle_live_is_open(sm, warp)) {
        run_dry(sm, slot, now);
        return;
    }
    sm->cta[cta].running--;
    gm_cycle end = end_of(sm, slot, now);
    if (end > now) {
        gm_cycle_sm_enter(sm, gm_cycle_sm_scheduler_of(sm, warp), warp, slot, GM_STATE_ENDING,
                          GM_SM_ANY);
        drain_until(sm, slot, end);
    } else {
        gm_cycle_sm_retire(sm, slot, now);
    }
    open_if_all(sm, cta, now);
}

void gm_cycle_sm_end_warp(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle end = end_of(sm, slot, now);
    if (end > now) {
        drain_until(sm, slot, end);
    } else {
        gm_cycle_sm_scheduler_of(sm, &sm->warp[slot])->warps[GM_STATE_ENDING]--;
        gm_cycle_sm_retire(sm, slot, now);
    }
}

void gm_cycle_sm_retire(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
    gm_resident_cta *cta = &sm->cta[warp->cta];
    if (sm->throttle != NULL && warp->state == GM_STATE_ENDING) {
        gm_cycle_throttle_note_free(sm, scheduler);
    }
    gm_cycle_sm_enter(sm, scheduler, warp, slot, GM_STATE_FREE, GM_SM_ANY);
    gm_warp_scheduler_retire(&scheduler->policy, slot);
    gm_occupancy_leave(&sm->occupancy, now);
    if (sm->turns_occupied && sm->occupancy.resident == 0) {
        sm->turns_from -= now + 1;
    }
    if (--cta->live == 0) {
        gm_cta *ended = sm->resident_cta[warp->cta];
        ended->next_ended = sm->ended;
        sm->ended = ended;
    }
}
