/* L1 data cache with time: a line of which something is missing, or on its way, in any L1. */
#include "cycle/l1/l1_miss.h"

/* The line is on its way. Sectors that are not must wait until it has come; so must a line that the
 * decoupled L1 would give a data line now, when its data on their way are of none. */
static gm_cycle_l1_answer merge(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                const gm_cycle_l1_line *line, const gm_cycle_l1_need *need,
                                uint32_t *answers)
{
    bool installed = line->there || line->outcome == GM_TAG_STORE_HIT_PENDING;
    if (!line->pending || (l1d->decoupled != NULL && !installed)) {
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    }
    uint32_t packets = gm_cycle_l1_parts(l1d->shared, need->writes);
    bool room = packets == 0 || gm_cycle_l1_has_room(l1d, packets);
    gm_mshr_response response =
        gm_cycle_l1_ask(l1d, request, room ? GM_MSHR_REQUEST_OP : GM_MSHR_PROBE_OP, true);
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    if (!room) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    gm_cycle_l1_touch(l1d, request->line->line, line, true);
    l1d->entry[line->open].dirty |= need->dirty & line->coming;
    if (line->there) {
        gm_cycle_l1_make_dirty(l1d, line->place.slot, need->dirty & ~line->coming);
    }
    l1d->statistics.accesses[need->kind]++;
    l1d->statistics.hits_pending[need->kind]++;
    gm_cycle_l1_push_store(l1d, request, need->writes);
    *answers = 1 + packets;
    return GM_CYCLE_L1_TAKEN;
}

/* A decoupled L1's PROBE is refused with the first try, but for a line that is there: a reference
 * would change its place in the order. */
gm_cycle_l1_answer gm_cycle_l1_fetch(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_line *line, const gm_cycle_l1_need *need,
                                     gm_cycle now, uint32_t *answers)
{
    gm_cycle_l1_answer answer =
        gm_cycle_l1_is_bypass(l1d, line) ? gm_cycle_l1_decoupled_pass(l1d, request, line, answers)
        : line->open != GM_NO_ENTRY
            ? merge(l1d, request, line, need, answers)
            : gm_cycle_l1_miss(l1d, request, line, need, now, answers, false);
    if (l1d->decoupled != NULL && answer >= GM_CYCLE_L1_FAIL_LINE && !request->again &&
        line->outcome != GM_TAG_STORE_HIT) {
        gm_decoupled_l1_probe(l1d->decoupled, request->line->line, false, false);
    }
    return answer;
}
