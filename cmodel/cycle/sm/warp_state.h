/* Warp states: which event a warp's next instruction waits for, and the transitions between them. A
 * warp leaves its state (its scheduler's count) before it enters another. */
#ifndef GOLDMEM_CYCLE_SM_WARP_STATE_H
#define GOLDMEM_CYCLE_SM_WARP_STATE_H

#include "cycle/sm/barrier.h"
#include "cycle/sm/fetch.h"
#include "cycle/sm/live.h"
#include "cycle/sm/throttle.h"

/* Enters a state other than READY. Requires that the warp has left its old state. */
GM_TEMPLATE void gm_cycle_sm_enter(const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                   gm_cycle_warp *warp, uint32_t slot, gm_warp_state state,
                                   const gm_sm_shape shape)
{
    scheduler->warps[state]++;
    warp->state = (uint8_t)state;
    if (shape.throttle && gm_cycle_throttle_excludes(state)) {
        gm_cycle_throttle_note(sm, scheduler);
    }
    if (shape.two_level && sm->two_level && state != GM_STATE_RESULT && state != GM_STATE_FRONT) {
        gm_warp_scheduler_wait(&scheduler->policy, slot);
    }
}

/* Enters READY. Requires that the warp has left its old state. */
GM_TEMPLATE void gm_cycle_sm_enter_ready(gm_cycle_scheduler *scheduler, gm_cycle_warp *warp,
                                         uint32_t slot, const gm_sm_shape shape)
{
    unsigned pipe = warp->pipe;
    warp->state = GM_STATE_READY;
    scheduler->ready[gm_cycle_sm_word(slot, shape)][pipe] |= gm_cycle_sm_bit(slot, shape);
    scheduler->pipes |= UINT32_C(1) << pipe;
}

/* Leaves READY. */
GM_TEMPLATE void gm_cycle_sm_leave_ready(const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                         unsigned pipe, uint32_t slot, const gm_sm_shape shape)
{
    uint64_t any = 0;
    scheduler->ready[gm_cycle_sm_word(slot, shape)][pipe] ^= gm_cycle_sm_bit(slot, shape);
    for (uint32_t i = 0; i < gm_cycle_sm_words(sm, shape); i++) {
        any |= scheduler->ready[i][pipe];
    }
    if (any == 0) {
        scheduler->pipes ^= UINT32_C(1) << pipe;
    }
}

/* Enters RESULT until cycle `at`. Requires that `at` is less than the wheel's slots ahead. */
GM_TEMPLATE void gm_cycle_sm_enter_result(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                          gm_cycle_warp *warp, uint32_t slot, gm_cycle at,
                                          const gm_sm_shape shape)
{
    uint32_t turn = gm_wheel_slot(&sm->wheel, at, !shape.long_wheel);
    size_t row = (size_t)turn * gm_cycle_sm_words(sm, shape);
    gm_cycle_sm_enter(sm, scheduler, warp, slot, GM_STATE_RESULT, shape);
    sm->waking[row + gm_cycle_sm_word(slot, shape)] |= gm_cycle_sm_bit(slot, shape);
    gm_wheel_add(&sm->wheel, turn, !shape.long_wheel);
}

/* Enters the state of a warp with this next instruction, whose registers are available from `at` on
 * (as gm_scoreboard_ready) and which can issue from `from` on: READY if it can issue by `soon`.
 * Requires that the warp has left its old state. */
GM_TEMPLATE void gm_cycle_sm_enter_next(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                        gm_cycle_warp *warp, uint32_t slot, gm_cycle at,
                                        gm_cycle from, gm_cycle soon, const gm_sm_shape shape)
{
    gm_warp_state state = GM_STATE_READY;
    if (shape.fetch && gm_cycle_sm_is_unfetched(sm, slot)) {
        state = GM_STATE_FRONT;
    } else if (shape.l1i && gm_cycle_sm_is_missing(sm, slot)) {
        state = GM_STATE_FETCH;
    } else if (gm_timed_is_special(warp->head)) {
        state = gm_cycle_sm_wait_of(sm, slot, from);
    }
    at = at > warp->not_before ? at : warp->not_before;
    if (shape.collectors && gm_cycle_sm_is_fenced(sm, slot)) {
        gm_cycle until = gm_cycle_sm_fenced_until(sm, slot);
        state = state == GM_STATE_READY && until == GM_NEVER ? GM_STATE_FENCE : state;
        at = at > until ? at : until;
    }
    if (state == GM_STATE_READY && at >= GM_COLLECTING) {
        state = !shape.collectors || at == GM_NEVER ? GM_STATE_DATA : GM_STATE_FRONT;
    }
    if (state != GM_STATE_READY) {
        gm_cycle_sm_enter(sm, scheduler, warp, slot, state, shape);
        return;
    }
    at = at > from ? at : from;
    if (at <= soon) {
        gm_cycle_sm_enter_ready(scheduler, warp, slot, shape);
    } else {
        gm_cycle_sm_enter_result(sm, scheduler, warp, slot, at, shape);
    }
}

/* gm_cycle_sm_enter_next of an instruction that has been decoded: reads the scoreboard again. */
GM_TEMPLATE void gm_cycle_sm_enter_next_again(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                                              gm_cycle_warp *warp, uint32_t slot, gm_cycle from,
                                              gm_cycle soon, const gm_sm_shape shape)
{
    gm_cycle at = gm_scoreboard_ready(gm_cycle_sm_score(sm, slot), warp->registers,
                                      gm_timed_registers(warp->head));
    gm_cycle_sm_enter_next(sm, scheduler, warp, slot, at, from, soon, shape);
}

/* Finds a warp's state again after an event that the warp may wait for: an answer, a fetch, an
 * instruction that left its collector. */
GM_TEMPLATE void gm_cycle_sm_recheck(gm_cycle_sm *sm, gm_cycle_warp *warp, uint32_t slot,
                                     gm_cycle now, const gm_sm_shape shape)
{
    enum {
        WAITS = 1 << GM_STATE_DATA | 1 << GM_STATE_FENCE | 1 << GM_STATE_FRONT | 1 << GM_STATE_FETCH
    };
    gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
    if ((WAITS >> warp->state & 1) != 0) {
        scheduler->warps[warp->state]--;
        gm_cycle_sm_enter_next_again(sm, scheduler, warp, slot, now, now, shape);
    } else if (warp->state == GM_STATE_ENDING && warp->accesses == 0) {
        gm_cycle_sm_end_warp(sm, slot, now);
    } else if (warp->state == GM_STATE_LIVE) {
        gm_cycle_live_recheck(sm, slot, now);
    }
}

#endif
