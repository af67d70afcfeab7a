/* What of a world still matters: worlds with one future become one, and an event whose place in the
 * order makes no difference is found, so that it is done in one place only. */
#include "world.h"

#include "goldmem/bits.h"

#include <string.h>

/* --- what follows from the test alone --- */

static uint8_t bit_of(unsigned line, unsigned word)
{
    return (uint8_t)(1u << (GM_LITMUS_WORDS * line + word));
}

static bool is_covered(const world_settings *s, unsigned warp, unsigned by)
{
    const gm_litmus_warp *a = &s->test->warp[warp];
    const gm_litmus_warp *b = &s->test->warp[by];
    return warp == by || (s->protocol.fence_of_cta && a->sm == b->sm && a->cta == b->cta);
}

static void prepare_warp(world_settings *s, unsigned warp)
{
    const gm_litmus_warp *program = &s->test->warp[warp];
    uint8_t before = 0;
    bool fenced = false;
    uint8_t stored = 0;
    for (unsigned i = 0; i < program->count; i++) {
        const gm_litmus_operation *op = &program->operation[i];
        bool writes = op->kind == GM_LITMUS_STORE || op->kind == GM_LITMUS_ATOMIC;
        before |= writes ? bit_of(op->line, op->word) : 0;
        bool returns = op->kind == GM_LITMUS_LOAD || op->kind == GM_LITMUS_LOAD_BYPASS ||
                       op->kind == GM_LITMUS_ATOMIC;
        s->plan.loads[warp][op->target] |= returns ? bit_of(op->line, op->word) : 0;
    }
    for (unsigned i = program->count; i-- > 0;) {
        const gm_litmus_operation *op = &program->operation[i];
        fenced |= op->kind == GM_LITMUS_FENCE || op->kind == GM_LITMUS_KERNEL;
        stored = fenced ? before : stored;
        s->plan.fences[warp][i] = fenced;
        s->plan.stored[warp][i] = stored;
    }
}

void world_prepare(world_settings *s)
{
    const gm_litmus_test *test = s->test;
    s->plan = (world_plan){0};
    for (unsigned warp = 0; warp < test->warps; warp++) {
        prepare_warp(s, warp);
    }
    for (unsigned i = 0; i < test->terms; i++) {
        const gm_litmus_term *term = &test->term[i];
        if (term->is_register) {
            s->plan.registers[term->warp] |= (uint8_t)(1u << term->target);
            s->plan.value[term->warp][term->target] = term->value;
        } else {
            s->plan.places |= bit_of(term->line, term->word);
        }
    }
}

/* True if a fence that waits for the warp can still come. */
static bool is_fenced(const world *w, const world_settings *s, unsigned warp)
{
    bool fenced = s->plan.fences[warp][w->warp[warp].next];
    for (unsigned by = 0; s->protocol.fence_of_cta && by < s->test->warps; by++) {
        fenced |= is_covered(s, warp, by) && s->plan.fences[by][w->warp[by].next];
    }
    return fenced;
}

/* --- values --- */

/* A register matters while the condition names it and can hold; then it has no value or the
 * condition's. Returns the words whose values matter. */
static uint8_t settle_registers(world *w, const world_settings *s)
{
    uint8_t words = 0;
    for (unsigned i = 0; i < s->test->warps && !w->misses; i++) {
        for (unsigned r = 0; r < GM_LITMUS_REGISTERS; r++) {
            bool answered = (w->warp[i].answered & s->plan.registers[i] & 1u << r) != 0;
            w->misses |= answered && w->warp[i].value[r] != s->plan.value[i][r];
        }
    }
    for (unsigned i = 0; i < s->test->warps; i++) {
        world_warp *warp = &w->warp[i];
        warp->answered = w->misses ? 0 : warp->answered & s->plan.registers[i];
        words |= s->plan.stored[i][warp->next];
        for (unsigned r = 0; r < GM_LITMUS_REGISTERS; r++) {
            bool has = (warp->answered & 1u << r) != 0;
            bool waits = !w->misses && !has && (s->plan.registers[i] & 1u << r) != 0;
            warp->value[r] = has ? warp->value[r] : 0;
            words |= waits ? s->plan.loads[i][r] : 0;
        }
    }
    return words | (w->misses ? 0 : s->plan.places);
}

static void keep_words(uint8_t *data, unsigned line, uint8_t words)
{
    for (unsigned word = 0; word < GM_LITMUS_WORDS; word++) {
        data[word] = (words & bit_of(line, word)) != 0 ? data[word] : 0;
    }
}

