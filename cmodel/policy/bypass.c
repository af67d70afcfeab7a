/* Bypass policies: the table of all, and the calls outside an access. */
#include "policy/bypass.h"

static const gm_bypass_ops none = {.on_stall = false};

#define ROW(NAME, name, text) [GM_BYPASS_##NAME] = &gm_bypass_##name,
static const gm_bypass_ops *const policies[] = {[GM_BYPASS_NONE] = &none, GM_BYPASS_POLICIES(ROW)};
#undef ROW

int gm_bypass_shared_init(gm_bypass_shared *shared, const gm_config *config, uint64_t sets,
                          uint64_t ways, gm_error *error)
{
    const gm_bypass_ops *ops = policies[config->l1.bypass];
    *shared = (gm_bypass_shared){
        .ops = ops,
        .config = config,
        .sets = (uint32_t)sets,
        .ways = (uint32_t)ways,
        .line_stalls = config->l1.mrpb_stalls == GM_MRPB_LINE_STALLS,
    };
    return config->l1.enabled && ops->open != NULL ? ops->open(shared, error) : 0;
}

void gm_bypass_shared_free(gm_bypass_shared *shared)
{
    if (shared->ops != NULL && shared->ops->close != NULL) {
        shared->ops->close(shared);
    }
    shared->data = NULL;
}

int gm_bypass_kernel(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                     gm_error *error)
{
    return shared->ops->kernel != NULL ? shared->ops->kernel(shared, number, kernel, error) : 0;
}

bool gm_bypass_decides(gm_l1_bypass kind)
{
    const gm_bypass_ops *ops = policies[kind];
    return ops->load != NULL || ops->store != NULL || ops->accessed != NULL ||
           ops->filled != NULL || ops->protection != NULL;
}

size_t gm_bypass_bytes(const gm_bypass_shared *shared)
{
    return shared->ops->bytes != NULL ? shared->ops->bytes(shared) : 0;
}

int gm_bypass_init(gm_bypass_policy *policy, const gm_bypass_shared *shared, uint32_t sm,
                   gm_arena *arena, gm_error *error)
{
    *policy = (gm_bypass_policy){.ops = shared->ops, .shared = shared, .sm = sm};
    return shared->ops->init != NULL ? shared->ops->init(policy, arena, error) : 0;
}

int gm_bypass_check(const gm_bypass_policy *policy, const char *where, gm_error *error)
{
    return policy->ops->check != NULL ? policy->ops->check(policy, where, error) : 0;
}

void gm_bypass_snapshot(gm_bypass_policy *policy, gm_snapshot *snapshot)
{
    if (policy->ops->snapshot != NULL) {
        policy->ops->snapshot(policy, snapshot);
    }
}
