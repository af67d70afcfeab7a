/* The GDDR5 channel's two ends: its queue, its answers, bursts, counters, and what it says of
 * itself. Timing as in test_gddr5.c. */
#include "support/cycle/dram/gddr5_by_hand.h"

#include <errno.h>

/* A queue of two: the third request, a hit, is not among those chosen from until the first has
 * left, and then comes before the second. */
static void queue_is_what_is_chosen_from(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    config.dram.queue = 2;
    config.memory.banks = 4;
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, NEXT_ROW, 1, false, 0);
    test_channel_request(&test, LINE, 1, false, 0);
    assert_false(gm_gddr5_has_room(&test.channel, 0)); /* 2, and one on the way */
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {16, RD, 0, 2, 0},
                        {29, PRE, 0, 0, 0}, {41, ACT, 0, 0, 1}, {53, RD, 0, 0, 1});
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
        test_channel_simple(&config);
        test_channel_make(&test, &config);
        test_channel_request(&test, NEXT_ROW, ALL, false, 0);
        test_channel_request(&test, 0, ALL, write_first != 0, 1);
        test_channel_request(&test, NEXT_ROW + LINE, ALL, write_first != 0, 2);
        test_channel_request(&test, 0, ALL, write_first == 0, 3);
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

/* With its last command, a write in core cycle 13, the channel is idle: not a cycle later, which
 * the end of a kernel would wait for. */
static void idle_with_the_last_command(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, true, 0);
    for (gm_cycle now = 0; now < 20; now++) {
        test_channel_visit(&test, now);
        assert_int_equal(gm_gddr5_idle(&test.channel), now >= 13);
    }
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, WR, 0, 0, 0});
    test_channel_free(&test);
}

/* A read begins only when its data can be kept: with room for one, the second waits until the L2
 * bank has taken the first, in core cycle 60. */
static void answers_need_room(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    config.dram.return_queue = 1;
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, LINE, 1, false, 0);
    for (gm_cycle now = 0; now < 60; now++) {
        test_channel_visit(&test, now);
        assert_int_equal(test_channel_answer(&test, 0, false, now), now >= 13 + 14);
    }
    (void)test_channel_drain(&test, 60);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {13, RD, 0, 0, 0}, {61, RD, 0, 2, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Room for one answer, and a way of 100 cycles, in which all that follows is decided, but for what
 * depends on when an answer is taken: the second read waits for that, while writes to another bank
 * change its row. */
static void answers_are_taken_while_others_go_on(void **state)
{
    (void)state;
    for (gm_cycle taken = 0; taken < 60; taken += 7) {
        gm_config config;
        test_channel test;
        test_channel_simple(&config);
        config.dram.latency = 100;
        config.dram.return_queue = 1;
        test_channel_make(&test, &config);
        test_channel_request(&test, 0, 1, false, 0);
        test_channel_request(&test, LINE, 1, false, 0);
        for (uint32_t i = 0; i < 4; i++) {
            test_channel_request(&test, config.dram.row + i * NEXT_ROW, 1, true, 0);
        }
        for (gm_cycle now = 0; now < 130 + taken; now++) {
            test_channel_visit(&test, now);
            (void)test_channel_answer(&test, 0, false, now);
        }
        (void)test_channel_drain(&test, 130 + taken);
        assert_int_equal(test.log.takes, 2);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
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
        test_channel_simple(&config);
        config.dram.burst = sizes[i].burst;
        test_channel_make(&test, &config);
        test_channel_request(&test, LINE, 1 | 8, false, 0);
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
    test_channel_simple(&config);
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

static void let_wait(test_channel *test, uint32_t banks)
{
    for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
        gm_gddr5_wait(&test->channel, bank, (banks >> bank & 1) != 0);
    }
}

/* Returns the set of the L2 banks that may push in core cycle `now`. */
static uint32_t takes(test_channel *test, gm_cycle now)
{
    uint32_t banks = 0;
    for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
        bool waits = (test->channel.state.waiting >> bank & 1) != 0;
        banks |= (uint32_t)(waits && gm_gddr5_takes(&test->channel, bank, now)) << bank;
    }
    return banks;
}

/* dram.entry_turns: the banks that wait push in turn, one in a DRAM cycle. By hand: with a DRAM
 * clock of half the core's, DRAM cycle n belongs to core cycle 2n; of twice, 2n and 2n + 1 to n. */
static void entry_by_turns(void **state)
{
    (void)state;
    static const struct {
        uint64_t core, dram;
        struct {
            gm_cycle now;
            uint32_t wait, takes;
        } step[6];
    } rows[] = {
        {1, 1, {{0, 0xf, 1}, {0, 0xf, 0}, {1, 0xf, 2}, {2, 9, 8}, {3, 0xa, 2}, {9, 2, 2}}},
        {2, 1, {{0, 3, 1}, {1, 3, 0}, {2, 3, 2}, {3, 3, 0}, {4, 3, 1}, {6, 1, 1}}},
        {1, 2, {{0, 7, 1}, {0, 7, 2}, {0, 7, 0}, {1, 7, 4}, {1, 3, 1}, {1, 3, 0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config;
        test_channel test;
        test_channel_simple(&config);
        config.clock.core = 700 * rows[i].core;
        config.clock.dram = 700 * rows[i].dram;
        config.dram.entry_turns = true;
        test_channel_make(&test, &config);
        for (size_t k = 0; k < 6; k++) {
            gm_cycle now = rows[i].step[k].now;
            let_wait(&test, rows[i].step[k].wait);
            uint32_t banks = takes(&test, now);
            assert_int_equal(banks, rows[i].step[k].takes);
            if (banks != 0) {
                gm_dram_request request = {
                    .sectors = 1, .bank = (uint16_t)gm_lowest_one(banks), .write = true};
                (void)test_channel_push(&test, request, now);
            }
        }
        test_channel_free(&test);
    }
}

/* Without it any bank may push, as often as there is room. */
static void entry_without_turns(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    test_channel_make(&test, &config);
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(gm_gddr5_takes(&test.channel, i % 2, 0));
        test_channel_request(&test, 0, 1, true, 0);
    }
    test_channel_free(&test);
}

static void oldest_request_is_named(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    char text[128];
    test_channel test;
    test_channel_simple(&config);
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
        cmocka_unit_test(queue_is_what_is_chosen_from),
        cmocka_unit_test(same_line_keeps_order),
        cmocka_unit_test(idle_with_the_last_command),
        cmocka_unit_test(answers_need_room),
        cmocka_unit_test(answers_are_taken_while_others_go_on),
        cmocka_unit_test(bursts_of_other_sizes),
        cmocka_unit_test(copies_are_counted),
        cmocka_unit_test(entry_by_turns),
        cmocka_unit_test(entry_without_turns),
        cmocka_unit_test(oldest_request_is_named),
        cmocka_unit_test(bad_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
