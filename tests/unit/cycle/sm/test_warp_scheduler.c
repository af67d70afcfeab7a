/* Warp scheduling policies: choices from masks, and schedules of an SM worked out by hand
 * ("cycle:slot ...", see test_sm.c). */
#include "support/cycle/sm/sm_run.h"

static gm_warp_scheduler make(gm_scheduling policy, uint32_t warps, uint32_t group)
{
    gm_config config = {0};
    gm_warp_scheduler scheduler;
    config.sm.scheduler = policy;
    config.sm.warps = warps;
    config.sm.group = group;
    gm_warp_scheduler_init(&scheduler, &config);
    return scheduler;
}

typedef struct step {
    uint64_t candidates;
    uint32_t chosen;
} step;

static void gto_is_greedy_then_oldest(void **state)
{
    (void)state;
    static const uint64_t age[64] = {7, 3, 9, 1, 5};
    static const step steps[] = {
        {0x17, 1},       /* slots 0, 1, 2, 4: the oldest is 1 */
        {0x1f, 1},       /* greedy, though 3 is older */
        {0x1d, 3},       /* 1 cannot: the oldest */
        {0x15, 4},       /* slots 0, 2, 4 */
        {0x1b, 4},       /* greedy again */
        {0, GM_NO_WARP}, /* nobody */
        {0x14, 4},       /* still greedy */
        {0x04, 2},
    };
    gm_warp_scheduler scheduler = make(GM_SCHEDULE_GTO, 5, 0);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(
            gm_warp_scheduler_choose(&scheduler, &steps[i].candidates, scheduler.words, age, true),
            steps[i].chosen);
    }
    uint64_t all = 0x1f; /* slot 2's warp ends: who comes there next is not the greedy one */
    gm_warp_scheduler_retire(&scheduler, 2);
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &all, scheduler.words, age, true), 3);
}

static void lrr_goes_around(void **state)
{
    (void)state;
    gm_warp_scheduler scheduler = make(GM_SCHEDULE_LRR, 200, 0);
    uint64_t age[GM_WARP_SLOTS] = {0};
    uint64_t candidates[GM_WARP_WORDS] = {UINT64_C(1) << 5 | UINT64_C(1) << 63, 1, 0,
                                          UINT64_C(1) << 7};
    static const uint32_t order[] = {5, 63, 64, 199, 5, 63, 64, 199};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_int_equal(
            gm_warp_scheduler_choose(&scheduler, candidates, scheduler.words, age, true), order[i]);
    }
    memset(candidates, 0, sizeof candidates);
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, candidates, scheduler.words, age, true),
                     GM_NO_WARP);
    candidates[3] = UINT64_C(1) << 7; /* the one that issued last, alone */
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, candidates, scheduler.words, age, true),
                     199);
    candidates[3] |= 1;
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, candidates, scheduler.words, age, true),
                     192);
}

static void groups_have_room_for_the_oldest(void **state)
{
    (void)state;
    static const uint64_t age[64] = {7, 3, 9, 1, 5};
    gm_warp_scheduler scheduler = make(GM_SCHEDULE_TWO_LEVEL, 5, 2);
    uint64_t ready = 0x17; /* not slot 3, the oldest */
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &ready, scheduler.words, age, true),
                     GM_NO_WARP);
    gm_warp_scheduler_fill(&scheduler, &ready, age);
    assert_int_equal(scheduler.active[0], 0x12); /* slots 1 and 4 */
    ready = 0x1f;
    gm_warp_scheduler_fill(&scheduler, &ready, age);
    assert_int_equal(scheduler.active[0], 0x12); /* full */
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &ready, scheduler.words, age, true), 1);
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &ready, scheduler.words, age, true), 4);
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &ready, scheduler.words, age, true), 1);
    gm_warp_scheduler_wait(&scheduler, 4);
    gm_warp_scheduler_wait(&scheduler, 0); /* was not in it */
    gm_warp_scheduler_fill(&scheduler, &ready, age);
    assert_int_equal(scheduler.active[0], 0x0a); /* slots 1 and 3 */
    assert_int_equal(gm_warp_scheduler_choose(&scheduler, &ready, scheduler.words, age, true), 3);
}

static sm_run *fresh(gm_scheduling policy)
{
    static sm_run run;
    sm_make(&run);
    run.config.sm.scheduler = policy;
    return &run;
}

