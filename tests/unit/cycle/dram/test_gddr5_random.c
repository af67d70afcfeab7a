/* The GDDR5 channel on random streams and configurations: every command is checked against every
 * rule, and the whole is what FR-FCFS gives when it is worked out the slow way; the checker itself
 * is seen to object when the channel leaves out a rule. */
#include "support/cycle/dram/random_stream.h"

#include <string.h>

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
                                 : TEST_ONE_OF(random, 0, 1, 5, 13, 40, 150);
    }
}

static void any_config(test_random *random, gm_config *config)
{
    test_channel_config(config);
    any_timing(random, config);
    config->clock.core = TEST_ONE_OF(random, 700, 700, 1000, 1400);
    config->clock.dram = TEST_ONE_OF(random, 924, 924, 700, 300, 3000);
    config->l2.line = TEST_ONE_OF(random, 128, 128, 32, 1024);
    config->dram.banks = TEST_ONE_OF(random, 16, 16, 1, 2, 128);
    config->dram.bank_groups = TEST_ONE_OF(random, 4, 4, 1, 16);
    config->dram.row = TEST_ONE_OF(random, 4096, 4096, 1024);
    config->dram.rows = TEST_ONE_OF(random, 0, 0, 1, 2);
    config->dram.low_banks = TEST_ONE_OF(random, 1, config->dram.banks);
    config->dram.low_bytes = TEST_ONE_OF(random, 0, config->l2.line, 1024);
    config->memory.interleave = TEST_ONE_OF(random, config->l2.line, 4096);
    config->dram.queue = TEST_ONE_OF(random, 64, 32, 16, 2, 1);
    config->dram.commit_row = TEST_ONE_OF(random, 0, 1) != 0;
    config->dram.trcdw =
        test_random_below(random, 2) * test_random_below(random, config->dram.trcd + 1);
    config->dram.return_queue = TEST_ONE_OF(random, 116, 116, 3, 1);
    config->dram.latency = TEST_ONE_OF(random, 100, 10, 1, 0);
    config->dram.burst = TEST_ONE_OF(random, 64, 64, 32, 256, 1024);
    config->dram.burst_cycles = TEST_ONE_OF(random, 2, 2, 1, 4);
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
        test_stream stream = test_stream_any(&random, 1000);
        test_channel_make(&test, &config);
        test_stream_run_all(&test, &stream);
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
        test_stream stream = test_stream_any(&random, 250);
        test_channel_make(&test, &config);
        test_channel_make(&every, &config);
        every.every = true;
        test_stream_run_all(&test, &stream);
        test_stream_run_all(&every, &stream);
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
        test_random draws = {stream.seed};
        gm_cycle end = test_stream_run(&whole, &stream, &draws, 0, GM_NEVER);
        gm_cycle middle = test_random_below(&random, end);
        test_channel_make(&test, &config);
        draws = (test_random){stream.seed};
        (void)test_stream_run(&test, &stream, &draws, 0, middle);
        test_stream_reload(&test);
        (void)test_stream_run(&test, &stream, &draws, middle, GM_NEVER);
        test_stream_same(&test, &whole);
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
        test_stream stream = {.requests = 600,
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
        test_stream_run_all(&test, &stream);
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
        test_stream stream = {.requests = 600,
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
        test_stream_run_all(&test, &stream);
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
