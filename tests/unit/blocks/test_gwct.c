/* GWCT table: the paper's example and tables worked by hand [singh, 6.3.1, Figure 6(c)]; and a
 * second way to answer a FENCE, from a list of all operations so far, that agrees on random
 * streams. */
#include "goldmem/gwct.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const gm_gwct_parameters figure_5 = {.warps = 48, .count_bits = 8, .time_bits = 32};

/* A table with its storage. */
typedef struct table {
    gm_arena arena;
    gm_gwct gwct;
} table;

static void make(table *t, gm_gwct_parameters p)
{
    gm_error error;
    test_ok(gm_arena_create(&t->arena, gm_gwct_bytes(&p), &error), error);
    test_ok(gm_gwct_init(&t->gwct, &p, &t->arena, &error), error);
}

static gm_gwct_response act(table *t, gm_gwct_request request)
{
    gm_error error;
    gm_gwct_response a = gm_gwct_access(&t->gwct, request);
    test_ok(gm_gwct_check(&t->gwct, &error), error);
    return a;
}

/* One operation and what it answers. */
typedef struct step {
    gm_gwct_request request;
    gm_gwct_response expected;
    const char *why;
} step;

#define ISSUE_OF(w, is_store)                                                                      \
    {                                                                                              \
        .op = GM_GWCT_ISSUE, .warp = (w), .store = (is_store)                                      \
    }
#define ACK_OF(w, is_store)                                                                        \
    {                                                                                              \
        .op = GM_GWCT_ACK, .warp = (w), .store = (is_store)                                        \
    }
#define ACK_AT(w, is_store, of_epoch, t)                                                           \
    {                                                                                              \
        .op = GM_GWCT_ACK, .warp = (w), .store = (is_store), .has_gwct = 1, .epoch = (of_epoch),   \
        .timestamp = (t)                                                                           \
    }
#define RAISE_OF(w, t)                                                                             \
    {                                                                                              \
        .op = GM_GWCT_RAISE, .warp = (w), .timestamp = (t)                                         \
    }
#define FENCE_OF(from, to, t)                                                                      \
    {                                                                                              \
        .op = GM_GWCT_FENCE, .warp = (from), .last = (to), .now = (t)                              \
    }
#define TURN                                                                                       \
    {                                                                                              \
        .op = GM_GWCT_ROLLOVER                                                                     \
    }
#define DONE                                                                                       \
    {                                                                                              \
        0                                                                                          \
    }
#define READY                                                                                      \
    {                                                                                              \
        .ready = 1                                                                                 \
    }
#define REFUSED                                                                                    \
    {                                                                                              \
        .refused = 1                                                                               \
    }
#define WRONG                                                                                      \
    {                                                                                              \
        .error = 1                                                                                 \
    }
#define ANSWERS                                                                                    \
    {                                                                                              \
        .waits = GM_GWCT_ANSWERS                                                                   \
    }
#define UNTIL(cycles)                                                                              \
    {                                                                                              \
        .waits = GM_GWCT_TIME, .left = (cycles)                                                    \
    }
#define BOTH(cycles)                                                                               \
    {                                                                                              \
        .waits = GM_GWCT_ANSWERS | GM_GWCT_TIME, .left = (cycles)                                  \
    }

static void run(gm_gwct_parameters p, const step *steps, size_t count)
{
    table t;
    make(&t, p);
    for (const step *s = steps; s < steps + count; s++) {
        gm_gwct_response a = act(&t, s->request);
        if (memcmp(&a, &s->expected, sizeof a) != 0) {
            fail_msg("%s: ready %d, waits %d, left %llu, refused %d, error %d", s->why,
                     (int)a.ready, (int)a.waits, (unsigned long long)a.left, (int)a.refused,
                     (int)a.error);
        }
    }
    gm_arena_free(&t.arena);
}

#define RUN(p, steps) run(p, steps, sizeof(steps) / sizeof *(steps))

/* Figure 6(c): C2 holds `data` until 30 and `flag` until 60; C1 stores data (S1), fences (F1),
 * stores flag (S2), fences (F2). */
