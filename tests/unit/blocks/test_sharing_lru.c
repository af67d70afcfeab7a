/* sharing_lru: the rules of [tabbakh, V-B, VI] on sequences worked by hand. */
#include "goldmem/bits.h"
#include "support/blocks/sharing_lru_run.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { ALL = 15, SHARED = 1, CERTAIN = 1 }; /* four ways; values of `incoming` */

/* A step in set 1 of 4 ways. `what`: a way, or the eligible ones. `sm`: 0 to 15, -1 none. */
typedef struct step {
    uint64_t op, what, incoming;
    int sm;
    gm_sharing_lru_response expected;
    const char *order; /* ways after it, the newest first */
    const char *marks; /* of each way after it: p private, s shared, - not in use; capital: dead */
    const char *why;
} step;

static void expect_row(const gm_sharing_lru *state, const step *s)
{
    for (unsigned way = 0; way < 4; way++) {
        bool used = (state->used[1] >> way & 1) != 0;
        bool shared = (state->shared[1] >> way & 1) != 0;
        bool dead = (state->dead[1] >> way & 1) != 0;
        assert_int_equal(used ? "psPS"[2 * dead + shared] : '-', s->marks[way]);
        if (used) {
            assert_int_equal(s->order[state->rank[4 + way]], '0' + way);
        }
    }
    assert_int_equal(strlen(s->order), gm_count_ones(state->used[1]));
}

static void run_steps(gm_sharing_level level, gm_sharing_dead dead, const step *steps, size_t count)
{
    gm_sharing_lru state = make((gm_sharing_lru_parameters){
        .level = level, .dead = dead, .index_bits = 1, .ways = 4, .sm_bits = 4});
    for (const step *s = steps; s < steps + count; s++) {
        bool chooses = s->op == REP || s->op >= PEK;
        gm_sharing_lru_response is = gm_sharing_lru_access(
            &state, (gm_sharing_lru_request){.op = s->op,
                                             .index = 1,
                                             .way = chooses ? 0 : s->what,
                                             .eligible = s->what,
                                             .incoming = s->incoming,
                                             .sm = s->sm < 0 ? 0 : (uint64_t)s->sm,
                                             .known = s->sm >= 0});
        print_message("step %d: %s\n", (int)(s - steps), s->why);
        expect_equal(is, s->expected);
        expect_row(&state, s);
        assert_int_equal(state.used[0], 0);
        expect_sound(&state);
    }
    gm_arena_free(&arena);
}

#define RUN(level, dead, steps) run_steps(level, dead, steps, sizeof(steps) / sizeof *(steps))

/* [tabbakh, Figure 12]: B and D are private, A and C shared, D is the oldest. That the lines which
 * come in are shared is our reading. */
static const step figure_12[] = {
    {REP, ALL, 0, -1, {.way = 0}, "0", "p---", "D, the lowest free way"},
    {REP, ALL, SHARED, -1, {.way = 1}, "10", "ps--", "C"},
    {REP, 4, 0, -1, {.way = 2}, "210", "psp-", "B"},
    {REP, ALL, SHARED, -1, {.way = 3}, "3210", "psps", "A"},
    {PEK, ALL, SHARED, -1, {.way = 1, .evicted = 1, .shared = 1, .died = 1}, "3210", "psps", ""},
    {REP,
     ALL,
     SHARED,
     -1,
     {.way = 1, .evicted = 1, .shared = 1, .died = 1},
     "1320",
     "Psps",
     "D is declared dead, C is replaced"},
    {PEK + 1, ALL, SHARED, -1, {.way = 0, .evicted = 1, .dead = 1}, "1320", "Psps", ""},
    {REP, ALL, SHARED, -1, {.way = 0, .evicted = 1, .dead = 1}, "0132", "ssps", "E: D is replaced"},
    {REP,
     ALL,
     0,
     -1,
     {.way = 3, .evicted = 1, .shared = 1, .died = 1},
     "3012",
     "ssPp",
     "a private line, too, declares B dead"},
    {TCH, 2, 0, -1, {0}, "2301", "sspp", "a hit clears the flag"},
    {TCH, 0, 0, -1, {.shared = 1}, "0231", "sspp", ""},
    {REP,
     ALL,
     SHARED,
     -1,
     {.way = 1, .evicted = 1, .shared = 1},
     "1023",
     "sspp",
     "of two the older"},
    {REM, 3, 0, -1, {0}, "102", "ssp-", ""},
    {REM, 3, 0, -1, {.error = 1}, "102", "ssp-", ""},
    {TCH, 3, 0, -1, {.error = 1}, "102", "ssp-", ""},
    {REP,
     7,
     0,
     -1,
     {.way = 0, .evicted = 1, .shared = 1, .died = 1},
     "012",
     "psP-",
     "way 3 is free and not eligible"},
    {REP, 0, 0, -1, {.none = 1}, "012", "psP-", ""},
    {REP, ALL, SHARED, -1, {.way = 3}, "3012", "psPs", "the free way first, though B is dead"},
    {RST, 0, 0, -1, {0}, "3012", "pppp", "RESET leaves lines, private and alive"},
    {FLU, 0, 0, -1, {0}, "", "----", ""},
    {REP, ALL, 0, -1, {.way = 0}, "0", "p---", "nothing is left of the flags"},
};

