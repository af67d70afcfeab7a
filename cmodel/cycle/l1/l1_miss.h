/* Misses of the timed L1: a miss takes a way and an MSHR entry that fetches the line, or merges
 * into the line's open entry. A request gets everything that it needs, or nothing. */
#ifndef GOLDMEM_CYCLE_L1_L1_MISS_H
#define GOLDMEM_CYCLE_L1_L1_MISS_H

#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_lookup.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sharing.h"
#include "cycle/l1/l1_tracker.h"
#include "cycle/l1/l1_values.h"

/* Constants that an instance is compiled for: a field is false if the L1 is known not to have the
 * feature.
 * Measured in instructions of a whole run (callgrind): without the instance for loads of a usual L1
 * (gm_cycle_l1_load_usual) spmv has 16% more, vectoradd 4%. */
typedef struct gm_cycle_l1_shape {
    bool decoupled; /* l1.kind */
    bool on_fill;   /* l1.allocation */
    bool protects;  /* a bypass policy protects lines */
    bool split;     /* an L1 line is several L2 lines */
    bool values;    /* --check=values */
    bool ccws;      /* sm.throttle=ccws */
    bool tracked;   /* tracker.enabled */
    bool many;      /* a set has more ways than an order word, or the cache is unbounded, or
                       sharing-aware */
} gm_cycle_l1_shape;

static const gm_cycle_l1_shape gm_cycle_l1_usual = {.decoupled = false};
static const gm_cycle_l1_shape gm_cycle_l1_any = {.decoupled = true,
                                                  .on_fill = true,
                                                  .protects = true,
                                                  .split = true,
                                                  .values = true,
                                                  .ccws = true,
                                                  .tracked = true,
                                                  .many = true};

/* Handles a miss. Requires that sectors are missing and none is in flight; `effect` fetches or
 * overwrites them. Result as gm_cycle_l1_access. */
gm_cycle_l1_answer gm_cycle_l1_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                    const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                    gm_cycle now, uint32_t *answers);

/* Makes a request a requester of its line's open entry. Requires an effect that merges. Result as
 * gm_cycle_l1_access. */
gm_cycle_l1_answer gm_cycle_l1_merge(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                     uint32_t *answers);

/* CCWS: gives the tag of a replaced line to the warp that took it, if there was a line, and its
 * slot to the warp that takes the new one. */
static inline void gm_cycle_l1_change_taker(gm_cycle_l1 *l1, uint32_t slot, const gm_victim *victim,
                                            uint32_t warp)
{
    if (victim->state.valid != 0) {
        gm_ccws_replaced(l1->ccws, l1->ccws->taker[slot], victim->line);
    }
    l1->ccws->taker[slot] = (uint8_t)warp;
}

/* Conventional: puts a line into the slot of a victim, whose dirty sectors are written back.
 * Returns the slot. `warp`: CCWS: the warp that takes the line. */
GM_TEMPLATE uint32_t gm_cycle_l1_replace(gm_cycle_l1 *l1, uint64_t line, gm_cache_place place,
                                         uint32_t slot, gm_access_kind kind, bool from_fill,
                                         uint32_t warp, const bool ccws)
{
    gm_victim victim;
    slot = gm_cache_replace(&l1->cache, line, place, slot, &victim);
    if (ccws && l1->ccws != NULL) {
        gm_cycle_l1_change_taker(l1, slot, &victim, warp);
    }
    if (victim.state.valid != 0) {
        l1->statistics.evictions[kind]++;
        if (victim.state.dirty != 0) {
            gm_cycle_l1_write_back(l1, victim.line, victim.state.dirty, kind, from_fill);
        } else if (l1->tracked != NULL) {
            gm_cycle_l1_tell_evict(l1, victim.line, victim.state.valid, from_fill);
        }
    }
    return slot;
}

/* The resources that a miss takes. */
typedef struct gm_cycle_l1_plan {
    bool allocates; /* takes a way now; with allocation on fill a fetched line gets its way when the
                       data arrive */
    uint32_t slot;
    uint32_t packets; /* in the miss queue */
} gm_cycle_l1_plan;

/* Returns the number of packets for sectors of a line. */
GM_TEMPLATE uint32_t gm_cycle_l1_packets_of(const gm_cycle_l1 *l1, uint32_t sectors,
                                            gm_cycle_l1_shape shape)
{
    return shape.split && sectors != 0 ? gm_cycle_l1_parts(l1->shared, sectors) : sectors != 0;
}

GM_TEMPLATE bool gm_cycle_l1_is_decoupled(const gm_cycle_l1 *l1, gm_cycle_l1_shape shape)
{
    return shape.decoupled && l1->decoupled != NULL;
}

GM_TEMPLATE bool gm_cycle_l1_is_tracked(const gm_cycle_l1 *l1, gm_cycle_l1_shape shape)
{
    return shape.tracked && l1->tracked != NULL;
}

GM_TEMPLATE bool gm_cycle_l1_allocates_on_fill(const gm_cycle_l1 *l1, gm_cycle_l1_shape shape)
{
    return shape.on_fill && l1->shared->on_fill;
}

