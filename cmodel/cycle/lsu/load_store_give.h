/* Requests and answers of the load/store unit: gives line requests to the L1 and answers tickets,
 * in each order in which requests reach the L1. Private to the unit. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_GIVE_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_GIVE_H

#include "base/template.h"
#include "cache/request_kind.h"
#include "cycle/lsu/load_store.h"
#include "cycle/lsu/load_store_write.h"

/* Schedules the answer of a ticket for cycle `at`. Requires room in the queue. */
static inline void gm_due_later(gm_due_queue *queue, uint32_t ticket, gm_cycle at)
{
    queue->due[gm_ring_push(&queue->ring)] = (gm_due){.at = at, .ticket = ticket};
}

static inline gm_cycle gm_load_store_next_due(const gm_due_queue *queue)
{
    return gm_ring_is_empty(&queue->ring) ? GM_NEVER : queue->due[gm_ring_first(&queue->ring)].at;
}

/* Bits of the number of outstanding answers in a ticket's word of `pending`: 0 means done. The bits
 * above have the cycle of the ticket's first issue. */
enum { GM_PENDING_ANSWERS = 20 /* bits */ };

static inline uint32_t gm_load_store_unanswered(uint64_t pending)
{
    return (uint32_t)(pending & gm_mask(GM_PENDING_ANSWERS));
}

/* Counts one of a ticket's answers as arrived. */
static inline void gm_load_store_answered(gm_load_store *unit, uint32_t ticket)
{
    if (gm_load_store_unanswered(--unit->pending[ticket]) == 0) {
        unit->done[unit->done_count++] = ticket;
        unit->tickets_waiting--;
    }
}

/* Returns the oldest instruction. Requires one. */
static inline gm_queued_access *gm_load_store_first(const gm_load_store *unit)
{
    return &unit->access[gm_ring_first(&unit->queue)];
}

/* Returns when the oldest instruction, which has not begun, is due; GM_NEVER: there is none. */
static inline gm_cycle gm_load_store_next_access(const gm_load_store *unit, gm_cycle now)
{
    if (gm_ring_is_empty(&unit->queue)) {
        return GM_NEVER;
    }
    gm_cycle from = gm_load_store_first(unit)->from;
    return from > now ? from : now + 1;
}

/* Begins the oldest instruction and its passes, if it has any. Private to
 * gm_load_store_due_access. */
void gm_load_store_begin(gm_load_store *unit, gm_queued_access *access, gm_cycle now);

/* Returns the cycle from which an instruction may begin its passes: there is a turn for it, and its
 * warp has none. */
gm_cycle gm_load_store_turn(const gm_load_store *unit, const gm_queued_access *access);

/* Returns the oldest instruction, begun. If none is due in cycle `now`, returns NULL and sets *next
 * to the cycle in which it is; GM_NEVER: there is none. */
static inline gm_queued_access *gm_load_store_due_access(gm_load_store *unit, gm_cycle now,
                                                         gm_cycle *next)
{
    if (gm_ring_is_empty(&unit->queue)) {
        *next = GM_NEVER;
        return NULL;
    }
    gm_queued_access *access = gm_load_store_first(unit);
    if (access->from > now) {
        *next = access->from;
        return NULL;
    }
    if (!access->begun) {
        if (unit->port.enabled && access->passes != 0 && !gm_ring_has_room(&unit->shared.ring)) {
            *next = now + 1; /* the pipeline of shared memory is full */
            return NULL;
        }
        if (unit->pass_interval > 1) {
            *next = gm_load_store_turn(unit, access);
            if (*next > now) {
                return NULL;
            }
        }
        gm_load_store_begin(unit, access, now);
    }
    return access;
}

/* Returns the requests of the oldest instruction, of which the first is not there. */
static inline const gm_line_request *gm_load_store_row(const gm_load_store *unit)
{
    return &unit->request[(size_t)gm_ring_first(&unit->queue) * GM_COALESCED_REQUESTS];
}

/* Returns the next request of the oldest instruction. Requires that it has one. */
static inline const gm_line_request *gm_load_store_next_request(const gm_load_store *unit,
                                                                const gm_queued_access *access)
{
    return access->next == 0 ? &access->first : gm_load_store_row(unit) + access->next;
}

