/* Timed L2 bank, tag stage: look-ups, and data that arrive from DRAM. A look-up checks all its
 * resources before it changes anything, so that a look-up that fails has changed nothing. */
#include "cycle/l2/l2_bank_access.h"

#include "cache/l2_bytes.h"
#include "cache/streaming.h"
#include "cache/values.h"
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_coherent.h"

enum {
    ENTRY_BITS = 10
}; /* bits of a DRAM request's id for the MSHR entry; above them, the gm_access_kind */

_Static_assert(GM_MSHR_ENTRIES <= 1 << ENTRY_BITS, "an entry's number fits");

void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_NO_FAIL) {
        return;
    }
    gm_cache_statistics *statistics = &bank->l2.statistics;
    gm_access_kind kind =
        gm_l2_kind_of(&bank->item[bank->in_item[gm_ring_first(&bank->in)]].packet);
    uint64_t cycles = cycle - bank->failed_from;
    bank->failed_from = cycle;
    switch ((gm_l2_fail)bank->fail) {
    case GM_L2_FAIL_LINE:
        statistics->fails_line[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_ENTRY:
        statistics->fails_mshr_entry[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_MERGE:
        statistics->fails_mshr_merge[kind] += cycles;
        break;
    case GM_L2_FAIL_MISS_QUEUE:
        statistics->fails_miss_queue[kind] += cycles;
        break;
    case GM_L2_FAIL_LEASE:
        bank->coherent->protocol.statistics.write_stalls += cycles;
        break;
    case GM_L2_NO_FAIL:
    case GM_L2_WAIT:
        break;
    }
}

/* Lazy: keeps what of the line in a slot is partial after a request that changes no fill. */
static __attribute__((noinline)) void note_partial(gm_l2_bank *bank, const gm_packet *packet,
                                                   uint32_t slot, const gm_l2_line *line,
                                                   const gm_l2_effect *effect)
{
    const gm_l2_request request = {(gm_message_kind)packet->kind, packet->sectors, packet->whole};
    bank->l2.partial[slot] = gm_l2_partial_after(&request, line, effect);
}

/* A look-up. */
typedef struct look_up {
    uint32_t number; /* of the item */
    gm_packet *packet;
    gm_access_kind kind;
    uint64_t line; /* in the bank */
    uint64_t key;  /* that the MSHRs know: the line, or its sector */
    gm_cache_place place;
    gm_cycle cycle, now;
} look_up;

/* True if the queue to DRAM has room. A write-back, the read that causes it and a forwarded store
 * enter together; an empty queue takes them even when its capacity is 1. */
static bool has_dram_room(const gm_l2_bank *bank, uint32_t requests)
{
    return gm_ring_is_empty(&bank->dram) ||
           gm_ring_count(&bank->dram) + requests <= bank->shared->dram_queue;
}

static gm_dram_request *next_request(gm_l2_bank *bank, look_up it, uint64_t line, uint32_t sectors,
                                     uint32_t id, bool write)
{
    gm_location at = {bank->partition, bank->bank, line};
    gm_dram_request *request = &bank->dram_request[gm_ring_next(&bank->dram)];
    *request = (gm_dram_request){
        .address = gm_address_map_local(&bank->shared->map, at),
        .sectors = sectors,
        .id = id,
        .bank = (uint16_t)bank->bank,
        .write = write,
    };
    bank->requested = it.now;
    return request;
}

static void write_to_dram(gm_l2_bank *bank, look_up it, uint64_t line, uint32_t sectors)
{
    next_request(bank, it, line, sectors, 0, true);
    gm_ring_push(&bank->dram);
}

/* Requests sectors from DRAM for an MSHR entry. Where no other bank can take the channel's room
 * before the next L2 cycle, the request is pushed a cycle early, which saves a visit. */
static void fetch(gm_l2_bank *bank, look_up it, uint32_t sectors, uint32_t entry)
{
    uint32_t id = entry | (uint32_t)it.kind << ENTRY_BITS;
    const gm_dram_request *request = next_request(bank, it, it.line, sectors, id, false);
    bank->fill[entry].reads++;
    bank->fetched += gm_count_ones(sectors);
    if (bank->pushes_ahead && gm_ring_is_empty(&bank->dram) &&
        gm_gddr5_has_room(bank->channel, it.now)) {
        gm_gddr5_push(bank->channel, request, it.now + 1);
        bank->push_from = it.now + 2;
    } else {
        gm_ring_push(&bank->dram);
    }
}

/* Forwards a store's sectors to DRAM. */
static void forward(gm_l2_bank *bank, look_up it, uint32_t sectors)
{
    write_to_dram(bank, it, it.line, sectors);
    bank->l2.through += gm_count_ones(sectors);
}

static void reply(gm_l2_bank *bank, uint32_t number)
{
    bank->item[number].packet.response = 1;
    bank->out_item[gm_ring_push(&bank->out)] = number;
}

/* Performs a request that is answered: marks `dirtied` sectors of its line dirty. Requires that
 * they are valid. */
static void perform(gm_l2_bank *bank, uint32_t slot, gm_access_kind kind, uint32_t dirtied,
                    gm_cycle cycle)
{
    if (dirtied == 0) {
        return;
    }
    gm_sector_state *state = gm_cache_state(&bank->l2.cache, slot);
    unsigned sectors = gm_count_ones(dirtied & ~state->dirty);
    state->dirty |= dirtied;
    bank->l2.dirtied += sectors;
    bank->l2.dirty_sectors += sectors;
    if (kind == GM_ATOMIC) {
        bank->atomic_from = cycle + bank->shared->atomic_interval;
    }
}

/* Performs the bytes that a request writes, in a bank that knows bytes. */
static __attribute__((noinline)) void perform_bytes(gm_l2_bank *bank, const gm_packet *packet,
                                                    uint32_t slot)
{
    gm_l2_bytes_write(bank->l2.bytes, slot,
                      gm_l2_bytes_written((gm_message_kind)packet->kind, packet->bytes));
}

/* Returns the core cycle behind which every SM sees a write that is performed now with this answer:
 * the cycle before the writer's lease. A lease at the epoch's last time may have stayed where it
 * was. */
static gm_cycle visible_from(const gm_l2_bank *bank, const gm_packet *answer, gm_cycle now)
{
    if (bank->coherent == NULL || (answer->flags & GM_COHERENCE_GWCT) == 0) {
        return now;
    }
    const gm_coherence_time *time = bank->coherent->protocol.time;
    bool later = (answer->flags & GM_COHERENCE_LEASE) != 0 && answer->timestamp != time->last;
    return time->begin + answer->timestamp - later;
}

/* Performs the values of a request that is answered: `asked`, before the protocol has made it its
 * answer. `through`: a store that DRAM gets as well. */
static GM_COLD void perform_values(gm_l2_bank *bank, const gm_packet *asked,
                                   const gm_packet *answer, bool through, gm_cycle now)
{
    if (asked->kind == GM_MESSAGE_INSTRUCTION) {
        return; /* code has no values */
    }
    gm_values_perform(bank->l2.values, (gm_message_kind)asked->kind, asked->sm, asked->id,
                      asked->line, asked->sectors, through, visible_from(bank, answer, now));
    if (bank->coherent != NULL && (answer->flags & GM_COHERENCE_LINE) != 0) {
        gm_values_reply(bank->l2.values, answer->sm, answer->id, answer->line, answer->sectors);
    }
}

/* The templates below have an instance for banks of coherent machines, and one for reads without
 * values (`values`) in a bank that is not lazy (`lazy`). */
GM_TEMPLATE gm_l2_fail hit(gm_l2_bank *bank, look_up it, gm_l2_line line, gm_l2_effect effect,
                           const bool coherent, bool values, bool lazy)
{
    if (it.kind == GM_ATOMIC && it.cycle < bank->atomic_from) {
        bank->look_up_from = bank->atomic_from;
        return GM_L2_WAIT;
    }
    if (!gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    const gm_packet asked = *it.packet;
    if (coherent) {
        gm_l2_coherent_arrive(bank, it.packet, it.place.slot, it.now);
        gm_cycle wait = gm_l2_coherent_perform(bank, it.packet, it.place.slot, it.now);
        if (wait != 0) {
            bank->retry_from = gm_clock_first(bank->shared->clock, wait);
            return GM_L2_FAIL_LEASE;
        }
    }
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, GM_L2_HIT, true);
    if (lazy && bank->l2.bytes != NULL && effect.dirtied != 0) {
        perform_bytes(bank, it.packet, it.place.slot);
    } else if (lazy && bank->l2.bytes == NULL && line.partial != 0) {
        note_partial(bank, it.packet, it.place.slot, &line, &effect);
    }
    perform(bank, it.place.slot, it.kind, effect.dirtied, it.cycle);
    if (values) {
        perform_values(bank, &asked, it.packet, false, it.now);
    }
    reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

/* Merges a request with the open entry of its line. Requires that data of the line are in flight
 * and that the entry has room. */
GM_TEMPLATE gm_l2_fail merge(gm_l2_bank *bank, look_up it, uint32_t entry, gm_l2_line line,
                             gm_l2_effect effect, const bool coherent, bool values, bool lazy)
{
    gm_l2_fill *fill = &bank->fill[entry];
    uint32_t requests = (effect.fetched != 0) + (uint32_t)(effect.forwarded != 0);
    if (requests != 0 && !has_dram_room(bank, requests)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    if (coherent) {
        gm_l2_coherent_arrive(bank, it.packet, GM_COHERENCE_NO_SLOT, it.now);
    }
    it.place.slot = fill->slot; /* an unbounded cache does not find a line without sectors */
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, effect.outcome, true);
    fill->coming |= effect.validated;
    if (values) {
        gm_values_fetch(bank->l2.values, it.packet->line, effect.validated & ~line.partial);
    }
    if (lazy) {
        const gm_l2_request request = {(gm_message_kind)it.packet->kind, it.packet->sectors,
                                       it.packet->whole};
        fill->partial = gm_l2_partial_after(&request, &line, &effect);
    }
    if (effect.fetched != 0) {
        fetch(bank, it, effect.fetched, entry);
    }
    if (effect.forwarded != 0) {
        forward(bank, it, effect.forwarded);
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it.key, .requester = it.number});
    return GM_L2_NO_FAIL;
}

/* Tells the values of a write-back; `bytes`: in a bank that knows bytes. */
static GM_COLD void tell_write_back(gm_l2_bank *bank, uint64_t line, uint32_t dirty, uint32_t bytes)
{
    gm_location at = {bank->partition, bank->bank, line};
    uint64_t address = gm_address_map_line(&bank->shared->map, at);
    if (bank->l2.bytes != NULL) {
        gm_values_write_bytes_to_dram(bank->l2.values, address, bytes);
    } else {
        gm_values_write_to_dram(bank->l2.values, address, dirty);
    }
}

/* Puts the line into its way, and writes the victim's dirty sectors back. Returns the slot. */
static uint32_t replace(gm_l2_bank *bank, look_up it, uint32_t slot)
{
    gm_cache_statistics *statistics = &bank->l2.statistics;
    gm_victim victim;
    slot = gm_cache_replace(&bank->l2.cache, it.line, it.place, slot, &victim);
    statistics->evictions[it.kind] += victim.state.valid != 0;
    if (victim.state.dirty != 0) {
        unsigned sectors = gm_count_ones(victim.state.dirty);
        statistics->write_backs[it.kind]++;
        statistics->sectors_written_back[it.kind] += sectors;
        bank->l2.dirty_sectors -= sectors;
        uint32_t bytes = bank->l2.bytes != NULL ? gm_l2_bytes_evict(bank->l2.bytes, slot) : 0;
        if (bank->l2.values != NULL) {
            tell_write_back(bank, victim.line, victim.state.dirty, bytes);
        }
        write_to_dram(bank, it, victim.line, victim.state.dirty);
    }
    return slot;
}

static void begin_fill(gm_l2_bank *bank, look_up it, uint32_t entry, gm_l2_fill fill,
                       gm_l2_effect effect)
{
    bank->fill[entry] = fill;
    fetch(bank, it, effect.fetched, entry);
    gm_cache_wait(&bank->l2.cache, fill.slot);
    bank->held -= it.now;
    bank->entries++;
    bank->time.l2_mshr_entries++;
    if (effect.forwarded != 0) {
        forward(bank, it, effect.forwarded);
    }
}

/* Takes an MSHR entry for a fetch, if there is room for it towards the DRAM. */
GM_TEMPLATE gm_l2_fail take_entry(gm_l2_bank *bank, look_up it, bool room, uint32_t *entry)
{
    gm_mshr_response response =
        gm_mshr_access(&bank->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                      .line = it.key,
                                                      .requester = it.number,
                                                      .may_allocate = room});
    *entry = (uint32_t)response.id;
    if (response.outcome != GM_MSHR_FAIL) {
        return GM_L2_NO_FAIL;
    }
    return response.reason == GM_MSHR_FAIL_ENTRY ? GM_L2_FAIL_MSHR_ENTRY : GM_L2_FAIL_MISS_QUEUE;
}

