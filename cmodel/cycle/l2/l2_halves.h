/* An L2 in two halves, as A100 and H100 have it: each half of the SMs is near to the L2 banks of
 * its half, and a request for a bank of the other one passes the link between the halves. The link
 * is a pipeline in front of the bank (l2_bank.h): it takes a packet in every L2 cycle, and a packet
 * leaves it l2.far_latency core cycles later, in order. So near packets overtake far ones. */
#ifndef GOLDMEM_CYCLE_L2_L2_HALVES_H
#define GOLDMEM_CYCLE_L2_L2_HALVES_H

#include "base/ring.h"
#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"

typedef struct gm_l2_far {
    uint32_t first_sm, end_sm; /* SMs of the other half: first_sm to end_sm - 1 */
    gm_cycle latency;          /* core cycles */
    gm_ring ring;              /* packets on the link */
    uint32_t *item;            /* [places of the ring] their item numbers in the bank */
    gm_cycle *due;             /* [places of the ring] core cycle in which each is at the bank */
} gm_l2_far;

/* Returns the packets that the link to a bank can hold; 0: the L2 is not in halves. */
uint32_t gm_l2_far_places(const gm_config *config);

/* Bytes of arena that gm_l2_far_make takes. */
size_t gm_l2_far_bytes(const gm_config *config);

/* Makes the link to L2 bank `bank`, counted over all banks; empty. Requires two halves. Returns
 * NULL if the arena is full. */
gm_l2_far *gm_l2_far_make(const gm_config *config, uint32_t bank, gm_arena *arena);

/* Saves or loads the packets on the link. */
void gm_l2_far_snapshot(gm_l2_far *far, gm_snapshot *snapshot);

/* True if the SM is in the other half. */
static inline bool gm_l2_far_is(const gm_l2_far *far, uint32_t sm)
{
    return sm >= far->first_sm && sm < far->end_sm;
}

/* Puts item `number` on the link in core cycle `now`. Requires room. */
static inline void gm_l2_far_push(gm_l2_far *far, uint32_t number, gm_cycle now)
{
    uint32_t place = gm_ring_push(&far->ring);
    far->item[place] = number;
    far->due[place] = now + far->latency;
}

/* Returns the core cycle in which the oldest packet is at the bank; GM_NEVER: there is none. */
static inline gm_cycle gm_l2_far_due(const gm_l2_far *far)
{
    return gm_ring_is_empty(&far->ring) ? GM_NEVER : far->due[gm_ring_first(&far->ring)];
}

/* Removes the oldest packet, and returns its item number. Requires one. */
static inline uint32_t gm_l2_far_pop(gm_l2_far *far)
{
    uint32_t number = far->item[gm_ring_first(&far->ring)];
    gm_ring_pop(&far->ring);
    return number;
}

#endif