/* Three warps of three independent instructions, and of two dependent ones. */
static void schedules_differ(void **state)
{
    (void)state;
    static const struct {
        gm_scheduling policy;
        const char *independent, *dependent;
    } rows[] = {
        {GM_SCHEDULE_GTO, "1:0 2:0 3:0 4:1 5:1 6:1 7:2 8:2 9:2", "1:0 2:1 3:2 5:0 6:1 7:2"},
        {GM_SCHEDULE_LRR, "1:0 2:1 3:2 4:0 5:1 6:2 7:0 8:1 9:2", "1:0 2:1 3:2 5:0 6:1 7:2"},
        /* Groups of 2: the third warp enters when one has ended; results are waited for inside. */
        {GM_SCHEDULE_TWO_LEVEL, "1:0 2:1 3:0 4:1 5:0 6:1 7:2 8:2 9:2", "1:0 2:1 5:0 6:1 7:2 11:2"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (int dependent = 0; dependent < 2; dependent++) {
            sm_run *run = fresh(rows[row].policy);
            run->config.sm.group = 2;
            run->warps = 3;
            for (uint32_t warp = 0; warp < 3; warp++) {
                for (int i = 0; i < 3 - dependent; i++) {
                    sm_plain(run, 0, warp, "IADD3", i + 1, dependent ? i : SM_NONE);
                }
            }
            sm_expect(run, dependent ? rows[row].dependent : rows[row].independent);
        }
    }
}

/* CTA 2's warp comes into slot 0 when CTA 0 has ended there: slot 1's is the older one, and slot
 * 0's is not the greedy one. */
static void age_is_not_the_slot(void **state)
{
    (void)state;
    sm_run *run = fresh(GM_SCHEDULE_GTO);
    run->ctas = 3;
    run->together = 2;
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE);
    for (uint32_t cta = 1; cta < 3; cta++) {
        sm_plain(run, cta, 0, "IADD3", 1, SM_NONE);
        sm_plain(run, cta, 0, "IADD3", 2, SM_NONE);
    }
    sm_expect(run, "1:0 2:1 3:1 4:0 5:0");
}

/* Two-level: a warp that waits for a load makes room. Each warp: two independent instructions, a
 * load, and one that needs it. The loads are taken in 6, 7 and 10, and answered 100 cycles later.
 */
static void waiting_for_loads_leaves_the_group(void **state)
{
    (void)state;
    static const struct {
        gm_scheduling policy;
        const char *schedule;
    } rows[] = {
        {GM_SCHEDULE_TWO_LEVEL, "1:0 2:1 3:0 4:1 5:0 6:1 7:2 8:2 9:2 106:0 107:1 110:2"},
        {GM_SCHEDULE_LRR, "1:0 2:1 3:2 4:0 5:1 6:2 7:0 8:1 9:2 108:0 109:1 110:2"},
        {GM_SCHEDULE_GTO, "1:0 2:0 3:0 4:1 5:1 6:1 7:2 8:2 9:2 104:0 107:1 110:2"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        sm_run *run = fresh(rows[row].policy);
        run->config.sm.group = 2;
        run->warps = 3;
        for (uint32_t warp = 0; warp < 3; warp++) {
            sm_plain(run, 0, warp, "IADD3", 3, SM_NONE);
            sm_plain(run, 0, warp, "IADD3", 4, SM_NONE);
            sm_memory(run, 0, warp, "LDG.E", 1, SM_NONE, 0x1000, 4);
            sm_plain(run, 0, warp, "IADD3", 2, 1);
        }
        sm_expect(run, rows[row].schedule);
    }
}

/* Warp slot w belongs to scheduler w mod 2: each issues one instruction a cycle. */
static void schedulers_have_their_own_warps(void **state)
{
    (void)state;
    sm_run *run = fresh(GM_SCHEDULE_LRR);
    run->config.sm.schedulers = 2;
    run->warps = 3;
    for (uint32_t warp = 0; warp < 3; warp++) {
        sm_plain(run, 0, warp, "FADD", 1, SM_NONE);
        sm_plain(run, 0, warp, "FADD", 2, SM_NONE);
    }
    sm_expect(run, "1:0 1:1 2:1 2:2 3:0 4:2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gto_is_greedy_then_oldest),
        cmocka_unit_test(lrr_goes_around),
        cmocka_unit_test(groups_have_room_for_the_oldest),
        cmocka_unit_test(schedules_differ),
        cmocka_unit_test(age_is_not_the_slot),
        cmocka_unit_test(waiting_for_loads_leaves_the_group),
        cmocka_unit_test(schedulers_have_their_own_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
