/* Operand collectors of an SM: when each instruction issues, worked out by hand from the rules in
 * cycle/sm/sm.h and cycle/sm/operand_collector.h. A schedule is "cycle:slot ..."; a CTA admitted in
 * cycle 0 can be fetched for, or issue, from cycle 1 on. */
#include "support/cycle/sm/sm_run.h"

/* Issued in t, a collector in t + 1, away 1 cycle later without operands, 2 with; the result 4
 * later again. The warp ends when its last instruction has gone. */
static void instructions_pass_a_collector(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    sm_plain(run, 0, 0, "FADD", 1, SM_NONE); /* 1; away in 3 */
    sm_plain(run, 0, 0, "IADD3", 2, 1);      /* 3 + 4; away in 10 */
    sm_plain(run, 0, 0, "IADD3", 3, 2);      /* 10 + 4; away in 17 */
    gm_statistics statistics = sm_expect(run, "1:0 7:0 14:0");
    assert_int_equal(run->ended[0], 17);
    assert_int_equal(statistics.time.slots_dependence, 5 + 6);
}

/* The unit takes a load in cycle 4 and the next in 54, and one waits in its queue: the third load
 * keeps the only collector, and arithmetic gets it in cycle 54, away in 55. */
static void loads_keep_collectors_from_arithmetic(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    run->warps = 4;
    run->unit.interval = 50;
    for (uint32_t warp = 0; warp < 3; warp++) {
        sm_memory(run, 0, warp, "LDG.E", 1, SM_NONE, 0x1000, 4);
    }
    sm_plain(run, 0, 3, "FADD", 1, SM_NONE);
    sm_plain(run, 0, 3, "FADD", 2, 1);
    gm_statistics statistics = sm_expect(run, "1:0 2:1 3:2 4:3 59:3");
    assert_int_equal(statistics.time.slots_dependence, 54);
    assert_int_equal(run->unit.requests, 3);
    assert_int_equal(run->unit.lines, 3 * 0x1000 / 128);
}

/* Without a free register nothing of the class issues: the fourth load waits for the third to get a
 * collector, which the first leaves in 3, the second in 4 and the third in 54. */
static void a_load_waits_for_the_register(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 1);
    run->warps = 5;
    run->unit.interval = 50;
    for (uint32_t warp = 0; warp < 5; warp++) {
        sm_memory(run, 0, warp, "LDG.E", 1, SM_NONE, 0x1000, 4);
    }
    gm_statistics statistics = sm_expect(run, "1:0 2:1 3:2 4:3 54:4");
    assert_int_equal(statistics.time.slots_memory_unit, 53 - 4);
}

/* Two sub-cores of one collector each. MUFU of slot 0: the first goes to the unit in 3, which takes
 * one each 8 cycles; the second waits behind the collector from 4 on, the third in it, the fourth
 * in front of it, so that the fifth issues when all move: the unit takes the second in 11, which
 * frees the register behind for 12. The integer instructions of the other sub-core wait for none of
 * them. */
static void subcores_have_collectors_of_their_own(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 2);
    run->config.sm.schedulers = 2;
    run->config.sm.subcores = true;
    run->config.unit.special.units = GM_EACH;
    run->warps = 2;
    for (int i = 0; i < 5; i++) {
        sm_plain(run, 0, 0, "MUFU", i + 1, SM_NONE);
        sm_plain(run, 0, 1, "IADD3", i + 1, SM_NONE);
    }
    (void)sm_expect(run, "1:0 1:1 2:0 2:1 3:0 3:1 4:0 4:1 5:1 12:0");
}

/* A load of each sub-core waits in front of the collectors, in them, behind them, and one in the
 * unit's queue: the unit takes one in 4 and the next in 54. Arithmetic of a third sub-core is free
 * of them. */
static void loads_wait_in_their_subcores(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 4);
    run->config.sm.schedulers = 4;
    run->config.sm.subcores = true;
    run->warps = 4;
    run->unit.interval = 50;
    for (int i = 0; i < 4; i++) {
        sm_memory(run, 0, 0, "LDG.E", i + 1, SM_NONE, 0x1000, 4);
        sm_memory(run, 0, 1, "LDG.E", i + 1, SM_NONE, 0x2000, 4);
        sm_plain(run, 0, 2, "FADD", i + 1, SM_NONE);
    }
    sm_build(run);
    gm_statistics statistics = sm_finish(run);
    assert_int_equal(statistics.time.slots_issued, 12);
    for (uint32_t i = 0; i < run->logged; i++) {
        assert_true(run->log[i].slot != 2 || run->log[i].cycle <= 4);
    }
    assert_int_equal(run->unit.requests, 8);
    assert_int_equal(run->unit.lines, 4 * (0x1000 + 0x2000) / 128);
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
}

