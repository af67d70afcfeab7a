/* Lease store: operations worked by hand [singh, 6.2.1]; and a second way to keep leases, a list
 * sorted by line, that agrees on random streams. */
#include "goldmem/lease_store.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A store with its storage. */
typedef struct stored {
    gm_arena arena;
    gm_lease_store store;
} stored;

static void make(stored *s, gm_lease_store_parameters p)
{
    gm_error error;
    test_ok(gm_arena_create(&s->arena, gm_lease_store_bytes(&p), &error), error);
    test_ok(gm_lease_store_init(&s->store, &p, &s->arena, &error), error);
}

static gm_lease_store_response act(stored *s, gm_lease_store_request request)
{
    gm_error error;
    gm_lease_store_response a = gm_lease_store_access(&s->store, request);
    test_ok(gm_lease_store_check(&s->store, &error), error);
    return a;
}

#define PUT_OF(l, t, at)                                                                           \
    {                                                                                              \
        .op = GM_LEASE_STORE_PUT, .line = (l), .lease = (t), .now = (at), .may = 1                 \
    }
#define PUT_WITHOUT(l, t, at)                                                                      \
    {                                                                                              \
        .op = GM_LEASE_STORE_PUT, .line = (l), .lease = (t), .now = (at)                           \
    }
#define TAKE_OF(l, at)                                                                             \
    {                                                                                              \
        .op = GM_LEASE_STORE_TAKE, .line = (l), .now = (at)                                        \
    }
#define EXPIRE_AT(at)                                                                              \
    {                                                                                              \
        .op = GM_LEASE_STORE_EXPIRE, .now = (at)                                                   \
    }
#define CLEAR_ALL                                                                                  \
    {                                                                                              \
        .op = GM_LEASE_STORE_CLEAR                                                                 \
    }

/* One operation and what it answers. */
static const struct {
    gm_lease_store_request request;
    gm_lease_store_response expected;
    const char *why;
} steps[] = {
    {TAKE_OF(5, 1), {0}, "nothing is stored"},
    {PUT_OF(5, 20, 10), {.done = 1, .used = 1, .next = 20}, "evicted at 10, its lease is 20"},
    {PUT_OF(6, 9, 10), {.done = 1, .used = 1, .next = 20}, "a lease that is past needs no entry"},
    {PUT_OF(6, 10, 10), {.done = 1, .used = 2, .next = 10}, "at 10 copies may still be used"},
    {PUT_OF(7, 30, 11), {.done = 1, .used = 2, .next = 20}, "at 11 line 6's lease is past"},
    {PUT_WITHOUT(8, 40, 11), {.used = 2, .next = 20}, "no MSHR entry to spare"},
    {PUT_WITHOUT(5, 25, 11), {.done = 1, .used = 2, .next = 25}, "raising takes no entry"},
    {PUT_OF(5, 24, 11), {.done = 1, .used = 2, .next = 25}, "the larger of both stays"},
    {PUT_OF(8, 40, 11), {.done = 1, .used = 3, .next = 25}, "the last of 3 entries"},
    {PUT_OF(9, 50, 11), {.used = 3, .next = 25}, "full: the eviction waits"},
    {PUT_OF(9, 50, 25), {.used = 3, .next = 25}, "at 25 line 5's lease still counts"},
    {PUT_OF(9, 50, 26), {.done = 1, .used = 3, .next = 30}, "at 26 it is past: its entry is free"},
    {TAKE_OF(5, 26), {.used = 3, .next = 30}, "a refetch of line 5 finds no lease"},
    {TAKE_OF(7, 30), {.found = 1, .lease = 30, .used = 2, .next = 40}, "of line 7: 30"},
    {TAKE_OF(7, 30), {.used = 2, .next = 40}, "it was removed"},
    {TAKE_OF(8, 41), {.used = 1, .next = 50}, "line 8's lease is past at 41"},
    {EXPIRE_AT(50), {.used = 1, .next = 50}, "not past at 50"},
    {EXPIRE_AT(51), {0}, "past at 51"},
    {PUT_OF(1, 255, 51), {.done = 1, .used = 1, .next = 255}, "the last time"},
    {EXPIRE_AT(255), {.used = 1, .next = 255}, "is never past"},
    {CLEAR_ALL, {0}, "a rollover removes it"},
    {PUT_OF(2, 0, 0), {.done = 1, .used = 1}, "a lease of 0 at time 0: next is 0 too"},
};

static void operations_by_hand(void **state)
{
    (void)state;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 3, .line_bits = 8, .time_bits = 8});
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        gm_lease_store_response a = act(&s, steps[i].request);
        if (memcmp(&a, &steps[i].expected, sizeof a) != 0) {
            fail_msg("%s: done %d, found %d, lease %llu, used %d, next %llu", steps[i].why,
                     (int)a.done, (int)a.found, (unsigned long long)a.lease, (int)a.used,
                     (unsigned long long)a.next);
        }
    }
    gm_arena_free(&s.arena);
}

