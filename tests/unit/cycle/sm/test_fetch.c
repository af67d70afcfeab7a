/* Instruction fetch of an SM: when each instruction issues, worked out by hand from the rules in
 * cycle/sm/sm.h and cycle/sm/fetch.c. A schedule is "cycle:slot ..."; a CTA admitted in cycle 0 can
 * be fetched for, or issue, from cycle 1 on. */
#include "support/cycle/sm/sm_run.h"

/* Fetched for in cycles 1 (slot 0), 2 (1), 4 (0), 6 (1), 8 (0), 10 (1), as each buffer runs empty;
 * there 2 cycles later; the greedy warp empties its buffer first. */
static void two_instructions_are_fetched_at_a_time(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(2, 0);
    run->warps = 2;
    for (uint32_t warp = 0; warp < 2; warp++) {
        for (int i = 0; i < 5; i++) {
            sm_plain(run, 0, warp, "IADD3", i + 1, SM_NONE);
        }
    }
    gm_statistics statistics = sm_expect(run, "3:0 4:0 5:1 6:1 7:0 8:0 9:1 10:1 11:0 12:1");
    assert_int_equal(statistics.time.slots_dependence, 2); /* cycles 1 and 2 */
}

/* Cycle 3: slot 0 has just issued, and slot 2, behind slot 1, has its turn. */
static void fetch_goes_in_turn(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(1, 0);
    run->warps = 3;
    for (uint32_t warp = 0; warp < 3; warp++) {
        sm_plain(run, 0, warp, "IADD3", 1, SM_NONE);
        sm_plain(run, 0, warp, "IADD3", 2, SM_NONE);
    }
    (void)sm_expect(run, "3:0 4:1 5:2 6:0 7:1 8:2");
}

/* Four warps in cycle 1, of which the last can issue a cycle later than the others. */
static void several_warps_are_fetched_for(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(1, 0);
    run->config.sm.schedulers = 4;
    run->config.sm.fetch_warps = 4;
    run->warps = 4;
    for (uint32_t warp = 0; warp < 4; warp++) {
        sm_plain(run, 0, warp, "IADD3", 1, SM_NONE);
        sm_plain(run, 0, warp, "IADD3", 2, SM_NONE);
    }
    /* after cycle 2, which emptied three buffers, none is the last of four; nor after cycle 3 */
    (void)sm_expect(run, "2:0 2:1 2:2 3:0 3:1 3:2 3:3 4:3");
}

/* Fetch does not wait for a barrier: the second pair is there when it opens, in cycle 8, with the
 * other warp, which is fetched for in cycles 2 and 6. */
static void a_warp_at_a_barrier_is_fetched_for(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(2, 0);
    run->warps = 2;
    run->config.unit.control.latency = 1;
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE);    /* 3 */
    sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, 0); /* 4; fetched for in cycle 4 */
    sm_plain(run, 0, 0, "IADD3", 2, SM_NONE);    /* 8 + 1 */
    sm_plain(run, 0, 1, "IADD3", 1, SM_NONE);    /* 5 */
    sm_plain(run, 0, 1, "IADD3", 2, SM_NONE);    /* 6; fetched for in cycle 6 */
    sm_plain(run, 0, 1, "BAR.SYNC", SM_NONE, 0); /* 8 */
    (void)sm_expect(run, "3:0 4:0 5:1 6:1 8:1 9:0");
}

/* Nothing is fetched before the end of a kernel's launch, in cycle 100. */
static void fetch_waits_for_the_launch(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(1, 0);
    run->config.sm.launch = 100;
    run->warps = 2;
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE);
    sm_plain(run, 0, 1, "IADD3", 1, SM_NONE);
    (void)sm_expect(run, "102:0 103:1");
}

/* sm.turns=occupied: the warp of slot 1 is the first that is fetched for. */
static void fetch_begins_with_the_second_slot(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(1, 0);
    run->config.sm.turns = GM_TURNS_OCCUPIED;
    run->warps = 3;
    for (uint32_t warp = 0; warp < 3; warp++) {
        sm_plain(run, 0, warp, "IADD3", 1, SM_NONE);
    }
    (void)sm_expect(run, "3:1 4:2 5:0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_instructions_are_fetched_at_a_time),
        cmocka_unit_test(fetch_goes_in_turn),
        cmocka_unit_test(several_warps_are_fetched_for),
        cmocka_unit_test(a_warp_at_a_barrier_is_fetched_for),
        cmocka_unit_test(fetch_waits_for_the_launch),
        cmocka_unit_test(fetch_begins_with_the_second_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
