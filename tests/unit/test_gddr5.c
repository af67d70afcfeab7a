/* The GDDR5 channel on requests whose commands are worked by hand from the preset's timing: tRCD
 * 12, tCL 12, tRP 12, tRAS 28, tRC 40, tRRD 6, tCCD 2, tCCDL 3, tWL 4, tCDLR 5, tWR 12, tRTP 2;
 * 64-byte bursts of 2 cycles. Core and DRAM clock are equal and the way takes one cycle, so that a
 * request of cycle 0 is in the queue in cycle 1, except where a test says otherwise. */
#include "support/gddr5_channel.h"

#include <errno.h>
#include <string.h>

enum { ROW = 4096, BANKS = 16, LINE = 128, ALL = 15, NEXT_ROW = ROW * BANKS };

static void simple_config(gm_config *config)
{
    test_channel_config(config);
    config->clock.dram = config->clock.core;
    config->dram.latency = 1;
}

static uint32_t ask(test_channel *test, uint64_t address, uint32_t sectors, bool write,
                    gm_cycle now)
{
    gm_dram_request request = {.address = address, .sectors = sectors, .write = write};
    return test_channel_push(test, request, now);
}

typedef struct expected {
    gm_cycle at;
    gm_gddr5_command command;
    uint32_t bank;
    uint64_t row;
    uint32_t column;
} expected;

static void expect_commands(const test_channel *test, const expected *commands, size_t count)
{
    for (size_t i = 0; i < count && i < test->log.commands; i++) {
        const test_dram_command *is = &test->log.command[i];
        if (is->at != commands[i].at || is->command != commands[i].command ||
            is->bank != commands[i].bank || is->row != commands[i].row ||
            is->column != commands[i].column) {
            fail_msg("command %zu: cycle %llu kind %d bank %u row %llu column %u", i,
                     (unsigned long long)is->at, (int)is->command, is->bank,
                     (unsigned long long)is->row, is->column);
        }
    }
    assert_int_equal(test->log.commands, count);
}

#define EXPECT(test, ...)                                                                          \
    do {                                                                                           \
        const expected list[] = {__VA_ARGS__};                                                     \
        expect_commands(test, list, sizeof list / sizeof *list);                                   \
    } while (0)

#define ACT GM_GDDR5_ACTIVATE
#define PRE GM_GDDR5_PRECHARGE
#define RD  GM_GDDR5_READ
#define WR  GM_GDDR5_WRITE

/* A line is two bursts of one bank, tCCDL = 3 apart; data end tCL + 2 after the last. */
static void lone_reads(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, LINE, ALL, false, 0);
    (void)test_channel_drain(&test, 0);
    ask(&test, 0, ALL, false, 100);
    (void)test_channel_drain(&test, 100);
    ask(&test, NEXT_ROW, 2, false, 200);
    (void)test_channel_drain(&test, 200);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 2}, {16, RD, 0, 0, 3}, /* closed */
           {101, RD, 0, 0, 0}, {104, RD, 0, 0, 1},                         /* open */
           {201, PRE, 0, 0, 0}, {213, ACT, 0, 1, 0}, {225, RD, 0, 1, 0});  /* another row is open */
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
    ask(&test, 0, ALL, false, 0);
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {132, ACT, 0, 0, 0}, {144, RD, 0, 0, 0}, {147, RD, 0, 0, 1});
    assert_int_equal(test.log.take[0].at, 122);
    assert_int_equal(test.visits, 3);
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* PRE waits for tRAS = 28; ACT for tRP = 12 and tRC = 40. */
static void conflict_at_once(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, 0, ALL, false, 0);
    ask(&test, NEXT_ROW, 8, false, 0);
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {16, RD, 0, 0, 1}, {29, PRE, 0, 0, 0},
           {41, ACT, 0, 1, 0}, {53, RD, 0, 1, 1});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* In the cycle in which PRE could go a hit arrives, and goes first; PRE waits for its tRTP = 2. */
