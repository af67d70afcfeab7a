/* Replacement: LRU, SRRIP and SHiP on sequences worked by hand. */
#include "goldmem/bits.h"
#include "goldmem/replacement.h"
#include "support/blocks/replacement_run.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static gm_replacement_parameters size(gm_replacement_policy policy, unsigned ways)
{
    return (gm_replacement_parameters){.policy = policy,
                                       .index_bits = 1,
                                       .ways = ways,
                                       .rrpv_bits = 2,
                                       .signature_bits = 4,
                                       .counter_bits = 2};
}

enum { ALL = 15 }; /* four ways */

/* A step in set 1 of 4 ways: `what` is a way, or the eligible ones. */
typedef struct step {
    uint64_t op, what, signature;
    gm_replacement_response expected;
    int value[4]; /* rank or RRPV of each way after it; -1: not in use */
    const char *why;
} step;

static void run_steps(gm_replacement_policy policy, const step *steps, size_t count)
{
    gm_replacement_state state = make(size(policy, 4));
    for (const step *s = steps; s < steps + count; s++) {
        bool chooses = s->op == REP || s->op >= PEK;
        gm_replacement_response is =
            gm_replacement_access(&state, (gm_replacement_request){.op = s->op,
                                                                   .index = 1,
                                                                   .way = chooses ? 0 : s->what,
                                                                   .eligible = s->what,
                                                                   .signature = s->signature});
        print_message("step %d: %s\n", (int)(s - steps), s->why);
        expect_equal(is, s->expected);
        for (unsigned way = 0; way < 4; way++) {
            bool used = (state.used[1] >> way & 1) != 0;
            assert_int_equal(used ? state.value[4 + way] : -1, s->value[way]);
        }
        assert_int_equal(state.used[0], 0);
        expect_sound(&state);
    }
    gm_arena_free(&arena);
}

#define RUN(policy, steps) run_steps(policy, steps, sizeof(steps) / sizeof *(steps))
#define TAKES(number)                                                                              \
    {                                                                                              \
        .way = (number)                                                                            \
    }
#define EVICTS(number)                                                                             \
    {                                                                                              \
        .way = (number), .evicted = 1                                                              \
    }

static const step lru[] = {
    {PEK, ALL, 0, TAKES(0), {-1, -1, -1, -1}, "the lowest free; a peek changes nothing"},
    {REP, ALL, 0, TAKES(0), {0, -1, -1, -1}, ""},
    {REP, 8, 0, TAKES(3), {1, -1, -1, 0}, "the lowest that is eligible"},
    {REP, 12, 0, TAKES(2), {2, -1, 0, 1}, "free before used"},
    {REP, ALL, 0, TAKES(1), {3, 0, 1, 2}, "full; oldest first: 0 3 2 1"},
    {TCH, 0, 0, {0}, {0, 1, 2, 3}, "3 2 1 0"},
    {PEK + 3, ALL, 0, EVICTS(3), {0, 1, 2, 3}, ""},
    {REP, 6, 0, EVICTS(2), {1, 2, 0, 3}, "of 1 and 2 the older. 3 1 0 2"},
    {TCH, 2, 0, {0}, {1, 2, 0, 3}, "it is the newest already"},
    {REP, 0, 0, {.none = 1}, {1, 2, 0, 3}, "nothing is eligible"},
    {REM, 1, 0, {0}, {1, -1, 0, 2}, "3 0 2"},
    {REM, 1, 0, {.error = 1}, {1, -1, 0, 2}, "it is not in use"},
    {TCH, 1, 0, {.error = 1}, {1, -1, 0, 2}, ""},
    {REP, ALL, 0, TAKES(1), {2, 0, 1, 3}, "3 0 2 1"},
    {REP, ALL, 0, EVICTS(3), {3, 1, 2, 0}, ""},
    {FLU, 0, 0, {0}, {-1, -1, -1, -1}, ""},
    {REP, 2, 0, TAKES(1), {-1, 0, -1, -1}, "as at first"},
};

/* The mixed access pattern a1 a2 a2 a1 b1 b2 b3 b4 a1 a2 of Jaleel et al., Figure 3: after the scan
 * of b1 to b4, a1 and a2 are still there (LRU would have lost both). */
