/* A GDDR5 channel alone, visited as the engine would, with all that happens written down. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_CHANNEL_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_CHANNEL_H

#include "support/cycle/dram/gddr5_rules.h"
#include "support/support.h"

enum { TEST_DRAM_L2_BANKS = 4 };

typedef struct test_channel {
    gm_config config;
    gm_arena arena;
    gm_gddr5 channel;
    gm_cycle wake, bank_wake[TEST_DRAM_L2_BANKS], *bank_wakes[TEST_DRAM_L2_BANKS];
    gm_gddr5_observer observer;
    test_dram_log log;
    size_t room[3];                    /* of commands, pushes, takes */
    gm_cycle seen[TEST_DRAM_L2_BANKS]; /* when the answer at the head was first seen; GM_NEVER */
    uint64_t visits;
    bool every; /* the channel is visited in every cycle */
} test_channel;

/* The gtx480 preset with the L2 banks above; change it, then make the channel. */
void test_channel_config(gm_config *config);

/* As test_channel_config, with equal clocks and a latency of one cycle: a request of cycle 0 is in
 * the queue in cycle 1. */
void test_channel_simple(gm_config *config);

void test_channel_make(test_channel *test, const gm_config *config);
void test_channel_free(test_channel *test);

/* The channel's turn in core cycle `now`. */
void test_channel_visit(test_channel *test, gm_cycle now);

/* Pushes a request; its id becomes its number, and is returned. */
uint32_t test_channel_push(test_channel *test, gm_dram_request request, gm_cycle now);

/* Pushes a request of L2 bank 0. */
void test_channel_request(test_channel *test, uint64_t address, uint32_t sectors, bool write,
                          gm_cycle now);

/* The L2 bank's turn. Returns true if an answer has arrived, which it takes if `take`. Fails when
 * the bank's wake-up time is later than an answer. Requires one call in a cycle, at most. */
bool test_channel_answer(test_channel *test, uint32_t bank, bool take, gm_cycle now);

/* Visits in cycles from `now` on, taking every answer at once, until nothing is left. Returns the
 * next cycle. */
gm_cycle test_channel_drain(test_channel *test, gm_cycle now);

/* Fails unless the commands so far are these: {cycle, command, bank, column, row}. */
void test_channel_expect(const test_channel *test, const test_dram_command *commands, size_t count);
#define TEST_CHANNEL_EXPECT(test, ...)                                                             \
    do {                                                                                           \
        const test_dram_command list[] = {__VA_ARGS__};                                            \
        test_channel_expect(test, list, sizeof list / sizeof *list);                               \
    } while (0)

/* Fails unless the log is without fault, is what FR-FCFS gives, and the channel's own laws hold. */
void test_channel_verify(test_channel *test);

#endif
