/* SM front end of the cycle engine: when each instruction issues, worked out by hand. A schedule is
 * "cycle:slot ..."; a CTA admitted in cycle 0 issues from cycle 1 on. Units as gtx480: integer,
 * fp32 and control 4 cycles, special 20 and one each 8 cycles; loads as the test's unit: taken one
 * cycle after issue, answered 100 cycles later. */
#include "support/cycle/sm/sm_run.h"

static sm_run *fresh(void)
{
    static sm_run run;
    sm_make(&run);
    return &run;
}

static void registers_are_waited_for(void **state)
{
    (void)state;
    sm_run *run = fresh();
    sm_plain(run, 0, 0, "FADD", 1, SM_NONE);   /* 1 */
    sm_plain(run, 0, 0, "IADD3", 2, 1);        /* RAW: 1 + 4 */
    sm_plain(run, 0, 0, "MUFU", 3, SM_NONE);   /* 6 */
    sm_plain(run, 0, 0, "FADD", 3, SM_NONE);   /* WAW: 6 + 20 */
    sm_plain(run, 0, 0, "FADD", 255, 8);       /* 27 */
    sm_plain(run, 0, 0, "IADD3", 8, 255);      /* no WAR, and R255 is a constant: 28 */
    sm_plain(run, 0, 0, "DADD", 9, SM_NONE);   /* 29 */
    sm_plain(run, 0, 0, "HMMA", 10, 9);        /* 29 + 8 */
    sm_plain(run, 0, 0, "S2R", 11, 10);        /* 37 + 32 */
    sm_plain(run, 0, 0, "LDC", 12, 11);        /* reaches no memory; 69 + 4 */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, 12); /* an issue slot only: 74 */
    gm_statistics statistics =
        sm_expect(run, "1:0 5:0 6:0 26:0 27:0 28:0 29:0 37:0 69:0 73:0 74:0");
    assert_int_equal(statistics.time.slots_issued, 11);
    assert_int_equal(statistics.time.slots_idle, 1 + 0); /* cycle 0 */
    assert_int_equal(statistics.time.slots_dependence, 3 + 19 + 7 + 31 + 3);
}

/* More registers than a word of a record holds; the last is the one that is waited for, and the
 * next record is found behind them. */
static void many_registers_are_waited_for(void **state)
{
    (void)state;
    sm_run *run = fresh();
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE); /* 1 */
    gm_instruction *many = sm_plain(run, 0, 0, "IADD3", 2, 1);
    many->destinations = GM_DESTINATIONS; /* R2 to R5 */
    many->sources = GM_SOURCES;           /* R10 to R16, R1 */
    for (int i = 0; i < GM_DESTINATIONS; i++) {
        many->destination[i] = GM_REGISTER(GM_REGISTERS_GENERAL, 2 + i);
    }
    for (int i = 0; i < GM_SOURCES; i++) {
        many->source[i] = GM_REGISTER(GM_REGISTERS_GENERAL, i == GM_SOURCES - 1 ? 1 : 10 + i);
    }
    sm_plain(run, 0, 0, "MUFU", 6, 5);       /* 5 + 4 */
    sm_plain(run, 0, 0, "FADD", 7, 6);       /* 9 + 20 */
    sm_plain(run, 0, 0, "FADD", 8, SM_NONE); /* 30 */
    sm_expect(run, "1:0 5:0 9:0 29:0 30:0");
}

