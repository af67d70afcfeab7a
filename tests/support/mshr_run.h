/* What the tests of mshr share: a table in an arena, and how its answers are compared. */
#ifndef GOLDMEM_TESTS_MSHR_RUN_H
#define GOLDMEM_TESTS_MSHR_RUN_H

#include "goldmem/mshr.h"
#include "support/support.h"

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

/* Field by field, so that a difference is named. */
static void expect_equal(gm_mshr_response is, gm_mshr_response should)
{
    const uint64_t *a = (const void *)&is;
    const uint64_t *b = (const void *)&should;
    for (unsigned i = 0; i < gm_mshr_ports.responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("%s is %llu, should be %llu", gm_mshr_ports.response[i].name,
                     (unsigned long long)a[i], (unsigned long long)b[i]);
        }
    }
}

#endif
