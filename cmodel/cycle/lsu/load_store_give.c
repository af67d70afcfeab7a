/* Requests and answers of the load/store unit, in each order in which requests reach the L1. */
#include "cycle/lsu/load_store_give.h"

void gm_load_store_begin(gm_load_store *unit, gm_queued_access *access, gm_cycle now)
{
    access->begun = true;
    access->shared_last = now;
    if (access->shared_passes != 0) {
        access->shared_last = now + access->shared_passes - 1;
        gm_due_later(&unit->shared, access->ticket, access->shared_last + unit->shared_latency);
    } else if (access->requests == 0) {
        gm_load_store_answered(unit, access->ticket);
    }
}

gm_cycle_l1_answer gm_load_store_attempt_any(gm_load_store *unit, const gm_line_request *line,
                                             gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                             gm_cycle now)
{
    gm_cycle_l1_request request = {.line = line,
                                   .kind = kind,
                                   .ticket = ticket,
                                   .began = began,
                                   .again = unit->blocked != GM_CYCLE_L1_TAKEN};
    uint32_t answers = 0;
    gm_cycle_l1_answer answer = gm_cycle_l1_access(&unit->l1, &request, now, &answers);
    if (answer == GM_CYCLE_L1_TAKEN) {
        unit->pending[ticket] += (uint64_t)answers - 1; /* one was expected */
    }
    return answer;
}

/* Answers the tickets that are due. */
static void answer_due(gm_load_store *unit, gm_due_queue *queue, gm_cycle now)
{
    while (gm_load_store_next_due(queue) <= now) {
        gm_load_store_answered(unit, queue->due[gm_ring_first(&queue->ring)].ticket);
        gm_ring_pop(&queue->ring);
    }
}

/* Ends cycle `now`: sets the wake-up time. `next`: cycle in which the order next has work without
 * an event from outside. The networks lower the wake-up time for packets that have not arrived
 * yet, and for room if the interconnect refused a packet (`refused`). */
static void sleep_until(gm_load_store *unit, gm_cycle next, bool refused, gm_cycle now)
{
    const gm_cycle_l1 *l1 = &unit->l1;
    if ((gm_ring_count(&unit->hits.ring) | gm_ring_count(&unit->shared.ring)) != 0) {
        gm_wake(&next, gm_load_store_next_due(&unit->hits));
        gm_wake(&next, gm_load_store_next_due(&unit->shared));
    }
    if (l1->answering != GM_NO_ENTRY || (!gm_ring_is_empty(&l1->queue) && !refused)) {
        next = now + 1;
    }
    unit->due = next;
    gm_cycle arrival = gm_cycle_l1_next_arrival(l1);
    gm_wake(&next, arrival > now ? arrival : now + 1);
    gm_wake(unit->wake, next);
}

void gm_load_store_step_by(gm_load_store *unit, gm_cycle now, gm_load_store_serve *serve)
{
    gm_cycle_l1 *l1 = &unit->l1;
    unit->done_count = 0;
    uint32_t gone = unit->retries;
    bool refused = false;
    if (!gm_ring_is_empty(&l1->queue)) {
        refused = !gm_cycle_l1_send(l1, now);
        if (!refused) {
            gone |= GM_CYCLE_L1_FREED_QUEUE | GM_CYCLE_L1_FREED_BYPASS;
        }
    }
    if (gm_cycle_l1_has_reply(l1, now)) {
        uint32_t ticket;
        gone |= gm_cycle_l1_reply(l1, now, &ticket);
        if (ticket != GM_NO_TICKET) {
            gm_load_store_answered(unit, ticket);
        }
    }
    gm_cycle next = serve(unit, gone, now);
    if ((gm_ring_count(&unit->hits.ring) | gm_ring_count(&unit->shared.ring)) != 0) {
        answer_due(unit, &unit->hits, now);
        answer_due(unit, &unit->shared, now);
    }
    if (l1->flushing) {
        gm_cycle_l1_flush_on(l1);
    }
    sleep_until(unit, next, refused, now);
}
