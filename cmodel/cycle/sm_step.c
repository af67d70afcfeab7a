/* SM of the cycle engine: one cycle. */
#include "cycle/sm_warp.h"

/* A branch, an exit or the end of a group has been issued. */
static void finish(gm_timed_sm *sm, uint32_t slot, gm_op op, gm_cycle now)
{
    if (op == GM_OP_COMMIT_GROUP) {
        gm_timed_sm_commit(sm, slot);
    } else {
        sm->warp[slot].not_before = now + sm->latency[GM_UNIT_CONTROL];
    }
}

/* The warp's next instruction issues: it goes to its pipe, and the one behind it is looked at. */
static inline __attribute__((always_inline)) int issue(gm_timed_sm *sm,
                                                       gm_timed_scheduler *scheduler, uint32_t slot,
                                                       gm_cycle now, bool plain, gm_error *error)
{
    enum { REST = 1 << GM_OP_BRANCH | 1 << GM_OP_EXIT | 1 << GM_OP_COMMIT_GROUP };
    gm_timed_warp *warp = &sm->warp[slot];
    gm_warp_stream *stream = sm->stream[slot];
    uint64_t head = warp->head;
    unsigned pipe = warp->pipe;
    gm_op op = gm_timed_op(head);
    gm_timed_sm_leave_ready(sm, scheduler, slot, plain);
    warp->issued = now;
    if (pipe == GM_UNIT_MEMORY) {
        int code = gm_timed_sm_access(sm, slot, now, error);
        if (code < 0) {
            return code;
        }
    } else {
        if (!plain && sm->collects && pipe != GM_PIPE_NONE) {
            gm_timed_sm_collect(sm, slot);
        } else {
            gm_timed_sm_occupy(sm, scheduler, pipe, now);
            gm_scoreboard_set(gm_timed_sm_score(sm, slot), &warp->written, warp->registers,
                              gm_timed_destinations(head), now + sm->latency[pipe]);
        }
        gm_warp_store_remove(stream, GM_WARP_HEAD + gm_timed_register_bytes(head));
        warp->taken++;
        if ((REST >> op & 1) != 0) {
            finish(sm, slot, op, now);
        }
    }
    if (!plain && sm->fetch != 0 && --sm->buffered[slot] == 0 && stream->count != 0) {
        gm_timed_sm_hunger(sm, slot);
    }
    if (stream->count == 0) {
        gm_timed_sm_run_out(sm, slot, now);
        return 0;
    }
    int code = gm_timed_sm_look(sm, warp, stream, error);
    if (code < 0) {
        return code;
    }
    if (op == GM_OP_BARRIER) {
        gm_timed_sm_reach_barrier(sm, slot, now);
    } else {
        gm_timed_sm_settle(sm, scheduler, slot, now + 1, now + 1, plain);
    }
    return 0;
}

/* The first instruction of a warp is looked at. */
static int look_first(gm_timed_sm *sm, uint32_t slot, gm_cycle now, gm_error *error)
{
    int code = gm_timed_sm_look(sm, &sm->warp[slot], sm->stream[slot], error);
    if (code == 0) {
        gm_timed_sm_settle(sm, gm_timed_sm_scheduler_of(sm, slot), slot, now, now, false);
    }
    return code;
}

/* Warps whose next instruction can issue now, or whose first one is to be looked at. */
static inline __attribute__((always_inline)) int turn_wheel(gm_timed_sm *sm, gm_cycle now,
                                                            bool plain, gm_error *error)
{
    uint32_t words = plain ? 1 : sm->words;
    uint32_t turn = (uint32_t)now & ((plain ? (uint32_t)GM_WORD : sm->turns) - 1);
    uint64_t bit = UINT64_C(1) << turn % GM_WORD;
    if ((sm->turning[turn / GM_WORD] & bit) == 0) {
        return 0;
    }
    sm->turning[turn / GM_WORD] &= ~bit;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t *word = &sm->wheel[(size_t)turn * words + i];
        uint64_t left = *word;
        *word = 0;
        for (; left != 0; left &= left - 1) {
            uint32_t slot = i * GM_WORD + gm_lowest_one(left);
            gm_timed_scheduler *scheduler = gm_timed_sm_scheduler_of(sm, slot);
            scheduler->warps[GM_STATE_RESULT]--;
            if (sm->warp[slot].known) {
                gm_timed_sm_set_ready(sm, scheduler, slot, plain);
                continue;
            }
            int code = look_first(sm, slot, now, error);
            if (code < 0) {
                return code;
            }
        }
    }
    return 0;
}

static inline __attribute__((always_inline)) void answer(gm_timed_sm *sm, gm_cycle now, bool plain)
{
    const gm_load_store *unit = sm->load_store;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        gm_timed_sm_look_again(sm, gm_timed_sm_answer(sm, unit->done[i], now), now, plain);
    }
}

static void step_collectors(gm_timed_sm *sm, gm_cycle now)
{
    uint64_t slots[GM_WARP_WORDS] = {0};
    gm_timed_sm_step_collectors(sm, now, slots);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = slots[i]; left != 0; left &= left - 1) {
            gm_timed_sm_look_again(sm, i * GM_WORD + gm_lowest_one(left), now, false);
        }
    }
}

