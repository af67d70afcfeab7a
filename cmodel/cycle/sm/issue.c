/* Issue: one cycle of an SM. Answers and wake-ups make warps ready, each scheduler issues an
 * instruction of one of them, and the schedulers' cycles are charged to what they waited for.
 *
 * The cycle is a template over gm_sm_shape. The instance of the common shape saves instructions of
 * whole runs (callgrind, gtx480): without it vectoradd takes 4.0% more, fft 6.3%; of these,
 * many_words alone accounts for 2.6% and 4.3%. That of machines with collectors or fetch: a stream
 * on the imported QV100 takes 4% more without it. Throttled machines have two instances of their
 * own, so that the others do not ask for permissions: that of the common shape saves 3% of a
 * vectoradd with a static limit. */
#include "cycle/sm/execute.h"
#include "cycle/sm/fence.h"
#include "cycle/sm/fetch.h"
#include "cycle/sm/launch.h"
#include "cycle/sm/memory_instruction.h"
#include "cycle/sm/throttle.h"
#include "cycle/sm/warp_state.h"

#define MEMORY (UINT32_C(1) << GM_UNIT_MEMORY) /* in a mask of pipes */

/* Issues an instruction of the special ones (gm_timed_is_special). Rare, so not inlined. */
static __attribute__((noinline)) void issue_special(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    uint64_t head = sm->warp[slot].head;
    gm_op op = gm_timed_op(head);
    if (op == GM_OP_COMMIT_GROUP) {
        gm_cycle_sm_commit(sm, slot);
    } else if (op == GM_OP_FENCE && sm->fences != NULL && gm_timed_scope(head) != GM_SCOPE_CTA) {
        gm_cycle_fence_issued(sm, slot);
    } else if (op == GM_OP_FENCE && sm->fenced != NULL) {
        gm_bitset_add(sm->fenced, slot);
    } else if (op == GM_OP_FENCE && sm->fence_drops) {
        gm_load_store_drop(sm->load_store, now);
    }
}

/* The first instruction behind a fence issues (sm.fence=registers). */
static __attribute__((noinline)) void pass_fence(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_bitset_remove(sm->fenced, slot);
    if (sm->fence_drops) {
        gm_load_store_drop(sm->load_store, now);
    }
}

/* Issues the warp's next instruction to its pipe or to the operand collectors. Requires that it is
 * no memory instruction. Returns the cycle in which its result is available, as in the scoreboard.
 */
GM_TEMPLATE gm_cycle execute(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_cycle_warp *warp,
                             uint32_t slot, unsigned pipe, gm_cycle now, const gm_sm_shape shape)
{
    gm_op op = gm_timed_op(warp->head);
    gm_cycle there = GM_COLLECTING;
    if (shape.collectors && sm->collects && pipe != GM_PIPE_NONE) {
        gm_cycle_sm_collect(sm, slot);
    } else {
        there = now + sm->latency[pipe];
        gm_cycle_sm_occupy(sm, scheduler, pipe, now);
    }
    gm_warp_store_remove(sm->stream[slot], warp->bytes);
    warp->taken++;
    if (op == GM_OP_BRANCH || op == GM_OP_EXIT) {
        warp->not_before = now + sm->latency[GM_UNIT_CONTROL];
    } else if (gm_timed_is_special(warp->head)) {
        issue_special(sm, slot, now);
    }
    return there;
}

/* Throttled: notes that a warp has entered a state that excludes it from the oldest. */
GM_TEMPLATE void note_exclusion(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                const gm_sm_shape shape)
{
    if (shape.throttle) {
        gm_cycle_throttle_note(sm, scheduler);
    }
}