static const step srrip[] = {
    {REP, ALL, 0, TAKES(0), {2, -1, -1, -1}, "a1: long re-reference interval"},
    {REP, ALL, 0, TAKES(1), {2, 2, -1, -1}, "a2"},
    {TCH, 1, 0, {0}, {2, 0, -1, -1}, "a2 hits: near-immediate"},
    {TCH, 0, 0, {0}, {0, 0, -1, -1}, "a1 hits"},
    {REP, ALL, 0, TAKES(2), {0, 0, 2, -1}, "b1: a free way, nobody counts up"},
    {REP, ALL, 0, TAKES(3), {0, 0, 2, 2}, "b2"},
    {PEK, ALL, 0, EVICTS(2), {0, 0, 2, 2}, ""},
    {REP, ALL, 0, EVICTS(2), {1, 1, 2, 3}, "b3: nobody has 3; all count up by 1; b1, the lowest"},
    {REP, ALL, 0, EVICTS(3), {1, 1, 2, 2}, "b4: b2 has 3; nobody counts up"},
    {TCH, 0, 0, {0}, {0, 1, 2, 2}, "a1 hits"},
    {TCH, 1, 0, {0}, {0, 0, 2, 2}, "a2 hits"},
    {REP, 3, 0, EVICTS(0), {2, 3, 3, 3}, "only the a's may go: up by 3, the others to 3"},
    {REP, 6, 0, EVICTS(1), {2, 2, 3, 3}, "the lowest eligible with 3"},
    {REM, 2, 0, {0}, {2, 2, -1, 3}, ""},
    {REP, 3, 0, EVICTS(0), {2, 3, -1, 3}, "the free way is not eligible"},
};

/* Counters of 2 bits begin at 3. Lines of signature 5 are never touched, of signature 9 they are.
 */
static const step ship[] = {
    {REP, ALL, 5, TAKES(0), {2, -1, -1, -1}, "counter 3: reuse is expected"},
    {REP, ALL, 9, TAKES(1), {2, 2, -1, -1}, ""},
    {TCH, 1, 0, {0}, {2, 0, -1, -1}, "9 stays at 3, the maximum"},
    {REP, 1, 5, EVICTS(0), {2, 1, -1, -1}, "5: an untouched line goes, 2"},
    {REP, 1, 5, EVICTS(0), {2, 2, -1, -1}, "5: 1"},
    {PEK, 1, 5, {.way = 0, .evicted = 1, .distant = 1}, {2, 2, -1, -1}, "would be 0"},
    {PEK, 1, 9, EVICTS(0), {2, 2, -1, -1}, "9 is still expected"},
    {REP,
     1,
     5,
     {.way = 0, .evicted = 1, .distant = 1},
     {3, 3, -1, -1},
     "5: 0, so it comes in last"},
    {REP, 1, 5, {.way = 0, .evicted = 1, .distant = 1}, {3, 3, -1, -1}, "5: stays at 0"},
    {REP, 4, 5, {.way = 2, .distant = 1}, {3, 3, 3, -1}, "in a free way too"},
    {TCH, 2, 0, {0}, {3, 3, 0, -1}, "5: 1"},
    {REP, 4, 5, EVICTS(2), {3, 3, 2, -1}, "a touched line goes: 5 stays at 1"},
    {REM, 2, 0, {0}, {3, 3, -1, -1}, "an untouched one is removed: that teaches nothing"},
    {REP, 4, 5, TAKES(2), {3, 3, 2, -1}, "5 is at 1"},
    {FLU, 0, 0, {0}, {-1, -1, -1, -1}, "neither does a flush"},
    {REP, 1, 5, TAKES(0), {2, -1, -1, -1}, "5 is at 1"},
    {REP, 1, 9, EVICTS(0), {2, -1, -1, -1}, "5: 0"},
    {REP, 2, 5, {.way = 1, .distant = 1}, {2, 3, -1, -1}, ""},
};

static void lru_by_hand(void **state)
{
    (void)state;
    RUN(GM_REPLACEMENT_LRU, lru);
}

static void srrip_by_hand(void **state)
{
    (void)state;
    RUN(GM_REPLACEMENT_SRRIP, srrip);
}

static void ship_by_hand(void **state)
{
    (void)state;
    RUN(GM_REPLACEMENT_SHIP, ship);
}

