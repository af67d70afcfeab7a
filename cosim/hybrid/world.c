/* The explored system: its worlds, the events that are possible in one, checks. */
#include "step.h"

const char *const hybrid_rule_names[RULES] = {
    "closes",   "holds",    "sectors", "packets",    "requests",    "l2",           "refuses",
    "reserves", "flushes",  "drops",   "closed",     "waits",       "returns",      "pending",
    "writes",   "coherent", "evicts",  "fill-order", "evict-order", "return-order",
};

/* Lets the blocks of a world point into it. */
static void point(hybrid_world *w)
{
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        hybrid_sm *sm = &w->sm[i];
        sm->cache.way = sm->way;
        sm->cache.head = sm->head;
        sm->cache.waiting = sm->waiting;
        sm->mshr.bucket = sm->bucket;
        sm->mshr.entry = sm->mshr_entry;
        sm->mshr.requester = sm->requester;
    }
    w->tracker.valid = w->valid;
    w->tracker.line = w->line;
    w->tracker.marks = w->marks;
    w->tracker.sharers = w->sharers;
    w->tracker.pointer = w->pointer;
    w->tracker.last = w->supplier;
    w->tracker.rank = w->rank;
}

void hybrid_copy(hybrid_world *to, const hybrid_world *from)
{
    memcpy(to, from, sizeof *to);
    point(to);
}

/* The blocks take their storage from an arena of their own; it is then copied into the world. */
static int init_sm(hybrid_sm *sm, const hybrid_settings *s, gm_arena *arena, gm_error *error)
{
    const gm_cache_parameters cache = {
        .sets = 1, .ways = s->l1_ways, .replacement = GM_REPLACE_LRU, .waits = true};
    const gm_mshr_parameters mshr = {HYBRID_ENTRIES, HYBRID_MERGES, 8, 8};
    int code = gm_cache_init(&sm->cache, &cache, arena, error);
    if (code == 0) {
        memcpy(sm->way, sm->cache.way, s->l1_ways * sizeof *sm->way);
        memcpy(sm->head, sm->cache.head, sizeof sm->head);
        code = gm_mshr_init(&sm->mshr, &mshr, arena, error);
    }
    sm->credits = (uint8_t)s->credits;
    return code;
}

int hybrid_init(hybrid_world *w, const hybrid_settings *s, gm_error *error)
{
    static gm_set_index index;
    gm_arena arena;
    memset(w, 0, sizeof *w);
    int code = gm_set_index_parse(&index, "sequential", HYBRID_TRACKER_SETS, 4, error);
    const gm_sharing_tracker_parameters tracker = {
        .index = &index, .ways = s->tracker_ways, .cus = HYBRID_SMS, .pointers = s->pointers};
    code = code == 0 ? gm_arena_create(&arena, 1 << 16, error) : code;
    if (code < 0) {
        return code;
    }
    for (unsigned i = 0; i < HYBRID_SMS && code == 0; i++) {
        code = init_sm(&w->sm[i], s, &arena, error);
    }
    if (code == 0) {
        code = gm_sharing_tracker_init(&w->tracker, &tracker, &arena, error);
    }
    gm_arena_free(&arena);
    point(w);
    return code;
}

void hybrid_push(step *t, hybrid_channel *channel, hybrid_message message)
{
    if (channel->count == HYBRID_MESSAGES) {
        *t->fault = FAULT_ERROR; /* more than the explorer has places for */
        return;
    }
    channel->message[channel->count++] = message;
}

/* True if no message is in flight and no load is without its answer. */
bool hybrid_is_quiet(const hybrid_world *w)
{
    unsigned left = w->stalled.count;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        const hybrid_sm *sm = &w->sm[i];
        left += 0U + sm->wire + sm->peer.count + sm->returns.count;
        for (unsigned k = 0; k < HYBRID_LINES; k++) {
            left += sm->up[k].count + sm->supply[k].count;
        }
        for (unsigned k = 0; k < HYBRID_WORDS; k++) {
            left += sm->down[k].count;
        }
        for (unsigned k = 0; k < HYBRID_LOADS; k++) {
            left += w->values.load[i][k].state != LOAD_FREE;
        }
    }
    for (unsigned k = 0; k < HYBRID_WORDS; k++) {
        left += w->l2[k].count;
    }
    return left == 0;
}

/* True if each load has its answer and each write is performed; a FILL, EVICT or credit may be in
 * flight. */
static bool is_answered(const hybrid_world *w)
{
    bool answered = true;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        for (unsigned k = 0; k < HYBRID_LOADS; k++) {
            answered &= w->values.load[i][k].state == LOAD_FREE;
        }
    }
    for (unsigned k = 0; k < HYBRID_WORDS; k++) {
        for (unsigned i = 1; i < HYBRID_TOKENS; i++) {
            const hybrid_token *token = &w->values.word[k].token[i];
            answered &= token->accept == 0 || token->performed != 0;
        }
    }
    return answered;
}

static unsigned done_of(const hybrid_world *w)
{
    return 0U + w->sm[0].done + w->sm[1].done;
}

