/* The SIMT executor: the order in which points are issued and with which lanes, on examples worked
 * by hand and against execution under masks. */
#include "goldmem/bits.h"
#include "support/workload/simt_trail.h"

static void expect(const trail *t, uint32_t from, const step *expected, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(from + i < t->count);
        if (t->steps[from + i].point != expected[i].point ||
            t->steps[from + i].mask != expected[i].mask) {
            fail_msg("step %u: point %u mask %08x, expected point %u mask %08x", i,
                     t->steps[from + i].point, t->steps[from + i].mask, expected[i].point,
                     expected[i].mask);
        }
    }
}

/* Runs one warp and compares all of it. */
static void check(const gm_code *code, const void *arguments, uint32_t threads,
                  const step *expected, uint32_t count)
{
    trail t;
    gm_error error;
    trail_start(&t);
    test_ok(trail_run(&t, code, arguments, threads, &error), error);
    assert_int_equal(t.count, count);
    expect(&t, 0, expected, count);
    trail_stop(&t);
}
#define CHECK(code, arguments, threads, ...)                                                       \
    check((code), (arguments), (threads), (const step[])__VA_ARGS__,                               \
          sizeof((const step[])__VA_ARGS__) / sizeof(step))

static const nothing none;

GM_THREAD(branches, nothing)
{
    (void)a;
    COMPUTE(t, INTEGER, 1); /* 0 */
    if (t->thread.x < 8) {
        COMPUTE(t, INTEGER, 1); /* 1 */
        if (t->thread.x % 2 != 0) {
            FENCE(t, GPU); /* 2 */
        }
        COMPUTE(t, INTEGER, 1); /* 3 */
    } else {
        COMPUTE(t, INTEGER, 1); /* 4 */
    }
    COMPUTE(t, INTEGER, 1); /* 5 */
}
GM_KERNEL(branches, nothing)

static void branches_reconverge(void **state)
{
    (void)state;
    CHECK(&branches_code, &none, 32,
          {{0, 0xffffffff},
           {1, 0x000000ff},
           {2, 0x000000aa},
           {3, 0x000000ff},
           {4, 0xffffff00},
           {5, 0xffffffff},
           {6, 0xffffffff}});
    /* a block of 12 threads: 12 lanes exist */
    CHECK(&branches_code, &none, 12,
          {{0, 0xfff}, {1, 0xff}, {2, 0xaa}, {3, 0xff}, {4, 0xf00}, {5, 0xfff}, {6, 0xfff}});
}

GM_THREAD(trips, nothing)
{
    (void)a;
    for (uint32_t i = 0; i < t->thread.x; i++) {
        COMPUTE(t, INTEGER, 1); /* 0 */
        LOOP(t);                /* 1 */
    }
    FENCE(t, GPU); /* 2 */
}
GM_KERNEL(trips, nothing)

static void lanes_leave_a_loop_one_by_one(void **state)
{
    (void)state;
    /* lane k makes k iterations: lane 0 never enters, and waits behind the loop */
    CHECK(&trips_code, &none, 4,
          {{0, 0xe}, {1, 0xe}, {0, 0xc}, {1, 0xc}, {0, 0x8}, {1, 0x8}, {2, 0xf}, {3, 0xf}});
}

GM_THREAD(sparse, nothing)
{
    (void)a;
    for (uint32_t i = 0; i < 2; i++) {
        if (i == t->thread.x) {
            FENCE(t, GPU); /* 0: lane 0 in the first iteration, lane 1 in the second */
        }
        LOOP(t); /* 1 */
    }
}
GM_KERNEL(sparse, nothing)

static void iterations_do_not_mix(void **state)
{
    (void)state;
    CHECK(&sparse_code, &none, 2, {{0, 1}, {1, 3}, {0, 2}, {1, 3}, {2, 3}});
}

GM_THREAD(leave, nothing)
{
    (void)a;
    if (t->thread.x == 0) {
        return; /* waits at EXIT */
    }
    for (uint32_t i = 0; i < 2; i++) {
        COMPUTE(t, INTEGER, 1); /* 0 */
        if (t->thread.x == 1) {
            break; /* waits at 2 */
        }
        for (uint32_t j = 0; j < t->thread.x - 1; j++) {
            FENCE(t, GPU); /* 1 */
            LOOP(t);       /* 2 */
        }
        LOOP(t); /* 3 */
    }
    COMPUTE(t, INTEGER, 1); /* 4 */
}
GM_KERNEL(leave, nothing)

