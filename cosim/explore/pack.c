/* Canonical worlds as a string of bits, for the search's frontier and its table of worlds seen. One
 * description serves both ways: what is written is what is read. */
#include "packer.h"
#include "world.h"

#include <string.h>

static void half(packer *p, uint16_t *value, unsigned width)
{
    *value = (uint16_t)packer_pass(p, *value, width);
}

static void word(packer *p, uint32_t *value, unsigned width)
{
    *value = (uint32_t)packer_pass(p, *value, width);
}

static void bytes(packer *p, uint8_t *value, unsigned count, unsigned width)
{
    for (unsigned i = 0; i < count; i++) {
        packer_byte(p, &value[i], width);
    }
}

enum { VALUE = 3, LINE = 2, WARP = 3, KIND = 3, COUNT = 4 }; /* widths */

static void pass_warps(packer *p, world *w, const world_settings *s)
{
    packer_flag(p, &w->misses);
    for (unsigned i = 0; i < s->test->warps; i++) {
        world_warp *warp = &w->warp[i];
        packer_byte(p, &warp->next, COUNT);
        packer_flag(p, &warp->at_barrier);
        for (unsigned r = 0; r < GM_LITMUS_REGISTERS; r++) {
            if ((s->plan.registers[i] & 1u << r) != 0 && !w->misses) {
                bool has = packer_pass(p, (uint64_t)warp->answered >> r & 1, 1) != 0;
                warp->answered |= (uint8_t)((unsigned)has << r);
                warp->value[r] = has ? s->plan.value[i][r] : 0;
            }
        }
    }
}

static void pass_l1(packer *p, const world_settings *s, world_sm *sm)
{
    for (unsigned i = 0; i < s->l1_slots; i++) {
        gm_tc_l1_slot *slot = &sm->slot[i];
        packer_byte(p, &sm->tag[i], LINE);
        packer_flag(p, &slot->valid);
        half(p, &slot->pending, COUNT);
        if (slot->valid) {
            word(p, &slot->lease, s->time_bits);
            word(p, &slot->visible, s->protocol.visible ? s->time_bits : 0);
            bytes(p, sm->data[i], GM_LITMUS_WORDS, VALUE);
        }
    }
}

static void pass_mshr(packer *p, const world_settings *s, gm_mshr *mshr)
{
    world_entry entry[WORLD_ENTRIES] = {{0}};
    unsigned count = 0;
    for (unsigned id = 0; !p->reads && id < WORLD_ENTRIES; id++) {
        if (gm_mshr_is_valid(mshr, id)) {
            const gm_mshr_entry *from = &mshr->entry[id];
            world_entry *to = &entry[count++];
            to->line = (uint8_t)from->line;
            to->open = gm_mshr_is_open(mshr, id);
            for (unsigned i = from->oldest; i <= from->newest; i++) {
                to->requester[to->count++] = (uint16_t)*gm_mshr_requester(mshr, id, i);
            }
        }
    }
    count = (unsigned)packer_pass(p, count, 2);
    for (unsigned i = 0; i < count; i++) {
        packer_byte(p, &entry[i].line, LINE);
        packer_flag(p, &entry[i].open);
        packer_byte(p, &entry[i].count, 2);
        for (unsigned r = 0; r < entry[i].count; r++) {
            half(p, &entry[i].requester[r],
                 WORLD_REQUESTER + (s->protocol.asks_again ? s->time_bits : 0));
        }
    }
    if (p->reads) {
        world_set_entries(mshr, entry, count);
    }
}

static void pass_request(packer *p, const world_settings *s, world_message *m)
{
    packer_byte(p, &m->kind, KIND);
    packer_byte(p, &m->no_lease, 1);
    if (m->kind == GM_TC_L1_GETS && m->no_lease == 0) {
        packer_byte(p, &m->id, 2);
        return;
    }
    packer_byte(p, &m->warp, WARP);
    packer_byte(p, &m->target, 2);
    packer_byte(p, &m->word, 1);
    packer_byte(p, &m->value, VALUE);
    packer_byte(p, &m->timestamp, m->kind == GM_TC_L1_UPGR ? s->time_bits : 0);
}

static void pass_answer(packer *p, const world_settings *s, world_message *m)
{
    packer_byte(p, &m->of, KIND);
    packer_byte(p, &m->no_lease, 1);
    packer_byte(p, &m->kind, KIND);
    packer_byte(p, &m->lease_given, 1);
    packer_byte(p, &m->timestamp, m->lease_given != 0 ? s->time_bits : 0);
    if (m->of == GM_TC_L1_GETS && m->no_lease == 0) {
        packer_byte(p, &m->id, 2);
    } else {
        packer_byte(p, &m->warp, WARP);
        packer_byte(p, &m->target, 2);
        packer_byte(p, &m->gwct, s->time_bits);
    }
    packer_byte(p, &m->visible, s->protocol.visible ? s->time_bits : 0);
    packer_byte(p, &m->epoch, 1);
    bytes(p, m->data, m->of == GM_TC_L1_GETX ? 0 : GM_LITMUS_WORDS, VALUE);
}

