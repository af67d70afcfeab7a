/* Canonical worlds of the cycle engine: what no longer matters gets one value. Everything else in
 * the memory that changes counts: what is forgotten here makes worlds more, never fewer. */
#include "timed.h"

#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_tracker.h"

static void clear_entries(gm_cycle_l1 *l1)
{
    gm_mshr *mshr = &l1->mshr;
    for (unsigned id = 0; id < mshr->entries; id++) {
        gm_mshr_entry *entry = &mshr->entry[id];
        bool valid = gm_mshr_is_valid(mshr, id);
        if (!valid) {
            *entry = (gm_mshr_entry){0};
            l1->entry[id] = (gm_cycle_l1_entry){0};
        }
        l1->entry[id].since = 0;
        for (unsigned i = 0; i < mshr->merges; i++) {
            if (!valid || i < entry->oldest || i > entry->newest) {
                *gm_mshr_requester(mshr, id, i) = 0;
            }
        }
    }
}

/* Loads that bypass, with their free places in the order in which they were at first. */
static void clear_bypassed(gm_cycle_l1 *l1)
{
    bool free[HYBRID_LOADS] = {false};
    uint32_t others = GM_BYPASSED_LOADS - HYBRID_LOADS;
    for (unsigned i = 0; i < HYBRID_LOADS; i++) {
        l1->bypassed[i].began = 0;
        if (l1->bypassed[i].packets == 0) {
            free[i] = true;
            l1->bypassed[i] = (gm_cycle_l1_bypassed){0};
        }
    }
    for (unsigned i = HYBRID_LOADS; i-- > 0;) {
        if (free[i]) {
            l1->free_bypassed[others++] = (uint16_t)i;
        }
    }
    the_machine->world->broken |= others != l1->bypassed_free;
    for (; others < GM_BYPASSED_LOADS; others++) {
        l1->free_bypassed[others] = 0;
    }
}

static void clear_asked(gm_cycle_l1 *l1)
{
    gm_cycle_l1_tracked *own = l1->tracked;
    bool used[TIMED_REPLIES] = {false};
    for (unsigned i = 0; i < GM_CYCLE_L1_ASKED_BUCKETS && own->unanswered != 0; i++) {
        for (uint32_t next = own->bucket[i]; next != 0; next = own->asked[next - 1].next) {
            used[(next - 1) % TIMED_REPLIES] = true;
        }
    }
    for (unsigned i = 0; i < TIMED_REPLIES; i++) {
        bool fills = i < l1->mshr.entries && gm_mshr_is_valid(&l1->mshr, i);
        if (!used[i]) {
            own->asked[i] = (gm_cycle_l1_asked){.will_fill = fills ? own->asked[i].will_fill : 0};
        }
    }
    own->came = own->missed = own->marks_left = own->strong = 0;
    own->counts = (gm_tracker_statistics){0};
    own->ring.span.first = 0;
    memset(own->packet, 0, gm_ring_places(own->ring.capacity) * sizeof *own->packet);
    memset(own->leaves, 0, gm_ring_places(own->ring.capacity) * sizeof *own->leaves);
    the_machine->world->broken |= !gm_ring_is_empty(&own->ring);
}

/* Moves the elements of a ring so that the oldest lies first; the rest becomes 0. */
static void turn(gm_ring *ring, void *elements, size_t size)
{
    enum { MOST = 8192 };
    unsigned char copy[MOST];
    unsigned char *at = elements;
    uint32_t places = ring->mask + 1;
    uint32_t count = gm_ring_count(ring);
    the_machine->world->broken |= places * size > MOST;
    if (places * size > MOST) {
        return;
    }
    for (uint32_t i = 0; i < places; i++) {
        uint32_t from = (gm_ring_first(ring) + i) & ring->mask;
        if (i < count) {
            memcpy(copy + i * size, at + from * size, size);
        } else {
            memset(copy + i * size, 0, size);
        }
    }
    memcpy(at, copy, places * size);
    ring->span.first = 0;
}

static void clear_l1(gm_cycle_l1 *l1)
{
    clear_entries(l1);
    clear_bypassed(l1);
    clear_asked(l1);
    turn(&l1->queue, l1->packet, sizeof *l1->packet);
    l1->sent_at = 0;
    l1->cache.allocations = 0;
    l1->fetched = 0;
    l1->flushed = 0;
}

/* What entries without a line, and unused pointers, hold makes no difference. */
static void clear_tracker_entries(gm_sharing_tracker *t)
{
    for (unsigned way = 0; way < t->parameters.ways; way++) {
        if ((t->valid[0] >> way & 1) == 0) {
            t->line[way] = t->marks[way] = t->sharers[way] = 0;
            t->last[way] = t->rank[way] = 0;
        }
        for (unsigned i = 0; i < t->parameters.pointers; i++) {
            bool used = (t->valid[0] >> way & 1) != 0 && i < gm_count_ones(t->sharers[way]);
            uint8_t *pointer = &t->pointer[way * t->parameters.pointers + i];
            *pointer = used ? *pointer : 0;
        }
    }
}