static void return_break_and_nesting(void **state)
{
    (void)state;
    /* lane 0 returns, lane 1 breaks, lanes 2 and 3 make 2 times 1 and 2 inner iterations */
    CHECK(&leave_code, &none, 4,
          {{0, 0xe},
           {1, 0xc},
           {2, 0xc},
           {1, 0x8},
           {2, 0x8},
           {3, 0xc},
           {0, 0xc},
           {1, 0xc},
           {2, 0xc},
           {1, 0x8},
           {2, 0x8},
           {3, 0xc},
           {4, 0xe},
           {5, 0xf}});
}

typedef struct turns {
    uint32_t i;
} turns;
typedef struct tile {
    uint32_t value[64];
} tile;
typedef struct rotate {
    uint32_t *out;
} rotate;

/* Each round, a thread takes its neighbour's value: right only when barriers order all warps. */
GM_THREAD(rotation, rotate)
{
    turns *l = t->locals;
    tile *s = t->shared;
    uint32_t x = t->thread.x;
    BEGIN(t)
    SHARED_STORE(t, &s->value[x], x); /* 0 */
    for (l->i = 0; l->i < 3; l->i++) {
        BARRIER(t);                                                       /* 1 */
        uint32_t value = SHARED_LOAD(t, &s->value[(x + 1) % t->block.x]); /* 2 */
        a->out[x] = value;
        BARRIER(t);                               /* 3 */
        SHARED_STORE(t, &s->value[x], a->out[x]); /* 4 */
        LOOP(t);                                  /* 5 */
    }
    if (x == 0) {
        FENCE(t, GPU); /* 6 */
    }
    END(t);
}
GM_BARRIER_KERNEL(rotation, rotate, turns, tile)

static void barriers_order_warps(void **state)
{
    (void)state;
    uint32_t out[64];
    const rotate arguments = {out};
    trail t;
    gm_error error;
    trail_start(&t);
    test_ok(trail_run(&t, &rotation_code, &arguments, 40, &error), error);
    for (uint32_t x = 0; x < 40; x++) {
        assert_int_equal(out[x], (x + 3) % 40);
    }
    uint32_t count = t.count;
    test_ok(trail_run(&t, &rotation_code, &arguments, 40, &error), error);
    assert_int_equal(t.count, count); /* a second CTA delivers its own instructions only */
    assert_int_equal(t.warps, 2);
    for (uint32_t warp = 0; warp < 2; warp++) {
        uint32_t m = warp == 0 ? 0xffffffff : 0xff;
        uint32_t at = t.begins[warp];
        expect(&t, at++, &(step){0, m}, 1);
        for (unsigned round = 0; round < 3; round++, at += 5) {
            expect(&t, at, (const step[]){{1, m}, {2, m}, {3, m}, {4, m}, {5, m}}, 5);
        }
        if (warp == 0) {
            expect(&t, at++, &(step){6, 1}, 1);
        }
        expect(&t, at++, &(step){7, m}, 1);
        assert_int_equal(at, warp == 0 ? t.begins[1] : t.count);
    }
    trail_stop(&t);
}

GM_THREAD(early, nothing)
{
    (void)a;
    BEGIN(t)
    if (t->thread.x % 2 == 0) {
        return;
    }
    BARRIER(t);    /* 0 */
    FENCE(t, GPU); /* 1 */
    END(t);
}
GM_BARRIER_KERNEL(early, nothing, turns, tile)

static void ended_lanes_are_not_waited_for(void **state)
{
    (void)state;
    CHECK(&early_code, &none, 4, {{0, 0xa}, {1, 0xa}, {2, 0xf}});
}

/* Random structured control flow, by the bits of a word for each lane. */
typedef struct random_flow {
    uint32_t word[GM_WARP_SIZE];
} random_flow;

