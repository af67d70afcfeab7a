/* Profiled-BYPASS [li, 6.1]: loads of lines without reuse in a profile bypass the L1.
 * gm_profile_keeps defines reuse. */
#include "policy/bypass.h"

/* init */

static int open_profile(gm_bypass_shared *shared, gm_error *error)
{
    gm_profile *profile = NULL;
    int code = gm_profile_open(&profile, shared->config, error);
    shared->data = profile;
    return code;
}

static int begin_kernel(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                        gm_error *error)
{
    return shared->data != NULL ? gm_profile_kernel(shared->data, number, kernel, error) : 0;
}

static void close_profile(gm_bypass_shared *shared)
{
    gm_profile_close(shared->data);
}

/* access */

static bool bypass_load(const gm_bypass_policy *policy, uint64_t line, bool chosen)
{
    (void)chosen;
    return !gm_profile_keeps(policy->shared->data, line, policy->sm);
}

const gm_bypass_ops gm_bypass_profiled = {
    .open = open_profile,
    .kernel = begin_kernel,
    .close = close_profile,
    .load = bypass_load,
};
