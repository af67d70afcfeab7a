/* Breadth-first search with a table of worlds seen, of which 128 bits of a hash are kept. Two
 * worlds with one hash would be taken for one: with 10^8 worlds a chance of 10^-23. */
#include "search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NO_PARENT = UINT32_MAX, EVENTS = 64 };

typedef struct seen {
    uint64_t hash[2]; /* 0, 0: free */
} seen;

/* A visited world: how it was reached. */
typedef struct visit {
    uint32_t parent;
    world_event event;
} visit;

typedef struct frontier {
    unsigned char *worlds; /* world_size bytes each */
    uint32_t *number;      /* of each, among the visits */
    size_t count, size;
} frontier;

typedef struct state {
    const world_settings *settings;
    uint64_t most;
    size_t world_size; /* a multiple of a world's alignment */
    seen *table;
    size_t table_size; /* a power of two */
    visit *visits;
    size_t count, size;
    frontier now, next;
    search_result *result;
} state;

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static seen hash_of(const uint8_t *bytes, size_t size)
{
    seen made = {{UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f)}};
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        made.hash[0] = mix(made.hash[0] ^ word);
        made.hash[1] = mix(made.hash[1] + word) + made.hash[0];
    }
    made.hash[0] |= made.hash[0] == 0 && made.hash[1] == 0;
    return made;
}

/* Returns the place of a hash in the table: its own, or a free one. */
static seen *find(const state *s, seen key)
{
    size_t at = key.hash[0] & (s->table_size - 1);
    while ((s->table[at].hash[0] | s->table[at].hash[1]) != 0 &&
           (s->table[at].hash[0] != key.hash[0] || s->table[at].hash[1] != key.hash[1])) {
        at = (at + 1) & (s->table_size - 1);
    }
    return &s->table[at];
}

static int grow_table(state *s)
{
    seen *old = s->table;
    size_t size = s->table_size;
    s->table_size = size == 0 ? 1 << 16 : size * 2;
    s->table = calloc(s->table_size, sizeof *s->table);
    if (s->table == NULL) {
        s->table = old;
        s->table_size = size;
        return -ENOMEM;
    }
    for (size_t i = 0; i < size; i++) {
        if ((old[i].hash[0] | old[i].hash[1]) != 0) {
            *find(s, old[i]) = old[i];
        }
    }
    free(old);
    return 0;
}

static int grow_visits(state *s)
{
    size_t size = s->size == 0 ? 1 << 16 : s->size * 2;
    visit *visits = realloc(s->visits, size * sizeof *visits);
    if (visits == NULL) {
        return -ENOMEM;
    }
    s->visits = visits;
    s->size = size;
    return 0;
}

static int grow_frontier(frontier *f, size_t world_size)
{
    size_t size = f->size == 0 ? 1 << 10 : f->size * 2;
    unsigned char *worlds = realloc(f->worlds, size * world_size);
    if (worlds == NULL) {
        return -ENOMEM;
    }
    f->worlds = worlds;
    uint32_t *number = realloc(f->number, size * sizeof *number);
    if (number == NULL) {
        return -ENOMEM;
    }
    f->number = number;
    f->size = size;
    return 0;
}

/* Adds a world to the next frontier unless it was seen. Sets *number to its visit, or NO_PARENT. */
static int add(state *s, const world *w, uint32_t parent, world_event event, uint32_t *number)
{
    uint8_t bytes[WORLD_BYTES];
    seen key = hash_of(bytes, world_pack(w, s->settings, bytes));
    seen *place = find(s, key);
    *number = NO_PARENT;
    if ((place->hash[0] | place->hash[1]) != 0) {
        return 0;
    }
    *place = key;
    int code = 0;
    if (s->count * 2 >= s->table_size) {
        code = grow_table(s);
    }
    if (code == 0 && s->count == s->size) {
        code = grow_visits(s);
    }
    if (code == 0 && s->next.count == s->next.size) {
        code = grow_frontier(&s->next, s->world_size);
    }
    if (code == 0) {
        *number = (uint32_t)s->count;
        s->visits[s->count++] = (visit){parent, event};
        memcpy(s->next.worlds + s->next.count * s->world_size, w, s->world_size);
        s->next.number[s->next.count++] = *number;
    }
    return code;
}

