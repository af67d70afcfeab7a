/* Channels of GDDR6 and HBM: commands worked by hand, every distance of random streams under each
 * standard, refresh, and that the checker names each distance that the scheduler shortens. */
#include "support/cycle/dram/gddr5_by_hand.h"
#include "support/cycle/dram/random_stream.h"

#include "cache/dram.h"
#include "cycle/dram/parts.h"

#include <string.h>

static const char *const standards[] = {"gddr6", "hbm2", "hbm2e", "hbm3"};
enum { STANDARDS = sizeof standards / sizeof *standards };

static void set(gm_config *config, const char *key, const char *value)
{
    gm_error error;
    test_ok(gm_config_set(config, key, value, &error), error);
}

/* A standard with equal clocks and one cycle to the queue. */
static void simple(gm_config *config, const char *standard)
{
    test_channel_simple(config);
    set(config, "dram.standard", standard);
}

/* One lone line is four bursts of one bank: of HBM2 an activate of two cycles, tRCD 14, tCCDL 4
 * between bursts of a group, tCL 14, two cycles of data. */
static void a_line_of_hbm2(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "hbm2");
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, ALL, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {16, RD, 0, 0, 0}, {20, RD, 0, 1, 0},
                        {24, RD, 0, 2, 0}, {28, RD, 0, 3, 0});
    assert_int_equal(test.log.take[0].at, 28 + 14 + 2);
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* Two lines in the two pseudo-channels: their activates take turns on the row bus, two cycles each,
 * while columns go on the other bus: both have a command in one cycle. */
static void pseudo_channels_share_the_buses(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "hbm2");
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, 256, 1, false, 0);
    test_channel_request(&test, 128, 1, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {3, ACT, 1, 0, 0}, {16, RD, 0, 0, 0},
                        {18, RD, 1, 0, 0}, {20, RD, 0, 4, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* GDDR6 has one bus: the activate of a second bank goes after the column command of its cycle. With
 * two buses both go at once. */
static void one_bus_or_two(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        gm_config config;
        test_channel test;
        simple(&config, "gddr6");
        config.dram.dual_bus = two != 0;
        test_channel_make(&test, &config);
        test_channel_request(&test, 0, 1, false, 0);
        for (gm_cycle now = 0; now < 28; now++) {
            test_channel_visit(&test, now);
        }
        test_channel_request(&test, 2048, 1, false, 27); /* arrives with the first's read */
        (void)test_channel_drain(&test, 28);
        gm_cycle act = two ? 28 : 29;
        TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {28, RD, 0, 0, 0}, {act, ACT, 1, 0, 0},
                            {act + 27, RD, 1, 0, 0});
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* A partition that is a GDDR6 device of two channels: each has a bus of its own, and both activate
 * and read at once; their data end together. */
static void channels_have_buses_of_their_own(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "gddr6");
    set(&config, "dram.channels", "2");
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, 1, false, 0);
    test_channel_request(&test, 256, 1, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 0, 0, 0}, {1, ACT, 1, 0, 0}, {28, RD, 0, 0, 0},
                        {28, RD, 1, 0, 0});
    assert_int_equal(test.log.take[0].at, 28 + 24 + 2);
    gm_gddr5_settle(&test.channel, 100);
    assert_int_equal(test.channel.time.dram_cycles, 200); /* of two data buses */
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* The bank of every turn is closed, refreshed, and opened again for the requests that wait; tREFI /
 * 16 = 208 cycles, of GDDR6. The row that is open is bank 0's, whose turn is the first. A refresh
 * of idle time is told when the counters are settled. */
