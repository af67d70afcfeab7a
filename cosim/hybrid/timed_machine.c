/* Makes the explored machine of the cycle engine: its configuration, L1s, tracker bank and L2 bank,
 * and the ranges of memory that change. */
#include "timed.h"

#include "cycle/l1/l1_tracker.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>

timed_machine *the_machine;

enum {
    BYPASSED = 16, /* of GM_BYPASSED_LOADS, those that are used */
    ASKED = HYBRID_ENTRIES + BYPASSED,
    LINE = HYBRID_SECTORS * GM_SECTOR, /* bytes */
};

/* --- the configuration --- */

static int set_number(gm_config *config, const char *name, unsigned number, gm_error *error)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    return gm_config_set(config, name, text, error);
}

/* One set, few ways, two MSHRs; no latency but that of the choices. The L2 has a way for each of
 * its lines. */
static int configure(const hybrid_settings *s, gm_config *config, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value;
    } keys[] = {
        {"gpu.sms", HYBRID_SMS},
        {"memory.partitions", 1},
        {"memory.banks", 1},
        {"memory.interleave", LINE},
        {"l1.line", LINE},
        {"l1.ways", s->l1_ways},
        {"l1.size", s->l1_ways * LINE},
        {"l1.mshrs", HYBRID_ENTRIES},
        {"l1.merges", HYBRID_MERGES},
        {"l1.miss_queue", s->queue == 0 ? 4 : s->queue},
        {"l1.latency", 1},
        {"l2.line", GM_SECTOR},
        {"l2.ways", HYBRID_WORDS},
        {"l2.size", HYBRID_WORDS * GM_SECTOR},
        {"l2.mshrs", 2},
        {"l2.merges", 2},
        {"l2.latency", 0},
        {"l2.queue", 1},
        {"l2.reply_queue", 2},
        {"l2.dram_queue", 3},
        {"clock.core", 1000},
        {"clock.l2", 1000},
        {"tracker.trackers", s->asks ? HYBRID_SMS : 1},
        {"tracker.sets", HYBRID_TRACKER_SETS * (s->asks ? HYBRID_SMS : 1)},
        {"tracker.ways", s->tracker_ways},
        {"tracker.pointers", s->pointers},
        {"tracker.latency", s->queue == 0 ? 2 : 1}, /* as many places */
        {"tracker.supplies", s->credits},
    };
    int code = 0;
    gm_config_defaults(config);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && code == 0; i++) {
        code = set_number(config, keys[i].name, keys[i].value, error);
    }
    if (code == 0) { /* both lines have one set */
        code = gm_config_set(config, "tracker.index", "sequential", error);
    }
    config->tracker.enabled = true;
    config->tracker.ask = s->asks;
    config->l1.sectored = s->sectored;
    config->l1.global_write = config->l1.local_write = s->write;
    config->l1.global_allocate = config->l1.local_allocate = false;
    config->l1.allocation = s->on_fill ? GM_ALLOCATE_ON_FILL : GM_ALLOCATE_ON_MISS;
    config->l1.bypass = GM_BYPASS_CONTENTION;
    config->l2.sectored = false;
    return code == 0 ? gm_config_check(config, error) : code;
}

/* --- the ranges that change --- */

/* All but counters, which nothing reads before the end, and places that are never used. */
static void find_ranges(timed_machine *m, size_t arena)
{
    timed_world *w = m->world;
    unsigned char *from = w->arena;
    size_t asked = GM_BYPASSED_LOADS + HYBRID_ENTRIES;
    image_add(&m->parts, w, offsetof(timed_world, l1));
    for (uint32_t i = 0; i < HYBRID_SMS; i++) {
        gm_cycle_l1 *l1 = &w->l1[i];
        image_add(&m->parts, l1, offsetof(gm_cycle_l1, statistics));
        size_t last = BYPASSED * sizeof(uint16_t);
        size_t places = GM_BYPASSED_LOADS * sizeof(uint16_t);
        from = image_add_used(&m->parts, from, l1->bypassed, BYPASSED * sizeof *l1->bypassed,
                              GM_BYPASSED_LOADS * sizeof *l1->bypassed);
        from = image_add_used(&m->parts, from, l1->free_bypassed, 0, places - last);
        from =
            image_add_used(&m->parts, from, l1->tracked->asked, ASKED * sizeof *l1->tracked->asked,
                           asked * sizeof *l1->tracked->asked);
    }
    image_add(&m->parts, from, (size_t)(w->arena + arena - from));
}

