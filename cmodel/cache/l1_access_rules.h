/* Access rules of an L1: the effect of a request on its line and the requests that it sends to the
 * L2, by the policy, the kind of request, and the state of the line in the L1.
 *
 * gm_l1_access_effect is pure and knows no resources. The order engine applies the effect at once;
 * the timed engine first finds a way, an MSHR entry and queue places for the effect, and applies
 * all of it or nothing. The look-up sets `place` and `held`: by the tags, a tag store, a bypass
 * policy or a protected set. Extensions: a coherence protocol reports an expired lease as
 * GM_L1_PRESENT with held 0; a replacement rule that refuses a line reports GM_L1_BYPASSED.
 * docs/l1d.md has the rules as a table. */
#ifndef GOLDMEM_CACHE_L1_ACCESS_RULES_H
#define GOLDMEM_CACHE_L1_ACCESS_RULES_H

#include "base/template.h"
#include "cache/l1_policy.h"
#include "cache/request_kind.h"

/* The place of the line, or whether it can get a data line (conventional: a way). */
typedef enum gm_l1_place {
    GM_L1_PRESENT,   /* owns a data line, whose data may be in flight */
    GM_L1_AWAITED,   /* absent; its data are in flight and get a data line when they arrive */
    GM_L1_ABSENT,    /* can get a data line now */
    GM_L1_BYPASSED,  /* absent; the bypass policy or the tag store refuses a data line */
    GM_L1_PROTECTED, /* absent; every line of its set is protected and none can be evicted */
    GM_L1_DEAD,      /* decoupled: its tag waits for data in flight that will not be installed */
} gm_l1_place;

/* The state of the request's line in the L1. All masks are of 32-byte sectors. */
typedef struct gm_l1_line {
    gm_l1_place place;
    uint32_t held;      /* valid sectors; 0 unless PRESENT */
    uint32_t in_flight; /* sectors of the line's open MSHR entry; 0: none */
    uint32_t written;   /* of in_flight: the sectors that waiting stores have written */
} gm_l1_line;

typedef struct gm_l1_access {
    gm_request_kind kind;
    bool bypasses;    /* a store that the bypass policy keeps out of the L1 */
    bool local;       /* local memory, else global */
    uint32_t sectors; /* touched; not 0 */
    uint32_t whole;   /* stores: of `sectors`, those of which every byte is written */
} gm_l1_access;

/* The outcome that the access counts as. */
typedef enum gm_l1_outcome {
    GM_L1_HIT,         /* every sector touched is held */
    GM_L1_HIT_PENDING, /* every touched sector that is not held is in flight */
    GM_L1_MISS,
    GM_L1_BYPASS, /* neither looks for a hit nor allocates */
    GM_L1_WAIT,   /* no effect and no count until the line's data have arrived */
} gm_l1_outcome;

/* An access that does not invalidate the line uses it: the line becomes the newest of its set, and
 * a tag store counts a reference. For an access that waits, `merges` and `closes` say what for. */
typedef struct gm_l1_effect {
    gm_l1_outcome outcome;
    bool invalidates;   /* the line is dropped, its dirty sectors are written back first */
    bool closes;        /* data in flight answer their requesters and are not installed */
    bool merges;        /* the request becomes a requester of the open MSHR entry */
    bool allocates;     /* the line gets a data line */
    uint32_t validated; /* sectors that become valid: at once, if none is fetched */
    uint32_t fetched;   /* of `validated`: requested from the L2; the store covers the others */
    uint32_t dirtied;   /* sectors that become dirty, as soon as they are valid */
    uint32_t forwarded; /* sectors that the request itself takes to the L2 */
} gm_l1_effect;

GM_TEMPLATE bool gm_l1_is_pending(const gm_l1_line *line, uint32_t missing)
{
    return missing != 0 && (missing & ~line->in_flight) == 0;
}

/* The effect of gm_l1_fill_effect where MSHRs merge by sector and of the missing sectors some, not
 * all, are in flight: merges into their entries, and fetches the others. */
GM_TEMPLATE gm_l1_effect gm_l1_sector_effect(const gm_l1_access *access, const gm_l1_line *line,
                                             uint32_t dirtied, uint32_t forwarded)
{
    uint32_t missing = access->sectors & ~line->held;
    uint32_t validated = missing & ~line->in_flight;
    return (gm_l1_effect){
        .outcome = GM_L1_MISS,
        .merges = (missing & line->in_flight) != 0,
        .validated = validated,
        .fetched = access->kind == GM_REQUEST_STORE ? validated & ~access->whole : validated,
        .dirtied = dirtied,
        .forwarded = forwarded,
    };
}

