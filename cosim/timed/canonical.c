/* Canonical worlds: what no longer matters gets one value, names follow an order, and time is
 * counted from now. Everything else in the memory that changes counts: what is forgotten here makes
 * worlds more, never fewer. */
#include "timed.h"

#include "coherence/temporal.h"
#include "goldmem/bits.h"

#include <stdlib.h>
#include <string.h>

/* --- names, and what is dead --- */

static void clear_free_entries(gm_mshr *mshr)
{
    for (unsigned id = 0; id < mshr->entries; id++) {
        gm_mshr_entry *entry = &mshr->entry[id];
        bool valid = gm_mshr_is_valid(mshr, id);
        if (!valid) {
            *entry = (gm_mshr_entry){0};
        }
        for (unsigned i = 0; i < mshr->merges; i++) {
            if (!valid || i < entry->oldest || i > entry->newest) {
                mshr->requester[id * mshr->merges + i] = 0;
            }
        }
    }
}

/* The items in use, in the order in which they will be served. */
typedef struct items {
    uint32_t old[GM_LITMUS_WARPS * GM_LITMUS_OPERATIONS];
    gm_l2_item item[GM_LITMUS_WARPS * GM_LITMUS_OPERATIONS];
    uint32_t count;
} items;

static uint32_t rename_item(items *used, const gm_l2_bank *bank, uint32_t number)
{
    used->item[used->count] = bank->item[number];
    used->item[used->count].arrived = 0;
    used->item[used->count].packet.flags &= (uint8_t)~GM_COHERENCE_EXPIRED;
    return used->count++;
}

/* Items are names: those in use become the first. */
static void rename_items(gm_l2_bank *bank, bool *broken)
{
    items used = {.count = 0};
    uint32_t waiting = gm_ring_count(&bank->in);
    if (waiting != 0) {
        bank->in_item[0] = rename_item(&used, bank, bank->in_item[gm_ring_first(&bank->in)]);
    }
    for (uint32_t i = waiting; i <= bank->in.mask; i++) {
        bank->in_item[i] = 0;
    }
    bank->in.span.first = 0;
    bank->next = bank->answering != 0 ? rename_item(&used, bank, bank->next) : 0;
    bank->left = bank->answering != 0 ? bank->left : 0;
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        const gm_mshr_entry *entry = &bank->mshr.entry[id];
        for (unsigned i = entry->oldest; gm_mshr_is_valid(&bank->mshr, id) && i <= entry->newest;
             i++) {
            uint64_t *requester = &bank->mshr.requester[id * bank->mshr.merges + i];
            *requester = rename_item(&used, bank, (uint32_t)*requester);
        }
    }
    *broken |= bank->vacancies + used.count != bank->items;
    for (uint32_t i = 0; i < bank->items; i++) {
        bank->item[i] = i < used.count ? used.item[i] : (gm_l2_item){0};
        bank->vacant[i] = i < bank->vacancies ? bank->items - 1 - i : 0;
    }
}

static gm_cycle later_than_now(gm_cycle at, gm_cycle now)
{
    return at <= now ? 0 : at;
}

static void clear_bank(timed_world *w)
{
    gm_l2_bank *bank = &w->bank;
    clear_free_entries(&bank->mshr);
    rename_items(bank, &w->broken);
    bank->out.span.first = bank->dram.span.first = 0;
    memset(bank->out_item, 0, (bank->out.mask + 1) * sizeof *bank->out_item);
    memset(bank->dram_request, 0, (bank->dram.mask + 1) * sizeof *bank->dram_request);
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        if (!gm_mshr_is_valid(&bank->mshr, id) && bank->answering != id + 1) {
            bank->fill[id] = (gm_l2_fill){0};
            bank->coherent->kept[id] = (gm_l2_kept){0};
        }
    }
    bank->look_up_from = later_than_now(bank->look_up_from, w->now);
    bank->atomic_from = later_than_now(bank->atomic_from, w->now);
    bank->answer_from = bank->answering == 0 ? 0 : later_than_now(bank->answer_from, w->now);
    bank->retry_from =
        bank->fail == GM_L2_NO_FAIL ? GM_NEVER : later_than_now(bank->retry_from, w->now);
    bank->held = bank->requested = bank->answered = bank->fetched = bank->failed_from = 0;
    bank->push_from = 0; /* of a bank that pushes ahead */
    bank->l2.cache.allocations = 0;
    bank->coherent->protocol.statistics = (gm_coherence_statistics){0};
}

