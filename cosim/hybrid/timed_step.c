/* The events of the explored machine of the cycle engine, and its checks. */
#include "timed.h"

#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_tracker.h"
#include "goldmem/bits.h"

enum { STEPS = 64 /* of the L2 bank until it is idle, at most */ };

step timed_values_step(timed_machine *m)
{
    return (step){NULL, &m->world->values, m->settings, &m->fault, m->log};
}

/* --- the tracker bank and the L2 bank --- */

/* Credits arrive, and packets leave the pipeline, only when an event says so. */
static void hold_all(timed_machine *m)
{
    timed_world *w = m->world;
    for (unsigned i = 0; i < TIMED_CREDITS; i++) {
        w->credit[i].at = GM_NEVER;
    }
    for (uint32_t i = 0; i <= w->tracker.pipe.mask; i++) {
        w->tracker.item[i].leaves = GM_NEVER;
    }
}

static void step_tracker(timed_machine *m)
{
    m->world->now++;
    gm_tracker_bank_step(&m->world->tracker, m->world->now);
    hold_all(m);
}

static void tell_request(const timed_machine *m, const gm_packet *packet)
{
    static const char *const names[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "strong READ", [GM_MESSAGE_WRITE] = "WRITE",
        [GM_MESSAGE_ATOMIC] = "ATOMIC",    [GM_MESSAGE_LOOKUP] = "LOOKUP",
        [GM_MESSAGE_FILL] = "FILL",        [GM_MESSAGE_EVICT] = "EVICT",
        [GM_MESSAGE_RETURN] = "RETURN",
    };
    (void)m;
    TIMED_TELL("tracker, %s of %c on %c", names[packet->kind] != NULL ? names[packet->kind] : "?",
               'P' + packet->sm, line_name(hybrid_line(packet->line / HYBRID_SECTORS)));
}

static bool take_request(timed_machine *m, unsigned sm, unsigned line, unsigned index)
{
    timed_world *w = m->world;
    if (!gm_ring_has_room(&w->tracker.pipe) || w->tracker.asking != 0) {
        return false;
    }
    tell_request(m, &w->up[sm][line].packet[index]);
    m->request = &w->up[sm][line];
    m->request_at = index;
    step_tracker(m);
    w->broken |= m->request != NULL;
    return true;
}

/* The L2 bank does all that it can do. */
static void settle_bank(timed_machine *m)
{
    timed_world *w = m->world;
    unsigned steps = 0;
    while ((!gm_l2_bank_idle(&w->bank) || w->tracker.outlet.arrival != GM_NEVER) && steps < STEPS) {
        w->now++;
        gm_l2_bank_step(&w->bank, w->now);
        steps++;
    }
    w->broken |= steps == STEPS;
}

/* The oldest item of the tracker's pipeline leaves it; a LOOKUP of two sectors in two events. */
static bool leave(timed_machine *m)
{
    timed_world *w = m->world;
    TIMED_TELL("tracker sends on");
    uint32_t items = gm_ring_count(&w->tracker.pipe);
    uint32_t parts = w->tracker.parts_left;
    w->tracker.item[gm_ring_first(&w->tracker.pipe)].leaves = w->now;
    step_tracker(m);
    settle_bank(m);
    return gm_ring_count(&w->tracker.pipe) != items || w->tracker.parts_left != parts;
}

/* A step of any event does so too. */
static bool ask(timed_machine *m)
{
    TIMED_TELL("tracker asks the other SM's");
    step_tracker(m);
    return true;
}

static bool take_credit(timed_machine *m)
{
    timed_world *w = m->world;
    uint32_t credits = gm_ring_count(&w->wire.ring);
    gm_credit *oldest = &w->credit[gm_ring_first(&w->wire.ring)];
    TIMED_TELL("tracker, a credit of %c", 'P' + (int)oldest->from);
    oldest->at = 0;
    step_tracker(m);
    return gm_ring_count(&w->wire.ring) != credits;
}

/* --- the L1s --- */

static void send_all(timed_machine *m, unsigned sm)
{
    gm_cycle_l1 *l1 = &m->world->l1[sm];
    while (!gm_ring_is_empty(&l1->queue) && gm_cycle_l1_send(l1, m->world->now)) {
    }
}

