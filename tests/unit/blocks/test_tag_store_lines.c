/* Decoupled LFU tag store: data lines under SRRIP and SHiP, sequences worked by hand; and what init
 * and check say of them. Lines A, C, E, ... have signature 1, the others 0. Beside a step: the
 * RRPVs of the data lines after it. */
#include "goldmem/tag_store.h"
#include "support/blocks/tag_store_steps.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

#define DISTANT .distant = 1

/* Threshold 1: each new line gets a data line at once. RRPVs are 0 to 3, new ones 2. */
static const step srrip[] = {
    {P, A, {MISSES(0, 1)}, "2 - -"},
    {P, B, {MISSES(1, 1), EMPTIES}, "2 2 -"},
    {P, C, {MISSES(2, 1), EMPTIES}, "2 2 2"},
    {P, D, {FAILS(LINE)}, "all wait, and none counts up"},
    {F0, A, {.position = 0}, "a FILL is no touch"},
    {F1, B, {.position = 1}, ""},
    {F2, C, {.position = 2}, "2 2 2"},
    {P0, B, {HITS(1, 0)}, "2 0 2"},
    {PB, D, {FAILS(MISS)}, "none counts up"},
    {P0, A, {HITS(0, 0)}, "0 0 2"},
    {P, D, {MISSES(2, 1), EVICTS(C, 2)}, "all count up by one, C to 3: it goes. 1 1 2"},
    {P, E, {MISSES(0, 1), EVICTS(A, 0), EMPTIES}, "D, of 2, waits: A and B by two. 2 3 3"},
    {P, F, {MISSES(1, 1), EVICTS(B, 1), EMPTIES}, "2 2 3"},
    {PM, D, {PENDS(2, 0)}, "a pending hit is a touch. 2 2 0"},
    {F0, E, {.position = 0}, ""},
    {F2, D, {.position = 2}, ""},
    {P, A, {MISSES(0, 1), EVICTS(E, 0), EMPTIES}, "by one. 2 3 1"},
    {WR, A, {.dead = 1}, "it waits, and leaves. - 3 1"},
    {P, B, {MISSES(2, 1), EVICTS(D, 2)}, "F waits: by two, also F. - 3 2"},
    {F0, A, {.position = 0, .dropped = 1}, ""},
    {WR, F, {.dead = 1}, "- - 2"},
    {F1, F, {.position = 1, .dropped = 1}, ""},
    {P, C, {MISSES(0, 1), EMPTIES}, "the lowest free one: nobody counts up. 2 - 2"},
    {P, D, {MISSES(1, 1), EMPTIES}, "2 2 2"},
    {F0, C, {.position = 0}, ""},
    {F2, B, {.position = 2}, ""},
    {P, E, {MISSES(0, 1), EVICTS(C, 0), EMPTIES}, "the lowest of two. 2 3 3"},
};

static void static_rrip(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){.tag_ways = 8,
                                   .data_ways = 3,
                                   .rc_bits = 4,
                                   .threshold = 1,
                                   .allocation_rc = 1,
                                   .replacement = GM_REPLACEMENT_SRRIP}),
        srrip);
}

/* Counters of one bit, which begin at 1: one eviction without a touch makes a signature distant. */
static const step ship[] = {
    {P, A, {MISSES(0, 1)}, "2 -"},
    {P, B, {MISSES(1, 1), EMPTIES}, "2 2"},
    {F0, A, {.position = 0}, ""},
    {F1, B, {.position = 1}, ""},
    {P0, B, {HITS(1, 1)}, "2 0"},
    {PB, C, {FAILS(MISS)}, "nothing is learnt"},
    {P, C, {MISSES(0, 1), EVICTS(A, 0), EMPTIES, DISTANT}, "A was not touched: 1 to 0. 3 1"},
    {F0, C, {.position = 0}, ""},
    {P, D, {MISSES(0, 1), EVICTS(C, 0)}, "2 1"},
    {F0, D, {.position = 0}, ""},
    {P, E, {MISSES(0, 1), EVICTS(D, 0), DISTANT}, "D was not touched: 0 to 0. 3 2"},
    {F0, E, {.position = 0}, ""},
    {P0, E, {HITS(0, 1)}, "1 to 1. 0 2"},
    {P, F, {MISSES(1, 1), EVICTS(B, 1), EMPTIES, DISTANT}, "B was touched. 1 3"},
    {F1, F, {.position = 1}, ""},
    {WR, E, {EVICTS(E, 0), EMPTIES}, "- 3"},
    {P, A, {MISSES(0, 1)}, "2 3"},
    {F0, A, {.position = 0}, ""},
    {INV, A, {EVICTS(A, 0)}, "not touched, but that teaches nothing"},
    {P, A, {MISSES(0, 1)}, "so 1 is still 1. 2 3"},
    {WR, A, {.dead = 1}, "nor does this"},
    {F0, A, {.position = 0, .dropped = 1}, ""},
    {P, A, {MISSES(0, 1)}, "2 3"},
    {FLU, 0, {0}, "F and A go"},
    {F0, A, {.position = 0, .dropped = 1}, ""},
    {P, B, {MISSES(0, 1), DISTANT}, "0 is still 0. 3 -"},
    {P, C, {MISSES(1, 1), EMPTIES}, "1 is still 1. 3 2"},
};

