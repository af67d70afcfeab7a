/* Decoupled LFU tag store: sequences worked by hand, a table for each group of rules of [li, 4.2]
 * as docs/blocks/tag_store.md has them: who gets an entry and a data line, and who gives it up. */
#include "goldmem/tag_store.h"
#include "support/blocks/tag_store_steps.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* Table 3's set: 8 tags, 4 data lines, threshold 2. Beside a step: RCs of A, B, C, ... after it, in
 * brackets where the entry owns a data line. */
static const gm_tag_store_parameters paper = {
    .tag_ways = 8, .data_ways = 4, .rc_bits = 6, .threshold = 2, .allocation_rc = 1};

static const step flow[] = {
    {P, A, {BYPASSES(1)}, "a line that nobody knows gets an entry, RC 1"},    /* 1 */
    {P, A, {MISSES(0, 2)}, "at the threshold: a data line, the lowest free"}, /* [2] */
    {P0, A, {FAILS(MISS)}, "a pending hit merges into the MSHRs: needs may_miss"},
    {PB, A, {FAILS(MISS)}, "may_bypass is not may_miss"},
    {PM, A, {PENDS(0, 2)}, "it waits for its fill; RC stays"}, /* [2] */
    {F1, A, {.error = 1}, "it waits at 0, not at 1"},
    {F0, B, {.error = 1}, "nobody knows B"},
    {F0, A, {.position = 0}, "the data come"}, /* [2] */
    {F0, A, {.error = 1}, "it does not wait any longer"},
    {P0, A, {HITS(0, 2)}, "a hit needs no permission; RC stays"}, /* [2] */
    {PM, B, {FAILS(BYPASS)}, "a bypass needs may_bypass"},
    {P0, B, {FAILS(BYPASS)}, "and retries"},
    {PB, B, {BYPASSES(1)}, "so B was still unknown"}, /* [2] 1 */
    {PB, B, {FAILS(MISS)}, "a miss needs may_miss"},
    {PM, B, {MISSES(1, 2), AGES}, "so RC was still 1; the other entries age"},   /* [1] [2] */
    {P, C, {BYPASSES(1)}, "a bypass ages nobody"},                               /* [1] [2] 1 */
    {P, C, {MISSES(2, 2), EMPTIES}, "allocation without eviction ages, A to 0"}, /* [0] [1] [2] */
    {P, D, {BYPASSES(1)}, ""},
    {P, D, {MISSES(3, 2), EMPTIES}, "A stays at 0"}, /* [0] [0] [1] [2] */
    {P, E, {BYPASSES(1)}, ""},
    {P, E, {MISSES(0, 2), EVICTS(A, 0), EMPTIES}, "A alone does not wait: it goes, with RC 0"},
    /* 0 [0] [0] [1] [2] */
    {P, A, {BYPASSES(1)}, "its entry stayed, without Position, RC 0"}, /* 1 [0] [0] [1] [2] */
    {P, A, {FAILS(LINE)}, "all four wait"},
    {P0, A, {FAILS(LINE)}, "which is said before the lack of permissions"},
    {F2, C, {.position = 2}, "C does not wait any longer"},
    {PB, A, {FAILS(MISS)}, "now the permission is what lacks"},
    {P, A, {MISSES(2, 2), EVICTS(C, 2), EMPTIES}, "RC was still 1"}, /* [2] [0] 0 [0] [1] */
    {P, C, {BYPASSES(1)}, "C counts from 0"},
};

static void operation_flow(void **state)
{
    (void)state;
    RUN(paper, flow);
}

