/* Tracker bank: its transactions, pipeline and supplies. */
#include "cycle/tracker/tracker_bank.h"

#include "cache/cache.h"
#include "cache/values.h"
#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>

enum { ALIGNMENT = 64, ARRAYS = 8 };

/* Keys that the timed trackers require. */
static const char *wrong_key(const gm_config *config)
{
    const struct {
        bool wrong;
        const char *text;
    } rows[] = {
        {config->noc.topology != GM_TOPOLOGY_CROSSBAR, "noc.topology=crossbar"},
        {config->memory.banks != 1, "memory.banks=1"},
        {config->memory.interleave < config->l1.line, "memory.interleave of l1.line at least"},
        {config->l2.halves != 1, "l2.halves=1"},
        {config->l1.global_write == GM_WRITE_BACK, "another l1.global_write than back"},
        {config->l1.local_write == GM_WRITE_BACK, "another l1.local_write than back"},
        {config->l1.global_allocate, "l1.global_allocate=no"},
        {config->l1.local_allocate, "l1.local_allocate=no"},
        {config->l1.merge_by == GM_MERGE_BY_SECTOR, "l1.merge_by=line"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].wrong) {
            return rows[i].text;
        }
    }
    return NULL;
}

int gm_tracker_shared_init(gm_tracker_shared *shared, const gm_config *config, gm_error *error)
{
    *shared = (gm_tracker_shared){.config = config};
    if (!config->tracker.enabled) {
        return 0;
    }
    const char *wrong = wrong_key(config);
    if (wrong != NULL) {
        return gm_fail(error, -EINVAL, "tracker.enabled=yes: in the cycle engine needs %s", wrong);
    }
    shared->parameters = gm_tracker_parameters(config, &shared->index);
    shared->sms = (uint32_t)config->gpu.sms;
    shared->trackers = (uint32_t)config->tracker.trackers;
    shared->told = config->tracker.ask ? shared->trackers : 1;
    shared->supplies = (uint32_t)config->tracker.supplies;
    shared->latency = (uint32_t)config->tracker.latency;
    shared->l2_sector_bits = gm_log2_floor(config->l2.line / GM_SECTOR);
    int code = gm_tracker_map_init(&shared->map, config, error);
    return code < 0 ? code : gm_tracker_index(&shared->index, config, error);
}

gm_cycle gm_tracker_wire_latency(const gm_config *config)
{
    gm_cycle cycles = gm_clock_core_from(gm_clock_make(config->clock.core, config->clock.noc),
                                         config->noc.latency);
    return cycles > 1 ? cycles : 1;
}

uint32_t gm_tracker_wire_credits(const gm_tracker_shared *shared)
{
    return shared->sms * shared->supplies;
}

size_t gm_tracker_bank_bytes(const gm_tracker_shared *shared)
{
    return gm_ring_places(shared->latency) * sizeof(gm_tracker_item) +
           gm_ring_places(gm_tracker_wire_credits(shared)) * sizeof(gm_packet) +
           shared->sms *
               (sizeof(uint32_t) + sizeof(gm_tracker_statistics) + sizeof(gm_tracker_reads)) +
           shared->trackers *
               (sizeof(gm_sharing_tracker) + gm_sharing_tracker_bytes(&shared->parameters)) +
           (size_t)ARRAYS * ALIGNMENT;
}

int gm_tracker_bank_init(gm_tracker_bank *bank, const gm_tracker_shared *shared, uint32_t number,
                         gm_arena *arena, gm_error *error)
{
    *bank = (gm_tracker_bank){
        .shared = shared,
        .number = number,
        .outlet = {.arrival = GM_NEVER, .sent_at = GM_NEVER},
        .pipe = gm_ring_make(shared->latency),
        .supplies = gm_ring_make(gm_tracker_wire_credits(shared)),
    };
    bank->item = gm_arena_take(arena, gm_ring_places(bank->pipe.capacity), sizeof *bank->item);
    bank->supply =
        gm_arena_take(arena, gm_ring_places(bank->supplies.capacity), sizeof *bank->supply);
    bank->credits = gm_arena_take(arena, shared->sms, sizeof *bank->credits);
    bank->counts = gm_arena_take(arena, shared->sms, sizeof *bank->counts);
    bank->reads = gm_arena_take(arena, shared->sms, sizeof *bank->reads);
    bank->tracker = gm_arena_take(arena, shared->trackers, sizeof *bank->tracker);
    if (bank->item == NULL || bank->supply == NULL || bank->credits == NULL ||
        bank->counts == NULL || bank->reads == NULL || bank->tracker == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: tracker bank %u", number);
    }
    for (uint32_t sm = 0; sm < shared->sms; sm++) {
        bank->credits[sm] = shared->supplies;
    }
    int code = 0;
    for (uint32_t i = 0; code == 0 && i < shared->trackers; i++) {
        code = gm_sharing_tracker_init(&bank->tracker[i], &shared->parameters, arena, error);
    }
    return code;
}

