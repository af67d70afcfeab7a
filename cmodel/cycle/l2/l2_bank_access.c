/* L2 bank: look-ups, and data that come from DRAM. What a look-up needs is found out before it
 * changes anything, so that one that fails has changed nothing. */
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_parts.h"

enum { ENTRY_BITS = 10 }; /* of a DRAM request's id; above them, the gm_access_kind */

_Static_assert(GM_MSHR_ENTRIES <= 1 << ENTRY_BITS, "an entry's number fits");

/* A look-up. */
typedef struct look_up {
    uint32_t number; /* of the item */
    gm_packet *packet;
    gm_access_kind kind;
    uint64_t line; /* in the bank */
    gm_cache_place place;
    gm_cycle cycle, now;
} look_up;

static uint32_t sectors_wanted(const gm_l2_bank *bank, look_up it)
{
    const gm_l2_policy *policy = &bank->l2.policy;
    return policy->sectored ? it.packet->sectors : policy->all_sectors;
}

/* Those of the missing sectors that DRAM is asked for. */
static uint32_t sectors_fetched(const gm_l2_bank *bank, look_up it, uint32_t missing)
{
    bool covers = it.kind == GM_STORE && bank->l2.policy.fetch_on_write == GM_FETCH_PARTIAL;
    return covers ? missing & ~it.packet->whole : missing;
}

/* Room in the queue to DRAM. A write-back, the read that causes it and a store that goes on go in
 * together; an empty queue takes them even when it is a queue of one. */
static bool has_dram_room(const gm_l2_bank *bank, uint32_t requests)
{
    return bank->dram.count == 0 || bank->dram.count + requests <= bank->shared->dram_queue;
}

static gm_dram_request *next_request(gm_l2_bank *bank, look_up it, uint64_t line, uint32_t sectors,
                                     uint32_t id, bool write)
{
    gm_location at = {bank->partition, bank->bank, line};
    gm_dram_request *request = &bank->dram_request[gm_l2_ring_next(&bank->dram)];
    *request = (gm_dram_request){
        .address = gm_address_map_local(&bank->shared->map, at),
        .sectors = sectors,
        .id = id,
        .bank = (uint16_t)bank->bank,
        .write = write,
    };
    bank->asked = it.now;
    return request;
}

static void write_to_dram(gm_l2_bank *bank, look_up it, uint64_t line, uint32_t sectors)
{
    next_request(bank, it, line, sectors, 0, true);
    bank->dram.count++;
}

/* Where nothing can take the channel's room away before the next L2 cycle, in which the request
 * would be pushed, it is pushed for then at once, and needs no visit for that. */
static void fetch(gm_l2_bank *bank, look_up it, uint32_t sectors, uint32_t entry)
{
    uint32_t id = entry | (uint32_t)it.kind << ENTRY_BITS;
    const gm_dram_request *request = next_request(bank, it, it.line, sectors, id, false);
    bank->fill[entry].reads++;
    bank->fetched += gm_count_ones(sectors);
    if (bank->pushes_ahead && bank->dram.count == 0 && gm_gddr5_has_room(bank->channel, it.now)) {
        gm_gddr5_push(bank->channel, request, it.now + 1);
        bank->push_from = it.now + 2;
    } else {
        bank->dram.count++;
    }
}

static bool writes_through(const gm_l2_bank *bank, look_up it)
{
    return gm_l2_writes_through(&bank->l2.policy, it.kind);
}

/* A store's sectors go on to DRAM. */
static void write_through(gm_l2_bank *bank, look_up it)
{
    uint32_t sectors = it.packet->sectors;
    write_to_dram(bank, it, it.line, sectors);
    bank->l2.through += gm_count_ones(sectors);
}

static void reply(gm_l2_bank *bank, uint32_t number)
{
    bank->item[number].packet.response = 1;
    bank->out_item[gm_l2_ring_add(&bank->out)] = number;
}

/* What a request does to its line, which is there; not a store that has gone on to DRAM. */
static void perform(gm_l2_bank *bank, uint32_t slot, const gm_packet *packet, gm_cycle cycle)
{
    gm_access_kind kind = gm_l2_kind_of(packet);
    if (kind == GM_LOAD) {
        return;
    }
    gm_sector_state *state = gm_cache_state(&bank->l2.cache, slot);
    unsigned sectors = gm_count_ones(packet->sectors & ~state->dirty);
    state->dirty |= packet->sectors;
    bank->l2.dirtied += sectors;
    bank->l2.dirty_sectors += sectors;
    if (kind == GM_ATOMIC) {
        bank->atomic_from = cycle + bank->shared->atomic_interval;
    }
}

