/* The explored system: its worlds, the events that are possible in one, and the cycle. */
#include "world_step.h"

#include "goldmem/bits.h"

const char *const world_rule_names[RULES] = {
    "fence-closes",   "store-closes", "rollover-closes", "loads-count",
    "stores-count",   "keeps-leases", "starts-at-1",     "closed-count",
    "gwct-of-writer", "kernel-waits", "merge-waits",
};

/* Lets the blocks of a world of `sms` SMs point into it. */
static void point(world *w, size_t sms)
{
    for (size_t i = 0; i < sms; i++) {
        world_sm *sm = &w->sm[i];
        sm->l1.slot = sm->slot;
        sm->mshr.bucket = sm->bucket;
        sm->mshr.entry = sm->entry;
        sm->mshr.requester = sm->requester;
        sm->gwct.entry = sm->warp;
    }
    w->l2.line = w->line;
    w->leases.entry = w->stored;
}

void world_copy(world *to, const world *from, size_t size)
{
    memcpy(to, from, size);
    point(to, (size - offsetof(world, sm)) / sizeof *to->sm);
}

unsigned world_sms(const gm_litmus_test *test)
{
    return test->warp[test->warps - 1].sm + 1U;
}

size_t world_size(const world_settings *settings)
{
    return offsetof(world, sm) + world_sms(settings->test) * sizeof(world_sm);
}

unsigned world_local_warp(const gm_litmus_test *test, unsigned warp)
{
    unsigned first = warp;
    while (first > 0 && test->warp[first - 1].sm == test->warp[warp].sm) {
        first--;
    }
    return warp - first;
}

/* The blocks take their storage from an arena of their own; it is then copied into the world. */
static int init_sm(world_sm *sm, const world_settings *s, gm_arena *arena, gm_error *error)
{
    const gm_tc_l1_parameters l1 = {s->l1_slots, 4, s->time_bits, s->strong, s->protocol.visible};
    const gm_mshr_parameters mshr = {WORLD_ENTRIES, WORLD_MERGES, 8, 16};
    const gm_gwct_parameters gwct = {GM_LITMUS_WARPS, 4, s->time_bits};
    int code = gm_tc_l1_init(&sm->l1, &l1, arena, error);
    if (code == 0) {
        code = gm_mshr_init(&sm->mshr, &mshr, arena, error);
    }
    return code == 0 ? gm_gwct_init(&sm->gwct, &gwct, arena, error) : code;
}

int world_init(world *w, const world_settings *s, gm_error *error)
{
    const gm_tc_l2_parameters l2 = {s->l2_slots, GM_LITMUS_SMS, s->time_bits,
                                    s->strong,   s->printed,    s->protocol.visible};
    const gm_lease_store_parameters leases = {WORLD_STORED, 8, s->time_bits};
    gm_arena arena;
    memset(w, 0, sizeof *w);
    int code = gm_arena_create(&arena, 1 << 16, error);
    if (code < 0) {
        return code;
    }
    for (unsigned i = 0; i < GM_LITMUS_SMS && code == 0; i++) {
        code = init_sm(&w->sm[i], s, &arena, error);
    }
    if (code == 0) {
        code = gm_tc_l2_init(&w->l2, &l2, &arena, error);
    }
    if (code == 0) {
        code = gm_lease_store_init(&w->leases, &leases, &arena, error);
    }
    gm_arena_free(&arena);
    point(w, GM_LITMUS_SMS);
    w->now = has_rule(s, RULE_STARTS_AT_1);
    return code;
}

static void roll_over(step *t)
{
    world *w = t->w;
    for (unsigned i = 0; i < world_sms(t->s->test); i++) {
        world_sm *sm = &w->sm[i];
        gm_tc_l1_access(&sm->l1, (gm_tc_l1_request){.op = GM_TC_L1_FLUSH});
        gm_gwct_access(&sm->gwct, (gm_gwct_request){.op = GM_GWCT_ROLLOVER});
        if (has_rule(t->s, RULE_ROLLOVER_CLOSES)) {
            world_close_entries(t, sm);
        }
    }
    gm_tc_l2_access(&w->l2, (gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    gm_lease_store_access(&w->leases, (gm_lease_store_request){.op = GM_LEASE_STORE_CLEAR});
}

static bool tick(step *t)
{
    if (t->w->now == gm_mask(t->s->time_bits)) {
        roll_over(t);
        t->w->now = has_rule(t->s, RULE_STARTS_AT_1);
        TELL(t, "rollover, ");
    } else {
        t->w->now++;
    }
    TELL(t, "time %u", t->w->now);
    return true;
}

bool world_step(world *w, const world_settings *settings, world_event event, world_fault *fault,
                FILE *log)
{
    step t = {w, settings, fault, log};
    *fault = FAULT_NONE;
    switch ((world_event_kind)event.kind) {
    case EVENT_ISSUE:
        return world_issue(&t, event.a);
    case EVENT_L2:
        return world_serve(&t, event.a, event.b);
    case EVENT_ANSWER:
        return world_take_answer(&t, event.a, event.b);
    case EVENT_EVICT:
        return world_evict(&t, event.a, event.b);
    case EVENT_TICK:
        return tick(&t);
    }
    return false;
}

size_t world_events(const world *w, const world_settings *settings, world_event *events,
                    size_t most)
{
    const gm_litmus_test *test = settings->test;
    size_t count = 0;
#define ADD(...)                                                                                   \
    if (count < most) {                                                                            \
        events[count++] = (world_event){__VA_ARGS__};                                              \
    }
    for (uint8_t i = 0; i < test->warps; i++) {
        if (w->warp[i].next < test->warp[i].count) {
            ADD(EVENT_ISSUE, i, 0)
        }
    }
    uint8_t sms = (uint8_t)world_sms(test);
    uint8_t slots = settings->evicts ? (uint8_t)settings->l1_slots : 0;
    for (uint8_t i = 0; i < sms; i++) {
        for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
            if (w->sm[i].up[line].count > 0) {
                ADD(EVENT_L2, i, (uint8_t)line)
            }
            if (w->sm[i].down[line].count > 0) {
                ADD(EVENT_ANSWER, i, (uint8_t)line)
            }
        }
        for (uint8_t slot = 0; slot < slots; slot++) {
            if (w->sm[i].tag[slot] != 0) {
                ADD(EVENT_EVICT, i, slot)
            }
        }
    }
    ADD(EVENT_TICK, 0, 0)
#undef ADD
    return count;
}

/* The value of a word at the end: in the L2, or in memory. */
static uint8_t last_value(const world *w, const world_settings *s, unsigned line, unsigned word)
{
    unsigned slot = line % s->l2_slots;
    return w->tag[slot] == line + 1 ? w->data[slot][word] : w->memory[line][word];
}

bool world_is_final(const world *w, const world_settings *settings, bool *holds_)
{
    const gm_litmus_test *test = settings->test;
    for (unsigned i = 0; i < test->warps; i++) {
        if (w->warp[i].next < test->warp[i].count) {
            return false;
        }
    }
    for (unsigned i = 0; i < world_sms(test); i++) {
        for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
            if (w->sm[i].up[line].count > 0 || w->sm[i].down[line].count > 0) {
                return false;
            }
        }
    }
    *holds_ = !w->misses;
    for (unsigned i = 0; i < test->terms; i++) {
        const gm_litmus_term *term = &test->term[i];
        uint8_t value = term->is_register ? w->warp[term->warp].value[term->target]
                                          : last_value(w, settings, term->line, term->word);
        *holds_ &= value == term->value;
    }
    return true;
}
