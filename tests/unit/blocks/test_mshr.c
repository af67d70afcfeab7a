/* Miss status holding registers: sequences worked by hand, damage that the check finds, and
 * parameters. */
#include "support/blocks/mshr_run.h"

#include <errno.h>
#include <string.h>

/* REQUEST with permission, as most tests want it. */
static gm_mshr_response ask(gm_mshr *table, uint64_t line, uint64_t requester)
{
    return gm_mshr_access(table, (gm_mshr_request){.op = GM_MSHR_REQUEST_OP,
                                                   .line = line,
                                                   .requester = requester,
                                                   .may_allocate = 1});
}

static gm_mshr_response act(gm_mshr *table, uint64_t op, uint64_t line, uint64_t id)
{
    return gm_mshr_access(table, (gm_mshr_request){.op = op, .line = line, .id = id});
}

enum { A = 100, B = 200, C = 300 }; /* lines */

typedef struct step {
    uint64_t op, line, requester, id, may_allocate;
    gm_mshr_response expected;
    const char *why;
} step;

#define MERGED_IN(entry, n)                                                                        \
    {                                                                                              \
        .outcome = GM_MSHR_MERGED, .id = (entry), .count = (n)                                     \
    }
#define NEW_IN(entry)                                                                              \
    {                                                                                              \
        .outcome = GM_MSHR_NEW, .id = (entry), .count = 1                                          \
    }
#define FAILS(why)                                                                                 \
    {                                                                                              \
        .outcome = GM_MSHR_FAIL, .reason = GM_MSHR_FAIL_##why                                      \
    }

/* Two entries of two requesters, from empty to empty. */
static const step walk[] = {
    {PRB, A, 0, 0, 1, NEW_IN(0), "a probe tells"},
    {PRB, A, 0, 0, 0, FAILS(MISS_QUEUE), "with the permission that it has"},
    {REQ, A, 1, 0, 0, FAILS(MISS_QUEUE), "no room for the miss"},
    {REQ, A, 2, 0, 1, NEW_IN(0), "so 0 was still free"},
    {PRB, A, 0, 0, 0, MERGED_IN(0, 2), "a probe does not merge"},
    {REQ, A, 3, 0, 0, MERGED_IN(0, 2), "merging sends nothing: no permission needed"},
    {REQ, A, 4, 0, 1, FAILS(MERGE), "the bound of two is hit exactly"},
    {PRB, A, 0, 0, 1, FAILS(MERGE), "and probed"},
    {REQ, B, 5, 0, 1, NEW_IN(1), "a second line"},
    {REQ, C, 6, 0, 1, FAILS(ENTRY), "no third entry"},
    {REQ, C, 6, 0, 0, FAILS(ENTRY), "which is said before the queue"},
    {RSP, 0, 0, 0, 0, {.line = A, .requester = 2, .count = 1, .install = 1}, "oldest first"},
    {REQ, A, 7, 0, 1, FAILS(ENTRY), "A's entry is closed by its answer; none is free"},
    {RSP, 0, 0, 0, 0, {.line = A, .requester = 3}, "the last frees it; installs once only"},
    {RSP, 0, 0, 0, 0, {.error = 1}, "nobody left"},
    {REQ, C, 8, 0, 1, NEW_IN(0), "the lowest free"},
    {CLS, B, 0, 0, 0, {.id = 1, .closed = 1}, "a store passed"},
    {CLS, B, 0, 0, 0, {0}, "it is closed already"},
    {CLS, A, 0, 0, 0, {0}, "nobody waits for A"},
    {RSP, 0, 0, 1, 0, {.id = 1, .line = B, .requester = 5}, "delivered, not installed"},
    {FLS, 0, 0, 0, 0, {.closed = 1}, "C was open"},
    {FLS, 0, 0, 0, 0, {0}, "nothing is"},
    {RSP, 0, 0, 0, 0, {.line = C, .requester = 8}, "flushed: not installed"},
    {RSP, 0, 0, 1, 0, {.id = 1, .error = 1}, "all free"},
};