static void refresh_of_a_bank(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "gddr6");
    test_channel_make(&test, &config);
    for (unsigned i = 0; i < 4; i++) { /* a burst each tCCDL */
        test_channel_request(&test, (uint64_t)i * 128, ALL, false, 160);
    }
    gm_cycle end = test_channel_drain(&test, 160);
    TEST_CHANNEL_EXPECT(&test, {161, ACT, 0, 0, 0}, {188, RD, 0, 0, 0}, {192, RD, 0, 1, 0},
                        {196, RD, 0, 2, 0}, {200, RD, 0, 3, 0}, {204, RD, 0, 4, 0},
                        {214, PRE, 0, 0, 0}, {241, GM_GDDR5_REFRESH, 0, 0, 0}, {347, ACT, 0, 0, 0},
                        {374, RD, 0, 5, 0}, {378, RD, 0, 6, 0}, {382, RD, 0, 7, 0},
                        {386, RD, 0, 8, 0}, {390, RD, 0, 9, 0}, {394, RD, 0, 10, 0},
                        {398, RD, 0, 11, 0}, {402, RD, 0, 12, 0}, {406, RD, 0, 13, 0},
                        {410, RD, 0, 14, 0}, {414, RD, 0, 15, 0});
    gm_gddr5_settle(&test.channel, end);
    assert_int_equal(test.log.commands, 20 + 1); /* 416: bank 1's */
    assert_int_equal(test.channel.time.dram_refreshes, 2);
    gm_gddr5_settle(&test.channel, 10000);
    assert_int_equal(test.channel.time.dram_refreshes, 10000 / 208);
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* All banks are closed and refreshed at once, from cycle 1000 on: the open row tRAS = 53 after its
 * activate, REF tRP = 27 later, the next activate tRFC = 211 later. A read that has begun goes on,
 * though every place for an answer is taken: it has one. */
static void refresh_of_all_banks(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "gddr6");
    set(&config, "dram.refresh", "all");
    set(&config, "dram.tREFI", "1000");
    config.dram.return_queue = 1;
    test_channel_make(&test, &config);
    test_channel_request(&test, 0, ALL, false, 966);
    (void)test_channel_drain(&test, 966);
    TEST_CHANNEL_EXPECT(&test, {967, ACT, 0, 0, 0}, {994, RD, 0, 0, 0}, {998, RD, 0, 1, 0},
                        {1020, PRE, 0, 0, 0}, {1047, GM_GDDR5_REFRESH_ALL, 0, 0, 0},
                        {1258, ACT, 0, 0, 0}, {1285, RD, 0, 2, 0}, {1289, RD, 0, 3, 0});
    assert_int_equal(test.log.take[0].at, 1289 + 24 + 2);
    test_channel_verify(&test);
    test_channel_free(&test);
}

static void run_under(test_channel *test, const gm_config *config, const test_stream *stream)
{
    test_channel_make(test, config);
    gm_cycle end = test_stream_run_all(test, stream);
    gm_gddr5_settle(&test->channel, end);
}

