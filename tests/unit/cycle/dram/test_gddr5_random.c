/* The GDDR5 channel on random streams and configurations: every command is checked against every
 * rule, and the whole is what FR-FCFS gives when it is worked out the slow way; the checker itself
 * is seen to object when the channel leaves out a rule. */
#include "support/cycle/dram/gddr5_channel.h"

#include <string.h>

typedef struct stream {
    uint32_t requests;
    uint32_t rows;   /* of a bank */
    uint32_t lines;  /* of a row, at most */
    uint32_t writes; /* percent */
    uint32_t pushes; /* percent of a bank's cycles in which it wants to push */
    uint32_t takes;  /* percent of a bank's cycles in which it takes an answer */
    uint64_t seed;
} stream;

static gm_dram_request any_request(test_random *random, const gm_config *config,
                                   const stream *stream)
{
    uint64_t per_row = config->dram.row / config->l2.line;
    uint64_t lines = per_row < stream->lines ? per_row : stream->lines;
    uint64_t row = test_random_below(random, stream->rows * config->dram.banks);
    uint32_t all = (uint32_t)(UINT64_MAX >> (64 - config->l2.line / 32));
    uint32_t some = (uint32_t)test_random_next(random) & all;
    bool whole = test_random_below(random, 2) != 0;
    return (gm_dram_request){.address = row * config->dram.row +
                                        test_random_below(random, lines) * config->l2.line,
                             .sectors = whole || some == 0 ? all : some,
                             .write = test_random_below(random, 100) < stream->writes};
}

/* Each L2 bank's turn: it takes an answer, pushes a request. All that is random is drawn in every
 * cycle, so that it does not depend on the channel. */
static void l2_banks(test_channel *test, const stream *stream, test_random *random, gm_cycle now)
{
    for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
        bool take = test_random_below(random, 100) < stream->takes;
        bool push = test_random_below(random, 100) < stream->pushes;
        gm_dram_request request = any_request(random, &test->config, stream);
        request.bank = (uint16_t)bank;
        (void)test_channel_answer(test, bank, take, now);
        if (push && test->log.pushes < stream->requests && gm_gddr5_has_room(&test->channel, now)) {
            (void)test_channel_push(test, request, now);
        }
    }
}

/* Runs cycles from `now` until `stop`, or until all is done. Whoever waits for room is woken when
 * there is some. */
static gm_cycle run(test_channel *test, const stream *stream, test_random *random, gm_cycle now,
                    gm_cycle stop)
{
    while (now < stop && (test->log.pushes < stream->requests || !gm_gddr5_idle(&test->channel))) {
        bool full = now > 0 && !gm_gddr5_has_room(&test->channel, now - 1);
        test_channel_visit(test, now);
        for (unsigned i = 0;
             full && gm_gddr5_has_room(&test->channel, now) && i < TEST_DRAM_L2_BANKS; i++) {
            assert_true(test->bank_wake[i] <= now);
        }
        l2_banks(test, stream, random, now);
        now++;
        assert_true(now < 100000000);
    }
    return now;
}

static void run_all(test_channel *test, const stream *stream)
{
    test_random random = {stream->seed};
    (void)run(test, stream, &random, 0, GM_NEVER);
}

static void expect_same_log(const test_channel *a, const test_channel *b)
{
    assert_int_equal(a->log.commands, b->log.commands);
    assert_int_equal(a->log.takes, b->log.takes);
    for (size_t i = 0; i < a->log.commands; i++) {
        const test_dram_command *x = &a->log.command[i];
        const test_dram_command *y = &b->log.command[i];
        assert_true(x->at == y->at && x->command == y->command && x->bank == y->bank &&
                    x->row == y->row && x->column == y->column);
    }
    for (size_t i = 0; i < a->log.takes; i++) {
        assert_true(a->log.take[i].id == b->log.take[i].id &&
                    a->log.take[i].at == b->log.take[i].at);
    }
    assert_memory_equal(&a->channel.statistics, &b->channel.statistics,
                        sizeof a->channel.statistics);
    assert_memory_equal(&a->channel.time, &b->channel.time, sizeof a->channel.time);
}

static uint64_t one_of(test_random *random, const uint64_t *values, size_t count)
{
    return values[test_random_below(random, count)];
}

