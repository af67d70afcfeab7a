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
    gm_ccws late = copy;
    gm_ccws_pass(&late, 70 + 65536); /* 0 in 16 bits */
    assert_int_equal(late.allowed, 0xf);
    assert_int_equal(late.scores.place[0].score, 100);
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

/* "8-way 16 entries per warp (768 total entries)", base score 100, K_THROTTLE 8 [khairy, Table 4];
 * lines of 128 bytes. */
static void parameters_are_those_of_table_4(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    const gm_victim_tags_parameters table = {.warps = 48, .sets = 2, .ways = 8, .line_bits = 57};
    gm_victim_tags_parameters tags = gm_ccws_tags(&config);
    assert_memory_equal(&tags, &table, sizeof tags);
    const gm_locality_score_parameters expected = {.warps = 48,
                                                   .score_bits = 16,
                                                   .base = 100,
                                                   .throttle = 8,
                                                   .hit_bits = 12,
                                                   .issued_bits = 32};
    gm_locality_score_parameters scores = gm_ccws_scores(&config);
    assert_memory_equal(&scores, &expected, sizeof scores);
    static const unsigned sizes[][3] = {{1, 1, 1}, {4, 1, 4}, {8, 1, 8}, {32, 4, 8}, {128, 16, 8}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        config.sm.victim_tags = sizes[i][0];
        tags = gm_ccws_tags(&config);
        assert_int_equal(tags.sets, sizes[i][1]);
        assert_int_equal(tags.ways, sizes[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_those_of_table_4),
        cmocka_unit_test(changes_come_in_their_cycle),
        cmocka_unit_test(a_new_warp_has_no_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
