/* Ring: the places of a first-in first-out queue in an array of a power of two elements.
 *
 *     place   0   1   2   3   4   5   6   7         mask 7
 *             g   .   .   .   .   d   e   f         head 5, count 4: d is the oldest, g the newest
 *
 * The ring keeps places only; the user has the array, and reads and writes its elements. */
#ifndef GOLDMEM_BASE_RING_H
#define GOLDMEM_BASE_RING_H

#include "goldmem/bits.h"

typedef struct gm_ring {
    uint32_t head;     /* elements removed so far, modulo 2^32 */
    uint32_t count;    /* elements in the queue */
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

static inline bool gm_ring_has_room(const gm_ring *ring)
{
    return ring->count < ring->capacity;
}

/* Returns the place of the element that has `older` elements before it. */
static inline uint32_t gm_ring_place(const gm_ring *ring, uint32_t older)
{
    return (ring->head + older) & ring->mask;
}

/* Returns the place of the oldest element. Requires one. */
static inline uint32_t gm_ring_first(const gm_ring *ring)
{
    return gm_ring_place(ring, 0);
}

/* Appends an element. Requires room. Returns its place, for the user to fill in. */
static inline uint32_t gm_ring_push(gm_ring *ring)
{
    return gm_ring_place(ring, ring->count++);
}

/* Removes the oldest element. Requires one. */
static inline void gm_ring_pop(gm_ring *ring)
{
    ring->head++;
    ring->count--;
}

#endif