/* Whether there may be more to fetch in the next cycle. */
static bool fetch(gm_timed_sm *sm, gm_cycle now)
{
    enum { UNTIL_ISSUE = 2 }; /* fetched, decoded, issued */
    uint32_t slot = gm_timed_sm_fetch(sm);
    if (slot == GM_NO_WARP) {
        return false;
    }
    gm_timed_warp *warp = &sm->warp[slot];
    if (warp->not_before < now + UNTIL_ISSUE) {
        warp->not_before = now + UNTIL_ISSUE;
    }
    gm_timed_sm_look_again(sm, slot, now, false);
    return true;
}

/* Ready warps of the scheduler whose pipe is one of the mask, and is not busy in cycle `now`:
 * *ready, of `words`. */
static inline __attribute__((always_inline)) void ready_of(const gm_timed_scheduler *scheduler,
                                                           uint32_t pipes, gm_cycle now,
                                                           uint32_t words, uint64_t *ready)
{
    for (uint32_t i = 0; i < words; i++) {
        ready[i] = 0;
    }
    for (; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        if (scheduler->busy[pipe] <= now) {
            for (uint32_t i = 0; i < words; i++) {
                ready[i] |= scheduler->ready[i][pipe];
            }
        }
    }
}

/* Two-level: ready warps enter the group as soon as it has room, so that who enters does not depend
 * on when the SM is visited. */
static void fill_group(const gm_timed_sm *sm, gm_timed_scheduler *scheduler)
{
    if (scheduler->pipes != 0 && scheduler->policy.actives < scheduler->policy.group) {
        uint64_t ready[GM_WARP_WORDS];
        ready_of(scheduler, scheduler->pipes, GM_NEVER, sm->words, ready);
        gm_warp_scheduler_fill(&scheduler->policy, ready, sm->age);
    }
}

/* Two-level: those of the pipes for which warps of the group are ready. */
static uint32_t pipes_of_group(const gm_timed_sm *sm, const gm_timed_scheduler *scheduler)
{
    uint32_t active = 0;
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        for (uint32_t i = 0; i < sm->words; i++) {
            bool any = (scheduler->ready[i][pipe] & scheduler->policy.active[i]) != 0;
            active |= (uint32_t)any << pipe;
        }
    }
    return active;
}

/* Those of the pipes behind the collectors whose register takes an instruction. */
static uint32_t pipes_with_register(const gm_timed_sm *sm, uint32_t pipes)
{
    uint32_t open = pipes & (UINT32_C(1) << GM_PIPE_NONE | UINT32_C(1) << GM_UNIT_MEMORY);
    for (pipes &= ~open; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        open |= (uint32_t)gm_operand_collector_takes(&sm->collector, pipe) << pipe;
    }
    return open;
}

/* Less the one to the load/store unit if that has no room. */
static inline __attribute__((always_inline)) uint32_t pipes_with_room(const gm_timed_sm *sm,
                                                                      uint32_t pipes, bool plain)
{
    uint32_t memory = pipes & UINT32_C(1) << GM_UNIT_MEMORY;
    return memory != 0 && !gm_timed_sm_has_room(sm, plain) ? pipes - memory : pipes;
}

/* The warp that issues, or GM_NO_WARP. */
static inline __attribute__((always_inline)) uint32_t choose(gm_timed_sm *sm,
                                                             gm_timed_scheduler *scheduler,
                                                             gm_cycle now, bool plain)
{
    bool collects = !plain && sm->collects;
    uint32_t words = plain ? 1 : sm->words;
    if (!plain && sm->groups) {
        fill_group(sm, scheduler);
    }
    uint32_t pipes = pipes_with_room(sm, scheduler->pipes, plain);
    if (collects) {
        pipes = pipes_with_register(sm, pipes);
    }
    if (pipes == 0) {
        return GM_NO_WARP;
    }
    uint64_t candidates[GM_WARP_WORDS];
    ready_of(scheduler, pipes, collects ? GM_NEVER : now, words, candidates);
    return gm_warp_scheduler_choose(&scheduler->policy, candidates, words, sm->age);
}

/* What a scheduler none of whose warps can issue waits for. */
static gm_slot_use use_of_waiting(const uint32_t *warps)
{
    return warps[GM_STATE_READY] != 0  ? GM_SLOT_DEPENDENCE /* the group waits for results */
           : warps[GM_STATE_DATA] != 0 ? GM_SLOT_MEMORY
           : warps[GM_STATE_RESULT] != 0 || warps[GM_STATE_FRONT] != 0 ? GM_SLOT_DEPENDENCE
           : warps[GM_STATE_BARRIER] != 0                              ? GM_SLOT_BARRIER
           : warps[GM_STATE_FENCE] != 0 || warps[GM_STATE_ENDING] != 0 ? GM_SLOT_FENCE
                                                                       : GM_SLOT_IDLE;
}

