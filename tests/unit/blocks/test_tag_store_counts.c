/* Decoupled LFU tag store: sequences worked by hand: reference counts and their parameters where
 * the paper is silent, and what WRITE, INVALIDATE and FLUSH do to a line in each of its states. */
#include "goldmem/tag_store.h"
#include "support/blocks/tag_store_steps.h"
#include "support/support.h"

#include <string.h>

/* Threshold 3; B has 2 when C takes A's data line. */
static const step common_age[] = {
    {P, A, {BYPASSES(1)}, ""},    {P, A, {BYPASSES(2)}, ""}, {P, A, {MISSES(0, 3)}, ""},
    {F0, A, {.position = 0}, ""}, {P, B, {BYPASSES(1)}, ""}, {P, B, {BYPASSES(2)}, ""},
    {P, C, {BYPASSES(1)}, ""},    {P, C, {BYPASSES(2)}, ""},
};
static const step age_once[] = {{P, C, {MISSES(0, 3), EVICTS(A, 0), AGES}, "A0 B1"},
                                {P, B, {BYPASSES(2)}, "once"}};
static const step age_by_two[] = {{P, C, {MISSES(0, 3), EVICTS(A, 0), EMPTIES}, "A0 B0"},
                                  {P, B, {BYPASSES(1)}, "twice"}};

static void ages_once_or_twice(void **state)
{
    (void)state;
    enum { COMMON = sizeof common_age / sizeof *common_age };
    gm_tag_store_parameters p = {
        .tag_ways = 4, .data_ways = 1, .rc_bits = 6, .threshold = 3, .allocation_rc = 1};
    step steps[COMMON + 2];
    memcpy(steps, common_age, sizeof common_age);
    memcpy(steps + COMMON, age_once, sizeof age_once);
    RUN(p, steps);
    p.age_twice = true;
    memcpy(steps + COMMON, age_by_two, sizeof age_by_two);
    RUN(p, steps);
}

static void first_count_and_comparison(void **state)
{
    (void)state;
    gm_tag_store_parameters p = {.tag_ways = 4, .data_ways = 2, .rc_bits = 2, .threshold = 2};
    static const step from_zero[] = {{P, A, {BYPASSES(0)}, "allocation_rc 0"},
                                     {P, A, {BYPASSES(1)}, ""},
                                     {P, A, {MISSES(0, 2)}, "met exactly"}};
    RUN(p, from_zero);
    p.allocation_rc = 2;
    static const step from_two[] = {{P, A, {MISSES(0, 2)}, "allocation_rc 2: enough at once"}};
    RUN(p, from_two);
    p.allocation_rc = 1;
    p.compare_above = true;
    static const step above[] = {{P, A, {BYPASSES(1)}, ""},
                                 {P, A, {BYPASSES(2)}, "2 is not above 2"},
                                 {P, A, {MISSES(0, 3)}, "3 is"}};
    RUN(p, above);
    p.threshold = 3;
    static const step never[] = {{P, A, {BYPASSES(1)}, ""},
                                 {P, A, {BYPASSES(2)}, ""},
                                 {P, A, {BYPASSES(3)}, "the maximum"},
                                 {PM, A, {FAILS(BYPASS)}, ""},
                                 {P, A, {BYPASSES(3), .saturated = 1}, "stays there"}};
    RUN(p, never);
    p.compare_above = false;
    static const step at_most[] = {{P, A, {BYPASSES(1)}, ""},
                                   {P, A, {BYPASSES(2)}, ""},
                                   {P, A, {MISSES(0, 3)}, "threshold at its maximum"}};
    RUN(p, at_most);
    p.rc_bits = 8;
    p.allocation_rc = 200;
    p.threshold = 201;
    static const step large[] = {{P, A, {BYPASSES(200)}, ""},
                                 {P, B, {BYPASSES(200)}, ""},
                                 {P, A, {MISSES(0, 201), AGES}, "B199"},
                                 {P, B, {BYPASSES(200)}, "a count of 8 bits ages"},
                                 {P, B, {MISSES(1, 201), AGES}, ""}};
    RUN(p, large);
}

