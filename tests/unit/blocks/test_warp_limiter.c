/* Warp limiter: permissions worked by hand; every order in which four warps can be admitted, with
 * every set that counts and every limit; and a second way to compute the permissions, from the time
 * at which each warp was admitted, that agrees on random streams. */
#include "goldmem/bits.h"
#include "goldmem/warp_limiter.h"
#include "support/support.h"

#include <errno.h>

static gm_warp_limiter make(unsigned warps)
{
    gm_warp_limiter limiter;
    gm_error error;
    test_ok(gm_warp_limiter_init(&limiter, &(gm_warp_limiter_parameters){.warps = warps}, &error),
            error);
    return limiter;
}

static uint64_t act(gm_warp_limiter *limiter, gm_warp_limiter_request request)
{
    gm_error error;
    gm_warp_limiter_response response = gm_warp_limiter_access(limiter, request);
    test_ok(gm_warp_limiter_check(limiter, &error), error);
    return response.allowed;
}

/* 4 warps; bit i is warp i. */
static void operations_by_hand(void **state)
{
    (void)state;
    static const struct {
        gm_warp_limiter_request request;
        uint64_t allowed;
        const char *why;
    } steps[] = {
        {{.limit = 0}, 0xf, "after the reset the limit is all warps"},
        {{.sets = 1, .limit = 1}, 0xf, "no warp counts"},
        {{.admit = 0x4}, 0xf, "warp 2 is the youngest: none that counts is older than another"},
        {{.admit = 0x1}, 0xe, "order 1 3 2 0: warp 2 is ahead of warp 0"},
        {{.admit = 0xa}, 0x4, "order 2 0 1 3: all count, warp 2 alone may"},
        {{.limit = 3}, 0x4, "KEEP: the limit stays"},
        {{.hold = 0x4}, 0x5, "warp 2 is held, and still older than warp 0, which may now"},
        {{.hold = 0x1}, 0x7, "warp 0 too: warp 1 may"},
        {{.resume = 0x4}, 0x4, "warp 2 is back where it was"},
        {{.sets = 1, .limit = 2}, 0x7, "warp 1 is the second that counts; warp 0 is held"},
        {{.resume = 0x1}, 0x5, "warp 0 is the second"},
        {{.sets = 1, .limit = 4}, 0xf, "all"},
        {{.sets = 1, .limit = 0}, 0x0, "none"},
        {{.sets = 1, .limit = 7}, 0xf, "more than there are"},
        {{.admit = 0x4, .sets = 1, .limit = 1}, 0x1, "order 0 1 3 2, with the limit at once"},
        {{.admit = 0x1, .hold = 0x1}, 0x2, "order 1 3 2 0: warp 1 alone; warp 0 is held"},
        {{.resume = 0x1, .hold = 0x3}, 0xa, "hold is stronger: warps 0 and 1 do not count"},
        {{.admit = 0xf}, 0x1, "order 0 1 2 3"},
    };
    gm_warp_limiter limiter = make(4);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t allowed = act(&limiter, steps[i].request);
        if (allowed != steps[i].allowed) {
            fail_msg("step %zu: %s: %llx", i, steps[i].why, (unsigned long long)allowed);
        }
    }
}

static void every_order_of_four(void **state)
{
    (void)state;
    enum { WARPS = 4, ORDERS = WARPS * WARPS * WARPS * WARPS };
    unsigned orders = 0;
    for (unsigned code = 0; code < ORDERS; code++) {
        unsigned order[WARPS];
        uint64_t seen = 0;
        for (unsigned i = 0; i < WARPS; i++) {
            order[i] = code >> 2 * i & 3;
            seen |= UINT64_C(1) << order[i];
        }
        if (seen != gm_mask(WARPS)) {
            continue; /* no permutation */
        }
        orders++;
        for (uint64_t counts = 0; counts <= gm_mask(WARPS); counts++) {
            for (uint64_t limit = 0; limit <= WARPS; limit++) {
                gm_warp_limiter limiter = make(WARPS);
                for (unsigned i = 0; i < WARPS; i++) {
                    act(&limiter, (gm_warp_limiter_request){.admit = UINT64_C(1) << order[i]});
                }
                uint64_t allowed =
                    act(&limiter, (gm_warp_limiter_request){
                                      .hold = gm_mask(WARPS) & ~counts, .sets = 1, .limit = limit});
                uint64_t older = 0;
                for (unsigned i = 0; i < WARPS; i++) {
                    assert_int_equal(allowed >> order[i] & 1, older < limit);
                    older += counts >> order[i] & 1;
                }
            }
        }
    }
    assert_int_equal(orders, 24);
}

