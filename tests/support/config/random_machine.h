/* Random machines for the cycle engine: a random value for every key of the configuration. */
#ifndef GOLDMEM_TESTS_SUPPORT_CONFIG_RANDOM_MACHINE_H
#define GOLDMEM_TESTS_SUPPORT_CONFIG_RANDOM_MACHINE_H

#include "goldmem/config.h"
#include "support/support.h"

/* Small, so that a run is short, and with room for CTAs of four warps. Some are refused by
 * gm_config_check: a set-index function that does not go with the size. `quick`: no latency or
 * interval is long, so that each cycle of a run can be visited. */
gm_config random_machine(test_random *random, bool quick);

/* As options of `goldmem run`, to standard error. */
void print_machine(const gm_config *config);

#endif
