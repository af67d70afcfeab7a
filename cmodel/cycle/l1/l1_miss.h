/* Private to the L1 with time: what a load, or a store that allocates, does when not all of its
 * line is there. One body serves two kinds of machine: `plain`, a constant wherever it is called,
 * is what gm_cycle_l1.plain says. */
#ifndef GOLDMEM_CYCLE_L1_L1_MISS_H
#define GOLDMEM_CYCLE_L1_L1_MISS_H

#include "cycle/l1/l1_bypass.h"
#include "cycle/l1/l1_line.h"

/* What it needs. */
typedef struct gm_cycle_l1_need {
    gm_access_kind kind;
    uint32_t covered; /* sectors that a store writes whole */
    uint32_t dirty;   /* that a store leaves dirty */
    uint32_t writes;  /* that a store sends on */
} gm_cycle_l1_need;

/* Of a miss, beyond what the need says. */
typedef struct gm_cycle_l1_plan {
    uint32_t gained;  /* sectors that will be valid */
    uint32_t fetched; /* of them: asked for */
    bool takes_line;  /* now */
    uint32_t slot;
    uint32_t packets;
} gm_cycle_l1_plan;

/* A line of which something is missing, in any L1. */
gm_cycle_l1_answer gm_cycle_l1_fetch(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_line *line, const gm_cycle_l1_need *need,
                                     gm_cycle now, uint32_t *answers);

/* Decoupled: a line that is not due for a data line. */
static inline bool gm_cycle_l1_is_bypass(const gm_cycle_l1 *l1d, const gm_cycle_l1_line *line)
{
    return l1d->decoupled != NULL && line->outcome == GM_TAG_STORE_BYPASS;
}

/* The MSHRs' REQUEST or PROBE. */
static inline __attribute__((always_inline)) gm_mshr_response gm_cycle_l1_ask(
    gm_cycle_l1 *l1d, const gm_cycle_l1_request *request, uint64_t op, bool may_allocate)
{
    return gm_mshr_access(&l1d->mshr, (gm_mshr_request){.op = op,
                                                        .line = request->line->line,
                                                        .requester = gm_cycle_l1_requester(request),
                                                        .may_allocate = may_allocate});
}

/* Why they have refused. */
static inline gm_cycle_l1_answer gm_cycle_l1_refused(const gm_mshr_response *response)
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

/* Packets for sectors of a line. */
static inline __attribute__((always_inline)) uint32_t gm_cycle_l1_packets(const gm_cycle_l1 *l1d,
                                                                          uint32_t sectors,
                                                                          bool plain)
{
    return plain || sectors == 0 ? sectors != 0 : gm_cycle_l1_parts(l1d->shared, sectors);
}

/* The slot that a line without one gets, and packets for the write-back of what is in it now.
 * false: there is none. */
static inline __attribute__((always_inline)) bool gm_cycle_l1_find_slot_for(
    gm_cycle_l1 *l1d, const gm_cycle_l1_line *line, uint32_t *slot, uint32_t *packets, bool plain)
{
    if (!plain) {
        return gm_cycle_l1_find_slot(l1d, line, slot, packets);
    }
    *slot = gm_cache_victim(&l1d->cache, line->place);
    *packets = *slot != GM_NO_SLOT && l1d->cache.way[*slot].state.dirty != 0;
    return *slot != GM_NO_SLOT;
}

/* GM_CYCLE_L1_TAKEN, or GM_CYCLE_L1_FAIL_LINE. */
static inline __attribute__((always_inline)) gm_cycle_l1_answer gm_cycle_l1_make_plan(
    gm_cycle_l1 *l1d, const gm_line_request *request, const gm_cycle_l1_line *line,
    const gm_cycle_l1_need *need, gm_cycle_l1_plan *plan, bool plain)
{
    const gm_cycle_l1_shared *shared = l1d->shared;
    uint32_t wanted = shared->policy.sectored ? request->sectors : shared->policy.all_sectors;
    plan->gained = wanted & ~line->held;
    plan->fetched = plan->gained & ~need->covered;
    plan->takes_line = !line->there && (plain || !shared->on_fill || plan->fetched == 0) &&
                       line->outcome != GM_TAG_STORE_HIT_PENDING;
    plan->slot = line->place.slot;
    plan->packets = gm_cycle_l1_packets(l1d, plan->fetched, plain) +
                    gm_cycle_l1_packets(l1d, need->writes, plain);
    if (plan->takes_line) {
        uint32_t victim;
        if (!gm_cycle_l1_find_slot_for(l1d, line, &plan->slot, &victim, plain)) {
            return GM_CYCLE_L1_FAIL_LINE;
        }
        plan->packets += victim;
    }
    return GM_CYCLE_L1_TAKEN;
}