/* Counts an issue of the warp's next instruction, whose record is ready. */
static GM_COLD void count_issue(const gm_cycle_sm *sm, const gm_cycle_warp *warp, uint32_t slot,
                                gm_cycle now)
{
    uint64_t address = gm_warp_load(gm_warp_store_ready(sm->stream[slot]), GM_TIMED_CODE);
    gm_pc_counts *counts = gm_pc_counts_of(sm->load_store->l1.pcs->table, address);
    counts->issues++;
    counts->waited += now - warp->issued - (now > warp->issued);
}

/* Issues the warp's next instruction and decodes the one behind it. */
GM_TEMPLATE int issue(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, uint32_t slot, gm_cycle now,
                      const gm_sm_shape shape, gm_error *error)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_warp_stream *stream = sm->stream[slot];
    unsigned pipe = warp->pipe;
    gm_op op = gm_timed_op(warp->head);
    if (shape.l1i && sm->load_store->l1.pcs != NULL) {
        count_issue(sm, warp, slot, now);
    }
    gm_cycle_sm_leave_ready(sm, scheduler, pipe, slot, shape);
    if (shape.collectors && gm_cycle_sm_is_fenced(sm, slot)) {
        pass_fence(sm, slot, now);
    }
    sm->slot[GM_SLOT_ISSUED]++;
    scheduler->since++; /* this cycle is charged to issue alone */
    scheduler->issued = now;
    warp->issued = now;
    gm_cycle there = GM_NEVER;
    if (pipe != GM_UNIT_MEMORY) {
        there = execute(sm, scheduler, warp, slot, pipe, now, shape);
    } else {
        if (shape.collectors && gm_timed_is_special(warp->head)) {
            issue_special(sm, slot, now); /* a fence (sm.fence=registers) */
        }
        if (gm_cycle_sm_access(sm, warp, slot, now, error) < 0) {
            return error->code;
        }
        if (shape.throttle && sm->throttle->gates_loads) {
            gm_cycle_throttle_note_load(sm, slot);
        }
    }
    gm_cycle *score = gm_cycle_sm_score(sm, slot);
    gm_scoreboard_set(score, &warp->written, warp->registers[0], gm_timed_destinations(warp->head),
                      there);
    if (shape.fetch && sm->fetch != 0 && --sm->buffered[slot] == 0 && stream->count != 0) {
        gm_bitset_add(sm->unfetched, slot);
    }
    if (stream->count == 0) {
        gm_cycle_sm_run_out(sm, slot, now);
        note_exclusion(sm, scheduler, shape);
        return 0;
    }
    if (!gm_warp_store_is_ready(stream) &&
        gm_warp_store_first(sm->shared->store, stream, error) == NULL) {
        return error->code;
    }
    gm_cycle at =
        gm_cycle_sm_decode_next(sm, warp, slot, score, gm_warp_store_ready(stream), shape);
    if (op == GM_OP_BARRIER) {
        gm_cycle_sm_reach_barrier(sm, slot, now);
        note_exclusion(sm, scheduler, shape);
    } else {
        gm_cycle_sm_enter_next(sm, scheduler, warp, slot, at, now + 1, now + 1, shape);
    }
    return 0;
}

/* Returns the general shape, throttled if the given one is: for rare work, which is compiled once
 * for all machines that are not throttled. */
GM_TEMPLATE gm_sm_shape any_of(const gm_sm_shape shape)
{
    return shape.throttle ? GM_SM_THROTTLED : GM_SM_ANY;
}

/* Makes the warps ready whose wake-up is in cycle `now`. */
GM_TEMPLATE void wake_warps(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape)
{
    uint32_t words = gm_cycle_sm_words(sm, shape);
    uint32_t turn = gm_wheel_slot(&sm->wheel, now, !shape.long_wheel);
    if (!gm_wheel_take(&sm->wheel, turn, !shape.long_wheel)) {
        return;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint64_t *word = &sm->waking[(size_t)turn * words + i];
        uint64_t left = *word;
        *word = 0;
        while (left != 0) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            gm_cycle_warp *warp = &sm->warp[slot];
            gm_cycle_scheduler *scheduler = gm_cycle_sm_scheduler_of(sm, warp);
            if (shape.collectors && warp->state == GM_STATE_ENDING) {
                gm_cycle_sm_end_warp(sm, slot, now);
                continue;
            }
            scheduler->warps[GM_STATE_RESULT]--;
            gm_cycle_sm_enter_ready(scheduler, warp, slot, shape);
        }
    }
}

