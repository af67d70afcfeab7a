/* Fences under Temporal Coherence [singh, 6.3.1]: a fence issues when the operations before it are
 * answered and the GWCTs of their writes are past. Private to the SM. */
#ifndef GOLDMEM_CYCLE_SM_FENCE_H
#define GOLDMEM_CYCLE_SM_FENCE_H

#include "cycle/sm/warp.h"

/* State of the fences of an SM. A warp slot's rows count while its warp is in state FENCE. */
struct gm_cycle_fences {
    gm_cycle next;    /* earliest cycle from which a fence that waits for GWCTs can issue */
    gm_cycle *until;  /* [slots] that cycle of each warp; GM_NEVER: it waits for answers */
    gm_cycle *since;  /* [slots] first cycle of the wait that is not yet counted */
    uint8_t *waited;  /* [slots] mask of what the fence has waited for */
    uint64_t *of_cta; /* [ctas][words] bit sets of the slots of each CTA's warps, also ended ones */
    bool whole_cta;   /* coherence.fence=cta */
    gm_coherence_statistics statistics;
};

/* Returns the bytes of arena that gm_cycle_fences_init takes; 0 without leases. */
size_t gm_cycle_fences_bytes(const gm_config *config);

/* Makes sm->fences if the L1s have leases. Returns false if the arena is full. */
bool gm_cycle_fences_init(gm_cycle_sm *sm, const gm_config *config, gm_arena *arena);

/* Notes a warp's slot at the admission of its CTA, which `begins` with its first warp. */
void gm_cycle_fences_admit(gm_cycle_sm *sm, uint32_t cta, uint32_t slot, bool begins);

/* True if the warp, whose next instruction is a fence of GPU or system scope, must wait in cycle
 * `now`. */
bool gm_cycle_fence_waits(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

/* True if the warps at fences must be rechecked in cycle `now`, after the load/store unit's
 * answers: a GWCT has passed, or another warp's operation may have been answered. */
static inline bool gm_cycle_fences_are_due(const gm_cycle_sm *sm, gm_cycle now)
{
    const gm_cycle_fences *fences = sm->fences;
    return fences->next <= now || (fences->whole_cta && sm->load_store->done_count != 0);
}

/* Handles a fence of GPU or system scope that issues. */
void gm_cycle_fence_issued(gm_cycle_sm *sm, uint32_t slot);

/* Adds the counters up to cycle `now` to *into. */
void gm_cycle_fences_sum(const gm_cycle_sm *sm, gm_cycle now, gm_coherence_statistics *into);

void gm_cycle_fences_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot);

#endif