/* The effect of a load, or of a store that allocates, with a missing sector: fetches the sector, or
 * merges into the entry that does. Data in flight of a line that is ABSENT belong to a dead entry
 * and would not be installed (decoupled). */
GM_TEMPLATE gm_l1_effect gm_l1_fill_effect(const gm_l1_policy *policy, const gm_l1_access *access,
                                           const gm_l1_line *line, uint32_t dirtied,
                                           uint32_t forwarded)
{
    uint32_t wanted = policy->sectored ? access->sectors : policy->all_sectors;
    uint32_t validated = wanted & ~line->held;
    if (line->in_flight == 0) {
        return (gm_l1_effect){
            .outcome = GM_L1_MISS,
            .allocates = line->place == GM_L1_ABSENT,
            .validated = validated,
            .fetched = access->kind == GM_REQUEST_STORE ? validated & ~access->whole : validated,
            .dirtied = dirtied,
            .forwarded = forwarded,
        };
    }
    if (!gm_l1_is_pending(line, access->sectors & ~line->held) || line->place == GM_L1_ABSENT) {
        return policy->by_sector && line->place != GM_L1_ABSENT
                   ? gm_l1_sector_effect(access, line, dirtied, forwarded)
                   : (gm_l1_effect){.outcome = GM_L1_WAIT, .merges = true};
    }
    return (gm_l1_effect){
        .outcome = GM_L1_HIT_PENDING, .merges = true, .dirtied = dirtied, .forwarded = forwarded};
}

/* The effect of a request that goes to the L2 alone. An access that would close an entry into which
 * waiting stores have written waits, since their data must not be lost. */
GM_TEMPLATE gm_l1_effect gm_l1_forward_effect(const gm_l1_access *access, const gm_l1_line *line,
                                              gm_l1_outcome outcome, bool invalidates, bool closes)
{
    closes = closes && line->in_flight != 0;
    if (closes && line->written != 0) {
        return (gm_l1_effect){.outcome = GM_L1_WAIT, .closes = true};
    }
    return (gm_l1_effect){.outcome = outcome,
                          .invalidates = invalidates,
                          .closes = closes,
                          .forwarded = access->sectors};
}

GM_TEMPLATE gm_l1_effect gm_l1_load_effect(const gm_l1_policy *policy, const gm_l1_access *access,
                                           const gm_l1_line *line)
{
    if (line->place == GM_L1_BYPASSED || line->place == GM_L1_PROTECTED) {
        return gm_l1_forward_effect(access, line, GM_L1_BYPASS, false, false);
    }
    if ((access->sectors & ~line->held) == 0) {
        return (gm_l1_effect){.outcome = GM_L1_HIT};
    }
    return gm_l1_fill_effect(policy, access, line, 0, 0);
}

/* Returns true if this store miss can allocate or merge. A write-back store also merges where
 * stores do not allocate; a dead line has no place for its data. */
GM_TEMPLATE bool gm_l1_store_is_kept(const gm_l1_line *line, bool allocates, bool back,
                                     uint32_t missing)
{
    switch (line->place) {
    case GM_L1_PRESENT:
    case GM_L1_AWAITED:
        return allocates || (back && gm_l1_is_pending(line, missing));
    case GM_L1_ABSENT:
    case GM_L1_BYPASSED:
        return allocates;
    case GM_L1_PROTECTED:
    case GM_L1_DEAD:
        break;
    }
    return false;
}

/* The effect of a write-through store that allocates and fetches nothing (conventional L1). Missing
 * sectors that it covers whole become valid, others stay as they are: the L2 has their bytes. */
GM_TEMPLATE gm_l1_effect gm_l1_lazy_effect(const gm_l1_policy *policy, const gm_l1_access *access,
                                           const gm_l1_line *line)
{
    uint32_t missing = access->sectors & ~line->held;
    uint32_t pending = missing & line->in_flight;
    bool has_place = line->place == GM_L1_PRESENT || line->in_flight == 0;
    uint32_t gained = has_place ? missing & ~line->in_flight & access->whole : 0;
    if (pending != 0 && pending != missing && !policy->by_sector) {
        return (gm_l1_effect){.outcome = GM_L1_WAIT, .merges = true};
    }
    return (gm_l1_effect){
        .outcome = pending == missing ? GM_L1_HIT_PENDING : GM_L1_MISS,
        .merges = pending != 0,
        .allocates = gained != 0 && line->place == GM_L1_ABSENT,
        .validated = gained,
        .forwarded = access->sectors,
    };
}

