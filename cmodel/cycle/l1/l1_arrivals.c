/* Arrivals of the timed L1: data that are installed before their requesters are answered. */
#include "cycle/l1/l1_arrivals.h"

#include "cycle/l1/l1_fill.h"
#include "cycle/l1/l1_latency.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sector.h"
#include "cycle/l1/l1_values.h"

enum { ALIGNMENT = 64, ARRAYS = 2 };

size_t gm_cycle_l1_arrivals_bytes(const gm_cycle_l1_shared *shared)
{
    return sizeof(struct gm_cycle_l1_arrivals) +
           gm_ring_places(shared->mshr.entries) * sizeof(uint32_t) + (size_t)ARRAYS * ALIGNMENT;
}

struct gm_cycle_l1_arrivals *gm_cycle_l1_arrivals_make(const gm_cycle_l1_shared *shared,
                                                       gm_arena *arena)
{
    struct gm_cycle_l1_arrivals *arrivals = gm_arena_take(arena, 1, sizeof *arrivals);
    if (arrivals == NULL) {
        return NULL;
    }
    arrivals->ring = gm_ring_make(shared->mshr.entries);
    arrivals->id = gm_arena_take(arena, gm_ring_places(shared->mshr.entries), sizeof *arrivals->id);
    return arrivals->id != NULL ? arrivals : NULL;
}

/* Installs the data of an entry, which takes no more requesters, unless its line was dropped.
 * Returns the stall reasons that may be gone. */
static uint32_t install(gm_cycle_l1 *l1, uint32_t id, gm_cycle now)
{
    l1->arrivals->id[gm_ring_push(&l1->arrivals->ring)] = id;
    if (!gm_mshr_is_open(&l1->mshr, id)) {
        return 0;
    }
    uint64_t address = l1->mshr.entry[id].line;
    uint64_t line = gm_cycle_l1_mshr_line(l1, address);
    gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = address});
    gm_cycle_l1_install(l1, line, &l1->entry[id]);
    if (l1->observer != NULL) {
        l1->observer->l1_fill(l1->observer->context, l1->number, line, now);
    }
    gm_cache_assert_access(&l1->cache, line);
    return GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_QUEUE;
}

/* True for data for a request that bypasses the L1. */
static bool is_bypassing_data(const gm_packet *packet)
{
    switch (gm_cycle_l1_id_kind_of(packet->id)) {
    case GM_CYCLE_L1_OF_BYPASSED:
        return true;
    case GM_CYCLE_L1_OF_TICKET:
        return packet->kind == GM_MESSAGE_ATOMIC || packet->kind == GM_MESSAGE_REDUCTION;
    case GM_CYCLE_L1_OF_ENTRY:
    case GM_CYCLE_L1_OF_WRITE_BACK:
    case GM_CYCLE_L1_OF_INSTRUCTIONS:
        break;
    }
    return false;
}

gm_cycle_l1_arrived gm_cycle_l1_arrive(gm_cycle_l1 *l1, gm_cycle now, bool full, uint32_t *ticket,
                                       uint32_t *gone)
{
    const gm_packet *packet = gm_network_peek(l1->shared->replies, l1->number, now);
    *ticket = GM_NO_TICKET;
    if (packet == NULL) {
        return GM_ARRIVED_NOTHING;
    }
    bool data = is_bypassing_data(packet);
    uint32_t id = packet->id;
    if (data && full) {
        return GM_ARRIVED_NOTHING;
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_arrive(l1, packet, false);
    }
    gm_network_pop(l1->shared->replies, l1->number, now);
    if (gm_cycle_l1_id_kind_of(id) != GM_CYCLE_L1_OF_ENTRY) {
        *gone |= gm_cycle_l1_other_arrived(l1, id, now, ticket);
        return *ticket == GM_NO_TICKET ? GM_ARRIVED_NOTHING
               : data                  ? GM_ARRIVED_DATA
                                       : GM_ARRIVED_ACK;
    }
    uint32_t number = gm_cycle_l1_id_number(id);
    if (--l1->entry[number].packets == 0) {
        *gone |= install(l1, number, now);
    }
    return GM_ARRIVED_NOTHING;
}

bool gm_cycle_l1_has_arrival(const gm_cycle_l1 *l1)
{
    return !gm_ring_is_empty(&l1->arrivals->ring);
}

uint32_t gm_cycle_l1_take_arrival(gm_cycle_l1 *l1, gm_cycle now, uint32_t *gone)
{
    struct gm_cycle_l1_arrivals *arrivals = l1->arrivals;
    uint32_t id = arrivals->id[gm_ring_first(&arrivals->ring)];
    uint64_t line = gm_cycle_l1_mshr_line(l1, l1->mshr.entry[id].line);
    gm_mshr_response response =
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = id});
    gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(response.requester);
    if (l1->values != NULL) {
        gm_cycle_l1_value_answer(l1, line, waiter.ticket,
                                 l1->shared->by_sector ? l1->entry[id].sectors : UINT32_MAX,
                                 gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id), response.count == 0);
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_answer(l1, id, response.requester, response.count == 0, now + 1);
    }
    if (waiter.load) {
        gm_cycle_l1_count_load(l1, waiter.began, now + 1);
    }
    if (response.count == 0) {
        l1->time.l1_mshr_cycles += now - l1->entry[id].since;
        l1->entries--;
        gm_ring_pop(&arrivals->ring);
        *gone |= GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_QUEUE;
    }
    return waiter.ticket;
}

void gm_cycle_l1_arrivals_snapshot(struct gm_cycle_l1_arrivals *arrivals, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, arrivals->ring.span);
    GM_SNAPSHOT_ARRAY(snapshot, arrivals->id, gm_ring_places(arrivals->ring.capacity));
}
