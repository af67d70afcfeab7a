/* Profiled-BYPASS [li, 6.1]: a filter made of an earlier run's references keeps lines without reuse
 * out of the L1. What counts as reuse is gm_profile_keeps's. */
#include "policy/policy.h"

bool gm_profiled_load(const gm_bypass_policy *policy, uint64_t line)
{
    return !gm_profile_keeps(policy->shared->profile, line, policy->sm);
}
