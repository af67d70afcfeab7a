/* Contention [anssari, 3.3]: the loads of an instruction that touches as many lines as a warp's
 * share of the L1, or more, bypass the L1. The block contention_bypass decides, once for each
 * instruction. */
#include "policy/contention.h"

#include <errno.h>

/* Most line requests of an instruction (GM_COALESCED_REQUESTS of the coalescer). */
enum { MOST_TOUCHED = 2080 };

gm_contention_bypass_parameters gm_contention_parameters(const gm_config *config)
{
    return (gm_contention_bypass_parameters){
        .touched = MOST_TOUCHED,
        .warps = (unsigned)config->sm.warps,
        .lines = (unsigned)(gm_config_l1_sets(config) * gm_config_l1_most_ways(config)),
    };
}

void gm_contention_observe(gm_bypass_policy *policy, const gm_observer *observer)
{
    if (policy->ops == &gm_bypass_contention && policy->state != NULL) {
        gm_contention_bypass *block = policy->state;
        block->observer = observer;
    }
}

/* init */

static size_t bytes(const gm_bypass_shared *shared)
{
    enum { ALIGNMENT = 64 };
    (void)shared;
    return sizeof(gm_contention_bypass) + ALIGNMENT;
}

static int init(gm_bypass_policy *policy, gm_arena *arena, gm_error *error)
{
    gm_contention_bypass *block = policy->state = gm_arena_take(arena, 1, sizeof *block);
    const gm_contention_bypass_parameters parameters =
        gm_contention_parameters(policy->shared->config);
    return block != NULL ? gm_contention_bypass_init(block, &parameters, error)
                         : gm_fail(error, -ENOMEM, "out of memory: the bypass of an L1");
}

/* access */

static bool instruction(const gm_bypass_policy *policy, const gm_bypass_contenders *contenders)
{
    const gm_contention_bypass_request request = {
        .touched = contenders->touched, .warps = contenders->warps, .lines = contenders->lines};
    return gm_contention_bypass_access(policy->state, request).bypass ==
           GM_CONTENTION_BYPASS_BYPASSES;
}

static bool bypass_load(const gm_bypass_policy *policy, uint64_t line, bool chosen)
{
    (void)policy;
    (void)line;
    return chosen;
}

const gm_bypass_ops gm_bypass_contention = {
    .bytes = bytes,
    .init = init,
    .instruction = instruction,
    .load = bypass_load,
};