/* Warps admitted from the last to the first, in every number; all count. */
static void every_limit_of_every_size(void **state)
{
    (void)state;
    for (unsigned warps = 2; warps <= GM_WARP_LIMITER_WARPS; warps++) {
        gm_warp_limiter limiter = make(warps);
        for (unsigned warp = warps; warp-- > 0;) {
            act(&limiter, (gm_warp_limiter_request){.admit = UINT64_C(1) << warp});
        }
        for (uint64_t limit = 0; limit <= warps; limit++) {
            uint64_t younger = limit == warps ? 0 : gm_mask((unsigned)(warps - limit));
            assert_int_equal(act(&limiter, (gm_warp_limiter_request){.sets = 1, .limit = limit}),
                             gm_mask(warps) & ~younger);
        }
    }
}

/* The second way: ages as times. */
typedef struct ages {
    uint64_t since[GM_WARP_LIMITER_WARPS];
    bool counts[GM_WARP_LIMITER_WARPS];
    uint64_t limit, clock;
} ages;

static uint64_t by_ages(ages *it, unsigned warps, const gm_warp_limiter_request *request)
{
    for (unsigned i = 0; i < warps; i++) {
        bool admitted = (request->admit >> i & 1) != 0;
        if (admitted) {
            it->since[i] = it->clock++;
        }
        it->counts[i] = (it->counts[i] || admitted || (request->resume >> i & 1) != 0) &&
                        (request->hold >> i & 1) == 0;
    }
    it->limit = request->sets != 0 ? request->limit : it->limit;
    uint64_t allowed = 0;
    for (unsigned i = 0; i < warps; i++) {
        uint64_t older = 0;
        for (unsigned j = 0; j < warps; j++) {
            older += it->counts[j] && it->since[j] < it->since[i];
        }
        allowed |= (uint64_t)(older < it->limit) << i;
    }
    return allowed;
}

static void agrees_with_ages(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    uint64_t forbidden = 0;
    for (unsigned warps = 2; warps <= GM_WARP_LIMITER_WARPS; warps++) {
        gm_warp_limiter limiter = make(warps);
        ages second = {.limit = warps, .clock = warps};
        for (unsigned i = 0; i < warps; i++) {
            second.since[i] = i;
        }
        for (unsigned i = 0; i < 400; i++) {
            uint64_t one = UINT64_C(1) << test_random_below(&random, warps);
            uint64_t any = test_random_next(&random) & gm_mask(warps);
            uint64_t kind = test_random_below(&random, 10);
            const gm_warp_limiter_request request = {
                .admit = kind == 0   ? any
                         : kind == 1 ? one
                                     : 0,
                .resume = kind == 2   ? any
                          : kind <= 5 ? one
                                      : 0,
                .hold = kind == 0   ? any & test_random_next(&random)
                        : kind == 6 ? any
                        : kind >= 7 ? one
                                    : 0,
                .sets = test_random_below(&random, 20) == 0,
                .limit = test_random_below(&random, warps + 1),
            };
            uint64_t expected = by_ages(&second, warps, &request);
            assert_int_equal(act(&limiter, request), expected);
            forbidden += expected != gm_mask(warps);
        }
        for (unsigned a = 0; a < warps; a++) {
            for (unsigned b = 0; b < warps; b++) {
                assert_int_equal(gm_warp_limiter_is_older(&limiter, a, b),
                                 second.since[a] < second.since[b]);
            }
        }
    }
    assert_true(forbidden > 5000);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        unsigned warps;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {2, NULL},
        {64, NULL},
        {1, "warp_limiter: warps 1: must be 2 to 64"},
        {65, "warp_limiter: warps 65: must be 2 to 64"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_warp_limiter limiter;
        const gm_warp_limiter_parameters p = {.warps = ranges[i].warps};
        int code = gm_warp_limiter_init(&limiter, &p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    gm_warp_limiter limiter = make(3);
    limiter.counts = 7;
    assert_int_equal(gm_warp_limiter_check(&limiter, &error), 0);
    limiter.counts = 8;
    assert_int_equal(gm_warp_limiter_check(&limiter, &error), -EINVAL);
    assert_string_equal(error.text, "warp_limiter: counts 8: beyond 3 warps");
    limiter.order[2] = 1;
    assert_int_equal(gm_warp_limiter_check(&limiter, &error), -EINVAL);
    assert_string_equal(error.text, "warp_limiter: warp 1 at place 2: is no warp, or twice");
    limiter.order[0] = 3;
    assert_int_equal(gm_warp_limiter_check(&limiter, &error), -EINVAL);
    assert_string_equal(error.text, "warp_limiter: warp 3 at place 0: is no warp, or twice");
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
    gm_warp_limiter limiter = make(8);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    limiter.observer = &observer;
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t allowed = act(
            &limiter, (gm_warp_limiter_request){.admit = UINT64_C(1) << i, .sets = 1, .limit = 1});
        assert_int_equal(seen[0], i + 1);
        assert_int_equal(seen[1], UINT64_C(1) << i);
        assert_int_equal(seen[2], allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(every_order_of_four),
        cmocka_unit_test(every_limit_of_every_size),
        cmocka_unit_test(agrees_with_ages),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
