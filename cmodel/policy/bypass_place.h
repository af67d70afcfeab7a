/* Place of an absent line under a bypass policy: whether the policy lets it have a way of its set.
 */
#ifndef GOLDMEM_POLICY_BYPASS_PLACE_H
#define GOLDMEM_POLICY_BYPASS_PLACE_H

#include "cache/cache.h"
#include "cache/l1_access_rules.h"
#include "policy/bypass.h"

/* Returns the place of a line whose look-up for a request of `kind` missed at `place`. `chosen`:
 * the policy has chosen the request's instruction. */
static inline gm_l1_place gm_bypass_place(const gm_bypass_policy *policy, const gm_cache *cache,
                                          uint64_t line, bool chosen, gm_request_kind kind,
                                          gm_cache_place place)
{
    if (kind == GM_REQUEST_LOAD && gm_bypass_load(policy, line, chosen)) {
        return GM_L1_BYPASSED;
    }
    gm_protection protection = gm_bypass_protection(policy, place.set);
    return protection.until != NULL &&
                   gm_cache_is_protected(cache, place, protection.until, protection.access)
               ? GM_L1_PROTECTED
               : GM_L1_ABSENT;
}

#endif
