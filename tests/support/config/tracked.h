/* Machines with sharing trackers in time. */
#ifndef GOLDMEM_TESTS_SUPPORT_CONFIG_TRACKED_H
#define GOLDMEM_TESTS_SUPPORT_CONFIG_TRACKED_H

#include "goldmem/config.h"
#include "support/support.h"

/* Enables trackers, and changes what timed ones cannot have. */
void make_tracked(gm_config *config, test_random *random);

/* Changes what an L2 that takes the L1s' victims (l2.victim) cannot have beside it; or the L2 takes
 * none. Requires a machine that make_tracked has changed. */
void fit_victims(gm_config *config);

/* Sets of trackers that fit the machine, few enough that entries are dropped. */
void fit_trackers(gm_config *config, test_random *random);

#endif