/* Begins a load, whose values the engine gives. */
static void begin_load(timed_machine *m, unsigned sm, unsigned ticket, const hybrid_operation *op)
{
    hybrid_values *values = &m->world->values;
    hybrid_load *load = &values->load[sm][ticket];
    *load = (hybrid_load){LOAD_WAITS, op->line, op->sectors, 0, values->accepted[sm], {0}, {0}};
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (op->sectors >> sector & 1) {
            load->floor[sector] = values->word[word_of(op->line, sector)].floor[sm];
        }
    }
}

static unsigned free_ticket(const timed_world *w, unsigned sm)
{
    unsigned ticket = 0;
    while (ticket < TIMED_TICKETS &&
           (w->ticket[sm][ticket].answers != 0 || w->values.load[sm][ticket].state != LOAD_FREE)) {
        ticket++;
    }
    return ticket;
}

static bool issue(timed_machine *m, unsigned sm, const hybrid_operation *op)
{
    static const char *const names[] = {"load",   "strong load", "store",
                                        "atomic", "reduction",   "bypassing load"};
    timed_world *w = m->world;
    bool bypasses = op->kind == HYBRID_BYPASS;
    bool writes = op->kind == GM_REQUEST_STORE || op->kind == GM_REQUEST_ATOMIC;
    unsigned ticket = free_ticket(w, sm);
    if (ticket == TIMED_TICKETS) {
        return false;
    }
    TIMED_TELL("SM %c, %s %c%s", 'P' + (int)sm, names[op->kind], line_name(op->line),
               sectors_name(op->sectors));
    const gm_line_request line = {.line = hybrid_address(op->line),
                                  .lanes = 1,
                                  .sectors = op->sectors,
                                  .whole = writes ? op->sectors : 0,
                                  .chosen = bypasses};
    const gm_cycle_l1_request request = {
        .line = &line,
        .kind = bypasses ? GM_REQUEST_LOAD : (gm_request_kind)op->kind,
        .ticket = ticket,
    };
    uint32_t answers = 1;
    if (op->kind != GM_REQUEST_STORE) {
        begin_load(m, sm, ticket, op);
    }
    w->ticket[sm][ticket] = (timed_ticket){.line = op->line, .kind = op->kind};
    w->done[sm]++;
    w->now++;
    gm_cycle_l1_answer answer = gm_cycle_l1_access(&w->l1[sm], &request, w->now, &answers);
    if (answer > GM_CYCLE_L1_TAKEN) {
        return false;
    }
    TIMED_TELL("%s", answer == GM_CYCLE_L1_HIT ? ", hit" : "");
    w->ticket[sm][ticket].answers = answer == GM_CYCLE_L1_TAKEN ? (uint8_t)answers : 0;
    send_all(m, sm);
    return true;
}

static bool evict(timed_machine *m, unsigned sm, unsigned line)
{
    timed_world *w = m->world;
    gm_cycle_l1 *l1 = &w->l1[sm];
    gm_cache_place place = gm_cache_find(&l1->cache, hybrid_address(line));
    if (place.slot == GM_NO_SLOT || gm_cache_waits(&l1->cache, place.slot) ||
        !gm_cycle_l1_has_room(l1, 1)) {
        return false;
    }
    TIMED_TELL("SM %c evicts %c", 'P' + (int)sm, line_name(line));
    w->evictions++;
    gm_cache_drop(&l1->cache, place);
    gm_cycle_l1_tell_evict(l1, hybrid_address(line), 0, false);
    send_all(m, sm);
    return true;
}

/* One cycle of the L1's ports. */
static bool reply(timed_machine *m, unsigned sm)
{
    timed_world *w = m->world;
    uint32_t number;
    w->now++;
    gm_cycle_l1_reply(&w->l1[sm], w->now, &number);
    w->broken |= m->reply != NULL || m->supplied != NULL;
    if (number != GM_NO_TICKET) {
        timed_ticket *ticket = &w->ticket[sm][number % TIMED_TICKETS];
        w->broken |= ticket->answers == 0;
        ticket->answers--;
    }
    w->now += 2; /* l1.latency of data for the other L1 */
    gm_cycle_l1_step_port(&w->l1[sm], w->now);
    send_all(m, sm);
    return true;
}

static bool take_reply(timed_machine *m, unsigned sm, timed_channel *channel, const char *what)
{
    TIMED_TELL("SM %c, %s", 'P' + (int)sm, what);
    m->reply = channel;
    return reply(m, sm);
}

static bool take_supplied(timed_machine *m, unsigned sm)
{
    TIMED_TELL("SM %c, SUPPLIED", 'P' + (int)sm);
    m->supplied = &m->world->peer[sm];
    return reply(m, sm);
}

