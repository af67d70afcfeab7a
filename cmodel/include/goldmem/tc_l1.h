/* L1 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (left)]: for each slot of an L1 whether
 * it has a copy, the copy's lease, and the number of upgrades without an answer. Decides for loads,
 * stores and atomics what is sent to the L2, and for the L2's answers what is installed. Tags, data
 * and MSHRs are the caller's. RTL: rtl/tc_l1.sv; page: docs/blocks/tc_l1.md. */
#ifndef GOLDMEM_TC_L1_H
#define GOLDMEM_TC_L1_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/tc_l1.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_TC_L1_SLOTS = 8192 /* slots, at most */ };

typedef struct gm_tc_l1_parameters {
    unsigned slots;        /* sets times ways of the L1, 1 to 8192; 256 [singh, Table 4] */
    unsigned pending_bits; /* of the count of UPGRs without an answer, 1 to 16; 6 (a modelling
                            * choice) */
    unsigned time_bits;    /* of a timestamp, 2 to 32; 32 [singh, 6.5] */
    bool strong;           /* TC-Strong [singh, 6.2]; else TC-Weak [singh, 6.3] */
    bool visible;          /* lines carry the GWCT of their writes (coherence.visible) */
} gm_tc_l1_parameters;

typedef struct gm_tc_l1_slot {
    uint32_t lease;   /* the last cycle at which the copy may be used [core cycles] */
    uint32_t visible; /* GWCT of the line's writes [core cycles] */
    uint16_t pending; /* UPGRs without an answer */
    bool valid;       /* has a copy, expired or not */
} gm_tc_l1_slot;

typedef struct gm_tc_l1 {
    gm_tc_l1_parameters parameters;
    gm_tc_l1_slot *slot; /* [slots] */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_tc_l1;

GM_PORTS_STRUCTS(tc_l1, TC_L1)

/* Returns the bytes of an arena that gm_tc_l1_init takes, at most. */
size_t gm_tc_l1_bytes(const gm_tc_l1_parameters *parameters);

/* Makes slots without copies, with storage from the arena. Returns 0; -EINVAL, which names the
 * parameter that is out of range; -ENOMEM if the arena is full. */
int gm_tc_l1_init(gm_tc_l1 *l1, const gm_tc_l1_parameters *parameters, gm_arena *arena,
                  gm_error *error);

/* For callers that first ask what a transaction will do, as the block decides it. True if the
 * slot's copy may be used at `now`. */
static inline bool gm_tc_l1_is_unexpired(const gm_tc_l1_slot *slot, uint64_t now)
{
    return slot->valid && now <= slot->lease;
}

/* True if a load may not hit the slot, whatever its lease: with TC-Strong and with `visible`, a
 * write of the copy is without an answer. */
static inline bool gm_tc_l1_blocks_loads(const gm_tc_l1 *l1, const gm_tc_l1_slot *slot)
{
    return (l1->parameters.strong || l1->parameters.visible) && slot->pending > 0;
}

/* True if a STORE that writes the slot's copy is refused: the count of UPGRs is at its limit. */
static inline bool gm_tc_l1_is_full(const gm_tc_l1 *l1, const gm_tc_l1_slot *slot)
{
    return slot->pending + 1U == 1U << l1->parameters.pending_bits;
}

/* The block's transaction. Requires that the fields of the request are within their widths, and
 * that the slot is one of the L1's. */
gm_tc_l1_response gm_tc_l1_access(gm_tc_l1 *l1, gm_tc_l1_request request);

/* Returns 0 when the invariants hold: counts and times within their bits. Else -EINVAL, which names
 * the slot. */
int gm_tc_l1_check(const gm_tc_l1 *l1, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