static const step figure_6c[] = {
    {FENCE_OF(0, 0, 1), READY, "nothing was stored yet"},
    {ISSUE_OF(0, 1), DONE, "S1: the store of data"},
    {FENCE_OF(0, 0, 2), ANSWERS, "F1: the store has no answer yet"},
    {ACK_AT(0, 1, 0, 30), DONE, "the L2 answers with the GWCT of data, 30"},
    {FENCE_OF(0, 0, 10), UNTIL(21), "F1: C2 may use its copy up to 30: ready at 31"},
    {FENCE_OF(0, 0, 30), UNTIL(1), "at 30 the copy may still be used"},
    {FENCE_OF(0, 0, 31), READY, "the GWCT is past: F1 completes"},
    {ISSUE_OF(0, 1), DONE, "S2: the store of flag"},
    {ACK_AT(0, 1, 0, 60), DONE, "its GWCT is 60"},
    {FENCE_OF(0, 0, 40), UNTIL(21), "F2 waits until 61"},
    {FENCE_OF(1, 47, 40), READY, "another warp's fence does not"},
    {FENCE_OF(0, 0, 61), READY, "F2 completes"},
};

static const step counts[] = {
    {ISSUE_OF(0, 0), DONE, "a load"},
    {ISSUE_OF(0, 0), DONE, "and one more: 2"},
    {ISSUE_OF(0, 0), DONE, "3, the limit of 2 bits"},
    {ISSUE_OF(0, 0), REFUSED, "the limit of loads"},
    {ISSUE_OF(0, 1), DONE, "stores have a count of their own"},
    {ACK_OF(0, 1), DONE, "the store"},
    {ACK_OF(0, 1), WRONG, "no store is outstanding"},
    {ACK_OF(0, 0), DONE, "2 loads are left: the refused one was not counted"},
    {ACK_OF(0, 0), DONE, "1"},
    {FENCE_OF(0, 0, 1), ANSWERS, "one load is left"},
    {ACK_OF(0, 0), DONE, "0"},
    {FENCE_OF(0, 0, 1), READY, "all answered"},
    {ACK_AT(0, 0, 0, 9), WRONG, "an answer too many"},
    {FENCE_OF(0, 0, 1), READY, "its GWCT does not count"},
    {ISSUE_OF(3, 0), WRONG, "there are warps 0 to 2"},
    {ACK_AT(3, 0, 0, 9), WRONG, "no warp 3"},
    {RAISE_OF(3, 9), WRONG, "no warp 3"},
    {FENCE_OF(0, 3, 1), READY, "a fence covers warps that there are"},
    {FENCE_OF(3, 3, 1), READY, "of warp 3: none"},
};

static const step times[] = {
    {ISSUE_OF(1, 1), DONE, "a store"},
    {ISSUE_OF(1, 1), DONE, "another one"},
    {ACK_AT(1, 1, 0, 50), DONE, "the second's answer is first, with 50"},
    {FENCE_OF(1, 1, 20), BOTH(31), "waits for the first and until 51"},
    {ACK_AT(1, 1, 0, 40), DONE, "a smaller GWCT"},
    {FENCE_OF(1, 1, 41), UNTIL(10), "the largest counts"},
    {ISSUE_OF(1, 1), DONE, "a private store"},
    {{.op = GM_GWCT_ACK, .warp = 1, .store = 1, .timestamp = 99}, DONE, "answered without GWCT"},
    {FENCE_OF(1, 1, 51), READY, "so 50 stays the largest"},
    {RAISE_OF(2, 70), DONE, "a load of warp 2 saw a line visible at 70"},
    {RAISE_OF(2, 60), DONE, "and one visible at 60"},
    {FENCE_OF(0, 1, 60), READY, "warps 0 and 1 do not wait for warp 2"},
    {FENCE_OF(1, 2, 60), UNTIL(11), "warps 1 and 2: the later GWCT"},
    {FENCE_OF(0, 2, 70), UNTIL(1), "exactly at the GWCT"},
    {FENCE_OF(2, 1, 1), READY, "first after last: covers no warp"},
    {RAISE_OF(0, 255), DONE, "the last time of 8 bits"},
    {FENCE_OF(0, 2, 1), UNTIL(255), "the longest wait"},
    {FENCE_OF(0, 2, 255), UNTIL(1), "never past in this epoch"},
    {{.op = 7, .warp = 2, .last = 2, .now = 70}, UNTIL(1), "5 to 7 are FENCEs too"},
};

