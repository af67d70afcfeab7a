/* What the tests of mshr share: a table in an arena, and how its answers are compared. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_MSHR_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_MSHR_RUN_H

#include "goldmem/mshr.h"
#include "support/blocks/block_answers.h"

enum { REQ = GM_MSHR_REQUEST_OP, RSP, CLS, FLS, PRB };

static gm_arena arena;

static gm_mshr make(unsigned entries, unsigned merges)
{
    gm_mshr_parameters p = {
        .entries = entries, .merges = merges, .line_bits = 64, .requester_bits = 64};
    gm_mshr table;
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_mshr_bytes(&p), &error), error);
    test_ok(gm_mshr_init(&table, &p, &arena, &error), error);
    return table;
}

static void expect_sound(const gm_mshr *table)
{
    gm_error error;
    test_ok(gm_mshr_check(table, &error), error);
    assert_int_equal(gm_mshr_check(table, &error), 0);
}

static void expect_equal(gm_mshr_response is, gm_mshr_response should)
{
    block_answers_equal(&gm_mshr_ports, &is, &should);
}

#endif
