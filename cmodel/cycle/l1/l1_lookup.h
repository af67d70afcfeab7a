/* Look-up of the timed L1: the state of a request's line in tags, MSHRs and bypass policy. */
#ifndef GOLDMEM_CYCLE_L1_L1_LOOKUP_H
#define GOLDMEM_CYCLE_L1_L1_LOOKUP_H

#include "cache/l1_access_rules.h"
#include "cycle/l1/l1.h"

typedef struct gm_cycle_l1_found {
    gm_l1_line line;      /* for the access rules */
    gm_cache_place place; /* slot: of the line, or GM_NO_SLOT; decoupled: a data line's number */
    uint32_t dirty;       /* dirty sectors of the line */
    uint32_t open;        /* MSHR entry, or GM_NO_ENTRY */
    /* Decoupled, the result that a PROBE would have: */
    uint32_t outcome;  /* conventional: 0 */
    uint32_t victim;   /* slot that a line would give up, or GM_NO_SLOT */
    bool victim_waits; /* the victim waits for sectors */
} gm_cycle_l1_found;

/* Looks the request's line up; changes nothing. */
gm_cycle_l1_found gm_cycle_l1_look_up(gm_cycle_l1 *l1, const gm_line_request *request,
                                      gm_request_kind kind);

/* gm_cycle_l1_look_up of a conventional L1. Requires the `place` that gm_cache_find returns. */
gm_cycle_l1_found gm_cycle_l1_look_up_at(gm_cycle_l1 *l1, const gm_line_request *request,
                                         gm_request_kind kind, gm_cache_place place);

/* Returns the effect of a request by the L1's policy. Requires that the request does not always
 * bypass. */
GM_TEMPLATE gm_l1_effect gm_cycle_l1_effect_of(const gm_cycle_l1 *l1,
                                               const gm_line_request *request, gm_request_kind kind,
                                               const gm_l1_line *line)
{
    const gm_l1_access access = {.kind = kind,
                                 .local = request->local,
                                 .sectors = request->sectors,
                                 .whole = request->whole};
    return kind == GM_REQUEST_STORE ? gm_l1_store_effect(&l1->shared->policy, &access, line)
                                    : gm_l1_load_effect(&l1->shared->policy, &access, line);
}

static inline gm_sector_state *gm_cycle_l1_state(gm_cycle_l1 *l1, uint32_t slot)
{
    return l1->decoupled == NULL ? gm_cache_state(&l1->cache, slot) : &l1->decoupled->state[slot];
}

/* Makes the line the most recently used of its set. Decoupled: counts a reference; the line may be
 * in flight if `may_miss`. */
static inline void gm_cycle_l1_touch(gm_cycle_l1 *l1, uint64_t address,
                                     const gm_cycle_l1_found *found, bool may_miss)
{
    if (l1->decoupled != NULL) {
        l1->decoupled->references++;
        gm_decoupled_l1_probe(l1->decoupled, address, may_miss, false);
    } else if (found->place.slot != GM_NO_SLOT) {
        gm_cache_touch(&l1->cache, found->place);
    }
}

/* Makes sectors of a slot's line dirty. Requires that they are valid. */
static inline void gm_cycle_l1_make_dirty(gm_cycle_l1 *l1, uint32_t slot, uint32_t sectors)
{
    gm_sector_state *state = gm_cycle_l1_state(l1, slot);
    unsigned count = gm_count_ones(sectors & ~state->dirty);
    state->dirty |= sectors;
    l1->dirtied += count;
    l1->dirty_sectors += count;
}

#endif