/* Begins a miss of a line in a bank that knows bytes, which has the slot now. */
static __attribute__((noinline)) void begin_bytes(gm_l2_bank *bank, look_up it, uint32_t slot,
                                                  const gm_l2_effect *effect)
{
    gm_l2_bytes *bytes = bank->l2.bytes;
    if (effect->allocates) {
        gm_l2_bytes_allocate(bytes, slot);
    }
    if (bank->l2.values != NULL && effect->allocates) {
        gm_values_allocate_bytes(bank->l2.values, it.packet->line);
    }
    if (bank->l2.values != NULL && effect->fetched != 0) {
        gm_values_fetch_bytes(bank->l2.values, it.packet->line, gm_l2_bytes_missing(bytes, slot));
    }
}

/* Handles a miss: takes an MSHR entry and a way. Requires that no data of the line are in flight.
 * `line` and `effect`: of cache/l2_access_rules.h. */
GM_TEMPLATE gm_l2_fail miss(gm_l2_bank *bank, look_up it, gm_l2_line line, gm_l2_effect effect,
                            const bool coherent, bool values, bool lazy)
{
    gm_cache *cache = &bank->l2.cache;
    uint32_t slot = effect.allocates ? gm_cache_victim(cache, it.place) : it.place.slot;
    if (slot == GM_NO_SLOT) {
        return GM_L2_FAIL_LINE;
    }
    if (effect.fetched != 0 && bank->entries == bank->shared->mshr.entries) {
        return GM_L2_FAIL_MSHR_ENTRY; /* the MSHRs, without an open entry of the line, would fail so
                                       */
    }
    uint32_t victim = GM_COHERENCE_NO_SLOT;
    if (coherent) {
        victim = gm_cache_state(cache, slot)->valid != 0 ? slot : victim;
        if (!gm_l2_coherent_has_room(bank, it.line, victim, it.now)) {
            return GM_L2_FAIL_MSHR_ENTRY;
        }
    }
    bool dirty = effect.allocates && !cache->unbounded && gm_cache_state(cache, slot)->dirty != 0;
    bool room = has_dram_room(bank, (effect.fetched != 0) + (uint32_t)dirty +
                                        (uint32_t)(effect.forwarded != 0));
    uint32_t entry = 0;
    if (effect.fetched != 0) {
        gm_l2_fail fail = take_entry(bank, it, room, &entry);
        if (fail != GM_L2_NO_FAIL) {
            return fail;
        }
    } else if (!room || !gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, GM_L2_MISS, line.present);
    if (coherent) {
        gm_l2_coherent_arrive(bank, it.packet, GM_COHERENCE_NO_SLOT, it.now);
        gm_l2_coherent_fetch(bank, it.packet, it.line, entry, victim, it.now);
    }
    if (effect.allocates) {
        slot = replace(bank, it, slot);
    } else {
        gm_cache_touch(cache, it.place);
    }
    if (lazy && bank->l2.bytes != NULL) {
        begin_bytes(bank, it, slot, &effect);
    } else if (values) {
        gm_values_fetch(bank->l2.values, it.packet->line, effect.validated & ~line.partial);
    }
    if (lazy && effect.allocates) {
        bank->l2.partial[slot] = 0;
    }
    if (effect.fetched != 0) {
        uint32_t coming = (line.held & ~line.partial) | effect.validated;
        begin_fill(bank, it, entry, (gm_l2_fill){.slot = slot, .coming = coming}, effect);
    } else {
        gm_cache_state(cache, slot)->valid |= effect.validated;
        if (lazy && bank->l2.bytes != NULL) {
            gm_l2_bytes_miss(bank->l2.bytes, gm_l2_bytes_written((gm_message_kind)it.packet->kind,
                                                                 it.packet->bytes));
            perform_bytes(bank, it.packet, slot);
        } else if (lazy) {
            note_partial(bank, it.packet, slot, &line, &effect);
        }
        perform(bank, slot, it.kind, effect.dirtied, it.cycle);
        if (values) {
            perform_values(bank, it.packet, it.packet, effect.forwarded != 0, it.now);
        }
        reply(bank, it.number);
    }
    return GM_L2_NO_FAIL;
}

