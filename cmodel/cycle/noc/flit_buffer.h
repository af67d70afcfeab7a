/* Flit buffers: equal first-in first-out buffers of packets, bounded in flits: virtual channels of
 * router inputs, and the ejection buffers in front of receivers. A buffer has room for a packet
 * if all its flits fit, or if the buffer is empty: so a packet longer than the buffer is in it
 * alone. */
#ifndef GOLDMEM_CYCLE_NOC_FLIT_BUFFER_H
#define GOLDMEM_CYCLE_NOC_FLIT_BUFFER_H

#include "base/foresight.h"
#include "base/ring.h"
#include "base/snapshot.h"
#include "cycle/noc/packet.h"
#include "goldmem/arena.h"

typedef struct gm_flit_packet {
    gm_packet packet;
    gm_cycle sent;  /* core cycle in which its sender sent it */
    gm_cycle ready; /* virtual channel fed by another router, or with a speedup: cycle of the fabric
                       in which its head has arrived; ejection buffer: core cycle from which the
                       receiver sees it whole */
    uint32_t flits;
    uint32_t receiver;
} gm_flit_packet;

_Static_assert(sizeof(gm_flit_packet) == 64, "a line of the host's cache");

typedef struct gm_flit_ring {
    uint32_t used;        /* flits */
    uint32_t base;        /* the ring's first slot, counted over all buffers; fixed */
    gm_ring_span packets; /* slots, counted from `base` */
} gm_flit_ring;

typedef struct gm_flit_buffers {
    gm_flit_ring *ring;   /* [buffers] */
    gm_flit_packet *slot; /* [buffers * slots] */
    uint32_t buffers;
    uint32_t slots; /* of a buffer, for the most packets that fit: a power of two */
    uint32_t mask;  /* slots - 1 */
    uint32_t flits; /* bound of each buffer */
} gm_flit_buffers;

/* Bytes of arena for `buffers` buffers of `flits` flits whose packets have at least `least`. */
size_t gm_flit_buffers_bytes(uint32_t buffers, uint32_t flits, uint32_t least);

/* Makes `count` empty buffers. Returns 0, or -ENOMEM when the arena is full. */
int gm_flit_buffers_init(gm_flit_buffers *buffers, uint32_t count, uint32_t flits, uint32_t least,
                         gm_arena *arena, gm_error *error);

/* Saves or loads all packets. */
void gm_flit_buffers_snapshot(gm_flit_buffers *buffers, gm_snapshot *snapshot);

/* True if the buffer has room for a packet of `flits` flits. */
static inline bool gm_flit_buffer_room(const gm_flit_buffers *buffers, uint32_t buffer,
                                       uint32_t flits)
{
    const gm_flit_ring *ring = &buffers->ring[buffer];
    return ring->used + flits <= buffers->flits || ring->packets.count == 0;
}

/* True if the buffer holds no packet. */
static inline bool gm_flit_buffer_empty(const gm_flit_buffers *buffers, uint32_t buffer)
{
    return buffers->ring[buffer].packets.count == 0;
}

/* Returns the oldest packet. Requires one. */
static inline gm_flit_packet *gm_flit_buffer_first(const gm_flit_buffers *buffers, uint32_t buffer)
{
    const gm_flit_ring *ring = &buffers->ring[buffer];
    return &buffers->slot[ring->base + ring->packets.first];
}

/* Returns the oldest packet, or NULL. */
static inline gm_flit_packet *gm_flit_buffer_head(const gm_flit_buffers *buffers, uint32_t buffer)
{
    return gm_flit_buffer_empty(buffers, buffer) ? NULL : gm_flit_buffer_first(buffers, buffer);
}

/* Appends a packet of `flits` flits. Requires room. Returns its slot, to be filled in. */
static inline gm_flit_packet *gm_flit_buffer_push(gm_flit_buffers *buffers, uint32_t buffer,
                                                  uint32_t flits)
{
    gm_flit_ring *ring = &buffers->ring[buffer];
    uint32_t at = gm_ring_span_push(&ring->packets, buffers->mask);
    ring->used += flits;
    return &buffers->slot[ring->base + at];
}

/* Removes the oldest packet. Requires that it has `flits` flits. A buffer that becomes empty starts
 * at its first slot again, so that few cache lines are in use. */
static inline void gm_flit_buffer_pop(gm_flit_buffers *buffers, uint32_t buffer, uint32_t flits)
{
    gm_flit_ring *ring = &buffers->ring[buffer];
    ring->used -= flits;
    if (ring->packets.count == 1) {
        ring->packets = (gm_ring_span){0};
    } else {
        gm_ring_span_pop(&ring->packets, buffers->mask);
        uint32_t behind = gm_ring_span_place(&ring->packets, buffers->mask, 1);
        gm_prefetch(&buffers->slot[ring->base + behind]); /* read when it is the oldest */
    }
}

#endif