GM_TEMPLATE gm_l1_effect gm_l1_store_effect(const gm_l1_policy *policy, const gm_l1_access *access,
                                            const gm_l1_line *line)
{
    gm_write_policy write = policy->write[access->local];
    uint32_t missing = access->sectors & ~line->held;
    bool evicts = write == GM_WRITE_EVICT;
    bool back = write == GM_WRITE_BACK;
    if (back && missing == 0) {
        return (gm_l1_effect){.outcome = GM_L1_HIT, .dirtied = access->sectors};
    }
    if (!evicts && missing != 0 &&
        gm_l1_store_is_kept(line, policy->allocate[access->local], back, missing)) {
        return line->place == GM_L1_BYPASSED
                   ? gm_l1_forward_effect(access, line, GM_L1_BYPASS, false, true)
               : policy->lazy && !back
                   ? gm_l1_lazy_effect(policy, access, line)
                   : gm_l1_fill_effect(policy, access, line, back ? access->sectors : 0,
                                       back ? 0 : access->sectors);
    }
    gm_l1_outcome outcome = missing == 0                      ? GM_L1_HIT
                            : gm_l1_is_pending(line, missing) ? GM_L1_HIT_PENDING
                                                              : GM_L1_MISS;
    return gm_l1_forward_effect(access, line, outcome, evicts, evicts || missing != 0);
}

/* Returns true for strong loads, atomics, reductions, stores that bypass, and every request of a
 * disabled L1. Such a request invalidates its line, so that no older data stay in the L1, unless
 * the policy keeps them. */
GM_TEMPLATE bool gm_l1_always_bypasses(const gm_l1_policy *policy, gm_request_kind kind,
                                       bool bypasses)
{
    return !policy->enabled || gm_l1_bypasses_by_kind(kind) ||
           (kind == GM_REQUEST_STORE && bypasses);
}

GM_TEMPLATE gm_l1_effect gm_l1_access_effect(const gm_l1_policy *policy, const gm_l1_access *access,
                                             const gm_l1_line *line)
{
    if (gm_l1_always_bypasses(policy, access->kind, access->bypasses)) {
        bool drops = policy->enabled && !policy->keeps;
        return gm_l1_forward_effect(access, line, GM_L1_BYPASS, drops, !policy->keeps);
    }
    return access->kind == GM_REQUEST_STORE ? gm_l1_store_effect(policy, access, line)
                                            : gm_l1_load_effect(policy, access, line);
}

/* Returns the sectors that a store which does not hit writes into the L1 beside what is fetched:
 * valid ones, and those that it makes valid without a fetch. It writes sectors that are fetched or
 * in flight with their fill. `sectors`: touched; `held`: valid before. */
GM_TEMPLATE uint32_t gm_l1_stored_sectors(const gm_l1_effect *effect, uint32_t sectors,
                                          uint32_t held)
{
    return effect->invalidates ? 0 : sectors & (held | effect->validated) & ~effect->fetched;
}

/* Counts the outcome of an access to `sectors` of a line of which `held` are valid. */
GM_TEMPLATE void gm_l1_count_outcome(gm_cache_statistics *statistics, gm_access_kind kind,
                                     const gm_l1_effect *effect, uint32_t sectors, uint32_t held)
{
    if (kind == GM_STORE &&
        (effect->outcome == GM_L1_MISS || effect->outcome == GM_L1_HIT_PENDING)) {
        statistics->sectors_stored[GM_STORE] +=
            gm_count_ones(gm_l1_stored_sectors(effect, sectors, held));
    }
    switch (effect->outcome) {
    case GM_L1_HIT:
        statistics->hits[kind]++;
        break;
    case GM_L1_HIT_PENDING:
        statistics->hits_pending[kind]++;
        break;
    case GM_L1_MISS:
        statistics->misses[kind]++;
        statistics->sector_misses[kind] += held != 0;
        break;
    case GM_L1_BYPASS:
        statistics->bypasses[kind]++;
        break;
    case GM_L1_WAIT:
        break;
    }
}

#endif