static const step rollovers[] = {
    {ISSUE_OF(0, 1), DONE, "two stores"},
    {ISSUE_OF(0, 1), DONE, ""},
    {ACK_AT(0, 1, 0, 200), DONE, "one is answered in epoch 0"},
    {TURN, DONE, "time begins anew"},
    {FENCE_OF(0, 0, 1), ANSWERS, "no GWCT is left, the other store is"},
    {ACK_AT(0, 1, 0, 220), DONE, "its answer is of epoch 0"},
    {FENCE_OF(0, 0, 1), READY, "the copies are gone: it is visible"},
    {ISSUE_OF(0, 1), DONE, "a store in epoch 1"},
    {ACK_AT(0, 1, 1, 5), DONE, "answered in epoch 1"},
    {FENCE_OF(0, 0, 1), UNTIL(5), "that counts"},
    {ISSUE_OF(0, 1), DONE, "a store"},
    {TURN, DONE, "one rollover"},
    {TURN, DONE, "two: epoch 1 again"},
    {ACK_AT(0, 1, 1, 9), DONE, "two rollovers late"},
    {FENCE_OF(0, 0, 1), UNTIL(9), "only waits longer"},
};

static void operations_by_hand(void **state)
{
    (void)state;
    RUN(figure_5, figure_6c);
    gm_gwct_parameters p = {.warps = 3, .count_bits = 2, .time_bits = 8};
    RUN(p, counts);
    RUN(p, times);
    RUN(p, rollovers);
}

/* The greatest table: 256 warps, counts of 16 bits. */
static void limits_of_the_greatest_table(void **state)
{
    (void)state;
    table t;
    make(&t, (gm_gwct_parameters){.warps = 256, .count_bits = 16, .time_bits = 32});
    for (unsigned i = 0; i < 65535; i++) {
        assert_int_equal(act(&t, (gm_gwct_request)ISSUE_OF(255, 1)).refused, 0);
    }
    assert_int_equal(act(&t, (gm_gwct_request)ISSUE_OF(255, 1)).refused, 1);
    assert_int_equal(act(&t, (gm_gwct_request)FENCE_OF(0, 254, 1)).ready, 1);
    act(&t, (gm_gwct_request)RAISE_OF(128, UINT32_MAX));
    gm_gwct_response a = act(&t, (gm_gwct_request)FENCE_OF(0, 255, 1));
    assert_int_equal(a.waits, GM_GWCT_ANSWERS | GM_GWCT_TIME);
    assert_int_equal(a.left, UINT32_MAX);
    gm_arena_free(&t.arena);
}

/* The second way: a list of all operations so far. A FENCE looks through it from the start. */
typedef struct event {
    gm_gwct_request request;
    bool counted; /* neither refused nor an error */
} event;

enum { EVENTS = 300 };

typedef struct history {
    event event[EVENTS];
    unsigned count;
} history;

/* Returns the operations of a warp and kind that are not answered: those sent less those
 * answered. */
static unsigned outstanding(const history *h, uint64_t warp, uint64_t store)
{
    unsigned sent = 0;
    unsigned answered = 0;
    for (unsigned i = 0; i < h->count; i++) {
        const gm_gwct_request *r = &h->event[i].request;
        if (h->event[i].counted && r->warp == warp && r->store == store) {
            sent += r->op == GM_GWCT_ISSUE;
            answered += r->op == GM_GWCT_ACK;
        }
    }
    return sent - answered;
}

static unsigned rollovers_before(const history *h, unsigned place)
{
    unsigned all = 0;
    for (unsigned i = 0; i < place; i++) {
        all += h->event[i].request.op == GM_GWCT_ROLLOVER;
    }
    return all;
}

/* Is time t of an event of one of the warps `from` to `to` at or after `now`, and did it count in
 * the present epoch? Returns the latest such t; 0: none. */
static uint64_t latest(const history *h, uint64_t from, uint64_t to, uint64_t now)
{
    uint64_t found = 0;
    unsigned all = rollovers_before(h, h->count);
    for (unsigned i = h->count; i > 0; i--) {
        const gm_gwct_request *r = &h->event[i - 1].request;
        unsigned rolled = rollovers_before(h, i - 1);
        bool told = r->op == GM_GWCT_RAISE ||
                    (r->op == GM_GWCT_ACK && r->has_gwct != 0 && r->epoch == rolled % 2);
        if (h->event[i - 1].counted && told && rolled == all && r->warp >= from && r->warp <= to &&
            r->timestamp >= now && r->timestamp > found) {
            found = r->timestamp;
        }
    }
    return found;
}

