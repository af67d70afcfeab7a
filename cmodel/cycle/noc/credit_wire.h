/* Credit wire: tells one receiver, some cycles later, that a sender has freed a place. It carries
 * any number of credits a cycle and no bytes of the interconnect. */
#ifndef GOLDMEM_CYCLE_NOC_CREDIT_WIRE_H
#define GOLDMEM_CYCLE_NOC_CREDIT_WIRE_H

#include "base/ring.h"
#include "base/snapshot.h"
#include "cycle/util/clock.h"

#include <stdint.h>

typedef struct gm_credit {
    gm_cycle at;   /* first cycle in which the receiver has it */
    uint64_t from; /* SM */
} gm_credit;

typedef struct gm_credit_wire {
    gm_cycle latency; /* core cycles, 1 at least */
    gm_ring ring;
    gm_credit *credit; /* elements of `ring`, in the order sent */
} gm_credit_wire;

/* Sends a credit of SM `from` in cycle `now`. Requires that at most the ring's capacity are on the
 * wire. */
static inline void gm_credit_wire_send(gm_credit_wire *wire, uint32_t from, gm_cycle now)
{
    wire->credit[gm_ring_push(&wire->ring)] = (gm_credit){.at = now + wire->latency, .from = from};
}

/* True if a credit has arrived by cycle `now`; takes it and sets *from. */
static inline bool gm_credit_wire_take(gm_credit_wire *wire, gm_cycle now, uint32_t *from)
{
    if (gm_ring_is_empty(&wire->ring)) {
        return false;
    }
    const gm_credit *oldest = &wire->credit[gm_ring_first(&wire->ring)];
    if (oldest->at > now) {
        return false;
    }
    *from = (uint32_t)oldest->from;
    gm_ring_pop(&wire->ring);
    return true;
}

/* Saves or loads the credits on the wire. */
static inline void gm_credit_wire_snapshot(gm_credit_wire *wire, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, wire->ring.span);
    GM_SNAPSHOT_ARRAY(snapshot, wire->credit, gm_ring_places(wire->ring.capacity));
}

#endif
