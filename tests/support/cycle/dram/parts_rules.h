/* Checker of the commands of GDDR6's and HBM's channels: every least distance between two commands
 * of a bank, a bank group, a pseudo-channel or a command bus, as the standards define them
 * [JESD250, JESD235, JESD238, as Ramulator 2.1 prints them in python/ramulator/dram]. Written from
 * the keys and not from the model: compares each command with each that came before it. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_PARTS_RULES_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_DRAM_PARTS_RULES_H

#include "support/cycle/dram/gddr5_rules.h"

/* The rule that `next` would break after the first `count` commands, or NULL. */
const char *test_parts_rule(const gm_config *config, const test_dram_command *history, size_t count,
                            const test_dram_command *next);

/* The cycle in which refresh `number`, from 0, of a part is due: the parts' are spread evenly. */
gm_cycle test_parts_due(const gm_config *config, uint64_t part, uint64_t number);

/* What is wrong with the log's refreshes, or NULL: each bank's turn comes in time, and not early.
 * *at: the command. */
const char *test_parts_refresh(const gm_config *config, const test_dram_log *log, size_t *at);

#endif
