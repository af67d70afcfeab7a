/* The bytes that determine a world's future, for the search's table of worlds seen. */
#include "world.h"

typedef struct packer {
    uint8_t *at;
} packer;

static void put(packer *p, uint64_t value)
{
    *p->at++ = (uint8_t)value;
}

/* A lease, or a GWCT, that is past makes no difference; 0: none. */
static void put_time(packer *p, uint64_t time, uint64_t now, bool matters)
{
    put(p, matters || time >= now ? time : 0);
}

static void pack_l1(packer *p, const world *w, const world_settings *s, const world_sm *sm)
{
    for (unsigned i = 0; i < s->l1_slots; i++) {
        const gm_tc_l1_slot *slot = &sm->slot[i];
        put(p, sm->tag[i]);
        put(p, (uint64_t)slot->valid << 7 | slot->pending);
        put_time(p, slot->valid ? slot->lease : 0, w->now, false);
        put_time(p, slot->valid ? slot->visible : 0, w->now, false);
        for (unsigned word = 0; word < LITMUS_WORDS; word++) {
            put(p, slot->valid ? sm->data[i][word] : 0);
        }
    }
}

static void pack_mshr(packer *p, const gm_mshr *mshr)
{
    for (unsigned id = 0; id < WORLD_ENTRIES; id++) {
        bool valid = gm_mshr_is_valid(mshr, id);
        put(p, (uint64_t)valid << 1 | gm_mshr_is_open(mshr, id));
        if (valid) {
            const gm_mshr_entry *entry = &mshr->entry[id];
            put(p, entry->line);
            put(p, entry->newest - entry->oldest);
            for (unsigned i = entry->oldest; i <= entry->newest; i++) {
                put(p, mshr->requester[id * mshr->merges + i] >> 8);
                put(p, mshr->requester[id * mshr->merges + i]);
            }
        }
    }
}

static void pack_channel(packer *p, const world_channel *channel)
{
    put(p, channel->count);
    for (unsigned i = 0; i < channel->count; i++) {
        const uint8_t *bytes = (const uint8_t *)&channel->message[i];
        for (unsigned b = 0; b < sizeof channel->message[i]; b++) {
            put(p, bytes[b]);
        }
    }
}

static void pack_sm(packer *p, const world *w, const world_settings *s, const world_sm *sm)
{
    pack_l1(p, w, s, sm);
    pack_mshr(p, &sm->mshr);
    put(p, sm->gwct.epoch);
    for (unsigned i = 0; i < s->test->warps; i++) {
        put(p, (uint64_t)sm->warp[i].loads << 4 | sm->warp[i].stores);
        put_time(p, sm->warp[i].visible, w->now, false);
    }
    for (unsigned line = 0; line < LITMUS_LINES; line++) {
        pack_channel(p, &sm->up[line]);
        pack_channel(p, &sm->down[line]);
    }
}

static void pack_l2(packer *p, const world *w, const world_settings *s)
{
    for (unsigned i = 0; i < s->l2_slots; i++) {
        const gm_tc_l2_line *line = &w->line[i];
        bool matters = s->printed != 0 || w->now <= line->lease;
        put(p, w->tag[i]);
        put(p,
            matters ? (uint64_t)line->readers << 4 | (uint64_t)line->owned << 3 | line->owner : 0);
        put_time(p, line->lease, w->now, s->printed != 0);
        put_time(p, line->visible, w->now, false);
        for (unsigned word = 0; word < LITMUS_WORDS; word++) {
            put(p, w->data[i][word]);
        }
    }
    for (unsigned i = 0; i < WORLD_STORED; i++) {
        const gm_lease_store_entry *entry = &w->stored[i];
        bool counts = entry->valid && entry->lease >= w->now;
        put(p, counts ? entry->line + 1 : 0);
        put(p, counts ? entry->lease : 0);
    }
}

size_t world_pack(const world *w, const world_settings *settings, uint8_t *bytes)
{
    packer p = {bytes};
    put(&p, w->now);
    for (unsigned i = 0; i < settings->test->warps; i++) {
        put(&p, (uint64_t)w->warp[i].next << 1 | w->warp[i].at_barrier);
        for (unsigned r = 0; r < LITMUS_REGISTERS - 1; r++) {
            put(&p, w->warp[i].value[r]);
        }
    }
    for (unsigned i = 0; i <= settings->test->warp[settings->test->warps - 1].sm; i++) {
        pack_sm(&p, w, settings, &w->sm[i]);
    }
    pack_l2(&p, w, settings);
    for (unsigned line = 0; line < LITMUS_LINES; line++) {
        for (unsigned word = 0; word < LITMUS_WORDS; word++) {
            put(&p, w->memory[line][word]);
            for (unsigned value = 1; value < 8; value++) {
                put(&p, w->order[line][word][value]);
            }
        }
    }
    return (size_t)(p.at - bytes);
}
