/* SM of the cycle engine: one cycle. */
#include "cycle/sm/sm_warp.h"

#define MEMORY (UINT32_C(1) << GM_UNIT_MEMORY) /* in a mask of pipes */

/* The warp's next instruction, which goes to this pipe and not to the load/store unit, issues. When
 * its result is there. */
static inline __attribute__((always_inline)) gm_cycle execute(gm_cycle_sm *sm,
                                                              gm_cycle_scheduler *scheduler,
                                                              gm_cycle_warp *warp, uint32_t slot,
                                                              unsigned pipe, gm_cycle now,
                                                              bool plain)
{
    gm_op op = gm_timed_op(warp->head);
    gm_cycle there = GM_COLLECTING;
    if (!plain && sm->collects && pipe != GM_PIPE_NONE) {
        gm_cycle_sm_collect(sm, slot);
    } else {
        there = now + sm->latency[pipe];
        gm_cycle_sm_occupy(sm, scheduler, pipe, now);
    }
    gm_warp_store_remove(sm->stream[slot], warp->bytes);
    warp->taken++;
    if (op == GM_OP_BRANCH || op == GM_OP_EXIT) {
        warp->not_before = now + sm->latency[GM_UNIT_CONTROL];
    } else if (op == GM_OP_COMMIT_GROUP) {
        gm_cycle_sm_commit(sm, slot);
    }
    return there;
}

/* The warp's next instruction issues, and the one behind it is looked at. */
static inline __attribute__((always_inline)) int issue(gm_cycle_sm *sm,
                                                       gm_cycle_scheduler *scheduler, uint32_t slot,
                                                       gm_cycle now, bool plain, gm_error *error)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_warp_stream *stream = sm->stream[slot];
    unsigned pipe = warp->pipe;
    gm_op op = gm_timed_op(warp->head);
    gm_cycle_sm_leave_ready(sm, scheduler, pipe, slot, plain);
    sm->slot[GM_SLOT_ISSUED]++;
    scheduler->since++; /* a cycle of issue is no other one */
    scheduler->issued = now;
    warp->issued = now;
    gm_cycle there = GM_NEVER;
    if (pipe != GM_UNIT_MEMORY) {
        there = execute(sm, scheduler, warp, slot, pipe, now, plain);
    } else if (gm_cycle_sm_access(sm, warp, slot, now, error) < 0) {
        return error->code;
    }
    gm_cycle *score = gm_cycle_sm_score(sm, slot);
    gm_scoreboard_set(score, &warp->written, warp->registers[0], gm_timed_destinations(warp->head),
                      there);
    if (!plain && sm->fetch != 0 && --sm->buffered[slot] == 0 && stream->count != 0) {
        gm_cycle_sm_hunger(sm, slot);
    }
    if (stream->count == 0) {
        gm_cycle_sm_run_out(sm, slot, now);
        return 0;
    }
    if (!gm_warp_store_is_ready(stream) &&
        gm_warp_store_first(sm->shared->store, stream, error) == NULL) {
        return error->code;
    }
    gm_cycle at = gm_cycle_sm_take_head(warp, score, gm_warp_store_ready(stream));
    if (op == GM_OP_BARRIER) {
        gm_cycle_sm_reach_barrier(sm, slot, now);
    } else {
        gm_cycle_sm_settle(sm, scheduler, warp, slot, at, now + 1, now + 1, plain);
    }
    return 0;
}

