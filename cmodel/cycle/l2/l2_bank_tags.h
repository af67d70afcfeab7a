/* Timed L2 bank, what the files of its tag stage share: a look-up, its requests of DRAM, its
 * responses, and what it writes. Private to them. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_TAGS_H
#define GOLDMEM_CYCLE_L2_L2_BANK_TAGS_H

#include "base/template.h"
#include "cache/l2_bytes.h"
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_access.h"

enum {
    GM_L2_ENTRY_BITS = 10
}; /* bits of a DRAM request's id for the MSHR entry; above them, the gm_access_kind */

/* A DRAM request's id of a local load that bypasses a sharing-aware bank: this bit, and its place
 * in gm_l2_local_reads. While it is answered, it is in no MSHR entry. */
#define GM_L2_LOCAL_READ (UINT32_C(1) << 31)
enum { GM_L2_LOCAL_ENTRY = GM_MSHR_ENTRIES };

/* A look-up. */
typedef struct gm_l2_look_up {
    uint32_t number; /* of the item */
    gm_packet *packet;
    gm_access_kind kind;
    uint64_t line; /* in the bank */
    uint64_t key;  /* that the MSHRs know: the line, or its sector */
    gm_cache_place place;
    gm_cycle cycle, now;
    bool exchanges; /* with an atomic buffer: a coherent operation, whose line goes into it */
} gm_l2_look_up;

/* True for a coherent operation: an atomic, a reduction, a strong load. */
static inline bool gm_l2_is_coherent(const gm_packet *packet)
{
    return gm_message_is_coherent((gm_message_kind)packet->kind,
                                  (packet->flags & GM_PACKET_STRONG) != 0);
}

/* l2_bank_modern.c: handles a packet by the access rules in a bank that is lazy, merges by sector,
 * or is special. */
__attribute__((noinline)) gm_l2_fail gm_l2_bank_access_modern(gm_l2_bank *bank, gm_l2_look_up it);

/* l2_bank_bypass.c: handles a packet in a bank with bank->bypassable. */
gm_l2_fail gm_l2_bank_access_bypassable(gm_l2_bank *bank, gm_l2_look_up it);

/* l2_bank_victims.c: takes a line that an L1 has evicted, or drops it. */
gm_l2_fail gm_l2_bank_take_victim(gm_l2_bank *bank, gm_l2_look_up it);

/* l2_bank_atomics.c: the bank with an atomic buffer. Performs a coherent operation that hits in it,
 * one in each L2 cycle. */
gm_l2_fail gm_l2_bank_hit_in_buffer(gm_l2_bank *bank, gm_l2_look_up it);

/* Moves the line in the buffer, which is the packet's, back into the tags: the packet is looked up
 * in the next L2 cycle. */
gm_l2_fail gm_l2_bank_put_back_first(gm_l2_bank *bank, gm_l2_look_up it);

/* Returns why an operation whose line is at `it.place` cannot exchange lines now. */
gm_l2_fail gm_l2_bank_exchange_fail(const gm_l2_bank *bank, gm_l2_look_up it);

/* Moves the line of an operation, which has been performed, out of its way into the buffer, and the
 * line there back. Requires that gm_l2_bank_exchange_fail says GM_L2_NO_FAIL. */
void gm_l2_bank_exchange(gm_l2_bank *bank, gm_l2_look_up it, uint64_t l2_line, uint32_t sectors);

/* l2_bank_sharing.c: handles a packet in a sharing-aware bank. */
gm_l2_fail gm_l2_bank_access_sharing(gm_l2_bank *bank, gm_l2_look_up it);

/* Marks a response of the line in the slot, if it is shared. */
void gm_l2_bank_mark_shared(const gm_l2_bank *bank, gm_packet *packet, uint32_t slot);

/* The data of a local load that bypasses the bank have arrived: it is answered next. */
void gm_l2_bank_take_local(gm_l2_bank *bank, uint32_t place);

/* Answers it, if the reply queue has room. */
void gm_l2_bank_answer_local(gm_l2_bank *bank);

/* l2_bank_bytes.c: keeps what of the line in a slot is partial after a request that changes no
 * fill, in a lazy bank. */
__attribute__((noinline)) void gm_l2_bank_note_partial(gm_l2_bank *bank, const gm_packet *packet,
                                                       uint32_t slot, const gm_l2_line *line,
                                                       const gm_l2_effect *effect);

/* In a bank that knows bytes (l2.dirty=byte): begins a miss of a line, which has
 * the slot now. */
__attribute__((noinline)) void gm_l2_bank_begin_bytes(gm_l2_bank *bank, gm_l2_look_up it,
                                                      uint32_t slot, const gm_l2_effect *effect);

/* Performs the bytes that a request writes. */
__attribute__((noinline)) void gm_l2_bank_perform_bytes(gm_l2_bank *bank, const gm_packet *packet,
                                                        uint32_t slot);

/* l2_bank_values.c: performs the values of a request that is answered: `asked`, before the protocol
 * has made it its answer. `through`: a store that DRAM gets as well. */
