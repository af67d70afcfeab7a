/* An SM of the explored system: a warp's operation, its fences, answers, evictions of the L1. */
#include "world_step.h"

static bool holds(const world_sm *sm, unsigned slot, unsigned line)
{
    return sm->tag[slot] == line + 1;
}

static void refuse(step *t, bool error)
{
    if (error) {
        *t->fault = FAULT_ERROR;
    }
}

static gm_tc_l1_response access_l1(step *t, world_sm *sm, uint64_t op, unsigned line, bool open,
                                   const world_message *answer)
{
    unsigned slot = line % t->s->l1_slots;
    gm_tc_l1_request request = {
        .op = op,
        .slot = slot,
        .present = holds(sm, slot, line),
        .open = open,
        .now = t->w->now,
    };
    if (answer != NULL) {
        request.lease_given = answer->lease_given;
        request.timestamp = answer->timestamp;
        request.visible = answer->of == GM_TC_L1_GETS ? answer->visible : answer->gwct;
        request.visible = t->s->protocol.visible ? request.visible : 0;
    }
    gm_tc_l1_response response = gm_tc_l1_access(&sm->l1, request);
    refuse(t, response.error != 0);
    return response;
}

/* Gives a line its slot, which another line leaves. Returns false if that line must stay. */
static bool take_slot(step *t, world_sm *sm, unsigned line)
{
    unsigned slot = line % t->s->l1_slots;
    if (!holds(sm, slot, line)) {
        gm_tc_l1_request evict = {.op = GM_TC_L1_EVICT, .slot = slot};
        if (sm->tag[slot] != 0 && gm_tc_l1_access(&sm->l1, evict).keep != 0) {
            return false;
        }
        sm->tag[slot] = (uint8_t)(line + 1);
    }
    return true;
}

static bool issue_count(step *t, world_sm *sm, unsigned warp, bool store)
{
    gm_gwct_request request = {
        .op = GM_GWCT_ISSUE, .warp = world_local_warp(t->s->test, warp), .store = store};
    bool counts = has_rule(t->s, store ? RULE_STORES_COUNT : RULE_LOADS_COUNT);
    return !counts || gm_gwct_access(&sm->gwct, request).refused == 0;
}

static void raise_gwct(step *t, world_sm *sm, unsigned warp, uint64_t visible)
{
    gm_gwct_request request = {
        .op = GM_GWCT_RAISE, .warp = world_local_warp(t->s->test, warp), .timestamp = visible};
    gm_gwct_access(&sm->gwct, request);
}

/* Wrong design: the loads of an entry that closes count no more. */
static void forget_loads(step *t, world_sm *sm, unsigned id)
{
    const gm_mshr_entry *entry = &sm->mshr.entry[id];
    for (unsigned i = entry->oldest; !has_rule(t->s, RULE_CLOSED_COUNT) && i <= entry->newest;
         i++) {
        unsigned of = (unsigned)*gm_mshr_requester(&sm->mshr, id, i);
        gm_gwct_request request = {.op = GM_GWCT_ACK,
                                   .warp = world_local_warp(t->s->test, of >> 3 & 7)};
        gm_gwct_access(&sm->gwct, request);
    }
}

static void close_entry(step *t, world_sm *sm, unsigned line, bool closes)
{
    unsigned id = gm_mshr_find_open(&sm->mshr, line);
    if (closes && has_rule(t->s, RULE_STORE_CLOSES) && id != GM_MSHR_ENTRIES) {
        forget_loads(t, sm, id);
        gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = line});
    }
}

void world_close_entries(step *t, world_sm *sm)
{
    for (unsigned id = 0; id < WORLD_ENTRIES; id++) {
        if (gm_mshr_is_open(&sm->mshr, id)) {
            forget_loads(t, sm, id);
        }
    }
    gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
}

/* A register gets its value. */
static void give(step *t, unsigned warp, unsigned target, uint8_t value)
{
    t->w->warp[warp].value[target] = value;
    t->w->warp[warp].answered |= (uint8_t)(1u << target);
}