#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const uint64_t[]){__VA_ARGS__},                                                \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Timing: the preset's, none at all, small numbers, or now and then a large one. */
static void any_timing(test_random *random, gm_config *config)
{
    uint64_t *const numbers[] = {&config->dram.tcl,  &config->dram.trp,   &config->dram.trc,
                                 &config->dram.tras, &config->dram.trcd,  &config->dram.trrd,
                                 &config->dram.tccd, &config->dram.twl,   &config->dram.tcdlr,
                                 &config->dram.twr,  &config->dram.tccdl, &config->dram.trtp};
    uint64_t how = test_random_below(random, 4);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && how != 0; i++) {
        *numbers[i] = how == 1   ? 0
                      : how == 2 ? test_random_below(random, 20)
                                 : ONE_OF(random, 0, 1, 5, 13, 40, 150);
    }
}

static void any_config(test_random *random, gm_config *config)
{
    test_channel_config(config);
    any_timing(random, config);
    config->clock.core = ONE_OF(random, 700, 700, 1000, 1400);
    config->clock.dram = ONE_OF(random, 924, 924, 700, 300, 3000);
    config->l2.line = ONE_OF(random, 128, 128, 32, 1024);
    config->dram.banks = ONE_OF(random, 16, 16, 1, 2, 128);
    config->dram.bank_groups = ONE_OF(random, 4, 4, 1, 16);
    config->dram.row = ONE_OF(random, 4096, 4096, 1024);
    config->dram.queue = ONE_OF(random, 64, 32, 16, 2, 1);
    config->dram.return_queue = ONE_OF(random, 116, 116, 3, 1);
    config->dram.latency = ONE_OF(random, 100, 10, 1, 0);
    config->dram.burst = ONE_OF(random, 64, 64, 32, 256, 1024);
    config->dram.burst_cycles = ONE_OF(random, 2, 2, 1, 4);
}

static stream any_stream(test_random *random, uint32_t requests)
{
    return (stream){.requests = requests,
                    .rows = (uint32_t)ONE_OF(random, 1, 2, 2, 8),
                    .lines = (uint32_t)ONE_OF(random, 1, 4, 32),
                    .writes = (uint32_t)ONE_OF(random, 0, 10, 50, 100),
                    .pushes = (uint32_t)ONE_OF(random, 100, 30, 3),
                    .takes = (uint32_t)ONE_OF(random, 100, 100, 20),
                    .seed = test_random_next(random)};
}

/* The presets' timing with queues of the papers' sizes, the paper's rates. */
static void presets_obey_every_rule(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    static const struct {
        uint64_t core, dram, queue;
    } machines[] = {{700, 924, 16}, {700, 924, 32}, {1400, 1400, 32}, {700, 924, 64}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        gm_config config;
        test_channel test;
        test_channel_config(&config);
        config.clock.core = machines[i].core;
        config.clock.dram = machines[i].dram;
        config.dram.queue = machines[i].queue;
        stream stream = any_stream(&random, 1000);
        test_channel_make(&test, &config);
        run_all(&test, &stream);
        test_channel_verify(&test);
        test_channel_free(&test);
    }
}

/* Each also with a visit in every cycle. */
static void any_machine_obeys_every_rule(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    for (int i = 0; i < 60; i++) {
        gm_config config;
        test_channel test;
        test_channel every;
        any_config(&random, &config);
        stream stream = any_stream(&random, 250);
        test_channel_make(&test, &config);
        test_channel_make(&every, &config);
        every.every = true;
        run_all(&test, &stream);
        run_all(&every, &stream);
        test_channel_verify(&test);
        expect_same_log(&test, &every);
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
        stream stream = any_stream(&random, 200);
        test_channel_make(&whole, &config);
        test_random draws = {stream.seed};
        gm_cycle end = run(&whole, &stream, &draws, 0, GM_NEVER);
        gm_cycle middle = test_random_below(&random, end);
        test_channel_make(&test, &config);
        draws = (test_random){stream.seed};
        (void)run(&test, &stream, &draws, 0, middle);
        FILE *file = tmpfile();
        assert_non_null(file);
        gm_snapshot snapshot = {.file = file};
        gm_gddr5_snapshot(&test.channel, &snapshot);
        assert_int_equal(snapshot.failed, 0);
        gm_arena arena = test.arena;
        gm_error error;
        test_ok(gm_arena_create(&test.arena, gm_gddr5_bytes(&config), &error), error);
        gm_gddr5 before = test.channel;
        test_ok(gm_gddr5_init(&test.channel, &config, &test.arena, &error), error);
        test.channel.wake = before.wake;
        test.channel.bank_wake = before.bank_wake;
        test.channel.observer = before.observer;
        rewind(file);
        gm_snapshot loading = {.file = file, .loading = true};
        gm_gddr5_snapshot(&test.channel, &loading);
        assert_int_equal(loading.failed, 0);
        assert_true(loading.sum == snapshot.sum && loading.bytes == snapshot.bytes);
        (void)fclose(file);
        assert_memory_equal(arena.memory, test.arena.memory, arena.used);
        gm_arena_free(&arena);
        (void)run(&test, &stream, &draws, middle, GM_NEVER);
        expect_same_log(&test, &whole);
        test_channel_free(&test);
        test_channel_free(&whole);
    }
}

