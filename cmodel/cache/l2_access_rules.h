/* Access rules of the L2: the effect of a message on its line and its reads and writes of DRAM, by
 * the policy, the kind of message, and the state of the line in the bank.
 *
 * gm_l2_access_effect is pure and knows no resources. The order engine applies the effect at once;
 * the timed bank first finds a way, an MSHR entry and queue places for the effect, and applies all
 * of it or nothing. The look-up fills gm_l2_line. Extensions: a coherence protocol leaves the
 * sectors to these rules and adds its own state of the line and its fields of the response; a
 * replacement rule that refuses a line a way adds a field of gm_l2_line and a rule for it.
 * docs/l2.md has the rules as a table. */
#ifndef GOLDMEM_CACHE_L2_ACCESS_RULES_H
#define GOLDMEM_CACHE_L2_ACCESS_RULES_H

#include "base/template.h"
#include "cache/line_map.h"
#include "cache/message.h"
#include "goldmem/config.h"

typedef struct gm_l2_policy {
    uint32_t all_sectors; /* of a line */
    bool sectored;        /* a miss fetches the requested sectors, not the line */
    bool bypasses;        /* reads that fill an L1 allocate no line: l2.bypass=coalesced */
    bool victims;         /* the L2 is a victim buffer of the L1s: l2.victim */
    gm_fetch_policy fetch_on_write;
    uint32_t fetch_sectors; /* l2.fetch */
} gm_l2_policy;

/* The state of the message's line in the bank. All masks are of 32-byte sectors. */
typedef struct gm_l2_line {
    bool present;       /* has a way */
    uint32_t held;      /* valid sectors; 0 unless present */
    uint32_t in_flight; /* sectors that become valid when all data in flight have arrived; 0: no
                           data are in flight. 0 unless present */
    uint32_t partial;   /* lazy: of both, sectors of which stores have written only a part */
} gm_l2_line;

typedef struct gm_l2_request {
    gm_message_kind kind;
    uint32_t sectors; /* requested, or written; not 0 */
    uint32_t whole;   /* WRITE: of `sectors`, those of which every byte is written */
} gm_l2_request;

/* The outcome that the access counts as. */
typedef enum gm_l2_outcome {
    GM_L2_HIT,         /* every sector is held, and no data are in flight */
    GM_L2_HIT_PENDING, /* every sector is held or in flight, and data are in flight */
    GM_L2_MISS,
    GM_L2_COPY, /* a host copy: no access */
} gm_l2_outcome;

/* The line becomes the newest of its set, unless it is invalidated or remains absent. */
typedef struct gm_l2_effect {
    gm_l2_outcome outcome;
    bool merges;      /* the message joins those that wait for the line's data */
    bool allocates;   /* the line gets a way; its victim's dirty sectors are written back first */
    bool invalidates; /* the line is dropped, its dirty sectors are written back first */
    uint32_t overwritten; /* sectors whose dirty data are lost: the host's are newer */
    uint32_t validated;   /* sectors that become valid: at once, if none is fetched */
    uint32_t fetched;     /* of `validated`: read from DRAM; the store covers the others */
    uint32_t dirtied;     /* sectors that become dirty when the message is answered */
    uint32_t forwarded;   /* sectors that the message itself writes to DRAM, after the fetch */
} gm_l2_effect;

/* Returns true if a request that does not hit is written to DRAM and leaves no sector dirty. */
static inline bool gm_l2_forwards(const gm_l2_policy *policy, gm_access_kind kind)
{
    return kind == GM_STORE && policy->fetch_on_write == GM_FETCH_THROUGH;
}

/* The effect of a load, store or atomic. */
GM_TEMPLATE gm_l2_effect gm_l2_device_effect(const gm_l2_policy *policy, gm_access_kind kind,
                                             const gm_l2_request *request, const gm_l2_line *line)
{
    uint32_t known = (line->held | line->in_flight) & ~(kind == GM_STORE ? 0 : line->partial);
    bool waits = line->in_flight != 0;
    gm_l2_effect effect = {.merges = waits, .allocates = !line->present};
    if (line->present && (request->sectors & ~known) == 0) {
        effect.outcome = waits ? GM_L2_HIT_PENDING : GM_L2_HIT;
    } else {
        effect.outcome = GM_L2_MISS;
        effect.validated = (policy->sectored ? request->sectors : policy->all_sectors) & ~known;
        if (kind == GM_LOAD && policy->fetch_sectors > 1) {
            effect.validated |= gm_blocks_of(effect.validated, policy->fetch_sectors) &
                                ~(line->held | line->in_flight);
        }
        bool covers = kind == GM_STORE && policy->fetch_on_write == GM_FETCH_PARTIAL;
        effect.fetched = covers ? effect.validated & ~request->whole : effect.validated;
        if (kind == GM_STORE && policy->fetch_on_write == GM_FETCH_LAZY) {
            effect.fetched = 0;
        }
    }
    if (effect.outcome != GM_L2_HIT && gm_l2_forwards(policy, kind)) {
        effect.forwarded = request->sectors;
    } else if (kind != GM_LOAD) {
        effect.dirtied = request->sectors;
    }
    return effect;
}

