/* Victim tags: operations worked by hand on the organisation of [rogers]; sets that lose their
 * oldest tag; warps and sets that are apart; and a second way to compute the answers, from the
 * history of all INSERTs, that agrees on random streams. */
#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/victim_tags.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* 16 tags a warp, 8 ways; 768 of an SM of 48 warps [khairy, Table 4]. */
static const gm_victim_tags_parameters table_4 = {
    .warps = 48, .sets = 2, .ways = 8, .line_bits = 42};

typedef struct model {
    gm_victim_tags tags;
    gm_arena arena;
} model;

static model make(gm_victim_tags_parameters p)
{
    model made;
    gm_error error;
    test_ok(gm_arena_create(&made.arena, gm_victim_tags_bytes(&p), &error), error);
    test_ok(gm_victim_tags_init(&made.tags, &p, &made.arena, &error), error);
    return made;
}

static gm_victim_tags_response act(model *m, uint64_t op, uint64_t warp, uint64_t line)
{
    gm_error error;
    gm_victim_tags_response response = gm_victim_tags_access(
        &m->tags, (gm_victim_tags_request){.op = op, .warp = warp, .line = line});
    test_ok(gm_victim_tags_check(&m->tags, &error), error);
    return response;
}

static bool has(model *m, uint64_t warp, uint64_t line)
{
    return act(m, GM_VICTIM_TAGS_PROBE, warp, line).found != 0;
}

typedef struct step {
    uint64_t op, warp, line;
    bool found, replaced;
    const char *why;
} step;

static void operations_by_hand(void **state)
{
    (void)state;
    enum {
        I = GM_VICTIM_TAGS_INSERT,
        P = GM_VICTIM_TAGS_PROBE,
        C = GM_VICTIM_TAGS_CLEAR,
        R = GM_VICTIM_TAGS_RESTART
    };
    /* Two sets of two ways: even lines 2, 4, 6 share set 0. */
    static const step steps[] = {
        {P, 1, 2, false, false, "no tag yet"},
        {I, 1, 2, false, false, "the first way of set 0"},
        {P, 1, 2, true, false, "there; a PROBE takes nothing away"},
        {P, 1, 2, true, false, "so it is there again"},
        {P, 0, 2, false, false, "of another warp"},
        {P, 1, 3, false, false, "of another set"},
        {I, 1, 4, false, false, "the second way"},
        {I, 1, 2, true, false, "there already: nothing changes, its age included"},
        {I, 1, 6, false, true, "replaces 2, the oldest"},
        {P, 1, 2, false, false, "lost"},
        {P, 1, 4, true, false, "kept"},
        {P, 1, 6, true, false, "new"},
        {I, 1, 2, false, true, "replaces 4"},
        {P, 1, 4, false, false, "lost"},
        {I, 0, 2, false, false, "warp 0 has its own sets"},
        {I, 1, 3, false, false, "set 1"},
        {C, 1, 0, false, false, "warp 1 begins"},
        {P, 1, 2, false, false, "set 0 is empty"},
        {P, 1, 3, false, false, "and set 1"},
        {P, 0, 2, true, false, "warp 0 keeps its tag"},
        {I, 1, 8, false, false, "the first way again"},
        {I, 1, 10, false, false, "and the second: nothing is replaced"},
        {R, 3, 15, false, false, "RESTART takes no warp"},
        {P, 0, 2, false, false, "no warp has tags"},
        {P, 1, 8, false, false, "none"},
    };
    model m = make((gm_victim_tags_parameters){.warps = 2, .sets = 2, .ways = 2, .line_bits = 4});
    for (const step *s = steps; s < steps + sizeof steps / sizeof *steps; s++) {
        gm_victim_tags_response response = act(&m, s->op, s->warp, s->line);
        if (response.found != s->found || response.replaced != s->replaced) {
            fail_msg("%s: found %llu, replaced %llu", s->why, (unsigned long long)response.found,
                     (unsigned long long)response.replaced);
        }
    }
    gm_arena_free(&m.arena);
}

