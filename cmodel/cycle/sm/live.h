/* Live CTAs in an SM: the source delivers an open warp (gm_cta.open) up to an access whose value
 * decides how it runs on; when the access is answered, it delivers more. */
#ifndef GOLDMEM_CYCLE_SM_LIVE_H
#define GOLDMEM_CYCLE_SM_LIVE_H

#include "cycle/sm/warp.h"

/* True if the source will deliver more of the warp. */
static inline bool gm_cycle_live_is_open(const gm_cycle_sm *sm, const gm_cycle_warp *warp)
{
    return sm->shared->live != NULL && (sm->resident_cta[warp->cta]->open >> warp->place & 1) != 0;
}

/* Runs a warp in LIVE on if its access is answered. */
__attribute__((noinline)) void gm_cycle_live_recheck(gm_cycle_sm *sm, uint32_t slot, gm_cycle now);

#endif
