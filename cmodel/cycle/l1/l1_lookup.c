/* Look-up of the timed L1. */
#include "cycle/l1/l1_lookup.h"

#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_sector.h"
#include "policy/bypass_place.h"

/* True if the line could have an open entry. A bounded cache that allocates on a miss holds every
 * such line, which saves most look-ups in the MSHRs. */
static bool may_be_open(const gm_cycle_l1 *l1, bool present)
{
    return present || l1->decoupled != NULL || l1->shared->on_fill || l1->cache.unbounded;
}

static gm_l1_place place_of_absent(const gm_cycle_l1 *l1, const gm_line_request *request,
                                   gm_request_kind kind, const gm_cycle_l1_found *found)
{
    if (l1->decoupled != NULL) {
        return found->outcome == GM_TAG_STORE_BYPASS        ? GM_L1_BYPASSED
               : found->outcome == GM_TAG_STORE_HIT_PENDING ? GM_L1_DEAD
                                                            : GM_L1_ABSENT;
    }
    if (found->open != GM_NO_ENTRY) {
        return GM_L1_AWAITED;
    }
    return l1->shared->policy.bypasses ? gm_bypass_place(&l1->bypass, &l1->cache, request->line,
                                                         request->chosen, kind, found->place)
                                       : GM_L1_ABSENT;
}

/* by_sector: returns the sectors of a line of which a request must know whether they are in flight.
 * A load does the same whatever others are, unless it may bypass the L1. */
static uint32_t sectors_that_matter(const gm_cycle_l1 *l1, const gm_line_request *request,
                                    gm_request_kind kind)
{
    const gm_l1_policy *policy = &l1->shared->policy;
    bool own = kind == GM_REQUEST_LOAD && !policy->bypasses && l1->streaming == NULL;
    return own ? request->sectors : policy->all_sectors;
}

/* Fills in the fields that follow from the line's slot and, decoupled, from the PROBE's outcome. */
static void complete(gm_cycle_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                     gm_cycle_l1_found *found)
{
    uint64_t address = request->line;
    bool present = found->place.slot != GM_NO_SLOT;
    if (present) {
        gm_sector_state state = *gm_cycle_l1_state(l1, found->place.slot);
        found->line.held = state.valid;
        found->dirty = state.dirty;
    }
    if (l1->shared->by_sector && l1->entries != 0 && may_be_open(l1, present)) {
        uint32_t maybe = sectors_that_matter(l1, request, kind) & ~found->line.held;
        gm_cycle_l1_sector_look_up(l1, address, maybe, found);
        found->line.place = present ? GM_L1_PRESENT : place_of_absent(l1, request, kind, found);
        return;
    }
    found->open = l1->entries != 0 && may_be_open(l1, present)
                      ? gm_mshr_find_open(&l1->mshr, address)
                      : GM_NO_ENTRY;
    if (found->open != GM_NO_ENTRY) {
        found->line.in_flight = l1->entry[found->open].sectors;
        found->line.written = l1->entry[found->open].dirty;
    }
    found->line.place = present ? GM_L1_PRESENT : place_of_absent(l1, request, kind, found);
}

gm_cycle_l1_found gm_cycle_l1_look_up_at(gm_cycle_l1 *l1, const gm_line_request *request,
                                         gm_request_kind kind, gm_cache_place place)
{
    gm_cycle_l1_found found = {.place = place, .victim = GM_NO_SLOT};
    complete(l1, request, kind, &found);
    return found;
}

uint32_t gm_cycle_l1_held(gm_cycle_l1 *l1, uint64_t line)
{
    gm_cycle_l1_found found = {.place = {.slot = GM_NO_SLOT}};
    if (l1->decoupled != NULL) {
        gm_cycle_l1_decoupled_look_up(l1, line, &found);
    } else {
        found.place = gm_cache_find(&l1->cache, line);
    }
    return found.place.slot != GM_NO_SLOT ? gm_cycle_l1_state(l1, found.place.slot)->valid : 0;
}

gm_cycle_l1_found gm_cycle_l1_look_up(gm_cycle_l1 *l1, const gm_line_request *request,
                                      gm_request_kind kind)
{
    if (l1->decoupled == NULL) {
        return gm_cycle_l1_look_up_at(l1, request, kind, gm_cache_find(&l1->cache, request->line));
    }
    gm_cycle_l1_found found = {.victim = GM_NO_SLOT};
    gm_cycle_l1_decoupled_look_up(l1, request->line, &found);
    complete(l1, request, kind, &found);
    return found;
}
