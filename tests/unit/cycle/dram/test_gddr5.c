/* The GDDR5 channel on requests whose commands are worked by hand from the preset's timing: tRCD
 * 12, tCL 12, tRP 12, tRAS 28, tRC 40, tRRD 6, tCCD 2, tCCDL 3, tWL 4, tCDLR 5, tWR 12, tRTP 2;
 * 64-byte bursts of 2 cycles. Core and DRAM clock are equal and the way takes one cycle, so that a
 * request of cycle 0 is in the queue in cycle 1, except where a test says otherwise. */
#include "support/cycle/dram/gddr5_by_hand.h"

/* A line is two bursts of one bank, tCCDL = 3 apart; data end tCL + 2 after the last. */
static void lone_reads(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, LINE, ALL, false, 0);
    (void)test_channel_drain(&test, 0);
    test_channel_request(&test, 0, ALL, false, 100);
    (void)test_channel_drain(&test, 100);
    test_channel_request(&test, NEXT_ROW, 2, false, 200);
    (void)test_channel_drain(&test, 200);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 2, 0}, {16, RD, 0, 3, 0}, /* closed */
                        {101, RD, 0, 0, 0}, {104, RD, 0, 1, 0},                         /* open */
                        {201, PRE, 0, 0, 0}, {213, ACT, 0, 0, 1},
                        {225, RD, 0, 0, 1}); /* another row is open */
    assert_int_equal(test.log.take[0].at, 16 + 12 + 2);
    assert_int_equal(test.log.take[1].at, 104 + 12 + 2);
    assert_int_equal(test.log.take[2].at, 225 + 12 + 2);
    test_channel_verify(&test);
    assert_int_equal(test.channel.statistics.requests, 3);
    assert_int_equal(test.channel.statistics.row_hits, 1);
    assert_int_equal(test.channel.statistics.reads, 9);
    assert_int_equal(test.channel.statistics.bytes, 9 * 32);
    assert_int_equal(test.channel.time.dram_bursts, 5);
    assert_int_equal(test.channel.time.dram_busy, 10);
    gm_gddr5_settle(&test.channel, 300);
    assert_int_equal(test.channel.time.dram_cycles, 300);
    test_channel_free(&test);
}

/* 700 and 924 MHz, 100 core cycles on the way: DRAM cycle 132 = 100 * 1.32 is the first in which
 * the request is there; its data end with cycle 132 + 12 + 3 + 12 + 2 = 161, at core cycle
 * 161 / 1.32 = 121.97. */
static void lone_read_through_two_clocks(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_config(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, ALL, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {132, ACT, 0, 0, 0}, {144, RD, 0, 0, 0}, {147, RD, 0, 1, 0});
    assert_int_equal(test.log.take[0].at, 122);
    assert_int_equal(test.visits, 2); /* it comes, which decides all; it has left the queue */
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* PRE waits for tRAS = 28; ACT for tRP = 12 and tRC = 40. */
static void conflict_at_once(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, ALL, false, 0);
    test_channel_request(&test, NEXT_ROW, 8, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {16, RD, 0, 1, 0},
                        {29, PRE, 0, 0, 0}, {41, ACT, 0, 0, 1}, {53, RD, 0, 1, 1});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* In the cycle in which PRE could go a hit arrives, and goes first; PRE waits for its tRTP = 2. */
static void hit_comes_in_time(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, NEXT_ROW, 1, false, 0);
    for (gm_cycle now = 0; now < 29; now++) {
        test_channel_visit(&test, now);
        (void)test_channel_answer(&test, 0, true, now);
    }
    test_channel_request(&test, LINE, 1, false, 28);
    (void)test_channel_drain(&test, 29);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {29, RD, 0, 2, 0},
                        {31, PRE, 0, 0, 0}, {43, ACT, 0, 0, 1}, {55, RD, 0, 0, 1});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Write to read: tWL + 2 + tCDLR = 11 after the command; read to write: tCL + 2 + 2 - tWL = 12. */
static void turnarounds(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, true, 0);
    test_channel_request(&test, LINE, 1, false, 0);
    test_channel_request(&test, 0, 1, true, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, WR, 0, 0, 0}, {24, RD, 0, 2, 0},
                        {36, WR, 0, 0, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* A row just written closes tWR = 12 after the data: 13 + 4 + 2 + 12. */
static void write_recovery(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, true, 0);
    test_channel_request(&test, NEXT_ROW, 1, true, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, WR, 0, 0, 0}, {31, PRE, 0, 0, 0},
                        {43, ACT, 0, 0, 1}, {55, WR, 0, 0, 1});
    test_channel_verify(&test);
    assert_int_equal(test.channel.statistics.writes, 2);
    test_channel_free(&test);
}

/* Banks 0 and 1 are in different groups, 0 and 4 in one; ACTs are tRRD = 6 apart. In cycle 13 both
 * RD of bank 0 and nothing else can go; from cycle 100 on all rows are open: bank 0, then bank 1
 * tCCD = 2 later, before the older one of bank 4, which waits for tCCDL = 3. */
static void banks_and_groups(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, (uint64_t)4 * ROW, 1, false, 0);
    test_channel_request(&test, (uint64_t)1 * ROW, 1, false, 0);
    (void)test_channel_drain(&test, 0);
    test_channel_request(&test, 0, 1, false, 99);
    test_channel_request(&test, (uint64_t)4 * ROW, 1, false, 99);
    test_channel_request(&test, (uint64_t)1 * ROW, 1, false, 99);
    (void)test_channel_drain(&test, 99);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {7, ACT, 4, 0, 0}, {13, RD, 0, 0, 0},
                        {14, ACT, 1, 0, 0}, {19, RD, 4, 0, 0}, {26, RD, 1, 0, 0},
                        {100, RD, 0, 0, 0}, {102, RD, 1, 0, 0}, {104, RD, 4, 0, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Row hits first, the oldest of them; the oldest of the rest says which row is opened next. */
static void first_ready(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    config.dram.bank_groups = 1;
    config.dram.tccdl = 0;
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);            /* opens row 0 */
    test_channel_request(&test, 2 * NEXT_ROW, 1, false, 0); /* then row 2 */
    test_channel_request(&test, NEXT_ROW, 1, false, 0);     /* row 1 is last */
    test_channel_request(&test, LINE, 1, false, 0);         /* hits of row 0 */
    test_channel_request(&test, 2 * LINE, 1, false, 0);
    test_channel_request(&test, 2 * NEXT_ROW + LINE, 1, false, 0); /* hit of row 2 */
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {15, RD, 0, 2, 0},
                        {17, RD, 0, 4, 0}, {29, PRE, 0, 0, 0}, {41, ACT, 0, 0, 2},
                        {53, RD, 0, 0, 2}, {55, RD, 0, 2, 2}, {69, PRE, 0, 0, 2},
                        {81, ACT, 0, 0, 1}, {93, RD, 0, 0, 1});
    assert_int_equal(test.channel.statistics.row_hits, 3);
    test_channel_verify(&test);
    test_channel_free(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_reads),       cmocka_unit_test(lone_read_through_two_clocks),
        cmocka_unit_test(conflict_at_once), cmocka_unit_test(hit_comes_in_time),
        cmocka_unit_test(turnarounds),      cmocka_unit_test(write_recovery),
        cmocka_unit_test(banks_and_groups), cmocka_unit_test(first_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
