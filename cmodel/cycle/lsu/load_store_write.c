/* Replies of a load/store unit with a write port. */
#include "cycle/lsu/load_store_write.h"

#include "cycle/lsu/load_store_give.h"

enum { ALL_WRITERS = (1 << GM_WRITERS) - 1 };

/* Returns the mask of the writers that have something for the port. */
static uint32_t ready_writers(const gm_load_store *unit, gm_cycle now)
{
    bool shared = gm_load_store_next_due(&unit->shared) <= now;
    bool bypassed = unit->port.bypassed != GM_NO_TICKET;
    bool missed = gm_cycle_l1_has_arrival(&unit->l1);
    return (uint32_t)shared << GM_WRITER_SHARED | (uint32_t)bypassed << GM_WRITER_BYPASSED |
           (uint32_t)missed << GM_WRITER_MISSED;
}

/* Returns the first of some writers from that on which has the turn. Requires one. */
static gm_writer next_writer(uint32_t writers, uint32_t turn)
{
    uint32_t behind = writers & (uint32_t)ALL_WRITERS << turn;
    return (gm_writer)gm_lowest_one(behind != 0 ? behind : writers);
}

/* Returns the ticket that the port takes from a writer. Requires that this has one. */
static uint32_t take_from(gm_load_store *unit, gm_writer writer, gm_cycle now, uint32_t *gone)
{
    gm_write_port *port = &unit->port;
    uint32_t ticket = GM_NO_TICKET;
    switch (writer) {
    case GM_WRITER_SHARED:
        ticket = unit->shared.due[gm_ring_first(&unit->shared.ring)].ticket;
        gm_ring_pop(&unit->shared.ring);
        break;
    case GM_WRITER_BYPASSED:
        ticket = port->bypassed;
        port->bypassed = GM_NO_TICKET;
        break;
    case GM_WRITER_MISSED:
        ticket = gm_cycle_l1_take_arrival(&unit->l1, now, gone);
        break;
    case GM_WRITERS:
        break;
    }
    return ticket;
}

uint32_t gm_load_store_write(gm_load_store *unit, gm_cycle now)
{
    gm_write_port *port = &unit->port;
    uint32_t gone = 0;
    port->written = GM_NO_TICKET;
    if (port->ticket != GM_NO_TICKET && !port->waits) {
        gm_load_store_answered(unit, port->ticket);
        port->written = port->ticket;
        port->ticket = GM_NO_TICKET;
    }
    uint32_t ready = port->ticket == GM_NO_TICKET ? ready_writers(unit, now) : 0;
    if (ready != 0) {
        gm_writer writer = next_writer(ready, port->turn);
        port->ticket = take_from(unit, writer, now, &gone);
        port->turn = writer + 1 == GM_WRITERS ? 0 : writer + 1;
    }
    if (gm_cycle_l1_next_arrival(&unit->l1) <= now) {
        uint32_t ticket;
        bool full = port->bypassed != GM_NO_TICKET;
        gm_cycle_l1_arrived arrived = gm_cycle_l1_arrive(&unit->l1, now, full, &ticket, &gone);
        if (arrived == GM_ARRIVED_DATA) {
            port->bypassed = ticket;
        } else if (arrived == GM_ARRIVED_ACK) {
            gm_load_store_answered(unit, ticket);
        }
    }
    return gone;
}

gm_cycle gm_load_store_next_write(const gm_load_store *unit, gm_cycle now)
{
    const gm_write_port *port = &unit->port;
    bool has = port->ticket != GM_NO_TICKET || port->bypassed != GM_NO_TICKET ||
               gm_cycle_l1_has_arrival(&unit->l1);
    gm_cycle due = gm_load_store_next_due(&unit->shared);
    return has || due <= now ? now + 1 : due;
}