/* The order of a word's writes matters to fences behind its stores. */
static void settle_order(world *w, const world_settings *s)
{
    uint8_t stored = 0;
    for (unsigned i = 0; i < s->test->warps; i++) {
        stored |= s->plan.stored[i][w->warp[i].next];
    }
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        for (unsigned word = 0; word < GM_LITMUS_WORDS; word++) {
            if ((stored & bit_of(line, word)) == 0) {
                w->performed[line][word] = 0;
                memset(w->order[line][word], 0, sizeof w->order[line][word]);
            }
        }
    }
}

/* --- messages --- */

static void settle_request(const world *w, const world_settings *s, world_message *m, unsigned line,
                           uint8_t words)
{
    bool returns = m->kind == GM_TC_L1_ATOMIC_MESSAGE || m->no_lease != 0;
    if (returns && (w->misses || (s->plan.registers[m->warp] & 1u << m->target) == 0)) {
        m->target = GM_LITMUS_REGISTERS - 1;
    }
    if ((words & bit_of(line, m->word)) == 0) {
        m->value = 0;
    }
}

/* The GWCT and the line's GWCT matter to fences and, with `visible`, to copies. */
static void settle_times(const world *w, const world_settings *s, const world_sm *sm,
                         world_message *m)
{
    bool has_gwct = m->kind == GM_TC_L2_ACK_G || m->kind == GM_TC_L2_DATA_G;
    bool is_old = s->reduces && m->epoch != sm->gwct.epoch;
    bool matters = has_gwct && !is_old && !(s->reduces && m->gwct < w->now) &&
                   (s->protocol.visible || is_fenced(w, s, m->warp));
    m->gwct = matters ? m->gwct : 0;
    m->kind = matters || m->kind != GM_TC_L2_ACK_G ? m->kind : GM_TC_L2_ACK;
    if (is_old || !s->protocol.visible || (s->reduces && m->visible < w->now)) {
        m->visible = 0;
    }
    m->epoch = !matters && m->visible == 0 ? 0 : m->epoch ^ (uint8_t)sm->gwct.epoch;
}

/* An answer of an UPGR whose copy has been dropped only counts. An expired lease installs nothing.
 * Requires that MSHR entries, registers and slots have been settled. */
static void settle_answer(const world *w, const world_settings *s, const world_sm *sm,
                          unsigned line, world_message *m, uint8_t words)
{
    const gm_tc_l1_slot *slot = &sm->slot[line % s->l1_slots];
    bool fills = m->of == GM_TC_L1_GETS && m->no_lease == 0;
    m->word = 0;
    settle_times(w, s, sm, m);
    if (m->of == GM_TC_L1_ATOMIC_MESSAGE || m->no_lease != 0) {
        bool misses = w->misses || (s->plan.registers[m->warp] & 1u << m->target) == 0;
        m->target = misses ? GM_LITMUS_REGISTERS - 1 : m->target;
        m->data[0] = misses ? 0 : m->data[0];
        m->timestamp = 0;
        m->lease_given = 0;
        return;
    }
    keep_words(m->data, line, words);
    if (s->reduces && m->of == GM_TC_L1_UPGR && !slot->valid) {
        m->kind = m->kind == GM_TC_L2_DATA_G && m->gwct != 0 ? GM_TC_L2_ACK_G : m->kind;
        m->kind = m->kind == GM_TC_L2_DATA_G ? GM_TC_L2_ACK : m->kind;
        memset(m->data, 0, sizeof m->data);
        m->lease_given = 0;
        m->timestamp = 0;
    }
    if (s->reduces && fills && !s->protocol.asks_again &&
        (!gm_mshr_is_open(&sm->mshr, m->id) || m->timestamp < w->now)) {
        m->timestamp = 0;
    }
}

static void settle_messages(world *w, const world_settings *s, world_sm *sm, uint8_t words)
{
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        for (unsigned i = 0; i < sm->up[line].count; i++) {
            settle_request(w, s, &sm->up[line].message[i], line, words);
        }
        for (unsigned i = 0; i < sm->down[line].count; i++) {
            settle_answer(w, s, sm, line, &sm->down[line].message[i], words);
        }
    }
}

/* --- an SM --- */

static void sort(uint16_t *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        uint16_t value = values[i];
        unsigned at = i;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
}

void world_set_entries(gm_mshr *mshr, const world_entry *entry, unsigned count)
{
    memset(mshr->valid, 0, sizeof mshr->valid[0]);
    memset(mshr->open, 0, sizeof mshr->open[0]);
    memset(mshr->bucket, 0, WORLD_BUCKETS * sizeof *mshr->bucket);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned r = 0; r < entry[i].count; r++) {
            gm_mshr_take(mshr, entry[i].line, entry[i].requester[r], true);
        }
        if (!entry[i].open) {
            gm_mshr_close(mshr, entry[i].line);
        }
    }
}