/* Removes the oldest instruction from the queue, unless its passes go on.
 * Requires that all its requests have left the queue. Returns when the oldest is next due. */
static inline gm_cycle gm_load_store_retire(gm_load_store *unit, const gm_queued_access *access,
                                            gm_cycle now)
{
    if (access->last_pass > now) {
        return access->last_pass;
    }
    gm_ring_pop(&unit->queue);
    return gm_load_store_next_access(unit, now);
}

/* Attempts a request of any L1. */
gm_cycle_l1_answer gm_load_store_attempt_any(gm_load_store *unit, const gm_line_request *line,
                                             gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                             gm_cycle now);

/* As gm_load_store_attempt_any; counts the outcome for the ticket's instruction, and tells the
 * observer of accesses. */
gm_cycle_l1_answer gm_load_store_attempt_counted(gm_load_store *unit, const gm_line_request *line,
                                                 gm_request_kind kind, uint32_t ticket,
                                                 gm_cycle began, gm_cycle now);

/* Attempts a request that left the coalescer in cycle `began`. True if the L1 has taken it. */
static inline bool gm_load_store_give(gm_load_store *unit, const gm_line_request *line,
                                      gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                      gm_cycle now)
{
    if (unit->blocked != GM_CYCLE_L1_TAKEN) {
        gm_cycle_l1_count_fails(&unit->l1.statistics, unit->blocked, kind,
                                now - unit->blocked_from);
    }
    gm_cycle_l1_answer answer =
        unit->l1.counted ? gm_load_store_attempt_counted(unit, line, kind, ticket, began, now)
        : unit->l1.usual && kind == GM_REQUEST_LOAD
            ? gm_cycle_l1_load_usual(&unit->l1, line, ticket, began, now)
        : unit->l1.owns && kind == GM_REQUEST_LOAD
            ? gm_cycle_l1_load_owned(&unit->l1, line, ticket, began, now)
            : gm_load_store_attempt_any(unit, line, kind, ticket, began, now);
    unit->blocked = answer == GM_CYCLE_L1_HIT ? GM_CYCLE_L1_TAKEN : answer;
    if (answer == GM_CYCLE_L1_HIT) {
        gm_due_later(&unit->hits, ticket, now + unit->latency);
        if (kind == GM_REQUEST_LOAD) {
            if (unit->l1.latency != NULL) {
                gm_latency_answer(unit->l1.latency, ticket, GM_SERVED_BY_l1, true,
                                  now + unit->latency - began);
            }
            gm_cycle_l1_count_load(&unit->l1, began, now + unit->latency);
        }
    } else if (answer != GM_CYCLE_L1_TAKEN) {
        unit->blocked_kind = kind;
        unit->blocked_from = now;
        return false;
    }
    return true;
}

/* True if the instruction has requests left that leave the unit before the L1's pipeline. */
static inline bool gm_load_store_is_early(const gm_load_store *unit, const gm_queued_access *access)
{
    return unit->bypasses_early && access->next < access->requests &&
           gm_l1_bypasses_by_kind((gm_request_kind)access->kind);
}

/* Gives the L1 the next request of the oldest instruction, which bypasses it, without its pipeline.
 * `gone`: as in gm_load_store_waits. Returns when the oldest instruction is next due. Requires
 * gm_load_store_is_early. */
gm_cycle gm_load_store_put_early(gm_load_store *unit, gm_queued_access *access, uint32_t gone,
                                 gm_cycle now);

/* Counts the cycles of the tickets that are done. */
void gm_load_store_count_done(const gm_load_store *unit, gm_cycle now);

/* True while the blocked request must wait: its stall reason is not in `gone`, the mask of those
 * that may be gone. A request whose bypass path is full waits for either path, so for any reason.
 */
static inline bool gm_load_store_waits(const gm_load_store *unit, uint32_t gone)
{
    uint32_t reasons =
        unit->blocked == GM_CYCLE_L1_FAIL_BYPASS_QUEUE ? UINT32_MAX : UINT32_C(1) << unit->blocked;
    return unit->blocked != GM_CYCLE_L1_TAKEN && (gone & reasons) == 0;
}

