/* Instruction cache of an SM (cycle/sm/l1i.h): when each instruction issues, worked out by hand,
 * and beside a second implementation. A CTA admitted in cycle 0 is fetched for from cycle 1 on; a
 * hit in cycle t can issue in t + 2; the answer to a miss in cycle t comes in t + 1 +
 * `line_latency` and serves its first warp in that cycle. */
#include "cycle/sm/l1i.h"
#include "support/cycle/sm/sm_run.h"

enum { ANSWER = 10, LINE = 128 };

/* Two lines of 128 bytes, fully associative; 2 instructions a fetch. */
static sm_run *fresh(void)
{
    static sm_run run;
    sm_make(&run);
    run.config.sm.fetch = 2;
    run.config.l1i.size = 256;
    run.config.l1i.ways = GM_FULL;
    run.config.l1i.line = LINE;
    run.config.l1i.mshrs = 2;
    run.config.l1i.merges = 8;
    run.unit.line_latency = ANSWER;
    return &run;
}

/* An instruction without registers at `pc`. */
static void at(sm_run *run, uint32_t warp, uint64_t pc)
{
    sm_plain(run, 0, warp, "IADD3", SM_NONE, SM_NONE)->pc = pc;
}

static void expect_counts(const gm_statistics *statistics, uint64_t hits, uint64_t pending,
                          uint64_t misses, uint64_t fails, uint64_t evictions)
{
    const gm_l1i_statistics *l1i = &statistics->l1i;
    assert_int_equal(l1i->hits, hits);
    assert_int_equal(l1i->hits_pending, pending);
    assert_int_equal(l1i->misses, misses);
    assert_int_equal(l1i->fails, fails);
    assert_int_equal(l1i->evictions, evictions);
    assert_int_equal(l1i->accesses, hits + pending + misses + fails);
    assert_int_equal(l1i->sectors_filled, misses * (LINE / 32));
}

/* Miss in 1, there in 12, issued in 14 and 15. The third instruction's fetch in 15 hits: 17. */
static void a_cold_miss_takes_its_time(void **state)
{
    (void)state;
    sm_run *run = fresh();
    at(run, 0, 0);
    at(run, 0, 16);
    at(run, 0, 32);
    gm_statistics statistics = sm_expect(run, "14:0 15:0 17:0");
    expect_counts(&statistics, 1, 0, 1, 0, 0);
    assert_int_equal(statistics.l1i.fill_cycles, 11);
    assert_int_equal(statistics.time.slots_fetch, 11);     /* cycles 1 to 11 */
    assert_int_equal(statistics.time.slots_dependence, 3); /* 12, 13 and 16 */
    assert_int_equal(run->unit.fetched_sectors, 4);
}

/* l1i.fetch=behind: the second instruction is of another line, and comes with the first. Behind it
 * lies its line: the third instruction's fetch in 15 misses and comes in 28. The fifth lies in a
 * line that nobody asks for: behind the fourth is line 1, which is there. */
static void a_fetch_of_what_lies_behind(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.l1i.fetch = GM_L1I_FETCH_BEHIND;
    at(run, 0, 0);
    at(run, 0, LINE);
    at(run, 0, 16);
    at(run, 0, LINE + 32);
    at(run, 0, 8 * LINE);
    gm_statistics statistics = sm_expect(run, "14:0 15:0 28:0 29:0 31:0");
    expect_counts(&statistics, 1, 0, 2, 0, 0);
}

/* l1i.shared_code: instructions of two kernels at one offset lie in one line. */
static void kernels_share_code(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        sm_run *run = fresh();
        run->config.l1i.shared_code = shared == 1;
        sm_build(run);
        gm_l1i *l1i = run->sm.l1i;
        (void)gm_l1i_moves(l1i, 0, GM_CODE_REGIONS | 5 << GM_CODE_BITS | 0x100, true);
        (void)gm_l1i_moves(l1i, 1, GM_CODE_REGIONS | 9 << GM_CODE_BITS | 0x104, true);
        assert_true((l1i->next[0] == l1i->next[1]) == (shared == 1));
        if (shared == 1) {
            assert_int_equal(l1i->next[0] << 7, 0xf0000100); /* there */
        } else {
            assert_true(l1i->next[0] << 7 >= GM_CODE_REGIONS);
        }
        sm_free(run);
    }
}

/* Slot 0 misses in 1, slot 1 joins in 2; the line serves slot 0 in 12 and slot 1 in 13. */
static void two_warps_merge(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->warps = 2;
    at(run, 0, 0);
    at(run, 1, 64);
    gm_statistics statistics = sm_expect(run, "14:0 15:1");
    expect_counts(&statistics, 0, 1, 1, 0, 0);
    assert_int_equal(statistics.time.slots_fetch, 12); /* 1 to 12: slot 1 waits in 12 */
    assert_int_equal(run->unit.fetched, 1);
}

/* With one warp an entry slot 1 is refused in 2. Served in 12, slot 0 frees the entry; slot 1 has
 * its turn in 13 and hits: 15. */
static void a_full_entry_refuses(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->warps = 2;
    run->config.l1i.merges = 1;
    at(run, 0, 0);
    at(run, 1, 0);
    gm_statistics statistics = sm_expect(run, "14:0 15:1");
    expect_counts(&statistics, 1, 0, 1, 1, 0);
    assert_int_equal(statistics.time.slots_fetch, 11); /* 1 to 11: slot 1 is in turn again in 12 */
}