/* Warps whose next instruction can issue now. */
static inline __attribute__((always_inline)) void turn_wheel(gm_cycle_sm *sm, gm_cycle now,
                                                             bool plain)
{
    uint32_t words = plain ? 1 : sm->words;
    uint32_t turn = (uint32_t)now & ((plain ? (uint32_t)GM_WORD : sm->turns) - 1);
    uint64_t *turning = &sm->turning[plain ? 0 : turn / GM_WORD];
    if ((*turning >> turn % GM_WORD & 1) == 0) {
        return;
    }
    *turning ^= UINT64_C(1) << turn % GM_WORD;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t *word = &sm->wheel[(size_t)turn * words + i];
        uint64_t left = *word;
        *word = 0;
        for (; left != 0; left &= left - 1) {
            uint32_t slot = i * GM_WORD + gm_lowest_one(left);
            gm_cycle_warp *warp = &sm->warp[slot];
            gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
            scheduler->warps[GM_STATE_RESULT]--;
            gm_cycle_sm_set_ready(scheduler, warp, slot, plain);
        }
    }
}

/* Tickets whose last answer has come. */
static inline __attribute__((always_inline)) void answer(gm_cycle_sm *sm, gm_cycle now, bool plain)
{
    const gm_load_store *unit = sm->load_store;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        uint32_t number = unit->done[i];
        const gm_cycle_ticket *ticket = &sm->ticket[number];
        uint32_t slot = ticket->slot;
        gm_cycle_warp *warp = &sm->warp[slot];
        warp->accesses--;
        gm_scoreboard_set_again(gm_cycle_sm_score(sm, slot), ticket->registers,
                                ticket->destinations, now);
        if (ticket->copy) {
            gm_cycle_sm_copied(sm, slot, ticket->group);
        }
        sm->free_ticket[sm->free_tickets++] = (uint16_t)number;
        gm_cycle_sm_look_again(sm, warp, slot, now, plain);
    }
}

static void step_collectors(gm_cycle_sm *sm, gm_cycle now)
{
    uint64_t slots[GM_WARP_WORDS] = {0};
    gm_cycle_sm_step_collectors(sm, now, slots);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = slots[i]; left != 0; left &= left - 1) {
            uint32_t slot = i * GM_WORD + gm_lowest_one(left);
            gm_cycle_sm_look_again(sm, &sm->warp[slot], slot, now, false);
        }
    }
}

/* Whether there may be more to fetch in the next cycle. */
static bool fetch(gm_cycle_sm *sm, gm_cycle now)
{
    enum { UNTIL_ISSUE = 2 }; /* fetched, decoded, issued */
    uint32_t slot = gm_cycle_sm_fetch(sm);
    if (slot == GM_NO_WARP) {
        return false;
    }
    gm_cycle_warp *warp = &sm->warp[slot];
    if (warp->not_before < now + UNTIL_ISSUE) {
        warp->not_before = now + UNTIL_ISSUE;
    }
    gm_cycle_sm_look_again(sm, warp, slot, now, false);
    return true;
}

/* Ready warps of the scheduler, a word of their mask, whose pipe is one of `pipes` and not busy in
 * cycle `now`. */
static inline __attribute__((always_inline)) uint64_t ready_of(const gm_cycle_scheduler *scheduler,
                                                               uint32_t pipes, gm_cycle now,
                                                               uint32_t word)
{
    uint64_t ready = 0;
    for (; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        ready |= scheduler->busy[pipe] <= now ? scheduler->ready[word][pipe] : 0;
    }
    return ready;
}

/* Two-level: ready warps enter the group as soon as it has room, so that who enters does not depend
 * on when the SM is visited. */
static void fill_group(const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler)
{
    if (scheduler->pipes != 0 && scheduler->policy.actives < scheduler->policy.group) {
        uint64_t ready[GM_WARP_WORDS];
        for (uint32_t i = 0; i < sm->words; i++) {
            ready[i] = ready_of(scheduler, scheduler->pipes, GM_NEVER, i);
        }
        gm_warp_scheduler_fill(&scheduler->policy, ready, sm->age);
    }
}

/* Two-level: those of the pipes for which warps of the group are ready. */
static uint32_t pipes_of_group(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler)
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
static uint32_t pipes_with_register(const gm_cycle_sm *sm, uint32_t pipes)
{
    uint32_t open = pipes & (UINT32_C(1) << GM_PIPE_NONE | MEMORY);
    for (pipes &= ~open; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        open |= (uint32_t)gm_operand_collector_takes(&sm->collector, pipe) << pipe;
    }
    return open;
}