/* --- the first world --- */

static int begin_tracker(timed_machine *m, gm_arena *arena, gm_error *error)
{
    timed_world *w = m->world;
    uint32_t most = gm_tracker_wire_credits(&m->tracker_shared);
    w->wire = (gm_credit_wire){.latency = 1, .ring = gm_ring_make(most), .credit = w->credit};
    if (gm_ring_places(most) > TIMED_CREDITS) {
        return gm_fail(error, -EINVAL, "too many credits");
    }
    int code = gm_tracker_bank_init(&w->tracker, &m->tracker_shared, 0, arena, error);
    gm_tracker_bank_connect(&w->tracker, &m->requests, &m->replies, &w->bank.out, &w->wire,
                            &w->bank_wake, &w->wake);
    w->tracker.values = (struct gm_values *)m;
    return code;
}

int timed_begin(timed_machine *m, gm_error *error)
{
    timed_world *w = m->world;
    gm_arena arena;
    memset(w, 0, sizeof *w);
    the_machine = m;
    m->request = m->reply = m->supplied = NULL;
    gm_arena_wrap(&arena, w->arena, sizeof w->arena);
    w->now = TIMED_NOW;
    w->arrival = w->data = w->wake = w->bank_wake = GM_NEVER;
    int code = 0;
    for (uint32_t i = 0; i < HYBRID_SMS && code == 0; i++) {
        code = gm_cycle_l1_init(&w->l1[i], &m->l1_shared, i, &arena, error);
        if (code == 0) {
            gm_cycle_l1_keep_values(&w->l1[i], (struct gm_values *)m);
        }
    }
    code = code < 0 ? code : gm_l2_bank_init(&w->bank, &m->l2_shared, 0, &arena, error);
    if (code == 0) {
        gm_l2_bank_connect(&w->bank, &m->requests, &m->replies, &m->channel, &w->bank_wake);
        gm_l2_bank_connect_tracker(&w->bank, &w->tracker.outlet);
        gm_l2_bank_keep_values(&w->bank, (struct gm_values *)m);
        code = begin_tracker(m, &arena, error);
    }
    if (code == 0 && m->parts.ranges == 0) {
        find_ranges(m, (arena.used + 63) / 64 * 64);
    }
    return code;
}

int timed_create(timed_machine **machine, const hybrid_settings *settings, gm_error *error)
{
    timed_machine *m = calloc(1, sizeof *m);
    *machine = m;
    if (m == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the machine");
    }
    m->settings = settings;
    m->world = aligned_alloc(64, (sizeof *m->world + 63) / 64 * 64);
    if (m->world == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the machine");
    }
    m->channel.capacity = 1; /* nothing is ever held there */
    int code = configure(settings, &m->config, error);
    code = code < 0 ? code
                    : gm_cycle_l1_shared_init(&m->l1_shared, &m->config, &m->requests, &m->replies,
                                              error);
    code = code < 0 ? code : gm_l2_shared_init(&m->l2_shared, &m->config, error);
    code = code < 0 ? code : gm_tracker_shared_init(&m->tracker_shared, &m->config, error);
    m->l1_shared.peers = &m->peers;
    m->l1_shared.credits = &m->world->wire;
    m->l1_shared.port_wake = m->port_wake;
    code = code < 0 ? code : timed_begin(m, error);
    if (code == 0) {
        m->first = calloc(2, m->parts.bytes);
        m->from = m->first == NULL ? NULL : m->first + m->parts.bytes;
        code = m->first == NULL ? gm_fail(error, -ENOMEM, "out of memory: the machine") : 0;
    }
    if (code == 0) {
        timed_make_canonical(m);
        image_save(&m->parts, m->first);
    }
    return code;
}

void timed_free(timed_machine *m)
{
    if (m != NULL) {
        gm_bypass_shared_free(&m->l1_shared.bypass);
        free(m->first);
        free(m->world);
        free(m);
    }
}
