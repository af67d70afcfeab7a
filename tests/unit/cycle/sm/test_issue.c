/* Turns of an SM's schedulers: when each instruction issues, worked out by hand from the rules in
 * cycle/sm/sm.h. A schedule is "cycle:slot ..."; a CTA admitted in cycle 0 can be fetched for, or
 * issue, from cycle 1 on. */
#include "support/cycle/sm/sm_run.h"

/* Three schedulers have one register for special functions, free in each cycle from the launch's
 * end, 101, on. By cycles the first to issue is then scheduler 2, as 101 mod 3; by cycles in which
 * the SM has had warps after the launch it is scheduler 0. */
static void turns_count_occupied_cycles(void **state)
{
    (void)state;
    for (int occupied = 0; occupied < 2; occupied++) {
        sm_run *run = sm_fresh(0, 1);
        run->config.sm.turns = (gm_scheduler_turns)occupied;
        run->config.sm.schedulers = 3;
        run->config.sm.launch = 101;
        run->warps = 3;
        for (uint32_t warp = 0; warp < 3; warp++) {
            sm_plain(run, 0, warp, "MUFU", 1, SM_NONE);
        }
        (void)sm_expect(run, occupied == 1 ? "101:0 102:1 103:2" : "101:2 102:0 103:1");
    }
}

/* Two CTAs, one behind the other, the second from cycle 26 on: the turns, from cycle 1 on, go on.
 * In cycle 7 the first to issue is scheduler 7 - 1 mod 3, in cycle 32 it is 32 - 1 mod 3. */
static void turns_go_on_with_the_next_cta(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    run->config.sm.turns = GM_TURNS_OCCUPIED;
    run->config.sm.schedulers = 3;
    run->ctas = 2;
    run->together = 1;
    run->warps = 3;
    for (uint32_t i = 0; i < 6; i++) {
        sm_plain(run, i / 3, i % 3, "FADD", 1, SM_NONE);
        sm_plain(run, i / 3, i % 3, "MUFU", 1, SM_NONE);
    }
    (void)sm_expect(run, "1:0 1:1 1:2 7:0 8:1 9:2 26:0 26:1 26:2 32:1 33:2 34:0");
}

/* sm.turns=occupied: the last warp reaches the barrier in cycle 3, when scheduler 0 is the first to
 * issue, so that scheduler 1 issues the other warp's next instruction in the same cycle. In cycle 2
 * it had its turn before. */
static void warps_go_on_when_a_barrier_opens(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        sm_run *run = sm_fresh(0, 0);
        run->config.sm.turns = GM_TURNS_OCCUPIED;
        run->config.sm.schedulers = 2;
        run->warps = 2;
        for (int i = 0; i <= late; i++) {
            sm_plain(run, 0, 0, "IADD3", i, SM_NONE);
        }
        sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, SM_NONE);
        sm_plain(run, 0, 0, "IADD3", 9, SM_NONE);
        sm_plain(run, 0, 1, "BAR.SYNC", SM_NONE, SM_NONE);
        sm_plain(run, 0, 1, "IADD3", 9, SM_NONE);
        (void)sm_expect(run, late == 1 ? "1:0 1:1 2:0 3:0 3:1 4:0" : "1:0 1:1 2:0 3:0 3:1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_count_occupied_cycles),
        cmocka_unit_test(turns_go_on_with_the_next_cta),
        cmocka_unit_test(warps_go_on_when_a_barrier_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
