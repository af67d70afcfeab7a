/* Units of an SM that take instructions from operand collectors: when each instruction issues,
 * worked out by hand from the rules in cycle/sm/sm.h and cycle/sm/execute.c. A schedule is
 * "cycle:slot ..."; a CTA admitted in cycle 0 can be fetched for, or issue, from cycle 1 on. */
#include "support/cycle/sm/sm_run.h"

/* One register in front of the collectors for special functions, one unit that takes one each 8
 * cycles: away in 3 and in 11. */
static void a_unit_that_is_busy_keeps_a_collector(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    sm_plain(run, 0, 0, "MUFU", 1, SM_NONE); /* 1 */
    sm_plain(run, 0, 0, "MUFU", 2, SM_NONE); /* 2: the register is free again */
    sm_plain(run, 0, 0, "FADD", 3, SM_NONE); /* 3: the collector frees in 3, and is taken again; */
    sm_plain(run, 0, 0, "FADD", 4, 3);       /* so FADD has it in 11, is away in 12, there in 16 */
    sm_plain(run, 0, 0, "FADD", 5, 2);       /* 11 + 20 */
    (void)sm_expect(run, "1:0 2:0 3:0 16:0 31:0");
}

/* Two units for branches, one each 50 cycles, with two registers in front of the collector and two
 * behind it. The branches of slots 0 and 1 go to the units in 3 and 4; those of 2 and 3 wait behind
 * the collector from 5 and 6 on, that of 4 in it, those of 5 and 6 in front of it: that of 7 issues
 * when all move, in 53. */
static void branches_wait_behind_the_collectors(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    run->warps = 8;
    run->config.sm.branch_units = 2;
    run->config.unit.control.interval = 50;
    for (uint32_t warp = 0; warp < 8; warp++) {
        sm_plain(run, 0, warp, "BRA", SM_NONE, SM_NONE);
    }
    (void)sm_expect(run, "1:0 2:1 3:2 4:3 5:4 6:5 7:6 53:7");
}

/* With the units for branches of the test before; in Accel-Sim's tables barriers go to the units of
 * integers, each for a cycle, and none waits for branches. */
static void barriers_are_no_branches(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    run->warps = 3;
    run->config.sm.branch_units = 2;
    run->config.sm.opcode_units = GM_OPCODE_UNITS_ACCEL_SIM;
    run->config.unit.control.interval = 50;
    run->config.unit.integer.interval = 50;
    for (uint32_t i = 0; i < 9; i++) {
        sm_plain(run, 0, i % 3, "BAR.SYNC", SM_NONE, SM_NONE);
    }
    sm_build(run);
    gm_statistics statistics = sm_finish(run);
    assert_int_equal(statistics.time.slots_issued, 9);
    for (uint32_t i = 0; i < run->logged; i++) {
        assert_true(run->log[i].cycle < 50);
    }
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
}

/* Returns the cycles between instructions of eight warps when they wait for their unit. */
static uint64_t spacing(const char *text, uint64_t interval, gm_opcode_unit_table table)
{
    enum { WARPS = 8 };
    sm_run *run = sm_fresh(0, 1);
    run->warps = WARPS;
    run->config.sm.opcode_units = table;
    run->config.unit.fp32.interval = interval;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        sm_plain(run, 0, warp, text, SM_NONE, SM_NONE);
    }
    sm_build(run);
    (void)sm_finish(run);
    assert_true(run->logged >= WARPS);
    uint64_t cycles = run->log[WARPS - 1].cycle - run->log[WARPS - 2].cycle;
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
    return cycles;
}

/* Half precision takes the unit of single precision for half the interval, a cycle at least. */
static void half_precision_takes_half_the_interval(void **state)
{
    (void)state;
    assert_int_equal(spacing("HFMA2.MMA", 4, GM_OPCODE_UNITS_ACCEL_SIM), 2);
    assert_int_equal(spacing("HFMA2.MMA", 5, GM_OPCODE_UNITS_ACCEL_SIM), 2);
    assert_int_equal(spacing("HFMA2.MMA", 1, GM_OPCODE_UNITS_ACCEL_SIM), 1);
    assert_int_equal(spacing("HMUL2", 4, GM_OPCODE_UNITS_ACCEL_SIM), 4);
    assert_int_equal(spacing("FFMA", 4, GM_OPCODE_UNITS_ACCEL_SIM), 4);
    assert_int_equal(spacing("HFMA2.MMA", 4, GM_OPCODE_UNITS_OWN), 4);
}

/* Two warps of scheduler 0 of 2 issue to units that take an instruction every 20 cycles. With
 * queues, but not with sub-cores, the second has scheduler 1's unit: its result is available 4
 * after it has left its collector in 4, not in 23. */