/* Each standard with its shipped values, on streams of any kind. */
static void standards_obey_every_distance(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < STANDARDS * 4; i++) {
        gm_config config;
        test_channel test;
        test_channel_config(&config);
        set(&config, "dram.standard", standards[i % STANDARDS]);
        config.clock.dram = TEST_ONE_OF(&random, 877, 1000, 1750);
        config.dram.low_banks = TEST_ONE_OF(&random, 1, 4, 16);
        config.dram.queue = TEST_ONE_OF(&random, 32, 64, 256);
        config.memory.interleave = TEST_ONE_OF(&random, 128, 256, 4096);
        test_stream stream = test_stream_any(&random, 400);
        run_under(&test, &config, &stream);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* Each preset's DRAM as shipped, behind the L2 banks of a test: without fault in any stream, with
 * the preset's refresh, and with commands in every part. */
static void presets_obey_every_distance(void **state)
{
    (void)state;
    enum { STREAMS = 2, MOST_PARTS = 16 };
    test_random random = test_random_start(11);
    unsigned presets;
    const gm_preset *preset = gm_presets(&presets);
    for (unsigned i = 0; i < presets; i++) {
        gm_config config;
        gm_error error;
        test_ok(gm_config_preset(&config, preset[i].name, &error), error);
        config.memory.banks = TEST_DRAM_L2_BANKS;
        uint64_t parts = gm_dram_pseudo_channels(&config);
        size_t of_part[MOST_PARTS] = {0};
        assert_in_range(parts, 1, MOST_PARTS);
        for (unsigned k = 0; k < STREAMS; k++) {
            test_channel test;
            test_stream stream = test_stream_any(&random, 600);
            stream.rows = 8; /* the streams of one row may be of one part */
            run_under(&test, &config, &stream);
            test_channel_verify(&test);
            for (size_t c = 0; c < test.log.commands; c++) {
                of_part[test.log.command[c].bank % parts]++;
            }
            assert_int_equal(config.dram.refresh != GM_REFRESH_NONE,
                             test.channel.time.dram_refreshes > 0);
            test_channel_free(&test);
        }
        for (uint64_t part = 0; part < parts; part++) {
            assert_true(of_part[part] > 20);
        }
    }
}

/* Any numbers, parts and buses; visits in every cycle give the same. */
static void any_config(test_random *random, gm_config *config)
{
    test_channel_config(config);
    set(config, "dram.standard", standards[test_random_below(random, STANDARDS)]);
    config->dram.channels = TEST_ONE_OF(random, 1, 1, 2, 4);
    config->dram.pseudo_channels = TEST_ONE_OF(random, 1, 2);
    config->dram.banks = TEST_ONE_OF(random, 4, 16, 16);
    config->dram.bank_groups = TEST_ONE_OF(random, 1, 4);
    config->dram.low_banks = TEST_ONE_OF(random, 1, 2, 4);
    config->dram.low_bytes = TEST_ONE_OF(random, 0, 0, 128, 512);
    config->dram.rows = TEST_ONE_OF(random, 0, 0, 1, 2);
    config->dram.dual_bus = test_random_below(random, 2) != 0;
    config->dram.commit_row = test_random_below(random, 2) != 0;
    config->dram.bank_turns = test_random_below(random, 2) != 0;
    config->dram.activate_cycles = TEST_ONE_OF(random, 1, 2, 3);
    config->dram.refresh = (gm_dram_refresh)test_random_below(random, 3);
    config->dram.burst = TEST_ONE_OF(random, 32, 64);
    config->dram.burst_cycles = TEST_ONE_OF(random, 1, 2, 4);
    config->dram.queue = TEST_ONE_OF(random, 64, 32, 2, 1);
    config->dram.return_queue = TEST_ONE_OF(random, 116, 116, 3, 1);
    config->dram.latency = TEST_ONE_OF(random, 100, 10, 1, 0);
    config->memory.interleave = TEST_ONE_OF(random, 256, 1024);
    config->clock.core = TEST_ONE_OF(random, 700, 1000, 1400);
    config->clock.dram = TEST_ONE_OF(random, 924, 700, 300, 3000);
    uint64_t *const numbers[] = {&config->dram.tfaw,   &config->dram.tppd,  &config->dram.trrdl,
                                 &config->dram.tccdl,  &config->dram.trcdw, &config->dram.trtw,
                                 &config->dram.tcdlrl, &config->dram.trtpl};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] =
            test_random_below(random, 2) != 0 ? *numbers[i] : TEST_ONE_OF(random, 0, 0, 7, 60);
    }
    config->dram.trrdl = config->dram.trrdl < config->dram.trrd ? 0 : config->dram.trrdl;
    config->dram.tcdlrl = config->dram.tcdlrl < config->dram.tcdlr ? 0 : config->dram.tcdlrl;
    config->dram.tccdl = config->dram.tccdl < config->dram.tccd ? 0 : config->dram.tccdl;
    config->dram.trtpl *= config->dram.refresh == GM_REFRESH_NONE;
    uint64_t turned = config->dram.tcl + config->dram.burst_cycles - config->dram.twl;
    config->dram.trtw = config->dram.trtw < turned ? 0 : config->dram.trtw;
    gm_error error;
    test_ok(gm_config_check(config, &error), error);
}

static void any_machine_obeys_every_distance(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    for (unsigned i = 0; i < test_rounds(40); i++) {
        gm_config config;
        test_channel test;
        test_channel every;
        any_config(&random, &config);
        test_stream stream = test_stream_any(&random, 250);
        test_channel_make(&every, &config);
        every.every = true;
        gm_cycle end = test_stream_run_all(&every, &stream);
        gm_gddr5_settle(&every.channel, end);
        run_under(&test, &config, &stream);
        test_channel_verify(&test);
        test_stream_same(&test, &every);
        assert_true(test.visits <= every.visits);
        test_channel_free(&test);
        test_channel_free(&every);
    }
}

/* Saves one channel in the middle, and goes on with another. */
static void goes_on_from_a_snapshot(void **state)
{
    (void)state;
    test_random random = test_random_start(3);
    for (int i = 0; i < 20; i++) {
        gm_config config;
        test_channel test;
        test_channel whole;
        any_config(&random, &config);
        test_stream stream = test_stream_any(&random, 200);
        test_channel_make(&whole, &config);
        gm_cycle end = test_stream_run_all(&whole, &stream);
        test_channel_make(&test, &config);
        test_random draws = {stream.seed};
        gm_cycle middle = test_random_below(&random, end);
        (void)test_stream_run(&test, &stream, &draws, 0, middle);
        test_stream_reload(&test);
        (void)test_stream_run(&test, &stream, &draws, middle, GM_NEVER);
        test_stream_same(&test, &whole);
        test_channel_free(&test);
        test_channel_free(&whole);
    }
}