static int end_at(state *s, search_end end, uint32_t number)
{
    unsigned depth = 0;
    for (uint32_t at = number; s->visits[at].parent != NO_PARENT; at = s->visits[at].parent) {
        depth++;
    }
    s->result->end = end;
    s->result->depth = depth;
    s->result->events = calloc(depth + 1U, sizeof *s->result->events);
    if (s->result->events == NULL) {
        return -ENOMEM;
    }
    for (uint32_t at = number; depth > 0; at = s->visits[at].parent) {
        s->result->events[--depth] = s->visits[at].event;
    }
    return 0;
}

static bool is_sound(const world *w, size_t sms)
{
    gm_error error;
    bool sound =
        gm_tc_l2_check(&w->l2, &error) == 0 && gm_lease_store_check(&w->leases, &error) == 0;
    for (size_t i = 0; i < sms; i++) {
        sound &= gm_tc_l1_check(&w->sm[i].l1, &error) == 0 &&
                 gm_mshr_check(&w->sm[i].mshr, &error) == 0 &&
                 gm_gwct_check(&w->sm[i].gwct, &error) == 0;
    }
    return sound;
}

/* Visits what follows a world by one event. */
static int expand_event(state *s, const world *from, uint32_t parent, world_event event)
{
    world w;
    world_fault fault;
    uint32_t number;
    world_copy(&w, from, s->world_size);
    if (!world_step(&w, s->settings, event, &fault, NULL)) {
        return 0;
    }
    int code = add(s, &w, parent, event, &number);
    if (code < 0 || number == NO_PARENT) {
        return code;
    }
    bool holds = false;
    bool final = world_is_final(&w, s->settings, &holds);
    s->result->finals += final;
    if (fault != FAULT_NONE) {
        return end_at(s, fault == FAULT_STALE ? SEARCH_STALE : SEARCH_ERROR, number);
    }
    if (final && holds) {
        return end_at(s, SEARCH_SHOWN, number);
    }
    return is_sound(&w, (s->world_size - offsetof(world, sm)) / sizeof *w.sm)
               ? 0
               : end_at(s, SEARCH_BROKEN, number);
}

static int expand(state *s, const world *from, uint32_t parent)
{
    world_event events[EVENTS];
    size_t count = world_events(from, s->settings, events, EVENTS);
    int code = 0;
    for (size_t i = 0; i < count && code == 0 && s->result->events == NULL; i++) {
        code = expand_event(s, from, parent, events[i]);
    }
    return code;
}

/* Visits all worlds, one depth after the other. */
static int visit_all(state *s)
{
    int code = 0;
    while (s->next.count > 0 && code == 0 && s->result->events == NULL) {
        frontier done = s->now;
        s->now = s->next;
        s->next = done;
        s->next.count = 0;
        for (size_t i = 0; i < s->now.count && code == 0 && s->result->events == NULL; i++) {
            code = expand(s, (const world *)(const void *)(s->now.worlds + i * s->world_size),
                          s->now.number[i]);
            if (s->count > s->most && s->result->events == NULL) {
                s->result->end = SEARCH_BOUND;
                return code;
            }
        }
        s->result->depth += s->result->events == NULL && s->next.count > 0;
    }
    return code;
}

int search(const world_settings *settings, uint64_t most, search_result *result, gm_error *error)
{
    state s = {.settings = settings, .most = most, .result = result};
    s.world_size = world_size(settings);
    world first;
    uint32_t number;
    *result = (search_result){.end = SEARCH_NEVER};
    int code = world_init(&first, settings, error);
    if (code < 0) {
        return code;
    }
    code = grow_table(&s);
    if (code == 0) {
        code = add(&s, &first, NO_PARENT, (world_event){0}, &number);
    }
    if (code == 0) {
        code = visit_all(&s);
    }
    result->worlds = s.count;
    free(s.table);
    free(s.visits);
    free(s.now.worlds);
    free(s.now.number);
    free(s.next.worlds);
    free(s.next.number);
    if (code < 0) {
        free(result->events);
        result->events = NULL;
        return gm_fail(error, code, "no memory for %zu worlds", s.count);
    }
    return 0;
}

int search_tell(const world_settings *settings, const search_result *result, FILE *log,
                gm_error *error)
{
    world w;
    int code = world_init(&w, settings, error);
    for (unsigned i = 0; i < result->depth && code == 0; i++) {
        world_fault fault;
        fprintf(log, "    %2u  ", i + 1);
        world_step(&w, settings, result->events[i], &fault, log);
        fputc('\n', log);
    }
    return code;
}
