/* Launch of warps: when each instruction issues, worked out by hand from the rules in
 * cycle/sm/launch.c. A schedule is "cycle:slot ..."; a CTA is admitted in cycle 0, or in the cycle
 * in which another one has ended. */
#include "support/cycle/sm/sm_run.h"

enum { EACH = 2 }; /* instructions of a warp, which do not wait for each other */

static sm_run *fresh(uint64_t cta_launch, uint64_t warp_launch, uint32_t ctas, uint32_t warps)
{
    static sm_run run;
    sm_make(&run);
    run.config.sm.cta_launch = cta_launch;
    run.config.sm.warp_launch = warp_launch;
    run.ctas = ctas;
    run.warps = warps;
    for (uint32_t cta = 0; cta < ctas; cta++) {
        for (uint32_t warp = 0; warp < warps; warp++) {
            for (int i = 0; i < EACH; i++) {
                sm_plain(&run, cta, warp, "IADD3", i + 1, SM_NONE);
            }
        }
    }
    return &run;
}

static void warps_begin_one_after_the_other(void **state)
{
    (void)state;
    static const struct {
        uint64_t cta_launch, warp_launch;
        uint32_t ctas, warps, together;
        const char *schedule;
    } rows[] = {
        {0, 0, 1, 2, 1, "1:0 2:0 3:1 4:1"},
        {10, 0, 1, 2, 1, "11:0 12:0 13:1 14:1"},
        {0, 5, 1, 2, 1, "1:0 2:0 6:1 7:1"},
        {10, 3, 1, 3, 1, "11:0 12:0 14:1 15:1 17:2 18:2"},
        {10, 3, 2, 2, 2, "11:0 12:0 14:1 15:1 17:2 18:2 20:3 21:3"}, /* two CTAs at a time */
        /* One: the last instructions issue in 15, and the CTA ends then. */
        {10, 3, 2, 2, 1, "11:0 12:0 14:1 15:1 26:0 27:0 29:1 30:1"},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        sm_run *run = fresh(rows[i / 2].cta_launch, rows[i / 2].warp_launch, rows[i / 2].ctas,
                            rows[i / 2].warps);
        run->together = rows[i / 2].together;
        run->skips = i % 2 == 0;
        gm_statistics statistics = sm_expect(run, rows[i / 2].schedule);
        uint64_t issued = (uint64_t)rows[i / 2].ctas * rows[i / 2].warps * EACH;
        assert_int_equal(statistics.time.slots_issued, issued);
        assert_int_equal(statistics.time.slots_idle, run->now + 1 - issued);
    }
}

/* A warp is fetched for when its launch has ended: in 11 for two instructions, there in 13. */
static void fetched_for_behind_the_launch(void **state)
{
    (void)state;
    sm_run *run = fresh(10, 20, 1, 2);
    run->config.sm.fetch = 2;
    (void)sm_expect(run, "13:0 14:0 33:1 34:1");
}

/* With an instruction cache too: the line is missed in 11 and there in 22. */
static void not_looked_up_before(void **state)
{
    (void)state;
    sm_run *run = fresh(10, 0, 1, 1);
    run->config.sm.fetch = 2;
    run->config.l1i.size = 256;
    run->config.l1i.ways = GM_FULL;
    run->config.l1i.line = 128;
    run->unit.line_latency = 10;
    (void)sm_expect(run, "24:0 25:0");
}

/* The first warp waits at the barrier for the second one, whose launch ends in 31. */
static void a_barrier_waits_for_launches(void **state)
{
    (void)state;
    sm_run *run = fresh(0, 30, 1, 2);
    run->config.unit.control.latency = 1;
    for (uint32_t warp = 0; warp < 2; warp++) {
        sm_plain(run, 0, warp, "BAR.SYNC", SM_NONE, 0);
        sm_plain(run, 0, warp, "IADD3", 3, SM_NONE);
    }
    (void)sm_expect(run, "1:0 2:0 3:0 31:1 32:1 33:1 34:1 35:0");
}

/* A kernel's launch and that of its first CTA go side by side. */
static void a_kernels_launch_beside_a_ctas(void **state)
{
    (void)state;
    sm_run *run = fresh(10, 3, 1, 2);
    run->config.sm.launch = 13; /* nothing issues before cycle 13 */
    (void)sm_expect(run, "13:0 14:0 15:1 16:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_begin_one_after_the_other),
        cmocka_unit_test(fetched_for_behind_the_launch),
        cmocka_unit_test(not_looked_up_before),
        cmocka_unit_test(a_barrier_waits_for_launches),
        cmocka_unit_test(a_kernels_launch_beside_a_ctas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
