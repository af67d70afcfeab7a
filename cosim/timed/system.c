/* The explored machine as a system of the search: its events, its ends, its checks. */
#include "timed.h"

#include "cycle/l1/l1_coherent.h"
#include "cycle/l2/l2_coherent.h"

static int begin(void *own, gm_error *error)
{
    timed_machine *m = own;
    m->is_from = false;
    return timed_begin(m, error);
}

static void keep(void *own)
{
    timed_machine *m = own;
    timed_save(m, m->from);
    m->is_from = true;
}

static size_t pack(void *own, uint8_t *bytes)
{
    timed_machine *m = own;
    timed_make_canonical(m);
    return timed_pack(m, bytes);
}

static void unpack(void *own, const uint8_t *bytes)
{
    timed_machine *m = own;
    timed_unpack(m, bytes);
    timed_save(m, m->from);
    m->is_from = true;
}

static void go_back(timed_machine *m)
{
    if (!m->is_from) {
        timed_restore(m, m->from);
        m->is_from = true;
    }
}

typedef struct event_list {
    search_event *event;
    size_t count, most;
} event_list;

static void add(event_list *list, timed_event_kind kind, uint32_t a, uint32_t b)
{
    if (list->count < list->most) {
        list->event[list->count++] = (search_event){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
    }
}

/* A packet behind one that the bank could not serve waits in the network instead of the queue. */
static void add_bank(event_list *list, const timed_machine *m)
{
    const timed_world *w = m->world;
    bool idle = gm_ring_is_empty(&w->bank.in) && w->bank.answering == 0;
    for (uint32_t sm = 0; idle && sm < m->sms; sm++) {
        for (uint32_t line = 0; line < m->lines; line++) {
            if (w->up[sm][line].count != 0) {
                add(list, TIMED_ARRIVE, sm, line);
            }
        }
    }
    for (uint32_t i = 0; w->bank.answering == 0 && i < TIMED_READS; i++) {
        if (w->read[i].sectors != 0) {
            add(list, TIMED_READ, i, 0);
        }
    }
    if (timed_has_work(m)) {
        add(list, TIMED_BANK, 0, 0);
    }
}

static size_t events_of(void *own, search_event *event, size_t most)
{
    timed_machine *m = own;
    event_list list = {event, 0, most};
    go_back(m);
    if (m->settings.reduces && !m->unforced && timed_find_forced(m, event)) {
        return 1;
    }
    const timed_world *w = m->world;
    for (unsigned i = 0; i < m->settings.test->warps; i++) {
        if (w->warp[i].next < m->settings.test->warp[i].count) {
            add(&list, TIMED_ISSUE, i, 0);
        }
    }
    add_bank(&list, m);
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        bool answers = w->unit[sm].l1.answering != GM_NO_ENTRY;
        if (answers) {
            add(&list, TIMED_ANSWER, sm, 0);
        }
        for (uint32_t line = 0; !answers && line < m->lines; line++) {
            if (w->down[sm][line].count != 0) {
                add(&list, TIMED_REPLY, sm, line);
            }
        }
    }
    add(&list, TIMED_TICK, 0, 0);
    return list.count;
}

static bool step(void *own, search_event event, search_fault *fault, FILE *log)
{
    timed_machine *m = own;
    go_back(m);
    m->is_from = false;
    m->log = log;
    bool done = timed_step(m, event, fault);
    m->log = NULL;
    return done;
}

/* The value of a word at the end: in the L2, or in memory. */
static uint8_t last_value(const timed_machine *m, unsigned line, unsigned word)
{
    const timed_world *w = m->world;
    uint64_t at = gm_address_map_locate(&m->l2_shared.map, m->line[line]).line;
    bool held = gm_cache_find(&w->bank.l2.cache, at).slot != GM_NO_SLOT;
    return held ? w->values.l2[line][word] : w->values.memory[line][word];
}

static bool is_final(void *own, bool *holds)
{
    const timed_machine *m = own;
    const timed_world *w = m->world;
    const gm_litmus_test *test = m->settings.test;
    for (unsigned i = 0; i < test->warps; i++) {
        if (w->warp[i].next < test->warp[i].count || w->warp[i].accesses != 0) {
            return false;
        }
    }
    if (!gm_l2_bank_idle(&w->bank)) {
        return false;
    }
    *holds = !w->misses;
    for (unsigned i = 0; i < test->terms; i++) {
        const gm_litmus_term *term = &test->term[i];
        uint8_t value = term->is_register ? w->warp[term->warp].value[term->target]
                                          : last_value(m, term->line, term->word);
        *holds &= value == term->value;
    }
    return true;
}

static bool has_sound_entries(const gm_mshr *mshr)
{
    gm_error error;
    bool sound = true;
    for (unsigned id = 0; id < mshr->entries && sound; id++) {
        sound = gm_mshr_check_entry(mshr, id, &error) == 0;
    }
    return sound;
}

/* True if nothing of a final world is in flight, and nothing is kept that waits. */
static bool is_sound(void *own, bool final)
{
    const timed_machine *m = own;
    const timed_world *w = m->world;
    gm_error error;
    bool sound = has_sound_entries(&w->bank.mshr);
    for (uint32_t i = 0; i < m->sms && sound; i++) {
        sound = has_sound_entries(&w->unit[i].l1.mshr);
    }
    if (!final || !sound) {
        return sound;
    }
    sound = gm_l2_coherent_check(&w->bank, "", &error) == 0 &&
            gm_mshr_check(&w->bank.mshr, &error) == 0 && w->bank.vacancies == w->bank.items;
    for (uint32_t i = 0; i < m->sms && sound; i++) {
        const gm_cycle_l1 *l1 = &w->unit[i].l1;
        sound = gm_cycle_l1_coherent_check(l1, "", &error) == 0 &&
                gm_mshr_check(&l1->mshr, &error) == 0 && gm_cycle_l1_is_empty(l1);
        for (unsigned line = 0; line < m->lines && sound; line++) {
            sound = w->up[i][line].count + w->down[i][line].count == 0;
        }
    }
    return sound;
}

/* True if time alone makes nothing else possible: after two epochs all is as it was. */
static bool is_stuck(void *own)
{
    timed_machine *m = own;
    gm_cycle cycles = 2 * m->world->time.last + 2;
    go_back(m);
    m->is_from = false;
    for (gm_cycle i = 0; i < cycles; i++) {
        search_fault fault;
        bool done = false;
        search_event event[32];
        timed_save(m, m->from);
        m->is_from = true;
        size_t count = events_of(m, event, sizeof event / sizeof *event);
        if (event[count - 1].kind != TIMED_TICK) {
            return false; /* one that is done before all others */
        }
        for (size_t at = 0; at + 1 < count && !done; at++) {
            done = step(m, event[at], &fault, NULL);
        }
        if (done) {
            return false;
        }
        step(m, event[count - 1], &fault, NULL);
    }
    return true;
}

search_system timed_system(timed_machine *machine)
{
    return (search_system){.own = machine,
                           .begin = begin,
                           .keep = keep,
                           .pack = pack,
                           .unpack = unpack,
                           .events = events_of,
                           .step = step,
                           .is_final = is_final,
                           .is_sound = is_sound,
                           .is_stuck = is_stuck};
}
