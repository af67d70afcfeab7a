/* Bypass policies of a conventional L1, with which [li, 6.1] compares its decoupled L1. Each is a
 * constant of gm_bypass_ops in a file of its own and a row of GM_BYPASS_POLICIES
 * (goldmem/config.h). Both engines call the policy at equal points of an access.
 * docs/bypass-policies.md has the rules of each and the modelling choices beyond the papers. */
#ifndef GOLDMEM_POLICY_BYPASS_H
#define GOLDMEM_POLICY_BYPASS_H

#include "base/snapshot.h"
#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "policy/profile.h"

#include <stdbool.h>
#include <stdint.h>

#define GM_BYPASS_NO_SLOT UINT32_MAX

typedef struct gm_bypass_ops gm_bypass_ops;

/* A policy's part that the L1s of all SMs share. */
typedef struct gm_bypass_shared {
    const gm_bypass_ops *ops;
    const gm_config *config; /* the caller's; read by `open` and `init` only */
    uint32_t sets, ways;     /* of an L1; 0 where it is unbounded */
    bool line_stalls;        /* on_stall: only when no line can be allocated */
    void *data;              /* made by `open` */
    gm_profile_writer *into; /* profile that this run writes, or NULL: no part of the policy */
} gm_bypass_shared;

/* The policy of one L1. */
typedef struct gm_bypass_policy {
    const gm_bypass_ops *ops;
    const gm_bypass_shared *shared;
    void *state; /* taken from the arena by `init` */
    uint32_t sm;
} gm_bypass_policy;

/* A slot may not be evicted while until[slot] >= access. */
typedef struct gm_protection {
    const uint64_t *until; /* [slots]; NULL: no slot is protected */
    uint64_t access;       /* number of the access that needs a victim */
} gm_protection;

/* What a load instruction competes with for the lines of an L1. */
typedef struct gm_bypass_contenders {
    uint32_t touched; /* lines that it touches */
    uint32_t warps;   /* resident in the SM, its own among them */
    uint32_t lines;   /* of the L1 */
} gm_bypass_contenders;

/* A policy. For a member that is NULL or false the L1 behaves as without a policy. */
struct gm_bypass_ops {
    /* init: of all L1s. `open` is called once, if the L1 is enabled. `kernel` is called before each
     * kernel; `number` counts the run's kernels from 0. `close` is called even if `open` failed.
     * Return 0 or a negative errno value. */
    int (*open)(gm_bypass_shared *shared, gm_error *error);
    int (*kernel)(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                  gm_error *error);
    void (*close)(gm_bypass_shared *shared);
    /* init: of one L1. `bytes` returns the bytes of an arena that `init` takes. `init` returns 0 or
     * -ENOMEM. */
    size_t (*bytes)(const gm_bypass_shared *shared);
    int (*init)(gm_bypass_policy *policy, gm_arena *arena, gm_error *error);

    /* access: `instruction`: called once for each load instruction, before its requests; the answer
     * is their `chosen`. `load`: true if a load bypasses the L1; asked when its line is neither
     * present nor in flight. `store`: true if a store bypasses. `on_stall`: a load bypasses that
     * would stall for a line, an MSHR entry, a merge or room in the miss queue. `accessed` is
     * called after each load or store that looked the set up: `slot` is the slot in which it found
     * or allocated its line, or GM_BYPASS_NO_SLOT. */
    bool (*instruction)(const gm_bypass_policy *policy, const gm_bypass_contenders *contenders);
    bool (*load)(const gm_bypass_policy *policy, uint64_t line, bool chosen);
    bool (*store)(const gm_bypass_policy *policy);
    bool on_stall;
    void (*accessed)(gm_bypass_policy *policy, uint32_t set, uint32_t slot);

    /* fill: called when a line was allocated in `slot` on the fill, without an access. */
    void (*filled)(gm_bypass_policy *policy, uint32_t slot);

    /* evict: returns the slots of a set that may not be the victim of the next access. */
    gm_protection (*protection)(const gm_bypass_policy *policy, uint32_t set);

    /* check: of the policy's invariants. Returns 0, or -EPROTO, which names the broken one. */
    int (*check)(const gm_bypass_policy *policy, const char *where, gm_error *error);

    /* snapshot: saves or loads `state` (base/snapshot.h). */
    void (*snapshot)(gm_bypass_policy *policy, gm_snapshot *snapshot);
};

#define GM_BYPASS_DECLARE(NAME, name, text) extern const gm_bypass_ops gm_bypass_##name;
GM_BYPASS_POLICIES(GM_BYPASS_DECLARE)
#undef GM_BYPASS_DECLARE

/* Prepares the configured policy for L1s of `sets` and `ways` (0: unbounded). Requires that the
 * configuration outlives the calls of gm_bypass_init, and gm_bypass_shared_free even after a
 * failure. Returns 0, -EINVAL, -ENOMEM, or the negative errno value of a file. */
int gm_bypass_shared_init(gm_bypass_shared *shared, const gm_config *config, uint64_t sets,
                          uint64_t ways, gm_error *error);
void gm_bypass_shared_free(gm_bypass_shared *shared);

/* Begins kernel `number` of the run, counted from 0. Returns 0, or -EINVAL if the profile has no
 * such kernel. */
int gm_bypass_kernel(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                     gm_error *error);

/* Returns true if the policy decides about an access that does not stall. */
bool gm_bypass_decides(gm_l1_bypass kind);

/* Returns the bytes of an arena that gm_bypass_init takes. */
size_t gm_bypass_bytes(const gm_bypass_shared *shared);

/* Makes the policy of SM `sm`'s L1. Returns 0 or -ENOMEM. */
int gm_bypass_init(gm_bypass_policy *policy, const gm_bypass_shared *shared, uint32_t sm,
                   gm_arena *arena, gm_error *error);

/* The policy's answer at each point of an access; see gm_bypass_ops. */
static inline bool gm_bypass_load(const gm_bypass_policy *policy, uint64_t line, bool chosen)
{
    return policy->ops->load != NULL && policy->ops->load(policy, line, chosen);
}

static inline bool gm_bypass_store(const gm_bypass_policy *policy)
{
    return policy->ops->store != NULL && policy->ops->store(policy);
}

/* `line`: the stall is that no line can be allocated. */
static inline bool gm_bypass_stalled(const gm_bypass_shared *shared, bool line)
{
    return shared->ops->on_stall && (line || !shared->line_stalls);
}

static inline void gm_bypass_accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot)
{
    if (policy->ops->accessed != NULL) {
        policy->ops->accessed(policy, set, slot);
    }
}

static inline void gm_bypass_filled(gm_bypass_policy *policy, uint32_t slot)
{
    if (policy->ops->filled != NULL) {
        policy->ops->filled(policy, slot);
    }
}

static inline gm_protection gm_bypass_protection(const gm_bypass_policy *policy, uint32_t set)
{
    return policy->ops->protection != NULL ? policy->ops->protection(policy, set)
                                           : (gm_protection){0};
}

/* Checks the policy's invariants. Returns 0, or -EPROTO, which names the broken one. */
int gm_bypass_check(const gm_bypass_policy *policy, const char *where, gm_error *error);

/* Saves or loads the state of one L1's policy. */
void gm_bypass_snapshot(gm_bypass_policy *policy, gm_snapshot *snapshot);

#endif
