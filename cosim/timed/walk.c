/* Random walks that check the canonical worlds at each step. */
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 32, LONGEST = 400 /* steps of a walk */ };

typedef struct walker {
    timed_machine *machine;
    search_system system;
    uint64_t random;                /* state of xorshift64 */
    unsigned char *raw, *canonical; /* images */
    uint64_t *events;
    gm_error *error;
} walker;

/* What an event leads to, packed. */
typedef struct arrival {
    bool possible, final, holds;
    search_fault fault;
    size_t size;
    uint8_t bytes[SEARCH_BYTES];
} arrival;

static uint64_t next_random(walker *k)
{
    k->random ^= k->random << 13;
    k->random ^= k->random >> 7;
    k->random ^= k->random << 17;
    return k->random;
}

static void go_to(const walker *k, const unsigned char *image)
{
    timed_restore(k->machine, image);
    k->system.keep(k->system.own);
}

/* A read's number in the world of an image: in a canonical world the reads are in order. */
static uint32_t find_read(const walker *k, const unsigned char *image, uint32_t id)
{
    uint32_t number = 0;
    timed_restore(k->machine, image);
    const gm_dram_request *read = k->machine->world->read;
    while (number + 1 < TIMED_READS && (read[number].sectors == 0 || read[number].id != id)) {
        number++;
    }
    return number;
}

static arrival arrive(walker *k, const unsigned char *image, search_event event)
{
    arrival a = {.fault = FAULT_NONE};
    go_to(k, image);
    a.possible = k->system.step(k->system.own, event, &a.fault, NULL);
    if (a.possible) {
        a.final = k->system.is_final(k->system.own, &a.holds);
        a.size = k->system.pack(k->system.own, a.bytes);
    }
    return a;
}

static bool are_equal(const arrival *a, const arrival *b)
{
    return a->possible == b->possible &&
           (!a->possible ||
            (a->fault == b->fault && a->final == b->final && (!a->final || a->holds == b->holds) &&
             a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0));
}

/* Does each event in both worlds, and the bits of the canonical one must give it back. */
static int check(walker *k, const search_event *event, size_t count)
{
    uint8_t bytes[SEARCH_BYTES] = {0};
    uint8_t again[SEARCH_BYTES] = {0};
    go_to(k, k->raw);
    size_t size = k->system.pack(k->system.own, bytes);
    timed_save(k->machine, k->canonical);
    timed_unpack(k->machine, bytes);
    if (k->system.pack(k->system.own, again) != size || memcmp(bytes, again, size) != 0) {
        return gm_fail(k->error, -EINVAL, "not read as written");
    }
    for (size_t i = 0; i < count; i++) {
        search_event same = event[i];
        if (same.kind == TIMED_READ) {
            timed_restore(k->machine, k->raw);
            uint32_t id = k->machine->world->read[same.a].id;
            same.a = (uint8_t)find_read(k, k->canonical, id);
        }
        arrival a = arrive(k, k->raw, event[i]);
        arrival b = arrive(k, k->canonical, same);
        (*k->events)++;
        if (!are_equal(&a, &b)) {
            return gm_fail(k->error, -EINVAL,
                           "event %u %u %u differs in the canonical world, after %llu events",
                           event[i].kind, event[i].a, event[i].b, (unsigned long long)*k->events);
        }
    }
    return 0;
}

/* Lets an SM answer all loads of the entry whose data have come: until then it takes no reply. */
static void answer_all(walker *k, uint32_t sm)
{
    search_fault fault;
    while (timed_l1(k->machine, sm)->answering != GM_NO_ENTRY) {
        k->system.keep(k->system.own);
        k->system.step(k->system.own, (search_event){TIMED_ANSWER, (uint8_t)sm, 0}, &fault, NULL);
    }
}

/* Does an event in the canonical world, and then another one, unless that is not possible. `port`:
 * the SM whose reply port one of them needs; GM_LITMUS_SMS: none. */