/* The scheduler of slot 1 issues first in cycle 1. Its store, of two operands in one bank, leaves
 * its collector in 5; slot 0's load, behind it but in the other sub-core, leaves in 3 and is
 * answered in 104. */
static void loads_pass_those_of_other_subcores(void **state)
{
    (void)state;
    sm_run *run = sm_fresh(0, 2);
    run->config.sm.schedulers = 2;
    run->config.sm.subcores = true;
    run->config.sm.register_banks = 1;
    run->warps = 2;
    gm_instruction *store = sm_memory(run, 0, 1, "STG.E", SM_NONE, 1, 0x1000, 4);
    store->sources = 2;
    store->source[1] = GM_REGISTER(GM_REGISTERS_GENERAL, 2);
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x2000, 4);
    sm_plain(run, 0, 0, "FADD", 2, 1);
    (void)sm_expect(run, "1:0 1:1 104:0");
}

static void expect_at(const gm_operand_collector *collector, uint32_t i, unsigned pipe, gm_cycle at)
{
    assert_int_equal(collector->entry[i].pipe, pipe);
    assert_int_equal(collector->entry[i].at, at);
}

/* In a round one of each class; of a class the oldest. */
static void collectors_are_given_in_rounds(void **state)
{
    (void)state;
    static const uint8_t pipes[] = {GM_UNIT_CONTROL, GM_UNIT_FP32, GM_UNIT_INTEGER, GM_UNIT_TENSOR};
    gm_operand_collector collector;
    gm_arena arena;
    gm_error error;
    gm_config config = sm_fresh(0, 3)->config;
    config.sm.schedulers = 2;
    test_ok(gm_arena_create(&arena, gm_operand_collector_bytes(&config), &error), error);
    assert_true(gm_operand_collector_init(&collector, &config, &arena));
    for (unsigned i = 0; i < sizeof pipes; i++) {
        assert_true(gm_operand_collector_takes(&collector, pipes[i], 0));
        const gm_collected instruction = {.pipe = pipes[i], .rounds = i % 2 == 1};
        gm_operand_collector_put(&collector, &instruction);
    }
    assert_false(gm_operand_collector_takes(&collector, GM_UNIT_FP32, 0)); /* 2 registers */
    assert_false(
        gm_operand_collector_takes(&collector, GM_UNIT_FP64, 0)); /* 1, and TENSOR has it */
    assert_true(gm_operand_collector_takes(&collector, GM_UNIT_CONTROL, 0));
    gm_operand_collector_allocate(&collector, 100);
    expect_at(&collector, 0, GM_UNIT_CONTROL, 101); /* third: no operands */
    expect_at(&collector, 1, GM_UNIT_FP32, 102);    /* first */
    expect_at(&collector, 2, GM_UNIT_INTEGER, GM_NEVER);
    expect_at(&collector, 3, GM_UNIT_TENSOR, 102); /* second */
    gm_operand_collector_remove(&collector, 1);
    gm_operand_collector_allocate(&collector, 110);
    expect_at(&collector, 1, GM_UNIT_INTEGER, 111);
    assert_int_equal(collector.partition[0].used, 3);
    gm_arena_free(&arena);
}

static gm_collected *put_and_allocate(gm_operand_collector *collector, unsigned pipe,
                                      uint32_t partition, gm_cycle now)
{
    const gm_collected instruction = {.pipe = (uint8_t)pipe, .partition = (uint8_t)partition};
    gm_operand_collector_put(collector, &instruction);
    gm_operand_collector_allocate(collector, now);
    return &collector->entry[collector->count - 1];
}

/* Sub-cores of two collectors. Of two loads that wait for the register behind, that in the first
 * collector goes, however young: the one in the second waits while the first is refilled. Other
 * classes and other sub-cores do not wait for it. */
