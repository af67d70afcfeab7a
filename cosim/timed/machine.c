/* Makes the explored machine: the configuration of a litmus test's bounds, the engine's L1s, bank
 * and fences, and the ranges of memory that change. */
#include "timed.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

timed_machine *the_machine;

enum {
    LINE = 128,    /* bytes */
    TICKETS = 64,  /* of GM_TICKETS, those that operations have */
    BYPASSED = 16, /* of GM_BYPASSED_LOADS, those that are used */
    ADDRESSES = 64,
};

/* --- the configuration --- */

static int set_number(gm_config *config, const char *name, unsigned number, gm_error *error)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    return gm_config_set(config, name, text, error);
}

/* One set, few ways, two MSHRs; no latency but that of the choices. Two banks, of which one is
 * used: so the bank does not push ahead to a channel that is its own. */
static int configure(const timed_settings *s, unsigned sms, gm_config *config, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value;
    } keys[] = {
        {"gpu.sms", sms},
        {"sm.warps", GM_LITMUS_WARPS},
        {"sm.threads", 32 * GM_LITMUS_WARPS},
        {"sm.ctas", GM_LITMUS_WARPS},
        {"memory.partitions", 1},
        {"memory.banks", 2},
        {"memory.interleave", LINE},
        {"l1.line", LINE},
        {"l1.ways", s->l1_slots},
        {"l1.size", s->l1_slots * LINE},
        {"l1.mshrs", s->mshrs},
        {"l1.merges", s->merges},
        {"l1.miss_queue", 4},
        {"l2.line", LINE},
        {"l2.ways", s->l2_slots},
        {"l2.size", 2 * s->l2_slots * LINE},
        {"l2.mshrs", s->mshrs},
        {"l2.merges", s->merges},
        {"l2.latency", 0},
        {"l2.queue", 1},
        {"l2.reply_queue", 2},
        {"l2.dram_queue", 3},
        {"clock.core", 1000},
        {"clock.l2", 1000},
        {"coherence.lifetime", s->life},
        {"coherence.time_bits", s->time_bits},
        {"coherence.leases", s->mshrs},
    };
    int code = 0;
    gm_config_defaults(config);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && code == 0; i++) {
        code = set_number(config, keys[i].name, keys[i].value, error);
    }
    config->l1.sectored = config->l2.sectored = false;
    config->l1.local_write = GM_WRITE_EVICT;
    config->l2.fetch_on_write = GM_FETCH_ALWAYS;
    config->coherence.protocol = s->protocol.protocol;
    config->coherence.visible = s->protocol.visible;
    config->coherence.fence = s->protocol.fence_of_cta ? GM_FENCE_OF_CTA : GM_FENCE_OF_WARP;
    config->coherence.merge = s->protocol.asks_again ? GM_MERGE_LEASE : GM_MERGE_CLOSE;
    return code == 0 ? gm_config_check(config, error) : code;
}

/* --- the ranges that change --- */

/* All but counters, which nothing reads before the end, and places that are never used: two
 * thousand tickets and a thousand loads that bypass are as many kilobytes. */
static void find_ranges(timed_machine *m, size_t arena)
{
    timed_world *w = m->world;
    unsigned char *from = w->arena;
    size_t bypassed = BYPASSED * sizeof(gm_cycle_l1_bypassed);
    size_t places = GM_BYPASSED_LOADS * sizeof(uint16_t);
    image_add(&m->parts, w, offsetof(timed_world, up));
    for (uint32_t i = 0; i < m->sms; i++) {
        image_add(&m->parts, w->up[i], m->lines * sizeof *w->up[i]);
        image_add(&m->parts, w->down[i], m->lines * sizeof *w->down[i]);
        image_add(&m->parts, timed_l1(m, i), offsetof(gm_cycle_l1, statistics));
    }
    image_add(&m->parts, &w->bank, offsetof(gm_l2_bank, l2) + offsetof(gm_l2, statistics));
    for (uint32_t i = 0; i < m->sms; i++) {
        gm_cycle_l1 *l1 = timed_l1(m, i);
        from = image_add_used(&m->parts, from, l1->bypassed, bypassed,
                              GM_BYPASSED_LOADS * sizeof *l1->bypassed);
        size_t last = BYPASSED * sizeof(uint16_t);
        from = image_add_used(&m->parts, from, l1->free_bypassed, 0, places - last);
        from = image_add_used(&m->parts, from, l1->warp, 0, GM_TICKETS * sizeof(uint16_t));
    }
    image_add(&m->parts, from, (size_t)(w->arena + arena - from));
}

