/* Throttling: which warps of an SM may issue [khairy, 4.2]. A warp that may not issue stays in its
 * state; issue.c neither chooses it nor wakes for it.
 *
 * A permission is decided at the end of a cycle, from the states of the warps then, and holds from
 * the next one on. Warps that are free, launched, at a barrier or a fence, or about to end are
 * excluded: they neither issue nor count among the oldest, so that the warps they wait for become
 * the oldest. A warp that stops being excluded can issue at once if fewer than the limit of the
 * others are older. */
#ifndef GOLDMEM_CYCLE_SM_THROTTLE_H
#define GOLDMEM_CYCLE_SM_THROTTLE_H

#include "cycle/sm/warp.h"
#include "frontend/timed_record.h"
#include "policy/ccws.h"

/* State; NULL in an SM that is not throttled. */
struct gm_cycle_throttle {
    uint64_t *may_issue; /* [words] bit set of the slots whose warps may issue */
    uint64_t *may_load;  /* [words] gates_loads: of these, slots whose warps may issue loads */
    uint64_t allowed[GM_MOST_SCHEDULERS];  /* static, sampling: may_issue by scheduler, bit i its
                                            * slot i */
    uint64_t admitted;                     /* sm->admitted at the last decision */
    uint32_t excluded[GM_MOST_SCHEDULERS]; /* a scheduler's warps excluded at its last decision */
    uint32_t limit; /* static, sampling: warps of a scheduler that may issue */
    gm_warp_limiter
        *limiter; /* static, sampling: [schedulers]; bit i of its sets is the scheduler's slot i */
    uint32_t due; /* mask of the schedulers of whose warps one has been excluded, or whose limit
                   * was set, since the last decision */
    bool gates_loads;  /* may_load is used */
    gm_ccws *ccws;     /* ccws: of the SM's L1; else NULL */
    uint64_t *started; /* ccws: [slots] 1 + age of the warp that has a score; 0: none */
    uint64_t held;     /* ccws: bit set of the slots whose next load has been held back */
    gm_throttling policy;
};

/* Returns the bytes of arena that gm_cycle_throttle_init takes; 0 with sm.throttle=none. */
size_t gm_cycle_throttle_bytes(const gm_config *config);

/* Makes sm->throttle, with permission for every warp; does nothing with sm.throttle=none. Returns
 * false without memory. */
bool gm_cycle_throttle_init(gm_cycle_sm *sm, const gm_config *config, gm_arena *arena);

/* Saves or loads the state. */
void gm_cycle_throttle_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot);

/* True for a state that excludes a warp from the oldest. */
static inline bool gm_cycle_throttle_excludes(gm_warp_state state)
{
    enum {
        EXCLUDES = 1 << GM_STATE_FREE | 1 << GM_STATE_BARRIER | 1 << GM_STATE_FENCE |
                   1 << GM_STATE_ENDING | 1 << GM_STATE_LAUNCH
    };
    return (EXCLUDES >> state & 1) != 0;
}

/* True for the instructions that may_load gates: loads and atomics of global and local memory, and
 * asynchronous copies; no stores, no reductions, no accesses to shared memory. */
static inline bool gm_cycle_throttle_gates(uint64_t head)
{
    enum { GATED = 1 << GM_REQUEST_LOAD | 1 << GM_REQUEST_STRONG_LOAD | 1 << GM_REQUEST_ATOMIC };
    return gm_timed_lines_of(head) != GM_TIMED_NO_LINES && (GATED >> gm_timed_kind(head) & 1) != 0;
}

/* Removes from a word of a bit set of warps those that next issue what they may not: gates_loads.
 */
uint64_t gm_cycle_throttle_gate(const gm_cycle_sm *sm, uint64_t warps, uint32_t word);

/* Returns those of the warps, ready for the load/store unit, that may issue. `warps`: a word of a
 * bit set. */
static inline uint64_t gm_cycle_throttle_memory(const gm_cycle_sm *sm, uint64_t warps,
                                                uint32_t word)
{
    warps &= sm->throttle->may_issue[word];
    return sm->throttle->gates_loads ? gm_cycle_throttle_gate(sm, warps, word) : warps;
}

/* ccws: notes the loads that are held back at a cycle's end. `ready`: the scheduler's warps that
 * are ready for the load/store unit. Requires gates_loads. */
static inline void gm_cycle_throttle_note_held(const gm_cycle_sm *sm, uint64_t ready)
{
    sm->throttle->held |= ready & ~gm_cycle_throttle_gate(sm, ready, 0);
}

/* ccws: counts the memory instruction that the slot's warp issues, if it is one that may_load
 * gates. Requires gates_loads. */
static inline void gm_cycle_throttle_note_load(const gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_throttle *throttle = sm->throttle;
    if (gm_cycle_throttle_gates(sm->warp[slot].head)) {
        uint64_t bit = UINT64_C(1) << slot;
        throttle->ccws->statistics.loads++;
        throttle->ccws->statistics.loads_held += (throttle->held & bit) != 0;
        throttle->held &= ~bit;
    }
}

/* Notes that a warp of the scheduler has entered a state that excludes it from the oldest. */
static inline void gm_cycle_throttle_note(const gm_cycle_sm *sm,
                                          const gm_cycle_scheduler *scheduler)
{
    sm->throttle->due |= UINT32_C(1) << (scheduler - sm->scheduler);
}

/* Notes that an ending warp of the scheduler has left the SM: it stays excluded, and nothing is to
 * be decided. Requires that a decision was made since it began to end. */
static inline void gm_cycle_throttle_note_free(const gm_cycle_sm *sm,
                                               const gm_cycle_scheduler *scheduler)
{
    sm->throttle->excluded[scheduler - sm->scheduler]--;
}

/* Decides on the permissions anew, from the warps' states: of the schedulers that need it. */
void gm_cycle_throttle_decide(gm_cycle_sm *sm);

/* Decides on the loads from the scores in cycle `now`: CCWS. */
void gm_cycle_throttle_score(gm_cycle_sm *sm, gm_cycle now);

/* True if the scores may forbid or allow loads of other warps in cycle `now` than before. */
static inline bool gm_cycle_throttle_is_due(const gm_cycle_sm *sm, gm_cycle now)
{
    const gm_ccws *ccws = sm->throttle->ccws;
    return ccws != NULL && (ccws->due || ccws->change <= now);
}

/* Before the SM issues: decides if warps were admitted at the end of the last cycle, so that they
 * can issue in the first cycle in which unthrottled ones can; and if the scores have changed. */
static inline void gm_cycle_throttle_begin(gm_cycle_sm *sm, gm_cycle now)
{
    if (sm->throttle->admitted != sm->admitted) {
        gm_cycle_throttle_decide(sm);
    }
    if (gm_cycle_throttle_is_due(sm, now)) {
        gm_cycle_throttle_score(sm, now);
    }
}

/* After the SM has issued: decides if something has changed. Returns the next cycle in which the
 * permissions may change without an event in the SM; GM_NEVER: none. */
gm_cycle gm_cycle_throttle_end(gm_cycle_sm *sm, gm_cycle now);

#endif