/* True if data of the line may be in flight. An unbounded cache does not know for which lines they
 * are. */
static bool may_wait(const gm_l2_bank *bank, gm_cache_place place)
{
    const gm_cache *cache = &bank->l2.cache;
    return cache->unbounded ? bank->entries != 0
                            : place.slot != GM_NO_SLOT && gm_cache_waits(cache, place.slot);
}

/* Returns the access rules' request of a packet. Requires that `kind` is the packet's kind. */
GM_TEMPLATE gm_l2_request request_of(const gm_packet *packet, gm_message_kind kind)
{
    return (gm_l2_request){kind, packet->sectors, packet->whole};
}

/* Returns the MSHRs' key of a sector of a line: of the only one of `sectors`. */
static inline uint64_t sector_key(const gm_l2_bank *bank, uint64_t line, uint32_t sectors)
{
    return line * bank->shared->line_sectors + gm_lowest_one(sectors);
}

/* True if data that the request needs may be in flight. `by_sector`: those of other sectors of the
 * line may be as well, and it does not wait for them. */
GM_TEMPLATE bool may_merge(const gm_l2_bank *bank, look_up it, bool lazy, bool by_sector)
{
    uint32_t held = 0;
    if (by_sector && it.place.slot != GM_NO_SLOT) {
        held = bank->l2.cache.way[it.place.slot].state.valid &
               ~(lazy ? bank->l2.partial[it.place.slot] : 0);
    }
    return (!by_sector || (it.packet->sectors & ~held) != 0) && may_wait(bank, it.place);
}