/* The greatest store: 255 entries, the lowest free one is taken. */
static void greatest_store(void **state)
{
    (void)state;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 255, .line_bits = 64, .time_bits = 32});
    for (uint64_t i = 0; i < 255; i++) {
        gm_lease_store_response a =
            act(&s, (gm_lease_store_request)PUT_OF(UINT64_MAX - i, UINT32_MAX - (uint32_t)i, 1));
        assert_int_equal(a.done, 1);
        assert_int_equal(a.used, i + 1);
        assert_int_equal(a.next, UINT32_MAX - i);
        assert_int_equal(s.store.entry[i].line, UINT64_MAX - i);
    }
    assert_int_equal(act(&s, (gm_lease_store_request)PUT_OF(0, 9, 1)).done, 0);
    act(&s, (gm_lease_store_request)TAKE_OF(UINT64_MAX - 77, 1));
    assert_int_equal(act(&s, (gm_lease_store_request)PUT_OF(0, 9, 1)).next, 9);
    assert_int_equal(s.store.entry[77].line, 0);
    gm_arena_free(&s.arena);
}

/* The second way: lines in ascending order with their leases. */
typedef struct list {
    struct {
        uint64_t line, lease;
    } item[8];
    unsigned count;
} list;

static void drop(list *l, unsigned place)
{
    l->count--;
    memmove(&l->item[place], &l->item[place + 1], (l->count - place) * sizeof l->item[0]);
}

static void put(list *l, const gm_lease_store_request *r, unsigned entries,
                gm_lease_store_response *a)
{
    unsigned place = 0;
    while (place < l->count && l->item[place].line < r->line) {
        place++;
    }
    bool is_there = place < l->count && l->item[place].line == r->line;
    a->done = r->lease < r->now || is_there || (r->may != 0 && l->count < entries);
    if (a->done == 0 || r->lease < r->now) {
        return;
    }
    if (!is_there) {
        memmove(&l->item[place + 1], &l->item[place], (l->count - place) * sizeof l->item[0]);
        l->count++;
        l->item[place].line = r->line;
        l->item[place].lease = 0;
    }
    l->item[place].lease = r->lease > l->item[place].lease ? r->lease : l->item[place].lease;
}

static gm_lease_store_response expected_of(list *l, const gm_lease_store_request *r,
                                           unsigned entries)
{
    gm_lease_store_response a = {0};
    for (unsigned i = l->count; i-- > 0;) {
        if (r->op == GM_LEASE_STORE_CLEAR || l->item[i].lease < r->now) {
            drop(l, i);
        }
    }
    if (r->op == GM_LEASE_STORE_PUT) {
        put(l, r, entries, &a);
    }
    for (unsigned i = 0; r->op == GM_LEASE_STORE_TAKE && i < l->count; i++) {
        if (l->item[i].line == r->line) {
            a.found = 1;
            a.lease = l->item[i].lease;
            drop(l, i);
        }
    }
    a.used = l->count;
    a.next = UINT64_MAX;
    for (unsigned i = 0; i < l->count; i++) {
        a.next = l->item[i].lease < a.next ? l->item[i].lease : a.next;
    }
    a.next = l->count == 0 ? 0 : a.next;
    return a;
}

static void agrees_with_lists(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned seen[4] = {0}; /* done, refused, found, full */
    for (unsigned round = 0; round < 300; round++) {
        gm_lease_store_parameters p = {.entries = 1 + (unsigned)test_random_below(&random, 7),
                                       .line_bits = 4,
                                       .time_bits = 10};
        stored s;
        make(&s, p);
        list l = {.count = 0};
        uint64_t now = 0;
        for (unsigned i = 0; i < 200; i++) {
            uint64_t ticket = test_random_below(&random, 32);
            now += test_random_below(&random, 3);
            gm_lease_store_request r = {
                .op = ticket == 0   ? GM_LEASE_STORE_CLEAR
                      : ticket < 4  ? GM_LEASE_STORE_EXPIRE
                      : ticket < 12 ? GM_LEASE_STORE_TAKE
                                    : GM_LEASE_STORE_PUT,
                .line = test_random_below(&random, 12),
                .lease = now + test_random_below(&random, 24),
                .now = now,
                .may = test_random_below(&random, 4) != 0,
            };
            gm_lease_store_response expected = expected_of(&l, &r, p.entries);
            gm_lease_store_response a = act(&s, r);
            assert_memory_equal(&a, &expected, sizeof a);
            seen[0] += a.done != 0;
            seen[1] += r.op == GM_LEASE_STORE_PUT && a.done == 0;
            seen[2] += a.found != 0;
            seen[3] += a.used == p.entries;
        }
        gm_arena_free(&s.arena);
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_true(seen[i] > 1000);
    }
}

