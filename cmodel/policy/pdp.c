/* PDP with a static protecting distance (Duong et al., MICRO 2012), as [li, 3.1] describes it: a
 * line that is filled or hit is protected at the next `distance` accesses to its set; the victim is
 * an unprotected line, and where all lines are protected the load bypasses the L1.
 *
 * The paper decrements a counter of each line at each access to its set. Here the accesses to the
 * set are counted, and each line keeps the number of the last access at which it is protected: the
 * difference of the two is the paper's counter. */
#include "policy/bypass.h"

#include <errno.h>

typedef struct pdp {
    uint64_t distance;
    uint64_t *accesses; /* [sets] accesses to each set so far */
    uint64_t *until;    /* [sets * ways] the last access at which the slot's line is protected */
} pdp;

static size_t slots_of(const gm_bypass_shared *shared)
{
    return (size_t)shared->sets * shared->ways;
}

/* init */

static size_t bytes(const gm_bypass_shared *shared)
{
    enum { ALIGNMENT = 64, PIECES = 3 };
    return sizeof(pdp) + (shared->sets + slots_of(shared)) * sizeof(uint64_t) +
           (size_t)PIECES * ALIGNMENT;
}

static int init(gm_bypass_policy *policy, gm_arena *arena, gm_error *error)
{
    const gm_bypass_shared *shared = policy->shared;
    pdp *pdp = policy->state = gm_arena_take(arena, 1, sizeof *pdp);
    if (pdp != NULL) {
        pdp->distance = shared->config->l1.protecting_distance;
        pdp->accesses = gm_arena_take(arena, shared->sets, sizeof *pdp->accesses);
        pdp->until = gm_arena_take(arena, slots_of(shared), sizeof *pdp->until);
    }
    return pdp != NULL && pdp->accesses != NULL && pdp->until != NULL
               ? 0
               : gm_fail(error, -ENOMEM, "out of memory: the protecting distances of an L1");
}

/* access */

static void accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot)
{
    pdp *pdp = policy->state;
    uint64_t access = ++pdp->accesses[set];
    if (slot != GM_BYPASS_NO_SLOT) {
        pdp->until[slot] = access + pdp->distance;
    }
}

/* fill */

static void filled(gm_bypass_policy *policy, uint32_t slot)
{
    pdp *pdp = policy->state;
    pdp->until[slot] = pdp->accesses[slot / policy->shared->ways] + pdp->distance;
}

/* evict */

static gm_protection protection(const gm_bypass_policy *policy, uint32_t set)
{
    const pdp *pdp = policy->state;
    return (gm_protection){pdp->distance != 0 ? pdp->until : NULL, pdp->accesses[set] + 1};
}

/* check */

static int check(const gm_bypass_policy *policy, const char *where, gm_error *error)
{
    const gm_bypass_shared *shared = policy->shared;
    const pdp *pdp = policy->state;
    for (uint32_t slot = 0; slot < slots_of(shared); slot++) {
        uint64_t most = pdp->accesses[slot / shared->ways] + pdp->distance;
        if (pdp->until[slot] > most) {
            return gm_fail(error, -EPROTO,
                           "%s: slot %u is protected for %llu more accesses than "
                           "l1.protecting_distance allows",
                           where, slot, (unsigned long long)(pdp->until[slot] - most));
        }
    }
    return 0;
}

/* snapshot */

static void snapshot(gm_bypass_policy *policy, gm_snapshot *snapshot)
{
    pdp *pdp = policy->state;
    GM_SNAPSHOT_ARRAY(snapshot, pdp->accesses, policy->shared->sets);
    GM_SNAPSHOT_ARRAY(snapshot, pdp->until, slots_of(policy->shared));
}

const gm_bypass_ops gm_bypass_pdp = {
    .bytes = bytes,
    .init = init,
    .accessed = accessed,
    .filled = filled,
    .protection = protection,
    .check = check,
    .snapshot = snapshot,
};