/* One line, entries closed one after the other: two at most. */
static const step closes[] = {
    {REQ, A, 1, 0, 1, NEW_IN(0), "open"},
    {CLS, A, 0, 0, 0, {.closed = 1}, "closed"},
    {REQ, A, 2, 0, 1, NEW_IN(1), "a new one beside it"},
    {REQ, A, 3, 0, 1, MERGED_IN(1, 2), "into the open one"},
    {CLS, A, 0, 0, 0, {.id = 1, .closed = 1}, "both closed"},
    {REQ, A, 4, 0, 1, FAILS(ENTRY), "a third is refused, though 2 is free"},
    {REQ, A, 4, 0, 0, FAILS(ENTRY), "whatever the queue says"},
    {REQ, B, 5, 0, 1, NEW_IN(2), "another line takes it"},
    {RSP,
     0,
     0,
     1,
     0,
     {.id = 1, .line = A, .requester = 2, .count = 1},
     "the younger returns first"},
    {REQ, A, 6, 0, 1, FAILS(ENTRY), "it is not free yet"},
    {RSP, 0, 0, 1, 0, {.id = 1, .line = A, .requester = 3}, "now it is"},
    {REQ, A, 7, 0, 1, NEW_IN(1), "so A may have one again"},
    {RSP, 0, 0, 0, 0, {.line = A, .requester = 1}, "closed: not installed"},
    {RSP, 0, 0, 1, 0, {.id = 1, .line = A, .requester = 7, .install = 1}, "open: installed"},
    {RSP, 0, 0, 2, 0, {.id = 2, .line = B, .requester = 5, .install = 1}, "untouched by CLOSE A"},
};

static void run_steps(gm_mshr *table, const step *steps, size_t count)
{
    for (const step *s = steps; s < steps + count; s++) {
        gm_mshr_response is =
            gm_mshr_access(table, (gm_mshr_request){.op = s->op,
                                                    .line = s->line,
                                                    .requester = s->requester,
                                                    .id = s->id,
                                                    .may_allocate = s->may_allocate});
        if (memcmp(&is, &s->expected, sizeof is) != 0) {
            print_message("step %d: %s\n", (int)(s - steps), s->why);
        }
        expect_equal(is, s->expected);
        expect_sound(table);
    }
}

static void two_entries_of_two(void **state)
{
    (void)state;
    gm_mshr table = make(2, 2);
    run_steps(&table, walk, sizeof walk / sizeof *walk);
    gm_arena_free(&arena);
}

static void a_line_closed_twice(void **state)
{
    (void)state;
    gm_mshr table = make(3, 2);
    run_steps(&table, closes, sizeof closes / sizeof *closes);
    gm_arena_free(&arena);
}

/* The largest table, to its last slot, and back in order. */
static void the_largest_table(void **state)
{
    enum { MOST = 1024 }; /* of a public configuration: A:1024:1024 */
    (void)state;
    gm_mshr table = make(MOST, MOST);
    for (unsigned i = 0; i < MOST; i++) {
        for (unsigned j = 0; j < MOST; j++) {
            gm_mshr_response is = ask(&table, 5000 + i, MOST * i + j);
            assert_int_equal(is.outcome, j == 0 ? GM_MSHR_NEW : GM_MSHR_MERGED);
            assert_int_equal(is.id, i);
            assert_int_equal(is.count, j + 1);
        }
        assert_int_equal(ask(&table, 5000 + i, 0).reason, GM_MSHR_FAIL_MERGE);
    }
    assert_int_equal(ask(&table, 5, 0).reason, GM_MSHR_FAIL_ENTRY);
    expect_sound(&table);
    gm_mshr open = table;
    assert_int_equal(act(&table, FLS, 0, 0).closed, 1);
    assert_int_equal(act(&table, FLS, 0, 0).closed, 0);
    expect_sound(&table);
    table = open;
    for (unsigned i = MOST; i-- > 0;) {
        for (unsigned j = 0; j < MOST; j++) {
            gm_mshr_response is = act(&table, RSP, 0, i);
            assert_int_equal(is.requester, MOST * i + j);
            assert_int_equal(is.install, j == 0);
            assert_int_equal(is.count, MOST - 1 - j);
        }
        assert_int_equal(act(&table, RSP, 0, i).error, 1);
    }
    gm_arena_free(&arena);
}

/* In a small table and in that of [khairy, Table 1], lines that differ in one bit have an entry
 * each, for each bit that can leave them in one bucket. */