/* All lines are private: P1 [V-B2]. */
static const step all_private_any[] = {
    {REP, 1, 0, -1, {.way = 0}, "0", "p---", ""},
    {REP, 2, 0, -1, {.way = 1}, "10", "pp--", ""},
    {REP, 4, 0, -1, {.way = 2}, "210", "ppp-", ""},
    {REP, 8, 0, -1, {.way = 3}, "3210", "pppp", ""},
    {PEK + 2, ALL, SHARED, -1, {.bypass = 1, .died = 1}, "3210", "pppp", ""},
    {REP, ALL, SHARED, -1, {.bypass = 1, .died = 1}, "3210", "Pppp", "bypass; the flag is set"},
    {REP, ALL, 0, -1, {.way = 0, .evicted = 1, .dead = 1}, "0321", "pppp", ""},
    {REP, ALL, 0, -1, {.way = 1, .evicted = 1}, "1032", "pppp", "it goes at once: it does not die"},
    {REP, 9, SHARED, -1, {.bypass = 1, .died = 1}, "1032", "pppP", "the oldest that is eligible"},
    {REP, ALL, SHARED, -1, {.bypass = 1, .died = 1}, "1032", "ppPP", ""},
    {REP, ALL, SHARED, -1, {.way = 2, .evicted = 1, .dead = 1}, "2103", "ppsP", "dead=any"},
    {REP, 4, SHARED, -1, {.way = 2, .evicted = 1, .shared = 1}, "2103", "ppsP", ""},
};

static const step all_private_literal[] = {
    {REP, 1, 0, -1, {.way = 0}, "0", "p---", ""},
    {REP, 2, 0, -1, {.way = 1}, "10", "pp--", ""},
    {REP, 4, 0, -1, {.way = 2}, "210", "ppp-", ""},
    {REP, 8, 0, -1, {.way = 3}, "3210", "pppp", ""},
    {REP, ALL, SHARED, -1, {.bypass = 1, .died = 1}, "3210", "Pppp", ""},
    {REP, ALL, SHARED, -1, {.bypass = 1}, "3210", "Pppp", "dead=private: it never yields"},
    {REP, ALL, 0, -1, {.way = 0, .evicted = 1, .dead = 1}, "0321", "pppp", "but to a private one"},
    {REM, 2, 0, -1, {0}, "031", "pp-p", ""},
    {REP, ALL, SHARED, -1, {.way = 2}, "2031", "ppsp", ""},
    {REP, ALL, SHARED, -1, {.way = 2, .evicted = 1, .shared = 1, .died = 1}, "2031", "pPsp", ""},
    {REP,
     ALL,
     SHARED,
     -1,
     {.way = 2, .evicted = 1, .shared = 1},
     "2031",
     "pPsp",
     "it is dead already"},
};

static const step no_dead_blocks[] = {
    {REP, 1, 0, -1, {.way = 0}, "0", "p---", ""},
    {REP, 2, SHARED, -1, {.way = 1}, "10", "ps--", ""},
    {REP, 12, 0, -1, {.way = 2}, "210", "psp-", ""},
    {REP, 12, 0, -1, {.way = 3}, "3210", "pspp", ""},
    {REP, ALL, 0, -1, {.way = 1, .evicted = 1, .shared = 1}, "1320", "pppp", "way 0 does not die"},
    {REP, ALL, SHARED, -1, {.bypass = 1}, "1320", "pppp", ""},
    {REP, ALL, 0, -1, {.way = 0, .evicted = 1}, "0132", "pppp", "LRU among private lines"},
};

