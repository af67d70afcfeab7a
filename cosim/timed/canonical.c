/* Canonical worlds: what no longer matters gets one value, names follow an order, and time is
 * counted from now. Everything else in the memory that changes counts: what is forgotten here makes
 * worlds more, never fewer. */
#include "timed.h"

#include "coherence/temporal.h"
#include "cycle/l1/l1_queue.h"
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
                *gm_mshr_requester(mshr, id, i) = 0;
            }
        }
    }
}

/* The items in use, in the order in which they will be served. */
typedef struct items {
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
    for (uint32_t i = 0; i <= bank->in.mask; i++) { /* times that have passed, as the items' */
        bank->in_arrived[i] = 0;
    }
    bank->in.span.first = 0;
    bank->next = bank->answering != 0 ? rename_item(&used, bank, bank->next) : 0;
    bank->left = bank->answering != 0 ? bank->left : 0;
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        const gm_mshr_entry *entry = &bank->mshr.entry[id];
        for (unsigned i = entry->oldest; gm_mshr_is_valid(&bank->mshr, id) && i <= entry->newest;
             i++) {
            uint64_t *requester = gm_mshr_requester(&bank->mshr, id, i);
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
        if (l1->answering == id) { /* its data are in the slot, or will not be */
            l1->entry[id].slot = GM_NO_SLOT;
        }
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

/* --- MSHR entries of an L1 are names: those in use come first, in the order of their lines, and of
 * one line in the order in which their data will come --- */

static bool is_of_entry(uint32_t id, unsigned entry)
{
    return id == gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, entry);
}

static unsigned find_message(const timed_channel *channel, unsigned entry)
{
    unsigned at = 0;
    while (at < channel->count && !is_of_entry(channel->message[at].id, entry)) {
        at++;
    }
    return at;
}

/* How late an entry's data will come: smaller is sooner. Requires that items are renamed. */
static unsigned lateness(timed_machine *m, uint32_t sm, unsigned entry)
{
    enum { LATER = 1024 };
    const timed_world *w = m->world;
    const gm_cycle_l1 *l1 = timed_l1(m, sm);
    if (l1->answering == entry) {
        return 0;
    }
    uint32_t line = timed_line(l1->mshr.entry[entry].line);
    unsigned at = find_message(&w->down[sm][line], entry);
    if (at < w->down[sm][line].count) {
        return 1 + at;
    }
    for (uint32_t i = 0; i < w->bank.items - w->bank.vacancies; i++) {
        const gm_packet *packet = &w->bank.item[i].packet;
        if (packet->sm == sm && is_of_entry(packet->id, entry)) {
            return LATER + i;
        }
    }
    return 2 * LATER + find_message(&w->up[sm][line], entry);
}

static bool are_in_order(timed_machine *m, uint32_t sm)
{
    const gm_mshr *mshr = &timed_l1(m, sm)->mshr;
    if (!gm_mshr_is_valid(mshr, 0) || !gm_mshr_is_valid(mshr, 1)) {
        return gm_mshr_is_valid(mshr, 0) || !gm_mshr_is_valid(mshr, 1);
    }
    return mshr->entry[0].line != mshr->entry[1].line ? mshr->entry[0].line < mshr->entry[1].line
                                                      : lateness(m, sm, 0) < lateness(m, sm, 1);
}

static void swap_bytes(void *array, size_t size)
{
    unsigned char *at = array;
    for (size_t i = 0; i < size; i++) {
        unsigned char first = at[i];
        at[i] = at[size + i];
        at[size + i] = first;
    }
}

static uint64_t swap_bits(uint64_t bits)
{
    return (bits >> 1 & 1) | (bits & 1) << 1;
}

static uint16_t other_link(uint16_t link)
{
    return link == 0 ? 0 : (uint16_t)(3 - link);
}

static uint32_t other_id(uint32_t id)
{
    return gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_ENTRY ? id ^ 1 : id;
}

/* Exchanges the names of the MSHRs' two entries. */
static void swap_mshr(gm_mshr *mshr)
{
    mshr->valid[0] = swap_bits(mshr->valid[0]);
    mshr->open[0] = swap_bits(mshr->open[0]);
    swap_bytes(mshr->entry, sizeof *mshr->entry);
    swap_bytes(mshr->requester, (mshr->merges - 1) * sizeof *mshr->requester);
    for (unsigned id = 0; id < TIMED_MSHRS; id++) {
        mshr->entry[id].next = other_link(mshr->entry[id].next);
    }
    for (uint64_t i = 0; i >> (64 - mshr->hash_shift) == 0; i++) {
        mshr->bucket[i] = other_link(mshr->bucket[i]);
    }
}

static void sort_entries(timed_machine *m, uint32_t sm)
{
    timed_world *w = m->world;
    gm_cycle_l1 *l1 = timed_l1(m, sm);
    if (are_in_order(m, sm)) {
        return;
    }
    swap_mshr(&l1->mshr);
    swap_bytes(l1->entry, sizeof *l1->entry);
    if (l1->coherent->joined != NULL) {
        swap_bytes(l1->coherent->joined, l1->mshr.merges * sizeof *l1->coherent->joined);
        swap_bytes(l1->coherent->epoch, sizeof *l1->coherent->epoch);
    }
    l1->answering ^= l1->answering != GM_NO_ENTRY;
    for (unsigned line = 0; line < m->lines; line++) {
        for (uint32_t i = 0; i < TIMED_MESSAGES; i++) {
            timed_message *up = &w->up[sm][line].message[i];
            timed_message *down = &w->down[sm][line].message[i];
            up->id = i < w->up[sm][line].count ? other_id(up->id) : 0;
            down->id = i < w->down[sm][line].count ? other_id(down->id) : 0;
        }
    }
    for (uint32_t i = 0; i < w->bank.items - w->bank.vacancies; i++) {
        gm_packet *packet = &w->bank.item[i].packet;
        packet->id = packet->sm == sm ? other_id(packet->id) : packet->id;
    }
}

/* --- ways --- */

/* Ways are names: of two, that with the smaller line becomes the first. Where the test has no more
 * lines than the set has ways, no line is ever replaced, and their order of use does not matter: a
 * way without a line is the oldest. Returns true if the ways change places. */
static bool sort_ways(gm_cache *cache, uint32_t lines)
{
    if (cache->ways != 2) {
        return false;
    }
    bool swaps = cache->way[0].tag > cache->way[1].tag; /* GM_NO_LINE is the largest */
    uint64_t *head = gm_cache_head(cache, 0);
    if (swaps) {
        swap_bytes(cache->way, sizeof *cache->way);
        swap_bytes(gm_cache_hashes(head), sizeof *gm_cache_hashes(head));
        *cache->waiting = swap_bits(*cache->waiting);
        *head ^= GM_LRU_WORD_ONES & cache->places.mask; /* way 0 is way 1 */
    }
    for (unsigned way = 0; way < 2; way++) {
        if (cache->way[way].tag == GM_NO_LINE) {
            gm_cache_hashes(head)[way] = 0;
        }
    }
    *head = lines <= 2 ? gm_lru_word_start(&cache->places) : *head;
    return swaps;
}

static void sort_l1(timed_machine *m, uint32_t sm)
{
    gm_cycle_l1 *l1 = timed_l1(m, sm);
    gm_tc_l1_slot *slot = ((gm_temporal_l1 *)l1->coherent->protocol.state)->copies.slot;
    if (!sort_ways(&l1->cache, m->lines)) {
        return;
    }
    swap_bytes(slot, sizeof *slot);
    swap_bytes(l1->coherent->busy, sizeof *l1->coherent->busy);
    for (unsigned id = 0; id < l1->mshr.entries; id++) {
        bool has_slot = gm_mshr_is_valid(&l1->mshr, id) && l1->entry[id].slot != GM_NO_SLOT;
        l1->entry[id].slot ^= has_slot;
    }
}

static void sort_l2(timed_machine *m)
{
    gm_l2_bank *bank = &m->world->bank;
    gm_tc_l2_line *line = ((gm_temporal_l2 *)bank->coherent->protocol.state)->lines.line;
    if (!sort_ways(&bank->l2.cache, m->lines)) {
        return;
    }
    swap_bytes(line, sizeof *line);
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        bool waits = gm_mshr_is_valid(&bank->mshr, id) || bank->answering == id + 1;
        bank->fill[id].slot ^= waits;
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

/* Sorts the reads in flight: in the order of their entries. */
static void sort_reads(timed_world *w)
{
    if (w->read[1].sectors != 0 && (w->read[0].sectors == 0 || w->read[1].id < w->read[0].id)) {
        gm_dram_request first = w->read[1];
        w->read[1] = w->read[0];
        w->read[0] = first;
    }
}

/* --- time --- */

static void shift(gm_cycle *at, gm_cycle cycles)
{
    *at -= *at == GM_NEVER || *at == 0 ? 0 : cycles;
}

void timed_make_canonical(timed_machine *m)
{
    timed_world *w = m->world;
    gm_cycle cycles = w->now - TIMED_NOW;
    clear_bank(w);
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        clear_l1(m, sm);
    }
    for (uint32_t sm = 0; sm < m->sms; sm++) {
        sort_l1(m, sm);
        sort_entries(m, sm);
    }
    sort_l2(m);
    clear_requests(m);
    clear_values(m);
    sort_reads(w);
    w->time.fenced = false; /* only a predictor asks */
    w->wake = GM_NEVER;
    if (m->settings.reduces) {
        timed_reduce(m);
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