static void queues_share_the_units_of_schedulers(void **state)
{
    (void)state;
    for (int subcores = 0; subcores < 2; subcores++) {
        sm_run *run = sm_fresh(0, 4);
        run->config.sm.register_banks = 4;
        run->config.sm.register_queues = true;
        run->config.sm.subcores = subcores == 1;
        run->config.sm.schedulers = 2;
        run->config.unit.fp32.latency = 4;
        run->config.unit.fp32.interval = 20;
        run->warps = 3;
        for (uint32_t warp = 0; warp < 3; warp += 2) {
            sm_plain(run, 0, warp, "FADD", 1, SM_NONE);
            sm_plain(run, 0, warp, "MUFU.EX2", 2, 1);
        }
        sm_plain(run, 0, 1, "IADD3", 1, SM_NONE);
        (void)sm_expect(run, subcores == 0 ? "1:0 1:1 2:2 7:0 8:2" : "1:0 1:1 2:2 7:0 27:2");
    }
}

/* A double precision instruction leaves its collector in 3, a special function in 4, its result
 * available in 24; or in 23, when the unit that both have takes another one, and 43. */
static void special_units_take_fp64(void **state)
{
    (void)state;
    for (int special = 0; special < 2; special++) {
        sm_run *run = sm_fresh(0, 4);
        run->config.sm.special_fp64 = special == 1;
        run->config.unit.fp64.interval = 20;
        run->config.unit.special.interval = 20;
        sm_plain(run, 0, 0, "DADD", 1, SM_NONE);
        sm_plain(run, 0, 0, "MUFU.EX2", 2, SM_NONE);
        sm_plain(run, 0, 0, "FADD", 3, 2);
        (void)sm_expect(run, special == 0 ? "1:0 2:0 24:0" : "1:0 2:0 43:0");
    }
}

/* Four units for tensors of two schedulers: each of four warps has one, and its result 4 cycles
 * after it has left its collector in 3 or 4. With one of each scheduler, and the one register for
 * special functions and tensors, the third waits until a unit takes another one, in 23. */
static void units_are_a_pool(void **state)
{
    (void)state;
    for (int pool = 0; pool < 2; pool++) {
        sm_run *run = sm_fresh(0, 8);
        run->config.sm.register_banks = 4;
        run->config.sm.register_queues = true;
        run->config.sm.schedulers = 2;
        run->config.unit.tensor.units = pool == 1 ? 4 : GM_EACH;
        run->config.unit.tensor.latency = 4;
        run->config.unit.tensor.interval = 20;
        run->warps = 4;
        for (uint32_t warp = 0; warp < 4; warp++) {
            sm_plain(run, 0, warp, "HMMA.16816.F32", 1, SM_NONE);
            sm_plain(run, 0, warp, "FADD", 2, 1);
        }
        (void)sm_expect(run, pool == 1 ? "1:0 1:1 2:2 2:3 7:0 7:1 8:2 8:3"
                                       : "1:1 2:0 3:3 4:2 7:1 8:0 27:3 28:2");
    }
}

/* Returns the cycle in which a warp ends whose FADD issues in 1, leaves its collector in 3 and has
 * its result in 7, and whose exit, if it has one, leaves in 4. */
static gm_cycle end_of(uint64_t drain, bool exits)
{
    sm_run *run = sm_fresh(0, 1);
    run->config.sm.drain = drain;
    run->config.sm.opcode_units = GM_OPCODE_UNITS_ACCEL_SIM;
    sm_plain(run, 0, 0, "FADD", 1, SM_NONE);
    if (exits) {
        sm_plain(run, 0, 0, "EXIT", SM_NONE, SM_NONE);
    }
    (void)sm_expect(run, exits ? "1:0 2:0" : "1:0");
    return run->ended[0];
}

/* sm.drain: from the exit's unit to the end, and not before the result. */
static void warps_drain(void **state)
{
    (void)state;
    assert_int_equal(end_of(0, false), 3);
    assert_int_equal(end_of(1, false), 7);
    assert_int_equal(end_of(0, true), 4);
    assert_int_equal(end_of(2, true), 7);
    assert_int_equal(end_of(4, true), 8);
    assert_int_equal(end_of(100, true), 104);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_that_is_busy_keeps_a_collector),
        cmocka_unit_test(branches_wait_behind_the_collectors),
        cmocka_unit_test(barriers_are_no_branches),
        cmocka_unit_test(half_precision_takes_half_the_interval),
        cmocka_unit_test(queues_share_the_units_of_schedulers),
        cmocka_unit_test(special_units_take_fp64),
        cmocka_unit_test(units_are_a_pool),
        cmocka_unit_test(warps_drain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