/* Rechecks the warps at fences. */
static __attribute__((noinline)) void recheck_fences(gm_cycle_sm *sm, gm_cycle now)
{
    sm->fences->next = GM_NEVER;
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        if (sm->warp[slot].state == GM_STATE_FENCE) {
            gm_cycle_sm_recheck(sm, &sm->warp[slot], slot, now, GM_SM_ANY);
        }
    }
}

/* Does what the answer to a marked ticket does to its warp. Rare, so not inlined. */
static __attribute__((noinline)) void answer_marked(gm_cycle_sm *sm, const gm_cycle_ticket *ticket,
                                                    gm_cycle now)
{
    if ((ticket->marks & GM_TICKET_COPY) != 0) {
        gm_cycle_sm_copied(sm, ticket->slot, ticket->group);
    }
    if ((ticket->marks & GM_TICKET_HOLDS) != 0) {
        sm->warp[ticket->slot].not_before = now;
    }
}

/* With a write port: notes that the load/store unit has written registers. */
static __attribute__((noinline)) void note_written(gm_cycle_sm *sm, gm_cycle now)
{
    const gm_cycle_ticket *ticket = &sm->ticket[sm->load_store->port.written];
    gm_operand_collector_write(&sm->collector, sm->warp[ticket->slot].scheduler, ticket->slot,
                               ticket->registers, ticket->destinations, now);
}

/* With a write port: tells the load/store unit whether another unit writes into a bank of the
 * registers that it is about to write. */
static __attribute__((noinline)) void settle_port(gm_cycle_sm *sm, gm_cycle now)
{
    gm_write_port *port = &sm->load_store->port;
    const gm_cycle_ticket *ticket = &sm->ticket[port->ticket];
    port->waits =
        gm_operand_collector_is_written(&sm->collector, sm->warp[ticket->slot].scheduler,
                                        ticket->slot, ticket->registers, ticket->destinations, now);
}

/* Frees the tickets that the load/store unit has answered, and rechecks their warps, and those at
 * fences that may issue. */
GM_TEMPLATE void answer(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape)
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
        if (shape.collectors && sm->collects && !unit->port.enabled &&
            (i < unit->hits_from || i >= unit->hits_to)) {
            gm_operand_collector_write(&sm->collector, warp->scheduler, slot, ticket->registers,
                                       ticket->destinations, now);
        }
        if (ticket->marks != 0) {
            answer_marked(sm, ticket, now);
        }
        sm->free_ticket[sm->free_tickets++] = (uint16_t)number;
        gm_cycle_sm_recheck(sm, warp, slot, now, shape);
    }
    if (shape.fences && sm->fences != NULL && gm_cycle_fences_are_due(sm, now)) {
        recheck_fences(sm, now);
    }
}

/* Computes one cycle of the operand collectors and rechecks the warps whose instructions left them.
 */
static void step_collectors(gm_cycle_sm *sm, gm_cycle now)
{
    uint64_t slots[GM_WARP_WORDS] = {0};
    gm_cycle_sm_step_collectors(sm, now, slots);
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = slots[i]; left != 0;) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            gm_cycle_sm_recheck(sm, &sm->warp[slot], slot, now, GM_SM_ANY);
        }
    }
}

/* Lets the warps be looked up again for which the instruction cache had no MSHR entry. */
static GM_COLD void release_refused(gm_cycle_sm *sm, gm_cycle now)
{
    gm_l1i *l1i = sm->l1i;
    l1i->freed = false;
    for (uint32_t i = 0; i < sm->words; i++) {
        for (uint64_t left = l1i->refused[i]; left != 0;) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            gm_bitset_remove(l1i->missing, slot);
            gm_bitset_add(sm->unfetched, slot);
            gm_cycle_sm_recheck(sm, &sm->warp[slot], slot, now, GM_SM_ANY);
        }
        l1i->refused[i] = 0;
    }
}

