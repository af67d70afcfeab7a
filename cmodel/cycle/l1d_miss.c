/* L1 data cache with time: a line of which something is missing, or on its way, in any L1. */
#include "cycle/l1d_miss.h"

/* The line is on its way. Sectors that are not must wait until it has come; so must a line that the
 * decoupled L1 would give a data line now, when its data on their way are of none. */
static gm_l1d_answer merge(gm_timed_l1d *l1d, const gm_l1d_request *request,
                           const gm_l1d_line *line, const gm_l1d_need *need, uint32_t *answers)
{
    bool installed = line->there || line->outcome == GM_TAG_STORE_HIT_PENDING;
    if (!line->pending || (l1d->decoupled != NULL && !installed)) {
        return GM_L1D_FAIL_MSHR_MERGE;
    }
    uint32_t packets = gm_l1d_parts(l1d->shared, need->writes);
    bool room = packets == 0 || gm_l1d_has_room(l1d, packets);
    gm_mshr_response response =
        gm_l1d_ask(l1d, request, room ? GM_MSHR_REQUEST_OP : GM_MSHR_PROBE_OP, true);
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_l1d_refused(&response);
    }
    if (!room) {
        return GM_L1D_FAIL_MISS_QUEUE;
    }
    gm_l1d_touch(l1d, request->line->line, line, true);
    l1d->entry[line->open].dirty |= need->dirty & line->coming;
    if (line->there) {
        gm_l1d_make_dirty(l1d, line->place.slot, need->dirty & ~line->coming);
    }
    l1d->statistics.accesses[need->kind]++;
    l1d->statistics.hits_pending[need->kind]++;
    gm_l1d_push_store(l1d, request, need->writes);
    *answers = 1 + packets;
    return GM_L1D_TAKEN;
}

/* A decoupled L1's PROBE is refused with the first try, but for a line that is there: a reference
 * would change its place in the order. */
gm_l1d_answer gm_l1d_fetch(gm_timed_l1d *l1d, const gm_l1d_request *request,
                           const gm_l1d_line *line, const gm_l1d_need *need, gm_cycle now,
                           uint32_t *answers)
{
    gm_l1d_answer answer =
        gm_l1d_is_bypass(l1d, line) ? gm_l1d_decoupled_pass(l1d, request, line, answers)
        : line->open != GM_NO_ENTRY ? merge(l1d, request, line, need, answers)
                                    : gm_l1d_miss(l1d, request, line, need, now, answers, false);
    if (l1d->decoupled != NULL && answer >= GM_L1D_FAIL_LINE && !request->again &&
        line->outcome != GM_TAG_STORE_HIT) {
        gm_l1d_decoupled_probe(l1d->decoupled, request->line->line, false, false);
    }
    return answer;
}
