/* SM of the cycle engine: one cycle. */
#include "cycle/sm_parts.h"

/* The warp is now in this state. */
static void enter(gm_timed_sm *sm, uint32_t slot, gm_warp_state state)
{
    gm_timed_warp *warp = &sm->warp[slot];
    gm_timed_scheduler *scheduler = &sm->scheduler[warp->scheduler];
    scheduler->warps[warp->state]--;
    scheduler->warps[state]++;
    warp->state = (uint8_t)state;
    if (sm->groups && state != GM_STATE_READY && state != GM_STATE_RESULT &&
        state != GM_STATE_FRONT) {
        gm_warp_scheduler_wait(&scheduler->policy, slot);
    }
}

static void set_ready(gm_timed_sm *sm, uint32_t slot)
{
    const gm_timed_warp *warp = &sm->warp[slot];
    gm_timed_scheduler *scheduler = &sm->scheduler[warp->scheduler];
    enter(sm, slot, GM_STATE_READY);
    scheduler->ready[warp->pipe][slot / GM_WORD] |= UINT64_C(1) << slot % GM_WORD;
    scheduler->pipes |= UINT32_C(1) << warp->pipe;
}

static void clear_ready(gm_timed_sm *sm, gm_timed_scheduler *scheduler, uint32_t slot)
{
    unsigned pipe = sm->warp[slot].pipe;
    uint64_t *ready = scheduler->ready[pipe];
    uint64_t any = 0;
    ready[slot / GM_WORD] &= ~(UINT64_C(1) << slot % GM_WORD);
    for (uint32_t i = 0; i < sm->words; i++) {
        any |= ready[i];
    }
    scheduler->pipes &= ~((uint32_t)(any == 0) << pipe);
}

/* What the warp's next instruction, which has been looked at, waits for. It can issue from `from`
 * on; a warp that can by `soon` counts as ready at once, one that can later will be. */
static void settle(gm_timed_sm *sm, uint32_t slot, gm_cycle from, gm_cycle soon)
{
    const gm_timed_warp *warp = &sm->warp[slot];
    uint64_t head = warp->head;
    gm_op op = gm_timed_op(head);
    if (gm_timed_sm_is_hungry(sm, slot)) {
        enter(sm, slot, GM_STATE_FRONT);
        return;
    }
    if (op == GM_OP_FENCE && warp->accesses != 0) {
        enter(sm, slot, GM_STATE_FENCE);
        return;
    }
    gm_cycle at =
        gm_scoreboard_ready(gm_timed_sm_score(sm, slot), warp->registers, gm_timed_registers(head));
    if (at == GM_NEVER || (op == GM_OP_WAIT_GROUP && warp->groups > gm_timed_count(head))) {
        enter(sm, slot, GM_STATE_DATA);
        return;
    }
    if (at == GM_COLLECTING) {
        enter(sm, slot, GM_STATE_FRONT);
        return;
    }
    at = at > warp->not_before ? at : warp->not_before;
    at = at > from ? at : from;
    if (at <= soon) {
        set_ready(sm, slot);
    } else {
        enter(sm, slot, GM_STATE_RESULT);
        gm_timed_sm_turn(sm, slot, at);
    }
}

/* The warp has ended. */
static void retire(gm_timed_sm *sm, uint32_t slot)
{
    gm_timed_warp *warp = &sm->warp[slot];
    gm_resident_cta *cta = &sm->cta[warp->cta];
    enter(sm, slot, GM_STATE_FREE);
    gm_warp_scheduler_retire(&sm->scheduler[warp->scheduler].policy, slot);
    sm->resident--;
    if (--cta->live == 0) {
        gm_cta *ended = sm->resident_cta[warp->cta];
        ended->next_ended = sm->ended;
        sm->ended = ended;
    }
}