void gm_tracker_bank_connect(gm_tracker_bank *bank, gm_network *requests, gm_network *replies,
                             const gm_ring *responses, gm_credit_wire *credits_back,
                             gm_cycle *l2_wake, gm_cycle *wake)
{
    bank->requests = requests;
    bank->replies = replies;
    bank->responses = responses;
    bank->credits_back = credits_back;
    bank->l2_wake = l2_wake;
    bank->outlet.wake = wake;
}

void gm_tracker_bank_observe(gm_tracker_bank *bank, const gm_run_options *options)
{
    bank->index_observer = options->tracker_set_index;
    for (uint32_t i = 0; i < bank->shared->trackers; i++) {
        const gm_observer *own = options->sharing_tracker;
        bank->tracker[i].observer =
            own != NULL ? &own[i * bank->shared->map.partitions + bank->number] : NULL;
    }
}

/* Returns the operation of a packet's transaction; FLUSH: it has none. Every packet of a store is a
 * WRITE, not only its first: a LOOKUP may come between two. Every READ that an L1 sends is a strong
 * load's. */
static uint64_t operation_of(const gm_packet *packet)
{
    switch ((gm_message_kind)packet->kind) {
    case GM_MESSAGE_LOOKUP:
        return GM_SHARING_TRACKER_LOOKUP;
    case GM_MESSAGE_FILL:
        return GM_SHARING_TRACKER_FILL;
    case GM_MESSAGE_EVICT:
        return GM_SHARING_TRACKER_EVICT;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
        return GM_SHARING_TRACKER_WRITE;
    case GM_MESSAGE_READ:
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return GM_SHARING_TRACKER_COHERENT;
    case GM_MESSAGE_INSTRUCTION:
    case GM_MESSAGE_RETURN:
    case GM_MESSAGE_INVALIDATE:
    case GM_MESSAGE_RECALL:
    case GM_MESSAGE_FORWARD:
    case GM_MESSAGE_UNBLOCK:
    case GM_MESSAGE_GETX:
    case GM_MESSAGE_UPGRADE:
    case GM_MESSAGE_SUPPLY:
    case GM_MESSAGE_SUPPLIED:
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return GM_SHARING_TRACKER_FLUSH;
}

/* Counts a transaction of an SM's own tracker as the order engine does (order/trackers.c), beside
 * what access_tracker counts. */
static void count(gm_tracker_bank *bank, const gm_packet *packet, uint64_t operation,
                  bool will_fill, const gm_sharing_tracker_response *response)
{
    gm_tracker_statistics *counts = &bank->counts[packet->sm];
    bool evict = operation == GM_SHARING_TRACKER_EVICT;
    counts->lookups += operation == GM_SHARING_TRACKER_LOOKUP;
    counts->hits += response->hit;
    counts->entries_taken += will_fill && response->found == 0;
    counts->dropped += response->dropped;
    counts->fills += operation == GM_SHARING_TRACKER_FILL;
    counts->displaced += response->displaced;
    counts->evicts += evict;
    counts->evict_sectors += evict ? gm_count_ones(packet->sectors) : 0;
    counts->last_sharer_evicts += response->last_sharer;
    counts->writes += operation == GM_SHARING_TRACKER_WRITE;
    counts->coherent += operation == GM_SHARING_TRACKER_COHERENT;
}

/* Tells the values of a transaction. */
static GM_COLD void tell_values(gm_tracker_bank *bank, const gm_packet *packet, uint64_t operation,
                                const gm_sharing_tracker_response *response)
{
    uint64_t l1_line = packet->line >> bank->shared->map.part_bits;
    switch (operation) {
    case GM_SHARING_TRACKER_FILL:
        gm_values_filled(bank->values, packet->sm, l1_line, packet->sectors, response->filled != 0);
        break;
    case GM_SHARING_TRACKER_WRITE:
    case GM_SHARING_TRACKER_COHERENT:
        gm_values_pass(bank->values, packet->sm, packet->id, packet->line, packet->sectors);
        break;
    default:
        break;
    }
}

/* Returns the tracker of an SM, or the one `step` behind it. */
static uint32_t tracker_behind(const gm_tracker_shared *shared, uint32_t sm, uint32_t step)
{
    uint32_t own = sm / shared->map.cus;
    return step == 0 ? own : (own + step) % shared->told;
}

/* Does a transaction of a tracker for a packet, and counts what it changes. */
static gm_sharing_tracker_response access_tracker(gm_tracker_bank *bank, uint32_t number,
                                                  const gm_packet *packet, uint64_t operation,
                                                  bool will_fill)
{
    const gm_tracker_shared *shared = bank->shared;
    gm_tracker_statistics *counts = &bank->counts[packet->sm];
    const gm_sharing_tracker_request request = {
        .op = operation,
        .line = packet->in_bank >> shared->map.part_bits,
        .cu = packet->sm % shared->map.cus,
        .will_fill = will_fill,
    };
    gm_sharing_tracker_response response =
        gm_sharing_tracker_access(&bank->tracker[number], request);
    if (bank->index_observer != NULL) {
        gm_cache_tell_observer(&shared->index, bank->index_observer, request.line,
                               (uint32_t)response.index);
    }
    bool changes = will_fill || response.hit != 0 || response.filled != 0 ||
                   response.removed != 0 || response.freed != 0;
    counts->entries_freed += response.freed;
    counts->changes += changes;
    bank->transactions++;
    bank->changed += changes;
    return response;
}

/* Tells the other trackers of a WRITE or COHERENT. */
static GM_COLD void tell_others(gm_tracker_bank *bank, const gm_packet *packet, uint64_t operation)
{
    for (uint32_t step = 1; step < bank->shared->told; step++) {
        access_tracker(bank, tracker_behind(bank->shared, packet->sm, step), packet, operation,
                       false);
        bank->counts[packet->sm].told++;
    }
}

/* Does a packet's transaction. Requires that it has one. */
static gm_sharing_tracker_response transact(gm_tracker_bank *bank, const gm_packet *packet,
                                            uint64_t operation)
{
    bool will_fill = operation == GM_SHARING_TRACKER_LOOKUP && packet->flags != 0;
    gm_sharing_tracker_response response = access_tracker(
        bank, tracker_behind(bank->shared, packet->sm, 0), packet, operation, will_fill);
    count(bank, packet, operation, will_fill, &response);
    if (bank->shared->told != 1 &&
        (operation == GM_SHARING_TRACKER_WRITE || operation == GM_SHARING_TRACKER_COHERENT)) {
        tell_others(bank, packet, operation);
    }
    if (bank->values != NULL) {
        tell_values(bank, packet, operation, &response);
    }
    return response;
}

/* Makes a LOOKUP the SUPPLY of an SM, the CU `supplier` of a tracker. Without a credit the hit is a
 * miss. Returns the way. */
static gm_tracker_way name_supplier(gm_tracker_bank *bank, gm_packet *packet, uint32_t number,
                                    uint64_t supplier)
{
    uint32_t sm = number * bank->shared->map.cus + (uint32_t)supplier;
    if (bank->credits[sm] == 0) {
        bank->counts[packet->sm].refused++;
        return GM_TRACKER_TO_L2;
    }
    bank->credits[sm]--;
    if (bank->values != NULL) {
        gm_values_look_up(bank->values, packet->sm, packet->id,
                          packet->line >> bank->shared->map.part_bits, packet->sectors);
    }
    packet->peer = packet->sm;
    packet->sm = (uint16_t)sm;
    packet->kind = GM_MESSAGE_SUPPLY;
    return GM_TRACKER_TO_SUPPLIER;
}

/* Ends the transactions of an EVICT, whose line goes to the L2 if `sent`. Returns the way. */
static gm_tracker_way end_evict(gm_tracker_bank *bank, const gm_packet *packet, bool sent)
{
    gm_tracker_statistics *counts = &bank->counts[packet->sm];
    if (bank->values != NULL) {
        gm_values_evicted(bank->values, packet->sm, packet->line >> bank->shared->map.part_bits,
                          packet->sectors, sent);
    }
    counts->victims += sent;
    counts->victim_sectors += sent ? gm_count_ones(packet->sectors) : 0;
    return sent ? GM_TRACKER_TO_L2 : GM_TRACKER_ENDS;
}

/* Returns the way of an EVICT: with l2.victim a line whose last sharer has evicted it goes to the
 * L2, with tracker.ask unless another tracker knows a sharer. */
static gm_tracker_way way_of_evict(gm_tracker_bank *bank, const gm_packet *packet,
                                   const gm_sharing_tracker_response *response)
{
    bool last = response->last_sharer != 0 && packet->sectors != 0;
    if (last && bank->shared->told != 1) {
        bank->asking = 1;
        return GM_TRACKER_ENDS;
    }
    return end_evict(bank, packet, last);
}

static gm_tracker_way way_of(gm_tracker_bank *bank, gm_packet *packet)
{
    uint64_t operation = operation_of(packet);
    if (operation == GM_SHARING_TRACKER_FLUSH) {
        bank->counts[packet->sm].remote_misses += packet->kind == GM_MESSAGE_RETURN;
        if (packet->kind == GM_MESSAGE_RETURN && bank->values != NULL) {
            gm_values_end_look_up(bank->values, packet->sm, packet->id,
                                  packet->line >> bank->shared->map.part_bits, packet->sectors);
        }
        return GM_TRACKER_TO_L2;
    }
    gm_sharing_tracker_response response = transact(bank, packet, operation);
    if (operation == GM_SHARING_TRACKER_FILL) {
        return GM_TRACKER_ENDS;
    }
    if (operation == GM_SHARING_TRACKER_EVICT) {
        return way_of_evict(bank, packet, &response);
    }
    if (response.hit != 0) {
        return name_supplier(bank, packet, tracker_behind(bank->shared, packet->sm, 0),
                             response.supplier);
    }
    bank->asking = operation == GM_SHARING_TRACKER_LOOKUP && bank->shared->told != 1;
    return GM_TRACKER_TO_L2;
}

/* Asks the next tracker for a sharer of the newest item's line: one that can supply a LOOKUP, or
 * for whose sake a victim is not sent. The last tracker asked, or the first that names one, ends
 * the item's transactions: it can leave tracker.latency cycles later. */
static GM_COLD void ask(gm_tracker_bank *bank, gm_cycle now)
{
    const gm_tracker_shared *shared = bank->shared;
    gm_tracker_item *item = &bank->item[gm_ring_place(&bank->pipe, gm_ring_count(&bank->pipe) - 1)];
    gm_tracker_statistics *counts = &bank->counts[item->packet.sm];
    uint32_t number = tracker_behind(shared, item->packet.sm, bank->asking);
    gm_sharing_tracker_response response =
        access_tracker(bank, number, &item->packet, GM_SHARING_TRACKER_ASK, false);
    bool hit = response.hit != 0;
    bank->asking = !hit && bank->asking + 1 < shared->told ? bank->asking + 1 : 0;
    item->leaves = now + shared->latency;
    if (item->packet.kind == GM_MESSAGE_EVICT) {
        counts->victim_asks++;
        counts->victims_shared += hit;
        item->way = bank->asking == 0 ? end_evict(bank, &item->packet, !hit) : GM_TRACKER_ENDS;
    } else {
        counts->asks++;
        counts->hits += hit;
        counts->ask_hits += hit;
        item->way =
            hit ? name_supplier(bank, &item->packet, number, response.supplier) : GM_TRACKER_TO_L2;
    }
}

/* Takes a packet from the request network into the pipeline. Requires one, and room. */
static void take(gm_tracker_bank *bank, gm_cycle now)
{
    gm_tracker_item *item = &bank->item[gm_ring_push(&bank->pipe)];
    item->packet = *gm_network_peek(bank->requests, bank->number, now);
    item->leaves = now + bank->shared->latency;
    gm_network_pop(bank->requests, bank->number, now);
    bank->received.messages[item->packet.kind]++;
    bank->received.sectors[item->packet.kind] += gm_count_ones(item->packet.sectors);
    item->way = way_of(bank, &item->packet);
}

/* Makes the outlet's packet that of the next L2 line of a packet of an L1 line. Returns true if it
 * is the last. */
static bool next_part(gm_tracker_bank *bank, const gm_packet *packet)
{
    unsigned bits = bank->shared->l2_sector_bits;
    if (bank->parts_left == 0) {
        bank->parts_left = packet->sectors;
    }
    unsigned part = gm_lowest_one(bank->parts_left) >> bits;
    uint32_t sectors = bank->parts_left >> (part << bits) & (uint32_t)gm_mask(1U << bits);
    bank->parts_left &= ~(sectors << (part << bits));
    gm_packet *next = &bank->outlet.packet;
    *next = *packet;
    next->line += part;
    next->in_bank += part;
    next->sectors = sectors;
    return bank->parts_left == 0;
}

/* Makes the outlet's packet the next READ of a LOOKUP or RETURN. Returns true if it is the last. */
static bool read_part(gm_tracker_bank *bank, const gm_packet *packet)
{
    bool last = next_part(bank, packet);
    gm_packet *read = &bank->outlet.packet;
    read->kind = GM_MESSAGE_READ;
    read->flags = 0;
    read->timestamp = 0;
    read->fills = packet->fills != 0 ? read->sectors : 0;
    bank->reads[packet->sm].messages++;
    bank->reads[packet->sm].sectors += gm_count_ones(read->sectors);
    return last;
}

/* Makes the outlet's packet the next L2 line of a victim. Returns true if it is the last. */
static bool victim_part(gm_tracker_bank *bank, const gm_packet *packet)
{
    bank->victim_parts++;
    return next_part(bank, packet);
}

/* Moves the oldest item, if it can leave in cycle `now`. Requires an empty outlet. */
static void leave(gm_tracker_bank *bank, gm_cycle now)
{
    const gm_tracker_item *item = &bank->item[gm_ring_first(&bank->pipe)];
    bool whole = true;
    bool asks = bank->asking != 0 && gm_ring_count(&bank->pipe) == 1;
    if (item->leaves > now || asks) {
        return;
    }
    switch ((gm_tracker_way)item->way) {
    case GM_TRACKER_TO_L2:
        if (item->packet.kind == GM_MESSAGE_LOOKUP || item->packet.kind == GM_MESSAGE_RETURN) {
            whole = read_part(bank, &item->packet);
        } else if (item->packet.kind == GM_MESSAGE_EVICT) {
            whole = victim_part(bank, &item->packet);
        } else {
            bank->outlet.packet = item->packet;
        }
        bank->outlet.arrival = now;
        gm_wake(bank->l2_wake, now);
        break;
    case GM_TRACKER_TO_SUPPLIER:
        bank->supply[gm_ring_push(&bank->supplies)] = item->packet;
        break;
    case GM_TRACKER_ENDS:
        break;
    }
    if (whole) {
        gm_ring_pop(&bank->pipe);
    }
}

/* Sends the oldest SUPPLY if it fits. The reply network's port takes one packet a cycle; bank and
 * L2 take turns when both have one. */
static void send_supply(gm_tracker_bank *bank, gm_cycle now)
{
    gm_tracker_outlet *outlet = &bank->outlet;
    const gm_packet *packet = &bank->supply[gm_ring_first(&bank->supplies)];
    bool turn = outlet->sent_at + 1 != now || gm_ring_is_empty(bank->responses);
    if (turn && gm_network_fits(bank->replies, bank->number, packet)) {
        gm_network_send(bank->replies, bank->number, packet, now);
        outlet->sent_at = now;
        bank->supplied++;
        bank->asked += gm_count_ones(packet->sectors);
        gm_ring_pop(&bank->supplies);
    }
}

/* Lowers the bank's wake-up time to its next work; the outlet's receiver lowers it, too. */
static void sleep(const gm_tracker_bank *bank, gm_cycle now)
{
    gm_cycle next = GM_NEVER;
    if (!gm_ring_is_empty(&bank->supplies)) {
        next = now + 1;
    }
    if (!gm_ring_is_empty(&bank->pipe) && bank->outlet.arrival == GM_NEVER) {
        gm_wake(&next, bank->item[gm_ring_first(&bank->pipe)].leaves);
    }
    if (bank->asking != 0) {
        next = now + 1;
    } else if (gm_ring_has_room(&bank->pipe)) {
        gm_wake(&next, gm_network_arrival(bank->requests, bank->number));
    }
    gm_wake(bank->outlet.wake, next > now ? next : now + 1);
}

void gm_tracker_bank_step(gm_tracker_bank *bank, gm_cycle now)
{
    uint32_t sm;
    while (gm_credit_wire_take(bank->credits_back, now, &sm)) {
        bank->credits[sm]++;
    }
    if (!gm_ring_is_empty(&bank->pipe) && bank->outlet.arrival == GM_NEVER) {
        leave(bank, now);
    }
    if (bank->asking != 0) {
        ask(bank, now);
    } else if (gm_ring_has_room(&bank->pipe) &&
               gm_network_arrival(bank->requests, bank->number) <= now) {
        take(bank, now);
    }
    if (!gm_ring_is_empty(&bank->supplies)) {
        send_supply(bank, now);
    }
    sleep(bank, now);
}

static uint64_t count_entries(const gm_sharing_tracker *tracker)
{
    uint64_t entries = 0;
    for (uint32_t index = 0; index >> tracker->parameters.index->bits == 0; index++) {
        entries += gm_count_ones(tracker->valid[index]);
    }
    return entries;
}

void gm_tracker_bank_flush(gm_tracker_bank *bank)
{
    for (uint32_t i = 0; i < bank->shared->trackers; i++) {
        bank->flushed += count_entries(&bank->tracker[i]);
        gm_sharing_tracker_access(&bank->tracker[i],
                                  (gm_sharing_tracker_request){.op = GM_SHARING_TRACKER_FLUSH});
    }
}

static int check_blocks(const gm_tracker_bank *bank, const char *where, uint64_t *entries,
                        gm_error *error)
{
    int code = 0;
    *entries = 0;
    for (uint32_t i = 0; code == 0 && i < bank->shared->trackers; i++) {
        gm_error inner;
        *entries += count_entries(&bank->tracker[i]);
        if (gm_sharing_tracker_check(&bank->tracker[i], &inner) < 0) {
            code = gm_fail(error, -EPROTO, "%s: %s", where, inner.text);
        }
    }
    return code;
}

/* Returns the credits of all SMs, those on their wire included. */
static uint64_t all_credits(const gm_tracker_bank *bank)
{
    uint64_t credits = gm_ring_count(&bank->credits_back->ring);
    for (uint32_t sm = 0; sm < bank->shared->sms; sm++) {
        credits += bank->credits[sm];
    }
    return credits;
}

int gm_tracker_bank_check(const gm_tracker_bank *bank, gm_error *error)
{
    char where[32];
    uint64_t entries;
    gm_tracker_statistics sum = {0};
    gm_tracker_reads reads = {0};
    const gm_message_counts *received = &bank->received;
    snprintf(where, sizeof where, "tracker bank %u", bank->number);
    for (uint32_t sm = 0; sm < bank->shared->sms; sm++) {
        gm_tracker_statistics_add(&sum, &bank->counts[sm]);
        reads.messages += bank->reads[sm].messages;
        reads.sectors += bank->reads[sm].sectors;
    }
    GM_INVARIANT(where, "packets at the end = 0", gm_tracker_bank_idle(bank), 1);
    GM_INVARIANT(where, "credits, returned and on their wire = all", all_credits(bank),
                 gm_tracker_wire_credits(bank->shared));
    GM_INVARIANT(where, "transactions of SMs = of its trackers",
                 sum.lookups + sum.fills + sum.evicts + sum.writes + sum.coherent + sum.asks +
                     sum.told + sum.victim_asks,
                 bank->transactions);
    GM_INVARIANT(where, "changes counted by SMs = by its trackers", sum.changes, bank->changed);
    GM_INVARIANT(where, "LOOKUPs received = look-ups", received->messages[GM_MESSAGE_LOOKUP],
                 sum.lookups);
    GM_INVARIANT(where, "hits = refused + SUPPLYs sent", sum.hits, sum.refused + bank->supplied);
    GM_INVARIANT(where, "sectors of LOOKUPs and RETURNs = of READs and SUPPLYs",
                 received->sectors[GM_MESSAGE_LOOKUP] + received->sectors[GM_MESSAGE_RETURN],
                 reads.sectors + bank->asked);
    GM_INVARIANT(where, "sectors of EVICTs received = counted", received->sectors[GM_MESSAGE_EVICT],
                 sum.evict_sectors);
    int code = check_blocks(bank, where, &entries, error);
    if (code < 0) {
        return code;
    }
    GM_INVARIANT(where, "entries taken = freed + dropped + flushed + there", sum.entries_taken,
                 sum.entries_freed + sum.dropped + bank->flushed + entries);
    return 0;
}

gm_cycle gm_tracker_bank_oldest(const gm_tracker_bank *bank, char *text, size_t size)
{
    const gm_packet *packet = NULL;
    gm_cycle since = GM_NEVER;
    const char *where = "";
    if (bank->outlet.arrival != GM_NEVER) {
        packet = &bank->outlet.packet;
        since = bank->outlet.arrival;
        where = "waits for the L2 bank";
    } else if (!gm_ring_is_empty(&bank->pipe)) {
        packet = &bank->item[gm_ring_first(&bank->pipe)].packet;
        since = bank->item[gm_ring_first(&bank->pipe)].leaves;
        where = "is in its pipeline";
    } else if (!gm_ring_is_empty(&bank->supplies)) {
        packet = &bank->supply[gm_ring_first(&bank->supplies)];
        since = bank->outlet.sent_at == GM_NEVER ? 0 : bank->outlet.sent_at;
        where = "waits for the reply network";
    }
    if (packet != NULL) {
        snprintf(text, size, "tracker bank %u: line 0x%llx of SM %u %s", bank->number,
                 (unsigned long long)packet->line, packet->sm, where);
    }
    return since;
}

static void block_snapshot(gm_sharing_tracker *tracker, gm_snapshot *snapshot)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    size_t sets = (size_t)1 << p->index->bits;
    GM_SNAPSHOT_ARRAY(snapshot, tracker->valid, sets);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->line, sets * p->ways);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->marks, sets * p->ways);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->sharers, sets * p->ways);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->pointer, sets * p->ways * p->pointers);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->last, sets * p->ways);
    GM_SNAPSHOT_ARRAY(snapshot, tracker->rank, sets * p->ways);
}