/* --- the first world --- */

static int begin_sm(timed_machine *m, uint32_t number, gm_arena *arena, gm_error *error)
{
    gm_cycle_l1 *l1 = timed_l1(m, number);
    int code = gm_cycle_l1_init(l1, &m->l1_shared, number, arena, error);
    if (code < 0) {
        return code;
    }
    gm_cycle_l1_keep_values(l1, (struct gm_values *)m);
    for (uint32_t ticket = 0; ticket < TICKETS; ticket++) {
        uint32_t warp = ticket / GM_LITMUS_OPERATIONS;
        gm_cycle_l1_note_warp(l1, ticket, warp < GM_LITMUS_WARPS ? warp : 0);
    }
    return 0;
}

int timed_begin(timed_machine *m, gm_error *error)
{
    timed_world *w = m->world;
    gm_arena arena;
    memset(w, 0, sizeof *w);
    the_machine = m;
    gm_arena_wrap(&arena, w->arena, sizeof w->arena);
    gm_coherence_time_init(&w->time, &m->config);
    w->now = TIMED_NOW;
    w->time.begin += TIMED_NOW - 1; /* time begins at 1 */
    w->time.end += TIMED_NOW - 1;
    w->arrival = w->data = w->wake = GM_NEVER;
    int code = 0;
    for (uint32_t i = 0; i < m->sms && code == 0; i++) {
        code = begin_sm(m, i, &arena, error);
    }
    code = code < 0 ? code : gm_l2_bank_init(&w->bank, &m->l2_shared, 0, &arena, error);
    if (code == 0) {
        gm_l2_bank_connect(&w->bank, &m->requests, &m->replies, &m->channel, &w->wake);
        gm_l2_bank_keep_values(&w->bank, (struct gm_values *)m);
    }
    if (code == 0 && m->parts.ranges == 0) {
        find_ranges(m, (arena.used + 63) / 64 * 64);
    }
    return code;
}

/* --- what stays --- */

/* What the fences need of an SM: its warps' slots, each CTA's. */
static int make_sm(timed_machine *m, uint32_t number, gm_error *error)
{
    gm_cycle_sm *sm = &m->sm[number];
    const gm_litmus_test *test = m->settings.test;
    gm_arena arena;
    gm_arena_wrap(&arena, m->sm_arena[number], sizeof m->sm_arena[number]);
    *sm = (gm_cycle_sm){.shared = &m->sm_shared,
                        .load_store = &m->world->unit[number],
                        .number = number,
                        .slots = GM_LITMUS_WARPS,
                        .ctas = GM_LITMUS_WARPS,
                        .words = gm_bitset_words(GM_LITMUS_WARPS)};
    sm->warp = gm_arena_take(&arena, sm->slots, sizeof *sm->warp);
    if (sm->warp == NULL || !gm_cycle_fences_init(sm, &m->config, &arena)) {
        return gm_fail(error, -ENOMEM, "out of memory: SM %u", number);
    }
    for (uint32_t i = 0; i < test->warps; i++) {
        if (test->warp[i].sm == number) {
            uint32_t slot = i - m->first_warp[number];
            bool begins = slot == 0 || test->warp[i - 1].cta != test->warp[i].cta;
            sm->warp[slot].cta = test->warp[i].cta;
            gm_cycle_fences_admit(sm, test->warp[i].cta, slot, begins);
        }
    }
    return 0;
}

