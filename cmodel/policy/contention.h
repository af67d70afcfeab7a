/* The block contention_bypass of an SM [anssari, 3.3], as l1.bypass=contention uses it. */
#ifndef GOLDMEM_POLICY_CONTENTION_H
#define GOLDMEM_POLICY_CONTENTION_H

#include "goldmem/config.h"
#include "goldmem/contention_bypass.h"
#include "policy/bypass.h"

/* Returns the block's parameters in a configuration. */
gm_contention_bypass_parameters gm_contention_parameters(const gm_config *config);

/* Sets the observer of the SM's block, if the policy is contention. */
void gm_contention_observe(gm_bypass_policy *policy, const gm_observer *observer);

#endif