/* Who gives the entry up: 4 tags, threshold 4. Ways 0 to 3 hold A B C D at first. */
static const step lfu[] = {
    {P, A, {BYPASSES(1)}, "way 0, the lowest free"},
    {P, B, {BYPASSES(1)}, "way 1"},
    {P, C, {BYPASSES(1)}, "way 2"},
    {P, D, {BYPASSES(1)}, "way 3"},
    {P, A, {BYPASSES(2)}, ""},
    {P, C, {BYPASSES(2)}, "A2 B1 C2 D1"},
    {PM, E, {FAILS(BYPASS)}, "nobody is replaced by a request that fails"},
    {P, E, {BYPASSES(1), .replaced = 1, .tie = 1}, "B and D have 1: B has the lower way"},
    {P, B, {BYPASSES(1), .replaced = 1, .tie = 1}, "B is unknown; E and D: E"},
    {P, B, {BYPASSES(2)}, "A2 B2 C2 D1"},
    {P, F, {BYPASSES(1), .replaced = 1}, "D alone has the least"},
    {P, A, {BYPASSES(3)}, "A3 B2 C2 F1"},
    {P, A, {MISSES(0, 4), EMPTIES}, "A[4] B1 C1 F0"},
    {P, G, {BYPASSES(1), .replaced = 1}, "F"},
    {P, H, {BYPASSES(1), .replaced = 1, .tie = 1}, "B, C, G have 1: B. A[4] H1 C1 G1"},
    {INV, C, {0}, "an entry without Position is forgotten"},
    {P, B, {BYPASSES(1)}, "into way 2, the only free one"},
    {P, B, {BYPASSES(2)}, ""},
    {P, H, {BYPASSES(2)}, ""},
    {P, G, {BYPASSES(2)}, ""},
    {P, B, {BYPASSES(3)}, ""},
    {P, B, {MISSES(1, 4), AGES}, "A[3] H1 B[4] G1"},
    {P, C, {BYPASSES(1), .replaced = 1, .tie = 1}, "H and G, never one with a data line: H"},
    {INV, A, {.dead = 1}, ""},
    {P, D, {BYPASSES(1), .replaced = 1, .tie = 1}, "a dead entry is not free; C"},
    {F0, A, {.dropped = 1}, "now it is"},
    {P, E, {BYPASSES(1)}, "so nobody is replaced"},
};

static void least_frequently_used(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){
            .tag_ways = 4, .data_ways = 2, .rc_bits = 3, .threshold = 4, .allocation_rc = 1}),
        lfu);
}

/* lfu_any: 3 tags, 2 data lines, threshold 3; ways 0, 1, 2 hold A, B, C at first. */
static const step any[] = {
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {BYPASSES(2)}, ""},
    {P, A, {MISSES(0, 3)}, ""},
    {F0, A, {.position = 0}, ""},
    {P, B, {BYPASSES(1)}, ""},
    {P, B, {BYPASSES(2)}, ""},
    {P, B, {MISSES(1, 3), AGES}, "A[2] B[3]"},
    {P, C, {BYPASSES(1)}, "A[2] B[3] C1; B waits"},
    {P, D, {BYPASSES(1), .replaced = 1}, "C has the least"},
    {P, D, {BYPASSES(2)}, ""},
    {P, D, {MISSES(0, 3), EVICTS(A, 0), AGES}, "A0 B[2] D[3]; B and D wait"},
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {BYPASSES(2)}, ""},
    {P,
     C,
     {BYPASSES(1), .replaced = 1},
     "B, with as little, waits and never goes: A. C1 B[2] D[3]"},
    {F0, D, {.position = 0}, ""},
    {F1, B, {.position = 1}, ""},
    {P, C, {BYPASSES(2)}, ""},
    {P, C, {MISSES(1, 3), EVICTS(B, 1), AGES}, "C[3] B0 D[2]"},
    {F1, C, {.position = 1}, ""},
    {P, B, {BYPASSES(1)}, ""},
    {P, B, {BYPASSES(2)}, "C[3] B2 D[2]"},
    {WR, D, {EVICTS(D, 0), AGES}, "C[2] B1 D0"},
    {P, B, {BYPASSES(2)}, ""},
    {P, D, {BYPASSES(1)}, ""},
    {P, D, {BYPASSES(2)}, "C[2] B2 D2"},
    {PM, F, {FAILS(BYPASS)}, "nothing happens to C"},
    {P,
     F,
     {BYPASSES(1), EVICTS(C, 1), .replaced = 1, .tie = 1, AGES},
     "C, of the lowest way, frees its data line; the others age. F1 B1 D1"},
    {P, B, {BYPASSES(2)}, ""},
    {P, B, {MISSES(0, 3), EMPTIES}, "both data lines are free: 0"},
};

static void evicts_committed_entries(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){.tag_ways = 3,
                                   .data_ways = 2,
                                   .rc_bits = 3,
                                   .threshold = 3,
                                   .allocation_rc = 1,
                                   .lfu_any = true}),
        any);
}

/* Threshold 1: a conventional cache with tags to spare; with lfu_any one transaction may take entry
 * and data line from one line. */