static gm_gwct_response expected_of(const history *h, const gm_gwct_parameters *p,
                                    const gm_gwct_request *r)
{
    gm_gwct_response a = {0};
    bool is_there = r->warp < p->warps;
    if (r->op >= GM_GWCT_FENCE) {
        for (uint64_t warp = r->warp; warp <= r->last; warp++) {
            if (outstanding(h, warp, 0) + outstanding(h, warp, 1) > 0) {
                a.waits |= GM_GWCT_ANSWERS;
            }
        }
        uint64_t time = latest(h, r->warp, r->last, r->now);
        if (time != 0) {
            a.waits |= GM_GWCT_TIME;
            a.left = time + 1 - r->now;
        }
        a.ready = a.waits == 0;
    } else if (r->op == GM_GWCT_ISSUE && is_there) {
        a.refused = outstanding(h, r->warp, r->store) == (1U << p->count_bits) - 1;
    } else if (r->op == GM_GWCT_ACK && is_there) {
        a.error = outstanding(h, r->warp, r->store) == 0;
    } else if (r->op != GM_GWCT_ROLLOVER) {
        a.error = !is_there;
    }
    return a;
}

static gm_gwct_request any_request(test_random *random, const gm_gwct_parameters *p,
                                   unsigned numbers, unsigned epoch)
{
    uint64_t times = (UINT64_C(1) << p->time_bits) - 1;
    uint64_t most = test_random_below(random, 2) != 0 || times < 12 ? times : 12;
    uint64_t ticket = test_random_below(random, 32);
    return (gm_gwct_request){
        .op = ticket == 0   ? GM_GWCT_ROLLOVER
              : ticket < 9  ? GM_GWCT_ISSUE
              : ticket < 18 ? GM_GWCT_ACK
              : ticket < 20 ? GM_GWCT_RAISE
                            : GM_GWCT_FENCE + test_random_below(random, 4),
        .warp = test_random_below(random, numbers),
        .last = test_random_below(random, numbers),
        .store = test_random_below(random, 2),
        .has_gwct = test_random_below(random, 2),
        .epoch = test_random_below(random, 4) == 0 ? 1 - epoch : epoch,
        .timestamp = test_random_below(random, most + 1),
        .now = 1 + test_random_below(random, most),
    };
}

static void agrees_with_histories(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    static history h;
    unsigned seen[6] = {0}; /* ready, for answers, for time, for both, refused, errors */
    for (unsigned round = 0; round < 200; round++) {
        gm_gwct_parameters p = {
            .warps = 1 + (unsigned)test_random_below(&random, 6),
            .count_bits = 1 + (unsigned)test_random_below(&random, 2),
            .time_bits = 2 + (unsigned)test_random_below(&random, 31),
        };
        unsigned numbers = p.warps < 3 ? 2 : p.warps < 5 ? 4 : 8;
        table t;
        make(&t, p);
        h.count = 0;
        for (unsigned i = 0; i < EVENTS; i++) {
            gm_gwct_request r =
                any_request(&random, &p, numbers, rollovers_before(&h, h.count) % 2);
            gm_gwct_response expected = expected_of(&h, &p, &r);
            gm_gwct_response a = act(&t, r);
            assert_memory_equal(&a, &expected, sizeof a);
            if (r.op >= GM_GWCT_FENCE) {
                seen[a.waits]++;
            }
            seen[4] += a.refused != 0;
            seen[5] += a.error != 0;
            h.event[h.count++] = (event){r, a.refused == 0 && a.error == 0};
        }
        gm_arena_free(&t.arena);
    }
    for (unsigned i = 0; i < 6; i++) {
        assert_true(seen[i] > 500);
    }
}

