/* GDDR6 and HBM beside a public simulator: idle latency, bandwidth of a stream and of random rows,
 * and turnarounds of Ramulator 2.1 (commit c5b1c3a), with its timing presets of which
 * dram.standard's are, FR-FCFS, open rows, 32 reads in its queue, no refresh, one channel.
 * docs/dram.md has the table, and how it was made. */
#include "support/cycle/dram/gddr5_channel.h"

#include "cache/dram.h"

enum { MOST = 8192, BANKS = 16, GROUPS = 4 };

/* A request of a burst: `at`: core cycle of its arrival at the queue, or later. */
typedef struct request {
    uint64_t at;
    uint32_t part, bank, row, column;
    bool write;
} request;

static void standard(gm_config *config, const char *name)
{
    gm_error error;
    test_channel_simple(config);
    test_ok(gm_config_set(config, "dram.standard", name, &error), error);
    config->dram.refresh = GM_REFRESH_NONE;
    config->dram.queue = 256;
    config->dram.return_queue = 256;
    config->memory.interleave = config->dram.row; /* so that a row is a piece */
}

/* Consecutive bursts: pseudo-channels, then bank groups, then columns, banks, rows. */
static request streamed(const gm_config *config, uint32_t number)
{
    uint32_t parts = (uint32_t)gm_dram_pseudo_channels(config);
    uint32_t columns = (uint32_t)(config->dram.row / config->dram.burst);
    uint32_t in_part = number / parts;
    uint32_t line = in_part / GROUPS / columns;
    return (request){.part = number % parts,
                     .bank = in_part % GROUPS + line % (BANKS / GROUPS) * GROUPS,
                     .row = line / (BANKS / GROUPS),
                     .column = in_part / GROUPS % columns};
}

/* A burst of a random bank's next row. */
static request scattered(const gm_config *config, uint64_t *state, uint32_t number)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    uint64_t columns = config->dram.row / config->dram.burst;
    return (request){.part = (uint32_t)(*state % gm_dram_pseudo_channels(config)),
                     .bank = (uint32_t)((*state >> 8) % BANKS),
                     .row = number + 1,
                     .column = (uint32_t)((*state >> 16) % columns)};
}

static void push(test_channel *test, const request *request, uint32_t l2_bank, gm_cycle now)
{
    const gm_config *config = &test->config;
    uint64_t rows = (uint64_t)request->row * BANKS + request->bank;
    uint64_t row = rows * gm_dram_pseudo_channels(config) + request->part;
    uint64_t byte = row * config->dram.row + request->column * config->dram.burst;
    uint64_t line = byte / config->l2.line * config->l2.line;
    gm_dram_request own = {.address = line,
                           .sectors = UINT32_C(1) << (byte - line) / 32,
                           .write = request->write,
                           .bank = (uint16_t)l2_bank};
    (void)test_channel_push(test, own, now);
}

/* Serves the requests in their order, each as soon as there is room. */
static void serve(test_channel *test, const request *requests, uint32_t count)
{
    uint32_t next = 0;
    gm_cycle now = 0;
    for (; next < count; now++) {
        test_channel_visit(test, now);
        for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
            (void)test_channel_answer(test, bank, true, now);
            if (next < count && requests[next].at <= now &&
                gm_gddr5_has_room(&test->channel, now)) {
                push(test, &requests[next++], bank, now);
            }
        }
    }
    (void)test_channel_drain(test, now);
}

/* The cycle of the `number`-th command of a kind. */
static gm_cycle cycle_of(const test_channel *test, gm_gddr5_command command, uint32_t number)
{
    for (size_t i = 0; i < test->log.commands; i++) {
        if (test->log.command[i].command == command && number-- == 0) {
            return test->log.command[i].at;
        }
    }
    fail_msg("no such command");
    return 0;
}

