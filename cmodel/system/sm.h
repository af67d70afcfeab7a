/* SM of the order engine: resident warps, barriers, and what a warp instruction does. */
#ifndef GOLDMEM_SYSTEM_SM_H
#define GOLDMEM_SYSTEM_SM_H

#include "goldmem/analysis.h"
#include "system/coalescer.h"
#include "system/feeder.h"
#include "system/l1d.h"
#include "system/memory_side.h"
#include "system/noc.h"

typedef struct gm_resident_warp {
    gm_cta *cta;    /* NULL: the slot is free */
    uint32_t place; /* in the CTA's arrays */
    bool waiting;   /* at a barrier */
    uint64_t idle;  /* turns left of a run */
} gm_resident_warp;

typedef struct gm_sm {
    uint32_t number;
    uint32_t slots;
    uint32_t next;          /* slot whose turn it is */
    uint32_t resident;      /* warps */
    gm_resident_warp *warp; /* [slots] */
    uint64_t *ready;        /* [ceil(slots / 64)] mask of slots that can issue */
    gm_l1d l1d;
    gm_noc_port port;
    gm_core_statistics core;
    uint64_t requests[GM_ACCESS_KINDS]; /* from the coalescer, for the conservation laws */
} gm_sm;

/* What all SMs share. */
typedef struct gm_sm_shared {
    gm_coalescer coalescer;
    gm_coalesce_context context;
    gm_warp_store *store;
    gm_feeder *feeder;
    gm_memory_side *memory; /* for analyses */
    gm_noc *noc;
    gm_analysis *analysis; /* or NULL */
    uint64_t kernel;       /* launches before this one */
    uint32_t warps;        /* of a CTA of this kernel */
    uint32_t banks;        /* of shared memory */
    uint64_t address[GM_ADDRESSES];
} gm_sm_shared;

size_t gm_sm_bytes(const gm_config *config); /* of arena that gm_sm_init takes, without the L1 */
int gm_sm_init(gm_sm *sm, const gm_config *config, uint32_t number, gm_arena *arena,
               gm_error *error);

/* The CTA's warps take free slots; true when it has ended at once, having no instructions. */
bool gm_sm_admit(gm_sm *sm, gm_cta *cta);

/* The next ready warp in slot order executes one instruction through the whole hierarchy. There is
 * a ready warp whenever `resident` is not 0. *ended: a CTA that has ended with it, or NULL. */
int gm_sm_step(gm_sm *sm, gm_sm_shared *shared, gm_cta **ended, gm_error *error);

/* What one instruction of the warp in a slot does, barriers and the end of the warp apart. */
int gm_sm_execute(gm_sm *sm, gm_sm_shared *shared, const gm_cta *cta, uint32_t slot,
                  const gm_instruction *instruction, gm_error *error);

#endif