static gm_l2_fail hit(gm_l2_bank *bank, look_up it)
{
    if (it.kind == GM_ATOMIC && it.cycle < bank->atomic_from) {
        bank->look_up_from = bank->atomic_from;
        return GM_L2_WAIT;
    }
    if (!gm_l2_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    gm_cache_touch(&bank->l2.cache, it.place);
    bank->l2.statistics.accesses[it.kind]++;
    bank->l2.statistics.hits[it.kind]++;
    perform(bank, it.place.slot, it.packet, it.cycle);
    reply(bank, it.number);
    return GM_L2_NO_FAIL;
}

/* The line waits in an entry that has room. */
static gm_l2_fail merge(gm_l2_bank *bank, look_up it, uint32_t entry)
{
    gm_l2_fill *fill = &bank->fill[entry];
    uint32_t missing = sectors_wanted(bank, it) & ~fill->coming;
    uint32_t fetched = sectors_fetched(bank, it, missing);
    bool through = writes_through(bank, it);
    if ((fetched != 0 || through) && !has_dram_room(bank, (fetched != 0) + (uint32_t)through)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    it.place.slot = fill->slot; /* an unbounded cache does not find a line without sectors */
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_cache_statistics *statistics = &bank->l2.statistics;
    statistics->accesses[it.kind]++;
    statistics->misses[it.kind] += missing != 0;
    statistics->sector_misses[it.kind] += missing != 0;
    statistics->hits_pending[it.kind] += missing == 0;
    fill->coming |= missing;
    if (fetched != 0) {
        fetch(bank, it, fetched, entry);
    }
    if (through) {
        write_through(bank, it);
    }
    gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){.op = GM_MSHR_REQUEST_OP, .line = it.line, .requester = it.number});
    return GM_L2_NO_FAIL;
}

/* Puts the line into its way, and writes back what was dirty there. Returns its slot. */
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
        write_to_dram(bank, it, victim.line, victim.state.dirty);
    }
    return slot;
}

static void begin_fill(gm_l2_bank *bank, look_up it, uint32_t entry, gm_l2_fill fill,
                       uint32_t fetched)
{
    bank->fill[entry] = fill;
    fetch(bank, it, fetched, entry);
    gm_cache_wait(&bank->l2.cache, fill.slot);
    bank->held -= it.now;
    bank->entries++;
    bank->time.l2_mshr_entries++;
    if (writes_through(bank, it)) {
        write_through(bank, it);
    }
}

/* `held`: sectors of the line that are there; none: the line is not. */
static inline __attribute__((always_inline)) gm_l2_fail miss(gm_l2_bank *bank, look_up it,
                                                             uint32_t held)
{
    gm_cache *cache = &bank->l2.cache;
    uint32_t slot = held != 0 ? it.place.slot : gm_cache_victim(cache, it.place);
    if (slot == GM_NO_SLOT) {
        return GM_L2_FAIL_LINE;
    }
    uint32_t missing = sectors_wanted(bank, it) & ~held;
    uint32_t fetched = sectors_fetched(bank, it, missing);
    if (fetched != 0 && bank->entries == bank->shared->mshr.entries) {
        return GM_L2_FAIL_MSHR_ENTRY; /* as the MSHRs, which have no open entry of it, would say */
    }
    bool dirty = held == 0 && !cache->unbounded && gm_cache_state(cache, slot)->dirty != 0;
    bool room =
        has_dram_room(bank, (fetched != 0) + (uint32_t)dirty + (uint32_t)writes_through(bank, it));
    uint32_t entry = 0;
    if (fetched != 0) {
        gm_mshr_response response =
            gm_mshr_access(&bank->mshr, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                          .line = it.line,
                                                          .requester = it.number,
                                                          .may_allocate = room});
        if (response.outcome == GM_MSHR_FAIL) {
            return response.reason == GM_MSHR_FAIL_ENTRY ? GM_L2_FAIL_MSHR_ENTRY
                                                         : GM_L2_FAIL_MISS_QUEUE;
        }
        entry = (uint32_t)response.id;
    } else if (!room || !gm_l2_ring_has_room(&bank->out)) {
        return GM_L2_FAIL_MISS_QUEUE;
    }
    bank->l2.statistics.accesses[it.kind]++;
    bank->l2.statistics.misses[it.kind]++;
    if (held != 0) {
        bank->l2.statistics.sector_misses[it.kind]++;
        gm_cache_touch(cache, it.place);
    } else {
        slot = replace(bank, it, slot);
    }
    if (fetched != 0) {
        begin_fill(bank, it, entry, (gm_l2_fill){slot, held | missing, 0}, fetched);
    } else {
        gm_cache_state(cache, slot)->valid = held | missing;
        perform(bank, slot, it.packet, it.cycle);
        reply(bank, it.number);
    }
    return GM_L2_NO_FAIL;
}