/* Gives the test's lines addresses in the bank. */
static void choose_lines(timed_machine *m)
{
    uint32_t found = 0;
    for (uint64_t address = 0; address < ADDRESSES && found < GM_LITMUS_LINES; address++) {
        gm_location at = gm_address_map_locate(&m->l2_shared.map, address);
        if (at.partition == 0 && at.bank == 0) {
            m->line[found++] = address;
        }
    }
}

static void read_test(timed_machine *m)
{
    const gm_litmus_test *test = m->settings.test;
    m->sms = test->warp[test->warps - 1].sm + 1U;
    for (unsigned i = test->warps; i-- > 0;) {
        m->first_warp[test->warp[i].sm] = (uint8_t)i;
        for (unsigned at = 0; at < test->warp[i].count; at++) {
            const gm_litmus_operation *op = &test->warp[i].operation[at];
            if (gm_litmus_reaches(op->kind) && op->line >= m->lines) {
                m->lines = op->line + 1U;
            }
        }
    }
    for (unsigned i = 0; i < test->terms; i++) {
        const gm_litmus_term *term = &test->term[i];
        if (term->is_register) {
            m->named[term->warp] |= (uint8_t)(1U << term->target);
            m->wanted[term->warp][term->target] = term->value;
        }
    }
}

int timed_create(timed_machine **machine, const timed_settings *settings, gm_error *error)
{
    timed_machine *m = calloc(1, sizeof *m);
    *machine = m;
    if (m == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the machine");
    }
    m->settings = *settings;
    m->world = aligned_alloc(64, (sizeof *m->world + 63) / 64 * 64);
    if (m->world == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the machine");
    }
    read_test(m);
    m->channel.capacity = 1; /* nothing is ever held there */
    int code = configure(settings, m->sms, &m->config, error);
    code = code < 0 ? code
                    : gm_cycle_l1_shared_init(&m->l1_shared, &m->config, &m->requests, &m->replies,
                                              error);
    code = code < 0 ? code : gm_l2_shared_init(&m->l2_shared, &m->config, error);
    m->l1_shared.time = &m->world->time;
    m->l2_shared.time = &m->world->time;
    if (code == 0) {
        choose_lines(m);
    }
    for (uint32_t i = 0; i < m->sms && code == 0; i++) {
        code = make_sm(m, i, error);
    }
    code = code < 0 ? code : timed_begin(m, error);
    if (code == 0) {
        m->first = calloc(2, m->parts.bytes);
        m->from = m->first == NULL ? NULL : m->first + m->parts.bytes;
        code = m->first == NULL ? gm_fail(error, -ENOMEM, "out of memory: the machine") : 0;
    }
    if (code == 0) {
        timed_make_canonical(m);
        timed_save(m, m->first);
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

uint32_t timed_line(uint64_t address)
{
    uint32_t line = 0;
    while (line < GM_LITMUS_LINES && the_machine->line[line] != address) {
        line++;
    }
    return line;
}

const gm_litmus_operation *timed_operation(uint32_t sm, uint32_t ticket, unsigned *warp)
{
    *warp = the_machine->first_warp[sm] + ticket / GM_LITMUS_OPERATIONS;
    return &the_machine->settings.test->warp[*warp].operation[ticket % GM_LITMUS_OPERATIONS];
}

void timed_give(unsigned warp, unsigned target, uint8_t value)
{
    timed_machine *m = the_machine;
    timed_warp *of = &m->world->warp[warp];
    TIMED_TELL("; warp %u has %u", warp, value);
    if ((m->named[warp] >> target & 1) != 0) {
        of->answered |= (uint8_t)(1U << target);
        of->value[target] = value;
        m->world->misses |= value != m->wanted[warp][target];
    }
}