static void loads_are_waited_for(void **state)
{
    (void)state;
    sm_run *run = fresh();
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4); /* 1, taken 2, there 102 */
    sm_plain(run, 0, 0, "FADD", 2, SM_NONE);              /* 2 */
    sm_plain(run, 0, 0, "FADD", 3, 1);                    /* 102 */
    sm_memory(run, 0, 0, "ATOMG", 4, SM_NONE, 0x2000, 4); /* 103, there 204 */
    sm_plain(run, 0, 0, "FADD", 4, SM_NONE);              /* WAW: 204 */
    sm_memory(run, 0, 0, "STG", 5, 4, 0x1000, 4);         /* 208; its "result" is nothing */
    sm_plain(run, 0, 0, "FADD", SM_NONE, 5);              /* 209 */
    gm_statistics statistics = sm_expect(run, "1:0 2:0 102:0 103:0 204:0 208:0 209:0");
    assert_int_equal(statistics.time.slots_memory, 99 + 100);
    assert_int_equal(statistics.time.slots_dependence, 3);
    assert_int_equal(statistics.time.slots_fence, 309 - 210); /* the store: 209 + 100 */
    assert_int_equal(run->ended[0], 309);
    assert_int_equal(run->unit.requests, 3);
    assert_int_equal(run->unit.lines, 0x1000 / 128 * 2 + 0x2000 / 128);
}

/* Special functions of both schedulers go to one pipe, every 8 cycles; scheduler t mod 2 is first
 * in cycle t. Each scheduler has an integer pipe of its own. */
static void units_have_intervals(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.schedulers = 2;
    run->warps = 2;
    for (uint32_t warp = 0; warp < 2; warp++) {
        sm_plain(run, 0, warp, "MUFU", 1, SM_NONE);
        sm_plain(run, 0, warp, "MUFU", 2, SM_NONE);
    }
    gm_statistics statistics = sm_expect(run, "1:1 9:1 17:0 25:0");
    assert_int_equal(statistics.time.slots_issued, 4);
    assert_int_equal(statistics.time.slots_unit, 16 + 7 + 7);
    assert_int_equal(statistics.time.slots_idle, 1 + 1 + 16); /* of 26 cycles */
    run = fresh();
    run->config.sm.schedulers = 2;
    run->config.unit.integer.interval = 2;
    run->warps = 2;
    for (uint32_t warp = 0; warp < 2; warp++) {
        sm_plain(run, 0, warp, "IADD3", 1, SM_NONE);
        sm_plain(run, 0, warp, "IADD3", 2, SM_NONE);
        sm_plain(run, 0, warp, "FADD", 3, SM_NONE);
    }
    sm_expect(run, "1:0 1:1 3:0 3:1 4:0 4:1");
}

/* Special functions with a unit of each scheduler, and three units for four schedulers: those of
 * slots 0 and 3 have number 0. */
static void units_of_schedulers(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.schedulers = 4;
    run->config.unit.special.units = GM_EACH;
    run->warps = 4;
    for (uint32_t warp = 0; warp < 4; warp++) {
        sm_plain(run, 0, warp, "MUFU", 1, SM_NONE);
    }
    (void)sm_expect(run, "1:0 1:1 1:2 1:3");
    run = fresh();
    run->config.sm.schedulers = 4;
    run->config.unit.special.units = 3;
    run->warps = 4;
    for (uint32_t warp = 0; warp < 4; warp++) {
        sm_plain(run, 0, warp, "MUFU", 1, SM_NONE);
    }
    (void)sm_expect(run, "1:1 1:2 1:3 9:0"); /* scheduler 1 is first in cycle 1, 0 the last */
}

/* One place in front of the coalescer, which takes an access every 10 cycles. */
static void memory_instructions_need_room(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->unit.interval = 10;
    for (int i = 0; i < 3; i++) {
        sm_memory(run, 0, 0, "LDG.E", i, SM_NONE, 0x1000, 4); /* taken in 2, 12, 22 */
    }
    gm_statistics statistics = sm_expect(run, "1:0 2:0 12:0");
    assert_int_equal(statistics.time.slots_memory_unit, 9);
    assert_int_equal(statistics.time.slots_fence, 122 - 13); /* ended, not yet answered */
    assert_int_equal(statistics.time.slots_idle, 2);         /* cycles 0 and 122 */
    assert_int_equal(run->ended[0], 122);
}

