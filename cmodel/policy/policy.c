/* Bypass policies: who answers. */
#include "policy/policy.h"

#include <errno.h>

int gm_bypass_shared_init(gm_bypass_shared *shared, const gm_config *config, uint64_t sets,
                          uint64_t ways, gm_error *error)
{
    *shared = (gm_bypass_shared){
        .kind = config->l1.bypass,
        .sets = (uint32_t)sets,
        .ways = (uint32_t)ways,
        .distance = config->l1.protecting_distance,
    };
    if (!config->l1.enabled || shared->kind != GM_BYPASS_PROFILED) {
        return 0;
    }
    return gm_profile_open(&shared->profile, config, error);
}

void gm_bypass_shared_free(gm_bypass_shared *shared)
{
    gm_profile_close(shared->profile);
    shared->profile = NULL;
}

int gm_bypass_kernel(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                     gm_error *error)
{
    return shared->profile != NULL ? gm_profile_kernel(shared->profile, number, kernel, error) : 0;
}

size_t gm_bypass_bytes(const gm_bypass_shared *shared)
{
    return shared->kind == GM_BYPASS_PDP ? gm_pdp_bytes(shared) : 0;
}

int gm_bypass_init(gm_bypass_policy *policy, const gm_bypass_shared *shared, uint32_t sm,
                   gm_arena *arena, gm_error *error)
{
    *policy = (gm_bypass_policy){.shared = shared, .sm = sm};
    return shared->kind == GM_BYPASS_PDP ? gm_pdp_init(policy, arena, error) : 0;
}

bool gm_bypass_load(const gm_bypass_policy *policy, uint64_t line)
{
    switch (policy->shared->kind) {
    case GM_BYPASS_ALL:
        return gm_ball_load();
    case GM_BYPASS_PROFILED:
        return gm_profiled_load(policy, line);
    case GM_BYPASS_NONE:
    case GM_BYPASS_MRPB:
    case GM_BYPASS_PDP:
        break;
    }
    return false;
}

bool gm_bypass_store(const gm_bypass_policy *policy)
{
    return policy->shared->kind == GM_BYPASS_ALL && gm_ball_store();
}

gm_protection gm_bypass_protection(const gm_bypass_policy *policy, uint32_t set)
{
    return policy->shared->kind == GM_BYPASS_PDP ? gm_pdp_protection(policy, set)
                                                 : (gm_protection){0};
}

void gm_bypass_accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot)
{
    if (policy->shared->kind == GM_BYPASS_PDP) {
        gm_pdp_accessed(policy, set, slot);
    }
}

void gm_bypass_filled(gm_bypass_policy *policy, uint32_t slot)
{
    if (policy->shared->kind == GM_BYPASS_PDP) {
        gm_pdp_filled(policy, slot);
    }
}

int gm_bypass_check(const gm_bypass_policy *policy, const char *where, gm_error *error)
{
    return policy->shared->kind == GM_BYPASS_PDP ? gm_pdp_check(policy, where, error) : 0;
}
