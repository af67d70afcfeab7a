/* Ring: the places of a first-in first-out queue in an array of a power of two elements.
 *
 *     place   0   1   2   3   4   5   6   7         mask 7
 *             g   .   .   .   .   d   e   f         first 5, count 4: d is the oldest, g the newest
 *
 * The ring keeps places only; the user has the array, and reads and writes its elements. Where many
 * rings have one size, each keeps a span, and the user passes the mask that they share. */
#ifndef GOLDMEM_BASE_RING_H
#define GOLDMEM_BASE_RING_H

#include "goldmem/bits.h"

/* The places in use. */
typedef struct gm_ring_span {
    uint32_t first; /* place of the oldest element, or of the next one when there is none */
    uint32_t count; /* elements in the queue */
} gm_ring_span;

/* Returns the place of the element that has `older` elements before it. */
static inline uint32_t gm_ring_span_place(const gm_ring_span *span, uint32_t mask, uint32_t older)
{
    return (span->first + older) & mask;
}

/* Appends an element. Requires count <= mask. Returns its place, for the user to fill in. */
static inline uint32_t gm_ring_span_push(gm_ring_span *span, uint32_t mask)
{
    uint32_t place = gm_ring_span_place(span, mask, span->count);
    span->count++;
    return place;
}

/* Removes the oldest element. Requires one. */
static inline void gm_ring_span_pop(gm_ring_span *span, uint32_t mask)
{
    span->first = gm_ring_span_place(span, mask, 1);
    span->count--;
}

typedef struct gm_ring {
    gm_ring_span span;
    uint32_t capacity; /* most elements; at most mask + 1 */
    uint32_t mask;     /* places of the array - 1 */
} gm_ring;

/* An empty ring. Requires 1 <= capacity <= 2^31. */
static inline gm_ring gm_ring_make(uint32_t capacity)
{
    return (gm_ring){.capacity = capacity, .mask = (uint32_t)gm_mask(gm_log2_ceil(capacity))};
}

/* Elements of the array that a ring of `capacity` elements needs. */
static inline uint32_t gm_ring_places(uint32_t capacity)
{
    return gm_ring_make(capacity).mask + 1;
}

/* Elements in the queue. */
static inline uint32_t gm_ring_count(const gm_ring *ring)
{
    return ring->span.count;
}

static inline bool gm_ring_is_empty(const gm_ring *ring)
{
    return ring->span.count == 0;
}

static inline bool gm_ring_has_room(const gm_ring *ring)
{
    return ring->span.count < ring->capacity;
}

/* Returns the place of the element that has `older` elements before it. */
static inline uint32_t gm_ring_place(const gm_ring *ring, uint32_t older)
{
    return gm_ring_span_place(&ring->span, ring->mask, older);
}

/* Returns the place of the oldest element. Requires one. */
static inline uint32_t gm_ring_first(const gm_ring *ring)
{
    return ring->span.first;
}

/* Returns the place of the next element that is appended. Requires room. */
static inline uint32_t gm_ring_next(const gm_ring *ring)
{
    return gm_ring_place(ring, ring->span.count);
}

/* Appends an element. Requires room. Returns its place, for the user to fill in. */
static inline uint32_t gm_ring_push(gm_ring *ring)
{
    return gm_ring_span_push(&ring->span, ring->mask);
}

/* Removes the oldest element. Requires one. */
static inline void gm_ring_pop(gm_ring *ring)
{
    gm_ring_span_pop(&ring->span, ring->mask);
}

#endif
