/* Miss queue and bypass path of the timed L1: one queue of packets to the interconnect, with places
 * counted for each; ids of packets and of MSHR requesters. */
#ifndef GOLDMEM_CYCLE_L1_L1_QUEUE_H
#define GOLDMEM_CYCLE_L1_L1_QUEUE_H

#include "cycle/l1/l1.h"
#include "goldmem/bits.h"

/* Kind of the receiver of a packet's answer. A packet's id: 3 bits of kind above 29 bits of a
 * number. */
typedef enum gm_cycle_l1_id_kind {
    GM_CYCLE_L1_OF_ENTRY,        /* number: MSHR entry */
    GM_CYCLE_L1_OF_BYPASSED,     /* number: place in `bypassed` of a load */
    GM_CYCLE_L1_OF_TICKET,       /* number: ticket of a store, atomic or reduction */
    GM_CYCLE_L1_OF_WRITE_BACK,   /* number: 1 for a fill's victim, else 0 */
    GM_CYCLE_L1_OF_INSTRUCTIONS, /* number: of the SM's choice */
} gm_cycle_l1_id_kind;

enum {
    GM_CYCLE_L1_ID_BITS = 29,
    GM_CYCLE_L1_BYPASS_PATH =
        GM_BYPASSED_LOADS /* added to the place of a load that took the bypass path */
};

static inline uint32_t gm_cycle_l1_id(gm_cycle_l1_id_kind kind, uint32_t number)
{
    return (uint32_t)kind << GM_CYCLE_L1_ID_BITS | number;
}

static inline gm_cycle_l1_id_kind gm_cycle_l1_id_kind_of(uint32_t id)
{
    return (gm_cycle_l1_id_kind)(id >> GM_CYCLE_L1_ID_BITS);
}

static inline uint32_t gm_cycle_l1_id_number(uint32_t id)
{
    return id & ((UINT32_C(1) << GM_CYCLE_L1_ID_BITS) - 1);
}

/* A requester of an MSHR entry. In its word: cycle 52 bits, load 1 bit, ticket 11 bits. */
typedef struct gm_cycle_l1_waiter {
    gm_cycle began;
    uint32_t ticket;
    bool load;
} gm_cycle_l1_waiter;

static inline uint64_t gm_cycle_l1_requester(const gm_cycle_l1_request *request)
{
    uint64_t load = request->kind == GM_REQUEST_LOAD ? GM_TICKETS : 0;
    return request->began * (2 * GM_TICKETS) | load | request->ticket;
}

static inline gm_cycle_l1_waiter gm_cycle_l1_waiter_of(uint64_t requester)
{
    return (gm_cycle_l1_waiter){.began = requester / (2 * GM_TICKETS),
                                .ticket = (uint32_t)requester % GM_TICKETS,
                                .load = (requester & GM_TICKETS) != 0};
}

/* Returns the packets for sectors of an L1 line: one for each L2 line that has some of them. */
uint32_t gm_cycle_l1_parts(const gm_cycle_l1_shared *shared, uint32_t sectors);

/* True if the miss queue takes that many packets of one request. A request with more packets than
 * the queue has places waits until the queue is empty. */
static inline bool gm_cycle_l1_has_room(const gm_cycle_l1 *l1, uint32_t packets)
{
    uint32_t count = gm_ring_count(&l1->queue) - l1->from_fills - l1->from_bypass - l1->from_fetch;
    return packets == 0 || count == 0 || count + packets <= l1->shared->miss_queue;
}

/* Allocation on fill, or with sharing trackers: true if that many more MSHR entries may be taken.
 * A fill is told to the tracker, as is its clean victim. A fill may evict a dirty
 * line, whose write-back must not wait for room, since replies must always be taken (docs/l1d.md:
 * no deadlock). So the queue has one place for each MSHR entry, and each entry in use and each such
 * write-back in the queue hold one of these places. */
bool gm_cycle_l1_has_room_for_victims(const gm_cycle_l1 *l1, uint32_t entries);

/* Takes a place for a load that bypasses. Requires a free one. Returns it. */
uint32_t gm_cycle_l1_take_bypassed(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                   uint32_t packets);

/* Puts a packet for an L2 line into the queue. Requires room. */
static inline void gm_cycle_l1_push_part(gm_cycle_l1 *l1, gm_message_kind kind, uint64_t l2_line,
                                         uint32_t sectors, uint32_t whole, uint32_t id)
{
    gm_packet *packet = &l1->packet[gm_ring_push(&l1->queue)];
    gm_cycle_l1_make_packet(l1, packet, kind, l2_line, sectors, whole, id);
    gm_cycle_l1_count_sent(l1, packet);
}

/* Puts packets for sectors of an L1 line that is several L2 lines into the queue. */
void gm_cycle_l1_push_parts(gm_cycle_l1 *l1, gm_message_kind kind, uint64_t line, uint32_t sectors,
                            uint32_t whole, uint32_t id);

/* Puts packets for `sectors` of an L1 line into the queue. `whole`: of a READ gm_packet.fills. */
static inline void gm_cycle_l1_push(gm_cycle_l1 *l1, gm_message_kind kind, uint64_t line,
                                    uint32_t sectors, uint32_t whole, uint32_t id)
{
    if (l1->shared->parts != 1) {
        gm_cycle_l1_push_parts(l1, kind, line, sectors, whole, id);
    } else if (sectors != 0) {
        gm_cycle_l1_push_part(l1, kind, line, sectors, whole, id);
    }
}

/* Puts the READs of a strong load into the queue. */
void gm_cycle_l1_push_strong(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint32_t id);

/* Puts packets for all sectors of a store or atomic into the queue, with their byte masks, which it
 * takes from l1->masks. Requires lines of the L2 of one sector. */
void gm_cycle_l1_push_bytes(gm_cycle_l1 *l1, gm_message_kind kind, const gm_line_request *line,
                            uint32_t id);

/* Puts the data of a store into the queue. */
void gm_cycle_l1_push_store(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, uint32_t sectors);

/* Writes dirty sectors of a line back, if there are any. */
void gm_cycle_l1_write_back(gm_cycle_l1 *l1, uint64_t line, uint32_t dirty, gm_access_kind kind,
                            bool from_fill);

#endif