/* Every warp of the CTA that has instructions left is at the barrier: they go on. */
static void open_barrier(gm_timed_sm *sm, uint32_t number, gm_cycle now)
{
    gm_cycle latency = sm->latency[GM_UNIT_CONTROL];
    gm_cycle from = now + (latency != 0 ? latency : 1);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = sm->waiting[i]; left != 0; left &= left - 1) {
            uint32_t slot = i * GM_WORD + gm_lowest_one(left);
            if (sm->warp[slot].cta == number) {
                sm->waiting[i] &= ~(left & -left);
                if (sm->warp[slot].not_before < from) {
                    sm->warp[slot].not_before = from;
                }
                settle(sm, slot, from, now);
            }
        }
    }
    sm->cta[number].waiting = 0;
}

/* An instruction has been issued: what becomes of its warp. */
static int go_on(gm_timed_sm *sm, uint32_t slot, gm_op op, gm_cycle now, gm_error *error)
{
    gm_timed_warp *warp = &sm->warp[slot];
    gm_resident_cta *cta = &sm->cta[warp->cta];
    uint32_t number = warp->cta;
    if (sm->stream[slot]->count == 0) {
        cta->running--;
        if (warp->accesses != 0) {
            enter(sm, slot, GM_STATE_ENDING);
        } else {
            retire(sm, slot);
        }
    } else {
        int code = gm_timed_sm_look(sm, slot, error);
        if (code < 0) {
            return code;
        }
        if (op == GM_OP_BARRIER) {
            enter(sm, slot, GM_STATE_BARRIER);
            sm->waiting[slot / GM_WORD] |= UINT64_C(1) << slot % GM_WORD;
            cta->waiting++;
        } else {
            settle(sm, slot, now + 1, now + 1);
        }
    }
    if (cta->waiting != 0 && cta->waiting == cta->running) {
        open_barrier(sm, number, now);
    }
    return 0;
}

static int issue(gm_timed_sm *sm, gm_timed_scheduler *scheduler, uint32_t slot, gm_cycle now,
                 gm_error *error)
{
    gm_timed_warp *warp = &sm->warp[slot];
    uint64_t head = warp->head;
    unsigned pipe = warp->pipe;
    gm_op op = gm_timed_op(head);
    clear_ready(sm, scheduler, slot);
    warp->issued = now;
    if (pipe == GM_UNIT_MEMORY) {
        int code = gm_timed_sm_access(sm, slot, now, error);
        if (code < 0) {
            return code;
        }
    } else {
        if (sm->collects && pipe != GM_PIPE_NONE) {
            gm_timed_sm_collect(sm, slot);
        } else {
            *gm_timed_sm_busy(sm, warp->scheduler, pipe) = now + sm->interval[pipe];
            gm_scoreboard_set(gm_timed_sm_score(sm, slot), &warp->written, warp->registers,
                              gm_timed_destinations(head), now + sm->latency[pipe]);
        }
        gm_warp_store_remove(sm->stream[slot], GM_WARP_HEAD + gm_timed_register_bytes(head));
        warp->taken++;
        if (op == GM_OP_BRANCH || op == GM_OP_EXIT) {
            warp->not_before = now + sm->latency[GM_UNIT_CONTROL];
        } else if (op == GM_OP_COMMIT_GROUP) {
            gm_timed_sm_commit(sm, slot);
        }
    }
    if (sm->fetch != 0 && --sm->buffered[slot] == 0 && sm->stream[slot]->count != 0) {
        gm_timed_sm_hunger(sm, slot);
    }
    return go_on(sm, slot, op, now, error);
}

/* Warps whose next instruction can issue now, or whose first one is to be looked at. */
static int turn_wheel(gm_timed_sm *sm, gm_cycle now, gm_error *error)
{
    uint32_t turn = (uint32_t)now & (sm->turns - 1);
    uint64_t bit = UINT64_C(1) << turn % GM_WORD;
    if ((sm->turning[turn / GM_WORD] & bit) == 0) {
        return 0;
    }
    sm->turning[turn / GM_WORD] &= ~bit;
    for (uint32_t i = 0; i < sm->words; i++) {
        uint64_t *word = &sm->wheel[(size_t)turn * sm->words + i];
        uint64_t left = *word;
        *word = 0;
        for (; left != 0; left &= left - 1) {
            uint32_t slot = i * GM_WORD + gm_lowest_one(left);
            if (sm->warp[slot].known) {
                set_ready(sm, slot);
                continue;
            }
            int code = gm_timed_sm_look(sm, slot, error);
            if (code < 0) {
                return code;
            }
            settle(sm, slot, now, now);
        }
    }
    return 0;
}