/* What a key of the standard says is what GDDR5's own key would: the scheduler for parts then
 * issues what GDDR5's does. */
static void as_gddr5_where_nothing_is_added(void **state)
{
    (void)state;
    test_random random = test_random_start(4);
    for (int i = 0; i < 20; i++) {
        gm_config config;
        test_channel test;
        test_channel plain;
        test_channel_config(&config);
        config.dram.bank_groups = TEST_ONE_OF(&random, 1, 4);
        config.dram.queue = TEST_ONE_OF(&random, 64, 2);
        config.dram.return_queue = TEST_ONE_OF(&random, 116, 2);
        config.dram.latency = TEST_ONE_OF(&random, 100, 1);
        test_stream stream = test_stream_any(&random, 300);
        test_channel_make(&plain, &config);
        assert_null(plain.channel.parts);
        (void)test_stream_run_all(&plain, &stream);
        config.dram.trrdl = config.dram.trrd; /* each as its 0 is */
        test_channel_make(&test, &config);
        assert_non_null(test.channel.parts);
        (void)test_stream_run_all(&test, &stream);
        test_stream_same(&test, &plain);
        test_channel_free(&test);
        test_channel_free(&plain);
    }
}

/* dram.bank_turns, by hand (timing of test_gddr5.c: tRRD 6, tRCD 12, tCCDL 3). Three requests come
 * in cycle 1. It gives bank 1 one, though bank 3's is the oldest, since the order begins with bank
 * 0; cycle 2 bank 3. Bank 1 is given its second, a row hit, the cycle after the first's command. */