static void barriers_hold(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->warps = 2;
    sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, SM_NONE); /* 1 */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);    /* 12: warp 1 is the greedy one */
    sm_plain(run, 0, 1, "IADD3", 1, SM_NONE);          /* 2 */
    sm_plain(run, 0, 1, "IADD3", 2, 1);                /* 6 */
    sm_plain(run, 0, 1, "BAR.SYNC", SM_NONE, SM_NONE); /* 7: opens for 7 + 4 */
    sm_plain(run, 0, 1, "IADD3", SM_NONE, SM_NONE);    /* 11 */
    gm_statistics statistics = sm_expect(run, "1:0 2:1 6:1 7:1 11:1 12:0");
    assert_int_equal(statistics.time.slots_barrier, 0); /* warp 1 waits for results all the time */
    assert_int_equal(statistics.core.barriers, 2);
    run = fresh();
    run->warps = 2; /* the second one ends without having been there, the barrier is then open */
    sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_plain(run, 0, 1, "IADD3", SM_NONE, SM_NONE);
    sm_expect(run, "1:0 2:1 6:0");
    run = fresh();
    run->warps = 2; /* no lane: holds nobody */
    sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, SM_NONE)->mask = 0;
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_plain(run, 0, 1, "MUFU", 1, SM_NONE);
    sm_plain(run, 0, 1, "MUFU", 2, 1);
    sm_expect(run, "1:0 2:0 3:1 23:1");
    run = fresh();
    run->warps = 2;
    run->config.sm.schedulers = 2; /* the other scheduler's warp waits meanwhile */
    sm_plain(run, 0, 0, "BAR.SYNC", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_plain(run, 0, 1, "MUFU", 1, SM_NONE);
    sm_plain(run, 0, 1, "BAR.SYNC", SM_NONE, 1);
    statistics = sm_expect(run, "1:0 1:1 21:1 25:0"); /* warp 1 ends with its barrier */
    assert_int_equal(statistics.time.slots_barrier, 21 - 2);
}

/* A barrier does not wait for another CTA's warps, nor let them go. */
static void barriers_are_of_a_cta(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->ctas = 2;
    for (uint32_t cta = 0; cta < 2; cta++) {
        sm_plain(run, cta, 0, cta == 0 ? "BAR.SYNC" : "MUFU", 1, SM_NONE);
        sm_plain(run, cta, 0, "BAR.SYNC", 2, 1);
        sm_plain(run, cta, 0, "IADD3", SM_NONE, SM_NONE);
    }
    sm_expect(run, "1:0 2:1 5:0 9:0 22:1 26:1");
    run = fresh(); /* CTA 1's barrier, in 4, does not let CTA 0's warp go */
    run->ctas = 2;
    run->warps = 2;
    for (uint32_t cta = 0; cta < 2; cta++) {
        sm_plain(run, cta, 0, "BAR.SYNC", SM_NONE, SM_NONE);
        sm_plain(run, cta, 0, "IADD3", SM_NONE, SM_NONE);
    }
    sm_plain(run, 0, 1, "MUFU", 1, SM_NONE);
    sm_plain(run, 0, 1, "BAR.SYNC", SM_NONE, 1); /* 2 + 20, and ends */
    sm_plain(run, 1, 1, "BAR.SYNC", SM_NONE, SM_NONE);
    sm_plain(run, 1, 1, "IADD3", SM_NONE, SM_NONE);
    sm_expect(run, "1:0 2:1 3:2 4:3 8:3 9:2 22:1 26:0");
}

static void fences_wait_for_accesses(void **state)
{
    (void)state;
    sm_run *run = fresh();
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4); /* 1: answered 102 */
    sm_memory(run, 0, 0, "STG.E", SM_NONE, 9, 0x1000, 4); /* 2: taken 3, 103 */
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE); /* nothing to wait for */
    gm_statistics statistics = sm_expect(run, "1:0 2:0 103:0 104:0 105:0");
    assert_int_equal(statistics.time.slots_fence, 100);
    assert_int_equal(statistics.core.fences, 2);
}

/* sm.fence=registers: a fence issues at once, and what is behind it waits for loads and arithmetic
 * in front of it, not for a store. */