/* Fetches for warps and rechecks them. Returns true if the next cycle may have a warp to fetch for.
 */
GM_TEMPLATE bool fetch(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape)
{
    for (uint32_t left = sm->fetch_warps; left != 0; left--) {
        uint32_t slot = gm_cycle_sm_fetch(sm, now, left == 1);
        if (slot == GM_NO_WARP) {
            return false;
        }
        gm_cycle_sm_recheck(sm, &sm->warp[slot], slot, now, any_of(shape));
        if (sm->l1i != NULL && sm->l1i->freed) {
            release_refused(sm, now);
        }
    }
    return true;
}

/* Returns a word of the bit set of warps that are ready for the pipe and may issue. */
GM_TEMPLATE uint64_t permitted(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                               unsigned pipe, uint32_t word, const gm_sm_shape shape)
{
    uint64_t ready = scheduler->ready[word][pipe];
    return !shape.throttle          ? ready
           : pipe != GM_UNIT_MEMORY ? ready & sm->throttle->may_issue[word]
                                    : gm_cycle_throttle_memory(sm, ready, word);
}

/* Returns a word of the bit set of ready warps that may issue, and whose pipe is one of `pipes` and
 * takes an instruction in cycle `now`. */
GM_TEMPLATE uint64_t ready_of(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                              uint32_t pipes, gm_cycle now, uint32_t word, const gm_sm_shape shape)
{
    uint64_t ready = 0;
    for (; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        ready |= scheduler->busy[pipe] <= now ? permitted(sm, scheduler, pipe, word, shape) : 0;
    }
    return ready;
}

/* Throttled: returns those of the scheduler's pipes for which warps that may issue are ready. */
GM_TEMPLATE uint32_t permitted_pipes(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                     const gm_sm_shape shape)
{
    uint32_t ready = 0;
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        for (uint32_t i = 0; i < gm_cycle_sm_words(sm, shape); i++) {
            bool any = permitted(sm, scheduler, pipe, i, shape) != 0;
            ready |= (uint32_t)any << pipe;
        }
    }
    return ready;
}

/* Throttled, two-level: makes warps pending that may not issue: they would keep their places of the
 * group from warps that may. */
static void leave_group(const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler)
{
    for (uint32_t i = 0; i < sm->words; i++) {
        uint64_t loads = scheduler->ready[i][GM_UNIT_MEMORY];
        uint64_t refused = loads & ~gm_cycle_throttle_memory(sm, loads, i);
        uint64_t left = scheduler->policy.active[i] & (refused | ~sm->throttle->may_issue[i]);
        while (left != 0) {
            uint32_t slot = i * GM_BITSET_WORD + gm_bitset_take_lowest(&left);
            gm_warp_scheduler_wait(&scheduler->policy, slot);
        }
    }
}

/* Two-level: makes ready warps active while the group has room. Called at each change, so that the
 * choice does not depend on when the SM is visited. */
GM_TEMPLATE void fill_group(const gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                            const gm_sm_shape shape)
{
    if (shape.throttle) {
        leave_group(sm, scheduler);
    }
    if (scheduler->pipes != 0 && scheduler->policy.actives < scheduler->policy.group) {
        uint64_t ready[GM_WARP_WORDS];
        for (uint32_t i = 0; i < sm->words; i++) {
            ready[i] = ready_of(sm, scheduler, scheduler->pipes, GM_NEVER, i, shape);
        }
        gm_warp_scheduler_fill(&scheduler->policy, ready, sm->age);
    }
}