static void banks_take_turns(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_simple(&config);
    config.dram.bank_turns = true;
    test_channel_make(&test, &config);
    test_channel_request(&test, 3 * config.dram.row, 1, false, 0);
    test_channel_request(&test, config.dram.row, 1, false, 0);
    test_channel_request(&test, config.dram.row + LINE, 1, false, 0);
    (void)test_channel_drain(&test, 0);
    TEST_CHANNEL_EXPECT(&test, {1, ACT, 1, 0, 0}, {7, ACT, 3, 0, 0}, {13, RD, 1, 0, 0},
                        {16, RD, 1, 2, 0}, {19, RD, 3, 0, 0});
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* With dram.bank_turns a queue of one request is that beside those that banks serve. */
static void banks_serve_beside_the_queue(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; turns++) {
        gm_config config;
        test_channel test;
        test_channel_simple(&config);
        config.dram.trrdl = config.dram.trrd; /* parts without turns, too */
        config.dram.bank_turns = turns != 0;
        config.dram.queue = 1;
        test_channel_make(&test, &config);
        test_channel_request(&test, 3 * config.dram.row, 1, false, 0);
        test_channel_request(&test, config.dram.row, 1, false, 0);
        (void)test_channel_drain(&test, 0);
        assert_int_equal(test.log.command[0].bank, 3);
        assert_int_equal(test.log.command[1].bank, turns != 0 ? 1 : 3);
        assert_int_equal(test.log.command[1].at, turns != 0 ? 7 : 13);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* dram.tRTPL: a read of bank 4 puts off the precharge of bank 0, of its group, not of bank 1: tRAS
 * lets both be closed in cycle 1 + 28 and 7 + 28. */
static void reads_put_off_precharges_of_their_group(void **state)
{
    (void)state;
    for (uint32_t bank = 0; bank < 2; bank++) {
        gm_config config;
        test_channel test;
        test_channel_simple(&config);
        config.dram.bank_groups = 4;
        config.dram.trtpl = 20;
        test_channel_make(&test, &config);
        test_channel_request(&test, bank * config.dram.row, 1, false, 0);
        test_channel_request(&test, 4 * config.dram.row, 1, false, 0);
        test_channel_request(&test, (16 + bank) * config.dram.row, 1, false, 0);
        (void)test_channel_drain(&test, 0);
        TEST_CHANNEL_EXPECT(&test, {1, ACT, bank, 0, 0}, {7, ACT, 4, 0, 0}, {13, RD, bank, 0, 0},
                            {19, RD, 4, 0, 0}, {bank == 0 ? 39 : 33, PRE, bank, 0, 0},
                            {bank == 0 ? 51 : 45, ACT, bank, 0, 1},
                            {bank == 0 ? 63 : 57, RD, bank, 0, 1});
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* A distance that the scheduler has one cycle too short, under a standard with its shipped values,
 * but for keys that make the distance the longest of those between two commands; the checker names
 * the rule. */
static const struct mutant {
    size_t distance; /* offset in gm_dram_distances */
    const char *standard, *keys[3];
    const char *rule;
} mutants[] = {
#define SHORT(member, standard, rule, ...)                                                         \
    {                                                                                              \
        offsetof(gm_dram_distances, member), standard, {__VA_ARGS__}, rule                         \
    }
    SHORT(row_to_row, "gddr6", "tRRD", "dram.tRRDL=9"),
    SHORT(row_to_row, "hbm3", "tRRD", NULL),
    SHORT(row_to_row_group, "hbm3", "tRRDL", NULL),
    SHORT(row_to_row_bank, "hbm3", "tRC", NULL),
    SHORT(row_to_row_bank, "hbm2", "tRC", "dram.tRC=60"),
    SHORT(four_rows, "hbm3", "tFAW", NULL),
    SHORT(four_rows, "hbm2", "tFAW", "dram.tFAW=30"),
    SHORT(row_to_read, "gddr6", "tRCD", NULL),
    SHORT(row_to_read, "hbm2", "tRCD", NULL),
    SHORT(row_to_write, "gddr6", "tRCDW", NULL),
    SHORT(row_to_write, "hbm2", "tRCDW", NULL),
    SHORT(row_to_precharge, "gddr6", "tRAS", NULL),
    SHORT(row_to_precharge, "hbm2", "tRAS", NULL),
    SHORT(precharge_to_row, "hbm2", "tRP", NULL),
    SHORT(precharge_to_row, "hbm3", "tRP", NULL),
    SHORT(precharge_to_precharge, "hbm3", "tPPD", NULL),
    SHORT(column_to_column, "hbm2", "tCCD", NULL),
    SHORT(column_to_column, "hbm3", "data bus", "dram.tCCD=1"),
    SHORT(column_to_column_group, "hbm2", "tCCDL", NULL),
    SHORT(column_to_column_group, "gddr6", "tCCDL", NULL),
    SHORT(read_to_write, "gddr6", "tRTW", NULL),
    SHORT(read_to_write, "hbm2", "tRTW", NULL),
    SHORT(read_to_write, "hbm3", "tRTW", NULL),
    SHORT(write_to_read, "hbm2", "tCDLR", NULL),
    SHORT(write_to_read_group, "hbm2", "tCDLRL", NULL),
    SHORT(write_to_read_group, "gddr6", "tCDLRL", "dram.bank_groups=1"),
    SHORT(read_to_precharge, "hbm3", "tRTP", "dram.tRTP=40"),
    SHORT(read_to_precharge_group, "hbm2", "tRTPL", "dram.refresh=none", "dram.tRTPL=40"),
    SHORT(write_to_precharge, "hbm2", "tWR", NULL),
    SHORT(row_to_refresh, "hbm2", "refresh after tRRD", NULL),
    SHORT(row_to_refresh_bank, "hbm2", "refresh after tRC", "dram.tRC=80"),
    SHORT(precharge_to_refresh, "hbm3", "refresh after tRP", NULL),
    SHORT(refresh_to_row, "hbm2", "tRREFD", NULL),
    SHORT(refresh_to_row, "gddr6", "tRREFD", NULL),
    SHORT(refresh_to_refresh, "hbm2", "tRREFD", "dram.tRREFD=240"),
    SHORT(refresh_to_row_bank, "hbm3", "tRFCB", NULL),
    SHORT(refresh_all_to_row, "hbm2", "tRFC", "dram.refresh=all", "dram.tREFI=1200"),
};

static test_stream busy(void)
{
    return (test_stream){.requests = 1500,
                         .rows = 4,
                         .lines = 4,
                         .writes = 40,
                         .pushes = 100,
                         .takes = 100,
                         .seed = 7};
}

static void mutant_config(gm_config *config, const struct mutant *mutant)
{
    gm_error error;
    test_channel_config(config);
    set(config, "dram.standard", mutant->standard);
    config->clock.dram = 1000;
    config->dram.queue = 64;
    for (size_t i = 0; i < 3 && mutant->keys[i] != NULL; i++) {
        test_ok(gm_config_assign(config, mutant->keys[i], &error), error);
    }
}

static void a_distance_too_short_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        gm_config config;
        test_channel test;
        mutant_config(&config, &mutants[i]);
        test_stream stream = busy();
        test_channel_make(&test, &config);
        char *distances = (char *)&test.channel.parts->distance;
        (*(uint64_t *)(void *)(distances + mutants[i].distance))--;
        (void)test_stream_run_all(&test, &stream);
        char text[256] = "nothing";
        (void)test_dram_fault(&config, &test.log, text, sizeof text);
        if (strncmp(text, mutants[i].rule, strlen(mutants[i].rule)) != 0) {
            print_error("%s of %s too short: %s\n", mutants[i].rule, mutants[i].standard, text);
            fail();
        }
        test_channel_free(&test);
    }
}

/* A distance one cycle longer than it need be breaks no rule, but is not FR-FCFS. */
static void a_distance_too_long_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        gm_config config;
        test_channel test;
        mutant_config(&config, &mutants[i]);
        test_stream stream = busy();
        stream.requests = 600;
        test_channel_make(&test, &config);
        char *distances = (char *)&test.channel.parts->distance;
        (*(uint64_t *)(void *)(distances + mutants[i].distance))++;
        (void)test_stream_run_all(&test, &stream);
        char text[256];
        if (test_dram_first_ready(&config, &test.log, text, sizeof text)) {
            print_error("%s of %s too long: nothing\n", mutants[i].rule, mutants[i].standard);
            fail();
        }
        test_channel_free(&test);
    }
}