static bool end_kernel(timed_machine *m)
{
    timed_world *w = m->world;
    if (!timed_is_quiet(m)) {
        return false;
    }
    TIMED_TELL("a kernel ends");
    w->kernels++;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        gm_cycle_l1_flush(&w->l1[i]);
        for (unsigned word = 0; word < HYBRID_WORDS; word++) {
            w->values.word[word].floor[i] = w->values.word[word].l2;
        }
    }
    gm_tracker_bank_flush(&w->tracker);
    return true;
}

bool timed_step(timed_machine *m, search_event event, search_fault *fault)
{
    timed_world *w = m->world;
    bool done = false;
    m->fault = FAULT_NONE;
    m->request = m->reply = m->supplied = NULL;
    switch ((hybrid_event_kind)event.kind) {
    case HYBRID_ISSUE:
        done = issue(m, event.a, &m->settings->operation[event.a][event.b]);
        break;
    case HYBRID_EVICT:
        done = evict(m, event.a, event.b);
        break;
    case HYBRID_TRACKER:
        done = take_request(m, event.a, event.b % HYBRID_LINES, event.b / HYBRID_LINES);
        break;
    case HYBRID_L2:
        done = leave(m);
        break;
    case HYBRID_REPLY:
        done = take_reply(m, event.a, &w->down[event.a][event.b], "data");
        break;
    case HYBRID_SUPPLY:
        done = take_reply(m, event.a, &w->supply[event.a][event.b], "SUPPLY");
        break;
    case HYBRID_PEER:
        done = take_supplied(m, event.a);
        break;
    case HYBRID_ANSWER:
        TIMED_TELL("SM %c answers the next load", 'P' + event.a);
        done = reply(m, event.a);
        break;
    case HYBRID_CREDIT:
        done = take_credit(m);
        break;
    case HYBRID_ASK:
        done = ask(m);
        break;
    case HYBRID_KERNEL:
        done = end_kernel(m);
        break;
    case HYBRID_SEND:
    case HYBRID_RETURN:
    case HYBRID_STALLED:
        break;
    }
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        send_all(m, i);
    }
    hold_all(m);
    *fault = w->broken != 0 && m->fault == FAULT_NONE ? FAULT_ERROR : m->fault;
    return done;
}

/* --- which events there are --- */

bool timed_may_issue(const timed_machine *m, unsigned sm)
{
    const timed_world *w = m->world;
    unsigned done = (unsigned)w->done[0] + w->done[1];
    return w->done[sm] < m->settings->most[sm] && done < m->settings->all;
}

static void add_requests(hybrid_event_list *list, const timed_machine *m, unsigned sm,
                         unsigned line)
{
    const timed_channel *up = &m->world->up[sm][line];
    bool passes = true;
    for (unsigned i = 0; i < up->count && passes; i++) {
        hybrid_add_event(list, HYBRID_TRACKER, sm, i * HYBRID_LINES + line);
        passes = !has_rule(m->settings, RULE_REQUESTS);
    }
}

static void add_of_sm(hybrid_event_list *list, const timed_machine *m, unsigned sm)
{
    const timed_world *w = m->world;
    const gm_cycle_l1 *l1 = &w->l1[sm];
    bool answers = l1->answering != GM_NO_ENTRY;
    for (unsigned line = 0; line < HYBRID_LINES; line++) {
        add_requests(list, m, sm, line);
        if (w->supply[sm][line].count != 0) {
            hybrid_add_event(list, HYBRID_SUPPLY, sm, line);
        }
        if (w->evictions < m->settings->evictions &&
            gm_cache_find(&l1->cache, hybrid_address(line)).slot != GM_NO_SLOT) {
            hybrid_add_event(list, HYBRID_EVICT, sm, line);
        }
    }
    for (unsigned word = 0; !answers && word < HYBRID_WORDS; word++) {
        if (w->down[sm][word].count != 0) {
            hybrid_add_event(list, HYBRID_REPLY, sm, word);
        }
    }
    if (!answers && w->peer[sm].count != 0) {
        hybrid_add_event(list, HYBRID_PEER, sm, 0);
    }
    if (answers) {
        hybrid_add_event(list, HYBRID_ANSWER, sm, 0);
    }
}