static const step at_once[] = {
    {PB, A, {FAILS(MISS)}, "nothing is bypassed"},
    {P, A, {MISSES(0, 1)}, "at once"},
    {F0, A, {.position = 0}, ""},
    {P, B, {MISSES(1, 1), EMPTIES}, "A[0] B[1]"},
    {P, C, {MISSES(0, 1), EVICTS(A, 0), EMPTIES}, "A0 B[0] C[1]"},
    {PM, D, {FAILS(LINE)}, "B and C wait: A's entry is not taken"},
    {F1, B, {.position = 1}, ""},
    {P,
     D,
     {MISSES(1, 1), EVICTS(B, 1), .replaced = 1, .tie = 1, EMPTIES},
     "A's entry (A and B have 0), B's data line. D[1] B0 C[0]"},
    {F0, C, {.position = 0}, ""},
    {F1, D, {.position = 1}, ""},
    {INV, B, {0}, ""},
    {P, E, {MISSES(0, 1), EVICTS(C, 0), EMPTIES}, "D[0] E[1] C0"},
    {P,
     F,
     {MISSES(1, 1), EVICTS(D, 1), .replaced = 1, .tie = 1, EMPTIES},
     "D's entry and its data line. F[1] E[0] C0"},
};

static void threshold_one(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){.tag_ways = 3,
                                   .data_ways = 2,
                                   .rc_bits = 3,
                                   .threshold = 1,
                                   .allocation_rc = 1,
                                   .age_twice = true,
                                   .lfu_any = true}),
        at_once);
    static const step zero[] = {{P, A, {MISSES(0, 1)}, "threshold 0"},
                                {P, B, {FAILS(LINE)}, "A waits"},
                                {F0, A, {.position = 0}, ""},
                                {P, B, {MISSES(0, 1), EVICTS(A, 0)}, "A0 B[1]"},
                                {F0, B, {.position = 0}, ""},
                                {P, C, {MISSES(0, 1), EVICTS(B, 0), .replaced = 1}, "C[1] B0"}};
    RUN(((gm_tag_store_parameters){
            .tag_ways = 2, .data_ways = 1, .rc_bits = 1, .threshold = 0, .allocation_rc = 1}),
        zero);
}

/* PROBEs for the conventional cache among others: 3 tags, 2 data lines, threshold 3. */
static const step modes[] = {
    {P, A, {BYPASSES(1)}, ""},
    {CB, A, {FAILS(MISS)}, "any count is enough: it does not bypass"},
    {P, A, {BYPASSES(2)}, "and counted nothing"},
    {P, B, {BYPASSES(1)}, "A2 B1"},
    {C_, B, {MISSES(0, 2), AGES}, "below the threshold. A1 B[2]"},
    {P, B, {PENDS(0, 2)}, "whoever asks, it is there"},
    {F0, B, {.position = 0}, ""},
    {C_, B, {HITS(0, 2)}, ""},
    {P, C, {BYPASSES(1)}, "A1 B[2] C1"},
    {C_, D, {MISSES(1, 1), .replaced = 1, .tie = 1, EMPTIES}, "A's entry. D[1] B[1] C0"},
    {P, A, {BYPASSES(1), .replaced = 1}, "C, alone without a data line. D[1] B[1] A1"},
    {C_, A, {MISSES(0, 2), EVICTS(B, 0), EMPTIES}, "B alone does not wait. D[0] B0 A[2]"},
    {C_, E, {FAILS(LINE)}, "B's entry is not taken"},
    {P, B, {BYPASSES(1)}, "B's entry stayed. D[0] B1 A[2]"},
    {P, B, {BYPASSES(2)}, ""},
    {P, B, {FAILS(LINE)}, "the third reference meets the threshold"},
};
static const step modes_above[] = {
    {C_, A, {BYPASSES(0)}, "0 is not above 0"},
    {C_, A, {MISSES(0, 1)}, "1 is"},
    {P, B, {BYPASSES(0)}, ""},
    {P, B, {BYPASSES(1)}, "but not above 1"},
    {C_, B, {MISSES(1, 2), EMPTIES}, "2 is, of either"},
};

static void conventional_probes(void **state)
{
    (void)state;
    gm_tag_store_parameters p = {
        .tag_ways = 3, .data_ways = 2, .rc_bits = 3, .threshold = 3, .allocation_rc = 1};
    RUN(p, modes);
    p.compare_above = true;
    p.threshold = 1;
    p.allocation_rc = 0;
    RUN(p, modes_above);
}