/* True if a read of these sectors that fills an L1 moves the line there: a clean line leaves the L2
 * if it holds them and no others [anssari, 3.3: "the exclusivity between the two cache levels"].
 * Requires a line without data in flight. */
static inline bool gm_l2_moves(const gm_l2_policy *policy, gm_sector_state state, uint32_t sectors)
{
    return policy->victims && state.dirty == 0 && state.valid == sectors;
}

/* The effect of a host copy that installs its sectors in the L2, clean. */
GM_TEMPLATE gm_l2_effect gm_l2_install_effect(const gm_l2_request *request, const gm_l2_line *line)
{
    return (gm_l2_effect){.outcome = GM_L2_COPY,
                          .allocates = !line->present,
                          .overwritten = request->sectors,
                          .validated = request->sectors & ~line->held};
}

/* The effect of a host copy that bypasses the L2: invalidates the line if present. */
GM_TEMPLATE gm_l2_effect gm_l2_discard_effect(const gm_l2_request *request, const gm_l2_line *line)
{
    return (gm_l2_effect){.outcome = GM_L2_COPY,
                          .invalidates = line->present,
                          .overwritten = line->present ? request->sectors : 0};
}

/* Returns the effect of a message. Requires of a host copy that no data are in flight. */
GM_TEMPLATE gm_l2_effect gm_l2_access_effect(const gm_l2_policy *policy,
                                             const gm_l2_request *request, const gm_l2_line *line)
{
    switch (request->kind) {
    case GM_MESSAGE_READ:
    case GM_MESSAGE_INSTRUCTION:
        return gm_l2_device_effect(policy, GM_LOAD, request, line);
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
        return gm_l2_device_effect(policy, GM_STORE, request, line);
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return gm_l2_device_effect(policy, GM_ATOMIC, request, line);
    case GM_MESSAGE_INSTALL:
        return gm_l2_install_effect(request, line);
    case GM_MESSAGE_DISCARD:
        return gm_l2_discard_effect(request, line);
    case GM_MESSAGE_LOOKUP:
    case GM_MESSAGE_FILL:
    case GM_MESSAGE_EVICT:
    case GM_MESSAGE_SUPPLY:
    case GM_MESSAGE_SUPPLIED:
    case GM_MESSAGE_RETURN:
    case GM_MESSAGE_INVALIDATE:
    case GM_MESSAGE_RECALL:
    case GM_MESSAGE_FORWARD:
    case GM_MESSAGE_UNBLOCK:
    case GM_MESSAGE_GETX: /* by MESI's rows */
    case GM_MESSAGE_UPGRADE:
    case GM_MESSAGE_KINDS:
        break;
    }
    return (gm_l2_effect){.outcome = GM_L2_COPY};
}

/* Lazy: returns the sectors of the line of which stores have written only a part, when the message
 * has been answered. */
static inline uint32_t gm_l2_partial_after(const gm_l2_request *request, const gm_l2_line *line,
                                           const gm_l2_effect *effect)
{
    switch (request->kind) {
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
        return (line->partial | effect->validated) & ~request->whole;
    case GM_MESSAGE_READ:
    case GM_MESSAGE_INSTRUCTION:
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return line->partial & ~effect->fetched;
    case GM_MESSAGE_INSTALL:
        return line->partial & ~request->sectors;
    case GM_MESSAGE_LOOKUP:
    case GM_MESSAGE_FILL:
    case GM_MESSAGE_EVICT:
    case GM_MESSAGE_SUPPLY:
    case GM_MESSAGE_SUPPLIED:
    case GM_MESSAGE_RETURN:
    case GM_MESSAGE_INVALIDATE:
    case GM_MESSAGE_RECALL:
    case GM_MESSAGE_FORWARD:
    case GM_MESSAGE_UNBLOCK:
    case GM_MESSAGE_GETX: /* by MESI's rows */
    case GM_MESSAGE_UPGRADE:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return 0;
}

/* Counts an access and its outcome; a miss is a sector miss if the line was present. */
GM_TEMPLATE void gm_l2_count_outcome(gm_cache_statistics *statistics, gm_access_kind kind,
                                     gm_l2_outcome outcome, bool present)
{
    switch (outcome) {
    case GM_L2_HIT:
        statistics->hits[kind]++;
        break;
    case GM_L2_HIT_PENDING:
        statistics->hits_pending[kind]++;
        break;
    case GM_L2_MISS:
        statistics->misses[kind]++;
        statistics->sector_misses[kind] += present;
        break;
    case GM_L2_COPY:
        return;
    }
    statistics->accesses[kind]++;
}

#endif
