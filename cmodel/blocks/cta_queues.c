/* CTA queues [tabbakh, IV]: hands the CTAs of a kernel to the SMs that ask, each CTA once. An SM
 * has a queue of its own, the group or the run that it has taken, and what is of no queue is one
 * range from `next` to the kernel's end. */
#include "goldmem/cta_queues.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

enum { MOST_CTA_BITS = 63 };

size_t gm_cta_queues_bytes(unsigned sms)
{
    return sms * sizeof(gm_cta_queue) + _Alignof(max_align_t);
}

int gm_cta_queues_init(gm_cta_queues *queues, const gm_cta_queues_parameters *parameters,
                       gm_arena *arena, gm_error *error)
{
    const gm_cta_queues_parameters *p = parameters;
    if (p->sms < 1 || p->sms > GM_CTA_QUEUES_SMS) {
        return gm_fail(error, -EINVAL, "cta_queues: sms %u: must be 1 to %d", p->sms,
                       GM_CTA_QUEUES_SMS);
    }
    if (p->cta_bits < 1 || p->cta_bits > MOST_CTA_BITS) {
        return gm_fail(error, -EINVAL, "cta_queues: cta_bits %u: must be 1 to %d", p->cta_bits,
                       MOST_CTA_BITS);
    }
    if (p->mode > GM_CTA_QUEUES_GROUPS) {
        return gm_fail(error, -EINVAL, "cta_queues: mode %u: must be 0 to 2", (unsigned)p->mode);
    }
    if (p->adaptive && p->mode != GM_CTA_QUEUES_GROUPS) {
        return gm_fail(error, -EINVAL, "cta_queues: adaptive needs mode 2");
    }
    *queues = (gm_cta_queues){
        .parameters = *p,
        .queue = gm_arena_take(arena, p->sms, sizeof(gm_cta_queue)),
    };
    return queues->queue != NULL ? 0 : gm_fail(error, -ENOMEM, "cta_queues: the arena is full");
}

uint64_t gm_cta_queues_tail(const gm_cta_queues_parameters *parameters, uint64_t size)
{
    uint64_t most = gm_mask(parameters->cta_bits);
    uint64_t groups = parameters->sms - 1;
    uint64_t ctas = size == 0 ? 1 : size;
    return groups == 0 || ctas <= most / groups ? groups * ctas : most;
}

/* Takes the next `size` CTAs, or what is left of them, for a queue. */
static void take_run(gm_cta_queues *queues, gm_cta_queue *queue)
{
    uint64_t left = queues->total - queues->next;
    queue->current = queues->next;
    queues->next += left < queues->size ? left : queues->size;
    queue->behind = queues->next;
}

/* True if fewer groups than SMs are of no queue. */
static bool is_tail(const gm_cta_queues *queues)
{
    return queues->total - queues->next <= queues->tail;
}

static void start(gm_cta_queues *queues, const gm_cta_queues_request *request)
{
    const gm_cta_queues_parameters *p = &queues->parameters;
    queues->next = 0;
    queues->total = request->ctas;
    queues->size = request->size == 0 ? 1 : request->size;
    queues->tail = request->tail;
    queues->single = p->adaptive && is_tail(queues);
    for (unsigned i = 0; i < p->sms; i++) {
        queues->queue[i] = (gm_cta_queue){0};
        if (p->mode == GM_CTA_QUEUES_GROUPS && !queues->single) {
            take_run(queues, &queues->queue[i]);
        }
    }
}

/* RR: the next `count` CTAs. */
static void ask_rr(gm_cta_queues *queues, uint64_t count, gm_cta_queues_response *response)
{
    response->count = count;
    response->cta = count != 0 ? queues->next : 0;
    queues->next += count;
}

/* The next CTA of the SM's queue. Requires that it is not drained. */
static void ask_queue(gm_cta_queue *queue, gm_cta_queues_response *response)
{
    response->count = 1;
    response->cta = queue->current++;
}

/* A drained SM takes the next group. Adaptive: once fewer groups remain than there are SMs, CTAs
 * are handed out one by one, to SMs that have drained theirs. */