/* The L2: ownerId, SF [VI-A]; P2 [V-B2]. */
static const step l2[] = {
    {REP, ALL, 0, 3, {.way = 0}, "0", "p---", "SM 3 is the owner"},
    {TCH, 0, 0, 3, {0}, "0", "p---", ""},
    {REP, ALL, 0, -1, {.way = 1}, "10", "pp--", "a host copy"},
    {TCH, 0, 0, -1, {0}, "01", "pp--", "a host copy shares nothing"},
    {TCH, 1, 0, 5, {0}, "10", "pp--", "the first requester is the owner"},
    {TCH, 0, 0, 4, {.shared = 1, .became = 1}, "01", "sp--", "another SM"},
    {TCH, 0, 0, 3, {.shared = 1}, "01", "sp--", "sticky; the owner sees it too"},
    {REP, ALL, 0, 0, {.way = 2}, "201", "spp-", ""},
    {REP, ALL, CERTAIN, 7, {.way = 3}, "3201", "sppp", "a local write-back, free way"},
    {TCH, 1, 0, 6, {.shared = 1, .became = 1}, "1320", "sspp", ""},
    {REP, ALL, CERTAIN, 7, {.way = 2, .evicted = 1}, "2130", "sspp", "the oldest private, not 0"},
    {REP, ALL, 0, 1, {.way = 3, .evicted = 1}, "3210", "sspp", ""},
    {TCH, 2, 0, 8, {.shared = 1, .became = 1}, "2310", "sssp", ""},
    {TCH, 3, 0, 0, {.shared = 1, .became = 1}, "3210", "ssss", "SM 0 is one"},
    {REP, ALL, CERTAIN, 7, {.bypass = 1}, "3210", "ssss", "P2"},
    {REP, 6, 0, 9, {.way = 1, .evicted = 1, .shared = 1}, "1320", "spss", "the oldest eligible"},
    {RST, 0, 0, -1, {0}, "1320", "pppp", "a kernel's end"},
    {TCH, 0, 0, 9, {0}, "0132", "pppp", "the next requester is the owner"},
    {TCH, 0, 0, 8, {.shared = 1, .became = 1}, "0132", "sppp", ""},
};

/* The dead-block rule at the L2, classes swapped: ours. */
static const step l2_dead[] = {
    {REP, 1, 0, 3, {.way = 0}, "0", "p---", ""},
    {REP, 2, 0, 3, {.way = 1}, "10", "pp--", ""},
    {REP, 4, 0, 3, {.way = 2}, "210", "ppp-", ""},
    {REP, 8, 0, 3, {.way = 3}, "3210", "pppp", ""},
    {TCH, 1, 0, 4, {.shared = 1, .became = 1}, "1320", "pspp", ""},
    {TCH, 0, 0, 4, {.shared = 1, .became = 1}, "0132", "sspp", ""},
    {TCH, 2, 0, 3, {0}, "2013", "sspp", ""},
    {TCH, 3, 0, 3, {0}, "3201", "sspp", "1 is the oldest, and shared"},
    {REP, ALL, CERTAIN, 3, {.way = 2, .evicted = 1, .died = 1}, "2301", "sSpp", ""},
    {REP, ALL, CERTAIN, 3, {.way = 1, .evicted = 1, .shared = 1, .dead = 1}, "1230", "sppp", ""},
    {REP, ALL, 0, 3, {.way = 3, .evicted = 1, .died = 1}, "3120", "Sppp", ""},
    {TCH, 0, 0, -1, {.shared = 1}, "0312", "sppp", "any hit clears the flag"},
    {REP, 1, CERTAIN, 3, {.bypass = 1, .died = 1}, "0312", "Sppp", ""},
    {REP, 1, 0, 3, {.way = 0, .evicted = 1, .shared = 1, .dead = 1}, "0312", "pppp", ""},
};

static void figure_12_by_hand(void **state)
{
    (void)state;
    RUN(GM_SHARING_L1, GM_SHARING_DEAD_ANY, figure_12);
}

static void private_sets_by_hand(void **state)
{
    (void)state;
    RUN(GM_SHARING_L1, GM_SHARING_DEAD_ANY, all_private_any);
    RUN(GM_SHARING_L1, GM_SHARING_DEAD_PRIVATE, all_private_literal);
    RUN(GM_SHARING_L1, GM_SHARING_DEAD_OFF, no_dead_blocks);
}

static void owners_by_hand(void **state)
{
    (void)state;
    RUN(GM_SHARING_L2, GM_SHARING_DEAD_OFF, l2);
}

static void dead_blocks_of_the_l2_by_hand(void **state)
{
    (void)state;
    RUN(GM_SHARING_L2, GM_SHARING_DEAD_ANY, l2_dead);
}