static void hit_comes_in_time(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, 0, 1, false, 0);
    ask(&test, NEXT_ROW, 1, false, 0);
    for (gm_cycle now = 0; now < 29; now++) {
        test_channel_visit(&test, now);
        (void)test_channel_answer(&test, 0, true, now);
    }
    ask(&test, LINE, 1, false, 28);
    (void)test_channel_drain(&test, 29);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {29, RD, 0, 0, 2}, {31, PRE, 0, 0, 0},
           {43, ACT, 0, 1, 0}, {55, RD, 0, 1, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Write to read: tWL + 2 + tCDLR = 11 after the command; read to write: tCL + 2 + 2 - tWL = 12. */
static void turnarounds(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, 0, 1, true, 0);
    ask(&test, LINE, 1, false, 0);
    ask(&test, 0, 1, true, 0);
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, WR, 0, 0, 0}, {24, RD, 0, 0, 2}, {36, WR, 0, 0, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* A row just written closes tWR = 12 after the data: 13 + 4 + 2 + 12. */
static void write_recovery(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, 0, 1, true, 0);
    ask(&test, NEXT_ROW, 1, true, 0);
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, WR, 0, 0, 0}, {31, PRE, 0, 0, 0}, {43, ACT, 0, 1, 0},
           {55, WR, 0, 1, 0});
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
    simple_config(&config);
    test_channel_make(&test, &config);
    ask(&test, 0, 1, false, 0);
    ask(&test, (uint64_t)4 * ROW, 1, false, 0);
    ask(&test, (uint64_t)1 * ROW, 1, false, 0);
    (void)test_channel_drain(&test, 0);
    ask(&test, 0, 1, false, 99);
    ask(&test, (uint64_t)4 * ROW, 1, false, 99);
    ask(&test, (uint64_t)1 * ROW, 1, false, 99);
    (void)test_channel_drain(&test, 99);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {7, ACT, 4, 0, 0}, {13, RD, 0, 0, 0}, {14, ACT, 1, 0, 0},
           {19, RD, 4, 0, 0}, {26, RD, 1, 0, 0}, {100, RD, 0, 0, 0}, {102, RD, 1, 0, 0},
           {104, RD, 4, 0, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Row hits first, the oldest of them; the oldest of the rest says which row is opened next. */
static void first_ready(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    config.dram.bank_groups = 1;
    config.dram.tccdl = 0;
    test_channel_make(&test, &config);
    ask(&test, 0, 1, false, 0);            /* opens row 0 */
    ask(&test, 2 * NEXT_ROW, 1, false, 0); /* then row 2 */
    ask(&test, NEXT_ROW, 1, false, 0);     /* row 1 is last */
    ask(&test, LINE, 1, false, 0);         /* hits of row 0 */
    ask(&test, 2 * LINE, 1, false, 0);
    ask(&test, 2 * NEXT_ROW + LINE, 1, false, 0); /* hit of row 2 */
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {15, RD, 0, 0, 2}, {17, RD, 0, 0, 4},
           {29, PRE, 0, 0, 0}, {41, ACT, 0, 2, 0}, {53, RD, 0, 2, 0}, {55, RD, 0, 2, 2},
           {69, PRE, 0, 2, 0}, {81, ACT, 0, 1, 0}, {93, RD, 0, 1, 0});
    assert_int_equal(test.channel.statistics.row_hits, 3);
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* A queue of two: the third request, a hit, is not among those chosen from until the first has
 * left, and then comes before the second. */
static void queue_is_what_is_chosen_from(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    config.dram.queue = 2;
    config.memory.banks = 4;
    test_channel_make(&test, &config);
    ask(&test, 0, 1, false, 0);
    ask(&test, NEXT_ROW, 1, false, 0);
    ask(&test, LINE, 1, false, 0);
    assert_false(gm_gddr5_has_room(&test.channel)); /* 2, and one on the way */
    (void)test_channel_drain(&test, 0);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {16, RD, 0, 0, 2}, {29, PRE, 0, 0, 0},
           {41, ACT, 0, 1, 0}, {53, RD, 0, 1, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* A write-back and a fetch of one line are served in their order, whatever lies between. */
static void same_line_keeps_order(void **state)
{
    (void)state;
    for (int write_first = 0; write_first < 2; write_first++) {
        gm_config config;
        test_channel test;
        simple_config(&config);
        test_channel_make(&test, &config);
        ask(&test, NEXT_ROW, ALL, false, 0);
        ask(&test, 0, ALL, write_first != 0, 1);
        ask(&test, NEXT_ROW + LINE, ALL, write_first != 0, 2);
        ask(&test, 0, ALL, write_first == 0, 3);
        (void)test_channel_drain(&test, 0);
        int first = -1;
        for (size_t i = 0; i < test.log.commands; i++) {
            const test_dram_command *is = &test.log.command[i];
            if (is->row == 0 && (is->command == RD || is->command == WR) && first < 0) {
                first = is->command == WR;
            }
        }
        assert_int_equal(first, write_first);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* A read begins only when its data can be kept: with room for one, the second waits until the L2
 * bank has taken the first, in core cycle 60. */
static void answers_need_room(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple_config(&config);
    config.dram.return_queue = 1;
    test_channel_make(&test, &config);
    ask(&test, 0, 1, false, 0);
    ask(&test, LINE, 1, false, 0);
    for (gm_cycle now = 0; now < 60; now++) {
        test_channel_visit(&test, now);
        assert_int_equal(test_channel_answer(&test, 0, false, now), now >= 13 + 14);
    }
    (void)test_channel_drain(&test, 60);
    EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {61, RD, 0, 0, 2});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Bursts of 32 bytes serve a sector each, those of 256 bytes two lines of 128: the sectors asked
 * for are counted, not those that a burst brings along. */
static void bursts_of_other_sizes(void **state)
{
    (void)state;
    static const struct {
        uint64_t burst, bursts;
        uint32_t column;
    } sizes[] = {{32, 2, 4}, {64, 2, 2}, {128, 1, 1}, {256, 1, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gm_config config;
        test_channel test;
        simple_config(&config);
        config.dram.burst = sizes[i].burst;
        test_channel_make(&test, &config);
        ask(&test, LINE, 1 | 8, false, 0);
        (void)test_channel_drain(&test, 0);
        assert_int_equal(test.channel.time.dram_bursts, sizes[i].bursts);
        assert_int_equal(test.log.command[1].column, sizes[i].column);
        assert_int_equal(test.channel.statistics.reads, 2);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* Host copies: counted, without time. */
static void copies_are_counted(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    gm_gddr5_count_write(&test.channel, 0, ALL);
    assert_int_equal(test.channel.statistics.requests, 1);
    assert_int_equal(test.channel.statistics.writes, 4);
    assert_int_equal(test.channel.statistics.bytes, 128);
    assert_int_equal(test.channel.statistics.row_hits, 0);
    assert_true(gm_gddr5_idle(&test.channel));
    test_ok(gm_gddr5_check(&test.channel, &error), error);
    test_channel_free(&test);
}

static void oldest_request_is_named(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    char text[128];
    test_channel test;
    simple_config(&config);
    test_channel_make(&test, &config);
    assert_true(gm_gddr5_oldest(&test.channel, text, sizeof text) == GM_NEVER);
    gm_dram_request request = {.address = 0x1280, .sectors = 1, .bank = 2};
    test_channel_push(&test, request, 5);
    assert_int_equal(gm_gddr5_oldest(&test.channel, text, sizeof text), 5);
    assert_string_equal(
        text, "DRAM read of address 0x1280 for L2 bank 2: on its way to the channel's queue");
    test_channel_visit(&test, 6);
    assert_int_equal(gm_gddr5_oldest(&test.channel, text, sizeof text), 5);
    assert_string_equal(text, "DRAM read of address 0x1280 for L2 bank 2: in the channel's queue");
    for (gm_cycle now = 7; now < 100; now++) {
        test_channel_visit(&test, now);
    }
    assert_int_equal(gm_gddr5_oldest(&test.channel, text, sizeof text), 5);
    assert_string_equal(text,
                        "DRAM read of address 0x1280 for L2 bank 2: its data wait for the bank");
    assert_int_equal(gm_gddr5_check(&test.channel, &error), -EPROTO);
    assert_string_equal(error.text,
                        "DRAM channel: reads that their L2 bank has not taken = 0: 1 and 0");
    test_channel_free(&test);
}

static void bad_parameters_are_named(void **state)
{
    (void)state;
    gm_config good;
    test_channel_config(&good);
    gm_config wrong[4];
    static const char *const texts[] = {
        "dram.banks: 257: 1 to 256 are possible",
        "dram.burst: 8192: a power of two, 32 to dram.row (4096), is needed",
        "dram.bank_groups: 3: a power of two is needed",
        "dram.row: 64: a multiple of l2.line (128) is needed",
    };
    for (size_t i = 0; i < 4; i++) {
        wrong[i] = good;
    }
    wrong[0].dram.banks = 257;
    wrong[1].dram.burst = 8192;
    wrong[2].dram.bank_groups = 3;
    wrong[3].dram.row = 64;
    for (size_t i = 0; i < 4; i++) {
        gm_gddr5 channel;
        gm_arena arena;
        gm_error error;
        test_ok(gm_arena_create(&arena, gm_gddr5_bytes(&good), &error), error);
        assert_int_equal(gm_gddr5_init(&channel, &wrong[i], &arena, &error), -EINVAL);
        assert_string_equal(error.text, texts[i]);
        gm_arena_free(&arena);
    }
    gm_gddr5 channel;
    gm_arena arena;
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_gddr5_bytes(&good) / 2, &error), error);
    assert_int_equal(gm_gddr5_init(&channel, &good, &arena, &error), -ENOMEM);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_reads),
        cmocka_unit_test(lone_read_through_two_clocks),
        cmocka_unit_test(conflict_at_once),
        cmocka_unit_test(hit_comes_in_time),
        cmocka_unit_test(turnarounds),
        cmocka_unit_test(write_recovery),
        cmocka_unit_test(banks_and_groups),
        cmocka_unit_test(first_ready),
        cmocka_unit_test(queue_is_what_is_chosen_from),
        cmocka_unit_test(same_line_keeps_order),
        cmocka_unit_test(answers_need_room),
        cmocka_unit_test(bursts_of_other_sizes),
        cmocka_unit_test(copies_are_counted),
        cmocka_unit_test(oldest_request_is_named),
        cmocka_unit_test(bad_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
