/* Checker of a GDDR5 channel's commands, written from the definitions of the timing parameters
 * [JEDEC JESD212, GDDR5 SGRAM], not from the model: compares each command with each that came
 * before it. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_RULES_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_GDDR5_RULES_H

#include "cycle/dram/gddr5.h"

/* A command as the channel's observer is told it. */
typedef struct test_dram_command {
    gm_cycle at; /* DRAM cycle */
    gm_gddr5_command command;
    uint32_t bank, column;
    uint64_t row;
} test_dram_command;

/* Commands, and the request that each channel gets and gives back, in order of time. */
typedef struct test_dram_push {
    gm_dram_request request;
    gm_cycle at; /* core cycle */
} test_dram_push;

typedef struct test_dram_take {
    uint32_t id;
    uint32_t bank;
    gm_cycle at;   /* core cycle in which the L2 bank took the answer */
    gm_cycle seen; /* and in which it first could */
} test_dram_take;

typedef struct test_dram_log {
    test_dram_command *command;
    test_dram_push *push;
    test_dram_take *take;
    size_t commands, pushes, takes;
} test_dram_log;

/* The timing rule that `next` would break after the first `count` commands, or NULL. */
const char *test_dram_rule(const gm_config *config, const test_dram_command *history, size_t count,
                           const test_dram_command *next);

/* The row, over all banks of the partition, in which an address lies, and *in_row: its byte there.
 */
uint64_t test_dram_row(const gm_config *config, uint64_t address, uint64_t *in_row);

/* What is wrong with a finished log, in words that begin with the rule; false: nothing. Every
 * command obeys every rule; rows are open when they must be; each request is served once, burst by
 * burst, in order among those to its row; each read is answered once, when its data are there. */
bool test_dram_fault(const gm_config *config, const test_dram_log *log, char *text, size_t size);

/* True if the log has the commands that FR-FCFS gives, found by trying each request in each cycle.
 * Else *text has the first difference. */
bool test_dram_first_ready(const gm_config *config, const test_dram_log *log, char *text,
                           size_t size);

#endif