/* The oldest data line goes; what counts as a use. */
static const step order[] = {
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {MISSES(0, 2)}, ""},
    {P, B, {BYPASSES(1)}, ""},
    {P, B, {MISSES(1, 2), AGES}, "oldest first: A B"},
    {PM, A, {PENDS(0, 1)}, "a pending hit is a use: B A"},
    {P0, B, {FAILS(MISS)}, "one that fails is none"},
    {F0, A, {.position = 0}, ""},
    {F1, B, {.position = 1}, "nor is a fill"},
    {P, C, {BYPASSES(1)}, ""},
    {P, C, {MISSES(1, 2), EVICTS(B, 1), EMPTIES}, "B, then A C"},
    {F1, C, {.position = 1}, ""},
    {P, A, {HITS(0, 0)}, "a hit is a use: C A"},
    {P, D, {BYPASSES(1)}, ""},
    {P, D, {MISSES(1, 2), EVICTS(C, 1)}, "C. A D; everybody was at 0"},
    {WR, A, {EVICTS(A, 0), AGES}, "D"},
    {P, A, {BYPASSES(1)}, ""},
    {P, A, {MISSES(0, 2), EMPTIES}, "the free one. D A"},
    {F0, A, {.position = 0}, ""},
    {P, B, {BYPASSES(1)}, ""},
    {P, B, {MISSES(0, 2), EVICTS(A, 0)}, "D is the oldest, but waits; C and D have 0 already"},
};

static void least_recently_used(void **state)
{
    (void)state;
    RUN(((gm_tag_store_parameters){
            .tag_ways = 4, .data_ways = 2, .rc_bits = 6, .threshold = 2, .allocation_rc = 1}),
        order);
}

static gm_tag_store_response act(gm_tag_store *store, uint64_t op, uint64_t line, uint64_t position)
{
    return gm_tag_store_access(
        store, (gm_tag_store_request){
                   .op = op, .line = line, .position = position, .may_miss = 1, .may_bypass = 1});
}

/* Of every op number, and the sets apart from each other. */
static void sets_are_separate(void **state)
{
    (void)state;
    gm_tag_store store;
    make(&store, paper);
    for (uint64_t set = 0; set < SETS; set++) {
        for (uint64_t line = set; line < 32 * SETS; line += SETS) {
            gm_tag_store_response a = act(&store, GM_TAG_STORE_PROBE, line, 0);
            assert_int_equal(a.index, set);
            assert_int_equal(a.outcome, GM_TAG_STORE_BYPASS);
            assert_int_equal(a.replaced, line / SETS >= 8);
        }
        assert_int_equal(act(&store, GM_TAG_STORE_PROBE, 31 * SETS + set, 0).outcome,
                         GM_TAG_STORE_MISS);
        assert_int_equal(gm_tag_store_free_lines(&store, (uint32_t)set), 3);
        expect_sound(&store);
    }
    void *full = malloc(arena.size);
    assert_non_null(full);
    memcpy(full, arena.memory, arena.size);
    for (uint64_t op = GM_TAG_STORE_FLUSH; op < 8; op++) {
        memcpy(arena.memory, full, arena.size);
        expect_equal(act(&store, op, 5, 0), (gm_tag_store_response){0});
        for (uint32_t set = 0; set < SETS; set++) {
            assert_int_equal(store.set[set].valid, 0);
            assert_int_equal(gm_tag_store_free_lines(&store, set), 3);
        }
        expect_sound(&store);
    }
    free(full);
    gm_arena_free(&arena);
}

typedef struct seen {
    unsigned calls;
    gm_tag_store_request request;
    gm_tag_store_response response;
} seen;

static void look(void *context, const uint64_t *request, const uint64_t *response)
{
    seen *last = context;
    last->calls++;
    memcpy(&last->request, request, sizeof last->request);
    memcpy(&last->response, response, sizeof last->response);
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_tag_store store;
    make(&store, paper);
    seen last = {0};
    gm_observer observer = {&last, look};
    act(&store, GM_TAG_STORE_PROBE, 8, 0);
    store.observer = &observer;
    for (uint64_t op = 0; op <= GM_TAG_STORE_FLUSH; op++) {
        gm_tag_store_response response = act(&store, op, 8, 0);
        assert_int_equal(last.calls, op + 1);
        assert_int_equal(last.request.op, op);
        assert_int_equal(last.request.line, 8);
        expect_equal(last.response, response);
    }
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operation_flow),
        cmocka_unit_test(least_frequently_used),
        cmocka_unit_test(evicts_committed_entries),
        cmocka_unit_test(threshold_one),
        cmocka_unit_test(conventional_probes),
        cmocka_unit_test(least_recently_used),
        cmocka_unit_test(sets_are_separate),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