/* Returns the slot that an absent line would get, or GM_NO_SLOT. */
GM_TEMPLATE uint32_t gm_cycle_l1_victim_of(const gm_cycle_l1 *l1, gm_cache_place place,
                                           gm_cycle_l1_shape shape)
{
    if (shape.protects && l1->shared->policy.bypasses) {
        gm_protection protection = gm_bypass_protection(&l1->bypass, place.set);
        if (protection.until != NULL) {
            return gm_cache_victim_beside(&l1->cache, place, protection.until, protection.access);
        }
    }
    return gm_cache_victim(&l1->cache, place);
}

/* Finds a slot for an absent line, and sets *packets to the packets of the victim's write-back.
 * Returns false if there is no slot. */
GM_TEMPLATE bool gm_cycle_l1_find_slot(gm_cycle_l1 *l1, const gm_cycle_l1_found *found,
                                       uint32_t *slot, uint32_t *packets, gm_cycle_l1_shape shape)
{
    if (gm_cycle_l1_is_decoupled(l1, shape)) {
        return gm_cycle_l1_decoupled_has_victim(l1, found, packets);
    }
    *packets = 0;
    *slot = gm_cycle_l1_victim_of(l1, found->place, shape);
    if (*slot != GM_NO_SLOT && !(shape.many && l1->cache.unbounded)) {
        gm_sector_state victim = l1->cache.way[*slot].state;
        *packets = gm_cycle_l1_is_tracked(l1, shape)
                       ? victim.valid != 0
                       : gm_cycle_l1_packets_of(l1, victim.dirty, shape);
    }
    return *slot != GM_NO_SLOT;
}

/* Plans a miss. Returns false if there is no slot for the line. */
GM_TEMPLATE bool gm_cycle_l1_make_plan(gm_cycle_l1 *l1, const gm_cycle_l1_found *found,
                                       const gm_l1_effect *effect, gm_cycle_l1_plan *plan,
                                       gm_cycle_l1_shape shape)
{
    plan->allocates =
        effect->allocates && (!gm_cycle_l1_allocates_on_fill(l1, shape) || effect->fetched == 0);
    plan->slot = found->place.slot;
    plan->packets =
        (gm_cycle_l1_is_tracked(l1, shape) ? effect->fetched != 0 /* one LOOKUP */
                                           : gm_cycle_l1_packets_of(l1, effect->fetched, shape)) +
        gm_cycle_l1_packets_of(l1, effect->forwarded, shape);
    uint32_t victim = 0;
    bool has_slot =
        !plan->allocates || gm_cycle_l1_find_slot(l1, found, &plan->slot, &victim, shape);
    plan->packets += victim;
    return has_slot;
}

/* Gives the MSHRs the request as a REQUEST or a PROBE (`op`). Returns their response. */
GM_TEMPLATE gm_mshr_response gm_cycle_l1_access_mshr(gm_cycle_l1 *l1,
                                                     const gm_cycle_l1_request *request,
                                                     uint64_t op, bool may_allocate)
{
    return gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = op,
                                                       .line = request->line->line,
                                                       .requester = gm_cycle_l1_requester(request),
                                                       .may_allocate = may_allocate});
}