/* What a scheduler without issue does with its cycle, from the state at the cycle's end; lowers
 * *next to the cycle in which a ready warp may issue. */
static inline __attribute__((always_inline)) gm_slot_use use_of(gm_timed_sm *sm,
                                                                const gm_timed_scheduler *scheduler,
                                                                gm_cycle now, gm_cycle *next,
                                                                bool plain)
{
    uint32_t ready = plain || !sm->groups ? scheduler->pipes : pipes_of_group(sm, scheduler);
    uint32_t pipes = pipes_with_room(sm, ready, plain);
    if (!plain && sm->collects) {
        gm_wake(next, pipes_with_register(sm, pipes) != 0 ? now + 1 : GM_NEVER);
    } else {
        for (uint32_t left = pipes; left != 0 && *next > now + 1; left &= left - 1) {
            gm_cycle free = scheduler->busy[gm_lowest_one(left)];
            gm_wake(next, free > now ? free : now + 1);
        }
    }
    sm->wants_room = sm->wants_room || pipes != ready;
    return pipes != ready ? GM_SLOT_MEMORY_UNIT
           : pipes != 0   ? GM_SLOT_UNIT
                          : use_of_waiting(scheduler->warps);
}

/* Counts the scheduler's cycle, and lowers *next. */
static inline __attribute__((always_inline)) void end_cycle(gm_timed_sm *sm,
                                                            gm_timed_scheduler *scheduler,
                                                            bool issued, gm_cycle now,
                                                            gm_cycle *next, bool plain)
{
    if (!plain && sm->groups) {
        fill_group(sm, scheduler);
    }
    gm_slot_use use = now < sm->first ? GM_SLOT_IDLE : use_of(sm, scheduler, now, next, plain);
    if (issued || use != scheduler->use) {
        sm->slot[scheduler->use] += now - scheduler->since;
        sm->slot[GM_SLOT_ISSUED] += issued;
        scheduler->since = now + issued;
        scheduler->use = use;
    }
}

/* Each scheduler issues an instruction, if it has one; *issued: a mask of those that have. */
static inline __attribute__((always_inline)) int issue_all(gm_timed_sm *sm, gm_cycle now,
                                                           uint32_t *issued, bool plain,
                                                           gm_error *error)
{
    uint32_t number = (uint32_t)(now - gm_divide(&sm->in_turn, now) * sm->schedulers);
    int code = 0;
    for (uint32_t left = sm->schedulers; left != 0 && code == 0; left--) {
        gm_timed_scheduler *scheduler = &sm->scheduler[number];
        uint32_t slot = choose(sm, scheduler, now, plain);
        if (slot != GM_NO_WARP) {
            *issued |= UINT32_C(1) << number;
            code = issue(sm, scheduler, slot, now, plain, error);
        }
        number = number + 1 == sm->schedulers ? 0 : number + 1;
    }
    return code;
}

/* Has what kept a memory instruction from going on gone? */
static inline __attribute__((always_inline)) bool may_go_on(const gm_timed_sm *sm, bool plain)
{
    return sm->wants_room && (plain || !sm->collects ? gm_timed_sm_has_room(sm, plain)
                                                     : gm_load_store_has_room(sm->load_store));
}

/* The cycle of the schedulers, behind the load/store unit's. */
static inline __attribute__((always_inline)) int step(gm_timed_sm *sm, gm_cycle now, bool plain,
                                                      gm_error *error)
{
    sm->ended = NULL;
    if (now < sm->quiet && sm->load_store->done_count == 0 && !may_go_on(sm, plain)) {
        gm_wake(sm->wake, sm->quiet); /* it was the load/store unit's turn only */
        return 0;
    }
    answer(sm, now, plain);
    int code = turn_wheel(sm, now, plain, error);
    if (!plain && sm->collects && code == 0) {
        step_collectors(sm, now);
    }
    uint32_t issued = 0; /* mask of schedulers */
    if (code == 0 && now >= sm->first) {
        code = issue_all(sm, now, &issued, plain, error);
    }
    gm_cycle next = !plain && sm->fetch != 0 && code == 0 && fetch(sm, now) ? now + 1 : GM_NEVER;
    if (now < sm->first && sm->resident != 0) {
        gm_wake(&next, sm->first);
    }
    sm->wants_room = false;
    if (!plain && sm->collects) {
        gm_wake(&next, gm_timed_sm_next_collection(sm, now));
    }
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        end_cycle(sm, &sm->scheduler[i], (issued >> i & 1) != 0, now, &next, plain);
    }
    if (next > now + 1) {
        gm_wake(&next, gm_timed_sm_next_turn(sm, now));
    }
    sm->quiet = next;
    gm_wake(sm->wake, next);
    return code;
}

int gm_timed_sm_step(gm_timed_sm *sm, gm_cycle now, gm_error *error)
{
    if (gm_load_store_is_due(sm->load_store, now)) {
        gm_load_store_step(sm->load_store, now);
    } else {
        gm_load_store_rest(sm->load_store);
    }
    return sm->plain ? step(sm, now, true, error) : step(sm, now, false, error);
}