/* Is one of the pipes that to the load/store unit, and has this no room? */
static inline __attribute__((always_inline)) bool lacks_room(const gm_cycle_sm *sm, uint32_t pipes,
                                                             bool plain)
{
    return (pipes & MEMORY) != 0 && !gm_cycle_sm_has_room(sm, plain);
}

/* The warp that issues, or GM_NO_WARP. */
static inline __attribute__((always_inline)) uint32_t choose(gm_cycle_sm *sm,
                                                             gm_cycle_scheduler *scheduler,
                                                             gm_cycle now, bool plain)
{
    bool collects = !plain && sm->collects;
    uint32_t words = plain ? 1 : sm->words;
    if (!plain && sm->groups) {
        fill_group(sm, scheduler);
    }
    uint32_t pipes = scheduler->pipes;
    if (lacks_room(sm, pipes, plain)) {
        pipes -= MEMORY;
    }
    if (collects) {
        pipes = pipes_with_register(sm, pipes);
    }
    if (pipes == 0) {
        return GM_NO_WARP;
    }
    uint64_t candidates[GM_WARP_WORDS];
    for (uint32_t i = 0; i < words; i++) {
        candidates[i] = ready_of(scheduler, pipes, collects ? GM_NEVER : now, i);
    }
    return gm_warp_scheduler_choose(&scheduler->policy, candidates, words, sm->age, !plain);
}

/* What a scheduler without ready warps waits for. */
static inline gm_slot_use use_of_waiting(const uint32_t *warps)
{
    return warps[GM_STATE_DATA] != 0                                   ? GM_SLOT_MEMORY
           : warps[GM_STATE_RESULT] != 0 || warps[GM_STATE_FRONT] != 0 ? GM_SLOT_DEPENDENCE
           : warps[GM_STATE_BARRIER] != 0                              ? GM_SLOT_BARRIER
           : warps[GM_STATE_FENCE] != 0 || warps[GM_STATE_ENDING] != 0 ? GM_SLOT_FENCE
                                                                       : GM_SLOT_IDLE;
}

/* The next cycle, `next` at most, in which an instruction of one of the pipes may issue. */
static inline __attribute__((always_inline)) gm_cycle next_issue(
    const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler, uint32_t pipes, gm_cycle now,
    gm_cycle next, bool plain)
{
    if (!plain && sm->collects) {
        return pipes_with_register(sm, pipes) != 0 ? now + 1 : next;
    }
    if ((pipes & ~sm->slow) != 0) {
        return now + 1;
    }
    for (; pipes != 0; pipes &= pipes - 1) {
        gm_cycle free = scheduler->busy[gm_lowest_one(pipes)];
        gm_wake(&next, free > now ? free : now + 1);
    }
    return next;
}

/* The scheduler's cycles from `from` on have another use. */
static inline void change_use(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_slot_use use,
                              gm_cycle from)
{
    sm->slot[scheduler->use] += from - scheduler->since;
    scheduler->since = from;
    scheduler->use = use;
}

/* What the schedulers do with their cycle, from the state at its end. The next cycle, `next` at
 * most, in which one may issue. */
static inline __attribute__((always_inline)) gm_cycle end_cycle(gm_cycle_sm *sm, gm_cycle now,
                                                                gm_cycle next, bool plain)
{
    for (gm_cycle_scheduler *scheduler = sm->scheduler; scheduler < sm->end; scheduler++) {
        gm_slot_use use = GM_SLOT_UNIT;
        uint32_t ready = scheduler->pipes;
        if (!plain && sm->groups) {
            fill_group(sm, scheduler);
            ready = pipes_of_group(sm, scheduler);
        }
        if (ready != 0) {
            if (lacks_room(sm, ready, plain)) {
                ready -= MEMORY;
                sm->wants_room = true;
                use = GM_SLOT_MEMORY_UNIT;
            }
            next = next_issue(sm, scheduler, ready, now, next, plain);
        } else if (!plain && scheduler->pipes != 0) {
            use = GM_SLOT_DEPENDENCE; /* the group waits for results */
        } else {
            use = use_of_waiting(scheduler->warps);
        }
        if (use != scheduler->use) {
            change_use(sm, scheduler, use, now + (scheduler->issued == now));
        }
    }
    return next;
}