/* Computes one cycle of an order in which requests reach the L1. `gone`: mask of the stall reasons
 * that may be gone. Returns the next cycle in which the order has work without an event from
 * outside, or GM_NEVER. */
typedef gm_cycle gm_load_store_serve(gm_load_store *unit, uint32_t gone, gm_cycle now);

/* Answers the tickets that are due. */
static inline void gm_load_store_answer_due(gm_load_store *unit, gm_due_queue *queue, gm_cycle now)
{
    while (gm_load_store_next_due(queue) <= now) {
        gm_load_store_answered(unit, queue->due[gm_ring_first(&queue->ring)].ticket);
        gm_ring_pop(&queue->ring);
    }
}

/* Ends cycle `now`: sets the wake-up time. `next`: cycle in which the order next has work without
 * an event from outside. The networks lower the wake-up time for packets that have not arrived
 * yet, and for room if the interconnect refused a packet (`refused`). */
static inline void gm_load_store_sleep(gm_load_store *unit, gm_cycle next, bool refused, bool port,
                                       gm_cycle now)
{
    const gm_cycle_l1 *l1 = &unit->l1;
    if ((gm_ring_count(&unit->hits.ring) | gm_ring_count(&unit->shared.ring)) != 0) {
        gm_wake(&next, gm_load_store_next_due(&unit->hits));
        gm_wake(&next, port ? GM_NEVER : gm_load_store_next_due(&unit->shared));
    }
    if (l1->answering != GM_NO_ENTRY || (!gm_ring_is_empty(&l1->queue) && !refused)) {
        next = now + 1;
    }
    if (port) {
        gm_wake(&next, gm_load_store_next_write(unit, now));
    }
    unit->due = next;
    gm_cycle arrival = gm_cycle_l1_next_arrival(l1);
    gm_wake(&next, arrival > now ? arrival : now + 1);
    gm_wake(unit->wake, next);
}

/* Computes one cycle of the unit in the order of `serve`. Resources are freed first: a request can
 * take in a cycle what a reply or the interconnect frees in it. One instance for each order: with
 * one for all, spmv takes 0.8% more (callgrind, gtx480). `may_port`: a constant, false if the order
 * has no write port; without it spmv takes 1.4% more. */
GM_TEMPLATE void gm_load_store_step_by(gm_load_store *unit, gm_cycle now,
                                       gm_load_store_serve *serve, const bool may_port)
{
    const bool port = may_port && unit->port.enabled;
    gm_cycle_l1 *l1 = &unit->l1;
    unit->done_count = 0;
    unit->hits_from = unit->hits_to = 0;
    uint32_t gone = unit->retries | unit->freed;
    bool refused = false;
    if (unit->drops) {
        gm_cycle_l1_note_uses(l1, now);
    }
    unit->freed = 0;
    if (port) {
        gone |= gm_load_store_write(unit, now);
    }
    if (!gm_ring_is_empty(&l1->queue)) {
        refused = !gm_cycle_l1_send(l1, now);
        if (!refused) {
            gone |= GM_CYCLE_L1_FREED_QUEUE | GM_CYCLE_L1_FREED_BYPASS;
        }
    }
    if (!port && gm_cycle_l1_has_reply(l1, now)) {
        uint32_t ticket;
        gone |= gm_cycle_l1_reply(l1, now, &ticket);
        if (ticket != GM_NO_TICKET) {
            gm_load_store_answered(unit, ticket);
        }
    }
    gm_cycle next = serve(unit, gone, now);
    if ((gm_ring_count(&unit->hits.ring) | gm_ring_count(&unit->shared.ring)) != 0) {
        unit->hits_from = unit->done_count;
        gm_load_store_answer_due(unit, &unit->hits, now);
        unit->hits_to = unit->done_count;
        if (!port) {
            gm_load_store_answer_due(unit, &unit->shared, now);
        }
    }
    if (l1->latency != NULL) {
        for (uint32_t i = 0; i < unit->done_count; i++) {
            gm_latency_end(l1->latency, unit->done[i], now);
        }
    }
    if (l1->pcs != NULL) {
        gm_load_store_count_done(unit, now);
    }
    if (l1->flushing) {
        gm_cycle_l1_flush_on(l1);
    }
    gm_load_store_sleep(unit, next, refused, port, now);
}

#endif