static void lines_differ_in_one_bit(void **state)
{
    (void)state;
    static const unsigned sizes[] = {2, 32};
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gm_mshr table = make(sizes[i], 8);
        unsigned shared = 0; /* bits of lines that can share a bucket */
        for (unsigned b = 2; b < 64; b++) {
            unsigned met = 0;
            for (unsigned tries = 0; met < 4 && tries < 2000; tries++) {
                uint64_t line = test_random_next(&random);
                uint64_t other = line ^ UINT64_C(1) << b;
                if (gm_mshr_bucket(&table, line) != gm_mshr_bucket(&table, other)) {
                    continue;
                }
                met++;
                assert_int_equal(ask(&table, line, 1).outcome, GM_MSHR_NEW);
                assert_int_equal(ask(&table, other, 2).outcome, GM_MSHR_NEW);
                assert_int_equal(ask(&table, line, 3).id, 0);
                assert_int_equal(act(&table, CLS, other, 0).id, 1);
                assert_int_equal(act(&table, RSP, 0, 0).install, 1);
                assert_int_equal(act(&table, RSP, 0, 0).requester, 3);
                assert_int_equal(act(&table, RSP, 0, 1).requester, 2);
            }
            shared += met == 4;
        }
        assert_in_range(shared, sizes[i] == 2 ? 40 : 5, 62);
        gm_arena_free(&arena);
    }
}

/* A line's third entry fails, wherever its two closed ones are. */
static void two_far_entries_of_a_line(void **state)
{
    enum { MOST = 1024 };
    (void)state;
    gm_mshr table = make(MOST, 2);
    for (unsigned i = 0; i + 3 < MOST; i++) {
        assert_int_equal(ask(&table, 5000 + i, i).id, i);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(ask(&table, A, i).id, MOST - 3 + i);
        assert_int_equal(act(&table, CLS, A, 0).closed, 1);
    }
    assert_int_equal(ask(&table, A, 2).reason, GM_MSHR_FAIL_ENTRY);
    assert_int_equal(ask(&table, A, 2).outcome, GM_MSHR_FAIL);
    assert_int_equal(ask(&table, B, 2).id, MOST - 1);
    expect_sound(&table);
    gm_arena_free(&arena);
}