size_t timed_events(const timed_machine *m, search_event *events, size_t most)
{
    const timed_world *w = m->world;
    const hybrid_settings *s = m->settings;
    hybrid_event_list list = {events, 0, most};
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        if (timed_may_issue(m, sm)) {
            hybrid_add_operations(&list, s, sm, w->done);
        }
        add_of_sm(&list, m, sm);
    }
    if (!gm_ring_is_empty(&w->tracker.pipe)) {
        hybrid_add_event(&list, HYBRID_L2, 0, 0);
    }
    if (!gm_ring_is_empty(&w->wire.ring)) {
        hybrid_add_event(&list, HYBRID_CREDIT, 0, 0);
    }
    if (w->tracker.asking != 0) {
        hybrid_add_event(&list, HYBRID_ASK, 0, 0);
    }
    if (w->kernels < s->kernels) {
        hybrid_add_event(&list, HYBRID_KERNEL, 0, 0);
    }
    return list.count;
}

/* --- checks --- */

bool timed_is_quiet(const timed_machine *m)
{
    const timed_world *w = m->world;
    bool quiet = gm_tracker_bank_idle(&w->tracker) && gm_ring_is_empty(&w->wire.ring);
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        quiet &= gm_cycle_l1_is_empty(&w->l1[sm]) && w->peer[sm].count == 0;
        for (unsigned line = 0; line < HYBRID_LINES; line++) {
            quiet &= w->up[sm][line].count + w->supply[sm][line].count == 0;
        }
        for (unsigned word = 0; word < HYBRID_WORDS; word++) {
            quiet &= w->down[sm][word].count == 0;
        }
        for (unsigned i = 0; i < TIMED_TICKETS; i++) {
            quiet &= w->ticket[sm][i].answers == 0 && w->values.load[sm][i].state == LOAD_FREE;
        }
    }
    return quiet;
}

static bool has_writes(const timed_machine *m, unsigned line, unsigned sm)
{
    const timed_world *w = m->world;
    const gm_cycle_l1 *l1 = &w->l1[sm];
    uint32_t slot = gm_cache_find(&l1->cache, hybrid_address(line)).slot;
    uint32_t held = slot != GM_NO_SLOT ? l1->cache.way[slot].state.valid : 0;
    bool has = true;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        unsigned word = word_of(line, sector);
        has &= (held >> sector & 1) == 0 ||
               !hybrid_is_older(&w->values, m->settings, word, w->copy[sm][line][sector],
                                w->values.word[word].last);
    }
    return has;
}

static bool check_copies(const timed_machine *m, uint32_t number)
{
    const gm_sharing_tracker *t = &m->world->tracker.tracker[number];
    uint32_t cus = m->tracker_shared.map.cus;
    bool sound = true;
    for (unsigned way = 0; way < m->settings->tracker_ways; way++) {
        for (unsigned cu = 0; (t->valid[0] >> way & 1) != 0 && cu < cus; cu++) {
            sound &= (t->sharers[way] >> cu & 1) == 0 ||
                     has_writes(m, hybrid_line(t->line[way]), number * cus + cu);
        }
    }
    return sound;
}

/* Where nothing is in flight: each write is performed, no mark and no entry is left, all credits
 * are back. */
static bool check_quiet(const timed_machine *m)
{
    const timed_world *w = m->world;
    bool sound = true;
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        const hybrid_word *each = &w->values.word[word];
        sound &= each->last == each->l2;
        for (unsigned i = 1; i < HYBRID_TOKENS; i++) {
            sound &= each->token[i].accept == 0 || each->token[i].performed != 0;
        }
    }
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        sound &= w->l1[sm].mshr.valid[0] == 0 && w->tracker.credits[sm] == m->settings->credits &&
                 w->l1[sm].tracked->unanswered == 0;
    }
    for (uint32_t i = 0; i < m->tracker_shared.trackers; i++) {
        const gm_sharing_tracker *t = &w->tracker.tracker[i];
        for (unsigned way = 0; way < m->settings->tracker_ways; way++) {
            sound &= (t->valid[0] >> way & 1) == 0 || t->marks[way] == 0;
        }
    }
    return sound;
}

bool timed_is_sound(const timed_machine *m)
{
    const timed_world *w = m->world;
    bool copies = m->settings->copies;
    gm_error error;
    bool sound = true;
    for (uint32_t i = 0; i < m->tracker_shared.trackers; i++) {
        sound &= gm_sharing_tracker_check(&w->tracker.tracker[i], &error) == 0 &&
                 (!copies || check_copies(m, i));
    }
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        sound &= gm_cache_check_tags(&w->l1[i].cache, "L1", &error) == 0 &&
                 gm_mshr_check(&w->l1[i].mshr, &error) == 0;
    }
    return sound && (!copies || !timed_is_quiet(m) || check_quiet(m));
}