/* Activates that follow each other at tRRD = 8, of two cycles each, leave no gap of 9 for a
 * refresh: it still comes in its time, since they wait for it. */
static void activates_do_not_starve_a_refresh(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    simple(&config, "gddr6");
    config.dram.activate_cycles = 2;
    config.dram.tfaw = 0;
    config.dram.queue = 64;
    test_stream stream = busy();
    stream.rows = 200;
    stream.lines = 1;
    stream.writes = 0;
    stream.requests = 400;
    run_under(&test, &config, &stream);
    test_channel_verify(&test);
    test_channel_free(&test);
}

/* So is an activate of a cycle too few on its bus, and refreshes too early, too late or of one
 * bank only. */
static void other_faults_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *standard, *rule;
        uint64_t activate_cycles, interval, banks;
    } rows[] = {
        {"hbm2", "command bus", 1, 243, 16},
        {"hbm2", "a refresh before it is due", 2, 242, 16},
        {"hbm2", "tREFI", 2, 400, 16},
        {"hbm2", "a refresh of a bank whose turn it is not", 2, 243, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config;
        test_channel test;
        const struct mutant none = {.standard = rows[i].standard};
        mutant_config(&config, &none);
        test_stream stream = busy();
        test_channel_make(&test, &config);
        gm_dram_parts *parts = test.channel.parts;
        parts->activate_cycles = rows[i].activate_cycles;
        parts->refresh_interval = rows[i].interval;
        parts->banks = (uint32_t)rows[i].banks;
        (void)test_stream_run_all(&test, &stream);
        char text[256] = "nothing";
        (void)test_dram_fault(&config, &test.log, text, sizeof text);
        if (strncmp(text, rows[i].rule, strlen(rows[i].rule)) != 0) {
            print_error("%s: %s\n", rows[i].rule, text);
            fail();
        }
        test_channel_free(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_hbm2),
        cmocka_unit_test(pseudo_channels_share_the_buses),
        cmocka_unit_test(one_bus_or_two),
        cmocka_unit_test(channels_have_buses_of_their_own),
        cmocka_unit_test(refresh_of_a_bank),
        cmocka_unit_test(refresh_of_all_banks),
        cmocka_unit_test(standards_obey_every_distance),
        cmocka_unit_test(presets_obey_every_distance),
        cmocka_unit_test(any_machine_obeys_every_distance),
        cmocka_unit_test(goes_on_from_a_snapshot),
        cmocka_unit_test(as_gddr5_where_nothing_is_added),
        cmocka_unit_test(banks_take_turns),
        cmocka_unit_test(banks_serve_beside_the_queue),
        cmocka_unit_test(reads_put_off_precharges_of_their_group),
        cmocka_unit_test(a_distance_too_short_is_named),
        cmocka_unit_test(a_distance_too_long_is_noticed),
        cmocka_unit_test(activates_do_not_starve_a_refresh),
        cmocka_unit_test(other_faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