static void fences_wait_for_registers(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.fence = GM_FENCE_REGISTERS;
    run->config.l1.fence_drops = true;
    sm_memory(run, 0, 0, "STG.E", SM_NONE, 9, 0x1000, 4);   /* 1: answered 102 */
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE); /* 2 */
    sm_plain(run, 0, 0, "MUFU", 20, SM_NONE);               /* 3: there 23 */
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE);               /* 4: there 8 */
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE); /* 5 */
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4);   /* 23: there 124 */
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    gm_statistics statistics = sm_expect(run, "1:0 2:0 3:0 4:0 5:0 23:0 24:0 124:0");
    assert_int_equal(statistics.time.slots_fence, 99);
    assert_int_equal(statistics.time.slots_dependence, 17);
    assert_int_equal(run->unit.drops, 3); /* l1.fence_drops: when what is behind a fence issues */
}

/* sm.fence=registers: a fence is a memory instruction without a request. It waits for room in the
 * unit, which here takes an instruction in ten cycles from a queue of one. */
static void fences_pass_the_unit(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.fence = GM_FENCE_REGISTERS;
    run->unit.interval = 10;
    for (int i = 0; i < 2; i++) {
        sm_memory(run, 0, 0, "STG.E", SM_NONE, 9, 0x1000, 4); /* 1: taken 2; 2: taken 12 */
    }
    sm_plain(run, 0, 0, "MEMBAR.SC.GPU", SM_NONE, SM_NONE); /* 12: taken 22 */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_memory(run, 0, 0, "STG.E", SM_NONE, 9, 0x1000, 4);
    sm_expect(run, "1:0 2:0 12:0 13:0 22:0");
    assert_int_equal(run->unit.taken, 4);
    assert_int_equal(run->unit.requests, 3);
}

/* sm.opcode_units=accel_sim: memory instructions without active lanes pass the unit as well,
 * without a request; their registers are there when it answers. */
static void idle_accesses_pass_the_unit(void **state)
{
    (void)state;
    for (unsigned accel = 0; accel < 2; accel++) {
        sm_run *run = fresh();
        run->config.sm.opcode_units = accel ? GM_OPCODE_UNITS_ACCEL_SIM : GM_OPCODE_UNITS_OWN;
        static const char *const opcodes[] = {"LDG.E", "STG.E", "RED.E", "LDS"};
        for (unsigned i = 0; i < 4; i++) {
            sm_memory(run, 0, 0, opcodes[i], i == 0 ? 1 : SM_NONE, 9, 0x1000, 4)->mask = 0;
            run->program[0][0].instruction[i].addresses = 0;
        }
        sm_plain(run, 0, 0, "IADD3", 2, 1); /* of the load's register */
        gm_statistics statistics =
            sm_expect(run, accel ? "1:0 2:0 3:0 4:0 102:0" : "1:0 2:0 3:0 4:0 5:0");
        assert_int_equal(run->unit.taken, accel ? 4 : 0);
        assert_int_equal(run->unit.requests, 0);
        assert_int_equal(run->unit.passes, accel ? 1 : 0); /* of the load from shared memory */
        assert_int_equal(statistics.core.warp_instructions, 5);
    }
}

/* Returns the cycle in which an instruction issues that waits for a load of `latency`, beside an
 * instruction that writes register `other`. */
static gm_cycle issue_behind(bool port, gm_cycle latency, int other)
{
    sm_run *run = fresh();
    run->config.sm.collectors = 8;
    run->config.sm.register_banks = 2;
    run->config.sm.register_queues = true;
    run->unit.unit.port.enabled = port;
    run->unit.latency = latency;
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4);
    sm_plain(run, 0, 0, "IADD3", other, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", SM_NONE, 1);
    sm_build(run);
    sm_finish(run);
    gm_cycle cycle = run->log[2].cycle;
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
    return cycle;
}

/* With a write port a memory instruction passes the register behind the collectors in a cycle of
 * its own; its data are written behind a result for the same bank of registers, and not behind one
 * for the other bank. */