static void the_first_collector_goes_first(void **state)
{
    (void)state;
    gm_operand_collector collector;
    gm_arena arena;
    gm_error error;
    gm_config config = sm_fresh(0, 4)->config;
    config.sm.schedulers = 2;
    config.sm.subcores = true;
    config.sm.register_reads = 2; /* without operands, at once */
    test_ok(gm_arena_create(&arena, gm_operand_collector_bytes(&config), &error), error);
    assert_true(gm_operand_collector_init(&collector, &config, &arena));
    gm_collected *first = put_and_allocate(&collector, GM_UNIT_MEMORY, 0, 100);
    gm_collected *second = put_and_allocate(&collector, GM_UNIT_MEMORY, 0, 100);
    gm_operand_collector_dispatch(&collector, 100);
    assert_int_equal(first->behind, 1);
    assert_int_equal(second->behind, 0); /* one register */
    gm_collected *third = put_and_allocate(&collector, GM_UNIT_MEMORY, 0, 101);
    gm_collected *other = put_and_allocate(&collector, GM_UNIT_MEMORY, 1, 101);
    assert_int_equal(third->number, 0);
    gm_operand_collector_remove(&collector, 0); /* the others move up */
    second--;
    third--;
    other--;
    gm_operand_collector_dispatch(&collector, 101);
    assert_int_equal(second->behind, 0);
    assert_int_equal(third->behind, 1);
    assert_int_equal(other->behind, 1);
    gm_collected *add = put_and_allocate(&collector, GM_UNIT_FP32, 0, 102);
    gm_operand_collector_dispatch(&collector, 102);
    assert_int_equal(second->behind, 0);
    assert_int_equal(add->behind, 1);
    gm_operand_collector_remove(&collector, 1); /* the third, which is not refilled */
    gm_operand_collector_dispatch(&collector, 103);
    assert_int_equal(second->behind, 1);
    gm_arena_free(&arena);
}

static uint32_t rounds(const gm_operand_collector *collector, const uint64_t *registers,
                       unsigned destinations, unsigned count)
{
    return gm_operand_collector_reads(collector, 0, 0, registers, destinations, count).count;
}

/* Operands of one bank are read one after the other: registers 1, 5 and 9 of 4 banks are in one;
 * the registers that are written do not count. */
static void operands_of_a_bank_take_turns(void **state)
{
    (void)state;
    const uint64_t registers[GM_TIMED_REGISTER_WORDS] = {
        UINT64_C(1) | UINT64_C(1) << GM_TIMED_REGISTER_BITS |
        UINT64_C(5) << 2 * GM_TIMED_REGISTER_BITS | UINT64_C(9) << 3 * GM_TIMED_REGISTER_BITS |
        UINT64_C(2) << 4 * GM_TIMED_REGISTER_BITS};
    gm_operand_collector banks = {.banks = 4};
    assert_int_equal(rounds(&banks, registers, 1, 5), 3);
    assert_int_equal(rounds(&banks, registers, 3, 5), 1);
    assert_int_equal(rounds(&banks, registers, 1, 1), 0);
    banks.banks = 8;
    assert_int_equal(rounds(&banks, registers, 1, 5), 2); /* 1 and 9 */
    banks.banks = 0;
    assert_int_equal(rounds(&banks, registers, 1, 5), 1);
    static const struct {
        uint32_t rounds, reads, cycles;
    } rows[] = {{0, 1, 1}, {1, 1, 2}, {3, 1, 4}, {0, 2, 0}, {1, 2, 1}, {2, 2, 1}, {3, 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_collected entry[2];
        gm_operand_collector collector = {
            .partitions = 1, .units = 1, .reads = rows[i].reads, .entry = entry};
        const gm_collected instruction = {.pipe = GM_UNIT_FP32, .rounds = (uint8_t)rows[i].rounds};
        gm_operand_collector_put(&collector, &instruction);
        gm_operand_collector_allocate(&collector, 100);
        expect_at(&collector, 0, GM_UNIT_FP32, 100 + rows[i].cycles);
    }
}

/* Two warps, of a scheduler each, issue in 1 and 2 and take collectors in 2 and 3. All four
 * operands are in bank 5: 21 + slot 0, 20 + slot 1. Without queues each is read in the next cycle,
 * so that the second instructions leave in 5 and their results are available 4 later. In the bank's
 * queue the reads are in 3 and 4, 5 and 6: the second instructions leave in 6 and 7. */
static void instructions_take_turns_at_a_bank(void **state)
{
    (void)state;
    for (int queues = 0; queues < 2; queues++) {
        sm_run *run = sm_fresh(0, 4);
        run->config.sm.register_banks = 16;
        run->config.sm.register_queues = queues == 1;
        run->config.sm.schedulers = 2;
        run->config.unit.fp32.latency = 4;
        run->warps = 2;
        for (uint32_t warp = 0; warp < 2; warp++) {
            sm_plain(run, 0, warp, "FADD", 1, 21 - (int)warp);
            sm_plain(run, 0, warp, "FADD", 2, 21 - (int)warp);
            sm_plain(run, 0, warp, "FADD", 3, 2);
        }
        (void)sm_expect(run, queues == 0 ? "1:0 1:1 2:0 2:1 9:0 9:1" : "1:0 1:1 2:0 2:1 10:0 11:1");
    }
}

/* Without sub-cores, with queues. Three loads without operands are in collectors 0 to 2. The
 * dispatch unit that goes first begins behind the collector that it emptied last, at first 0. */
static void dispatch_units_take_collectors_in_turn(void **state)
{
    (void)state;
    static const uint16_t order[] = {1, 2, 0};
    gm_operand_collector collector;
    gm_arena arena;
    gm_error error;
    gm_config config = sm_fresh(0, 3)->config;
    config.sm.register_banks = 4;
    config.sm.register_queues = true;
    test_ok(gm_arena_create(&arena, gm_operand_collector_bytes(&config), &error), error);
    assert_true(gm_operand_collector_init(&collector, &config, &arena));
    for (int i = 0; i < 3; i++) {
        (void)put_and_allocate(&collector, GM_UNIT_MEMORY, 0, 100);
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        gm_operand_collector_step(&collector, 101 + i);
        uint32_t behind = 0;
        while (collector.entry[behind].behind == 0) {
            behind++;
        }
        assert_int_equal(collector.entry[behind].number, order[i]);
        gm_operand_collector_remove(&collector, behind);
        (void)put_and_allocate(&collector, GM_UNIT_MEMORY, 0, 101 + i); /* in the same collector */
    }
    gm_arena_free(&arena);
}

/* Returns the cycle in which the last instruction issues: it waits for one whose operand a single
 * register bank reads in cycle 4, unless it is written then. A load of another warp, given to the
 * load/store unit in 3 and taken in 4, is answered `latency` later. */
static gm_cycle last_issue(gm_cycle latency, bool hits)
{
    sm_run *run = sm_fresh(0, 4);
    run->config.sm.register_banks = 1;
    run->config.sm.register_queues = true;
    run->unit.latency = latency;
    run->unit.hits = hits;
    run->warps = 2;
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4);
    sm_plain(run, 0, 1, "FADD", 3, 2);
    sm_plain(run, 0, 1, "FADD", 4, 3);
    sm_build(run);
    (void)sm_finish(run);
    gm_cycle last = run->log[run->logged - 1].cycle;
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
    return last;
}