static void clear_l1(timed_machine *m, uint32_t sm)
{
    gm_cycle_l1 *l1 = timed_l1(m, sm);
    gm_cycle_l1_coherent *own = l1->coherent;
    bool answers = l1->answering != GM_NO_ENTRY;
    clear_free_entries(&l1->mshr);
    for (unsigned id = 0; id < l1->mshr.entries; id++) {
        l1->entry[id].since = 0;
        if (!gm_mshr_is_valid(&l1->mshr, id)) {
            l1->entry[id] = (gm_cycle_l1_entry){0};
            if (own->epoch != NULL) {
                own->epoch[id] = 0;
            }
        }
        for (unsigned i = 0; own->joined != NULL && i < l1->mshr.merges; i++) {
            if (!gm_mshr_is_valid(&l1->mshr, id) || i < l1->mshr.entry[id].oldest ||
                i > l1->mshr.entry[id].newest) {
                own->joined[id * l1->mshr.merges + i] = 0;
            }
        }
    }
    for (unsigned i = 0; i < GM_LITMUS_OPERATIONS; i++) { /* a load that bypasses */
        if (l1->bypassed[i].packets == 0) {
            l1->bypassed[i] = (gm_cycle_l1_bypassed){0};
        }
    }
    l1->queue.span.first = 0;
    memset(l1->packet, 0, gm_ring_places(l1->queue.capacity) * sizeof *l1->packet);
    l1->sent_at = 0;
    l1->cache.allocations = 0;
    own->protocol.statistics = (gm_coherence_statistics){0};
    if (!answers) {
        own->data = (gm_coherence_message){0};
        own->timely = 0;
        memset(m->world->values.arrived[sm], 0, GM_LITMUS_WORDS);
    }
}

/* That a copy has expired is told to a predictor, which is not there. */
static void clear_requests(timed_machine *m)
{
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        for (unsigned line = 0; line < m->lines; line++) {
            timed_channel *up = &m->world->up[sm][line];
            for (uint32_t i = 0; i < up->count; i++) {
                up->message[i].flags &= (uint8_t)~GM_COHERENCE_EXPIRED;
            }
        }
    }
}

/* Registers and values of lines that nobody has. */
static void clear_values(timed_machine *m)
{
    timed_world *w = m->world;
    for (unsigned line = 0; line < m->lines; line++) {
        for (uint32_t sm = 0; sm < m->sms; sm++) {
            gm_cycle_l1 *l1 = timed_l1(m, sm);
            uint32_t slot = gm_cache_find(&l1->cache, m->line[line]).slot;
            if (slot == GM_NO_SLOT || l1->cache.way[slot].state.valid == 0) {
                memset(w->values.l1[sm][line], 0, GM_LITMUS_WORDS);
            }
        }
        uint64_t at = gm_address_map_locate(&m->l2_shared.map, m->line[line]).line;
        if (gm_cache_find(&w->bank.l2.cache, at).slot == GM_NO_SLOT) {
            memset(w->values.l2[line], 0, GM_LITMUS_WORDS);
        }
    }
    for (unsigned i = 0; i < m->settings.test->warps && w->misses; i++) {
        w->warp[i].answered = 0;
        memset(w->warp[i].value, 0, sizeof w->warp[i].value);
    }
}

/* Reads on their way, in the order of their entries. */
static void sort_reads(timed_world *w)
{
    if (w->read[1].sectors != 0 && (w->read[0].sectors == 0 || w->read[1].id < w->read[0].id)) {
        gm_dram_request first = w->read[1];
        w->read[1] = w->read[0];
        w->read[0] = first;
    }
}

/* --- what the protocol makes equivalent --- */

/* A GWCT in the answer of a load is none if it has passed or is of another epoch. (Two rollovers
 * late it would count again, and a fence wait longer than it needs to: left out here.) Answers of
 * writes have theirs elsewhere. */
static void reduce_visible(const timed_world *w, uint32_t *visible, unsigned flags, bool load)
{
    bool now = ((flags & GM_COHERENCE_EPOCH) != 0) == ((w->time.epoch & 1) != 0);
    if (!load || !now || *visible < gm_coherence_now(&w->time, w->now)) {
        *visible = 0;
    }
}