/* Looks up a packet of message kind `kind`. `by_sector`: MSHRs merge by sector (l2.merge_by), and
 * the packet is of one sector. */
GM_TEMPLATE gm_l2_fail access_line(gm_l2_bank *bank, look_up it, gm_message_kind kind,
                                   const bool coherent, bool values, bool lazy, bool by_sector)
{
    const gm_l2_request request = request_of(it.packet, kind);
    it.kind = gm_message_access(kind);
    gm_l2_line line = {.present = it.place.slot != GM_NO_SLOT};
    uint32_t entry = 0;
    if (by_sector) {
        it.key = sector_key(bank, it.line, it.packet->sectors);
    }
    if (may_merge(bank, it, lazy, by_sector)) {
        gm_mshr_response probe = gm_mshr_access(
            &bank->mshr,
            (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it.key, .may_allocate = 1});
        if (probe.outcome == GM_MSHR_FAIL && probe.reason == GM_MSHR_FAIL_MERGE) {
            return GM_L2_FAIL_MSHR_MERGE;
        }
        if (probe.outcome == GM_MSHR_MERGED) {
            entry = (uint32_t)probe.id;
            line = (gm_l2_line){.present = true,
                                .in_flight = bank->fill[entry].coming,
                                .partial = lazy ? bank->fill[entry].partial : 0};
            gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
            return merge(bank, it, entry, line, effect, coherent, values, lazy);
        }
    }
    if (line.present) {
        line.held = gm_cache_state(&bank->l2.cache, it.place.slot)->valid;
        line.partial = lazy ? bank->l2.partial[it.place.slot] : 0;
    }
    if (lazy && bank->l2.bytes != NULL && line.present) { /* `whole` does not matter */
        line.partial = gm_l2_bytes_lacks(bank->l2.bytes, kind, it.packet->bytes, it.place.slot);
    }
    gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
    return effect.outcome == GM_L2_HIT ? hit(bank, it, line, effect, coherent, values, lazy)
                                       : miss(bank, it, line, effect, coherent, values, lazy);
}