static bool load(step *t, world_sm *sm, unsigned warp, const gm_litmus_operation *op)
{
    unsigned slot = op->line % t->s->l1_slots;
    bool open = gm_mshr_find_open(&sm->mshr, op->line) != GM_MSHR_ENTRIES;
    gm_tc_l1_response a = access_l1(t, sm, GM_TC_L1_LOAD, op->line, open, NULL);
    if (a.hit != 0) {
        give(t, warp, op->target, sm->data[slot][op->word]);
        if (t->s->protocol.visible) {
            raise_gwct(t, sm, warp, a.visible);
        }
        TELL(t, "hit, %u", sm->data[slot][op->word]);
        return true;
    }
    bool merges = a.message == GM_TC_L1_MERGE && t->s->protocol.asks_again;
    unsigned of = world_requester(warp, op->word, op->target, merges ? t->w->now : 0);
    gm_mshr_response miss = gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                                        .line = op->line,
                                                                        .requester = of,
                                                                        .may_allocate = 1});
    if (miss.outcome == GM_MSHR_FAIL || !issue_count(t, sm, warp, false)) {
        return false;
    }
    if (a.message == GM_TC_L1_MERGE) {
        TELL(t, "merges into entry %u", (unsigned)miss.id);
        return miss.outcome == GM_MSHR_MERGED;
    }
    TELL(t, "GETS, entry %u%s", (unsigned)miss.id, a.expired != 0 ? " (expired)" : "");
    push(&sm->up[op->line], (world_message){.kind = GM_TC_L1_GETS, .id = (uint8_t)miss.id});
    return miss.outcome == GM_MSHR_NEW && take_slot(t, sm, op->line);
}

/* A load that bypasses the L1, and an atomic: both are answered by the L2 alone. */
static bool send_past_l1(step *t, world_sm *sm, unsigned warp, const gm_litmus_operation *op)
{
    bool is_load = op->kind == GM_LITMUS_LOAD_BYPASS;
    bool open = gm_mshr_find_open(&sm->mshr, op->line) != GM_MSHR_ENTRIES;
    gm_tc_l1_response a =
        access_l1(t, sm, is_load ? GM_TC_L1_BYPASS : GM_TC_L1_ATOMIC, op->line, open, NULL);
    push(&sm->up[op->line],
         (world_message){.kind = (uint8_t)a.message,
                         .warp = (uint8_t)warp,
                         .target =
                             gm_litmus_returns(op->kind) ? op->target : GM_LITMUS_REGISTERS - 1,
                         .word = op->word,
                         .value = op->value,
                         .no_lease = is_load});
    TELL(t, "%s", is_load ? "GETS without lease" : "ATOMIC");
    close_entry(t, sm, op->line, a.close != 0);
    return issue_count(t, sm, warp, !is_load);
}

static bool store(step *t, world_sm *sm, unsigned warp, const gm_litmus_operation *op)
{
    unsigned slot = op->line % t->s->l1_slots;
    bool open = gm_mshr_find_open(&sm->mshr, op->line) != GM_MSHR_ENTRIES;
    gm_tc_l1_response a = access_l1(t, sm, GM_TC_L1_STORE, op->line, open, NULL);
    if (a.refused != 0 || !issue_count(t, sm, warp, true)) {
        return false;
    }
    if (a.hit != 0) {
        sm->data[slot][op->word] = op->value;
        TELL(t, "writes its copy; UPGR, lease %u", (unsigned)a.timestamp);
    } else {
        TELL(t, "GETX");
    }
    push(&sm->up[op->line], (world_message){.kind = (uint8_t)a.message,
                                            .warp = (uint8_t)warp,
                                            .word = op->word,
                                            .value = op->value,
                                            .timestamp = (uint8_t)a.timestamp});
    close_entry(t, sm, op->line, a.close != 0);
    return true;
}

/* True if `sm` may still use a copy of the word that is older than `value`. */
static bool uses_older(const world *w, const world_sm *sm, const world_settings *s, unsigned line,
                       unsigned word, unsigned value)
{
    unsigned slot = line % s->l1_slots;
    const uint8_t *order = w->order[line][word];
    unsigned has = sm->data[slot][word];
    bool is_performed = has == 0 || order[has] != 0;
    return holds(sm, slot, line) && sm->slot[slot].valid && w->now <= sm->slot[slot].lease &&
           is_performed && order[has] < order[value];
}