static void ask_groups(gm_cta_queues *queues, gm_cta_queue *queue, gm_cta_queues_response *response)
{
    bool drained = queue->current == queue->behind;
    bool left = queues->next != queues->total;
    if (drained && queues->parameters.adaptive && is_tail(queues)) {
        queues->single = true;
    }
    if (drained && left && !queues->single) {
        take_run(queues, queue);
        response->taken = 1;
    }
    if (!drained || response->taken) {
        ask_queue(queue, response);
    } else if (left) { /* single */
        ask_rr(queues, 1, response);
    }
}

/* The first run, one CTA at each ASK; then two at a time, to an SM that has room for both. The last
 * one of an odd number comes alone, as do all if a run has one CTA. */
static void ask_bcs(gm_cta_queues *queues, gm_cta_queue *queue, uint64_t free,
                    gm_cta_queues_response *response)
{
    uint64_t left = queues->total - queues->next;
    bool began = queue->current != queue->behind;
    if (queue->opened) {
        uint64_t count = left == 1 || queues->size == 1 ? 1 : 2;
        ask_rr(queues, left != 0 && count <= free ? count : 0, response);
    } else if (began || left != 0) {
        if (!began) {
            take_run(queues, queue);
            response->taken = 1;
        }
        ask_queue(queue, response);
        queue->opened = queue->current == queue->behind;
    }
}

static void ask(gm_cta_queues *queues, const gm_cta_queues_request *request,
                gm_cta_queues_response *response)
{
    gm_cta_queue *queue = &queues->queue[request->sm];
    if (request->free == 0) {
        return;
    }
    switch (queues->parameters.mode) {
    case GM_CTA_QUEUES_RR:
        ask_rr(queues, queues->next != queues->total, response);
        break;
    case GM_CTA_QUEUES_BCS:
        ask_bcs(queues, queue, request->free, response);
        break;
    case GM_CTA_QUEUES_GROUPS:
        ask_groups(queues, queue, response);
        break;
    }
}

gm_cta_queues_response gm_cta_queues_access(gm_cta_queues *queues, gm_cta_queues_request request)
{
    const gm_cta_queues_parameters *p = &queues->parameters;
    uint64_t most = gm_mask(p->cta_bits);
    gm_assert(request.op < 2 && request.free < 4 && (request.op != 0 || request.sm < p->sms),
              "cta_queues: operation %llu, SM %llu of %u, free %llu",
              (unsigned long long)request.op, (unsigned long long)request.sm, p->sms,
              (unsigned long long)request.free);
    gm_assert(request.ctas <= most && request.size <= most && request.tail <= most,
              "cta_queues: operation %llu, ctas %llu, size %llu, tail %llu",
              (unsigned long long)request.op, (unsigned long long)request.ctas,
              (unsigned long long)request.size, (unsigned long long)request.tail);
    gm_cta_queues_response response = {0};
    if (request.op == GM_CTA_QUEUES_START) {
        start(queues, &request);
    } else {
        ask(queues, &request, &response);
    }
    response.single = queues->single;
    response.empty = queues->next == queues->total;
    gm_error error;
    gm_assert(gm_cta_queues_check(queues, &error) == 0, "%s", error.text);
    if (queues->observer != NULL) {
        gm_cta_queues_tell(queues->observer, request, response);
    }
    return response;
}

int gm_cta_queues_check(const gm_cta_queues *queues, gm_error *error)
{
    const gm_cta_queues_parameters *p = &queues->parameters;
    if (queues->next > queues->total || (queues->single && !p->adaptive)) {
        return gm_fail(error, -EINVAL, "cta_queues: next %llu of %llu, single %d",
                       (unsigned long long)queues->next, (unsigned long long)queues->total,
                       queues->single);
    }
    for (unsigned i = 0; i < p->sms; i++) {
        const gm_cta_queue *queue = &queues->queue[i];
        if (queue->current > queue->behind || queue->behind > queues->next ||
            (queue->opened && p->mode != GM_CTA_QUEUES_BCS)) {
            return gm_fail(error, -EINVAL,
                           "cta_queues: SM %u: %llu to %llu, of the %llu before next; opened %d", i,
                           (unsigned long long)queue->current, (unsigned long long)queue->behind,
                           (unsigned long long)queues->next, queue->opened);
        }
    }
    return 0;
}

GM_PORTS_TABLE(cta_queues, CTA_QUEUES)