/* Two-level: returns the pipes for which warps of the group are ready, and may issue. */
GM_TEMPLATE uint32_t pipes_of_group(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                    const gm_sm_shape shape)
{
    uint32_t active = 0;
    for (uint32_t pipes = scheduler->pipes; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        for (uint32_t i = 0; i < sm->words; i++) {
            uint64_t ready = permitted(sm, scheduler, pipe, i, shape);
            bool any = (ready & scheduler->policy.active[i]) != 0;
            active |= (uint32_t)any << pipe;
        }
    }
    return active;
}

/* With sm.collectors: returns those of the pipes for which an instruction can issue to the
 * collectors' registers. */
static uint32_t pipes_with_register(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                    uint32_t pipes)
{
    uint32_t number = (uint32_t)(scheduler - sm->scheduler);
    uint32_t open = pipes & (UINT32_C(1) << GM_PIPE_NONE | MEMORY);
    for (pipes &= ~open; pipes != 0; pipes &= pipes - 1) {
        unsigned pipe = gm_lowest_one(pipes);
        open |= (uint32_t)gm_operand_collector_takes(&sm->collector, pipe, number) << pipe;
    }
    return open;
}

/* True if a ready warp targets the load/store unit and it is full. */
GM_TEMPLATE bool lacks_room(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                            uint32_t pipes, const gm_sm_shape shape)
{
    return (pipes & MEMORY) != 0 && !gm_cycle_sm_has_room(sm, scheduler, shape);
}

/* Returns the warp that issues, or GM_NO_WARP. */
GM_TEMPLATE uint32_t choose(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_cycle now,
                            const gm_sm_shape shape)
{
    const bool collects = shape.collectors && sm->collects;
    uint32_t words = gm_cycle_sm_words(sm, shape);
    if (shape.two_level && sm->two_level) {
        fill_group(sm, scheduler, shape);
    }
    uint32_t pipes = scheduler->pipes;
    if (lacks_room(sm, scheduler, pipes, shape)) {
        pipes -= MEMORY;
    }
    if (collects) {
        pipes = pipes_with_register(sm, scheduler, pipes);
    }
    if (pipes == 0) {
        return GM_NO_WARP;
    }
    uint64_t candidates[GM_WARP_WORDS];
    for (uint32_t i = 0; i < words; i++) {
        candidates[i] = ready_of(sm, scheduler, pipes, collects ? GM_NEVER : now, i, shape);
    }
    return gm_warp_scheduler_choose(&scheduler->policy, candidates, words, sm->age,
                                    shape.two_level);
}

/* Returns the use of the cycle of a scheduler without ready warps. */
GM_TEMPLATE gm_slot_use use_of_waiting(const uint32_t *warps, const gm_sm_shape shape)
{
    return warps[GM_STATE_DATA] != 0                                   ? GM_SLOT_MEMORY
           : shape.l1i && warps[GM_STATE_FETCH] != 0                   ? GM_SLOT_FETCH
           : warps[GM_STATE_RESULT] != 0 || warps[GM_STATE_FRONT] != 0 ? GM_SLOT_DEPENDENCE
           : warps[GM_STATE_BARRIER] != 0                              ? GM_SLOT_BARRIER
           : warps[GM_STATE_FENCE] != 0 || warps[GM_STATE_ENDING] != 0 ? GM_SLOT_FENCE
                                                                       : GM_SLOT_IDLE;
}

