/* Random requests for a DRAM channel alone. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_RANDOM_STREAM_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_RANDOM_STREAM_H

#include "support/cycle/dram/gddr5_channel.h"

typedef struct test_stream {
    uint32_t requests;
    uint32_t rows;   /* of a bank */
    uint32_t lines;  /* of a row, at most */
    uint32_t writes; /* percent */
    uint32_t pushes; /* percent of a bank's cycles in which it wants to push */
    uint32_t takes;  /* percent of a bank's cycles in which it takes an answer */
    uint64_t seed;
} test_stream;

/* Any stream of so many requests. */
test_stream test_stream_any(test_random *random, uint32_t requests);

/* Runs cycles from `now` until `stop`, or until all is done. Fails when an L2 bank that waits for
 * room is not woken. Returns the next cycle. */
gm_cycle test_stream_run(test_channel *test, const test_stream *stream, test_random *random,
                         gm_cycle now, gm_cycle stop);

/* Runs the whole stream from its own seed. Returns the next cycle. */
gm_cycle test_stream_run_all(test_channel *test, const test_stream *stream);

/* Fails unless both channels had the same commands and answers, and counted the same. */
void test_stream_same(const test_channel *a, const test_channel *b);

/* Saves the channel's state, and goes on with a new channel that loads it. */
void test_stream_reload(test_channel *test);

/* One of the values. */
uint64_t test_one_of(test_random *random, const uint64_t *values, size_t count);
#define TEST_ONE_OF(random, ...)                                                                   \
    test_one_of(random, (const uint64_t[]){__VA_ARGS__},                                           \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif
