/* Bypass policies of a conventional L1: what [li, 6.1] compares its decoupled L1 with. Both engines
 * ask at the same points; each policy is one file here that answers. docs/bypass-policies.md says
 * what each does, and where the papers are silent. */
#ifndef GOLDMEM_POLICY_POLICY_H
#define GOLDMEM_POLICY_POLICY_H

#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "policy/profile.h"

#include <stdbool.h>
#include <stdint.h>

#define GM_BYPASS_NO_SLOT UINT32_MAX

/* What the L1s of all SMs share. */
typedef struct gm_bypass_shared {
    gm_l1_bypass kind;
    uint32_t sets, ways;            /* of an L1; 0 where it is unbounded */
    uint64_t distance;              /* PDP: l1.protecting_distance */
    struct gm_profile *profile;     /* PROFILED: which loads reuse their lines */
    struct gm_profile_writer *into; /* a profile that this run writes; or NULL */
} gm_bypass_shared;

/* PDP: lines are protected at the accesses to their set up to a number. */
typedef struct gm_pdp {
    uint64_t *accesses; /* [sets] to each set, so far */
    uint64_t *until;    /* [sets * ways] the last access at which the line there is protected */
} gm_pdp;

/* Of one L1. */
typedef struct gm_bypass_policy {
    const gm_bypass_shared *shared;
    uint32_t sm;
    gm_pdp pdp;
} gm_bypass_policy;

/* A slot is not to be evicted while until[slot] >= access. */
typedef struct gm_protection {
    const uint64_t *until; /* [slots]; NULL: none is protected */
    uint64_t access;       /* the one that needs a victim */
} gm_protection;

/* Reads the profile that the configuration names, if its policy needs one. `sets` and `ways` of an
 * L1; 0 for an unbounded one. -EINVAL, -ENOMEM, or a file's errno value; gm_bypass_shared_free in
 * any case. */
int gm_bypass_shared_init(gm_bypass_shared *shared, const gm_config *config, uint64_t sets,
                          uint64_t ways, gm_error *error);
void gm_bypass_shared_free(gm_bypass_shared *shared);

/* A kernel begins: `number` counts those of the run before it. -EINVAL: the profile has no such
 * kernel. */
int gm_bypass_kernel(const gm_bypass_shared *shared, uint64_t number, const gm_kernel *kernel,
                     gm_error *error);

/* MRPB's answer: mrpb.c. The reordering of requests is in mrpb.h. */
bool gm_mrpb_stalled(void);

/* Has the policy no say while resources last, so that the L1 does as without? */
static inline bool gm_bypass_is_plain(gm_l1_bypass kind)
{
    return kind == GM_BYPASS_NONE || kind == GM_BYPASS_MRPB;
}

/* Bytes of arena that gm_bypass_init takes. */
size_t gm_bypass_bytes(const gm_bypass_shared *shared);

/* The policy of SM `sm`'s L1. -ENOMEM. */
int gm_bypass_init(gm_bypass_policy *policy, const gm_bypass_shared *shared, uint32_t sm,
                   gm_arena *arena, gm_error *error);

/* A load whose line is neither in the L1 nor on its way there: does it go round the L1? */
bool gm_bypass_load(const gm_bypass_policy *policy, uint64_t line);

/* Does a store go round the L1? */
bool gm_bypass_store(const gm_bypass_policy *policy);

/* Does a load go round the L1 when it has got no line, MSHR entry, place in an entry, or room in
 * the miss queue? */
static inline bool gm_bypass_stalled(const gm_bypass_shared *shared)
{
    return shared->kind == GM_BYPASS_MRPB && gm_mrpb_stalled();
}

/* Which lines of a set may not make room now. */
gm_protection gm_bypass_protection(const gm_bypass_policy *policy, uint32_t set);

/* A load or store that looked a set up has been decided: it found its line in `slot`, or took it;
 * or GM_BYPASS_NO_SLOT: it left none there. */
void gm_bypass_accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot);

/* A line that was taken without an access, since its data have come, is in `slot`. */
void gm_bypass_filled(gm_bypass_policy *policy, uint32_t slot);

/* The policy's invariants. -EPROTO names what does not hold. */
int gm_bypass_check(const gm_bypass_policy *policy, const char *where, gm_error *error);

/* Each policy's own answers, in its file: */

/* BALL: ball.c. */
bool gm_ball_load(void);
bool gm_ball_store(void);

/* Profiled-BYPASS: profiled.c. */
bool gm_profiled_load(const gm_bypass_policy *policy, uint64_t line);

/* PDP: pdp.c. */
size_t gm_pdp_bytes(const gm_bypass_shared *shared);
int gm_pdp_init(gm_bypass_policy *policy, gm_arena *arena, gm_error *error);
gm_protection gm_pdp_protection(const gm_bypass_policy *policy, uint32_t set);
void gm_pdp_accessed(gm_bypass_policy *policy, uint32_t set, uint32_t slot);
void gm_pdp_filled(gm_bypass_policy *policy, uint32_t slot);
int gm_pdp_check(const gm_bypass_policy *policy, const char *where, gm_error *error);

#endif
