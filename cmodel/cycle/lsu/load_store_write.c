/* Replies of a load/store unit with a write port. */
#include "cycle/lsu/load_store_write.h"

#include "cycle/lsu/load_store_give.h"

/* Returns the ticket that the port takes from a writer, or GM_NO_TICKET. */
static uint32_t take_from(gm_load_store *unit, gm_writer writer, gm_cycle now, uint32_t *gone)
{
    gm_write_port *port = &unit->port;
    uint32_t ticket = GM_NO_TICKET;
    switch (writer) {
    case GM_WRITER_SHARED:
        if (gm_load_store_next_due(&unit->shared) <= now) {
            ticket = unit->shared.due[gm_ring_first(&unit->shared.ring)].ticket;
            gm_ring_pop(&unit->shared.ring);
        }
        break;
    case GM_WRITER_BYPASSED:
        ticket = port->bypassed;
        port->bypassed = GM_NO_TICKET;
        break;
    case GM_WRITER_MISSED:
        if (gm_cycle_l1_has_arrival(&unit->l1)) {
            ticket = gm_cycle_l1_take_arrival(&unit->l1, now, gone);
        }
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
    for (uint32_t i = 0; port->ticket == GM_NO_TICKET && i < GM_WRITERS; i++) {
        uint32_t writer = (port->turn + i) % GM_WRITERS;
        port->ticket = take_from(unit, (gm_writer)writer, now, &gone);
        if (port->ticket != GM_NO_TICKET) {
            port->turn = (writer + 1) % GM_WRITERS;
            break;
        }
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
