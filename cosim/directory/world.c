/* The explored system: queues, events, what must hold in a world. */
#include "directory_world.h"

const char *const directory_rule_names[RULES] = {
    "ordered-requests", "ordered-responses", "lines-wait",
    "upgrades",         "acknowledges",      "entry-first",
};

bool directory_has_room(const directory_queue *queue, const directory_settings *s, unsigned more)
{
    return queue->count + more <= s->places;
}

bool directory_push(directory_queue *queue, const directory_settings *s, directory_message message)
{
    if (!directory_has_room(queue, s, 1)) {
        return false;
    }
    queue->message[queue->count++] = message;
    return true;
}

directory_message directory_pop(directory_queue *queue, unsigned place)
{
    directory_message m = queue->message[place];
    queue->count--;
    for (unsigned i = place; i < queue->count; i++) {
        queue->message[i] = queue->message[i + 1];
    }
    queue->message[queue->count] = (directory_message){0};
    return m;
}

/* Counts an eviction of a kind, unless there may be any number. */
static void count_eviction(directory_step *t, unsigned kind)
{
    uint8_t *count = &t->w->evictions[kind];
    *count = (uint8_t)(*count + (t->s->evictions != DIRECTORY_ANY));
}

bool directory_do(directory_world *w, const directory_settings *s, search_event event,
                  search_fault *fault, FILE *log)
{
    directory_step t = {w, s, fault, log};
    *fault = FAULT_NONE;
    switch ((directory_event_kind)event.kind) {
    case DIRECTORY_ISSUE:
        return directory_issue(&t, event.a, &s->operation[event.b]);
    case DIRECTORY_EVICT:
        count_eviction(&t, 0);
        return directory_evict(&t, event.a, event.b);
    case DIRECTORY_RECEIVE:
        return directory_receive(&t, event.a, event.b % GM_DIRECTORY_NETWORKS,
                                 event.b / GM_DIRECTORY_NETWORKS);
    case DIRECTORY_SERVE:
        return directory_serve(&t, event.a, event.b % GM_DIRECTORY_NETWORKS,
                               event.b / GM_DIRECTORY_NETWORKS);
    case DIRECTORY_NEXT:
        return directory_next(&t, event.a);
    case DIRECTORY_MEMORY:
        return directory_own(&t, event.a, GM_DIR_MEMORY);
    case DIRECTORY_L2_EVICT:
        count_eviction(&t, 1);
        return directory_own(&t, event.a, GM_DIR_EVICT);
    case DIRECTORY_FORGET:
        count_eviction(&t, 2);
        return directory_own(&t, event.a, GM_DIR_FORGET);
    }
    return false;
}

typedef struct event_list {
    search_event *event;
    size_t count, most;
} event_list;