/* Describes the entry of a message's data. Loads are answered together: their order is nothing. */
static world_entry describe(const world *w, const world_settings *s, const gm_mshr *mshr,
                            unsigned id, uint8_t words)
{
    const gm_mshr_entry *entry = &mshr->entry[id];
    world_entry made = {.line = (uint8_t)entry->line, .open = gm_mshr_is_open(mshr, id)};
    for (unsigned i = entry->oldest; i <= entry->newest; i++) {
        unsigned of = (unsigned)*gm_mshr_requester(mshr, id, i);
        unsigned warp = of >> 3 & 7;
        unsigned word = of >> 2 & 1;
        bool matters = !w->misses && (s->plan.registers[warp] & 1u << (of & 3)) != 0 &&
                       (words & bit_of(made.line, word)) != 0;
        unsigned none = world_requester(warp, 0, GM_LITMUS_REGISTERS - 1, of >> WORLD_REQUESTER);
        made.requester[made.count++] = (uint16_t)(matters ? of : none);
    }
    sort(made.requester, made.count);
    return made;
}

/* Numbers the MSHR entries by lines and, on one line, in the order of their messages. */
static void settle_entries(const world *w, const world_settings *s, world_sm *sm, uint8_t words)
{
    world_entry entry[WORLD_ENTRIES];
    unsigned count = 0;
    if (sm->mshr.valid[0] == 0) {
        return;
    }
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        for (unsigned up = 0; up < 2; up++) {
            world_channel *channel = up != 0 ? &sm->up[line] : &sm->down[line];
            for (unsigned i = 0; i < channel->count; i++) {
                world_message *m = &channel->message[i];
                bool gets = (up != 0 ? m->kind : m->of) == GM_TC_L1_GETS && m->no_lease == 0;
                if (gets) {
                    entry[count] = describe(w, s, &sm->mshr, m->id, words);
                    m->id = (uint8_t)count++;
                }
            }
        }
    }
    world_set_entries(&sm->mshr, entry, count);
}

static void settle_slots(const world *w, const world_settings *s, world_sm *sm, uint8_t words)
{
    for (unsigned i = 0; i < s->l1_slots; i++) {
        gm_tc_l1_slot *slot = &sm->slot[i];
        bool expired = w->now > slot->lease;
        if (s->reduces && expired && slot->pending == 0) {
            slot->valid = false;
        }
        slot->lease = slot->valid && !(s->reduces && expired) ? slot->lease : 0;
        slot->visible = slot->valid && slot->visible >= w->now ? slot->visible : 0;
        if (!slot->valid) {
            memset(sm->data[i], 0, GM_LITMUS_WORDS);
        }
        if (s->reduces && sm->tag[i] != 0 && !slot->valid && slot->pending == 0 &&
            gm_mshr_find_open(&sm->mshr, sm->tag[i] - 1U) == GM_MSHR_ENTRIES) {
            sm->tag[i] = 0;
        }
        if (sm->tag[i] != 0) {
            keep_words(sm->data[i], sm->tag[i] - 1U, words);
        }
    }
}

static void settle_gwcts(const world *w, const world_settings *s, world_sm *sm)
{
    for (unsigned i = 0; i < s->test->warps; i++) {
        if (&w->sm[s->test->warp[i].sm] == sm) {
            gm_gwct_entry *entry = &sm->warp[world_local_warp(s->test, i)];
            entry->visible = entry->visible >= w->now && is_fenced(w, s, i) ? entry->visible : 0;
        }
    }
}

/* --- the L2 --- */

static void free_slot(world *w, unsigned i)
{
    memcpy(w->memory[w->tag[i] - 1], w->data[i], GM_LITMUS_WORDS);
    w->line[i] = (gm_tc_l2_line){0};
    w->tag[i] = 0;
    memset(w->data[i], 0, GM_LITMUS_WORDS);
}

/* A line without lease is as good as one in memory; a line with a lease and no owner is as good as
 * one in memory with its lease stored, unless they differ in `visible`. */
static void settle_line(world *w, const world_settings *s, unsigned i)
{
    gm_tc_l2_line *line = &w->line[i];
    bool saturated = line->lease == gm_mask(s->time_bits);
    if (w->now > line->lease) {
        free_slot(w, i);
        return;
    }
    line->visible = line->visible >= w->now ? line->visible : 0;
    if (!line->owned || saturated) {
        line->readers = GM_TC_L2_SHARED;
        line->owned = false;
        line->owner = 0;
        if (!s->protocol.visible || line->visible == line->lease) {
            gm_lease_store_access(&w->leases, (gm_lease_store_request){.op = GM_LEASE_STORE_PUT,
                                                                       .line = w->tag[i] - 1U,
                                                                       .lease = line->lease,
                                                                       .now = w->now,
                                                                       .may = 1});
            free_slot(w, i);
        }
    }
}