static void ship_over_srrip(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){.tag_ways = 8,
                                   .data_ways = 2,
                                   .rc_bits = 4,
                                   .threshold = 1,
                                   .allocation_rc = 1,
                                   .replacement = GM_REPLACEMENT_SHIP,
                                   .counter_bits = 1}),
        ship);
}

/* lfu_any: an entry that gives way takes its data line with it, which teaches nothing. */
static const step given_up[] = {
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {MISSES(0, 2)}, "A[2]"},
    {P, B, {BYPASSES(1)}, ""},
    {P, B, {MISSES(1, 2), AGES}, "A[1] B[2]"},
    {F0, A, {.position = 0}, ""},
    {F1, B, {.position = 1}, ""},
    {P, C, {BYPASSES(1)}, ""},
    {P, C, {MISSES(0, 2), EVICTS(A, 0), AGES, DISTANT}, "A was not touched. A0 B[1] C[2]"},
    {F0, C, {.position = 0}, ""},
    {P, A, {BYPASSES(1)}, "A1 B[1] C[2]"},
    {INV, A, {0}, ""},
    {P, E, {BYPASSES(1)}, "E1 B[1] C[2]"},
    {P, E, {MISSES(0, 2), EVICTS(C, 0), EMPTIES, DISTANT}, "E[2] B[0] C0"},
    {P, C, {BYPASSES(1)}, "E[2] B[0] C1"},
    {P, D, {BYPASSES(1), EVICTS(B, 1), .replaced = 1, EMPTIES}, "B gives way. E[1] D1 C0"},
    {P, D, {MISSES(1, 2), EMPTIES}, "B was not touched, but 0 is still 1"},
};

static void entries_give_way(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){.tag_ways = 3,
                                   .data_ways = 2,
                                   .rc_bits = 4,
                                   .threshold = 2,
                                   .allocation_rc = 1,
                                   .lfu_any = true,
                                   .replacement = GM_REPLACEMENT_SHIP,
                                   .counter_bits = 1}),
        given_up);
}

static const gm_tag_store_parameters some = {.index = &function,
                                             .tag_ways = 9,
                                             .data_ways = 4,
                                             .rc_bits = 6,
                                             .threshold = 1,
                                             .allocation_rc = 1,
                                             .replacement = GM_REPLACEMENT_SHIP,
                                             .rrpv_bits = 2,
                                             .signature_bits = 8,
                                             .counter_bits = 3};

/* An arena of any size below what it takes is refused, and never overrun. */
static void arena_may_be_too_small(void **state)
{
    (void)state;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "sequential", 4, 42, &error), error);
    size_t enough = gm_tag_store_bytes(&some);
    for (size_t size = 0; size <= enough; size += 32) {
        gm_tag_store store;
        test_ok(gm_arena_create(&arena, size, &error), error);
        int code = gm_tag_store_init(&store, &some, &arena, &error);
        assert_int_equal(code, code == 0 ? 0 : -ENOMEM);
        assert_true(code == 0 || strstr(error.text, "tag_store: the arena is full") != NULL);
        assert_true(size < enough || code == 0);
        assert_true(size >= 1 << 10 || code == -ENOMEM);
        gm_arena_free(&arena);
    }
}

/* A data line in use, not in use, that dies; a value, a counter, a rank that cannot be. */
static void check_finds_damage(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "tag_store: set 0: lines that the replacement has not, or others",
        "tag_store: set 0: lines that the replacement has not, or others",
        "tag_store: set 0: lines that the replacement has not, or others",
        "tag_store: replacement: set 0: a value beyond its range",
        "tag_store: replacement: signature 255: a counter beyond its bits",
        "tag_store: set 0: a rank of a line that no valid entry owns, or none",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        gm_tag_store store;
        gm_error error;
        make(&store, some);
        for (uint64_t line = 4; line <= 12; line += 4) {
            gm_tag_store_access(&store, (gm_tag_store_request){.line = line, .may_miss = 1});
        }
        gm_tag_store_access(&store, (gm_tag_store_request){.op = GM_TAG_STORE_WRITE, .line = 12});
        expect_sound(&store);
        store.lines->used[0] ^= i < 3 ? 1u << (i + 1) : 0;
        store.lines->value[0] = i == 3 ? 4 : store.lines->value[0];
        store.lines->doubt[255] = i == 4 ? 8 : 0;
        *(uint8_t *)store.rank = i == 5 ? 0 : GM_TAG_STORE_NONE;
        assert_int_equal(gm_tag_store_check(&store, &error), -EINVAL);
        assert_string_equal(error.text, texts[i]);
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_rrip),        cmocka_unit_test(ship_over_srrip),
        cmocka_unit_test(entries_give_way),   cmocka_unit_test(arena_may_be_too_small),
        cmocka_unit_test(check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
