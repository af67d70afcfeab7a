/* Machines with coherent L1s. */
#ifndef GOLDMEM_TESTS_SUPPORT_CONFIG_COHERENT_H
#define GOLDMEM_TESTS_SUPPORT_CONFIG_COHERENT_H

#include "goldmem/config.h"
#include "support/support.h"

/* Gives the machine a random protocol, and changes what protocols refuse: each kind of fence, of
 * merging and of lifetime; time of few bits, which begins anew often. The sets of the caches stay
 * unless their lines change. */
void make_coherent(gm_config *config, test_random *random);

#endif