static gm_l2_fail access_coherent(gm_l2_bank *bank, look_up it)
{
    gm_l2_bank_count_fails(bank, it.cycle); /* of the look-up that failed until now */
    bank->fail = GM_L2_NO_FAIL;
    bank->retry_from = GM_NEVER;
    bool values = bank->l2.values != NULL;
    gm_l2_fail fail =
        it.packet->kind == GM_MESSAGE_READ
            ? access_line(bank, it, GM_MESSAGE_READ, true, values, false, false)
            : access_line(bank, it, (gm_message_kind)it.packet->kind, true, values, false, false);
    bank->coherent->arrived = bank->coherent->arrived && fail != GM_L2_NO_FAIL;
    return fail;
}

/* Serves banks that are lazy, merge by sector or have a gate. */
static __attribute__((noinline)) gm_l2_fail access_modern(gm_l2_bank *bank, look_up it)
{
    bool lazy = bank->l2.partial != NULL;
    bool by_sector = bank->shared->line_sectors != 0;
    return it.packet->kind == GM_MESSAGE_READ && bank->l2.values == NULL
               ? access_line(bank, it, GM_MESSAGE_READ, false, false, lazy, by_sector)
               : access_line(bank, it, (gm_message_kind)it.packet->kind, false,
                             bank->l2.values != NULL, lazy, by_sector);
}

/* Reads sectors for an MSHR entry without a slot. Requires room towards DRAM. */
static void fetch_for_bypass(gm_l2_bank *bank, look_up it, uint32_t sectors, uint32_t entry)
{
    bank->fill[entry].coming |= sectors;
    fetch(bank, it, sectors, entry);
}

/* Counts a load or store that bypasses the bank, and updates the tags of a closed one. */
static void count_bypass(gm_l2_bank *bank, look_up it)
{
    const gm_l2_policy *policy = &bank->l2.policy;
    gm_cache_statistics *counts = &bank->l2.statistics;
    uint32_t sectors = it.packet->sectors;
    counts->accesses[it.kind]++;
    counts->bypasses[it.kind]++;
    if (bank->l2.streaming == NULL) {
        return;
    }
    gm_streaming_bypass(bank->l2.streaming, &bank->l2.cache, counts, it.kind, it.line, it.place,
                        sectors, policy->sectored ? sectors : policy->all_sectors);
}

/* Handles a load that bypasses the bank: an MSHR entry without a slot reads its sectors. */
static gm_l2_fail bypass_load(gm_l2_bank *bank, look_up it)
{
    uint32_t entry;
    if (bank->entries == bank->shared->mshr.entries) {
        return GM_L2_FAIL_MSHR_ENTRY;
    }
    gm_l2_fail fail = take_entry(bank, it, has_dram_room(bank, 1), &entry);
    if (fail != GM_L2_NO_FAIL) {
        return fail;
    }
    bank->fill[entry] = (gm_l2_fill){.slot = GM_NO_SLOT};
    fetch_for_bypass(bank, it, it.packet->sectors, entry);
    bank->held -= it.now;
    bank->entries++;
    bank->bypassing++;
    bank->time.l2_mshr_entries++;
    count_bypass(bank, it);
    return GM_L2_NO_FAIL;
}