static void a_write_port_waits_for_banks(void **state)
{
    (void)state;
    enum { BEHIND = 4, WRITTEN = 2 }; /* the IADD3 writes when a load of WRITTEN would */
    for (gm_cycle latency = 1; latency < 40; latency++) {
        gm_cycle cycle = latency + BEHIND;
        assert_int_equal(issue_behind(false, latency, 3), cycle);
        assert_int_equal(issue_behind(true, latency, 4), cycle + 2);
        assert_int_equal(issue_behind(true, latency, 3), cycle + 2 + (latency == WRITTEN));
    }
}

/* sm.atomic_wait: nothing issues before an atomic or a reduction is answered; loads and stores are
 * not waited for, nor does an earlier answer end the wait. */
static void atomics_hold_their_warp(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.atomic_wait = true;
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4);       /* 1: there 102 */
    sm_plain(run, 0, 0, "IADD3", 2, SM_NONE);                   /* 2 */
    sm_memory(run, 0, 0, "RED.E.ADD", SM_NONE, 9, 0x1000, 4);   /* 3: 104 */
    sm_plain(run, 0, 0, "IADD3", 2, SM_NONE);                   /* 104 */
    sm_memory(run, 0, 0, "ATOMG.E.ADD", 3, SM_NONE, 0x1000, 4); /* 105: 206 */
    sm_plain(run, 0, 0, "BRA", SM_NONE, SM_NONE);               /* 206 */
    sm_memory(run, 0, 0, "STG.E", SM_NONE, 9, 0x1000, 4);       /* 210 */
    sm_plain(run, 0, 0, "IADD3", 2, SM_NONE);                   /* 211 */
    gm_statistics statistics = sm_expect(run, "1:0 2:0 3:0 104:0 105:0 206:0 210:0 211:0");
    assert_int_equal(statistics.time.slots_memory, 100 + 100);
}

/* memory.local_map=ctas: 8 warp slots hold 4 CTAs of 2 warps, 3 SMs 24 warps, whose word 2 lies
 * side by side: warp w of CTA c of SM 0 at 2 * 3 * c + w. */
static void local_memory_by_ctas(void **state)
{
    (void)state;
    static gm_line_request kept[8];
    sm_run *run = fresh();
    run->config.memory.local_map = GM_LOCAL_CTAS;
    run->config.gpu.sms = 3;
    run->ctas = 4;
    run->warps = 2;
    run->unit.kept = kept;
    for (uint32_t i = 0; i < 8; i++) {
        sm_memory(run, i / 2, i % 2, "STL", SM_NONE, 9, 8, 0);
    }
    (void)sm_expect(run, "1:0 2:1 3:2 4:3 5:4 6:5 7:6 8:7");
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(kept[i].line - GM_LOCAL_REGION / 128, 2 * 24 + 2 * 3 * (i / 2) + i % 2);
    }
}

static void groups_finish_in_order(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->unit.interval = 10;
    sm_memory(run, 0, 0, "LDGSTS.E", SM_NONE, SM_NONE, 0x1000, 4); /* 1: taken 2, 102 */
    sm_plain(run, 0, 0, "LDGDEPBAR", SM_NONE, SM_NONE);
    sm_memory(run, 0, 0, "LDGSTS.E", SM_NONE, SM_NONE, 0x2000, 4); /* 3: taken 12, 112 */
    sm_plain(run, 0, 0, "LDGDEPBAR", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE)->immediate = 1; /* 102 */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);                    /* 103 */
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE);                /* 112 */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    gm_statistics statistics = sm_expect(run, "1:0 2:0 3:0 4:0 102:0 103:0 112:0 113:0");
    assert_int_equal(statistics.time.slots_memory, 97 + 8);
    run = fresh(); /* accesses answered in 102, 12 + 100 + 919, 22 + 100 + 838 */
    run->unit.interval = 10;
    run->unit.spread = 999;
    for (int i = 0; i < 3; i++) { /* issued in 1 and 2, 3 and 4, 12 and 13 */
        sm_memory(run, 0, 0, "LDGSTS.E", SM_NONE, SM_NONE, 0x1000, 4);
        sm_plain(run, 0, 0, "LDGDEPBAR", SM_NONE, SM_NONE);
    }
    sm_plain(run, 0, 0, "LDGDEPBAR", SM_NONE, SM_NONE); /* 14: an empty group, behind the others */
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE)->immediate = 3;
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE)->immediate = 2;
    sm_expect(run, "1:0 2:0 3:0 4:0 12:0 13:0 14:0 102:0 1031:0");
}