/* A channel that forgets a rule: the checker names that rule. */
typedef struct mutant {
    size_t distance; /* offset in gm_gddr5_timing */
    uint64_t value;  /* instead of what it should be */
    uint64_t tccd, burst_cycles;
    const char *rule;
} mutant;

#define DISTANCE(member) offsetof(gm_gddr5_timing, member)

static const mutant mutants[] = {
    {DISTANCE(same_kind), 2, 2, 4, "data bus"},
    {DISTANCE(same_kind), 1, 4, 1, "tCCD"},
    {DISTANCE(same_group), 0, 2, 4, "tCCDL"},
    {DISTANCE(read_to_write), 4, 2, 4, "read to write"},
    {DISTANCE(write_to_read), 4, 2, 4, "tCDLR"},
    {DISTANCE(row_to_column), 0, 2, 4, "tRCD"},
    {DISTANCE(row_to_row), 0, 2, 4, "tRC"},
    {DISTANCE(row_to_row_any), 0, 2, 4, "tRRD"},
    {DISTANCE(row_to_precharge), 0, 2, 4, "tRAS"},
    {DISTANCE(read_to_precharge), 0, 2, 4, "tRTP"},
    {DISTANCE(write_to_precharge), 0, 2, 4, "tWR"},
    {DISTANCE(precharge_to_row), 0, 2, 4, "tRP"},
    {DISTANCE(read_data), 0, 2, 4, "an answer, but not when its data are there"},
};

/* Each rule is the binding one somewhere: tRC is more than tRAS + tRP, tRAS more than a row
 * with one burst takes. */
static void binding_config(gm_config *config, const mutant *mutant)
{
    test_channel_config(config);
    config->dram.tras = 50;
    config->dram.trc = 70;
    config->dram.trtp = 10;
    config->dram.tccd = mutant->tccd;
    config->dram.burst_cycles = mutant->burst_cycles;
    config->dram.tccdl = 9;
}

static void a_rule_left_out_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        gm_config config;
        test_channel test;
        binding_config(&config, &mutants[i]);
        stream stream = {.requests = 600,
                         .rows = 2,
                         .lines = 4,
                         .writes = 40,
                         .pushes = 30,
                         .takes = 100,
                         .seed = 7};
        test_channel_make(&test, &config);
        uint64_t *distance =
            (uint64_t *)(void *)((char *)&test.channel.timing + mutants[i].distance);
        *distance = mutants[i].value;
        run_all(&test, &stream);
        char text[256] = "nothing";
        (void)test_dram_fault(&config, &test.log, text, sizeof text);
        if (strncmp(text, mutants[i].rule, strlen(mutants[i].rule)) != 0) {
            fail_msg("%s left out: %s", mutants[i].rule, text);
        }
        test_channel_free(&test);
    }
}

/* A distance one cycle longer than it need be breaks no rule, but is not FR-FCFS. */
static void a_cycle_too_much_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        gm_config config;
        test_channel test;
        binding_config(&config, &mutants[i]);
        stream stream = {.requests = 600,
                         .rows = 2,
                         .lines = 4,
                         .writes = 40,
                         .pushes = 30,
                         .takes = 100,
                         .seed = 7};
        test_channel_make(&test, &config);
        uint64_t *distance =
            (uint64_t *)(void *)((char *)&test.channel.timing + mutants[i].distance);
        (*distance)++;
        run_all(&test, &stream);
        char text[256];
        if (!test_dram_fault(&config, &test.log, text, sizeof text) &&
            test_dram_first_ready(&config, &test.log, text, sizeof text)) {
            fail_msg("%s, a cycle too much: nothing", mutants[i].rule);
        }
        test_channel_free(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_obey_every_rule),
        cmocka_unit_test(any_machine_obeys_every_rule),
        cmocka_unit_test(goes_on_from_a_snapshot),
        cmocka_unit_test(a_rule_left_out_is_noticed),
        cmocka_unit_test(a_cycle_too_much_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