#define NO_YIELD(t) ((void)(t))
#define FLOW(t, a, i, YIELD_HERE)                                                                  \
    COMPUTE(t, INTEGER, 1); /* 0 */                                                                \
    for ((i) = 0; (i) < ((a)->word[(t)->thread.x] & 3); (i)++) {                                   \
        if (((a)->word[(t)->thread.x] >> (4 + (i)) & 1) != 0) {                                    \
            FENCE(t, GPU); /* 1 */                                                                 \
        } else if (((a)->word[(t)->thread.x] >> (8 + (i)) & 1) != 0) {                             \
            COMPUTE(t, INTEGER, 1); /* 2 */                                                        \
            for (uint32_t j = 0; j < ((a)->word[(t)->thread.x] >> 12 & 3); j++) {                  \
                FENCE(t, GPU); /* 3 */                                                             \
                LOOP(t);       /* 4 */                                                             \
            }                                                                                      \
        }                                                                                          \
        if (((a)->word[(t)->thread.x] >> (16 + (i)) & 3) == 3) {                                   \
            break;                                                                                 \
        }                                                                                          \
        COMPUTE(t, INTEGER, 1); /* 5 */                                                            \
        YIELD_HERE(t);                                                                             \
        LOOP(t); /* 6, or 7 behind a yield */                                                      \
    }                                                                                              \
    if (((a)->word[(t)->thread.x] >> 24 & 1) != 0) {                                               \
        return;                                                                                    \
    }                                                                                              \
    FENCE(t, GPU) /* 7 or 8 */

GM_THREAD(flow, random_flow)
{
    uint32_t i = 0;
    FLOW(t, a, i, NO_YIELD);
}
GM_KERNEL(flow, random_flow)

GM_THREAD(flow_yield, random_flow)
{
    turns *l = t->locals;
    BEGIN(t)
    FLOW(t, a, l->i, YIELD);
    END(t);
}
GM_YIELD_KERNEL(flow_yield, random_flow, turns)

/* The lanes of `mask` for which `bits >> shift & field` passes. */
static uint32_t lanes_with(const random_flow *f, uint32_t mask, unsigned shift, uint32_t field,
                           uint32_t at_least)
{
    uint32_t result = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        if ((f->word[lane] >> shift & field) >= at_least) {
            result |= UINT32_C(1) << lane;
        }
    }
    return result;
}

static void put(step *steps, uint32_t *count, uint32_t point, uint32_t mask)
{
    if (mask != 0) {
        steps[(*count)++] = (step){point, mask};
    }
}

/* Executes the program under masks: what lock-step hardware with reconvergence at the
 * immediate post-dominator does. */
static uint32_t masked_flow(const random_flow *f, step *steps)
{
    uint32_t count = 0;
    uint32_t all = UINT32_MAX;
    put(steps, &count, 0, all);
    uint32_t inside = all;
    for (unsigned i = 0; i < 3; i++) {
        inside = lanes_with(f, inside, 0, 3, i + 1);
        uint32_t yes = lanes_with(f, inside, 4 + i, 1, 1);
        put(steps, &count, 1, yes);
        uint32_t other = lanes_with(f, inside & ~yes, 8 + i, 1, 1);
        put(steps, &count, 2, other);
        for (unsigned j = 0; j < 3; j++) {
            uint32_t inner = lanes_with(f, other, 12, 3, j + 1);
            put(steps, &count, 3, inner);
            put(steps, &count, 4, inner);
        }
        inside &= ~lanes_with(f, inside, 16 + i, 3, 3);
        put(steps, &count, 5, inside);
        put(steps, &count, 6, inside);
    }
    put(steps, &count, 7, all & ~lanes_with(f, all, 24, 1, 1));
    put(steps, &count, 8, all);
    return count;
}

static void equals_execution_under_masks(void **state)
{
    (void)state;
    test_random random = test_random_start(7);
    trail t;
    gm_error error;
    trail_start(&t);
    for (unsigned round = 0; round < 2000; round++) {
        random_flow f;
        uint32_t mask = UINT32_MAX >> test_random_below(&random, 25);
        for (unsigned lane = 0; lane < GM_WARP_SIZE; lane++) {
            f.word[lane] =
                (uint32_t)test_random_next(&random) & (round % 2 == 0 ? mask : UINT32_MAX);
        }
        step expected[128];
        uint32_t count = masked_flow(&f, expected);
        test_ok(trail_run(&t, &flow_code, &f, 32, &error), error);
        assert_int_equal(t.count, count);
        expect(&t, 0, expected, count);

        test_ok(trail_run(&t, &flow_yield_code, &f, 32, &error), error);
        assert_int_equal(t.count, count);
        for (uint32_t i = 0; i < count; i++) {
            expected[i].point += expected[i].point > 5; /* the yield takes a number */
        }
        expect(&t, 0, expected, count);
    }
    trail_stop(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_reconverge),
        cmocka_unit_test(lanes_leave_a_loop_one_by_one),
        cmocka_unit_test(iterations_do_not_mix),
        cmocka_unit_test(return_break_and_nesting),
        cmocka_unit_test(barriers_order_warps),
        cmocka_unit_test(ended_lanes_are_not_waited_for),
        cmocka_unit_test(equals_execution_under_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
