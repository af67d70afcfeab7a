/* The events of the explored machine: what a warp's operation, a packet, data from DRAM, a reply
 * and a cycle do. */
#include "timed.h"

#include "cycle/l1/l1_coherent.h"
#include "cycle/l2/l2_bank_access.h"
#include "goldmem/bits.h"

enum { STEPS = 64 /* of the bank until its queues are empty, at most */ };

static char line_name(unsigned line)
{
    return (char)('x' + line);
}

/* --- the bank --- */

bool timed_has_work(const timed_machine *m)
{
    const gm_l2_bank *bank = &m->world->bank;
    gm_cycle now = m->world->now;
    if (bank->answering == 0) {
        return bank->look_up_from <= now;
    }
    bool atomic = gm_l2_kind_of(&bank->item[bank->next].packet) == GM_ATOMIC;
    return bank->answer_from <= now && (!atomic || bank->atomic_from <= now);
}

static void step_once(timed_machine *m)
{
    m->world->wake = GM_NEVER;
    gm_l2_bank_step(&m->world->bank, m->world->now);
}

/* Sends what the bank has for network and channel, while its tags rest. */
static void empty_queues(timed_machine *m)
{
    gm_l2_bank *bank = &m->world->bank;
    uint32_t answering = bank->answering;
    gm_cycle look_up_from = bank->look_up_from;
    unsigned steps = 0;
    bank->answering = 0;
    bank->look_up_from = GM_NEVER;
    while ((!gm_ring_is_empty(&bank->out) || !gm_ring_is_empty(&bank->dram)) && steps < STEPS) {
        step_once(m);
        steps++;
    }
    m->world->broken |= steps == STEPS;
    bank->answering = answering;
    gm_wake(&bank->look_up_from, look_up_from);
}

static bool step_bank(timed_machine *m)
{
    step_once(m);
    empty_queues(m);
    return true;
}

static bool arrive(timed_machine *m, uint32_t sm, uint32_t line)
{
    timed_world *w = m->world;
    m->chosen_sm = sm;
    m->chosen_line = line;
    TIMED_TELL("L2: takes a packet of SM %u on %c", sm, line_name(line));
    w->arrival = w->now;
    step_once(m);
    if (w->arrival != GM_NEVER) {
        w->broken = true; /* its queue was empty */
        w->arrival = GM_NEVER;
    }
    return timed_has_work(m) ? step_bank(m) : true;
}

static bool bring_data(timed_machine *m, uint32_t read)
{
    timed_world *w = m->world;
    TIMED_TELL("L2: data from DRAM");
    m->chosen_read = read;
    w->data = w->now;
    step_once(m);
    w->data = GM_NEVER;
    empty_queues(m);
    return true;
}

/* --- the L1 side --- */

static void send_all(timed_machine *m, uint32_t sm)
{
    gm_cycle_l1 *l1 = timed_l1(m, sm);
    while (!gm_ring_is_empty(&l1->queue)) {
        gm_cycle_l1_send(l1, m->world->now);
    }
}

static gm_request_kind request_kind(gm_litmus_kind kind)
{
    switch (kind) {
    case GM_LITMUS_LOAD_BYPASS:
        return GM_REQUEST_STRONG_LOAD;
    case GM_LITMUS_STORE:
        return GM_REQUEST_STORE;
    case GM_LITMUS_ATOMIC:
        return GM_REQUEST_ATOMIC;
    case GM_LITMUS_REDUCTION:
        return GM_REQUEST_REDUCTION;
    case GM_LITMUS_LOAD:
    case GM_LITMUS_FENCE:
    case GM_LITMUS_BARRIER:
    case GM_LITMUS_FENCE_CTA:
    case GM_LITMUS_KERNEL:
        break;
    }
    return GM_REQUEST_LOAD;
}

/* Does what the load/store unit does with the warp's next line request. */
static bool give(timed_machine *m, unsigned warp, const gm_litmus_operation *op)
{
    timed_world *w = m->world;
    uint32_t sm = m->settings.test->warp[warp].sm;
    uint32_t slot = warp - m->first_warp[sm];
    const gm_line_request line = {.line = m->line[op->line], .lanes = 1, .sectors = 1};
    const gm_cycle_l1_request request = {
        .line = &line,
        .kind = request_kind(op->kind),
        .ticket = slot * GM_LITMUS_OPERATIONS + w->warp[warp].next,
    };
    uint32_t answers = 1;
    gm_cycle_l1_note_warp(timed_l1(m, sm), request.ticket, slot);
    gm_cycle_l1_answer answer = gm_cycle_l1_access(timed_l1(m, sm), &request, w->now, &answers);
    if (answer > GM_CYCLE_L1_TAKEN) {
        return false;
    }
    w->broken |= answers != 1;
    w->warp[warp].accesses = (uint8_t)(w->warp[warp].accesses + (answer == GM_CYCLE_L1_TAKEN));
    TIMED_TELL("%s", answer == GM_CYCLE_L1_HIT ? "; hit" : "");
    send_all(m, sm);
    return true;
}