static inline __attribute__((always_inline)) void gm_cycle_l1_begin_entry(
    gm_cycle_l1 *l1d, uint32_t id, const gm_cycle_l1_plan *plan, const gm_cycle_l1_need *need,
    gm_cycle now, bool plain)
{
    bool waits = plain || (plan->slot != GM_NO_SLOT && !l1d->shared->on_fill);
    l1d->entry[id] = (gm_cycle_l1_entry){
        .since = now,
        .slot = waits ? plan->slot : GM_NO_SLOT,
        .sectors = plan->gained,
        .dirty = need->dirty & plan->gained,
        .packets = gm_cycle_l1_packets(l1d, plan->fetched, plain),
        .kind = need->kind,
        .fill = !plain && plan->takes_line && l1d->decoupled != NULL,
    };
    if (plain || (waits && l1d->decoupled == NULL)) {
        gm_cache_wait(&l1d->cache, plan->slot);
    }
    l1d->entries++;
    l1d->time.l1_mshr_entries++;
    l1d->statistics.sectors_filled[need->kind] += gm_count_ones(plan->fetched);
}

/* The line's slot, which it has or gets. */
static inline __attribute__((always_inline)) void gm_cycle_l1_take(gm_cycle_l1 *l1d,
                                                                   uint64_t address,
                                                                   const gm_cycle_l1_line *line,
                                                                   gm_cycle_l1_plan *plan,
                                                                   gm_access_kind kind, bool plain)
{
    if (!plan->takes_line) {
        gm_cycle_l1_touch(l1d, address, line, true);
    } else if (!plain && l1d->decoupled != NULL) {
        plan->slot = gm_cycle_l1_decoupled_take_line(l1d, address, kind, plan->fetched == 0);
    } else {
        plan->slot = gm_cycle_l1_take_line(l1d, address, line->place, plan->slot, kind, false);
    }
}

/* No entry of the MSHRs waits for the line. */
static inline __attribute__((always_inline)) gm_cycle_l1_answer gm_cycle_l1_miss(
    gm_cycle_l1 *l1d, const gm_cycle_l1_request *request, const gm_cycle_l1_line *line,
    const gm_cycle_l1_need *need, gm_cycle now, uint32_t *answers, bool plain)
{
    gm_cycle_l1_plan plan;
    gm_cycle_l1_answer answer = gm_cycle_l1_make_plan(l1d, request->line, line, need, &plan, plain);
    if (answer != GM_CYCLE_L1_TAKEN) {
        return answer;
    }
    if (plan.fetched != 0 && l1d->entries == l1d->shared->mshr.entries) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY; /* as the MSHRs, which have no entry of it, would say */
    }
    bool room = gm_cycle_l1_has_room(l1d, plan.packets) &&
                (plain || plan.fetched == 0 || gm_cycle_l1_has_room_for_victim(l1d));
    gm_mshr_response response = {.outcome = room ? GM_MSHR_NEW : GM_MSHR_FAIL,
                                 .reason = GM_MSHR_FAIL_MISS_QUEUE};
    if (plan.fetched != 0) {
        response = gm_cycle_l1_ask(l1d, request, GM_MSHR_REQUEST_OP, room);
    }
    if (response.outcome == GM_MSHR_FAIL) {
        return gm_cycle_l1_refused(&response);
    }
    l1d->statistics.accesses[need->kind]++;
    l1d->statistics.misses[need->kind]++;
    l1d->statistics.sector_misses[need->kind] += line->held != 0;
    gm_cycle_l1_take(l1d, request->line->line, line, &plan, need->kind, plain);
    uint32_t waits = plan.fetched != 0;
    uint32_t dirty_now = need->dirty & (waits ? line->held : UINT32_MAX);
    if (waits) {
        gm_cycle_l1_begin_entry(l1d, (uint32_t)response.id, &plan, need, now, plain);
        uint32_t packet = gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, (uint32_t)response.id);
        if (plain) {
            gm_cycle_l1_push_part(l1d, GM_MESSAGE_READ, request->line->line, plan.fetched, 0,
                                  packet);
        } else {
            gm_cycle_l1_push(l1d, GM_MESSAGE_READ, request->line->line, plan.fetched, 0, packet);
        }
    } else {
        gm_cycle_l1_state(l1d, plan.slot)->valid |= plan.gained;
    }
    if (dirty_now != 0) {
        gm_cycle_l1_make_dirty(l1d, plan.slot, dirty_now);
    }
    if (need->writes != 0) {
        gm_cycle_l1_push_store(l1d, request, need->writes);
    }
    *answers = waits + gm_cycle_l1_packets(l1d, need->writes, plain);
    return *answers == 0 ? GM_CYCLE_L1_HIT : GM_CYCLE_L1_TAKEN;
}

#endif