static const struct {
    gm_replacement_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{GM_REPLACEMENT_LRU, 1, 1, 1, 1, 1}, NULL},
    {{GM_REPLACEMENT_SHIP, 10, 32, 4, 14, 4}, NULL},
    {{(gm_replacement_policy)3, 5, 4, 2, 8, 3}, "replacement: policy 3: must be 0 to 2"},
    {{GM_REPLACEMENT_LRU, 0, 4, 2, 8, 3}, "replacement: index_bits 0: must be 1 to 10"},
    {{GM_REPLACEMENT_LRU, 11, 4, 2, 8, 3}, "replacement: index_bits 11: must be 1 to 10"},
    {{GM_REPLACEMENT_LRU, 5, 0, 2, 8, 3}, "replacement: ways 0: must be 1 to 32"},
    {{GM_REPLACEMENT_LRU, 5, 33, 2, 8, 3}, "replacement: ways 33: must be 1 to 32"},
    {{GM_REPLACEMENT_LRU, 5, 4, 0, 8, 3}, "replacement: rrpv_bits 0: must be 1 to 4"},
    {{GM_REPLACEMENT_LRU, 5, 4, 5, 8, 3}, "replacement: rrpv_bits 5: must be 1 to 4"},
    {{GM_REPLACEMENT_LRU, 5, 4, 2, 0, 3}, "replacement: signature_bits 0: must be 1 to 14"},
    {{GM_REPLACEMENT_LRU, 5, 4, 2, 15, 3}, "replacement: signature_bits 15: must be 1 to 14"},
    {{GM_REPLACEMENT_LRU, 5, 4, 2, 8, 0}, "replacement: counter_bits 0: must be 1 to 4"},
    {{GM_REPLACEMENT_LRU, 5, 4, 2, 8, 5}, "replacement: counter_bits 5: must be 1 to 4"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_replacement_state table;
        test_ok(gm_arena_create(&arena, gm_replacement_bytes(&ranges[i].p), &error), error);
        int code = gm_replacement_init(&table, &ranges[i].p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
        arena.size /= 2; /* full too early */
        arena.used = 0;
        if (code == 0) {
            assert_int_equal(gm_replacement_init(&table, &ranges[i].p, &arena, &error), -ENOMEM);
        }
        gm_arena_free(&arena);
    }
}

/* The parts lie in what is taken of the arena; one that does not fit is missed, though those behind
 * it are smaller and do: 4096 bytes each of used and reused, 1024 of values, 2048 of signatures. */
static void arena_holds_all_parts(void **state)
{
    (void)state;
    gm_error error;
    gm_replacement_state table = make(size(GM_REPLACEMENT_SHIP, 4));
    assert_true((const uint8_t *)(table.doubt + 16) <= (const uint8_t *)arena.memory + arena.used);
    gm_arena_free(&arena);
    gm_replacement_parameters p = {GM_REPLACEMENT_SHIP, 10, 1, 2, 1, 3};
    test_ok(gm_arena_create(&arena, 7600, &error), error);
    assert_int_equal(gm_replacement_init(&table, &p, &arena, &error), -ENOMEM);
    gm_arena_free(&arena);
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    gm_replacement_state table = make(size(GM_REPLACEMENT_LRU, 4));
    gm_replacement_request r = {.op = REP, .eligible = ALL};
    gm_replacement_access(&table, r);
    gm_replacement_access(&table, r);
    expect_sound(&table);
    table.used[0] = 1u << 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: set 0: marks of a way that is not in use");
    table.used[0] = 3;
    table.reused[0] = 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    table.reused[0] = 0;
    table.value[0] = 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: set 0: a value beyond its range");
    table.value[0] = 0; /* as way 1 */
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: set 0: ranks that are no order");
    table.value[0] = 1;
    assert_int_equal(gm_replacement_check(&table, &error), 0);
    table.used[1] = 1u << 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: set 1: marks of a way that is not in use");
    table.used[1] = 0;
    table.doubt[0] = 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    table.doubt[0] = 0;
    table.doubt[15] = 4;
    assert_int_equal(gm_replacement_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "replacement: signature 15: a counter beyond its bits");
    gm_arena_free(&arena);
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[0];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_replacement_state table = make(size(GM_REPLACEMENT_SRRIP, 4));
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    table.observer = &observer;
    for (uint64_t op = 0; op < 8; op++) {
        gm_replacement_response a =
            gm_replacement_access(&table, (gm_replacement_request){.op = op, .eligible = 8});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], a.way);
    }
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_by_hand),
        cmocka_unit_test(srrip_by_hand),
        cmocka_unit_test(ship_by_hand),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(arena_holds_all_parts),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