static void pass_channels(packer *p, const world_settings *s, world_sm *sm)
{
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        for (unsigned up = 0; up < 2; up++) {
            world_channel *channel = up != 0 ? &sm->up[line] : &sm->down[line];
            packer_byte(p, &channel->count, 3);
            if (p->reads) {
                memset(channel->message, 0, channel->count * sizeof *channel->message);
            }
            for (unsigned i = 0; i < channel->count; i++) {
                if (up != 0) {
                    pass_request(p, s, &channel->message[i]);
                } else {
                    pass_answer(p, s, &channel->message[i]);
                }
            }
        }
    }
}

static void pass_sm(packer *p, const world_settings *s, world_sm *sm, unsigned number)
{
    pass_l1(p, s, sm);
    pass_mshr(p, s, &sm->mshr);
    pass_channels(p, s, sm);
    for (unsigned i = 0; i < s->test->warps; i++) {
        if (s->test->warp[i].sm == number) {
            gm_gwct_entry *entry = &sm->warp[world_local_warp(s->test, i)];
            half(p, &entry->loads, COUNT);
            half(p, &entry->stores, COUNT);
            word(p, &entry->visible, s->time_bits);
        }
    }
}

static void pass_l2(packer *p, world *w, const world_settings *s)
{
    for (unsigned i = 0; i < s->l2_slots; i++) {
        gm_tc_l2_line *line = &w->line[i];
        packer_byte(p, &w->tag[i], LINE);
        if (w->tag[i] != 0) {
            packer_byte(p, &line->readers, 2);
            packer_flag(p, &line->owned);
            half(p, &line->owner, 2);
            word(p, &line->lease, s->time_bits);
            word(p, &line->visible, s->protocol.visible ? s->time_bits : 0);
            bytes(p, w->data[i], GM_LITMUS_WORDS, VALUE);
        }
    }
    for (unsigned i = 0; i < WORLD_STORED; i++) {
        gm_lease_store_entry *entry = &w->stored[i];
        packer_flag(p, &entry->valid);
        if (entry->valid) {
            entry->line = packer_pass(p, entry->line, LINE);
            word(p, &entry->lease, s->time_bits);
        }
    }
}

static void pass_memory(packer *p, world *w)
{
    for (unsigned line = 0; line < GM_LITMUS_LINES; line++) {
        bytes(p, w->memory[line], GM_LITMUS_WORDS, VALUE);
        for (unsigned i = 0; i < GM_LITMUS_WORDS; i++) {
            packer_byte(p, &w->performed[line][i], COUNT);
            for (unsigned value = 0; value < 8 && w->performed[line][i] != 0; value++) {
                packer_byte(p, &w->order[line][i][value], COUNT);
            }
        }
    }
}

static void pass_world(packer *p, world *w, const world_settings *s)
{
    packer_byte(p, &w->now, s->time_bits);
    pass_warps(p, w, s);
    for (unsigned i = 0; i < world_sms(s->test); i++) {
        pass_sm(p, s, &w->sm[i], i);
    }
    pass_l2(p, w, s);
    pass_memory(p, w);
}

size_t world_pack(world *w, const world_settings *settings, uint8_t *bytes)
{
    packer p = {.at = bytes};
    pass_world(&p, w, settings); /* gives each field its own value */
    packer_end(&p);
    return (size_t)(p.at - bytes);
}

/* What is not in the bits is 0, but for the blocks' parameters. */
static void clear(world *w, const world_settings *settings)
{
    memset(w->warp, 0, sizeof w->warp);
    memset(w->line, 0, sizeof w->line);
    memset(w->tag, 0, sizeof w->tag);
    memset(w->data, 0, sizeof w->data);
    memset(w->stored, 0, sizeof w->stored);
    memset(w->order, 0, sizeof w->order);
    for (unsigned i = 0; i < world_sms(settings->test); i++) {
        world_sm *sm = &w->sm[i];
        memset(sm->slot, 0, sizeof sm->slot);
        memset(sm->tag, 0, sizeof sm->tag);
        memset(sm->data, 0, sizeof sm->data);
        sm->gwct.epoch = 0;
    }
}

void world_unpack(world *w, const world_settings *settings, const uint8_t *bytes)
{
    packer p = {.in = bytes, .reads = true};
    clear(w, settings);
    pass_world(&p, w, settings);
}