static arrival arrive_by_two(walker *k, search_event first, search_event second, uint32_t port)
{
    const search_event both[] = {first, second};
    arrival a = {.possible = true, .fault = FAULT_NONE};
    go_to(k, k->canonical);
    for (unsigned i = 0; i < 2 && a.possible && a.fault == FAULT_NONE; i++) {
        k->system.keep(k->system.own);
        a.possible = k->system.step(k->system.own, both[i], &a.fault, NULL);
        if (port < GM_LITMUS_SMS) {
            answer_all(k, port);
        }
    }
    if (a.possible) {
        a.final = k->system.is_final(k->system.own, &a.holds);
        a.size = k->system.pack(k->system.own, a.bytes);
    }
    return a;
}

/* The event that may be done before all others must be possible before and after each of them, and
 * lead to one world. Requires that `check` has made the canonical world. */
static int check_forced(walker *k)
{
    search_event event[EVENTS];
    search_event forced;
    go_to(k, k->canonical);
    size_t count = k->system.events(k->system.own, event, EVENTS);
    if (!timed_find_forced(k->machine, &forced)) {
        return 0;
    }
    if (!arrive(k, k->canonical, forced).possible) {
        return gm_fail(k->error, -EINVAL, "event %u %u %u is not possible, after %llu events",
                       forced.kind, forced.a, forced.b, (unsigned long long)*k->events);
    }
    for (size_t i = 0; i < count; i++) {
        arrival alone = arrive(k, k->canonical, event[i]);
        if (!alone.possible || memcmp(&event[i], &forced, sizeof forced) == 0) {
            continue;
        }
        uint32_t port = forced.kind == TIMED_REPLY ? forced.a : GM_LITMUS_SMS;
        arrival before = arrive_by_two(k, event[i], forced, port);
        arrival after = arrive_by_two(k, forced, event[i], port);
        (*k->events)++;
        if (!are_equal(&before, &after)) {
            return gm_fail(k->error, -EINVAL, "event %u %u %u does not commute, after %llu events",
                           event[i].kind, event[i].a, event[i].b, (unsigned long long)*k->events);
        }
    }
    return 0;
}

/* Does a random event of the raw world. Time passes less often than it could. */
static void step(walker *k, const search_event *event, size_t count)
{
    search_fault fault;
    for (;;) {
        search_event chosen = event[next_random(k) % count];
        if (chosen.kind == TIMED_TICK && count > 1 && next_random(k) % 3 != 0) {
            continue;
        }
        go_to(k, k->raw);
        if (k->system.step(k->system.own, chosen, &fault, NULL)) {
            timed_reduce_answers(k->machine);
            timed_save(k->machine, k->raw);
            return;
        }
    }
}

static int walk(walker *k, uint64_t steps)
{
    int code = 0;
    for (uint64_t i = 0; i < steps && code == 0; i++) {
        search_event event[EVENTS];
        bool holds;
        timed_restore(k->machine, k->raw);
        if (i % LONGEST == 0 || k->system.is_final(k->system.own, &holds)) {
            code = timed_begin(k->machine, k->error);
            timed_save(k->machine, k->raw);
        }
        if (code == 0) {
            go_to(k, k->raw);
            size_t count = k->system.events(k->system.own, event, EVENTS);
            code = check(k, event, count);
            code = code == 0 ? check_forced(k) : code;
            step(k, event, count);
        }
    }
    return code;
}

int timed_walk(timed_machine *machine, uint64_t steps, uint64_t seed, uint64_t *events,
               gm_error *error)
{
    walker k = {.machine = machine,
                .system = timed_system(machine),
                .random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
                .raw = calloc(2, machine->parts.bytes),
                .events = events,
                .error = error};
    *events = 0;
    if (k.raw == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a walk");
    }
    k.canonical = k.raw + machine->parts.bytes;
    machine->unforced = true;
    int code = walk(&k, steps);
    machine->unforced = false;
    free(k.raw);
    return code;
}