/* Notes a fault if a write of the warp's is not visible to another SM. */
static void check_visible(timed_machine *m, unsigned warp, search_fault *fault)
{
    const gm_litmus_test *test = m->settings.test;
    for (unsigned i = 0; i < m->world->warp[warp].next; i++) {
        const gm_litmus_operation *op = &test->warp[warp].operation[i];
        for (uint32_t sm = 0; timed_writes(op->kind) && sm < m->sms; sm++) {
            if (sm != test->warp[warp].sm &&
                timed_uses_older(m, sm, op->line, op->word, op->value)) {
                *fault = FAULT_STALE;
                TIMED_TELL(" while SM %u may use an older %c%u", sm, line_name(op->line), op->word);
            }
        }
    }
}

bool timed_uses_older(const timed_machine *m, uint32_t sm, unsigned line, unsigned word,
                      unsigned value)
{
    const timed_world *w = m->world;
    const gm_cycle_l1 *l1 = &w->unit[sm].l1;
    const gm_coherence_l1 *protocol = &l1->coherent->protocol;
    uint32_t slot = gm_cache_find(&l1->cache, m->line[line]).slot;
    const uint8_t *order = w->values.order[line][word];
    unsigned has = w->values.l1[sm][line][word];
    return slot != GM_NO_SLOT && l1->cache.way[slot].state.valid != 0 &&
           protocol->ops->copy_until(protocol, slot) >= gm_coherence_now(&w->time, w->now) &&
           (has == 0 || order[has] != 0) && order[has] < order[value];
}

/* The SM finds that the fence need not wait, and issues it, with coherence.fence=cta perhaps
 * later, when other warps of the CTA have new operations. */
static bool fence(timed_machine *m, unsigned warp, search_fault *fault)
{
    timed_warp *own = &m->world->warp[warp];
    uint32_t number = m->settings.test->warp[warp].sm;
    gm_cycle_sm *sm = &m->sm[number];
    uint32_t slot = warp - m->first_warp[number];
    if (own->fence_ready == 0) {
        for (uint32_t i = 0; i < sm->slots; i++) {
            unsigned other = m->first_warp[number] + i;
            sm->warp[i].accesses = other < GM_LITMUS_WARPS ? m->world->warp[other].accesses : 0;
        }
        if (gm_cycle_fence_waits(sm, slot, m->world->now)) {
            return false;
        }
        if (m->settings.protocol.fence_of_cta) {
            own->fence_ready = 1;
            own->next--; /* counted again by the caller */
            TIMED_TELL("need not wait");
            return true;
        }
    }
    own->fence_ready = 0;
    gm_cycle_fence_issued(sm, slot);
    TIMED_TELL("completes");
    check_visible(m, warp, fault);
    return true;
}

static bool is_of_cta(const gm_litmus_test *test, unsigned a, unsigned b)
{
    return test->warp[a].sm == test->warp[b].sm && test->warp[a].cta == test->warp[b].cta;
}

/* A warp arrives at its CTA's barrier; the last one lets all go on. */
static bool barrier(timed_machine *m, unsigned warp)
{
    const gm_litmus_test *test = m->settings.test;
    timed_warp *warps = m->world->warp;
    bool waits = false;
    if (warps[warp].at_barrier != 0) {
        return false;
    }
    warps[warp].at_barrier = 1;
    for (unsigned i = 0; i < test->warps; i++) {
        waits |= is_of_cta(test, i, warp) && warps[i].at_barrier == 0;
    }
    TIMED_TELL("%s", waits ? "waits" : "goes on");
    for (unsigned i = 0; i < test->warps && !waits; i++) {
        if (is_of_cta(test, i, warp)) {
            warps[i].at_barrier = 0;
            warps[i].next = (uint8_t)(warps[i].next + (i != warp));
        }
    }
    if (waits) {
        warps[warp].next--; /* counted again by the caller */
    }
    return true;
}

/* True if nothing is in flight, and every write is visible: gm_cycle_machine_writes_are_visible.
 */
static bool has_ended(timed_machine *m)
{
    bool ended = gm_l2_bank_idle(&m->world->bank);
    for (uint32_t i = 0; i < m->sms; i++) {
        gm_coherence_wait wait =
            gm_load_store_fence(&m->world->unit[i], 0, GM_LITMUS_WARPS - 1, m->world->now);
        ended = ended && gm_cycle_l1_is_empty(timed_l1(m, i)) && wait.until <= m->world->now;
        for (unsigned line = 0; line < m->lines; line++) {
            ended = ended && m->world->up[i][line].count + m->world->down[i][line].count == 0;
        }
    }
    return ended;
}