/* Data that come from the L2 are written to a register bank, which reads nothing in that cycle;
 * those of a hit of the L1 are not. */
static void hits_write_no_bank(void **state)
{
    (void)state;
    for (gm_cycle latency = 0; latency < 3; latency++) {
        assert_int_equal(last_issue(latency, true), 9);
        assert_int_equal(last_issue(latency, false), latency == 0 ? 10 : 9);
    }
}

/* A pool of more units than schedulers has registers of its own, as many, unless the units are of
 * arithmetic. */
static void pools_have_registers(void **state)
{
    (void)state;
    gm_config config;
    gm_arena arena = {0};
    gm_error error = {0};
    gm_operand_collector collector;
    gm_config_defaults(&config);
    config.sm.collectors = 8;
    config.sm.register_banks = 4;
    config.sm.register_queues = true;
    config.unit.tensor.units = 3;
    config.unit.texture.units = 4;
    config.unit.uniform.units = 5;
    config.unit.special.units = 6;
    test_ok(gm_arena_create(&arena, gm_operand_collector_bytes(&config), &error), error);
    assert_true(gm_operand_collector_init(&collector, &config, &arena));
    assert_int_equal(collector.places[collector.class[GM_UNIT_TENSOR]], 3);
    assert_int_equal(collector.places_behind[collector.class[GM_UNIT_TENSOR]], 3);
    assert_int_equal(collector.places[collector.class[GM_UNIT_TEXTURE]], 4);
    assert_int_equal(collector.places[collector.class[GM_UNIT_UNIFORM]], 5);
    assert_int_equal(collector.places[collector.class[GM_UNIT_SPECIAL]], 1);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_pass_a_collector),
        cmocka_unit_test(loads_keep_collectors_from_arithmetic),
        cmocka_unit_test(a_load_waits_for_the_register),
        cmocka_unit_test(subcores_have_collectors_of_their_own),
        cmocka_unit_test(loads_wait_in_their_subcores),
        cmocka_unit_test(loads_pass_those_of_other_subcores),
        cmocka_unit_test(collectors_are_given_in_rounds),
        cmocka_unit_test(the_first_collector_goes_first),
        cmocka_unit_test(operands_of_a_bank_take_turns),
        cmocka_unit_test(instructions_take_turns_at_a_bank),
        cmocka_unit_test(dispatch_units_take_collectors_in_turn),
        cmocka_unit_test(hits_write_no_bank),
        cmocka_unit_test(pools_have_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