/* More groups than are told apart: the wait for the last 63 ends with the answer to the third of
 * 66, and no sooner. */
static void many_groups(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->unit.unit.queue.capacity = 64;
    run->unit.latency = 1000;
    enum { GROUPS = 66 };
    for (int i = 0; i < GROUPS; i++) { /* issued in 1 + 2 i, taken one later, answered 1002 + 2 i */
        sm_memory(run, 0, 0, "LDGSTS.E", SM_NONE, SM_NONE, 0x1000, 4);
        sm_plain(run, 0, 0, "LDGDEPBAR", SM_NONE, SM_NONE);
    }
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE)->immediate = GROUPS - 3;
    sm_plain(run, 0, 0, "DEPBAR.LE", SM_NONE, SM_NONE)->immediate = 1;
    sm_build(run);
    sm_finish(run);
    assert_int_equal(run->log[run->logged - 2].cycle, 1002 + 2 * 2);
    assert_int_equal(run->log[run->logged - 1].cycle, 1002 + 2 * (GROUPS - 2));
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
}

static void control_flow_is_waited_for(void **state)
{
    (void)state;
    sm_run *run = fresh();
    sm_plain(run, 0, 0, "BRA", SM_NONE, SM_NONE);
    sm_plain(run, 0, 0, "EXIT", SM_NONE, SM_NONE)->mask = 1; /* some lanes */
    sm_plain(run, 0, 0, "IADD3", SM_NONE, SM_NONE);
    sm_memory(run, 0, 0, "STG.E", SM_NONE, SM_NONE, 0x1000, 4);
    sm_plain(run, 0, 0, "EXIT", SM_NONE, SM_NONE);
    sm_expect(run, "1:0 5:0 9:0 10:0 11:0");
    assert_int_equal(run->ended[0], 111); /* the store: taken 11 */
}

static void nothing_issues_before_launch(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.launch = 700; /* longer than the wheel */
    sm_plain(run, 0, 0, "IADD3", 1, SM_NONE);
    sm_plain(run, 0, 0, "IADD3", 2, 1);
    gm_statistics statistics = sm_expect(run, "700:0 704:0");
    assert_int_equal(statistics.time.slots_idle, 700);
    assert_int_equal(statistics.time.slots_dependence, 3);
}

/* Line requests and passes reach the load/store unit as the intake has found them. */
static void accesses_are_whole(void **state)
{
    (void)state;
    static uint64_t far[GM_ADDRESSES];
    uint64_t lines = 0;
    for (uint64_t i = 0; i < GM_ADDRESSES; i++) {
        far[i] = (i * 37 % 256) << 34;
        lines += far[i] / 128;
    }
    sm_run *run = fresh();
    run->warps = 2;
    gm_instruction *wide = sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0, 0);
    wide->form = GM_ADDRESS_LIST; /* 256 lines, in two records */
    wide->address = far;
    wide->addresses = GM_ADDRESSES;
    sm_memory(run, 0, 0, "LDS", 2, SM_NONE, 0, 128);       /* 32 words of one bank */
    sm_memory(run, 0, 0, "STG.E", SM_NONE, 2, 0x4000, 64); /* 16 near lines */
    sm_memory(run, 0, 0, "LDL", 3, SM_NONE, 0, 0);         /* word 0 of slot 0's threads */
    sm_memory(run, 0, 1, "LDL", 3, SM_NONE, 4, 0);         /* word 1 of slot 1's */
    sm_build(run);
    sm_finish(run);
    for (uint64_t i = 0; i < 16; i++) {
        lines += 0x4000 / 128 + i;
    }
    lines += 2 * (GM_LOCAL_REGION / 128) + 0 + (8 + 1); /* 8 warp slots */
    assert_int_equal(run->unit.passes, 32);
    assert_int_equal(run->unit.requests, 256 + 16 + 2);
    assert_int_equal(run->unit.lines, lines);
    /* Sectors: 0 of each far line, 0 and 2 of each near one, all four of local ones. */
    assert_int_equal(run->unit.sectors, 256 * 1 + 16 * 5 + 2 * 15);
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
}