/* The set of a warp holds the last `ways` tags, whatever was PROBEd between. */
static void sets_lose_their_oldest_tag(void **state)
{
    (void)state;
    for (unsigned ways = 1; ways <= 16; ways++) {
        gm_victim_tags_parameters p = table_4;
        p.ways = ways;
        model m = make(p);
        for (uint64_t i = 0; i < 3 * ways + UINT64_C(1); i++) {
            assert_int_equal(act(&m, GM_VICTIM_TAGS_INSERT, 47, 2 * i).replaced, i >= ways);
            for (uint64_t j = 0; j <= 3 * ways; j++) {
                assert_int_equal(has(&m, 47, 2 * j), j <= i && j + ways > i);
            }
        }
        gm_arena_free(&m.arena);
    }
}

/* Table 4's 768 tags: each warp has 16 of its own, and lines that differ in one bit are apart. */
static void warps_and_sets_are_apart(void **state)
{
    (void)state;
    model m = make(table_4);
    for (uint64_t warp = 0; warp < 48; warp++) {
        for (uint64_t i = 0; i < 16; i++) {
            assert_int_equal(act(&m, GM_VICTIM_TAGS_INSERT, warp, warp << 8 | i).replaced, 0);
        }
    }
    for (uint64_t warp = 0; warp < 48; warp++) {
        for (uint64_t other = 0; other < 48; other++) {
            assert_int_equal(has(&m, warp, other << 8 | 15), warp == other);
        }
    }
    for (unsigned bit = 4; bit < 42; bit++) {
        assert_false(has(&m, 5, (5 << 8 | 7) ^ UINT64_C(1) << bit));
    }
    act(&m, GM_VICTIM_TAGS_CLEAR, 5, 0);
    for (uint64_t warp = 0; warp < 48; warp++) {
        assert_int_equal(has(&m, warp, warp << 8 | 3), warp != 5);
        assert_int_equal(has(&m, warp, warp << 8 | 4), warp != 5);
    }
    gm_arena_free(&m.arena);
}

enum { EVENTS = 1000 };

/* The second way: the INSERTs of the line's set since the warp began, the newest first, of which
 * those that were found do not count; the last `ways` are there. An INSERT was found if the line is
 * among those of the events before it, which the answers up to then say. */
static bool among(const gm_victim_tags_request *event, const bool *joined, unsigned end,
                  const gm_victim_tags_parameters *p, uint64_t warp, uint64_t line,
                  unsigned *members)
{
    bool found = false;
    *members = 0;
    for (unsigned i = end; i-- > 0;) {
        if (event[i].op == GM_VICTIM_TAGS_RESTART ||
            (event[i].op == GM_VICTIM_TAGS_CLEAR && event[i].warp == warp)) {
            break;
        }
        if (joined[i] && event[i].warp == warp && event[i].line % p->sets == line % p->sets) {
            found = found || (*members < p->ways && event[i].line == line);
            ++*members;
        }
    }
    return found;
}

