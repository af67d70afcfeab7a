/* An L2 in two halves, as A100 and H100 have it: each half of the SMs is near to the L2 banks of
 * its half, and a request for a bank of the other one passes the link between the halves. The link
 * is a pipeline in front of the bank (l2_bank.h): it takes a packet in every L2 cycle, and a packet
 * leaves it l2.far_latency core cycles later, in order. So near packets overtake far ones.
 *
 * With l2.copies the other half keeps copies of the sectors that its SMs have read, as long as the
 * bank has the line, and a read of copied sectors is near. A copy's data are the bank's, so that
 * copies change times only. */
#ifndef GOLDMEM_CYCLE_L2_L2_HALVES_H
#define GOLDMEM_CYCLE_L2_L2_HALVES_H

#include "base/ring.h"
#include "base/snapshot.h"
#include "cache/cache.h"
#include "cache/message.h"
#include "cycle/noc/packet.h"
#include "cycle/util/clock.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"

enum { GM_L2_LINK_LINES = 64 };

typedef struct gm_l2_far {
    uint32_t first_sm, end_sm; /* SMs of the other half: first_sm to end_sm - 1 */
    gm_cycle latency;          /* core cycles */
    gm_ring ring;              /* packets on the link */
    uint32_t *item;            /* [places of the ring] their item numbers in the bank */
    gm_cycle *due;             /* [places of the ring] core cycle in which each is at the bank */
    uint32_t
        *copied; /* [slots of the bank] sectors of which the other half has copies; NULL: none */
    uint32_t slots;
    uint32_t linked[GM_L2_LINK_LINES]; /* packets on the link, by the line's number modulo this */
} gm_l2_far;

/* Returns the packets that the link to a bank can hold; 0: the L2 is not in halves. */
uint32_t gm_l2_far_places(const gm_config *config);

/* Bytes of arena that gm_l2_far_make takes. */
size_t gm_l2_far_bytes(const gm_config *config);

/* Makes the link to L2 bank `bank`, counted over all banks; empty, without copies. Requires two
 * halves. Returns NULL if the arena is full. */
gm_l2_far *gm_l2_far_make(const gm_config *config, uint32_t bank, gm_arena *arena);

/* Notes a packet that the bank has looked up, whose line has the slot now. `absent`: it had none
 * before. Requires copies. */
void gm_l2_far_note(gm_l2_far *far, const gm_packet *packet, uint32_t slot, bool absent);

/* Saves or loads the packets on the link. */
void gm_l2_far_snapshot(gm_l2_far *far, gm_snapshot *snapshot);

/* True if the SM is in the other half. */
static inline bool gm_l2_far_is(const gm_l2_far *far, uint32_t sm)
{
    return sm >= far->first_sm && sm < far->end_sm;
}

/* True if a packet of a far SM finds all that it reads in the other half's copies. `slot`: of its
 * line in the bank, or GM_NO_SLOT. A packet of the line on the link is not overtaken: messages for
 * one line arrive in the order sent. Requires copies. */
static inline bool gm_l2_far_has_copy(const gm_l2_far *far, const gm_packet *packet, uint32_t slot)
{
    return gm_message_access((gm_message_kind)packet->kind) == GM_LOAD && slot != GM_NO_SLOT &&
           (packet->sectors & ~far->copied[slot]) == 0 &&
           far->linked[packet->in_bank % GM_L2_LINK_LINES] == 0;
}

/* Puts item `number`, a packet of the line `in_bank`, on the link in core cycle `now`. Requires
 * room. */
static inline void gm_l2_far_push(gm_l2_far *far, uint32_t number, uint64_t in_bank, gm_cycle now)
{
    far->linked[in_bank % GM_L2_LINK_LINES]++;
    uint32_t place = gm_ring_push(&far->ring);
    far->item[place] = number;
    far->due[place] = now + far->latency;
}

/* Returns the core cycle in which the oldest packet is at the bank; GM_NEVER: there is none. */
static inline gm_cycle gm_l2_far_due(const gm_l2_far *far)
{
    return gm_ring_is_empty(&far->ring) ? GM_NEVER : far->due[gm_ring_first(&far->ring)];
}

/* Returns the item number of the oldest packet. Requires one. */
static inline uint32_t gm_l2_far_first(const gm_l2_far *far)
{
    return far->item[gm_ring_first(&far->ring)];
}

/* Removes the oldest packet, of the line `in_bank`. Requires one. */
static inline void gm_l2_far_pop(gm_l2_far *far, uint64_t in_bank)
{
    far->linked[in_bank % GM_L2_LINK_LINES]--;
    gm_ring_pop(&far->ring);
}

#endif
