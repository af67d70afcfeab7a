/* What the tests of replacement share: a table in an arena, and how its answers are compared. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_REPLACEMENT_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_REPLACEMENT_RUN_H

#include "goldmem/replacement.h"
#include "support/blocks/block_answers.h"

enum {
    TCH = GM_REPLACEMENT_TOUCH,
    REP = GM_REPLACEMENT_REPLACE,
    REM = GM_REPLACEMENT_REMOVE,
    FLU = GM_REPLACEMENT_FLUSH,
    PEK = GM_REPLACEMENT_PEEK,
};

static gm_arena arena;

static gm_replacement_state make(gm_replacement_parameters p)
{
    gm_replacement_state state;
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_replacement_bytes(&p), &error), error);
    test_ok(gm_replacement_init(&state, &p, &arena, &error), error);
    return state;
}

static void expect_sound(const gm_replacement_state *state)
{
    gm_error error;
    test_ok(gm_replacement_check(state, &error), error);
}

static void expect_equal(gm_replacement_response is, gm_replacement_response should)
{
    block_answers_equal(&gm_replacement_ports, &is, &should);
}

#endif
