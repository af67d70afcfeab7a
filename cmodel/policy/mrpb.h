/* MRPB's reordering of requests (Jia et al., HPCA 2014), as [khairy, section 5, table 4] and
 * [li, 6.1] describe it: line requests between the coalescer and the L1 wait in a FIFO for each
 * warp slot, and one FIFO is drained until it is empty before the next (l1.mrpb_drain). */
#ifndef GOLDMEM_POLICY_MRPB_H
#define GOLDMEM_POLICY_MRPB_H

#include "base/bitset.h"
#include "base/ring.h"
#include "base/snapshot.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GM_MRPB_PLACES = 32, /* requests of a FIFO [khairy, table 4]; a power of two */
    GM_MRPB_FIFOS = 256, /* at most: sm.warps */
};

#define GM_MRPB_NONE UINT32_MAX

/* A waiting request. */
typedef struct gm_mrpb_request {
    uint64_t line;
    uint64_t number; /* in the order of arrival */
    uint32_t load;   /* a weak load; any other is overtaken by no request of its line */
    uint32_t unused;
} gm_mrpb_request;

typedef struct gm_mrpb {
    uint32_t fifos;
    gm_mrpb_drain drain;
    bool chosen;      /* gm_mrpb_next has returned a request that has not been removed */
    uint32_t current; /* the FIFO that is drained */
    uint32_t count;   /* requests in all FIFOs */
    uint32_t others;  /* of them: not loads */
    uint64_t arrived;
    uint64_t filled[GM_MRPB_FIFOS / GM_BITSET_WORD]; /* bit set of FIFOs that are not empty */
    gm_ring_span *fifo;                              /* [fifos] */
    gm_mrpb_request *request;                        /* [fifos][GM_MRPB_PLACES] */
} gm_mrpb;

/* Returns the bytes of an arena that gm_mrpb_init takes. */
size_t gm_mrpb_bytes(uint32_t fifos);

/* Makes empty FIFOs, 1 to GM_MRPB_FIFOS. Returns 0 or -ENOMEM. */
int gm_mrpb_init(gm_mrpb *buffer, uint32_t fifos, gm_mrpb_drain drain, gm_arena *arena,
                 gm_error *error);

static inline bool gm_mrpb_has_room(const gm_mrpb *buffer, uint32_t warp)
{
    return buffer->fifo[warp].count < GM_MRPB_PLACES;
}

/* Returns the place of the request that `older` others of its FIFO precede. */
static inline uint32_t gm_mrpb_place(const gm_mrpb *buffer, uint32_t fifo, uint32_t older)
{
    return fifo * GM_MRPB_PLACES +
           gm_ring_span_place(&buffer->fifo[fifo], GM_MRPB_PLACES - 1, older);
}

/* Adds a request of a warp slot. Requires that its FIFO has room. Returns the place that identifies
 * the request, below fifos * GM_MRPB_PLACES. */
uint32_t gm_mrpb_put(gm_mrpb *buffer, uint32_t warp, uint64_t line, bool load);

/* Returns the place of the request to be served next, or GM_MRPB_NONE when none waits: the head of
 * the FIFO that is drained. When that FIFO is empty, with GM_MRPB_FIRST each time, the first in the
 * order of warp slots that is not empty follows; a request that waits for the L1 is not overtaken.
 * [khairy, table 4] has "non-greedy-fixed-order", which may mean either.
 *
 * No request overtakes an earlier one to its line when either is not a weak load: a FIFO whose head
 * would do so is skipped, even while it is drained. The earliest of all requests can always be
 * served. */
uint32_t gm_mrpb_next(gm_mrpb *buffer);

/* Removes the request that gm_mrpb_next returned. */
void gm_mrpb_take(gm_mrpb *buffer);

/* Saves or loads all waiting requests (base/snapshot.h). */
void gm_mrpb_snapshot(gm_mrpb *buffer, gm_snapshot *snapshot);

#endif