void gm_tracker_bank_snapshot(gm_tracker_bank *bank, gm_snapshot *snapshot)
{
    const gm_tracker_shared *shared = bank->shared;
    GM_SNAPSHOT_VALUE(snapshot, bank->outlet.packet);
    GM_SNAPSHOT_VALUE(snapshot, bank->outlet.arrival);
    GM_SNAPSHOT_VALUE(snapshot, bank->outlet.sent_at);
    GM_SNAPSHOT_VALUE(snapshot, bank->pipe.span);
    GM_SNAPSHOT_ARRAY(snapshot, bank->item, gm_ring_places(bank->pipe.capacity));
    GM_SNAPSHOT_VALUE(snapshot, bank->parts_left);
    GM_SNAPSHOT_VALUE(snapshot, bank->asking);
    GM_SNAPSHOT_VALUE(snapshot, bank->supplies.span);
    GM_SNAPSHOT_ARRAY(snapshot, bank->supply, gm_ring_places(bank->supplies.capacity));
    GM_SNAPSHOT_ARRAY(snapshot, bank->credits, shared->sms);
    gm_credit_wire_snapshot(bank->credits_back, snapshot);
    for (uint32_t i = 0; i < shared->trackers; i++) {
        block_snapshot(&bank->tracker[i], snapshot);
    }
    GM_SNAPSHOT_ARRAY(snapshot, bank->counts, shared->sms);
    GM_SNAPSHOT_ARRAY(snapshot, bank->reads, shared->sms);
    GM_SNAPSHOT_VALUE(snapshot, bank->received);
    GM_SNAPSHOT_VALUE(snapshot, bank->supplied);
    GM_SNAPSHOT_VALUE(snapshot, bank->asked);
    GM_SNAPSHOT_VALUE(snapshot, bank->victim_parts);
    GM_SNAPSHOT_VALUE(snapshot, bank->flushed);
    GM_SNAPSHOT_VALUE(snapshot, bank->transactions);
    GM_SNAPSHOT_VALUE(snapshot, bank->changed);
}