static bool may_issue(const hybrid_world *w, const hybrid_settings *s, unsigned sm)
{
    return w->sm[sm].done < s->most[sm] && done_of(w) < s->all;
}

bool hybrid_is_final(const hybrid_world *w, const hybrid_settings *s)
{
    return !may_issue(w, s, 0) && !may_issue(w, s, 1) && hybrid_is_quiet(w);
}

/* True if a copy that the tracker names has every write that the tracker has processed. */
static bool has_writes(const hybrid_world *w, const hybrid_settings *s, unsigned line, unsigned sm)
{
    uint32_t slot;
    uint32_t held = hybrid_held(&w->sm[sm], line, &slot);
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        unsigned word = word_of(line, sector);
        if ((held >> sector & 1) != 0 &&
            hybrid_is_older(&w->values, s, word, w->sm[sm].data[slot][sector],
                            w->values.word[word].last)) {
            return false;
        }
    }
    return true;
}

static bool check_copies(const hybrid_world *w, const hybrid_settings *s)
{
    for (unsigned way = 0; way < s->tracker_ways; way++) {
        for (unsigned sm = 0; (w->valid[0] >> way & 1) != 0 && sm < HYBRID_SMS; sm++) {
            if ((w->sharers[way] >> sm & 1) != 0 &&
                !has_writes(w, s, hybrid_line(w->line[way]), sm)) {
                return false;
            }
        }
    }
    return true;
}

/* Nothing may be left where nothing is in flight: each write is performed and the last of the
 * tracker is the L2's; no MSHR entry, no mark; all credits are back. */
static bool check_quiet(const hybrid_world *w, const hybrid_settings *s)
{
    bool sound = is_answered(w);
    for (unsigned k = 0; k < HYBRID_WORDS; k++) {
        sound &= w->values.word[k].last == w->values.word[k].l2 || !has_rule(s, RULE_REQUESTS);
    }
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        sound &= w->sm[i].mshr.valid[0] == 0 && w->sm[i].credits == s->credits;
    }
    for (unsigned way = 0; way < s->tracker_ways; way++) {
        sound &= (w->valid[0] >> way & 1) == 0 || w->marks[way] == 0;
    }
    return sound;
}

bool hybrid_is_sound(const hybrid_world *w, const hybrid_settings *s)
{
    gm_error error;
    bool sound = gm_sharing_tracker_check(&w->tracker, &error) == 0;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        sound &= gm_cache_check_tags(&w->sm[i].cache, "L1", &error) == 0;
        for (unsigned id = 0; id < HYBRID_ENTRIES && w->sm[i].mshr.valid[0] != 0; id++) {
            sound &= gm_mshr_check_entry(&w->sm[i].mshr, id, &error) == 0;
        }
    }
    if (s->copies) {
        sound &= check_copies(w, s) && (!hybrid_is_quiet(w) || check_quiet(w, s));
    }
    return sound;
}

static bool end_kernel(step *t)
{
    hybrid_world *w = t->w;
    if (!(has_rule(t->s, RULE_WAITS) ? hybrid_is_quiet(w) : is_answered(w))) {
        return false;
    }
    TELL(t, "a kernel ends");
    w->kernels++;
    for (unsigned i = 0; i < HYBRID_SMS; i++) {
        hybrid_end_kernel(t, &w->sm[i]);
        for (unsigned k = 0; k < HYBRID_WORDS; k++) {
            w->values.word[k].floor[i] = w->values.word[k].l2;
        }
    }
    if (has_rule(t->s, RULE_FLUSHES)) {
        gm_sharing_tracker_access(&w->tracker,
                                  (gm_sharing_tracker_request){.op = GM_SHARING_TRACKER_FLUSH});
    }
    return true;
}

/* The tracker sends a SUPPLY from its places. */
static bool send_supply(step *t, unsigned number)
{
    hybrid_sm *sm = &t->w->sm[number];
    if (!has_room(t->s, &sm->down[0], 1)) {
        return false;
    }
    TELL(t, "tracker sends a SUPPLY to %c", 'P' + number);
    hybrid_push(t, &sm->down[0], pop(&sm->supply[0], 0));
    return true;
}

static bool send_return(step *t, unsigned number)
{
    hybrid_sm *sm = &t->w->sm[number];
    if (!has_room(t->s, &sm->up[0], 1)) {
        return false;
    }
    TELL(t, "SM %c sends a RETURN", 'P' + number);
    hybrid_push(t, &sm->up[0], pop(&sm->returns, 0));
    sm->wire++;
    return true;
}

static bool take_credit(step *t, unsigned number)
{
    TELL(t, "tracker, a credit of %c", 'P' + number);
    t->w->sm[number].wire--;
    t->w->sm[number].credits++;
    return true;
}

