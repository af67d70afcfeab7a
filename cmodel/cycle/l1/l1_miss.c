/* Misses of the timed L1: the instance for any L1, and merges. */
#include "cycle/l1/l1_miss.h"

gm_cycle_l1_answer gm_cycle_l1_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                    const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                    gm_cycle now, uint32_t *answers)
{
    return gm_cycle_l1_miss_by(l1, request, found, effect, now, answers, gm_cycle_l1_any);
}

gm_cycle_l1_answer gm_cycle_l1_merge(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                     uint32_t *answers)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint32_t packets = gm_cycle_l1_parts(l1->shared, effect->forwarded);
    bool room = gm_cycle_l1_has_room(l1, packets);
    gm_mshr_response response =
        gm_cycle_l1_access_mshr(l1, request, room ? GM_MSHR_REQUEST_OP : GM_MSHR_PROBE_OP, true);
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    if (!room) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    gm_cycle_l1_touch(l1, request->line->line, found, true);
    l1->entry[found->open].dirty |= effect->dirtied & found->line.in_flight;
    if (found->place.slot != GM_NO_SLOT) {
        gm_cycle_l1_make_dirty(l1, found->place.slot, effect->dirtied & found->line.held);
    }
    l1->statistics.accesses[kind]++;
    gm_l1_count_outcome(&l1->statistics, kind, effect, request->line->sectors, found->line.held);
    if (l1->values != NULL) {
        gm_cycle_l1_value_miss(l1, request, found, effect, found->open, true);
    }
    gm_cycle_l1_push_store(l1, request, effect->forwarded);
    *answers = 1 + packets;
    return GM_CYCLE_L1_TAKEN;
}