/* Something that the warp may wait for has come. */
static void look_again(gm_timed_sm *sm, uint32_t slot, gm_cycle now)
{
    const gm_timed_warp *warp = &sm->warp[slot];
    if (warp->state == GM_STATE_DATA || warp->state == GM_STATE_FENCE ||
        warp->state == GM_STATE_FRONT) {
        settle(sm, slot, now, now);
    } else if (warp->state == GM_STATE_ENDING && warp->accesses == 0) {
        retire(sm, slot);
    }
}

static void answer(gm_timed_sm *sm, gm_cycle now)
{
    const gm_load_store *unit = sm->load_store;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        look_again(sm, gm_timed_sm_answer(sm, unit->done[i], now), now);
    }
}

static void step_collectors(gm_timed_sm *sm, gm_cycle now)
{
    uint64_t slots[GM_WARP_WORDS] = {0};
    gm_timed_sm_step_collectors(sm, now, slots);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = slots[i]; left != 0; left &= left - 1) {
            look_again(sm, i * GM_WORD + gm_lowest_one(left), now);
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
    look_again(sm, slot, now);
    return true;
}

/* Two-level: ready warps enter the group as soon as it has room, so that who enters does not depend
 * on when the SM is visited. */
static void fill_group(const gm_timed_sm *sm, gm_timed_scheduler *scheduler)
{
    if (!sm->groups || scheduler->pipes == 0 ||
        scheduler->policy.actives >= scheduler->policy.group) {
        return;
    }
    uint64_t ready[GM_WARP_WORDS] = {0};
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        for (uint32_t i = 0; i < sm->words; i++) {
            ready[i] |= scheduler->ready[gm_lowest_one(pipes)][i];
        }
    }
    gm_warp_scheduler_fill(&scheduler->policy, ready, sm->age);
}

/* Can an instruction of the pipe issue? */
static inline bool takes(const gm_timed_sm *sm, uint32_t number, unsigned pipe, gm_cycle now)
{
    return pipe == GM_UNIT_MEMORY                 ? gm_timed_sm_has_room(sm)
           : sm->collects && pipe != GM_PIPE_NONE ? gm_operand_collector_takes(&sm->collector, pipe)
                                                  : *gm_timed_sm_busy(sm, number, pipe) <= now;
}

/* The warp that issues, or GM_NO_WARP. */
static uint32_t choose(gm_timed_sm *sm, gm_timed_scheduler *scheduler, uint32_t number,
                       gm_cycle now)
{
    uint32_t open = 0; /* pipes that take an instruction */
    fill_group(sm, scheduler);
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        open |= (uint32_t)takes(sm, number, pipe, now) << pipe;
    }
    if (open == 0) {
        return GM_NO_WARP;
    }
    uint64_t candidates[GM_WARP_WORDS];
    for (uint32_t i = 0; i < sm->words; i++) {
        candidates[i] = 0;
        for (uint32_t pipes = open; pipes != 0; pipes &= pipes - 1) {
            candidates[i] |= scheduler->ready[gm_lowest_one(pipes)][i];
        }
    }
    return gm_warp_scheduler_choose(&scheduler->policy, candidates, sm->age);
}

/* What a scheduler without issue does with its cycle, from the state at the cycle's end; lowers
 * *next to the cycle in which a ready warp may issue. */