/* Returns the reservation fail of a request that the MSHRs have refused. */
GM_TEMPLATE gm_cycle_l1_answer gm_cycle_l1_refused(const gm_mshr_response *response)
{
    switch (response->reason) {
    case GM_MSHR_FAIL_ENTRY:
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    case GM_MSHR_FAIL_MERGE:
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    default:
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
}

GM_TEMPLATE void gm_cycle_l1_begin_entry(gm_cycle_l1 *l1, uint32_t id, const gm_cycle_l1_plan *plan,
                                         const gm_l1_effect *effect, gm_access_kind kind,
                                         gm_cycle now, gm_cycle_l1_shape shape)
{
    bool waits = plan->slot != GM_NO_SLOT && !gm_cycle_l1_allocates_on_fill(l1, shape);
    l1->entry[id] = (gm_cycle_l1_entry){
        .since = now,
        .slot = waits ? plan->slot : GM_NO_SLOT,
        .sectors = effect->validated,
        .dirty = effect->dirtied & effect->validated,
        .packets = gm_cycle_l1_packets_of(l1, effect->fetched, shape),
        .kind = kind,
        .fill = plan->allocates && gm_cycle_l1_is_decoupled(l1, shape),
    };
    if (waits && !gm_cycle_l1_is_decoupled(l1, shape)) {
        gm_cache_wait(&l1->cache, plan->slot);
    }
    l1->entries++;
    l1->time.l1_mshr_entries++;
    l1->statistics.sectors_filled[kind] += gm_count_ones(effect->fetched);
}

/* Makes the line the most recently used, or gives it its planned slot. Returns the slot. */
GM_TEMPLATE uint32_t gm_cycle_l1_take_slot(gm_cycle_l1 *l1, uint64_t address, uint32_t warp,
                                           const gm_cycle_l1_found *found,
                                           const gm_cycle_l1_plan *plan, const gm_l1_effect *effect,
                                           gm_access_kind kind, gm_cycle_l1_shape shape)
{
    if (!plan->allocates) {
        gm_cycle_l1_touch(l1, address, found, true);
        return plan->slot;
    }
    return gm_cycle_l1_is_decoupled(l1, shape)
               ? gm_cycle_l1_decoupled_allocate(l1, address, kind, effect->fetched == 0)
               : gm_cycle_l1_replace(l1, address, found->place, plan->slot, kind, false, warp,
                                     shape.ccws);
}

GM_TEMPLATE void gm_cycle_l1_push_fetch(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors,
                                        uint32_t id, gm_cycle_l1_shape shape)
{
    if (shape.split) {
        gm_cycle_l1_push(l1, GM_MESSAGE_READ, line, sectors, sectors, id);
    } else {
        gm_cycle_l1_push_part(l1, GM_MESSAGE_READ, line, sectors, sectors, id);
    }
}

/* Applies a planned miss: counts it, takes its resources and queues its packets. Sectors that
 * become dirty when the data arrive are kept in the entry. */
GM_TEMPLATE void gm_cycle_l1_apply_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                        const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                        gm_cycle_l1_plan *plan, uint32_t id, gm_cycle now,
                                        gm_cycle_l1_shape shape)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    uint64_t line = request->line->line;
    l1->statistics.accesses[kind]++;
    gm_l1_count_outcome(&l1->statistics, kind, effect, request->line->sectors, found->line.held);
    uint32_t warp = shape.ccws && l1->ccws != NULL ? l1->warp[request->ticket] : 0;
    plan->slot = gm_cycle_l1_take_slot(l1, line, warp, found, plan, effect, kind, shape);
    if (shape.ccws && l1->ccws != NULL && request->kind == GM_REQUEST_LOAD &&
        found->place.slot == GM_NO_SLOT) {
        gm_ccws_miss(l1->ccws, warp, line, now);
    }
    uint32_t dirtied = effect->dirtied;
    if (effect->fetched != 0) {
        gm_cycle_l1_begin_entry(l1, id, plan, effect, kind, now, shape);
        if (shape.ccws && l1->ccws != NULL) {
            l1->ccws->fetcher[id] = (uint8_t)warp;
        }
        uint32_t answer = gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, id);
        if (gm_cycle_l1_is_tracked(l1, shape)) {
            gm_cycle_l1_look_up_elsewhere(l1, line, effect->fetched, answer, found->line.held == 0);
        } else {
            gm_cycle_l1_push_fetch(l1, line, effect->fetched, answer, shape);
        }
        if (shape.many && l1->cache.sharing != NULL) {
            gm_cycle_l1_sharing_asks(l1, request->line->local);
        }
        dirtied &= found->line.held;
    } else {
        gm_cycle_l1_state(l1, plan->slot)->valid |= effect->validated;
    }
    if (dirtied != 0) {
        gm_cycle_l1_make_dirty(l1, plan->slot, dirtied);
    }
    if (shape.values && l1->values != NULL) {
        gm_cycle_l1_value_miss(l1, request, found, effect, id, effect->fetched != 0);
    }
    if (effect->forwarded != 0) {
        gm_cycle_l1_push_store(l1, request, effect->forwarded);
    }
}

GM_TEMPLATE gm_cycle_l1_answer gm_cycle_l1_miss_by(gm_cycle_l1 *l1,
                                                   const gm_cycle_l1_request *request,
                                                   const gm_cycle_l1_found *found,
                                                   const gm_l1_effect *effect, gm_cycle now,
                                                   uint32_t *answers, gm_cycle_l1_shape shape)
{
    gm_cycle_l1_plan plan;
    if (!gm_cycle_l1_make_plan(l1, found, effect, &plan, shape)) {
        return GM_CYCLE_L1_FAIL_LINE;
    }
    bool fetches = effect->fetched != 0;
    if (fetches && l1->entries == l1->shared->mshr.entries) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY; /* the MSHRs, without an entry of the line, would fail
                                               so */
    }
    bool room = gm_cycle_l1_has_room(l1, plan.packets) &&
                (!fetches ||
                 !(gm_cycle_l1_allocates_on_fill(l1, shape) || gm_cycle_l1_is_tracked(l1, shape)) ||
                 gm_cycle_l1_has_room_for_victims(l1, 1));
    gm_mshr_response response = {.outcome = room ? GM_MSHR_NEW : GM_MSHR_FAIL,
                                 .reason = GM_MSHR_FAIL_MISS_QUEUE};
    if (fetches) {
        response = gm_cycle_l1_access_mshr(l1, request, GM_MSHR_REQUEST_OP, room);
    }
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    gm_cycle_l1_apply_miss(l1, request, found, effect, &plan, (uint32_t)response.id, now, shape);
    *answers = fetches + gm_cycle_l1_packets_of(l1, effect->forwarded, shape);
    return *answers == 0 ? GM_CYCLE_L1_HIT : GM_CYCLE_L1_TAKEN;
}

#endif
