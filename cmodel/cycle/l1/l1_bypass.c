/* Requests that the timed L1 sends on to the L2. */
#include "cycle/l1/l1_bypass.h"

#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sector.h"
#include "cycle/l1/l1_tracker.h"
#include "cycle/l1/l1_values.h"

/* Closes the line's open entry, so that its data in flight are not installed. A line that holds no
 * sector gives its way back; decoupled: it gives its data line back when the data arrive. Returns
 * true if the line waited for the data and held no sector. */
static bool close(gm_cycle_l1 *l1, uint64_t address, const gm_cycle_l1_found *found,
                  gm_access_kind kind)
{
    if (found->open == GM_NO_ENTRY) {
        return false;
    }
    gm_cycle_l1_entry *entry = &l1->entry[found->open];
    uint32_t slot = entry->slot;
    if (l1->shared->by_sector) {
        gm_cycle_l1_sector_close(l1, address, found->line.in_flight);
    } else {
        gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_CLOSE_OP, .line = address});
    }
    bool waits = found->place.slot != GM_NO_SLOT && found->line.held == 0 &&
                 (l1->decoupled != NULL || slot != GM_NO_SLOT);
    if (l1->decoupled != NULL) {
        if (waits) {
            gm_cycle_l1_decoupled_remove(l1, address, kind);
        }
    } else if (slot != GM_NO_SLOT) {
        gm_cache_arrive(&l1->cache, slot);
        entry->slot = GM_NO_SLOT;
        l1->closed += found->line.held == 0; /* in an unbounded cache such a line is absent */
        if (waits) {
            gm_cache_drop(&l1->cache, found->place);
        }
    }
    return waits;
}

/* Drops the line and closes its entry. Decoupled: forgets it, unless the request is a store. */
static void invalidate(gm_cycle_l1 *l1, uint64_t address, const gm_cycle_l1_found *found,
                       gm_access_kind kind)
{
    if (close(l1, address, found, kind)) {
        return;
    }
    if (l1->decoupled != NULL) {
        gm_cycle_l1_decoupled_remove(l1, address, kind);
    } else if (found->place.slot != GM_NO_SLOT) {
        gm_cycle_l1_write_back(l1, address, found->dirty, kind, false);
        l1->statistics.invalidations[kind] += found->line.held != 0; /* else a tag without data */
        gm_cache_drop(&l1->cache, found->place);
    }
}

/* Counts the request and puts its packets into the miss queue. */
static gm_cycle_l1_answer send(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                               const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                               uint32_t *answers)
{
    const gm_line_request *line = request->line;
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint32_t parts = gm_cycle_l1_parts(l1->shared, effect->forwarded);
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket);
    *answers = parts;
    if (kind == GM_LOAD) {
        id = gm_cycle_l1_id(GM_CYCLE_L1_OF_BYPASSED, gm_cycle_l1_take_bypassed(l1, request, parts));
        *answers = 1;
        if (l1->tracked != NULL) {
            l1->tracked->strong++;
        }
    }
    if (l1->values != NULL) {
        gm_cycle_l1_value_forward(l1, request, found, effect, id);
    }
    l1->statistics.accesses[kind]++;
    gm_l1_count_outcome(&l1->statistics, kind, effect, line->sectors, found->line.held);
    if (l1->masks != NULL && kind != GM_LOAD) {
        gm_cycle_l1_push_bytes(l1, gm_request_message_kind(request->kind), line, id);
        return GM_CYCLE_L1_TAKEN;
    }
    if (request->kind == GM_REQUEST_STRONG_LOAD) {
        gm_cycle_l1_push_strong(l1, line->line, effect->forwarded, id);
        return GM_CYCLE_L1_TAKEN;
    }
    gm_cycle_l1_push(l1, gm_request_message_kind(request->kind), line->line, effect->forwarded,
                     kind == GM_LOAD ? 0 : line->whole, id);
    return GM_CYCLE_L1_TAKEN;
}

gm_cycle_l1_answer gm_cycle_l1_forward(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                       const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                       uint32_t *answers)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint64_t address = request->line->line;
    uint32_t dirty = effect->invalidates ? found->dirty : 0;
    if (effect->outcome == GM_L1_WAIT || gm_cycle_l1_holds(l1, request)) {
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    }
    if (kind == GM_LOAD && l1->bypassed_free == 0) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    if (!gm_cycle_l1_has_room(l1, gm_cycle_l1_parts(l1->shared, effect->forwarded) +
                                      gm_cycle_l1_parts(l1->shared, dirty))) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    if (effect->invalidates) {
        invalidate(l1, address, found, kind);
    } else if (l1->shared->policy.enabled && effect->outcome != GM_L1_BYPASS &&
               (!effect->closes || !close(l1, address, found, kind))) {
        gm_cycle_l1_touch(l1, address, found, false);
    }
    return send(l1, request, found, effect, answers);
}

gm_cycle_l1_answer gm_cycle_l1_bypass_decoupled(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                                const gm_cycle_l1_found *found,
                                                const gm_l1_effect *effect, uint32_t *answers)
{
    uint64_t address = request->line->line;
    gm_access_kind kind = gm_request_access_kind(request->kind);
    bool asks =
        kind == GM_LOAD && l1->tracked != NULL; /* then stores do not allocate, nor bypass */
    uint32_t packets = asks ? 1 : gm_cycle_l1_parts(l1->shared, effect->forwarded);
    uint32_t room; /* packets in the miss queue */
    if (!gm_cycle_l1_decoupled_has_victim(l1, found, &room)) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    room += kind == GM_STORE ? packets : 0;
    if (!gm_cycle_l1_has_room(l1, room)) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    if (kind == GM_LOAD && !gm_cycle_l1_can_bypass(l1, packets)) {
        return GM_CYCLE_L1_FAIL_BYPASS_QUEUE;
    }
    gm_cycle_l1_decoupled_bypass(l1, address, kind);
    if (kind == GM_LOAD) {
        return gm_cycle_l1_bypass(l1, request, answers);
    }
    if (effect->closes) {
        close(l1, address, found, kind);
    }
    return send(l1, request, found, effect, answers);
}