/* One entry: slot 1's line is asked for in 13, there in 24, issued in 26. */
static void a_missing_entry_refuses(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->warps = 2;
    run->config.l1i.mshrs = 1;
    at(run, 0, 0);
    at(run, 1, LINE);
    gm_statistics statistics = sm_expect(run, "14:0 26:1");
    expect_counts(&statistics, 0, 0, 2, 1, 0);
}

/* A line of the cache: the second line drops the first, which is missed again. Misses in 1, 14 and
 * 27. */
static void capacity_evicts(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.l1i.size = LINE;
    at(run, 0, 0);
    at(run, 0, LINE);
    at(run, 0, 0);
    gm_statistics statistics = sm_expect(run, "14:0 27:0 40:0");
    expect_counts(&statistics, 0, 0, 3, 0, 2);
}

/* Two sets of one way: lines 0 and 2 are of set 0, line 1 of set 1 and is kept. */
static void sets_are_the_lowest_bits(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.l1i.ways = 1;
    at(run, 0, 0);
    at(run, 0, LINE);
    at(run, 0, 2 * (uint64_t)LINE);
    at(run, 0, LINE); /* hit in 40: 42 */
    at(run, 0, 0);
    gm_statistics statistics = sm_expect(run, "14:0 27:0 40:0 42:0 55:0");
    expect_counts(&statistics, 1, 0, 4, 0, 2);
}

/* A loop of `lines` lines, `times` times, an instruction of each line. */
static gm_statistics loop(uint32_t lines, uint32_t times, gm_cycle *end)
{
    sm_run *run = fresh();
    for (uint32_t i = 0; i < lines * times; i++) {
        at(run, 0, (uint64_t)(i % lines) * LINE);
    }
    sm_build(run);
    gm_statistics statistics = sm_finish(run);
    *end = run->now;
    sm_free(run);
    gm_opcode_table_free(&run->source.opcodes);
    return statistics;
}

/* LRU: a loop of two lines misses each once (13 cycles), and then hits (2 cycles); one of three
 * never hits. */
static void a_loop_fits_or_does_not(void **state)
{
    (void)state;
    gm_cycle end;
    gm_statistics statistics = loop(2, 10, &end);
    expect_counts(&statistics, 18, 0, 2, 0, 0);
    assert_int_equal(end, 1 + 2 * 13 + 18 * 2);
    statistics = loop(3, 10, &end);
    expect_counts(&statistics, 0, 0, 30, 0, 28);
    assert_int_equal(end, 1 + 30 * 13);
}

/* A fetch gives instructions of one line: of four at a time only two, then the next line's. */
static void a_buffer_holds_one_line(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.fetch = 4;
    run->config.l1i.size = 512;
    at(run, 0, LINE - 32);
    at(run, 0, LINE - 16);
    at(run, 0, LINE);
    at(run, 0, LINE + 16);
    gm_statistics statistics = sm_expect(run, "14:0 15:0 28:0 29:0"); /* misses in 1 and 15 */
    expect_counts(&statistics, 0, 0, 2, 0, 0);
}

/* 5 cycles more for each hit, none for a miss. */
static void a_hit_takes_the_latency(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.sm.fetch = 1;
    run->config.l1i.latency = 5;
    at(run, 0, 0);
    at(run, 0, 16);
    at(run, 0, 32);
    gm_statistics statistics = sm_expect(run, "14:0 21:0 28:0");
    expect_counts(&statistics, 2, 0, 1, 0, 0);
}

/* Four packets of a line whose L2 lines are sectors; the last is there in 15. */
static void a_line_comes_in_packets(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->config.l2.merge_by = GM_MERGE_BY_SECTOR;
    at(run, 0, 0);
    gm_statistics statistics = sm_expect(run, "17:0");
    expect_counts(&statistics, 0, 0, 1, 0, 0);
    assert_int_equal(run->unit.fetched, 4);
    assert_int_equal(run->unit.fetched_sectors, 4);
}

/* A warp whose line is missing waits for it, not for the load that it needs; its cycles are those
 * of memory while another warp waits for data. Slot 0's load is issued in 14 and answered in 115;
 * slot 1's second line is asked for in 15. */
static void data_come_before_lines(void **state)
{
    (void)state;
    sm_run *run = fresh();
    run->warps = 2;
    run->config.l1i.size = 512;
    sm_memory(run, 0, 0, "LDG.E", 1, SM_NONE, 0x1000, 4)->pc = 0;
    sm_plain(run, 0, 0, "FADD", 2, 1)->pc = 16;
    at(run, 1, 0);
    at(run, 1, LINE);
    gm_statistics statistics = sm_expect(run, "14:0 15:1 28:1 115:0");
    expect_counts(&statistics, 0, 1, 2, 0, 0);
    assert_int_equal(statistics.time.slots_fetch, 12);
    assert_int_equal(statistics.time.slots_memory, 114 - 15 - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_miss_takes_its_time),
        cmocka_unit_test(a_fetch_of_what_lies_behind),
        cmocka_unit_test(kernels_share_code),
        cmocka_unit_test(two_warps_merge),
        cmocka_unit_test(a_full_entry_refuses),
        cmocka_unit_test(a_missing_entry_refuses),
        cmocka_unit_test(capacity_evicts),
        cmocka_unit_test(sets_are_the_lowest_bits),
        cmocka_unit_test(a_loop_fits_or_does_not),
        cmocka_unit_test(a_buffer_holds_one_line),
        cmocka_unit_test(a_hit_takes_the_latency),
        cmocka_unit_test(a_line_comes_in_packets),
        cmocka_unit_test(data_come_before_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