static const struct {
    gm_lease_store_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{1, 1, 2}, NULL},
    {{255, 64, 32}, NULL},
    {{0, 42, 32}, "lease_store: entries 0: must be 1 to 255"},
    {{256, 42, 32}, "lease_store: entries 256: must be 1 to 255"},
    {{128, 0, 32}, "lease_store: line_bits 0: must be 1 to 64"},
    {{128, 65, 32}, "lease_store: line_bits 65: must be 1 to 64"},
    {{128, 42, 1}, "lease_store: time_bits 1: must be 2 to 32"},
    {{128, 42, 33}, "lease_store: time_bits 33: must be 2 to 32"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_arena arena;
        gm_lease_store store;
        test_ok(gm_arena_create(&arena, 8192, &error), error);
        int code = gm_lease_store_init(&store, &ranges[i].p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
        gm_arena_free(&arena);
    }
}

static void full_arena_is_told(void **state)
{
    (void)state;
    gm_error error;
    gm_arena arena;
    gm_lease_store store;
    const gm_lease_store_parameters p = {.entries = 128, .line_bits = 42, .time_bits = 32};
    test_ok(gm_arena_create(&arena, 64, &error), error);
    assert_int_equal(gm_lease_store_init(&store, &p, &arena, &error), -ENOMEM);
    assert_string_equal(error.text, "lease_store: the arena is full: it needs 2112 bytes");
    gm_arena_free(&arena);
}

/* A line is held until an operation removes its lease. A free entry holds no line, not even 0. */
static void held_lines(void **state)
{
    (void)state;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 3, .line_bits = 8, .time_bits = 8});
    act(&s, (gm_lease_store_request)PUT_OF(0, 30, 1));
    act(&s, (gm_lease_store_request)PUT_OF(7, 20, 1));
    for (uint64_t line = 0; line < 9; line++) {
        assert_int_equal(gm_lease_store_holds(&s.store, line), line == 0 || line == 7);
    }
    act(&s, (gm_lease_store_request)EXPIRE_AT(21));
    assert_false(gm_lease_store_holds(&s.store, 7));
    act(&s, (gm_lease_store_request)TAKE_OF(0, 21));
    assert_false(gm_lease_store_holds(&s.store, 0));
    gm_arena_free(&s.arena);
}

/* Every operation on a full and on an empty store whose storage ends with its last entry: a
 * sanitizer sees an access behind it. */
static void entries_end_with_the_storage(void **state)
{
    (void)state;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 3, .line_bits = 8, .time_bits = 8});
    s.store.entry = calloc(3, sizeof *s.store.entry);
    assert_non_null(s.store.entry);
    for (uint64_t line = 0; line < 4; line++) {
        assert_int_equal(act(&s, (gm_lease_store_request)PUT_OF(line, 20, 1)).done, line < 3);
    }
    assert_int_equal(act(&s, (gm_lease_store_request)TAKE_OF(3, 1)).found, 0);
    assert_int_equal(act(&s, (gm_lease_store_request)EXPIRE_AT(20)).used, 3);
    assert_int_equal(act(&s, (gm_lease_store_request)CLEAR_ALL).used, 0);
    assert_int_equal(act(&s, (gm_lease_store_request)TAKE_OF(3, 1)).found, 0);
    free(s.store.entry);
    gm_arena_free(&s.arena);
}

/* A line in two entries is found wherever they are, and is named. */
static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 3, .line_bits = 8, .time_bits = 8});
    for (uint64_t line = 0; line < 3; line++) {
        act(&s, (gm_lease_store_request)PUT_OF(line, 20, 1));
    }
    for (unsigned i = 1; i < 3; i++) {
        for (unsigned j = 0; j < i; j++) {
            char text[80];
            snprintf(text, sizeof text, "lease_store: entry %u: line 0x%x is in %u too", i, j, j);
            s.store.entry[i].line = j;
            assert_int_equal(gm_lease_store_check(&s.store, &error), -EINVAL);
            assert_string_equal(error.text, text);
            s.store.entry[j].valid = false;
            assert_int_equal(gm_lease_store_check(&s.store, &error), 0);
            s.store.entry[j].valid = true;
            s.store.entry[i].valid = false;
            assert_int_equal(gm_lease_store_check(&s.store, &error), 0);
            s.store.entry[i].valid = true;
            s.store.entry[i].line = i;
            assert_int_equal(gm_lease_store_check(&s.store, &error), 0);
        }
    }
    gm_arena_free(&s.arena);
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = ((const gm_lease_store_request *)(const void *)request)->line;
    seen[2] = ((const gm_lease_store_response *)(const void *)response)->used;
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    stored s;
    make(&s, (gm_lease_store_parameters){.entries = 3, .line_bits = 8, .time_bits = 8});
    uint64_t seen[3] = {0};
    const gm_observer observer = {.context = seen, .call = count_call};
    s.store.observer = &observer;
    for (uint64_t line = 0; line < 3; line++) {
        act(&s, (gm_lease_store_request)PUT_OF(line, 20, 1));
        assert_int_equal(seen[0], line + 1);
        assert_int_equal(seen[1], line);
        assert_int_equal(seen[2], line + 1);
    }
    gm_arena_free(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(greatest_store),
        cmocka_unit_test(agrees_with_lists),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(full_arena_is_told),
        cmocka_unit_test(held_lines),
        cmocka_unit_test(entries_end_with_the_storage),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
