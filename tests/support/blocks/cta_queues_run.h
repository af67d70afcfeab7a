/* What the tests of cta_queues share: queues in an arena, and requests whose state is checked. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_CTA_QUEUES_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_CTA_QUEUES_RUN_H

#include "goldmem/cta_queues.h"
#include "support/support.h"

#define RR     GM_CTA_QUEUES_RR
#define BCS    GM_CTA_QUEUES_BCS
#define GROUPS GM_CTA_QUEUES_GROUPS

static inline gm_cta_queues make(gm_cta_queues_parameters p, gm_arena *arena)
{
    gm_cta_queues queues;
    gm_error error;
    test_ok(gm_arena_create(arena, gm_cta_queues_bytes(p.sms), &error), error);
    test_ok(gm_cta_queues_init(&queues, &p, arena, &error), error);
    return queues;
}

static inline gm_cta_queues_response act(gm_cta_queues *queues, gm_cta_queues_request request)
{
    gm_error error;
    gm_cta_queues_response response = gm_cta_queues_access(queues, request);
    test_ok(gm_cta_queues_check(queues, &error), error);
    return response;
}

static inline gm_cta_queues_request start_of(const gm_cta_queues *queues, uint64_t ctas,
                                             uint64_t size)
{
    return (gm_cta_queues_request){.op = GM_CTA_QUEUES_START,
                                   .ctas = ctas,
                                   .size = size,
                                   .tail = gm_cta_queues_tail(&queues->parameters, size)};
}

#endif
