/* Private to the load/store unit: what its two ways to the L1 share, in the order of instructions
 * (load_store.c) and by warps (load_store_reorder.c). */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_PARTS_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_PARTS_H

#include "cycle/lsu/load_store.h"

/* Answers a ticket in cycle `at`. */
static inline void gm_due_later(gm_due_queue *queue, uint32_t ticket, gm_cycle at)
{
    uint32_t tail = queue->head + queue->count++;
    queue->due[tail < queue->capacity ? tail : tail - queue->capacity] =
        (gm_due){.at = at, .ticket = ticket};
}

static inline gm_cycle gm_load_store_next_due(const gm_due_queue *queue)
{
    return queue->count != 0 ? queue->due[queue->head].at : GM_NEVER;
}

/* A word for each ticket: answers to come, done at 0, and above them the cycle of its first issue.
 * Each request has few answers. */
enum { GM_PENDING_ANSWERS = 20 /* bits */ };

static inline uint32_t gm_load_store_unanswered(uint64_t pending)
{
    return (uint32_t)(pending & gm_mask(GM_PENDING_ANSWERS));
}

/* One of a ticket's answers has come. */
static inline void gm_load_store_answered(gm_load_store *unit, uint32_t ticket)
{
    if (gm_load_store_unanswered(--unit->pending[ticket]) == 0) {
        unit->done[unit->done_count++] = ticket;
        unit->tickets_waiting--;
    }
}

/* The oldest instruction is looked at for the first time: its passes through shared memory begin.
 */
void gm_load_store_begin(gm_load_store *unit, gm_queued_access *access, gm_cycle now);

/* When the oldest instruction, at which nobody has looked yet, is due; GM_NEVER: there is none. */
static inline gm_cycle gm_load_store_next_access(const gm_load_store *unit, gm_cycle now)
{
    if (unit->count == 0) {
        return GM_NEVER;
    }
    gm_cycle from = unit->queue[unit->head].from;
    return from > now ? from : now + 1;
}

/* The next request of the oldest instruction, which has one. */
static inline const gm_line_request *gm_load_store_next_request(const gm_load_store *unit,
                                                                const gm_queued_access *access)
{
    return access->next == 0
               ? &access->first
               : &unit->request[(size_t)unit->head * GM_COALESCED_REQUESTS + access->next];
}

/* The oldest instruction's requests have all gone to the L1, or are on their way there: it leaves
 * the queue, unless it still passes through shared memory. Returns when the oldest is next due. */
static inline gm_cycle gm_load_store_retire(gm_load_store *unit, const gm_queued_access *access,
                                            gm_cycle now)
{
    if (access->shared_last > now) {
        return access->shared_last;
    }
    unit->head = unit->head + 1 == unit->places ? 0 : unit->head + 1;
    unit->count--;
    return gm_load_store_next_access(unit, now);
}

/* The L1's answer to a request of any L1. */
gm_cycle_l1_answer gm_load_store_ask_any(gm_load_store *unit, const gm_line_request *line,
                                         gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                         gm_cycle now);

/* Gives the L1 a request, which came in cycle `began`; whether it was taken. */
static inline bool gm_load_store_give(gm_load_store *unit, const gm_line_request *line,
                                      gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                      gm_cycle now)
{
    if (unit->blocked != GM_CYCLE_L1_TAKEN) {
        gm_cycle_l1_count_fails(&unit->l1d.statistics, unit->blocked, kind,
                                now - unit->blocked_from);
    }
    gm_cycle_l1_answer answer = unit->l1d.usual && kind == GM_REQUEST_LOAD
                                    ? gm_cycle_l1_load_usual(&unit->l1d, line, ticket, began, now)
                                    : gm_load_store_ask_any(unit, line, kind, ticket, began, now);
    unit->blocked = answer == GM_CYCLE_L1_HIT ? GM_CYCLE_L1_TAKEN : answer;
    if (answer == GM_CYCLE_L1_HIT) {
        gm_due_later(&unit->hits, ticket, now + unit->latency);
        if (kind == GM_REQUEST_LOAD) {
            unit->l1d.time.loads++;
            unit->l1d.time.load_cycles += now + unit->latency - began;
        }
    } else if (answer != GM_CYCLE_L1_TAKEN) {
        unit->blocked_kind = kind;
        unit->blocked_from = now;
        return false;
    }
    return true;
}

/* Has nothing happened that could let a request in that has failed? `gone`: mask of reasons that
 * may be gone. A full bypass path is one of two reasons: what the request wanted first may be had
 * again. */
static inline bool gm_load_store_waits(const gm_load_store *unit, uint32_t gone)
{
    uint32_t reasons =
        unit->blocked == GM_CYCLE_L1_FAIL_BYPASS_QUEUE ? UINT32_MAX : UINT32_C(1) << unit->blocked;
    return unit->blocked != GM_CYCLE_L1_TAKEN && (gone & reasons) == 0;
}