static bool leases_are_kept(const world_settings *s)
{
    return s->printed == 0 && (s->rules & RULE_KEEPS_LEASES) != 0;
}

static void settle_l2(world *w, const world_settings *s, uint8_t words)
{
    for (unsigned i = 0; i < s->l2_slots; i++) {
        gm_tc_l2_line *line = &w->line[i];
        if (w->tag[i] == 0) {
            continue;
        }
        if (s->reduces && leases_are_kept(s)) {
            settle_line(w, s, i);
        } else if (s->printed == 0 && w->now > line->lease) {
            *line = (gm_tc_l2_line){0};
        }
        if (w->tag[i] != 0) {
            keep_words(w->data[i], w->tag[i] - 1U, words);
            memset(w->memory[w->tag[i] - 1], 0, GM_LITMUS_WORDS);
        }
    }
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        keep_words(w->memory[line], line, words);
    }
}

/* Sorts the stored leases by their lines. */
static void settle_leases(world *w)
{
    gm_lease_store_entry sorted[WORLD_STORED] = {{0}};
    unsigned count = 0;
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        for (unsigned i = 0; i < WORLD_STORED; i++) {
            if (w->stored[i].valid && w->stored[i].line == line && w->stored[i].lease >= w->now) {
                sorted[count++] = w->stored[i];
            }
        }
    }
    memcpy(w->stored, sorted, sizeof sorted);
}

void world_make_canonical(world *w, const world_settings *s)
{
    uint8_t words = settle_registers(w, s);
    unsigned sms = world_sms(s->test);
    settle_order(w, s);
    for (unsigned i = 0; i < sms; i++) {
        settle_entries(w, s, &w->sm[i], words);
        settle_slots(w, s, &w->sm[i], words);
        settle_messages(w, s, &w->sm[i], words);
        settle_gwcts(w, s, &w->sm[i]);
    }
    for (unsigned i = 0; i < sms; i++) {
        w->sm[i].gwct.epoch = 0; /* epochs of messages have become relative to it */
    }
    settle_l2(w, s, words);
    settle_leases(w);
}

/* --- events that may come first --- */

/* True if an answer changes nothing but counts, a register, and a GWCT that no fence asks for
 * before the answer. */
static bool only_counts(const world_settings *s, const world_sm *sm, unsigned line,
                        const world_message *m)
{
    const gm_tc_l1_slot *slot = &sm->slot[line % s->l1_slots];
    if (m->of == GM_TC_L1_UPGR) {
        bool keeps_lease = m->kind != GM_TC_L2_DATA_G && m->lease_given == 0;
        return !slot->valid || (keeps_lease && !s->strong && !s->protocol.visible);
    }
    return m->of != GM_TC_L1_GETS || m->no_lease != 0 ||
           (!gm_mshr_is_open(&sm->mshr, m->id) && !s->protocol.asks_again);
}

/* True if the warp is the only one of its SM with operations left, and its next one writes, or
 * loads, past an L1 that has no copy of the line and asks for none. */
static bool passes_l1(const world *w, const world_settings *s, unsigned warp)
{
    const gm_litmus_test *test = s->test;
    const gm_litmus_operation *op = &test->warp[warp].operation[w->warp[warp].next];
    const world_sm *sm = &w->sm[test->warp[warp].sm];
    unsigned slot = op->line % s->l1_slots;
    bool passes = op->kind == GM_LITMUS_STORE || op->kind == GM_LITMUS_ATOMIC ||
                  op->kind == GM_LITMUS_LOAD_BYPASS;
    for (unsigned i = 0; i < test->warps; i++) {
        passes &= i == warp || test->warp[i].sm != test->warp[warp].sm ||
                  w->warp[i].next == test->warp[i].count;
    }
    return passes && (sm->tag[slot] != op->line + 1U || !sm->slot[slot].valid) &&
           gm_mshr_find_open(&sm->mshr, op->line) == GM_MSHR_ENTRIES &&
           !(s->protocol.asks_again && world_has_entry(sm, op->line)) &&
           sm->up[op->line].count < WORLD_MESSAGES;
}

bool world_find_forced(const world *w, const world_settings *s, world_event *event)
{
    for (uint8_t i = 0; s->reduces && i < world_sms(s->test); i++) {
        for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
            const world_channel *down = &w->sm[i].down[line];
            if (down->count > 0 && only_counts(s, &w->sm[i], line, &down->message[0])) {
                *event = (world_event){EVENT_ANSWER, i, (uint8_t)line};
                return true;
            }
        }
    }
    for (uint8_t i = 0; s->reduces && i < s->test->warps; i++) {
        if (w->warp[i].next < s->test->warp[i].count && passes_l1(w, s, i)) {
            *event = (world_event){EVENT_ISSUE, i, 0};
            return true;
        }
    }
    return false;
}