void timed_reduce_answers(timed_machine *m)
{
    timed_world *w = m->world;
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        gm_coherence_message *data = &timed_l1(m, sm)->coherent->data;
        reduce_visible(w, &data->visible, data->flags, true);
        for (unsigned line = 0; line < m->lines; line++) {
            timed_channel *down = &w->down[sm][line];
            for (uint32_t i = 0; i < down->count; i++) {
                timed_message *message = &down->message[i];
                bool load =
                    message->kind == GM_MESSAGE_READ && (message->flags & GM_COHERENCE_LINE) == 0;
                reduce_visible(w, &message->whole, message->flags, load);
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

/* --- time --- */

static void shift(gm_cycle *at, gm_cycle cycles)
{
    *at -= *at == GM_NEVER || *at == 0 ? 0 : cycles;
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

void timed_make_canonical(timed_machine *m)
{
    timed_world *w = m->world;
    gm_cycle cycles = w->now - TIMED_NOW;
    clear_bank(w);
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        clear_l1(m, sm);
    }
    clear_requests(m);
    clear_values(m);
    sort_reads(w);
    w->time.fenced = false; /* only a predictor asks */
    w->wake = GM_NEVER;
    for (uint32_t sm = 0; m->settings.reduces && sm < m->sms; sm++) {
        reduce_l1(m, sm);
    }
    if (m->settings.reduces) {
        timed_reduce_answers(m);
        reduce_l2(m);
        begin_epoch_anew(m);
    }
    w->time.epoch &= 1;
    w->now = TIMED_NOW;
    w->time.begin -= cycles;
    w->time.end -= cycles;
    shift(&w->bank.look_up_from, cycles);
    shift(&w->bank.atomic_from, cycles);
    shift(&w->bank.answer_from, cycles);
    shift(&w->bank.retry_from, cycles);
}

/* --- images --- */

void timed_save(const timed_machine *m, unsigned char *image)
{
    for (size_t i = 0; i < m->ranges; i++) {
        memcpy(image, m->range[i].at, m->range[i].bytes);
        image += m->range[i].bytes;
    }
}

void timed_restore(timed_machine *m, const unsigned char *image)
{
    for (size_t i = 0; i < m->ranges; i++) {
        memcpy(m->range[i].at, image, m->range[i].bytes);
        image += m->range[i].bytes;
    }
}

/* A packed world: for each word of 8 bytes that differs from the first world's, how many equal ones
 * lie before it (255: so many, and none that differs), a mask of the bytes that differ, and these;
 * at the end two zeros. */
enum { WORD = 8, MOST_EQUAL = 255, BLOCK = 64 /* bytes that are compared at once */ };

typedef struct writer {
    uint8_t *at;
    size_t equal;
} writer;

static void put_word(writer *to, uint64_t differs)
{
    for (; to->equal >= MOST_EQUAL; to->equal -= MOST_EQUAL) {
        *to->at++ = MOST_EQUAL;
    }
    *to->at++ = (uint8_t)to->equal;
    uint8_t *mask = to->at++;
    *mask = 0;
    for (unsigned i = 0; i < WORD; i++) {
        uint8_t byte = (uint8_t)(differs >> 8 * i);
        if (byte != 0) {
            *mask |= (uint8_t)(1U << i);
            *to->at++ = byte;
        }
    }
    to->equal = 0;
}

static void put_block(writer *to, const unsigned char *now, const unsigned char *first,
                      size_t bytes)
{
    for (size_t at = 0; at < bytes; at += WORD) {
        uint64_t a;
        uint64_t b;
        memcpy(&a, now + at, WORD);
        memcpy(&b, first + at, WORD);
        if (a == b) {
            to->equal++;
        } else {
            put_word(to, a ^ b);
        }
    }
}

size_t timed_pack(const timed_machine *m, uint8_t *bytes)
{
    writer to = {bytes, 0};
    const unsigned char *first = m->first;
    for (size_t i = 0; i < m->ranges; i++) {
        const timed_range *range = &m->range[i];
        for (size_t at = 0; at < range->bytes; at += BLOCK) {
            size_t left = range->bytes - at < BLOCK ? range->bytes - at : BLOCK;
            if (left == BLOCK && memcmp(range->at + at, first + at, BLOCK) == 0) {
                to.equal += BLOCK / WORD;
            } else {
                put_block(&to, range->at + at, first + at, left);
            }
            if (to.at - bytes > SEARCH_BYTES - 2 * BLOCK) {
                abort(); /* a world is some hundred bytes */
            }
        }
        first += range->bytes;
    }
    *to.at++ = 0;
    *to.at++ = 0;
    return (size_t)(to.at - bytes);
}

/* XORs the words that differ into an image of the first world. */
static void apply(unsigned char *image, const uint8_t *bytes)
{
    for (;;) {
        if (*bytes == MOST_EQUAL) {
            image += (size_t)MOST_EQUAL * WORD;
            bytes++;
            continue;
        }
        if (bytes[1] == 0) {
            return;
        }
        image += (size_t)*bytes++ * WORD;
        uint8_t mask = *bytes++;
        for (unsigned i = 0; i < WORD; i++) {
            image[i] ^= (mask >> i & 1) != 0 ? *bytes++ : 0;
        }
        image += WORD;
    }
}

void timed_unpack(timed_machine *m, const uint8_t *bytes)
{
    memcpy(m->from, m->first, m->bytes);
    apply(m->from, bytes);
    timed_restore(m, m->from);
}