/* Could the line wait? An unbounded cache does not know which of its lines do. */
static bool may_wait(const gm_l2_bank *bank, gm_cache_place place)
{
    const gm_cache *cache = &bank->l2.cache;
    return cache->unbounded ? bank->entries != 0
                            : place.slot != GM_NO_SLOT && gm_cache_waits(cache, place.slot);
}

/* Any request for any line. */
static __attribute__((noinline)) gm_l2_fail access_line(gm_l2_bank *bank, look_up it)
{
    it.kind = gm_l2_kind_of(it.packet);
    gm_cache *cache = &bank->l2.cache;
    if (may_wait(bank, it.place)) {
        gm_mshr_response probe = gm_mshr_access(
            &bank->mshr,
            (gm_mshr_request){.op = GM_MSHR_PROBE_OP, .line = it.line, .may_allocate = 1});
        if (probe.outcome == GM_MSHR_MERGED) {
            return merge(bank, it, (uint32_t)probe.id);
        }
        if (probe.outcome == GM_MSHR_FAIL && probe.reason == GM_MSHR_FAIL_MERGE) {
            return GM_L2_FAIL_MSHR_MERGE;
        }
    }
    bool there = it.place.slot != GM_NO_SLOT;
    uint32_t held = there ? gm_cache_state(cache, it.place.slot)->valid : 0;
    return there && (it.packet->sectors & ~held) == 0 ? hit(bank, it) : miss(bank, it, held);
}

/* The same for a read of a line that a bounded cache has not, which a stream does most. */
static inline gm_l2_fail read_absent_line(gm_l2_bank *bank, look_up it)
{
    return miss(bank, it, 0);
}

void gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->in_item[gm_l2_ring_first(&bank->in)];
    gm_packet *packet = &bank->item[number].packet;
    uint64_t line = gm_address_map_locate(&bank->shared->map, packet->line).line;
    look_up it = {
        .number = number,
        .packet = packet,
        .kind = GM_LOAD, /* of the usual one */
        .line = line,
        .place = gm_cache_find(&bank->l2.cache, line),
        .cycle = cycle,
        .now = now,
    };
    bool usual =
        packet->kind == GM_MESSAGE_READ && it.place.slot == GM_NO_SLOT && !bank->l2.cache.unbounded;
    gm_l2_fail fail = usual ? read_absent_line(bank, it) : access_line(bank, it);
    if (fail == GM_L2_NO_FAIL) {
        gm_l2_ring_take(&bank->in);
        bank->look_up_from = GM_NEVER;
        if (bank->in.count != 0) {
            gm_l2_bank_await(bank);
        }
    } else if (fail != GM_L2_WAIT) {
        bank->fail = fail;
        bank->failed_from = cycle;
        bank->look_up_from = GM_NEVER;
    }
}

/* Takes the entry's next request in hand. */
static void take_next(gm_l2_bank *bank)
{
    gm_mshr_response response = gm_mshr_access(
        &bank->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = bank->answering - 1});
    bank->next = (uint32_t)response.requester;
    bank->left = (uint32_t)response.count;
}

/* One read has come. With the last of its line the line is there. */
static void take_data(gm_l2_bank *bank, gm_cycle now)
{
    const gm_dram_request *read = gm_gddr5_peek(bank->channel, bank->bank, now);
    uint32_t entry = read->id & ((1 << ENTRY_BITS) - 1);
    gm_l2_fill *fill = &bank->fill[entry];
    bank->l2.statistics.sectors_filled[read->id >> ENTRY_BITS] += gm_count_ones(read->sectors);
    gm_gddr5_pop(bank->channel, bank->bank, now);
    if (--fill->reads == 0) {
        gm_cache_state(&bank->l2.cache, fill->slot)->valid |= fill->coming;
        gm_cache_arrive(&bank->l2.cache, fill->slot);
        bank->answering = entry + 1;
        take_next(bank);
    }
}

static void answer(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    const gm_packet *packet = &bank->item[bank->next].packet;
    if (!gm_l2_ring_has_room(&bank->out)) {
        return;
    }
    if (packet->kind != GM_MESSAGE_READ) {
        gm_access_kind kind = gm_l2_kind_of(packet);
        if (kind == GM_ATOMIC && cycle < bank->atomic_from) {
            return;
        }
        if (!gm_l2_writes_through(&bank->l2.policy, kind)) {
            perform(bank, bank->fill[bank->answering - 1].slot, packet, cycle);
        }
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
    gm_l2_bank_retry(bank, cycle);
    if (bank->answering != 0) {
        answer(bank, cycle, now);
    }
}