bool hybrid_step(hybrid_world *w, const hybrid_settings *settings, search_event event,
                 search_fault *fault, FILE *log)
{
    step t = {w, &w->values, settings, fault, log};
    *fault = FAULT_NONE;
    switch ((hybrid_event_kind)event.kind) {
    case HYBRID_ISSUE:
        return hybrid_issue(&t, event.a, &settings->operation[event.a][event.b]);
    case HYBRID_EVICT:
        return hybrid_evict(&t, event.a, event.b);
    case HYBRID_TRACKER:
        return hybrid_track(&t, event.a, event.b % HYBRID_LINES, event.b / HYBRID_LINES);
    case HYBRID_L2:
        return hybrid_serve(&t, event.a, event.b);
    case HYBRID_REPLY:
        return hybrid_take_reply(&t, event.a, event.b);
    case HYBRID_SUPPLY:
        return hybrid_take_supply(&t, event.a, pop(&w->sm[event.a].supply[event.b], 0));
    case HYBRID_SEND:
        return send_supply(&t, event.a);
    case HYBRID_RETURN:
        return send_return(&t, event.a);
    case HYBRID_PEER:
        return hybrid_take_supplied(&t, event.a);
    case HYBRID_STALLED:
        return hybrid_track_stalled(&t);
    case HYBRID_CREDIT:
        return take_credit(&t, event.a);
    case HYBRID_KERNEL:
        return end_kernel(&t);
    case HYBRID_ANSWER:
    case HYBRID_ASK:
        break;
    }
    return false;
}

void hybrid_add_operations(hybrid_event_list *list, const hybrid_settings *s, unsigned sm,
                           const uint8_t *done)
{
    bool same = !s->program && s->operations[0] == s->operations[1] &&
                memcmp(s->operation[0], s->operation[1], sizeof s->operation[0]) == 0;
    if (done[sm] >= s->most[sm] || (unsigned)done[0] + done[1] >= s->all ||
        (same && sm == 1 && done[0] == 0)) {
        return;
    }
    for (unsigned op = 0; op < s->operations[sm]; op++) {
        if (!s->program || op == done[sm]) {
            hybrid_add_event(list, HYBRID_ISSUE, sm, op);
        }
    }
}

/* Adds the messages of an SM on a line that the tracker may take next. */
static void add_requests(hybrid_event_list *list, const hybrid_world *w, const hybrid_settings *s,
                         unsigned number, unsigned line)
{
    const hybrid_channel *up = &w->sm[number].up[line];
    bool passes = w->stalled.count == 0;
    for (unsigned i = 0; i < up->count && passes; i++) {
        unsigned kind = up->message[i].kind;
        hybrid_add_event(list, HYBRID_TRACKER, number, i * HYBRID_LINES + line);
        passes = !has_rule(s, RULE_REQUESTS) ||
                 (kind == MESSAGE_FILL && !has_rule(s, RULE_FILL_ORDER)) ||
                 (kind == MESSAGE_EVICT && !has_rule(s, RULE_EVICT_ORDER)) ||
                 (kind == MESSAGE_RETURN && !has_rule(s, RULE_RETURN_ORDER));
    }
}

static void add_messages(hybrid_event_list *list, const hybrid_world *w, const hybrid_settings *s,
                         unsigned number)
{
    const hybrid_sm *sm = &w->sm[number];
    for (unsigned line = 0; line < HYBRID_LINES; line++) {
        add_requests(list, w, s, number, line);
        if (sm->supply[line].count > 0) {
            hybrid_add_event(list, s->queue != 0 ? HYBRID_SEND : HYBRID_SUPPLY, number, line);
        }
        uint32_t slot;
        if (w->evictions < s->evictions && hybrid_held(sm, line, &slot) != 0) {
            hybrid_add_event(list, HYBRID_EVICT, number, line);
        }
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        if (sm->down[word].count > 0) {
            hybrid_add_event(list, HYBRID_REPLY, number, word);
        }
    }
    if (sm->peer.count > 0) {
        hybrid_add_event(list, HYBRID_PEER, number, 0);
    }
    if (sm->returns.count > 0) {
        hybrid_add_event(list, HYBRID_RETURN, number, 0);
    }
    if (sm->wire > 0) {
        hybrid_add_event(list, HYBRID_CREDIT, number, 0);
    }
}

size_t hybrid_events(const hybrid_world *w, const hybrid_settings *s, search_event *events,
                     size_t most)
{
    hybrid_event_list list = {events, 0, most};
    const uint8_t done[HYBRID_SMS] = {w->sm[0].done, w->sm[1].done};
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        hybrid_add_operations(&list, s, sm, done);
        add_messages(&list, w, s, sm);
    }
    for (unsigned word = 0; word < HYBRID_WORDS; word++) {
        unsigned count = w->l2[word].count;
        unsigned choices = has_rule(s, RULE_L2) && count > 1 ? 1 : count;
        for (unsigned i = 0; i < choices; i++) {
            hybrid_add_event(&list, HYBRID_L2, word, i);
        }
    }
    if (w->stalled.count > 0) {
        hybrid_add_event(&list, HYBRID_STALLED, 0, 0);
    }
    if (w->kernels < s->kernels) {
        hybrid_add_event(&list, HYBRID_KERNEL, 0, 0);
    }
    return list.count;
}
