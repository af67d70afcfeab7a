/* CCWS in a run: the cycle in which time allows the next warp, against letting time pass cycle by
 * cycle; time that passes at once or in steps; and a new warp in an old one's place. */
#include "policy/ccws.h"
#include "support/order/order_run.h"

#include <errno.h>

enum { SLOTS = 8, ENTRIES = 4, WARPS = 4, LINE_A = 2, LINE_B = 4 };

static void changes_come_in_their_cycle(void **state)
{
    (void)state;
    const gm_config config = order_preset("gtx480");
    gm_error error;
    gm_arena arena;
    test_ok(gm_arena_create(&arena, gm_ccws_bytes(&config, SLOTS, ENTRIES), &error), error);
    uint64_t issued = 0;
    gm_ccws *ccws = gm_ccws_make(&config, SLOTS, ENTRIES, &arena);
    assert_non_null(ccws);
    ccws->issued = &issued;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        gm_ccws_start(ccws, warp);
    }
    assert_int_equal(ccws->allowed, 0xf);
    gm_ccws_replaced(ccws, 2, LINE_A);
    issued = 10;
    gm_ccws_miss(ccws, 2, LINE_B, 50);
    assert_int_equal(ccws->allowed, 0xf);
    gm_ccws_miss(ccws, 1, LINE_A, 60); /* another warp's */
    assert_int_equal(ccws->statistics.hits, 0);
    gm_ccws_miss(ccws, 2, LINE_A, 70);
    /* 1 / 10 x 8 x 400 = 320 points; 420 before the third warp, above the cutoff of 400, and 320
     * before the second: until 299 and 100 are 399, 21 cycles later; the last one waits for 199. */
    assert_int_equal(ccws->allowed, 0x5);
    assert_int_equal(ccws->change, 70 + 21);
    gm_ccws copy = *ccws;
    for (uint64_t now = 71; now < 70 + 21; now++) {
        gm_ccws_pass(ccws, now);
        assert_int_equal(ccws->allowed, 0x5);
        assert_int_equal(ccws->change, 70 + 21);
    }
    gm_ccws_pass(ccws, 70 + 21);
    assert_int_equal(ccws->allowed, 0x7);
    assert_int_equal(ccws->change, 70 + 121);
    gm_ccws_pass(ccws, 70 + 120);
    assert_int_equal(ccws->allowed, 0x7);
    gm_ccws_pass(ccws, 70 + 121);
    assert_int_equal(ccws->allowed, 0xf);
    assert_int_equal(ccws->change, UINT64_MAX);
    gm_ccws_pass(&copy, 70 + 121); /* at once */
    assert_int_equal(copy.allowed, 0xf);
    assert_memory_equal(copy.scores.place, ccws->scores.place, WARPS * sizeof *copy.scores.place);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        assert_int_equal(gm_ccws_check(ccws, "SM", &error), -EPROTO);
        gm_ccws_end(ccws, warp);
    }
    test_ok(gm_ccws_check(ccws, "SM", &error), error);
    gm_arena_free(&arena);
}

/* A warp that begins in the place of one that has ended does not find its tags. */
static void a_new_warp_has_no_tags(void **state)
{
    (void)state;
    const gm_config config = order_preset("gtx480");
    gm_error error;
    gm_arena arena;
    test_ok(gm_arena_create(&arena, gm_ccws_bytes(&config, SLOTS, ENTRIES), &error), error);
    uint64_t issued = 0;
    gm_ccws *ccws = gm_ccws_make(&config, SLOTS, ENTRIES, &arena);
    assert_non_null(ccws);
    ccws->issued = &issued;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        gm_ccws_start(ccws, warp);
        gm_ccws_replaced(ccws, warp, LINE_A);
    }
    gm_ccws_end(ccws, 2);
    gm_ccws_start(ccws, 2);
    gm_ccws_miss(ccws, 2, LINE_A, 10);
    assert_int_equal(ccws->statistics.hits, 0);
    gm_ccws_miss(ccws, 1, LINE_A, 20);
    assert_int_equal(ccws->statistics.hits, 1);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_come_in_their_cycle),
        cmocka_unit_test(a_new_warp_has_no_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
