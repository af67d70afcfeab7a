/* Bandwidth of the GDDR5 channel: what streams reach, and never exceed. */
#include "support/cycle/dram/gddr5_channel.h"

enum { ALL = 15, LINE = 128, WARM = 2000, UNTIL = 22000 };

/* How the lines of a stream lie: `streams` runs of consecutive lines, one line of each in turn,
 * `apart` bytes from each other. */
typedef struct pattern {
    const char *name;
    uint64_t queue, latency, bank_groups, tccdl;
    uint64_t streams, apart;
    double least, most; /* bytes per DRAM cycle, of the bus' 64 / 2 */
    bool write;
    uint32_t sectors;
} pattern;

static const pattern patterns[] = {
    /* no bank groups: the bus, but for the two cycles' wait of no burst */
    {"row hits of one stream", 64, 100, 1, 0, 1, 0, 31.36, 32, false, ALL},
    {"the same, written", 64, 100, 1, 0, 1, 0, 31.36, 32, true, ALL},
    /* the way holds what a queue of 16 does not */
    {"queue of 16, a way of 100 cycles", 16, 100, 1, 0, 1, 0, 31.36, 32, false, ALL},
    {"queue of 16, a way of 1000 cycles", 16, 1000, 1, 0, 1, 0, 31.36, 32, false, ALL},
    {"the same, a sector of each line", 16, 100, 1, 0, 1, 0, 31.36, 32, false, 1},
    /* rows in different bank groups take turns, each burst two cycles after the last */
    {"four streams in four bank groups", 64, 100, 4, 3, 4, (16 + 1) * 4096, 31.36, 32, false, ALL},
    {"two streams in two bank groups", 64, 100, 4, 3, 2, (16 + 1) * 4096, 31.36, 32, false, ALL},
    /* one bank: a burst each tCCDL = 3 cycles; from a row's last read tRTP + tRP + tRCD = 26 cycles
     * to the next row's first, so 63 * 3 + 26 = 215 cycles for 64 bursts */
    {"one bank", 64, 100, 4, 3, 1, UINT64_MAX, 4096 / 215.1, 4096 / 215.0, false, ALL},
};

static uint64_t address_of(const pattern *pattern, uint64_t number)
{
    uint64_t line = number / pattern->streams;
    if (pattern->apart == UINT64_MAX) { /* row after row of bank 0 */
        return line / 32 * 16 * 4096 + line % 32 * LINE;
    }
    return number % pattern->streams * pattern->apart + line * LINE;
}

/* Bursts from core cycle `from` until `until`. */
static uint64_t bursts(const test_channel *test, gm_cycle from, gm_cycle until)
{
    uint64_t count = 0;
    for (size_t i = 0; i < test->log.commands; i++) {
        const test_dram_command *command = &test->log.command[i];
        gm_cycle at = gm_clock_core(test->channel.clock, command->at);
        bool column = command->command == GM_GDDR5_READ || command->command == GM_GDDR5_WRITE;
        count += column && at >= from && at < until;
    }
    return count;
}

/* Bytes per DRAM cycle when L2 banks push whenever there is room. */
static double stream(const pattern *pattern, test_channel *test)
{
    uint64_t number = 0;
    for (gm_cycle now = 0; now < UNTIL; now++) {
        test_channel_visit(test, now);
        for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
            (void)test_channel_answer(test, bank, true, now);
            if (gm_gddr5_has_room(&test->channel, now)) {
                gm_dram_request request = {.address = address_of(pattern, number++),
                                           .sectors = pattern->sectors,
                                           .bank = (uint16_t)bank,
                                           .write = pattern->write};
                (void)test_channel_push(test, request, now);
            }
        }
    }
    uint64_t bytes = bursts(test, WARM, UNTIL) * test->config.dram.burst;
    double cycles =
        (double)(UNTIL - WARM) * (double)test->config.clock.dram / (double)test->config.clock.core;
    return (double)bytes / cycles;
}

static void streams_reach_the_limit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        gm_config config;
        test_channel test;
        test_channel_config(&config);
        config.dram.queue = patterns[i].queue;
        config.dram.latency = patterns[i].latency;
        config.dram.bank_groups = patterns[i].bank_groups;
        config.dram.tccdl = patterns[i].tccdl;
        test_channel_make(&test, &config);
        double rate = stream(&patterns[i], &test);
        print_message("%s: %.2f bytes a DRAM cycle\n", patterns[i].name, rate);
        if (rate < patterns[i].least || rate > patterns[i].most * 1.0005) {
            fail_msg("%s: %.2f bytes a DRAM cycle", patterns[i].name, rate);
        }
        gm_cycle end = test_channel_drain(&test, UNTIL);
        char text[256];
        if (test_dram_fault(&config, &test.log, text, sizeof text)) {
            fail_msg("%s", text);
        }
        gm_gddr5_settle(&test.channel, end);
        assert_true(test.channel.time.dram_busy <= test.channel.time.dram_cycles);
        test_channel_free(&test);
    }
}

/* FR-FCFS sets no limit to how long a request waits: a write to an open row is put off by every
 * read hit that comes before the bus can turn round. */
static void hits_in_the_other_direction_wait(void **state)
{
    (void)state;
    gm_config config;
    test_channel test;
    test_channel_config(&config);
    config.dram.latency = 1;
    config.dram.queue = 256;
    test_channel_make(&test, &config);
    gm_dram_request read = {.address = 0, .sectors = ALL};
    gm_dram_request write = {.address = 4096, .sectors = ALL, .write = true};
    for (gm_cycle now = 0; now < 3000; now++) {
        test_channel_visit(&test, now);
        (void)test_channel_answer(&test, 0, true, now);
        if (now == 101) {
            (void)test_channel_push(&test, write, now);
        }
        if (now < 2000 && now % 4 == 0) { /* faster than two bursts of a bank */
            read.address = now % 32 * LINE;
            (void)test_channel_push(&test, read, now);
        }
    }
    gm_cycle written = 0;
    for (size_t i = 0; i < test.log.commands; i++) {
        const test_dram_command *command = &test.log.command[i];
        written = command->command == GM_GDDR5_WRITE ? command->at : written;
    }
    assert_true(written > 2000 * config.clock.dram / config.clock.core);
    test_channel_verify(&test);
    test_channel_free(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_reach_the_limit),
        cmocka_unit_test(hits_in_the_other_direction_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