/* One cycle of what lies in front of the L1, whose requests it is given. `gone`: mask of reasons to
 * be blocked that may be gone. Returns the first cycle in which it has something to do, if nothing
 * comes from beyond; or GM_NEVER. */
typedef gm_cycle gm_load_store_serve(gm_load_store *unit, uint32_t gone, gm_cycle now);

/* Answers what is due. */
static inline void gm_load_store_answer_due(gm_load_store *unit, gm_due_queue *queue, gm_cycle now)
{
    while (queue->count != 0 && queue->due[queue->head].at <= now) {
        gm_load_store_answered(unit, queue->due[queue->head].ticket);
        queue->head = queue->head + 1 == queue->capacity ? 0 : queue->head + 1;
        queue->count--;
    }
}

/* The unit has done cycle `now`, and by itself has something to do in cycle `next`. For packets
 * that are not in front of the SM yet, and for room that the interconnect has not got yet
 * (`refused`), the networks wake it. */
static inline void gm_load_store_sleep(gm_load_store *unit, gm_cycle next, bool refused,
                                       gm_cycle now)
{
    const gm_cycle_l1 *l1d = &unit->l1d;
    if ((unit->hits.count | unit->shared.count) != 0) {
        gm_wake(&next, gm_load_store_next_due(&unit->hits));
        gm_wake(&next, gm_load_store_next_due(&unit->shared));
    }
    if (l1d->answering != GM_NO_ENTRY || (l1d->count != 0 && !refused)) {
        next = now + 1;
    }
    unit->due = next;
    gm_cycle arrival = gm_network_arrival(l1d->shared->replies, l1d->number);
    gm_wake(&next, arrival > now ? arrival : now + 1);
    gm_wake(unit->wake, next);
}

/* A step, `serve` being a constant. Room first: what a reply or the interconnect frees in a cycle
 * can be had in it. */
static inline __attribute__((always_inline)) void gm_load_store_step_by(gm_load_store *unit,
                                                                        gm_cycle now,
                                                                        gm_load_store_serve *serve)
{
    gm_cycle_l1 *l1d = &unit->l1d;
    unit->done_count = 0;
    uint32_t gone = unit->retries;
    bool refused = false;
    if (l1d->count != 0) {
        refused = !gm_cycle_l1_send(l1d, now);
        if (!refused) {
            gone |= UINT32_C(1) << GM_CYCLE_L1_FAIL_MISS_QUEUE |
                    UINT32_C(1) << GM_CYCLE_L1_FAIL_BYPASS_QUEUE;
        }
    }
    if (gm_cycle_l1_has_reply(l1d, now)) {
        uint32_t ticket;
        gone |= gm_cycle_l1_reply(l1d, now, &ticket);
        if (ticket != GM_NO_TICKET) {
            gm_load_store_answered(unit, ticket);
        }
    }
    gm_cycle next = serve(unit, gone, now);
    if ((unit->hits.count | unit->shared.count) != 0) {
        gm_load_store_answer_due(unit, &unit->hits, now);
        gm_load_store_answer_due(unit, &unit->shared, now);
    }
    if (l1d->flushing) {
        gm_cycle_l1_flush_on(l1d);
    }
    gm_load_store_sleep(unit, next, refused, now);
}

/* l1.lookup=last. Bytes of arena that gm_load_store_make_pipeline takes; 0 without it. */
size_t gm_load_store_pipeline_bytes(const gm_config *config);
int gm_load_store_make_pipeline(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                                gm_error *error);

/* A step: up to l1.ports requests that have passed the pipeline go to the L1, and the oldest
 * instruction gives it as many. */
void gm_load_store_step_pipelined(gm_load_store *unit, gm_cycle now);

/* The request of a ticket that waits in the pipeline, the oldest; or NULL. */
const gm_reordered_request *gm_load_store_find_pipelined(const gm_load_store *unit,
                                                         uint32_t ticket);

void gm_load_store_snapshot_pipeline(gm_load_store *unit, gm_snapshot *snapshot);

/* MRPB (policy/mrpb.h). Bytes of arena that gm_load_store_make_reorder takes; 0 without it. */
size_t gm_load_store_reorder_bytes(const gm_config *config);
int gm_load_store_make_reorder(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                               gm_error *error);

/* A step: the oldest instruction gives l1.ports requests to its warp's FIFO, and the FIFOs give as
 * many to the L1. */
void gm_load_store_step_reordered(gm_load_store *unit, gm_cycle now);

/* The request of a ticket that waits in a FIFO, or NULL. */
const gm_reordered_request *gm_load_store_find_reordered(const gm_load_store *unit,
                                                         uint32_t ticket);

void gm_load_store_snapshot_reorder(gm_load_store *unit, gm_snapshot *snapshot);

#endif
