/* PDP with a static protecting distance (Duong et al., MICRO 2012), as [li, 3.1] describes it: a
 * line that is filled or hit is protected at the next `distance` accesses to its set; the victim is
 * a line that is not, and where all are, the load bypasses.
 *
 * The counter of each line would be decremented at each access to its set. Instead the accesses to
 * the set are counted, and each line keeps the number of the last at which it is protected: the
 * counter is what is left until then. */
#include "policy/policy.h"

#include <errno.h>

static size_t slots_of(const gm_bypass_shared *shared)
{
    return (size_t)shared->sets * shared->ways;
}

size_t gm_pdp_bytes(const gm_bypass_shared *shared)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    return (shared->sets + slots_of(shared)) * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
}

int gm_pdp_init(gm_bypass_policy *policy, gm_arena *arena, gm_error *error)
{
    const gm_bypass_shared *shared = policy->shared;
    gm_pdp *pdp = &policy->pdp;
    pdp->accesses = gm_arena_take(arena, shared->sets, sizeof *pdp->accesses);
    pdp->until = gm_arena_take(arena, slots_of(shared), sizeof *pdp->until);
    return pdp->accesses != NULL && pdp->until != NULL
               ? 0
               : gm_fail(error, -ENOMEM, "out of memory: the protecting distances of an L1");
}

gm_protection gm_pdp_protection(const gm_bypass_policy *policy, uint32_t set)
{
    bool any = policy->shared->distance != 0;
    return (gm_protection){any ? policy->pdp.until : NULL, policy->pdp.accesses[set] + 1};
}

void gm_pdp_accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot)
{
    uint64_t access = ++policy->pdp.accesses[set];
    if (slot != GM_BYPASS_NO_SLOT) {
        policy->pdp.until[slot] = access + policy->shared->distance;
    }
}

void gm_pdp_filled(gm_bypass_policy *policy, uint32_t slot)
{
    uint64_t accesses = policy->pdp.accesses[slot / policy->shared->ways];
    policy->pdp.until[slot] = accesses + policy->shared->distance;
}

int gm_pdp_check(const gm_bypass_policy *policy, const char *where, gm_error *error)
{
    const gm_bypass_shared *shared = policy->shared;
    for (uint32_t slot = 0; slot < slots_of(shared); slot++) {
        uint64_t most = policy->pdp.accesses[slot / shared->ways] + shared->distance;
        if (policy->pdp.until[slot] > most) {
            return gm_fail(error, -EPROTO,
                           "%s: slot %u is protected for %llu more accesses than "
                           "l1.protecting_distance allows",
                           where, slot, (unsigned long long)(policy->pdp.until[slot] - most));
        }
    }
    return 0;
}
