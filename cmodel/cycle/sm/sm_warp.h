/* Private to the SM's step: the states of a warp, and what brings it from one to the next.
 *
 * `plain` is a constant wherever it is given: true in the code of a plain machine (sm->plain), of
 * which the compiler so leaves out what only others have; false is right for every machine. */
#ifndef GOLDMEM_CYCLE_SM_SM_WARP_H
#define GOLDMEM_CYCLE_SM_SM_WARP_H

#include "cycle/sm/sm_parts.h"

static inline gm_cycle_scheduler *gm_cycle_sm_scheduler_of(const gm_cycle_sm *sm,
                                                           const gm_cycle_warp *warp)
{
    return &sm->scheduler[warp->scheduler];
}

/* The warp of the slot, which is in no state, is now in this one, not READY. */
static inline __attribute__((always_inline)) void gm_cycle_sm_enter(const gm_cycle_sm *sm,
                                                                    gm_cycle_scheduler *scheduler,
                                                                    gm_cycle_warp *warp,
                                                                    uint32_t slot,
                                                                    gm_warp_state state, bool plain)
{
    scheduler->warps[state]++;
    warp->state = (uint8_t)state;
    if (!plain && sm->groups && state != GM_STATE_RESULT && state != GM_STATE_FRONT) {
        gm_warp_scheduler_wait(&scheduler->policy, slot);
    }
}

/* The same for READY. */
static inline __attribute__((always_inline)) void gm_cycle_sm_set_ready(
    gm_cycle_scheduler *scheduler, gm_cycle_warp *warp, uint32_t slot, bool plain)
{
    unsigned pipe = warp->pipe;
    warp->state = GM_STATE_READY;
    scheduler->ready[plain ? 0 : slot / GM_WORD][pipe] |= gm_cycle_sm_bit(slot, plain);
    scheduler->pipes |= UINT32_C(1) << pipe;
}

/* The ready warp issues: it is in no state. */
static inline __attribute__((always_inline)) void gm_cycle_sm_leave_ready(
    const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, unsigned pipe, uint32_t slot, bool plain)
{
    uint64_t any = 0;
    scheduler->ready[plain ? 0 : slot / GM_WORD][pipe] ^= gm_cycle_sm_bit(slot, plain);
    for (uint32_t i = 0; i < (plain ? 1 : sm->words); i++) {
        any |= scheduler->ready[i][pipe];
    }
    if (any == 0) {
        scheduler->pipes ^= UINT32_C(1) << pipe;
    }
}

/* The warp, which is in no state, has ended. */
__attribute__((noinline)) void gm_cycle_sm_retire(gm_cycle_sm *sm, uint32_t slot);

/* What the warp's next instruction, a special one, waits for beside its registers: GM_STATE_READY
 * if nothing. */
__attribute__((noinline)) gm_warp_state gm_cycle_sm_held(const gm_cycle_warp *warp);

/* What the next instruction of the warp, which is in no state, waits for. Its registers are there
 * in cycle `at`; it can issue from `from` on. A warp that can by `soon` counts as ready at once,
 * one that can later will be. */
static inline __attribute__((always_inline)) void gm_cycle_sm_settle(
    gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_cycle_warp *warp, uint32_t slot, gm_cycle at,
    gm_cycle from, gm_cycle soon, bool plain)
{
    gm_warp_state state = GM_STATE_READY;
    if (!plain && gm_cycle_sm_is_hungry(sm, slot)) {
        state = GM_STATE_FRONT;
    } else if (gm_timed_is_special(warp->head)) {
        state = gm_cycle_sm_held(warp);
    }
    if (state == GM_STATE_READY && at >= GM_COLLECTING) {
        state = plain || at == GM_NEVER ? GM_STATE_DATA : GM_STATE_FRONT;
    }
    if (state != GM_STATE_READY) {
        gm_cycle_sm_enter(sm, scheduler, warp, slot, state, plain);
        return;
    }
    at = at > warp->not_before ? at : warp->not_before;
    at = at > from ? at : from;
    if (at <= soon) {
        gm_cycle_sm_set_ready(scheduler, warp, slot, plain);
    } else {
        gm_cycle_sm_enter(sm, scheduler, warp, slot, GM_STATE_RESULT, plain);
        gm_cycle_sm_turn(sm, slot, at, plain);
    }
}

/* The same for an instruction that has been looked at before. */
static inline __attribute__((always_inline)) void gm_cycle_sm_settle_again(
    gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_cycle_warp *warp, uint32_t slot,
    gm_cycle from, gm_cycle soon, bool plain)
{
    gm_cycle at = gm_scoreboard_ready(gm_cycle_sm_score(sm, slot), warp->registers,
                                      gm_timed_registers(warp->head));
    gm_cycle_sm_settle(sm, scheduler, warp, slot, at, from, soon, plain);
}

/* Something that the warp may wait for has come. */
static inline __attribute__((always_inline)) void gm_cycle_sm_look_again(gm_cycle_sm *sm,
                                                                         gm_cycle_warp *warp,
                                                                         uint32_t slot,
                                                                         gm_cycle now, bool plain)
{
    enum { WAITS = 1 << GM_STATE_DATA | 1 << GM_STATE_FENCE | 1 << GM_STATE_FRONT };
    gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
    if ((WAITS >> warp->state & 1) != 0) {
        scheduler->warps[warp->state]--;
        gm_cycle_sm_settle_again(sm, scheduler, warp, slot, now, now, plain);
    } else if (warp->state == GM_STATE_ENDING && warp->accesses == 0) {
        scheduler->warps[GM_STATE_ENDING]--;
        gm_cycle_sm_retire(sm, slot);
    }
}

/* The instructions of the warp, which is in no state, have all been issued. */
__attribute__((noinline)) void gm_cycle_sm_run_out(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* The warp, which is in no state, has come to a barrier. */
__attribute__((noinline)) void gm_cycle_sm_reach_barrier(gm_cycle_sm *sm, uint32_t slot,
                                                         gm_cycle now);

#endif