/* Handles a store that bypasses the closed bank: it goes on to DRAM, and nothing is fetched. */
static gm_l2_fail bypass_store(gm_l2_bank *bank, look_up it)
{
    if (!has_dram_room(bank, 1) || !gm_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    forward(bank, it, it.packet->sectors);
    count_bypass(bank, it);
    if (bank->l2.values != NULL) {
        perform_values(bank, it.packet, it.packet, true, it.now);
    }
    reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

/* Merges a load with its line's open entry without a slot, which reads the sectors that are not in
 * flight. A sector in flight is a pending hit. */
static gm_l2_fail merge_bypassing(gm_l2_bank *bank, look_up it, uint32_t entry)
{
    uint32_t missing = it.packet->sectors & ~bank->fill[entry].coming;
    gm_mshr_response probe = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it.key, .may_allocate = 1});
    if (probe.outcome == GM_MSHR_FAIL) {
        return GM_L2_FAIL_MSHR_MERGE;
    }
    if (missing != 0 && !has_dram_room(bank, 1)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    if (missing != 0) {
        fetch_for_bypass(bank, it, missing, entry);
    }
    if (it.kind == GM_LOAD && missing != 0) {
        count_bypass(bank, it);
    } else {
        gm_l2_count_outcome(&bank->l2.statistics, it.kind,
                            missing != 0 ? GM_L2_MISS : GM_L2_HIT_PENDING, true);
        if (it.place.slot != GM_NO_SLOT) {
            gm_cache_touch(&bank->l2.cache, it.place);
        }
        if (it.kind == GM_LOAD && bank->l2.streaming != NULL) {
            gm_streaming_count(bank->l2.streaming, false);
        }
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it.key, .requester = it.number});
    return GM_L2_NO_FAIL;
}

/* Handles a packet by the rules of an open bank, and counts it for the gate. */
static gm_l2_fail access_open(gm_l2_bank *bank, look_up it)
{
    gm_streaming_watch watch = gm_streaming_begin(&bank->l2.cache, it.line, it.place);
    uint64_t misses = bank->l2.statistics.misses[it.kind];
    gm_l2_fail fail = access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        gm_streaming_finish(bank->l2.streaming, &bank->l2.cache, &watch);
        if (it.kind == GM_LOAD || it.kind == GM_STORE) {
            gm_streaming_count(bank->l2.streaming, bank->l2.statistics.misses[it.kind] != misses);
        }
    }
    return fail;
}

/* Returns the line's open entry without a slot; GM_MSHR_ENTRIES: there is none. */
static uint32_t bypassing_entry(const gm_l2_bank *bank, uint64_t key)
{
    uint32_t entry = bank->bypassing != 0 ? gm_mshr_find_open(&bank->mshr, key) : GM_MSHR_ENTRIES;
    return entry < GM_MSHR_ENTRIES && bank->fill[entry].slot == GM_NO_SLOT ? entry
                                                                           : GM_MSHR_ENTRIES;
}

/* True for a read whose data an L1 installs. */
static bool is_coalesced(const gm_packet *packet)
{
    return packet->kind == GM_MESSAGE_READ && packet->fills != 0;
}

/* Counts a coalesced load, at the end of its look-up. */
static void count_coalesced(gm_l2_bank *bank, const gm_packet *packet, uint64_t *outcome)
{
    if (is_coalesced(packet)) {
        bank->l2.coalesced.reads++;
        bank->l2.coalesced.sectors += gm_count_ones(packet->sectors);
        ++*outcome;
    }
}

/* Handles a packet of a line for which an entry without a slot is open. A load merges, whether or
 * not it would have allocated the line; a write waits, since the data are older than it. */
static gm_l2_fail join_bypassing(gm_l2_bank *bank, look_up it, uint32_t entry)
{
    gm_l2_coalesced_statistics *counts = &bank->l2.coalesced;
    if (it.kind != GM_LOAD && it.kind != GM_INSTRUCTION) {
        return GM_L2_FAIL_LINE;
    }
    bool joins = (it.packet->sectors & ~bank->fill[entry].coming) == 0;
    gm_l2_fail fail = merge_bypassing(bank, it, entry);
    if (fail == GM_L2_NO_FAIL) {
        count_coalesced(bank, it.packet, joins ? &counts->joined : &counts->bypassed);
    }
    return fail;
}

/* Handles a packet in a bank that coalesced loads bypass [anssari, 4.3]: of an absent line they
 * take no way. */
static gm_l2_fail look_up_bypassed(gm_l2_bank *bank, look_up it)
{
    gm_l2_coalesced_statistics *counts = &bank->l2.coalesced;
    uint32_t entry = bypassing_entry(bank, it.key);
    if (entry != GM_MSHR_ENTRIES) {
        return join_bypassing(bank, it, entry);
    }
    bool bypasses = is_coalesced(it.packet) && it.place.slot == GM_NO_SLOT;
    gm_l2_fail fail = bypasses ? bypass_load(bank, it) : access_modern(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        count_coalesced(bank, it.packet, bypasses ? &counts->bypassed : &counts->present);
    }
    return fail;
}

/* Handles a packet in a bank with a gate, by what the gate was at its first look-up. A write waits
 * for data in flight without a slot, since they are older than it. */