static void add(event_list *list, directory_event_kind kind, unsigned a, unsigned b)
{
    if (list->count < list->most) {
        list->event[list->count++] = (search_event){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
    }
}

static void add_operations(event_list *list, const directory_world *w, const directory_settings *s,
                           unsigned sm)
{
    unsigned all = 0;
    for (unsigned i = 0; i < s->sms; i++) {
        all += w->sm[i].issued;
    }
    /* SMs have the same operations: SM n begins after SM n - 1. */
    if (w->sm[sm].issued >= s->each || all >= s->all ||
        (sm > 0 && w->sm[sm - 1].issued == 0 && w->sm[sm].issued == 0)) {
        return;
    }
    for (unsigned i = 0; i < s->operations; i++) {
        add(list, DIRECTORY_ISSUE, sm, i);
    }
}

static unsigned choices(const directory_queue *queue, bool ordered)
{
    unsigned count = queue->count;
    return ordered && count > 1 ? 1 : count;
}

static void add_messages(event_list *list, const directory_world *w, const directory_settings *s,
                         unsigned number)
{
    const directory_sm *sm = &w->sm[number];
    for (unsigned queue = 0; queue < GM_DIRECTORY_NETWORKS; queue++) {
        bool requests = queue != GM_VN_REQUEST || directory_has(s, RULE_ORDERED_REQUESTS);
        for (unsigned i = 0; i < choices(&sm->up[queue], requests); i++) {
            add(list, DIRECTORY_SERVE, number, i * GM_DIRECTORY_NETWORKS + queue);
        }
        bool responses = queue != GM_VN_RESPONSE || directory_has(s, RULE_ORDERED_RESPONSES);
        for (unsigned i = 0; i < choices(&sm->down[queue], responses); i++) {
            add(list, DIRECTORY_RECEIVE, number, i * GM_DIRECTORY_NETWORKS + queue);
        }
    }
}

size_t directory_events(const directory_world *w, const directory_settings *s, search_event *events,
                        size_t most)
{
    event_list list = {events, 0, most};
    for (unsigned sm = 0; sm < s->sms; sm++) {
        add_operations(&list, w, s, sm);
        add_messages(&list, w, s, sm);
        for (unsigned line = 0; w->evictions[0] < s->evictions && line < DIRECTORY_LINES; line++) {
            add(&list, DIRECTORY_EVICT, sm, line);
        }
    }
    for (unsigned line = 0; line < DIRECTORY_LINES; line++) {
        add(&list, DIRECTORY_NEXT, line, 0);
        add(&list, DIRECTORY_MEMORY, line, 0);
        if (w->evictions[1] < s->evictions) {
            add(&list, DIRECTORY_L2_EVICT, line, 0);
        }
        if (w->evictions[2] < s->evictions && s->protocol == &gm_directory_vini) {
            add(&list, DIRECTORY_FORGET, line, 0);
        }
    }
    return list.count;
}

bool directory_is_quiet(const directory_world *w, const directory_settings *s)
{
    unsigned busy = 0;
    for (unsigned sm = 0; sm < s->sms; sm++) {
        busy += w->sm[sm].count;
        for (unsigned queue = 0; queue < GM_DIRECTORY_NETWORKS; queue++) {
            busy += (unsigned)w->sm[sm].up[queue].count + w->sm[sm].down[queue].count;
        }
    }
    for (unsigned line = 0; line < DIRECTORY_LINES; line++) {
        busy += (unsigned)w->line[line].count + (w->line[line].state > GM_DIR_M);
    }
    return busy == 0;
}

static bool is_copy(const directory_copy *copy)
{
    return copy->state >= GM_L1_V && copy->state <= GM_L1_M;
}

static bool is_owner(const directory_copy *copy)
{
    return copy->state == GM_L1_E || copy->state == GM_L1_M;
}

/* Returns where a line's newest data are in a quiet world. */
static const uint8_t *data_of(const directory_world *w, const directory_settings *s, unsigned line)
{
    const directory_line *l = &w->line[line];
    for (unsigned sm = 0; sm < s->sms; sm++) {
        if (is_owner(&w->sm[sm].copy[line])) {
            return w->sm[sm].copy[line].data;
        }
    }
    return l->state == GM_DIR_I || l->state == GM_DIR_N ? l->memory : l->data;
}

/* No write is lost, and all copies have them; nobody waits. */
static bool is_whole(const directory_world *w, const directory_settings *s, unsigned line)
{
    const uint8_t *data = data_of(w, s, line);
    bool whole = true;
    for (unsigned word = 0; word < DIRECTORY_WORDS; word++) {
        whole &= data[word] == directory_newest(w, line, word);
        for (unsigned sm = 0; sm < s->sms; sm++) {
            const directory_copy *copy = &w->sm[sm].copy[line];
            whole &= !is_copy(copy) || copy->data[word] == data[word];
        }
    }
    return whole;
}

/* The directory knows each copy; an owner is alone. */
static bool is_known(const directory_world *w, const directory_settings *s, unsigned line)
{
    const directory_line *l = &w->line[line];
    unsigned copies = 0, owners = 0;
    bool known = true;
    for (unsigned sm = 0; sm < s->sms; sm++) {
        const directory_copy *copy = &w->sm[sm].copy[line];
        copies += is_copy(copy);
        owners += is_owner(copy);
        known &= !is_copy(copy) || (l->sharers >> sm & 1) != 0 || l->owner == sm + 1;
    }
    return known && (owners == 0 || copies == 1);
}

bool directory_is_sound(const directory_world *w, const directory_settings *s, bool quiet)
{
    bool sound = true;
    for (unsigned line = 0; line < DIRECTORY_LINES; line++) {
        sound &= s->outcomes || is_known(w, s, line);
        sound &= !quiet || is_whole(w, s, line);
    }
    return sound;
}