static void agrees_with_history(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned hits = 0;
    unsigned replaced = 0;
    unsigned rounds = test_rounds(300);
    for (unsigned round = 0; round < rounds; round++) {
        gm_victim_tags_parameters p = {.warps = 1 + (unsigned)test_random_below(&random, 5),
                                       .sets = 1U << test_random_below(&random, 3),
                                       .ways = 1 + (unsigned)test_random_below(&random, 9)};
        p.line_bits = gm_log2_ceil(p.sets) + 1 + (unsigned)test_random_below(&random, 40);
        model m = make(p);
        gm_victim_tags_request event[EVENTS];
        bool joined[EVENTS];
        uint64_t pool = 1 + test_random_below(&random, 2 * p.sets * p.ways);
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t ticket = test_random_below(&random, 200);
            event[i] = (gm_victim_tags_request){
                .op = ticket == 0   ? GM_VICTIM_TAGS_RESTART
                      : ticket == 1 ? GM_VICTIM_TAGS_CLEAR
                                    : ticket % 2,
                .warp = test_random_below(&random, p.warps),
                .line = test_random_below(&random, pool) & gm_mask(p.line_bits),
            };
            unsigned members;
            bool found = among(event, joined, i, &p, event[i].warp, event[i].line, &members) &&
                         event[i].op <= GM_VICTIM_TAGS_PROBE;
            joined[i] = event[i].op == GM_VICTIM_TAGS_INSERT && !found;
            gm_victim_tags_response response = act(&m, event[i].op, event[i].warp, event[i].line);
            assert_int_equal(response.found, found);
            assert_int_equal(response.replaced, joined[i] && members >= p.ways);
            hits += found;
            replaced += response.replaced != 0;
        }
        gm_arena_free(&m.arena);
    }
    assert_true(hits > 30 * rounds && replaced > 30 * rounds);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_victim_tags_parameters p;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {{1, 1, 1, 1}, NULL},
        {{64, 16, 16, 64}, NULL},
        {{64, 16, 16, 5}, NULL},
        {{0, 2, 8, 42}, "victim_tags: warps 0: must be 1 to 64"},
        {{65, 2, 8, 42}, "victim_tags: warps 65: must be 1 to 64"},
        {{48, 0, 8, 42}, "victim_tags: sets 0: must be 1, 2, 4, 8 or 16"},
        {{48, 3, 8, 42}, "victim_tags: sets 3: must be 1, 2, 4, 8 or 16"},
        {{48, 32, 8, 42}, "victim_tags: sets 32: must be 1, 2, 4, 8 or 16"},
        {{48, 2, 0, 42}, "victim_tags: ways 0: must be 1 to 16"},
        {{48, 2, 17, 42}, "victim_tags: ways 17: must be 1 to 16"},
        {{48, 2, 8, 1}, "victim_tags: line_bits 1: must be 2 to 64"},
        {{48, 2, 8, 65}, "victim_tags: line_bits 65: must be 2 to 64"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_victim_tags tags;
        gm_arena arena;
        test_ok(gm_arena_create(&arena, 1 << 20, &error), error);
        int code = gm_victim_tags_init(&tags, &ranges[i].p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
        gm_arena_free(&arena);
    }
    for (size_t bytes = 64; bytes < gm_victim_tags_bytes(&table_4) - 64; bytes *= 2) {
        gm_error error;
        gm_victim_tags tags;
        gm_arena arena;
        test_ok(gm_arena_create(&arena, bytes, &error), error);
        assert_int_equal(gm_victim_tags_init(&tags, &table_4, &arena, &error), -ENOMEM);
        assert_string_equal(error.text, "victim_tags: the arena is full: it needs 6464 bytes");
        gm_arena_free(&arena);
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    model m = make(table_4);
    act(&m, GM_VICTIM_TAGS_INSERT, 1, 5);
    act(&m, GM_VICTIM_TAGS_INSERT, 1, 7);
    m.tags.tag[3 * 8 + 1] = 2; /* the tag of line 5 */
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), -EINVAL);
    assert_string_equal(error.text, "victim_tags: row 3: tag 0x2 twice");
    m.tags.tag[3 * 8 + 1] = UINT64_C(1) << 41;
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), -EINVAL);
    assert_string_equal(error.text, "victim_tags: row 3: tag 0x20000000000 beyond 41 bits");
    m.tags.fill[3].next = 1;
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), 0);
    m.tags.fill[95].next = 8;
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), -EINVAL);
    assert_string_equal(error.text, "victim_tags: row 95: way 8, full 0");
    m.tags.fill[95] = (gm_victim_tags_fill){.next = 7, .full = 2};
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), -EINVAL);
    assert_string_equal(error.text, "victim_tags: row 95: way 7, full 2");
    m.tags.fill[95] = (gm_victim_tags_fill){0};
    act(&m, GM_VICTIM_TAGS_INSERT, 0, 2 * UINT64_C(0xffff)); /* behind row 95: no way and fill */
    m.tags.fill[0].next = 8;
    assert_int_equal(gm_victim_tags_check(&m.tags, &error), -EINVAL);
    assert_string_equal(error.text, "victim_tags: row 0: way 8, full 0");
    gm_arena_free(&m.arena);
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
    model m = make(table_4);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    m.tags.observer = &observer;
    for (uint64_t op = 0; op < 4; op++) {
        gm_victim_tags_response response = act(&m, op, 3, 9);
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], response.found);
    }
    assert_ptr_equal(m.tags.observer, &observer); /* a RESTART keeps it */
    gm_arena_free(&m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(sets_lose_their_oldest_tag),
        cmocka_unit_test(warps_and_sets_are_apart),
        cmocka_unit_test(agrees_with_history),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