static gm_l2_fail look_up_gated(gm_l2_bank *bank, look_up it)
{
    uint32_t entry = bypassing_entry(bank, it.key);
    if (entry != GM_MSHR_ENTRIES) {
        return it.kind == GM_LOAD || it.kind == GM_INSTRUCTION ? merge_bypassing(bank, it, entry)
                                                               : GM_L2_FAIL_MSHR_MERGE;
    }
    bool has_data =
        it.place.slot != GM_NO_SLOT && !gm_streaming_is_tag(&bank->l2.cache, it.place.slot);
    if (bank->l2.streaming->closed && !has_data && it.kind == GM_LOAD) {
        return bypass_load(bank, it);
    }
    return bank->l2.streaming->closed && !has_data && it.kind == GM_STORE ? bypass_store(bank, it)
                                                                          : access_open(bank, it);
}

/* Does look_up_gated; the gate's state at the first look-up of a packet counts. */
static gm_l2_fail look_up_latched(gm_l2_bank *bank, look_up it)
{
    gm_streaming *streaming = bank->l2.streaming;
    if (!streaming->latched) {
        gm_streaming_catch_up(streaming, it.now);
        streaming->closed = streaming->block.closed;
    }
    gm_l2_fail fail = look_up_gated(bank, it);
    streaming->latched = fail != GM_L2_NO_FAIL;
    return fail;
}

/* Makes a look_up of its own: with the caller's, those of all banks lie in memory (vectoradd: 0.2%
 * more instructions). */
