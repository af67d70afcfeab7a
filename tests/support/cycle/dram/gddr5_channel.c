/* A GDDR5 channel alone: the engine's part, and the log. */
#include "support/cycle/dram/gddr5_channel.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more element in a growing array. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return array;
    }
    *room = *room == 0 ? 1024 : *room * 2;
    void *larger = realloc(array, *room * size);
    assert_non_null(larger);
    return larger;
}

static void write_down(void *context, gm_cycle at, gm_gddr5_command command, uint32_t bank,
                       uint64_t row, uint32_t column)
{
    test_channel *test = context;
    test_dram_log *log = &test->log;
    log->command = grow(log->command, log->commands, &test->room[0], sizeof *log->command);
    log->command[log->commands++] = (test_dram_command){at, command, bank, column, row};
}

void test_channel_config(gm_config *config)
{
    gm_error error;
    test_ok(gm_config_preset(config, "gtx480", &error), error);
    config->memory.banks = TEST_DRAM_L2_BANKS;
}

void test_channel_simple(gm_config *config)
{
    test_channel_config(config);
    config->clock.dram = config->clock.core;
    config->dram.latency = 1;
}

void test_channel_make(test_channel *test, const gm_config *config)
{
    gm_error error;
    memset(test, 0, sizeof *test);
    test->config = *config;
    test_ok(gm_arena_create(&test->arena, gm_gddr5_bytes(config), &error), error);
    test_ok(gm_gddr5_init(&test->channel, config, &test->arena, &error), error);
    test->observer = (gm_gddr5_observer){test, write_down};
    test->wake = GM_NEVER;
    for (unsigned i = 0; i < TEST_DRAM_L2_BANKS; i++) {
        test->bank_wake[i] = GM_NEVER;
        test->bank_wakes[i] = &test->bank_wake[i];
        test->seen[i] = GM_NEVER;
    }
    test->channel.wake = &test->wake;
    test->channel.bank_wake = test->bank_wakes;
    test->channel.observer = &test->observer;
}

void test_channel_free(test_channel *test)
{
    gm_arena_free(&test->arena);
    free(test->log.command);
    free(test->log.push);
    free(test->log.take);
}

void test_channel_visit(test_channel *test, gm_cycle now)
{
    if (test->every || test->wake <= now) {
        test->wake = GM_NEVER;
        gm_gddr5_step(&test->channel, now);
        test->visits++;
    }
    if (test->every) { /* a visit too many does nothing */
        gm_gddr5_step(&test->channel, now);
    }
}

uint32_t test_channel_push(test_channel *test, gm_dram_request request, gm_cycle now)
{
    test_dram_log *log = &test->log;
    assert_true(gm_gddr5_has_room(&test->channel, now));
    log->push = grow(log->push, log->pushes, &test->room[1], sizeof *log->push);
    request.id = (uint32_t)log->pushes;
    log->push[log->pushes++] = (test_dram_push){request, now};
    gm_gddr5_push(&test->channel, &request, now);
    return request.id;
}

void test_channel_request(test_channel *test, uint64_t address, uint32_t sectors, bool write,
                          gm_cycle now)
{
    gm_dram_request request = {.address = address, .sectors = sectors, .write = write};
    (void)test_channel_push(test, request, now);
}

bool test_channel_answer(test_channel *test, uint32_t bank, bool take, gm_cycle now)
{
    if (test->bank_wake[bank] > now) { /* it sleeps, and misses nothing */
        assert_null(gm_gddr5_peek(&test->channel, bank, now));
        return false;
    }
    test->bank_wake[bank] = GM_NEVER;
    const gm_dram_request *answer = gm_gddr5_peek(&test->channel, bank, now);
    if (answer == NULL) {
        test->bank_wake[bank] = *gm_gddr5_data_cell(&test->channel, bank);
        return false;
    }
    test->seen[bank] = test->seen[bank] == GM_NEVER ? now : test->seen[bank];
    if (!take) {
        test->bank_wake[bank] = now + 1;
        return true;
    }
    test_dram_log *log = &test->log;
    log->take = grow(log->take, log->takes, &test->room[2], sizeof *log->take);
    log->take[log->takes++] = (test_dram_take){answer->id, bank, now, test->seen[bank]};
    test->seen[bank] = GM_NEVER;
    gm_gddr5_pop(&test->channel, bank, now);
    gm_cycle next = *gm_gddr5_data_cell(&test->channel, bank);
    test->bank_wake[bank] = next > now ? next : now + 1;
    return true;
}

gm_cycle test_channel_drain(test_channel *test, gm_cycle now)
{
    for (; !gm_gddr5_idle(&test->channel); now++) {
        assert_true(now < UINT64_C(1) << 32);
        test_channel_visit(test, now);
        for (uint32_t bank = 0; bank < TEST_DRAM_L2_BANKS; bank++) {
            (void)test_channel_answer(test, bank, true, now);
        }
    }
    return now;
}

void test_channel_verify(test_channel *test)
{
    char text[256];
    gm_error error;
    if (test_dram_fault(&test->config, &test->log, text, sizeof text)) {
        fail_msg("%s", text);
    }
    if (!test_dram_first_ready(&test->config, &test->log, text, sizeof text)) {
        fail_msg("%s", text);
    }
    test_ok(gm_gddr5_check(&test->channel, &error), error);
}

void test_channel_expect(const test_channel *test, const test_dram_command *commands, size_t count)
{
    for (size_t i = 0; i < count && i < test->log.commands; i++) {
        const test_dram_command *is = &test->log.command[i];
        if (is->at != commands[i].at || is->command != commands[i].command ||
            is->bank != commands[i].bank || is->row != commands[i].row ||
            is->column != commands[i].column) {
            fail_msg("command %zu: cycle %llu kind %d bank %u column %u row %llu", i,
                     (unsigned long long)is->at, (int)is->command, is->bank, is->column,
                     (unsigned long long)is->row);
        }
    }
    assert_int_equal(test->log.commands, count);
}
