/* sharing_lru: the second implementation agrees on random transactions. */
#include "goldmem/bits.h"
#include "support/blocks/sharing_lru_lists.h"
#include "support/blocks/sharing_lru_run.h"
#include "support/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void expect_same_set(const gm_sharing_lru *state, const naive *n, uint64_t index)
{
    const naive_set *set = &n->set[index];
    unsigned ways = n->p->ways;
    assert_int_equal(gm_count_ones(state->used[index]), set->count);
    for (unsigned i = 0; i < set->count; i++) {
        const naive_line *line = &set->line[i];
        unsigned way = line->way;
        assert_int_equal(state->rank[index * ways + way], set->count - 1 - i);
        assert_int_equal(state->shared[index] >> way & 1, line->kind == NAIVE_SHARED);
        assert_int_equal(state->dead[index] >> way & 1, line->dead);
        assert_int_equal(state->owned[index] >> way & 1, line->owner >= 0);
        assert_int_equal(state->owner[index * ways + way], line->owner >= 0 ? line->owner : 0);
    }
}

/* The first set, the last two, or one of those whose number has one bit. */
static uint64_t random_set(test_random *random, const gm_sharing_lru_parameters *p)
{
    uint64_t last = gm_mask(p->index_bits);
    const uint64_t sets[] = {0, last, last - 1,
                             UINT64_C(1) << test_random_below(random, p->index_bits)};
    return sets[test_random_below(random, 4)];
}

static gm_sharing_lru_request random_request(test_random *random,
                                             const gm_sharing_lru_parameters *p)
{
    static const uint8_t ops[] = {TCH, TCH, TCH, TCH, TCH, REP, REP, REP,
                                  REP, REP, REP, REP, REP, REM, PEK, PEK + 2};
    uint64_t any = test_random_next(random);
    return (gm_sharing_lru_request){
        .op = (any & 1023) == 0   ? FLU
              : (any & 1023) == 1 ? RST
                                  : ops[any >> 10 & 15],
        .index = random_set(random, p),
        .way = test_random_below(random, p->ways),
        .eligible = (any & 0x8000) != 0 ? gm_mask(p->ways) : any >> 16 & gm_mask(p->ways),
        .incoming = any >> 14 & 1,
        .sm = (any & UINT64_C(1) << 60) != 0 ? any >> 50 & gm_mask(p->sm_bits) : 0,
        .known = (any >> 61 & 7) != 0,
    };
}

enum { FIELDS = 9 };

static void run_random(test_random *random, const gm_sharing_lru_parameters *p, unsigned requests,
                       uint64_t seen[2][FIELDS])
{
    naive n = {.p = p, .set = calloc((size_t)1 << p->index_bits, sizeof *n.set)};
    assert_non_null(n.set);
    gm_sharing_lru table = make(*p);
    for (unsigned t = 0; t < requests; t++) {
        gm_sharing_lru_request r = random_request(random, p);
        gm_sharing_lru_response a = gm_sharing_lru_access(&table, r);
        expect_equal(a, naive_access(&n, &r));
        for (unsigned i = 0; i < FIELDS; i++) {
            seen[p->level][i] += ((const uint64_t *)&a)[i] != 0;
        }
        expect_same_set(&table, &n, r.index);
        if (t % 1024 == 0) {
            expect_sound(&table);
        }
    }
    gm_arena_free(&arena);
    free(n.set);
}

static void agrees_with_lists(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    uint64_t seen[2][FIELDS] = {{0}}; /* of the response's fields */
    for (unsigned round = 0; round < 60; round++) {
        const gm_sharing_lru_parameters p = {
            .level = (gm_sharing_level)(round % 2),
            .dead = (gm_sharing_dead)(round / 2 % 3),
            .index_bits = 1,
            .ways = 1 + (unsigned)test_random_below(&random, round % 4 == 0 ? 32 : 6),
            .sm_bits = 1 + (unsigned)test_random_below(&random, 10),
        };
        run_random(&random, &p, 4000, seen);
    }
    enum { WAY, EVICTED, NONE, BYPASS, SHARES, BECAME };
    for (unsigned i = 0; i < FIELDS; i++) {
        assert_true(i == BECAME ? seen[GM_SHARING_L1][i] == 0 : seen[GM_SHARING_L1][i] > 1000);
        assert_true(seen[GM_SHARING_L2][i] > 1000);
    }
}

/* The sizes of the papers' machines and the ends of the ranges. */
static void agrees_at_shipped_sizes_and_limits(void **state)
{
    (void)state;
    static const gm_sharing_lru_parameters sizes[] = {
        {GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 4, 4}, /* 16 KB, 4 ways [Table I] */
        {GM_SHARING_L2, GM_SHARING_DEAD_OFF, 7, 8, 4}, /* 128 KB, 8 ways [Table I] */
        {GM_SHARING_L2, GM_SHARING_DEAD_ANY, 8, 8, 4}, /* kepler-sharing, sharing.l2_dead */
        {GM_SHARING_L2, GM_SHARING_DEAD_ANY, 10, 32, 10},
        {GM_SHARING_L1, GM_SHARING_DEAD_PRIVATE, 10, 32, 1},
        {GM_SHARING_L1, GM_SHARING_DEAD_ANY, 1, 1, 1},
        {GM_SHARING_L2, GM_SHARING_DEAD_PRIVATE, 1, 1, 1},
    };
    test_random random = test_random_start(2);
    uint64_t seen[2][FIELDS] = {{0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_random(&random, &sizes[i], 20000, seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_lists),
        cmocka_unit_test(agrees_at_shipped_sizes_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
