/* What the tests of sharing_lru share: a table in an arena, and how its answers are compared. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_LRU_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_LRU_RUN_H

#include "goldmem/sharing_lru.h"
#include "support/blocks/block_answers.h"

enum {
    TCH = GM_SHARING_LRU_TOUCH,
    REP = GM_SHARING_LRU_REPLACE,
    REM = GM_SHARING_LRU_REMOVE,
    FLU = GM_SHARING_LRU_FLUSH,
    RST = GM_SHARING_LRU_RESET,
    PEK = GM_SHARING_LRU_PEEK,
};

static gm_arena arena;

static gm_sharing_lru make(gm_sharing_lru_parameters p)
{
    gm_sharing_lru state;
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_sharing_lru_bytes(&p), &error), error);
    test_ok(gm_sharing_lru_init(&state, &p, &arena, &error), error);
    return state;
}

static void expect_sound(const gm_sharing_lru *state)
{
    gm_error error;
    test_ok(gm_sharing_lru_check(state, &error), error);
}

static void expect_equal(gm_sharing_lru_response is, gm_sharing_lru_response should)
{
    block_answers_equal(&gm_sharing_lru_ports, &is, &should);
}

#endif