/* Notes a fault if a write of the fence's warp is not visible to another SM. */
static void check_visible(step *t, unsigned warp)
{
    const gm_litmus_test *test = t->s->test;
    for (unsigned i = 0; i < t->w->warp[warp].next; i++) {
        const gm_litmus_operation *op = &test->warp[warp].operation[i];
        for (unsigned sm = 0; world_writes(op->kind) && sm < world_sms(test); sm++) {
            if (sm != test->warp[warp].sm &&
                uses_older(t->w, &t->w->sm[sm], t->s, op->line, op->word, op->value)) {
                *t->fault = FAULT_STALE;
                TELL(t, " while SM %u may use an older %c%u", sm, line_name(op->line), op->word);
            }
        }
    }
}

static bool fence(step *t, world_sm *sm, unsigned warp)
{
    const gm_litmus_test *test = t->s->test;
    unsigned first = warp;
    unsigned last = warp;
    while (t->s->protocol.fence_of_cta && first > 0 &&
           test->warp[first - 1].sm == test->warp[warp].sm &&
           test->warp[first - 1].cta == test->warp[warp].cta) {
        first--;
    }
    while (t->s->protocol.fence_of_cta && last + 1U < test->warps &&
           test->warp[last + 1].sm == test->warp[warp].sm &&
           test->warp[last + 1].cta == test->warp[warp].cta) {
        last++;
    }
    gm_gwct_request request = {.op = GM_GWCT_FENCE,
                               .warp = world_local_warp(test, first),
                               .last = world_local_warp(test, last),
                               .now = t->w->now};
    if (gm_gwct_access(&sm->gwct, request).ready == 0) {
        return false;
    }
    TELL(t, "completes");
    check_visible(t, warp);
    if (has_rule(t->s, RULE_FENCE_CLOSES) && !t->s->protocol.asks_again) {
        world_close_entries(t, sm);
    }
    return true;
}

/* A warp arrives at its CTA's barrier; the last one lets all go on. */
static bool barrier(step *t, unsigned warp)
{
    const gm_litmus_test *test = t->s->test;
    world_warp *warps = t->w->warp;
    bool waits = false;
    if (warps[warp].at_barrier) {
        return false;
    }
    warps[warp].at_barrier = true;
    for (unsigned i = 0; i < test->warps; i++) {
        waits |= test->warp[i].cta == test->warp[warp].cta &&
                 test->warp[i].sm == test->warp[warp].sm && !warps[i].at_barrier;
    }
    TELL(t, waits ? "waits" : "goes on");
    for (unsigned i = 0; i < test->warps && !waits; i++) {
        if (test->warp[i].cta == test->warp[warp].cta && test->warp[i].sm == test->warp[warp].sm) {
            warps[i].at_barrier = false;
            warps[i].next = (uint8_t)(warps[i].next + (i != warp));
        }
    }
    if (waits) {
        warps[warp].next--; /* counted again by the caller */
    }
    return true;
}

/* True if nothing of an SM is outstanding, and its GWCTs are past. */
static bool has_ended(step *t, world_sm *sm)
{
    gm_gwct_request request = {.op = GM_GWCT_FENCE, .last = GM_LITMUS_WARPS - 1, .now = t->w->now};
    gm_gwct_response response = gm_gwct_access(&sm->gwct, request);
    return has_rule(t->s, RULE_KERNEL_WAITS) ? response.ready != 0
                                             : (response.waits & GM_GWCT_ANSWERS) == 0;
}

/* A warp arrives at the end of its kernel; when all have, it ends. */
static bool kernel_end(step *t, unsigned warp)
{
    world_warp *warps = t->w->warp;
    if (!warps[warp].at_barrier) {
        warps[warp].at_barrier = true;
        warps[warp].next--; /* counted again by the caller */
        TELL(t, "waits");
        return true;
    }
    bool ends = true;
    for (unsigned i = 0; i < t->s->test->warps; i++) {
        ends &= warps[i].at_barrier;
    }
    for (unsigned i = 0; i < world_sms(t->s->test); i++) {
        ends = ends && has_ended(t, &t->w->sm[i]);
    }
    if (ends) {
        TELL(t, "the kernel ends");
        for (unsigned i = 0; i < t->s->test->warps; i++) {
            check_visible(t, i);
            warps[i].at_barrier = false;
            warps[i].next = (uint8_t)(warps[i].next + (i != warp));
        }
    }
    return ends;
}

