/* Breadth-first search. Of each world seen 128 bits of a hash are kept; two worlds of one hash
 * would be taken for one: with n worlds a chance of n^2 / 2^129, with 10^8 one of 10^-23. */
#include "search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NO_PARENT = UINT32_MAX, EVENTS = 128 };

typedef struct seen {
    uint64_t hash[2]; /* 0, 0: free */
} seen;

/* A visited world: how it was reached. */
typedef struct visit {
    uint32_t parent;
    search_event event;
} visit;

/* Packed worlds of one depth, in the order of their visits: for each its length in two bytes, 0 if
 * nothing follows it, and its bytes. */
typedef struct frontier {
    uint8_t *bytes;
    size_t used, size;
    size_t first; /* visit of the first */
} frontier;

typedef struct state {
    const search_system *system;
    uint64_t most;
    seen *table;
    size_t table_size; /* a power of two */
    visit *visits;
    size_t count, size;
    frontier frontier[2]; /* the worlds whose events are done; the worlds that follow */
    unsigned now;         /* the first of them is frontier[now] */
    search_result *result;
} state;

static frontier *next_of(state *s)
{
    return &s->frontier[1 - s->now];
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Requires that the bytes up to a multiple of 8 are 0. */
static seen hash_of(const uint8_t *bytes, size_t size)
{
    seen made = {{UINT64_C(0x9e3779b97f4a7c15) + size, UINT64_C(0xc2b2ae3d27d4eb4f)}};
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
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

static int append(frontier *f, const uint8_t *bytes, size_t count)
{
    if (f->bytes == NULL || f->used + count + 2 > f->size) {
        size_t size = f->size == 0 ? 1 << 16 : f->size * 2;
        uint8_t *grown = realloc(f->bytes, size);
        if (grown == NULL) {
            return -ENOMEM;
        }
        f->bytes = grown;
        f->size = size;
    }
    f->bytes[f->used] = (uint8_t)count;
    f->bytes[f->used + 1] = (uint8_t)(count >> 8);
    memcpy(f->bytes + f->used + 2, bytes, count);
    f->used += count + 2;
    return 0;
}

/* Adds the current world to the next frontier, unless it was seen. Of a final world nothing
 * follows. */
static int add(state *s, bool final, visit how)
{
    uint8_t bytes[SEARCH_BYTES + 8] = {0};
    size_t count = s->system->pack(s->system->own, bytes);
    seen key = hash_of(bytes, count);
    seen *place = find(s, key);
    if ((place->hash[0] | place->hash[1]) != 0) {
        return 0;
    }
    *place = key;
    s->result->finals += final;
    int code = append(next_of(s), bytes, final ? 0 : count);
    if (code == 0 && s->count == s->size) {
        code = grow_visits(s);
    }
    if (code == 0) {
        s->visits[s->count++] = how;
        code = s->count * 4 >= s->table_size * 3 ? grow_table(s) : 0;
    }
    return code;
}

/* Ends with the sequence to the event `last`. */
static int end_at(state *s, search_end end, visit last)
{
    unsigned depth = 1;
    for (uint32_t at = last.parent; s->visits[at].parent != NO_PARENT; at = s->visits[at].parent) {
        depth++;
    }
    s->result->end = end;
    s->result->depth = depth;
    s->result->events = calloc(depth, sizeof *s->result->events);
    if (s->result->events == NULL) {
        return -ENOMEM;
    }
    for (visit at = last; depth > 0; at = s->visits[at.parent]) {
        s->result->events[--depth] = at.event;
    }
    return 0;
}

static search_end end_of(search_fault fault)
{
    static const search_end ends[] = {[FAULT_STALE] = SEARCH_STALE,
                                      [FAULT_ERROR] = SEARCH_ERROR,
                                      [FAULT_OLD] = SEARCH_OLD,
                                      [FAULT_YOUNG] = SEARCH_YOUNG};
    return ends[fault];
}

/* Visits what follows the world whose events are done by one event. Sets *possible. */
static int expand_event(state *s, visit how, bool *possible)
{
    const search_system *system = s->system;
    search_fault fault = FAULT_NONE;
    *possible = system->step(system->own, how.event, &fault, NULL);
    if (!*possible) {
        return 0;
    }
    if (fault != FAULT_NONE) {
        return end_at(s, end_of(fault), how);
    }
    bool holds = false;
    bool final = system->is_final(system->own, &holds);
    if (final && holds) {
        return end_at(s, SEARCH_SHOWN, how);
    }
    if (!system->is_sound(system->own, final)) {
        return end_at(s, SEARCH_BROKEN, how);
    }
    return add(s, final, how);
}

static int expand(state *s, uint32_t number)
{
    search_event events[EVENTS];
    size_t count = s->system->events(s->system->own, events, EVENTS);
    size_t possible = 0;
    int code = 0;
    for (size_t i = 0; i < count && code == 0 && s->result->events == NULL; i++) {
        bool is_possible = false;
        code = expand_event(s, (visit){number, events[i]}, &is_possible);
        possible += is_possible;
    }
    bool asks = s->system->is_stuck != NULL && number != 0;
    if (code == 0 && possible < 2 && s->result->events == NULL && asks &&
        s->system->is_stuck(s->system->own)) {
        code = end_at(s, SEARCH_STUCK, s->visits[number]);
    }
    return code;
}

/* Visits what follows the worlds of one depth. */
static int expand_all(state *s)
{
    int code = 0;
    const frontier *f = &s->frontier[s->now];
    size_t number = f->first;
    for (size_t at = 0; at < f->used && code == 0 && s->result->events == NULL; number++) {
        size_t count = f->bytes[at] | (size_t)f->bytes[at + 1] << 8;
        if (count > 0) {
            s->system->unpack(s->system->own, f->bytes + at + 2);
            code = expand(s, (uint32_t)number);
        }
        at += count + 2;
        if (s->count > s->most && s->result->events == NULL) {
            s->result->end = SEARCH_BOUND;
            break;
        }
    }
    return code;
}

static int visit_all(state *s)
{
    int code = 0;
    while (next_of(s)->used > 0 && code == 0 && s->result->events == NULL &&
           s->result->end != SEARCH_BOUND) {
        s->now = 1 - s->now;
        next_of(s)->used = 0;
        next_of(s)->first = s->count;
        code = expand_all(s);
        s->result->depth += s->result->events == NULL && next_of(s)->used > 0;
    }
    return code;
}

static void free_state(state *s)
{
    free(s->table);
    free(s->visits);
    free(s->frontier[0].bytes);
    free(s->frontier[1].bytes);
}

/* Does a sequence again, in worlds that are not made canonical. Returns 0 if it ends as the search
 * has found; else the reductions are wrong. */
static int repeat(const search_system *system, const search_result *result, gm_error *error)
{
    search_fault fault = FAULT_NONE;
    bool holds = false;
    int code = system->begin(system->own, error);
    for (unsigned i = 0; i < result->depth && code == 0; i++) {
        system->keep(system->own);
        if (fault != FAULT_NONE || !system->step(system->own, result->events[i], &fault, NULL)) {
            return gm_fail(error, -EINVAL, "event %u of the sequence cannot be repeated", i + 1);
        }
    }
    if (code < 0) {
        return code;
    }
    bool ends = result->end == SEARCH_BROKEN || result->end == SEARCH_STUCK;
    if (result->end == SEARCH_SHOWN) {
        ends = system->is_final(system->own, &holds) && holds;
    } else if (!ends) {
        ends = fault != FAULT_NONE && end_of(fault) == result->end;
    }
    return ends ? 0 : gm_fail(error, -EINVAL, "the sequence ends otherwise");
}

int search_in(const search_system *system, uint64_t most, search_result *result, gm_error *error)
{
    state s = {.system = system, .most = most, .result = result};
    *result = (search_result){.end = SEARCH_NEVER};
    int code = system->begin(system->own, error);
    if (code < 0) {
        return code;
    }
    code = grow_table(&s);
    if (code == 0) {
        code = add(&s, false, (visit){.parent = NO_PARENT});
    }
    if (code == 0) {
        code = visit_all(&s);
    }
    result->worlds = s.count;
    free_state(&s);
    if (code < 0) {
        free(result->events);
        result->events = NULL;
        return gm_fail(error, code, "no memory for %zu worlds", s.count);
    }
    return result->events == NULL ? 0 : repeat(system, result, error);
}

int search_tell_in(const search_system *system, const search_result *result, FILE *log,
                   gm_error *error)
{
    int code = system->begin(system->own, error);
    for (unsigned i = 0; i < result->depth && code == 0; i++) {
        search_fault fault;
        fprintf(log, "    %2u  ", i + 1);
        system->keep(system->own);
        system->step(system->own, result->events[i], &fault, log);
        fputc('\n', log);
    }
    return code;
}

const char *search_end_text(search_end end)
{
    switch (end) {
    case SEARCH_NEVER:
        return "never";
    case SEARCH_SHOWN:
        return "appears";
    case SEARCH_STALE:
        return "a fence completes too early";
    case SEARCH_ERROR:
        return "a block answers with an error";
    case SEARCH_BROKEN:
        return "a block's invariant does not hold";
    case SEARCH_OLD:
        return "a load gets an old value";
    case SEARCH_YOUNG:
        return "a load gets a later write of its own SM";
    case SEARCH_STUCK:
        return "nothing happens any more";
    case SEARCH_BOUND:
        return "not complete";
    }
    return "";
}