/* Returns the next cycle, at most `next`, in which an instruction of one of the pipes may issue. */
GM_TEMPLATE gm_cycle next_issue(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                uint32_t pipes, gm_cycle now, gm_cycle next,
                                const gm_sm_shape shape)
{
    if (shape.collectors && sm->collects) {
        return pipes_with_register(sm, scheduler, pipes) != 0 ? now + 1 : next;
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

/* Charges the scheduler's cycles before `from` to its present use; the cycles from `from` on will
 * be charged to `use`. */
static inline void change_use(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, gm_slot_use use,
                              gm_cycle from)
{
    sm->slot[scheduler->use] += from - scheduler->since;
    scheduler->since = from;
    scheduler->use = use;
}

/* Finds the use of each scheduler's cycle from the state at its end. Returns the next cycle, at
 * most `next`, in which a scheduler may issue. */
GM_TEMPLATE gm_cycle end_cycle(gm_cycle_sm *sm, gm_cycle now, gm_cycle next,
                               const gm_sm_shape shape)
{
    for (gm_cycle_scheduler *scheduler = sm->scheduler; scheduler < sm->end; scheduler++) {
        gm_slot_use use = GM_SLOT_UNIT;
        uint32_t ready = scheduler->pipes;
        if (shape.throttle && sm->throttle->gates_loads) {
            gm_cycle_throttle_note_held(sm, scheduler->ready[0][GM_UNIT_MEMORY]);
        }
        if (shape.two_level && sm->two_level) {
            fill_group(sm, scheduler, shape);
            ready = pipes_of_group(sm, scheduler, shape);
        } else if (shape.throttle) {
            ready = permitted_pipes(sm, scheduler, shape);
        }
        if (ready != 0) {
            if (lacks_room(sm, scheduler, ready, shape)) {
                ready -= MEMORY;
                sm->wants_room = true;
                use = GM_SLOT_MEMORY_UNIT;
            }
            next = next_issue(sm, scheduler, ready, now, next, shape);
        } else if (shape.throttle && scheduler->pipes != 0 &&
                   permitted_pipes(sm, scheduler, shape) == 0) {
            use = GM_SLOT_THROTTLED;
        } else if (shape.two_level && scheduler->pipes != 0) {
            use = GM_SLOT_DEPENDENCE; /* the group waits for results */
        } else {
            use = use_of_waiting(scheduler->warps, shape);
        }
        if (use != scheduler->use) {
            change_use(sm, scheduler, use, now + (scheduler->issued == now));
        }
    }
    return next;
}

/* Replaces end_cycle before a kernel's first cycle of issue: the schedulers are idle. */
GM_TEMPLATE gm_cycle wait_for_launch(gm_cycle_sm *sm, gm_cycle now, gm_cycle next,
                                     const gm_sm_shape shape)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        if (shape.two_level && sm->two_level) {
            fill_group(sm, &sm->scheduler[i], shape);
        }
        change_use(sm, &sm->scheduler[i], GM_SLOT_IDLE, now);
    }
    return sm->occupancy.resident != 0 && sm->first < next ? sm->first : next;
}

/* Lets each scheduler issue an instruction; the first one changes from cycle to cycle. Returns 0,
 * or a negative errno value of the warp store. */
GM_TEMPLATE int issue_all(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape, gm_error *error)
{
    gm_cycle turns = now - sm->turns_from;
    uint32_t turn = (uint32_t)(turns - gm_divide(&sm->in_turn, turns) * sm->schedulers);
    gm_cycle_scheduler *first = sm->scheduler + turn;
    gm_cycle_scheduler *scheduler = first;
    do {
        uint32_t slot = choose(sm, scheduler, now, shape);
        if (slot != GM_NO_WARP) {
            int code = issue(sm, scheduler, slot, now, shape, error);
            if (code < 0) {
                return code;
            }
        }
        scheduler = scheduler + 1 == sm->end ? sm->scheduler : scheduler + 1;
    } while (scheduler != first);
    return 0;
}

/* True if a memory instruction waits for room and there is room now. */
GM_TEMPLATE bool has_wanted_room(const gm_cycle_sm *sm, const gm_sm_shape shape)
{
    return sm->wants_room &&
           (shape.collectors && sm->collects ? gm_load_store_has_room(sm->load_store)
                                             : gm_cycle_sm_has_room(sm, sm->scheduler, shape));
}