/* The same before a kernel's first cycle. */
static gm_cycle wait_for_launch(gm_cycle_sm *sm, gm_cycle now, gm_cycle next)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        if (sm->groups) {
            fill_group(sm, &sm->scheduler[i]);
        }
        change_use(sm, &sm->scheduler[i], GM_SLOT_IDLE, now);
    }
    return sm->resident != 0 && sm->first < next ? sm->first : next;
}

/* Each scheduler issues an instruction, if it has one. */
static inline __attribute__((always_inline)) int issue_all(gm_cycle_sm *sm, gm_cycle now,
                                                           bool plain, gm_error *error)
{
    uint32_t turn = plain ? (uint32_t)now & (sm->schedulers - 1)
                          : (uint32_t)(now - gm_divide(&sm->in_turn, now) * sm->schedulers);
    gm_cycle_scheduler *first = sm->scheduler + turn;
    gm_cycle_scheduler *scheduler = first;
    do {
        uint32_t slot = choose(sm, scheduler, now, plain);
        if (slot != GM_NO_WARP) {
            int code = issue(sm, scheduler, slot, now, plain, error);
            if (code < 0) {
                return code;
            }
        }
        scheduler = scheduler + 1 == sm->end ? sm->scheduler : scheduler + 1;
    } while (scheduler != first);
    return 0;
}

/* Has what kept a memory instruction from going on gone? */
static inline __attribute__((always_inline)) bool may_go_on(const gm_cycle_sm *sm, bool plain)
{
    return sm->wants_room && (plain || !sm->collects ? gm_cycle_sm_has_room(sm, plain)
                                                     : gm_load_store_has_room(sm->load_store));
}

/* One cycle. */
static inline __attribute__((always_inline)) int step(gm_cycle_sm *sm, gm_cycle now, bool plain,
                                                      gm_error *error)
{
    if (gm_load_store_is_due(sm->load_store, now)) {
        gm_load_store_step(sm->load_store, now);
    } else {
        gm_load_store_rest(sm->load_store);
    }
    sm->ended = NULL;
    if (now < sm->quiet && sm->load_store->done_count == 0 && !may_go_on(sm, plain)) {
        gm_wake(sm->wake, sm->quiet); /* it was the load/store unit's turn only */
        return 0;
    }
    answer(sm, now, plain);
    turn_wheel(sm, now, plain);
    if (!plain && sm->collects) {
        step_collectors(sm, now);
    }
    bool begun = now >= sm->first;
    if (begun && issue_all(sm, now, plain, error) < 0) {
        return error->code;
    }
    gm_cycle next = !plain && sm->fetch != 0 && fetch(sm, now) ? now + 1 : GM_NEVER;
    sm->wants_room = false;
    if (!plain && sm->collects) {
        gm_wake(&next, gm_cycle_sm_next_collection(sm, now));
    }
    next = begun ? end_cycle(sm, now, next, plain) : wait_for_launch(sm, now, next);
    if (next > now + 1) {
        gm_wake(&next, plain ? gm_cycle_sm_next_of_word(sm, now) : gm_cycle_sm_next_turn(sm, now));
    }
    sm->quiet = next;
    gm_wake(sm->wake, next);
    return 0;
}

static int step_plain(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, true, error);
}

static int step_any(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, false, error);
}

int gm_cycle_sm_step(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return sm->plain ? step_plain(sm, now, error) : step_any(sm, now, error);
}
