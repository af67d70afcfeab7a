/* Random walks that check the reductions (canonical.c) at each step. */
#include "walk.h"

#include <errno.h>
#include <string.h>

enum { EVENTS = 64, LONGEST = 400 /* steps of a walk */ };

typedef struct walker {
    const world_settings *settings;
    size_t world_size;
    uint64_t random; /* state of xorshift64 */
    world raw;       /* as it is */
    world canonical; /* what stands for it */
    world_event event[EVENTS];
    size_t events;
    walk_result *result;
    gm_error *error;
} walker;

static uint64_t next_random(walker *k)
{
    k->random ^= k->random << 13;
    k->random ^= k->random >> 7;
    k->random ^= k->random << 17;
    return k->random;
}

/* What a step leads to, packed. */
typedef struct arrival {
    bool possible, final, holds;
    world_fault fault;
    size_t size;
    uint8_t bytes[WORLD_BYTES];
} arrival;

static void pack_into(walker *k, world *w, arrival *a)
{
    world_make_canonical(w, k->settings);
    a->size = world_pack(w, k->settings, a->bytes);
}

/* Does an event in a copy of `from`, and then another one, unless NULL. */
static arrival arrive(walker *k, const world *from, world_event event, const world_event *then)
{
    world w;
    world_fault fault = FAULT_NONE;
    arrival a = {.possible = true};
    world_copy(&w, from, k->world_size);
    a.possible = world_step(&w, k->settings, event, &a.fault, NULL);
    if (then != NULL && a.possible) {
        a.possible = world_step(&w, k->settings, *then, &fault, NULL);
        a.fault = a.fault != FAULT_NONE ? a.fault : fault;
    }
    if (a.possible) {
        a.final = world_is_final(&w, k->settings, &a.holds);
        pack_into(k, &w, &a);
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

static int fail(walker *k, const char *what, world_event event)
{
    static const char *const names[] = {"issue", "L2", "answer", "evict", "tick"};
    return gm_fail(k->error, -EINVAL, "%s: %s %u %u, after %llu events", what, names[event.kind],
                   event.a, event.b, (unsigned long long)k->result->events);
}

/* The bits of the canonical world must give it back. */
static int check_bits(walker *k)
{
    arrival a;
    arrival b;
    world again;
    world_copy(&again, &k->raw, k->world_size);
    pack_into(k, &k->canonical, &a);
    world_unpack(&again, k->settings, a.bytes);
    b.size = world_pack(&again, k->settings, b.bytes);
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0
               ? 0
               : fail(k, "not read as written", (world_event){EVENT_TICK, 0, 0});
}

/* An eviction of a slot that the canonical world has no more must change nothing. */
static bool has_slot(const walker *k, world_event event)
{
    return event.kind != EVENT_EVICT || k->canonical.sm[event.a].tag[event.b] != 0;
}

static int check_events(walker *k)
{
    int code = check_bits(k);
    for (size_t i = 0; i < k->events && code == 0; i++) {
        arrival a = arrive(k, &k->raw, k->event[i], NULL);
        arrival b;
        if (has_slot(k, k->event[i])) {
            b = arrive(k, &k->canonical, k->event[i], NULL);
        } else {
            world same;
            b = (arrival){.possible = true};
            world_copy(&same, &k->canonical, k->world_size);
            pack_into(k, &same, &b);
        }
        k->result->events++;
        code = are_equal(&a, &b) ? 0 : fail(k, "differs in the canonical world", k->event[i]);
    }
    return code;
}

/* The forced event must be possible before and after each other one, and lead to one world. */
static int check_forced(walker *k)
{
    world_event forced;
    if (!world_find_forced(&k->canonical, k->settings, &forced)) {
        return 0;
    }
    int code = 0;
    for (size_t i = 0; i < k->events && code == 0; i++) {
        world_event other = k->event[i];
        if (memcmp(&other, &forced, sizeof other) == 0 || !has_slot(k, other)) {
            continue;
        }
        arrival alone = arrive(k, &k->canonical, other, NULL);
        arrival after = arrive(k, &k->canonical, forced, &other);
        arrival before = arrive(k, &k->canonical, other, &forced);
        if (alone.possible) {
            k->result->commuted++;
            code = are_equal(&before, &after) ? 0 : fail(k, "does not commute", other);
        }
    }
    return code;
}

/* A GWCT of another epoch is ignored unless its answer is two rollovers late: then a fence waits
 * longer than it needs to. Canonical worlds have it no more, so that their fences wait for less. */
static void forget_old_gwcts(world *w, unsigned sms)
{
    for (unsigned i = 0; i < sms; i++) {
        for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
            world_channel *down = &w->sm[i].down[line];
            for (unsigned m = 0; m < down->count; m++) {
                if (down->message[m].epoch != w->sm[i].gwct.epoch) {
                    down->message[m].gwct = 0;
                    down->message[m].visible = 0;
                }
            }
        }
    }
}

/* Does a random event. Time passes less often than it could. */
static int step(walker *k)
{
    world w;
    world_fault fault;
    for (;;) {
        world_event event = k->event[next_random(k) % k->events];
        if (event.kind == EVENT_TICK && k->events > 1 && next_random(k) % 3 != 0) {
            continue;
        }
        world_copy(&w, &k->raw, k->world_size);
        if (world_step(&w, k->settings, event, &fault, NULL)) {
            world_copy(&k->raw, &w, k->world_size);
            forget_old_gwcts(&k->raw, world_sms(k->settings->test));
            return 0;
        }
    }
}

int walk(const world_settings *settings, uint64_t steps, uint64_t seed, walk_result *result,
         gm_error *error)
{
    walker k = {.settings = settings,
                .world_size = world_size(settings),
                .random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
                .result = result,
                .error = error};
    int code = 0;
    *result = (walk_result){0};
    for (uint64_t i = 0; i < steps && code == 0; i++) {
        bool holds;
        if (i % LONGEST == 0 || world_is_final(&k.raw, settings, &holds)) {
            code = world_init(&k.raw, settings, error);
        }
        if (code == 0) {
            world_copy(&k.canonical, &k.raw, k.world_size);
            world_make_canonical(&k.canonical, settings);
            k.events = world_events(&k.raw, settings, k.event, EVENTS);
            code = check_events(&k);
        }
        if (code == 0) {
            code = check_forced(&k);
        }
        code = code == 0 ? step(&k) : code;
    }
    return code;
}