static const struct {
    gm_gwct_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{1, 1, 2}, NULL},
    {{256, 16, 32}, NULL},
    {{0, 8, 32}, "gwct: warps 0: must be 1 to 256"},
    {{257, 8, 32}, "gwct: warps 257: must be 1 to 256"},
    {{48, 0, 32}, "gwct: count_bits 0: must be 1 to 16"},
    {{48, 17, 32}, "gwct: count_bits 17: must be 1 to 16"},
    {{48, 8, 1}, "gwct: time_bits 1: must be 2 to 32"},
    {{48, 8, 33}, "gwct: time_bits 33: must be 2 to 32"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_arena arena;
        gm_gwct gwct;
        test_ok(gm_arena_create(&arena, 4096, &error), error);
        int code = gm_gwct_init(&gwct, &ranges[i].p, &arena, &error);
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
    gm_gwct gwct;
    test_ok(gm_arena_create(&arena, 64, &error), error);
    assert_int_equal(gm_gwct_init(&gwct, &figure_5, &arena, &error), -ENOMEM);
    assert_string_equal(error.text, "gwct: the arena is full: it needs 448 bytes");
    gm_arena_free(&arena);
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    table t;
    make(&t, (gm_gwct_parameters){.warps = 3, .count_bits = 2, .time_bits = 8});
    gm_gwct_entry *last = &t.gwct.entry[2];
    *last = (gm_gwct_entry){.loads = 3, .stores = 3, .visible = 255};
    t.gwct.epoch = 1;
    assert_int_equal(gm_gwct_check(&t.gwct, &error), 0);
    last->loads = 4;
    assert_int_equal(gm_gwct_check(&t.gwct, &error), -EINVAL);
    assert_string_equal(error.text, "gwct: warp 2: 4 loads, 3 stores, GWCT 255");
    *last = (gm_gwct_entry){.stores = 4};
    assert_int_equal(gm_gwct_check(&t.gwct, &error), -EINVAL);
    *last = (gm_gwct_entry){.visible = 256};
    assert_int_equal(gm_gwct_check(&t.gwct, &error), -EINVAL);
    *last = (gm_gwct_entry){0};
    t.gwct.epoch = 2;
    assert_int_equal(gm_gwct_check(&t.gwct, &error), -EINVAL);
    assert_string_equal(error.text, "gwct: epoch 2");
    gm_arena_free(&t.arena);
}

/* ROLLOVER, FENCE and the check go through all warps, and nothing behind them: entry 3 is none. */
static void all_warps_and_no_others(void **state)
{
    (void)state;
    gm_error error;
    table t;
    gm_gwct_entry entries[4];
    make(&t, (gm_gwct_parameters){.warps = 3, .count_bits = 2, .time_bits = 8});
    t.gwct.entry = entries;
    for (unsigned warp = 0; warp < 4; warp++) {
        entries[warp] = (gm_gwct_entry){.loads = warp < 3 ? 0 : 4, .visible = warp < 3 ? 9 : 99};
    }
    assert_int_equal(act(&t, (gm_gwct_request)FENCE_OF(0, 3, 10)).ready, 1);
    act(&t, (gm_gwct_request)TURN);
    for (unsigned warp = 0; warp < 4; warp++) {
        assert_int_equal(entries[warp].visible, warp < 3 ? 0 : 99);
    }
    for (unsigned warp = 0; warp < 3; warp++) {
        entries[warp].stores = 4;
        assert_int_equal(gm_gwct_check(&t.gwct, &error), -EINVAL);
        entries[warp].stores = 0;
    }
    gm_arena_free(&t.arena);
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] += ((const gm_gwct_request *)(const void *)request)->op == GM_GWCT_FENCE;
    seen[2] += ((const gm_gwct_response *)(const void *)response)->ready;
}

static void observer_is_told(void **state)
{
    (void)state;
    uint64_t seen[3] = {0};
    const gm_observer observer = {.context = seen, .call = count_call};
    table t;
    make(&t, figure_5);
    t.gwct.observer = &observer;
    act(&t, (gm_gwct_request)ISSUE_OF(0, 1));
    act(&t, (gm_gwct_request)FENCE_OF(0, 0, 1));
    act(&t, (gm_gwct_request)ACK_OF(0, 1));
    act(&t, (gm_gwct_request)FENCE_OF(0, 0, 1));
    assert_int_equal(seen[0], 4);
    assert_int_equal(seen[1], 2);
    assert_int_equal(seen[2], 1);
    gm_arena_free(&t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),      cmocka_unit_test(limits_of_the_greatest_table),
        cmocka_unit_test(agrees_with_histories),   cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(full_arena_is_told),      cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(all_warps_and_no_others), cmocka_unit_test(observer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
