/* SM of the order engine: resident warps, barriers, and warp instructions. */
#ifndef GOLDMEM_ORDER_ORDER_SM_H
#define GOLDMEM_ORDER_ORDER_SM_H

#include "cache/values.h"
#include "frontend/coalescer.h"
#include "frontend/intake.h"
#include "goldmem/analysis.h"
#include "order/memory_side.h"
#include "order/order_l1.h"
#include "order/order_noc.h"

typedef struct gm_resident_warp {
    gm_cta *cta;            /* NULL: the slot is free */
    gm_warp_stream *stream; /* the CTA's */
    uint64_t idle;          /* turns left of a run of idle instructions */
    uint32_t place;         /* index in the CTA's arrays */
    bool waiting;           /* at a barrier */
} gm_resident_warp;

typedef struct gm_order_sm {
    uint32_t number;
    uint32_t slots;
    uint32_t next;          /* slot of the next turn */
    uint32_t resident;      /* warps */
    gm_resident_warp *warp; /* [slots] */
    uint32_t words;
    uint64_t *ready; /* [words] mask of slots that can issue */
    gm_order_l1 l1;
    gm_order_noc_port port;
    gm_core_statistics core; /* of its CTAs, counted when they are dispatched */
    /* Counted for the conservation laws: */
    uint64_t turns;                     /* taken by its warps */
    uint64_t requests[GM_ACCESS_KINDS]; /* from the coalescer */
} gm_order_sm;

/* Takes each line request once the SM's L1 has: for the machine's variants. `bytes`: as in
 * gm_order_noc_port. take NULL: nobody does. */
typedef struct gm_order_tap {
    void *context;
    void (*take)(void *context, uint32_t sm, const gm_line_request *request, gm_request_kind kind,
                 const uint32_t *bytes);
} gm_order_tap;

/* The part that all SMs share; the coalescer is for accesses to local memory. */
typedef struct gm_order_sm_shared {
    gm_coalescer coalescer;
    gm_coalesce_context context;
    gm_warp_store *store;
    gm_memory_side *memory; /* for analyses */
    gm_order_noc *noc;
    gm_analysis *analysis; /* or NULL */
    gm_values *values;     /* or NULL; else WIDE records have words */
    gm_order_tap tap;      /* if it takes, no records are LINES */
    uint64_t kernel;       /* launches before this one */
    uint32_t warps;        /* of a CTA of this kernel */
    uint64_t address[GM_ADDRESSES];
} gm_order_sm_shared;

size_t gm_order_sm_bytes(
    const gm_config *config); /* of arena that gm_order_sm_init takes, without the L1 */
int gm_order_sm_init(gm_order_sm *sm, const gm_config *config, uint32_t number, gm_arena *arena,
                     gm_error *error);

/* Puts the CTA's warps into free slots. Returns true if the CTA has no instructions and has ended.
 */
bool gm_order_sm_admit(gm_order_sm *sm, gm_cta *cta);

/* Executes one instruction of the next ready warp in slot order through the whole hierarchy.
 * Requires `resident` other than 0, so that a warp is ready. Sets *ended to the CTA that ended with
 * the instruction, or NULL. */
int gm_order_sm_step(gm_order_sm *sm, gm_order_sm_shared *shared, gm_cta **ended, gm_error *error);

/* Does the line requests of a record (LINES, WIDE or LOCAL, at `record`). Returns the record's
 * length in bytes, or a negative errno value. */
int gm_order_sm_access(gm_order_sm *sm, gm_order_sm_shared *shared, uint32_t slot,
                       const unsigned char *record, gm_error *error);

#endif
