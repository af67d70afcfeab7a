/* Random requests for a DRAM channel alone: each L2 bank pushes and takes at random. */
#include "support/cycle/dram/random_stream.h"

#include "cycle/dram/parts.h"

static gm_dram_request any_request(test_random *random, const gm_config *config,
                                   const test_stream *stream)
{
    uint64_t per_row = config->dram.row / config->l2.line;
    uint64_t lines = per_row < stream->lines ? per_row : stream->lines;
    uint64_t row = test_random_below(random, stream->rows * gm_dram_banks(config));
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
static void l2_banks(test_channel *test, const test_stream *stream, test_random *random,
                     gm_cycle now)
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

gm_cycle test_stream_run(test_channel *test, const test_stream *stream, test_random *random,
                         gm_cycle now, gm_cycle stop)
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

gm_cycle test_stream_run_all(test_channel *test, const test_stream *stream)
{
    test_random random = {stream->seed};
    return test_stream_run(test, stream, &random, 0, GM_NEVER);
}

void test_stream_same(const test_channel *a, const test_channel *b)
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

void test_stream_reload(test_channel *test)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    gm_snapshot snapshot = {.file = file};
    gm_gddr5_snapshot(&test->channel, &snapshot);
    assert_int_equal(snapshot.failed, 0);
    gm_arena arena = test->arena;
    gm_error error;
    test_ok(gm_arena_create(&test->arena, gm_gddr5_bytes(&test->config), &error), error);
    gm_gddr5 before = test->channel;
    test_ok(gm_gddr5_init(&test->channel, &test->config, &test->arena, &error), error);
    test->channel.wake = before.wake;
    test->channel.bank_wake = before.bank_wake;
    test->channel.observer = before.observer;
    rewind(file);
    gm_snapshot loading = {.file = file, .loading = true};
    gm_gddr5_snapshot(&test->channel, &loading);
    assert_int_equal(loading.failed, 0);
    assert_true(loading.sum == snapshot.sum && loading.bytes == snapshot.bytes);
    (void)fclose(file);
    size_t parts = arena.used; /* of the arena: pointers to it, which no snapshot has */
    size_t after = arena.used;
    if (before.parts != NULL) {
        parts = (size_t)((const char *)before.parts - (const char *)arena.memory);
        after = parts + sizeof *before.parts;
        assert_int_equal(before.parts->reopened, test->channel.parts->reopened);
    }
    assert_memory_equal(arena.memory, test->arena.memory, parts);
    assert_memory_equal((const char *)arena.memory + after,
                        (const char *)test->arena.memory + after, arena.used - after);
    gm_arena_free(&arena);
}

uint64_t test_one_of(test_random *random, const uint64_t *values, size_t count)
{
    return values[test_random_below(random, count)];
}

test_stream test_stream_any(test_random *random, uint32_t requests)
{
    return (test_stream){.requests = requests,
                         .rows = (uint32_t)TEST_ONE_OF(random, 1, 2, 2, 8),
                         .lines = (uint32_t)TEST_ONE_OF(random, 1, 4, 32),
                         .writes = (uint32_t)TEST_ONE_OF(random, 0, 10, 50, 100),
                         .pushes = (uint32_t)TEST_ONE_OF(random, 100, 30, 3),
                         .takes = (uint32_t)TEST_ONE_OF(random, 100, 100, 20),
                         .seed = test_random_next(random)};
}
