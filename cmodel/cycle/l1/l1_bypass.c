/* L1 data cache with time: its bypass policy. */
#include "cycle/l1/l1_bypass.h"

bool gm_cycle_l1_is_protected(const gm_cycle_l1 *l1d, gm_cache_place place)
{
    if (!l1d->shared->policy.bypasses) {
        return false;
    }
    gm_protection protection = gm_bypass_protection(&l1d->bypass, place.set);
    return protection.until != NULL &&
           gm_cache_is_protected(&l1d->cache, place, protection.until, protection.access);
}

static uint32_t unprotected(const gm_cycle_l1 *l1d, gm_cache_place place, gm_protection protection)
{
    return protection.until != NULL
               ? gm_cache_victim_beside(&l1d->cache, place, protection.until, protection.access)
               : gm_cache_victim(&l1d->cache, place);
}

uint32_t gm_cycle_l1_unprotected_victim(const gm_cycle_l1 *l1d, gm_cache_place place)
{
    return unprotected(l1d, place, gm_bypass_protection(&l1d->bypass, place.set));
}

uint32_t gm_cycle_l1_fill_victim(const gm_cycle_l1 *l1d, gm_cache_place place)
{
    if (l1d->shared->policy.bypasses) {
        gm_protection protection = gm_bypass_protection(&l1d->bypass, place.set);
        protection.access--; /* a fill is none: as the last one found it */
        uint32_t slot = unprotected(l1d, place, protection);
        if (slot != GM_NO_SLOT) {
            return slot;
        }
    }
    return gm_cache_victim(&l1d->cache, place);
}

void gm_cycle_l1_note_fill(gm_cycle_l1 *l1d, uint32_t slot)
{
    if (l1d->shared->policy.bypasses) {
        gm_bypass_filled(&l1d->bypass, slot);
    }
}

/* A load, of which the policy decides before it takes anything, and when it fails. */
static gm_cycle_l1_answer load(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request, gm_cycle now,
                               uint32_t *answers)
{
    uint64_t line = request->line->line;
    gm_cache_place place = gm_cache_find(&l1d->cache, line);
    uint32_t open = l1d->entries != 0 ? gm_mshr_find_open(&l1d->mshr, line) : GM_NO_ENTRY;
    bool there = place.slot != GM_NO_SLOT;
    if (!there && open == GM_NO_ENTRY &&
        (gm_bypass_load(&l1d->bypass, line) || gm_cycle_l1_is_protected(l1d, place))) {
        return gm_cycle_l1_pass(l1d, request, answers);
    }
    gm_cycle_l1_answer answer = gm_cycle_l1_access_line(l1d, request, now, answers);
    if (answer <= GM_CYCLE_L1_TAKEN || !gm_bypass_stalled(&l1d->shared->bypass)) {
        return answer;
    }
    /* What stores have left in the L1, the L2 has not got yet. */
    uint32_t dirty = there ? gm_cache_state(&l1d->cache, place.slot)->dirty : 0;
    dirty |= open != GM_NO_ENTRY ? l1d->entry[open].dirty : 0;
    return (dirty & request->line->sectors) == 0 ? gm_cycle_l1_pass(l1d, request, answers) : answer;
}

gm_cycle_l1_answer gm_cycle_l1_access_by_policy(gm_cycle_l1 *l1d,
                                                const gm_cycle_l1_request *request, gm_cycle now,
                                                uint32_t *answers)
{
    gm_cycle_l1_answer answer = GM_CYCLE_L1_TAKEN;
    switch (request->kind) {
    case GM_REQUEST_STRONG_LOAD:
    case GM_REQUEST_ATOMIC:
    case GM_REQUEST_REDUCTION:
        return gm_cycle_l1_go_past(l1d, request, answers);
    case GM_REQUEST_LOAD:
        answer = load(l1d, request, now, answers);
        break;
    case GM_REQUEST_STORE:
        if (gm_bypass_store(&l1d->bypass)) {
            return gm_cycle_l1_go_past(l1d, request, answers);
        }
        answer = gm_cycle_l1_access_line(l1d, request, now, answers);
        break;
    }
    if (answer <= GM_CYCLE_L1_TAKEN) {
        gm_cache_place place = gm_cache_find(&l1d->cache, request->line->line);
        gm_bypass_accessed(&l1d->bypass, place.set, place.slot);
    }
    return answer;
}