static const char *const kind_names[] = {
    [GM_LITMUS_LOAD] = "LD",     [GM_LITMUS_LOAD_BYPASS] = "LD.CG",   [GM_LITMUS_STORE] = "ST",
    [GM_LITMUS_ATOMIC] = "ATO",  [GM_LITMUS_REDUCTION] = "RED",       [GM_LITMUS_FENCE] = "FENCE",
    [GM_LITMUS_BARRIER] = "BAR", [GM_LITMUS_FENCE_CTA] = "FENCE.CTA", [GM_LITMUS_KERNEL] = "KERNEL",
};

bool world_has_entry(const world_sm *sm, unsigned line)
{
    bool has = false;
    for (unsigned id = 0; id < WORLD_ENTRIES; id++) {
        has |= gm_mshr_is_valid(&sm->mshr, id) && sm->entry[id].line == line;
    }
    return has;
}

/* With coherence.merge=lease: loads that ask again must do so before a later request of their line
 * is sent. */
static bool must_wait(const step *t, const world_sm *sm, const gm_litmus_operation *op)
{
    bool joins =
        op->kind == GM_LITMUS_LOAD && gm_mshr_find_open(&sm->mshr, op->line) != GM_MSHR_ENTRIES;
    return has_rule(t->s, RULE_MERGE_WAITS) && t->s->protocol.asks_again && !joins &&
           world_has_entry(sm, op->line);
}

bool world_issue(step *t, unsigned warp)
{
    const gm_litmus_warp *program = &t->s->test->warp[warp];
    const gm_litmus_operation *op = &program->operation[t->w->warp[warp].next];
    world_sm *sm = &t->w->sm[program->sm];
    TELL(t, "SM %u warp %u: %s", program->sm, warp, kind_names[op->kind]);
    if (gm_litmus_reaches(op->kind)) {
        TELL(t, " %c%u", line_name(op->line), op->word);
        if (sm->up[op->line].count == WORLD_MESSAGES || must_wait(t, sm, op)) {
            return false;
        }
    }
    if (world_writes(op->kind)) {
        TELL(t, " = %u", op->value);
    }
    TELL(t, ": ");
    bool done = false;
    switch (op->kind) {
    case GM_LITMUS_LOAD:
        done = load(t, sm, warp, op);
        break;
    case GM_LITMUS_LOAD_BYPASS:
    case GM_LITMUS_ATOMIC:
    case GM_LITMUS_REDUCTION:
        done = send_past_l1(t, sm, warp, op);
        break;
    case GM_LITMUS_STORE:
        done = store(t, sm, warp, op);
        break;
    case GM_LITMUS_FENCE:
        done = fence(t, sm, warp);
        break;
    case GM_LITMUS_FENCE_CTA:
        TELL(t, "completes");
        done = true;
        break;
    case GM_LITMUS_BARRIER:
        done = barrier(t, warp);
        break;
    case GM_LITMUS_KERNEL:
        done = kernel_end(t, warp);
        break;
    }
    t->w->warp[warp].next++;
    return done;
}

/* Wrong design: the next warp of the SM gets the GWCT. */
static unsigned other_warp(const gm_litmus_test *test, unsigned warp)
{
    unsigned next = warp + 1;
    return next < test->warps && test->warp[next].sm == test->warp[warp].sm
               ? next
               : warp - world_local_warp(test, warp);
}

/* Takes an answer's load or store out of the warp's count. */
static void acknowledge(step *t, world_sm *sm, unsigned warp, const world_message *m, bool store)
{
    uint64_t gwct = store ? m->gwct : m->visible;
    bool has_gwct = store ? m->kind == GM_TC_L2_ACK_G || m->kind == GM_TC_L2_DATA_G
                          : t->s->protocol.visible && gwct != 0;
    gm_gwct_request request = {.op = GM_GWCT_ACK,
                               .warp = world_local_warp(t->s->test, warp),
                               .store = store,
                               .has_gwct = has_gwct,
                               .epoch = m->epoch,
                               .timestamp = has_gwct ? gwct : 0};
    bool counts = has_rule(t->s, store ? RULE_STORES_COUNT : RULE_LOADS_COUNT);
    if (has_gwct && !has_rule(t->s, RULE_GWCT_OF_WRITER)) {
        raise_gwct(t, sm, other_warp(t->s->test, warp), gwct);
        request.has_gwct = 0;
    }
    if (counts) {
        refuse(t, gm_gwct_access(&sm->gwct, request).error != 0);
    } else if (has_gwct && m->epoch == sm->gwct.epoch) {
        raise_gwct(t, sm, warp, gwct);
    }
}