static gm_slot_use use_of(gm_timed_sm *sm, uint32_t number, gm_cycle now, gm_cycle *next)
{
    const gm_timed_scheduler *scheduler = &sm->scheduler[number];
    bool unit = false;
    bool memory_unit = false;
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        if (sm->groups && !gm_warp_scheduler_may(&scheduler->policy, scheduler->ready[pipe])) {
            continue;
        }
        if (pipe == GM_UNIT_MEMORY && !gm_timed_sm_has_room(sm)) {
            memory_unit = true;
            continue;
        }
        unit = true;
        if (!sm->collects) {
            gm_cycle free = *gm_timed_sm_busy(sm, number, pipe);
            gm_wake(next, free > now ? free : now + 1);
        } else if (takes(sm, number, pipe, now)) {
            gm_wake(next, now + 1);
        }
    }
    const uint32_t *warps = scheduler->warps;
    sm->wants_room = sm->wants_room || memory_unit;
    return memory_unit                  ? GM_SLOT_MEMORY_UNIT
           : unit                       ? GM_SLOT_UNIT
           : warps[GM_STATE_READY] != 0 ? GM_SLOT_DEPENDENCE /* the group waits for results */
           : warps[GM_STATE_DATA] != 0  ? GM_SLOT_MEMORY
           : warps[GM_STATE_RESULT] != 0 || warps[GM_STATE_FRONT] != 0 ? GM_SLOT_DEPENDENCE
           : warps[GM_STATE_BARRIER] != 0                              ? GM_SLOT_BARRIER
           : warps[GM_STATE_FENCE] != 0 || warps[GM_STATE_ENDING] != 0 ? GM_SLOT_FENCE
                                                                       : GM_SLOT_IDLE;
}

/* Counts the scheduler's cycle, and lowers *next. */
static void end_cycle(gm_timed_sm *sm, uint32_t number, bool issued, gm_cycle now, gm_cycle *next)
{
    gm_timed_scheduler *scheduler = &sm->scheduler[number];
    fill_group(sm, scheduler);
    gm_slot_use use = now < sm->first ? GM_SLOT_IDLE : use_of(sm, number, now, next);
    if (issued || use != scheduler->use) {
        sm->slot[scheduler->use] += now - scheduler->since;
        sm->slot[GM_SLOT_ISSUED] += issued;
        scheduler->since = now + issued;
        scheduler->use = use;
    }
}

/* Each scheduler issues an instruction, if it has one; *issued: a mask of those that have. */
static inline int issue_all(gm_timed_sm *sm, gm_cycle now, uint32_t *issued, gm_error *error)
{
    uint32_t number = (uint32_t)(now - gm_divide(&sm->in_turn, now) * sm->schedulers);
    int code = 0;
    for (uint32_t left = sm->schedulers; left != 0 && code == 0; left--) {
        gm_timed_scheduler *scheduler = &sm->scheduler[number];
        uint32_t slot = choose(sm, scheduler, number, now);
        if (slot != GM_NO_WARP) {
            *issued |= UINT32_C(1) << number;
            code = issue(sm, scheduler, slot, now, error);
        }
        number = number + 1 == sm->schedulers ? 0 : number + 1;
    }
    return code;
}

int gm_timed_sm_step(gm_timed_sm *sm, gm_cycle now, gm_error *error)
{
    gm_load_store_step(sm->load_store, now);
    sm->ended = NULL;
    if (now < sm->quiet && sm->load_store->done_count == 0 && !gm_timed_sm_may_go_on(sm)) {
        gm_wake(sm->wake, sm->quiet); /* it was the load/store unit's turn only */
        return 0;
    }
    answer(sm, now);
    int code = turn_wheel(sm, now, error);
    if (sm->collects && code == 0) {
        step_collectors(sm, now);
    }
    uint32_t issued = 0; /* mask of schedulers */
    if (code == 0 && now >= sm->first) {
        code = issue_all(sm, now, &issued, error);
    }
    bool fetches = sm->fetch != 0 && code == 0 && fetch(sm, now);
    gm_cycle next = fetches ? now + 1 : gm_timed_sm_next_turn(sm, now);
    if (now < sm->first && sm->resident != 0) {
        gm_wake(&next, sm->first);
    }
    sm->wants_room = false;
    if (sm->collects) {
        gm_wake(&next, gm_timed_sm_next_collection(sm, now));
    }
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        end_cycle(sm, i, (issued >> i & 1) != 0, now, &next);
    }
    sm->quiet = next;
    gm_wake(sm->wake, next);
    return code;
}