static void clear_tracker(timed_world *w)
{
    gm_tracker_bank *bank = &w->tracker;
    turn(&bank->pipe, bank->item, sizeof *bank->item);
    turn(&bank->supplies, bank->supply, sizeof *bank->supply);
    turn(&w->wire.ring, w->credit, sizeof *w->credit);
    memset(bank->counts, 0, HYBRID_SMS * sizeof *bank->counts);
    memset(bank->reads, 0, HYBRID_SMS * sizeof *bank->reads);
    bank->received = (gm_message_counts){0};
    bank->supplied = bank->asked = bank->flushed = bank->transactions = bank->changed = 0;
    bank->outlet.sent_at = GM_NEVER;
    bank->outlet.packet = (gm_packet){0};
    w->broken |= bank->outlet.arrival != GM_NEVER;
    for (uint32_t i = 0; i < bank->shared->trackers; i++) {
        clear_tracker_entries(&bank->tracker[i]);
    }
}

/* The L2 bank is idle: what it holds of the past makes no difference, since its lines are never
 * evicted. Its tags remain. */
static void clear_bank(timed_world *w)
{
    gm_l2_bank *bank = &w->bank;
    w->broken |= !gm_l2_bank_idle(bank);
    for (unsigned id = 0; id < bank->mshr.entries; id++) {
        bank->mshr.entry[id] = (gm_mshr_entry){0};
        bank->fill[id] = (gm_l2_fill){0};
        for (unsigned i = 0; i < bank->mshr.merges; i++) {
            *gm_mshr_requester(&bank->mshr, id, i) = 0;
        }
    }
    for (uint32_t i = 0; i < bank->items; i++) {
        bank->item[i] = (gm_l2_item){0};
        bank->vacant[i] = bank->items - 1 - i;
    }
    bank->in.span.first = bank->out.span.first = bank->dram.span.first = 0;
    memset(bank->in_item, 0, (bank->in.mask + 1) * sizeof *bank->in_item);
    memset(bank->out_item, 0, (bank->out.mask + 1) * sizeof *bank->out_item);
    memset(bank->dram_request, 0, (bank->dram.mask + 1) * sizeof *bank->dram_request);
    bank->look_up_from = GM_NEVER;
    bank->atomic_from = bank->answer_from = bank->push_from = 0;
    bank->retry_from = GM_NEVER;
    bank->next = bank->left = 0;
    bank->held = bank->requested = bank->answered = bank->fetched = bank->failed_from = 0;
    bank->l2.cache.allocations = 0;
}

static void visit_sectors(unsigned line, unsigned sectors, uint8_t *value, hybrid_visitor *visit,
                          void *context)
{
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            visit(context, word_of(line, sector), &value[sector]);
        } else {
            value[sector] = 0;
        }
    }
}

/* The sectors of a reply that may be asked for, and its line: those of its entry or load. */
static unsigned sectors_of_reply(const timed_world *w, unsigned sm, unsigned reply, unsigned *line)
{
    const gm_cycle_l1 *l1 = &w->l1[sm];
    if (reply < HYBRID_ENTRIES) {
        *line = hybrid_line(l1->mshr.entry[reply].line) % HYBRID_LINES;
        return gm_mshr_is_valid(&l1->mshr, reply) ? l1->entry[reply].sectors : 0;
    }
    const gm_cycle_l1_bypassed *load = &l1->bypassed[reply - HYBRID_ENTRIES];
    *line = hybrid_line(load->line) % HYBRID_LINES;
    return load->packets != 0 ? 3 : 0;
}

static void visit_all(void *holder, hybrid_visitor *visit, void *context)
{
    timed_world *w = holder;
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        gm_cycle_l1 *l1 = &w->l1[sm];
        for (unsigned line = 0; line < HYBRID_LINES; line++) {
            uint32_t slot = gm_cache_find(&l1->cache, hybrid_address(line)).slot;
            uint32_t held = slot != GM_NO_SLOT ? l1->cache.way[slot].state.valid : 0;
            visit_sectors(line, held, w->copy[sm][line], visit, context);
        }
        for (unsigned i = 0; i < TIMED_REPLIES; i++) {
            unsigned line;
            unsigned sectors = sectors_of_reply(w, sm, i, &line);
            visit_sectors(line, sectors, w->reply[sm][i], visit, context);
        }
        for (unsigned i = 0; i < TIMED_TICKETS; i++) {
            timed_ticket *ticket = &w->ticket[sm][i];
            for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
                if (ticket->token[sector] != 0 && ticket->answers != 0) {
                    visit(context, word_of(ticket->line, sector), &ticket->token[sector]);
                } else {
                    ticket->token[sector] = 0;
                }
            }
        }
    }
}

void timed_make_canonical(timed_machine *m)
{
    timed_world *w = m->world;
    for (unsigned sm = 0; sm < HYBRID_SMS; sm++) {
        clear_l1(&w->l1[sm]);
        for (unsigned i = 0; i < TIMED_TICKETS; i++) {
            if (w->ticket[sm][i].answers == 0) {
                w->ticket[sm][i] = (timed_ticket){0};
            }
        }
    }
    clear_tracker(w);
    clear_bank(w);
    w->wake = w->bank_wake = GM_NEVER;
    w->now = TIMED_NOW;
    if (!m->settings->whole) {
        hybrid_name_values(&w->values, visit_all, w);
    }
}