/* A warp arrives at the end of its kernel; when all have, it ends. */
static bool kernel_end(timed_machine *m, unsigned warp, search_fault *fault)
{
    timed_warp *warps = m->world->warp;
    unsigned count = m->settings.test->warps;
    if (warps[warp].at_barrier == 0) {
        warps[warp].at_barrier = 1;
        warps[warp].next--; /* counted again by the caller */
        TIMED_TELL("waits");
        return true;
    }
    bool ends = has_ended(m);
    for (unsigned i = 0; i < count; i++) {
        ends = ends && warps[i].at_barrier != 0;
    }
    for (unsigned i = 0; ends && i < count; i++) {
        check_visible(m, i, fault);
        warps[i].at_barrier = 0;
        warps[i].next = (uint8_t)(warps[i].next + (i != warp));
    }
    TIMED_TELL("%s", ends ? "the kernel ends" : "");
    return ends;
}

static bool issue(timed_machine *m, unsigned warp, search_fault *fault)
{
    static const char *const names[] = {
        [GM_LITMUS_LOAD] = "LD",       [GM_LITMUS_LOAD_BYPASS] = "LD.CG",
        [GM_LITMUS_STORE] = "ST",      [GM_LITMUS_ATOMIC] = "ATO",
        [GM_LITMUS_REDUCTION] = "RED", [GM_LITMUS_FENCE] = "FENCE",
        [GM_LITMUS_BARRIER] = "BAR",   [GM_LITMUS_FENCE_CTA] = "FENCE.CTA",
        [GM_LITMUS_KERNEL] = "KERNEL",
    };
    timed_warp *own = &m->world->warp[warp];
    const gm_litmus_warp *program = &m->settings.test->warp[warp];
    const gm_litmus_operation *op = &program->operation[own->next];
    bool reaches = gm_litmus_reaches(op->kind);
    TIMED_TELL("SM %u warp %u: %s", program->sm, warp, names[op->kind]);
    if (reaches) {
        TIMED_TELL(" %c%u", line_name(op->line), op->word);
    }
    if (timed_writes(op->kind)) {
        TIMED_TELL(" = %u", op->value);
    }
    TIMED_TELL("%s", reaches ? "" : ": ");
    bool done = true;
    if (reaches) {
        done = give(m, warp, op);
    } else if (op->kind == GM_LITMUS_FENCE) {
        done = fence(m, warp, fault);
    } else if (op->kind == GM_LITMUS_BARRIER) {
        done = barrier(m, warp);
    } else if (op->kind == GM_LITMUS_KERNEL) {
        done = kernel_end(m, warp, fault);
    } else {
        TIMED_TELL("completes"); /* a fence of CTA scope: the load/store unit's order is enough */
    }
    own->next++;
    return done;
}

/* One cycle of the L1's reply port. */
static bool reply(timed_machine *m, uint32_t sm)
{
    timed_world *w = m->world;
    uint32_t ticket;
    gm_cycle_l1_reply(timed_l1(m, sm), w->now, &ticket);
    if (ticket != GM_NO_TICKET) {
        unsigned warp;
        timed_operation(sm, ticket, &warp);
        w->broken |= w->warp[warp].accesses == 0;
        w->warp[warp].accesses--;
    }
    send_all(m, sm);
    return true;
}

static bool take_reply(timed_machine *m, uint32_t sm, uint32_t line)
{
    TIMED_TELL("SM %u: reply on %c", sm, line_name(line));
    m->chosen_sm = sm;
    m->chosen_line = line;
    m->reply_chosen = true;
    reply(m, sm);
    m->world->broken |= m->reply_chosen;
    m->reply_chosen = false;
    return true;
}

/* gm_cycle_machine_begin. */
static bool tick(timed_machine *m)
{
    timed_world *w = m->world;
    w->now++;
    if (w->now >= w->time.end) {
        for (uint32_t i = 0; i < m->sms; i++) {
            gm_cycle_l1_roll_over(timed_l1(m, i));
        }
        gm_l2_bank_roll_over(&w->bank);
        w->time.epoch++;
        w->time.begin += w->time.last;
        w->time.end = w->time.begin + w->time.last + 1;
        TIMED_TELL("rollover, ");
    }
    TIMED_TELL("time %u", gm_coherence_now(&w->time, w->now));
    return true;
}

bool timed_step(timed_machine *m, search_event event, search_fault *fault)
{
    bool done = false;
    *fault = FAULT_NONE;
    switch ((timed_event_kind)event.kind) {
    case TIMED_ISSUE:
        done = issue(m, event.a, fault);
        break;
    case TIMED_ARRIVE:
        done = arrive(m, event.a, event.b);
        break;
    case TIMED_READ:
        done = bring_data(m, event.a);
        break;
    case TIMED_BANK:
        TIMED_TELL("L2: goes on");
        done = step_bank(m);
        break;
    case TIMED_REPLY:
        done = take_reply(m, event.a, event.b);
        break;
    case TIMED_ANSWER:
        TIMED_TELL("SM %u: answers the next load", event.a);
        done = reply(m, event.a);
        break;
    case TIMED_TICK:
        done = tick(m);
        break;
    }
    if (m->world->broken) {
        *fault = FAULT_ERROR;
    }
    return done;
}