static const struct {
    gm_sharing_lru_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{GM_SHARING_L1, GM_SHARING_DEAD_OFF, 1, 1, 1}, NULL},
    {{GM_SHARING_L2, GM_SHARING_DEAD_ANY, 10, 32, 10}, NULL},
    {{(gm_sharing_level)2, GM_SHARING_DEAD_ANY, 5, 4, 4}, "sharing_lru: level 2: must be 0 to 1"},
    {{GM_SHARING_L1, (gm_sharing_dead)3, 5, 4, 4}, "sharing_lru: dead 3: must be 0 to 2"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 0, 4, 4}, "sharing_lru: index_bits 0: must be 1 to 10"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 11, 4, 4}, "sharing_lru: index_bits 11: must be 1 to 10"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 0, 4}, "sharing_lru: ways 0: must be 1 to 32"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 33, 4}, "sharing_lru: ways 33: must be 1 to 32"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 4, 0}, "sharing_lru: sm_bits 0: must be 1 to 10"},
    {{GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 4, 11}, "sharing_lru: sm_bits 11: must be 1 to 10"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_sharing_lru table;
        test_ok(gm_arena_create(&arena, gm_sharing_lru_bytes(&ranges[i].p), &error), error);
        int code = gm_sharing_lru_init(&table, &ranges[i].p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
        for (size_t size = code == 0 ? arena.used - 1 : 0; size > 0; size /= 2) { /* too small */
            arena.size = size;
            arena.used = 0;
            assert_int_equal(gm_sharing_lru_init(&table, &ranges[i].p, &arena, &error), -ENOMEM);
        }
        gm_arena_free(&arena);
    }
}

/* A part that does not fit is missed, though those behind it are smaller and do: 4096 bytes each of
 * used, shared, dead and owned, 1024 of ranks, 2048 of owners. */
static void arena_holds_all_parts(void **state)
{
    (void)state;
    gm_error error;
    gm_sharing_lru table;
    gm_sharing_lru_parameters p = {GM_SHARING_L2, GM_SHARING_DEAD_ANY, 10, 1, 4};
    test_ok(gm_arena_create(&arena, 3 * 4096 + 3072 + 256, &error), error);
    assert_int_equal(gm_sharing_lru_init(&table, &p, &arena, &error), -ENOMEM);
    gm_arena_free(&arena);
}

static void expect_damage(const gm_sharing_lru *state, const char *text)
{
    gm_error error;
    assert_int_equal(gm_sharing_lru_check(state, &error), -EINVAL);
    assert_string_equal(error.text, text);
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_sharing_lru table = make((gm_sharing_lru_parameters){GM_SHARING_L1, 2, 1, 4, 4});
    gm_sharing_lru_request r = {.op = REP, .index = 1, .eligible = ALL, .incoming = SHARED};
    gm_sharing_lru_access(&table, r);
    r.incoming = 0;
    gm_sharing_lru_access(&table, r); /* way 0 shared, way 1 private */
    table.used[1] = 19;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.used[1] = 3;
    table.shared[1] = 5;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.dead[1] = 4;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.shared[1] = 1;
    table.owned[1] = 4;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.owned[1] = 0;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.dead[1] = 1;
    expect_damage(&table, "sharing_lru: set 1: a dead line that gives way anyhow");
    table.dead[1] = 2;
    expect_sound(&table);
    table.owned[1] = 4;
    expect_damage(&table, "sharing_lru: set 1: marks of a way that is not in use");
    table.owned[1] = 1;
    expect_damage(&table, "sharing_lru: set 1: an owner in an L1");
    table.owned[1] = 0;
    table.owner[4] = 1;
    expect_damage(&table, "sharing_lru: set 1: a value beyond its range");
    table.owner[4] = 0;
    table.rank[4] = 4;
    expect_damage(&table, "sharing_lru: set 1: a value beyond its range");
    table.rank[4] = 0; /* as way 1 */
    expect_damage(&table, "sharing_lru: set 1: ranks that are no order");
    gm_arena_free(&arena);
    table = make((gm_sharing_lru_parameters){GM_SHARING_L2, 2, 1, 4, 4});
    r = (gm_sharing_lru_request){.op = REP, .eligible = ALL, .sm = 15, .known = 1};
    gm_sharing_lru_access(&table, r);
    expect_sound(&table);
    table.owner[0] = 16;
    expect_damage(&table, "sharing_lru: set 0: a value beyond its range");
    table.owner[0] = 0;
    table.dead[0] = 1;
    expect_damage(&table, "sharing_lru: set 0: a dead line that gives way anyhow");
    table.shared[0] = 1;
    expect_sound(&table);
    table.owned[0] = 0;
    expect_damage(&table, "sharing_lru: set 0: a shared line without owner");
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
    gm_sharing_lru table = make((gm_sharing_lru_parameters){GM_SHARING_L1, 2, 1, 4, 4});
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    table.observer = &observer;
    for (uint64_t op = 0; op < 8; op++) {
        gm_sharing_lru_response a =
            gm_sharing_lru_access(&table, (gm_sharing_lru_request){.op = op, .eligible = 8});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], a.way);
    }
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_12_by_hand),
        cmocka_unit_test(private_sets_by_hand),
        cmocka_unit_test(owners_by_hand),
        cmocka_unit_test(dead_blocks_of_the_l2_by_hand),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(arena_holds_all_parts),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