static __attribute__((noinline)) gm_l2_fail access_bypassable(gm_l2_bank *bank, gm_cycle cycle,
                                                              gm_cycle now)
{
    uint32_t number = bank->in_item[gm_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = gm_address_map_locate(&bank->shared->map, packet->line).line;
    bool by_sector = bank->shared->line_sectors != 0;
    const look_up it = {
        .number = number,
        .packet = packet,
        .kind = gm_l2_kind_of(packet),
        .line = line,
        .key = by_sector ? sector_key(bank, line, packet->sectors) : line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    return bank->l2.streaming != NULL ? look_up_latched(bank, it) : look_up_bypassed(bank, it);
}

/* Reads have an instance of their own, in line: without it spmv takes 3.4% more instructions. */
static __attribute__((noinline)) gm_l2_fail access_any(gm_l2_bank *bank, look_up it)
{
    bool modern = bank->l2.partial != NULL || bank->shared->line_sectors != 0;
    return bank->coherent != NULL ? access_coherent(bank, it)
           : modern               ? access_modern(bank, it)
                                  : access_line(bank, it, (gm_message_kind)it.packet->kind, false,
                                                bank->l2.values != NULL, false, false);
}

gm_l2_fail gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->in_item[gm_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = packet->in_bank;
    look_up it = {
        .number = number,
        .packet = packet,
        .line = line,
        .key = line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    gm_l2_fail fail = packet->kind == bank->usual_kind
                          ? access_line(bank, it, GM_MESSAGE_READ, false, false, false, false)
                      : bank->bypassable ? access_bypassable(bank, cycle, now)
                                         : access_any(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        gm_cache_assert_access(&bank->l2.cache, line);
    }
    return fail;
}

/* Takes the next request out of the entry that is being answered. */
static void take_next(gm_l2_bank *bank)
{
    gm_mshr_response response = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = bank->answering - 1});
    bank->next = (uint32_t)response.requester;
    bank->left = (uint32_t)response.count;
}

/* True if data of the line in the slot are in flight. Requires MSHRs that merge by sector. */
static bool waits_by_sector(gm_l2_bank *bank, uint32_t slot)
{
    uint64_t line = gm_cache_line(&bank->l2.cache, slot);
    bool waits = false;
    for (uint32_t sector = 0; !waits && sector < bank->shared->line_sectors; sector++) {
        uint64_t key = sector_key(bank, line, UINT32_C(1) << sector);
        unsigned entry = gm_mshr_find_open(&bank->mshr, key);
        waits = entry < bank->mshr.entries && bank->fill[entry].reads != 0 &&
                bank->fill[entry].slot != GM_NO_SLOT;
    }
    return waits;
}

/* Keeps what of the line is partial when an entry's sectors have become valid. */
static __attribute__((noinline)) void install_partial(gm_l2_bank *bank, const gm_l2_fill *fill)
{
    uint32_t *partial = &bank->l2.partial[fill->slot];
    if (bank->l2.bytes != NULL) {
        gm_l2_bytes_fill(bank->l2.bytes, fill->slot);
    } else {
        *partial = (*partial & ~fill->coming) | fill->partial;
    }
}

/* Makes the sectors of an entry valid. */
static inline void install(gm_l2_bank *bank, const gm_l2_fill *fill)
{
    gm_cache_state(&bank->l2.cache, fill->slot)->valid |= fill->coming;
    if (bank->l2.partial != NULL) {
        install_partial(bank, fill);
    }
    if (bank->shared->line_sectors == 0 || !waits_by_sector(bank, fill->slot)) {
        gm_cache_arrive(&bank->l2.cache, fill->slot);
    }
    gm_cache_assert_access(&bank->l2.cache, gm_cache_line(&bank->l2.cache, fill->slot));
}

/* The data of one read have arrived; the last of its entry makes the sectors valid. */
static void take_data(gm_l2_bank *bank, gm_cycle now)
{
    const gm_dram_request *read = gm_gddr5_peek(bank->channel, bank->bank, now);
    uint32_t entry = read->id & ((1 << ENTRY_BITS) - 1);
    gm_l2_fill *fill = &bank->fill[entry];
    bank->l2.statistics.sectors_filled[read->id >> ENTRY_BITS] += gm_count_ones(read->sectors);
    gm_gddr5_pop(bank->channel, bank->bank, now);
    if (--fill->reads == 0) {
        if (fill->slot != GM_NO_SLOT) {
            install(bank, fill);
        } else {
            bank->bypassing--;
        }
        if (bank->coherent != NULL) {
            gm_l2_coherent_install(bank, entry, fill->slot);
        }
        bank->answering = entry + 1;
        take_next(bank);
    }
}

/* Lets the protocol do the next request of a filled line. Returns false if it waits. */
static bool perform_coherent(gm_l2_bank *bank, gm_packet *packet, gm_cycle now)
{
    uint32_t slot = bank->fill[bank->answering - 1].slot;
    gm_cycle wait = gm_l2_coherent_perform(bank, packet, slot, now);
    bank->answer_from = gm_clock_first(bank->shared->clock, wait);
    return wait == 0;
}

/* Does what protocol and values do with the next request of a filled line. Returns false if it
 * waits. */
static bool perform_special(gm_l2_bank *bank, gm_packet *packet, gm_cycle now)
{
    const gm_packet asked = *packet;
    if (bank->coherent != NULL && !perform_coherent(bank, packet, now)) {
        return false;
    }
    if (bank->l2.values != NULL) {
        if (bank->fill[bank->answering - 1].slot == GM_NO_SLOT) {
            if (asked.kind == GM_MESSAGE_READ) {
                gm_values_read_dram(bank->l2.values, asked.sm, asked.id, asked.line, asked.sectors);
            }
            return true;
        }
        const gm_l2_request request = request_of(&asked, (gm_message_kind)asked.kind);
        const gm_l2_line line = {.present = true,
                                 .in_flight = bank->fill[bank->answering - 1].coming};
        gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
        perform_values(bank, &asked, packet, effect.forwarded != 0, now);
    }
    return true;
}

/* Marks the sectors that the packet, not a read, makes dirty. `special`: there is a protocol, which
 * can make the packet a read's response, or there are values. Returns false if it waits. */
GM_TEMPLATE bool answer_write(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now,
                              const bool special)
{
    const gm_l2_request request = request_of(packet, (gm_message_kind)packet->kind);
    gm_access_kind kind = gm_message_access(request.kind);
    if (kind == GM_ATOMIC && cycle < bank->atomic_from) {
        return false;
    }
    if (special && !perform_special(bank, packet, now)) {
        return false;
    }
    const gm_l2_fill *fill = &bank->fill[bank->answering - 1];
    const gm_l2_line line = {.present = true, .in_flight = fill->coming};
    gm_l2_effect effect = gm_l2_access_effect(&bank->l2.policy, &request, &line);
    if (special && bank->l2.bytes != NULL && effect.dirtied != 0) {
        perform_bytes(bank, packet, fill->slot);
    }
    perform(bank, fill->slot, kind, effect.dirtied, cycle);
    return true;
}

static __attribute__((noinline)) bool answer_special(gm_l2_bank *bank, gm_packet *packet,
                                                     gm_cycle cycle, gm_cycle now)
{
    return packet->kind == GM_MESSAGE_READ ? perform_special(bank, packet, now)
                                           : answer_write(bank, packet, cycle, now, true);
}

/* Does what a request of a filled line does beside its response. Returns false if it waits. */
static inline bool answers(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    gm_packet *packet = &bank->item[bank->next].packet;
    if (packet->kind == bank->usual_kind) {
        return true;
    }
    return bank->usual_kind != GM_MESSAGE_READ ? answer_special(bank, packet, cycle, now)
                                               : answer_write(bank, packet, cycle, now, false);
}

static void answer(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (!gm_ring_has_room(&bank->out) || !answers(bank, cycle, now)) {
        return;
    }
    reply(bank, bank->next);
    if (bank->left != 0) {
        take_next(bank);
        return;
    }
    bank->held += now;
    bank->entries--;
    bank->answering = 0;
}

void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (bank->answering == 0) {
        take_data(bank, now);
    }
    if (bank->answering != 0) {
        answer(bank, cycle, now);
    }
}
