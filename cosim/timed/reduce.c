/* What the protocol makes equivalent in canonical worlds: docs/explore-timed.md has the reasons.
 * Holds for right engines. */
#include "timed.h"

#include "coherence/temporal.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_this_epoch(const timed_world *w, unsigned flags)
{
    return ((flags & GM_COHERENCE_EPOCH) != 0) == ((w->time.epoch & 1) != 0);
}

/* The GWCT in the answer of a load is none if it has passed. */
static void reduce_visible(const timed_world *w, uint32_t *visible, unsigned flags)
{
    if (!is_of_this_epoch(w, flags) || *visible < gm_coherence_now(&w->time, w->now)) {
        *visible = 0;
    }
}

static void reduce_answer(const timed_world *w, timed_message *message)
{
    bool load = message->kind == GM_MESSAGE_READ && (message->flags & GM_COHERENCE_LINE) == 0;
    if (load) {
        reduce_visible(w, &message->whole, message->flags);
        return;
    }
    message->whole = 0;
    if (!is_of_this_epoch(w, message->flags) && (message->flags & GM_COHERENCE_GWCT) != 0) {
        bool leased = (message->flags & GM_COHERENCE_LEASE) != 0;
        message->flags &= (uint8_t)~GM_COHERENCE_GWCT;
        message->timestamp = leased ? message->timestamp : 0;
    }
}

/* GWCTs of another epoch are none. (Two rollovers late one would count again, and a fence wait for
 * longer than it needs to: left out here.) */
void timed_reduce_answers(timed_machine *m)
{
    timed_world *w = m->world;
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        gm_coherence_message *data = &timed_l1(m, sm)->coherent->data;
        reduce_visible(w, &data->visible, data->flags);
        for (unsigned line = 0; line < m->lines; line++) {
            timed_channel *down = &w->down[sm][line];
            for (uint32_t i = 0; i < down->count; i++) {
                reduce_answer(w, &down->message[i]);
            }
        }
    }
}

static void reduce_l1(timed_machine *m, uint32_t sm)
{
    gm_cycle_l1 *l1 = timed_l1(m, sm);
    gm_temporal_l1 *state = l1->coherent->protocol.state;
    uint32_t now = gm_coherence_now(&m->world->time, m->world->now);
    for (unsigned i = 0; i < state->copies.parameters.slots; i++) {
        gm_tc_l1_slot *slot = &state->copies.slot[i];
        if (slot->pending == 0 && slot->lease < now) { /* expired: none */
            slot->valid = false;
        }
        slot->visible = slot->visible < now ? 0 : slot->visible;
        if (!slot->valid) {
            slot->lease = slot->visible = 0;
            for (unsigned line = 0; line < m->lines; line++) {
                if (l1->cache.way[i].tag == m->line[line]) {
                    memset(m->world->values.l1[sm][line], 0, GM_LITMUS_WORDS);
                }
            }
        }
    }
    for (unsigned i = 0; i < state->gwct.parameters.warps; i++) {
        gm_gwct_entry *entry = &state->gwct.entry[i];
        entry->visible = entry->visible < now ? 0 : entry->visible;
    }
}

static int compare_leases(const void *a, const void *b)
{
    const gm_lease_store_entry *left = a;
    const gm_lease_store_entry *right = b;
    int order = right->valid - left->valid;
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

static void reduce_l2(timed_machine *m)
{
    gm_l2_bank *bank = &m->world->bank;
    gm_temporal_l2 *state = bank->coherent->protocol.state;
    uint32_t now = gm_coherence_now(&m->world->time, m->world->now);
    for (unsigned i = 0; i < state->lines.parameters.slots; i++) {
        gm_tc_l2_line *line = &state->lines.line[i];
        if (line->lease < now) { /* in state E, whatever it was */
            *line = (gm_tc_l2_line){0};
        }
        line->visible = line->visible < now ? 0 : line->visible;
    }
    unsigned stored = 0;
    for (unsigned i = 0; i < state->store.parameters.entries; i++) {
        gm_lease_store_entry *entry = &state->store.entry[i];
        if (!entry->valid || entry->lease < now) {
            *entry = (gm_lease_store_entry){0};
        }
        stored += entry->valid;
    }
    qsort(state->store.entry, state->store.parameters.entries, sizeof *state->store.entry,
          compare_leases);
    state->stored = stored;
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        gm_coherence_kept *kept = &bank->coherent->kept[id].lease;
        if (kept->lease < now) {
            *kept = (gm_coherence_kept){0};
        }
    }
}

/* The epoch's number becomes 0: only its parity was seen, compared with that of answers. */
static void begin_epoch_anew(timed_machine *m)
{
    timed_world *w = m->world;
    bool odd = (w->time.epoch & 1) != 0;
    w->time.epoch = 0;
    for (uint32_t sm = 0; odd && sm < m->sms; sm++) {
        gm_cycle_l1 *l1 = timed_l1(m, sm);
        gm_temporal_l1 *state = l1->coherent->protocol.state;
        state->gwct.epoch ^= 1;
        if (l1->answering != GM_NO_ENTRY) {
            l1->coherent->data.flags ^= GM_COHERENCE_EPOCH;
        }
        for (unsigned id = 0; l1->coherent->epoch != NULL && id < l1->mshr.entries; id++) {
            l1->coherent->epoch[id] ^= gm_mshr_is_valid(&l1->mshr, id);
        }
        for (unsigned line = 0; line < m->lines; line++) {
            for (uint32_t i = 0; i < w->down[sm][line].count; i++) {
                w->down[sm][line].message[i].flags ^= GM_COHERENCE_EPOCH;
            }
        }
    }
}

void timed_reduce(timed_machine *m)
{
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        reduce_l1(m, sm);
    }
    timed_reduce_answers(m);
    reduce_l2(m);
    begin_epoch_anew(m);
}