GM_COLD void gm_l2_bank_perform_values(gm_l2_bank *bank, const gm_packet *asked,
                                       const gm_packet *answer, bool through, gm_cycle now);

/* Tells the values of a write-back; `bytes`: in a bank that knows bytes. */
GM_COLD void gm_l2_bank_tell_write_back(gm_l2_bank *bank, uint64_t line, uint32_t dirty,
                                        uint32_t bytes);

/* True if the queue to DRAM has room. A write-back, the read that causes it and a forwarded store
 * enter together; an empty queue takes them even when its capacity is 1. */
static inline bool gm_l2_has_dram_room(const gm_l2_bank *bank, uint32_t requests)
{
    return gm_ring_is_empty(&bank->dram) ||
           gm_ring_count(&bank->dram) + requests <= bank->shared->dram_queue;
}

static inline gm_dram_request *gm_l2_next_request(gm_l2_bank *bank, gm_cycle now, uint64_t line,
                                                  uint32_t sectors, uint32_t id, bool write)
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
    bank->requested = now;
    return request;
}

/* Lets the request of gm_l2_next_request wait in the queue to DRAM. */
static inline void gm_l2_queue_for_dram(gm_l2_bank *bank)
{
    gm_ring_push(&bank->dram);
    gm_gddr5_wait(bank->channel, bank->bank, true);
}

static inline void gm_l2_write_to_dram(gm_l2_bank *bank, gm_cycle now, uint64_t line,
                                       uint32_t sectors)
{
    gm_l2_next_request(bank, now, line, sectors, 0, true);
    gm_l2_queue_for_dram(bank);
}

/* Requests sectors from DRAM for an MSHR entry. Where no other bank can take the channel's room
 * before the next L2 cycle, the request is pushed a cycle early, which saves a visit. */
static inline void gm_l2_fetch(gm_l2_bank *bank, gm_access_kind kind, uint64_t line, gm_cycle now,
                               uint32_t sectors, uint32_t entry)
{
    uint32_t id = entry | (uint32_t)kind << GM_L2_ENTRY_BITS;
    const gm_dram_request *request = gm_l2_next_request(bank, now, line, sectors, id, false);
    bank->fill[entry].reads++;
    bank->fetched += gm_count_ones(sectors);
    if (bank->pushes_ahead && gm_ring_is_empty(&bank->dram) &&
        gm_gddr5_has_room(bank->channel, now)) {
        gm_gddr5_push(bank->channel, request, now + 1);
        bank->push_from = now + 2;
    } else {
        gm_l2_queue_for_dram(bank);
    }
}

/* Forwards a store's sectors to DRAM. */
static inline void gm_l2_forward(gm_l2_bank *bank, gm_l2_look_up it, uint32_t sectors)
{
    gm_l2_write_to_dram(bank, it.now, it.line, sectors);
    bank->l2.through += gm_count_ones(sectors);
}

static inline void gm_l2_reply_from(gm_l2_bank *bank, uint32_t number, gm_response source)
{
    bank->item[number].packet.response = (uint8_t)source;
    bank->out_item[gm_ring_push(&bank->out)] = number;
}

static inline void gm_l2_reply(gm_l2_bank *bank, uint32_t number)
{
    gm_l2_reply_from(bank, number, GM_RESPONSE_OF_L2);
}

/* Performs a request that is answered: marks `dirtied` sectors of its line dirty. Requires that
 * they are valid. */
static inline void gm_l2_perform(gm_l2_bank *bank, uint32_t slot, gm_access_kind kind,
                                 uint32_t dirtied, gm_cycle cycle)
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
        bank->atomic_from = cycle + bank->shared->atomic_interval *
                                        (bank->shared->atomic_sectors ? gm_count_ones(dirtied) : 1);
    }
}

/* Puts the line into its way, and writes the victim's dirty sectors back. Returns the slot. */
GM_TEMPLATE uint32_t gm_l2_replace(gm_l2_bank *bank, gm_l2_look_up it, uint32_t slot)
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
            gm_l2_bank_tell_write_back(bank, victim.line, victim.state.dirty, bytes);
        }
        gm_l2_write_to_dram(bank, it.now, victim.line, victim.state.dirty);
    }
    return slot;
}

/* Takes an MSHR entry for a fetch, if there is room for it towards the DRAM. */
GM_TEMPLATE gm_l2_fail gm_l2_take_entry(gm_l2_bank *bank, gm_l2_look_up it, bool room,
                                        uint32_t *entry)
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

/* Returns the access rules' request of a packet. Requires that `kind` is the packet's kind. */
GM_TEMPLATE gm_l2_request gm_l2_request_of(const gm_packet *packet, gm_message_kind kind)
{
    return (gm_l2_request){kind, packet->sectors, packet->whole};
}

/* Returns the MSHRs' key of a sector of a line: of the only one of `sectors`. */
static inline uint64_t gm_l2_sector_key(const gm_l2_bank *bank, uint64_t line, uint32_t sectors)
{
    return line * bank->shared->line_sectors + gm_lowest_one(sectors);
}

#endif