/* From the first cycle of the activate to the end of the data. */
static double idle_latency(const gm_config *config)
{
    test_channel test;
    const request one = {.column = 5};
    test_channel_make(&test, config);
    serve(&test, &one, 1);
    gm_cycle act = cycle_of(&test, GM_GDDR5_ACTIVATE, 0);
    double latency = (double)(test.log.take[0].at - act);
    test_channel_free(&test);
    return latency;
}

/* Bursts a cycle, between the 1024th and the 7168th. */
static double stream_rate(const gm_config *config)
{
    static request requests[MOST];
    test_channel test;
    for (uint32_t i = 0; i < MOST; i++) {
        requests[i] = streamed(config, i);
    }
    test_channel_make(&test, config);
    serve(&test, requests, MOST);
    gm_cycle from = cycle_of(&test, GM_GDDR5_READ, 1024);
    double rate = (7168 - 1024) / (double)(cycle_of(&test, GM_GDDR5_READ, 7168) - from);
    test_channel_free(&test);
    return rate;
}

/* Activates in 1000 cycles, between the 512th and the 3584th. */
static double random_rate(const gm_config *config)
{
    static request requests[MOST / 2];
    test_channel test;
    uint64_t state = UINT64_C(88172645463325252);
    for (uint32_t i = 0; i < MOST / 2; i++) {
        requests[i] = scattered(config, &state, i);
    }
    test_channel_make(&test, config);
    serve(&test, requests, MOST / 2);
    gm_cycle from = cycle_of(&test, GM_GDDR5_ACTIVATE, 512);
    double rate = 3072 * 1000 / (double)(cycle_of(&test, GM_GDDR5_ACTIVATE, 3584) - from);
    test_channel_free(&test);
    return rate;
}

/* Cycles from a command to one in the other direction that arrives just after it; both rows open.
 * `bank`: of the second; 0: the first's. */
static double turnaround(const gm_config *config, bool write_first, uint32_t bank)
{
    test_channel test;
    const request requests[] = {
        {.row = 1},
        {.row = 1, .bank = bank},
        {.at = 400, .row = 1, .column = 1, .write = write_first},
        {.at = 402, .row = 1, .column = 2, .bank = bank, .write = !write_first},
    };
    test_channel_make(&test, config);
    serve(&test, requests, 4);
    const test_dram_command *last = &test.log.command[test.log.commands - 1];
    double cycles = (double)(last->at - last[-1].at);
    test_channel_free(&test);
    return cycles;
}

/* Ramulator's figures. Within 2% or half a cycle of ours, but where `least` and `most` say
 * otherwise. */
static const struct row {
    const char *standard;
    double latency, stream, random, read_to_write, write_to_read, write_to_read_group;
} rows[] = {
    {"gddr6", 53, 0.5, 125.0, 25, 17, 19},
    {"hbm2", 31, 1.0, 333.4, 13, 13, 15},
    {"hbm2e", 37, 1.0, 333.3, 15, 16, 18},
    {"hbm3", 54, 1.0, 327.3, 20, 19, 22},
};

/* Rates are held to 2%, cycles are equal. */
static void compare(const struct row *row, const char *what, double ours, double theirs,
                    double band)
{
    double off = ours / theirs - 1;
    print_message("%s, %s: %.4g, theirs %.4g (%+.1f%%)\n", row->standard, what, ours, theirs,
                  100 * off);
    if (off > band || off < -band) {
        fail_msg("%s, %s: %g, not %g", row->standard, what, ours, theirs);
    }
}

static void as_ramulator(void **state)
{
    (void)state;
    const double rates = 0.02;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        gm_config config;
        standard(&config, row->standard);
        compare(row, "idle latency", idle_latency(&config), row->latency, 0);
        compare(row, "stream, bursts a cycle", stream_rate(&config), row->stream, rates);
        compare(row, "random rows in 1000 cycles", random_rate(&config), row->random, rates);
        compare(row, "read to write", turnaround(&config, false, 0), row->read_to_write, 0);
        compare(row, "write to read", turnaround(&config, true, 1), row->write_to_read, 0);
        compare(row, "write to read, group", turnaround(&config, true, 0), row->write_to_read_group,
                0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_ramulator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