/* Takes an answer to a miss of the instruction cache. Returns true if one has come. */
GM_TEMPLATE bool take_line(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape)
{
    gm_cycle_l1 *port = &sm->load_store->l1;
    if (!shape.l1i || port->fetched == 0) {
        return false;
    }
    gm_l1i_fill(sm->l1i, port->fetched - 1, now);
    port->fetched = 0;
    return true;
}

/* Computes one cycle. Returns 0, or a negative errno value of the warp store. */
GM_TEMPLATE int step(gm_cycle_sm *sm, gm_cycle now, const gm_sm_shape shape, gm_error *error)
{
    if (gm_load_store_is_due(sm->load_store, now)) {
        if (shape.collectors && sm->load_store->port.ticket != GM_NO_TICKET) {
            settle_port(sm, now);
        }
        gm_load_store_step(sm->load_store, now);
    } else {
        gm_load_store_rest(sm->load_store);
    }
    sm->ended = NULL;
    bool filled = take_line(sm, now, shape);
    if (shape.collectors && sm->load_store->port.written != GM_NO_TICKET) {
        note_written(sm, now);
    }
    if (now < sm->quiet && sm->load_store->done_count == 0 && !filled &&
        !has_wanted_room(sm, shape) && !(shape.throttle && gm_cycle_throttle_is_due(sm, now))) {
        gm_wake(sm->wake, sm->quiet); /* the visit was for the load/store unit */
        return 0;
    }
    if (shape.throttle) {
        gm_cycle_throttle_begin(sm, now);
    }
    answer(sm, now, shape);
    wake_warps(sm, now, shape);
    if (sm->next_launch <= now) {
        gm_cycle_sm_end_launches(sm, now);
    }
    if (shape.collectors && sm->collector.count != 0) {
        step_collectors(sm, now);
    }
    bool begun = now >= sm->first;
    if (begun && issue_all(sm, now, shape, error) < 0) {
        return error->code;
    }
    bool fetches = shape.fetch && sm->fetch != 0 && begun;
    gm_cycle next = fetches && fetch(sm, now, shape) ? now + 1 : GM_NEVER;
    sm->wants_room = false;
    if (shape.throttle) {
        gm_wake(&next, gm_cycle_throttle_end(sm, now));
    }
    if (shape.collectors && sm->collector.count != 0) {
        gm_wake(&next, gm_cycle_sm_next_collection(sm, now));
    }
    gm_wake(&next, sm->next_launch);
    next = begun ? end_cycle(sm, now, next, shape) : wait_for_launch(sm, now, next, shape);
    if (shape.fences && sm->fences != NULL) {
        gm_wake(&next, sm->fences->next);
    }
    if (next > now + 1) {
        gm_wake(&next, gm_wheel_next(&sm->wheel, now + 1, !shape.long_wheel));
    }
    sm->quiet = next;
    gm_wake(sm->wake, next);
    return 0;
}

static int step_common(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, (gm_sm_shape){.many_words = false}, error);
}

static int step_collecting(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, (gm_sm_shape){.long_wheel = true, .collectors = true, .fetch = true},
                error);
}

/* A common machine whose records have addresses (--per-pc): with the general instance counting
 * costs 12% of the instructions of a run (bfs), with this one 8%. */
static int step_common_coded(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, (gm_sm_shape){.l1i = true}, error);
}

static int step_common_throttled(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, (gm_sm_shape){.throttle = true}, error);
}

static int step_any(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, GM_SM_ANY, error);
}

static int step_throttled(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return step(sm, now, GM_SM_THROTTLED, error);
}

int gm_cycle_sm_step(gm_cycle_sm *sm, gm_cycle now, gm_error *error)
{
    return sm->common             ? step_common(sm, now, error)
           : sm->collecting       ? step_collecting(sm, now, error)
           : sm->common_coded     ? step_common_coded(sm, now, error)
           : sm->throttle == NULL ? step_any(sm, now, error)
           : sm->common_throttled ? step_common_throttled(sm, now, error)
                                  : step_throttled(sm, now, error);
}