/* Entries 0 and 1 are A's, entry 2 is B's and alone in its list: a third of A. */
static void check_finds_a_third(gm_mshr *table)
{
    gm_mshr_entry entry = table->entry[2];
    uint64_t open = table->open[0];
    uint16_t *a = table->bucket;
    while (*a != 2) { /* entry 1, the last that came */
        a++;
    }
    uint16_t *b = table->bucket;
    while (*b != 3) {
        b++;
    }
    table->entry[2] = (gm_mshr_entry){.line = A, .next = 2};
    table->open[0] &= ~(uint64_t)4;
    *a = 3;
    *b = 0;
    gm_error error;
    assert_int_equal(gm_mshr_check(table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 0: its line has a third, or two are open");
    table->entry[2] = entry;
    table->open[0] = open;
    *a = 2;
    *b = 3;
    expect_sound(table);
}

/* Each invariant broken by hand is found. */
static void check_finds_damage(void **state)
{
    (void)state;
    gm_mshr table = make(8, 4);
    gm_error error;
    ask(&table, A, 1); /* entry 0 */
    act(&table, CLS, A, 0);
    ask(&table, A, 2); /* entry 1 */
    ask(&table, A, 3);
    ask(&table, B, 4); /* entry 2 */
    expect_sound(&table);
    gm_mshr sound = table;
    table.open[0] |= 1; /* two open entries of A */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table = sound;
    table.open[0] |= 1 << 5; /* open, not in use */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table = sound;
    table.valid[0] |= 1 << 8; /* beyond the table */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table = sound;
    table.valid[0] |= 1 << 5; /* in use, in no list */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 5: not in the list of its line");
    table = sound;
    table.valid[0] &= ~(uint64_t)1; /* in a list, not in use: its line would be found */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 0: not in the list of its line");
    table = sound;
    table.entry[2].line = A; /* it is in B's list */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 2: not in the list of its line");
    table.entry[2].line = B;
    uint16_t last = table.entry[0].next;
    table.entry[0].next = 2; /* after entry 1 comes entry 0, and entry 1 again */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 1: not in the list of its line");
    table.entry[0].next = last;
    expect_sound(&table);
    check_finds_a_third(&table);
    expect_sound(&table);
    table.entry[1].oldest = 1; /* an open entry that has answered somebody */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table.entry[1].oldest = 0;
    table.entry[1].newest = 4; /* one slot too many */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table.entry[1].newest = 1;
    table.entry[0].oldest = 1; /* closed, and its slots out of order */
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    table.entry[0].oldest = 0;
    expect_sound(&table);
    gm_arena_free(&arena);
}

static void check_names_first_and_far_entries(void **state)
{
    (void)state;
    gm_mshr table = make(100, 1);
    gm_error error;
    expect_sound(&table);
    table.open[0] = 1;
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 0 is open and free");
    table.open[0] = 0;
    table.valid[1] = 2;
    assert_int_equal(gm_mshr_check(&table, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 65: not in the list of its line");
    gm_arena_free(&arena);
}

/* gm_mshr_check_entry looks at its entry only: in use, free, open and free, and beyond its bounds.
 */
static void one_entry_is_checked(void **state)
{
    (void)state;
    gm_mshr table = make(8, 4);
    gm_error error;
    ask(&table, A, 1);
    for (unsigned id = 0; id < 8; id++) {
        assert_int_equal(gm_mshr_check_entry(&table, id, &error), 0);
    }
    table.open[0] |= 1 << 5;
    assert_int_equal(gm_mshr_check_entry(&table, 5, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 5 is open and free");
    assert_int_equal(gm_mshr_check_entry(&table, 0, &error), 0);
    table.entry[0].newest = 4;
    assert_int_equal(gm_mshr_check_entry(&table, 0, &error), -EINVAL);
    assert_string_equal(error.text, "mshr: entry 0: its slots are beyond the bounds");
    assert_int_equal(gm_mshr_check_entry(&table, 4, &error), 0);
    gm_arena_free(&arena);
}

typedef struct seen {
    unsigned calls;
    gm_mshr_request request;
    gm_mshr_response response;
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
    gm_mshr table = make(8, 4);
    seen last = {0};
    gm_observer observer = {&last, look};
    ask(&table, A, 1);
    table.observer = &observer;
    for (uint64_t op = REQ; op <= PRB; op++) {
        gm_mshr_response response = act(&table, op, A, 0);
        assert_int_equal(last.calls, op + 1);
        assert_int_equal(last.request.op, op);
        assert_int_equal(last.request.line, A);
        expect_equal(last.response, response);
    }
    gm_arena_free(&arena);
}

static const struct {
    gm_mshr_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{1, 1, 1, 1}, NULL},
    {{1024, 64, 64, 64}, NULL},
    {{64, 1024, 64, 64}, NULL},
    {{0, 8, 42, 16}, "mshr: entries 0: must be 1 to 1024"},
    {{1025, 8, 42, 16}, "mshr: entries 1025: must be 1 to 1024"},
    {{32, 0, 42, 16}, "mshr: merges 0: must be 1 to 1024"},
    {{32, 1025, 42, 16}, "mshr: merges 1025: must be 1 to 1024"},
    {{32, 8, 0, 16}, "mshr: line_bits 0: must be 1 to 64"},
    {{32, 8, 65, 16}, "mshr: line_bits 65: must be 1 to 64"},
    {{32, 8, 42, 0}, "mshr: requester_bits 0: must be 1 to 64"},
    {{32, 8, 42, 65}, "mshr: requester_bits 65: must be 1 to 64"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_mshr table;
        gm_error error;
        test_ok(gm_arena_create(&arena, 1 << 20, &error), error);
        int code = gm_mshr_init(&table, &ranges[i].p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
        gm_arena_free(&arena);
    }
}

/* gm_mshr_bytes is enough; a smaller arena is refused before any part is missing. */
static void a_full_arena_is_refused(void **state)
{
    (void)state;
    gm_mshr_parameters p = {.entries = 32, .merges = 1, .line_bits = 42, .requester_bits = 16};
    unsigned refused = 0;
    for (size_t size = 1; size <= gm_mshr_bytes(&p); size += 16) {
        gm_mshr table;
        gm_error error;
        test_ok(gm_arena_create(&arena, size, &error), error);
        int code = gm_mshr_init(&table, &p, &arena, &error);
        if (code == 0) {
            assert_true(table.bucket != NULL && table.entry != NULL && table.requester != NULL);
        } else {
            assert_int_equal(code, -ENOMEM);
            assert_non_null(strstr(error.text, "arena is full"));
            refused++;
        }
        gm_arena_free(&arena);
    }
    assert_true(refused > 30); /* 640 bytes without alignment */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_entries_of_two),
        cmocka_unit_test(a_line_closed_twice),
        cmocka_unit_test(the_largest_table),
        cmocka_unit_test(lines_differ_in_one_bit),
        cmocka_unit_test(two_far_entries_of_a_line),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(check_names_first_and_far_entries),
        cmocka_unit_test(one_entry_is_checked),
        cmocka_unit_test(observer_is_told_each_transaction),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(a_full_arena_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