/* WRITE, INVALIDATE and FLUSH of lines that nobody knows, that count, wait, are dead, have data. */
static const step removals[] = {
    {WR, A, {0}, "a write allocates nothing"},
    {INV, A, {0}, ""},
    {P, A, {BYPASSES(1)}, "so A was unknown"},
    {WR, A, {0}, "an entry without Position does not change"},
    {P, A, {MISSES(0, 2)}, "it counted from 1"},
    {P, B, {BYPASSES(1)}, ""},
    {WR, A, {.dead = 1}, "A waits: dead; nobody ages"},
    {WR, A, {0}, "it is already"},
    {INV, A, {0}, ""},
    {P0, A, {FAILS(MISS)}, ""},
    {PM, A, {PENDS(0, 0), .dead = 1}, "its fill will be dropped; no RC"},
    {P, B, {MISSES(1, 2)}, "data line 0 is not free; nobody ages"},
    {F0, A, {.position = 0, .dropped = 1}, "free now, with its entry; B does not age"},
    {F0, A, {.error = 1}, ""},
    {PM, B, {PENDS(1, 2)}, "B still has 2"},
    {P, A, {BYPASSES(1)}, "A is new"},
    {F1, B, {.position = 1}, ""},
    {P, A, {MISSES(0, 2), AGES}, "A[2] B[1]"},
    {F0, A, {.position = 0}, ""},
    {WR, B, {EVICTS(B, 1), AGES}, "write-evict: A[1] B0"},
    {WR, B, {0}, "it has no data line any longer"},
    {P, B, {BYPASSES(1)}, "its entry stayed, RC 0"},
    {INV, A, {EVICTS(A, 0)}, "the entry goes too; nobody ages: B1"},
    {P, A, {BYPASSES(1)}, "A is new"},
    {P, B, {MISSES(0, 2), EMPTIES}, "A0 B[2]"},
    {INV, B, {.dead = 1}, ""},
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {MISSES(1, 2)}, "a dead entry does not age, or count"},
    {F1, A, {.position = 1}, ""},
    {P, C, {BYPASSES(1)}, ""},
    {P, C, {MISSES(1, 2), EVICTS(A, 1)}, "B, older and dead, waits and stays"},
    {FLU, 0, {0}, "C waits: dead; B is dead; A free"},
    {P, A, {BYPASSES(1)}, "A is new"},
    {P, A, {FAILS(LINE)}, "the dead hold both data lines"},
    {PM, C, {PENDS(1, 0), .dead = 1}, ""},
    {F1, C, {.position = 1, .dropped = 1}, ""},
    {P, A, {MISSES(1, 2)}, ""},
    {F0, B, {.position = 0, .dropped = 1}, ""},
    {F1, A, {.position = 1}, ""},
    {P0, A, {HITS(1, 2)}, ""},
    {FLU, 0, {0}, "all free"},
    {PM, A, {FAILS(BYPASS)}, "A is new"},
};

static void writes_and_invalidations(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){
            .tag_ways = 4, .data_ways = 2, .rc_bits = 6, .threshold = 2, .allocation_rc = 1}),
        removals);
}

/* Every count of 8 bits, in each of 9 entries, when another line gets a data line; by two when that
 * line takes another's. With 6 bits likewise [li, 4.1]. */
static void every_count_ages(void **state)
{
    (void)state;
    enum { LAST = 8, SETS = 4 };
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "sequential", SETS, 42, &error), error);
    for (unsigned bits = 6; bits <= 8; bits += 2) {
        unsigned most = (1u << bits) - 1;
        for (unsigned count = 1; count <= most; count++) {
            gm_tag_store_parameters p = {.index = &function,
                                         .tag_ways = LAST + 1,
                                         .data_ways = 1,
                                         .rc_bits = bits,
                                         .threshold = most,
                                         .allocation_rc = 1,
                                         .compare_above = true,
                                         .age_twice = true,
                                         .rrpv_bits = 2,
                                         .signature_bits = 8,
                                         .counter_bits = 3};
            unsigned way = count % LAST;
            gm_arena arena;
            gm_tag_store store;
            test_ok(gm_arena_create(&arena, gm_tag_store_bytes(&p), &error), error);
            test_ok(gm_tag_store_init(&store, &p, &arena, &error), error);
            gm_tag_store_response a = {0};
            for (uint64_t line = 0; line <= LAST; line++) {
                bool counted = line == way;
                for (unsigned i = 0; i < (counted ? count : 1); i++) {
                    a = gm_tag_store_access(
                        &store, (gm_tag_store_request){.line = SETS * line, .may_bypass = 1});
                    assert_int_equal(a.rc, i + 1);
                }
            }
            static const unsigned by[] = {1, 2};
            unsigned left = count;
            for (unsigned turn = 0; turn < 2; turn++) { /* the line in the last way, then another */
                uint64_t line = SETS * (uint64_t)(turn == 0 ? LAST : way == 0 ? 1 : 0);
                gm_tag_store_request r = {.line = line, .may_miss = 1, .conventional = 1};
                a = gm_tag_store_access(&store, r);
                if (a.outcome != GM_TAG_STORE_MISS) { /* its count is 0 by age */
                    a = gm_tag_store_access(&store, r);
                }
                assert_int_equal(a.outcome, GM_TAG_STORE_MISS);
                assert_int_equal(a.evicted, turn);
                r.op = GM_TAG_STORE_FILL;
                gm_tag_store_access(&store, r);
                left = left > by[turn] ? left - by[turn] : 0;
                const uint8_t *rc = (const uint8_t *)store.rc;
                assert_int_equal(rc[way], left);
            }
            gm_arena_free(&arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ages_once_or_twice),
        cmocka_unit_test(first_count_and_comparison),
        cmocka_unit_test(writes_and_invalidations),
        cmocka_unit_test(every_count_ages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