static void install(step *t, world_sm *sm, unsigned line, const world_message *m)
{
    memcpy(sm->data[line % t->s->l1_slots], m->data, GM_LITMUS_WORDS);
}

/* Loads that merged after the lease of the data go into an entry of their own again. Returns false
 * if there is no room for it. */
static bool ask_again(step *t, world_sm *sm, unsigned line, const uint64_t *late, unsigned count)
{
    bool room = count == 0 || sm->up[line].count < WORLD_MESSAGES;
    for (unsigned i = 0; i < count && room; i++) {
        gm_mshr_response miss = gm_mshr_access(
            &sm->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                         .line = line,
                                         .requester = late[i] & ((1u << WORLD_REQUESTER) - 1),
                                         .may_allocate = 1});
        room = miss.outcome != GM_MSHR_FAIL;
        if (miss.outcome == GM_MSHR_NEW) {
            push(&sm->up[line], (world_message){.kind = GM_TC_L1_GETS, .id = (uint8_t)miss.id});
            room = take_slot(t, sm, line);
        }
        TELL(t, "; warp %u asks again", (unsigned)late[i] >> 3 & 7);
    }
    return room;
}

/* Data of an MSHR entry: installed if the entry is open, then given to its loads. */
static bool fill(step *t, world_sm *sm, unsigned line, const world_message *m)
{
    uint64_t late[WORLD_MERGES];
    unsigned lates = 0;
    bool open = gm_mshr_is_open(&sm->mshr, m->id);
    gm_tc_l1_response a = access_l1(t, sm, GM_TC_L1_FILL, line, open, m);
    if (a.install != 0) {
        install(t, sm, line, m);
    }
    TELL(t, "%s, lease %u", a.install != 0 ? "installed" : "not installed", m->timestamp);
    gm_mshr_response next;
    do {
        next = gm_mshr_access(&sm->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = m->id});
        unsigned warp = (unsigned)next.requester >> 3 & 7;
        unsigned word = next.requester >> 2 & 1;
        if (next.requester >> WORLD_REQUESTER > m->timestamp) {
            late[lates++] = next.requester;
            continue;
        }
        give(t, warp, next.requester & 3, m->data[word]);
        TELL(t, "; warp %u has %c%u = %u", warp, line_name(line), word, m->data[word]);
        if (open || has_rule(t->s, RULE_CLOSED_COUNT)) {
            acknowledge(t, sm, warp, m, false);
        }
    } while (next.count != 0);
    return ask_again(t, sm, line, late, lates);
}

bool world_take_answer(step *t, unsigned number, unsigned line)
{
    world_sm *sm = &t->w->sm[number];
    world_message m = pop(&sm->down[line]);
    TELL(t, "SM %u, answer on %c: ", number, line_name(line));
    if (m.of == GM_TC_L1_GETS && !m.no_lease) {
        return fill(t, sm, line, &m);
    }
    bool store = m.of != GM_TC_L1_GETS;
    if (m.of == GM_TC_L1_UPGR) {
        uint64_t op = m.kind == GM_TC_L2_DATA_G ? GM_TC_L1_DATA_G : GM_TC_L1_ACK;
        gm_tc_l1_response a = access_l1(t, sm, op, line, false, &m);
        if (a.install != 0) {
            install(t, sm, line, &m);
        }
        TELL(t, "%s%s, ", m.kind == GM_TC_L2_DATA_G ? "DATA-G" : "ACK of an UPGR",
             a.install != 0 ? ", installed" : "");
    } else if (m.of != GM_TC_L1_GETX) {
        give(t, m.warp, m.target, m.data[0]);
        TELL(t, "warp %u has %c%u = %u, ", m.warp, line_name(line), m.word, m.data[0]);
    }
    TELL(t, "lease %u, GWCT %u", m.lease_given != 0 ? m.timestamp + 0U : 0U, m.gwct);
    acknowledge(t, sm, m.warp, &m, store);
    return true;
}

bool world_evict(step *t, unsigned number, unsigned slot)
{
    world_sm *sm = &t->w->sm[number];
    gm_tc_l1_request request = {.op = GM_TC_L1_EVICT, .slot = slot};
    TELL(t, "SM %u evicts %c", number, line_name(sm->tag[slot] - 1U));
    sm->tag[slot] = 0;
    return gm_tc_l1_access(&sm->l1, request).keep == 0;
}