static void a_cta_without_instructions_ends_at_once(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->ctas = 2;
    run->together = 1;
    sm_plain(run, 1, 0, "IADD3", 1, SM_NONE);
    gm_statistics statistics = sm_expect(run, "1:0");
    assert_int_equal(statistics.core.ctas, 2);
    assert_int_equal(statistics.core.warps, 2);
}

/* A load issues each cycle until all tickets are taken; the first is answered 5000 cycles after it
 * was taken, in 2, and then one each cycle. */
static void tickets_run_out(void **state)
{
    (void)state;
    enum { WARPS = 16, LOADS = 140 };
    sm_run *run = fresh();
    run->config.sm.warps = WARPS;
    run->ctas = 2;
    run->warps = WARPS / 2;
    run->unit.latency = 5000;
    for (uint32_t i = 0; i < WARPS * LOADS; i++) {
        sm_memory(run, i % 2, i / 2 % (WARPS / 2), "LDG.E", SM_NONE, SM_NONE, 0x1000, 4);
    }
    sm_build(run);
    gm_statistics statistics = sm_finish(run);
    assert_int_equal(run->logged, WARPS * LOADS);
    for (uint32_t i = 0; i < WARPS * LOADS; i++) {
        assert_int_equal(run->log[i].cycle, i < GM_TICKETS ? i + 1 : i - GM_TICKETS + 5002);
    }
    assert_int_equal(statistics.time.slots_memory_unit, 5002 - (GM_TICKETS + 1));
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
}

/* One CTA at a time: the second's warp takes the slot of the first's, whose last result is not
 * there yet, and does not wait for it. */
static void a_slots_next_warp_waits_for_no_other(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->ctas = 2;
    run->together = 1;
    sm_plain(run, 0, 0, "FADD", 200, SM_NONE); /* 1 */
    sm_plain(run, 0, 0, "HMMA", 3, SM_NONE);   /* 2, there 2 + 32 */
    sm_plain(run, 1, 0, "FADD", 4, 3);         /* admitted in 2 */
    sm_plain(run, 1, 0, "FADD", 5, 200);
    sm_expect(run, "1:0 2:0 3:0 4:0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_waited_for),
        cmocka_unit_test(many_registers_are_waited_for),
        cmocka_unit_test(loads_are_waited_for),
        cmocka_unit_test(units_have_intervals),
        cmocka_unit_test(units_of_schedulers),
        cmocka_unit_test(memory_instructions_need_room),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(barriers_are_of_a_cta),
        cmocka_unit_test(fences_wait_for_accesses),
        cmocka_unit_test(fences_wait_for_registers),
        cmocka_unit_test(fences_pass_the_unit),
        cmocka_unit_test(idle_accesses_pass_the_unit),
        cmocka_unit_test(a_write_port_waits_for_banks),
        cmocka_unit_test(atomics_hold_their_warp),
        cmocka_unit_test(local_memory_by_ctas),
        cmocka_unit_test(groups_finish_in_order),
        cmocka_unit_test(many_groups),
        cmocka_unit_test(control_flow_is_waited_for),
        cmocka_unit_test(nothing_issues_before_launch),
        cmocka_unit_test(accesses_are_whole),
        cmocka_unit_test(a_cta_without_instructions_ends_at_once),
        cmocka_unit_test(tickets_run_out),
        cmocka_unit_test(a_slots_next_warp_waits_for_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
