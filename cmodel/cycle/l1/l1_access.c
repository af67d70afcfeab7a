/* Accesses of the timed L1: looks the line up, gets the effect of the request from
 * cache/l1_access_rules.h, and hands it to the hit, the miss or the bypass that applies it. */
#include "cache/streaming.h"
#include "cycle/l1/byte_masks.h"
#include "cycle/l1/l1_bypass.h"
#include "cycle/l1/l1_coherent.h"
#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_miss.h"
#include "cycle/l1/l1_parts.h"
#include "cycle/l1/l1_sector.h"
#include "cycle/l1/l1_values.h"

#include <string.h>

/* Handles a request that always bypasses. An L1 that is off is not looked up. */
static gm_cycle_l1_answer always_bypass(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                        uint32_t *answers)
{
    const gm_l1_policy *policy = &l1->shared->policy;
    const gm_l1_access access = {
        .kind = request->kind, .bypasses = true, .sectors = request->line->sectors};
    gm_cycle_l1_found found = {.open = GM_NO_ENTRY};
    if (policy->enabled) {
        found = gm_cycle_l1_look_up(l1, request->line, request->kind);
    }
    gm_l1_effect effect = gm_l1_access_effect(policy, &access, &found.line);
    return gm_cycle_l1_forward(l1, request, &found, &effect, answers);
}

/* Handles a hit. Requires that everything that the request needs is held. */
static gm_cycle_l1_answer hit(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                              const gm_cycle_l1_found *found, const gm_l1_effect *effect)
{
    gm_access_kind kind = gm_request_access_kind(request->kind);
    l1->statistics.accesses[kind]++;
    l1->statistics.hits[kind]++;
    gm_cycle_l1_touch(l1, request->line->line, found, false);
    if (effect->dirtied != 0) {
        gm_cycle_l1_make_dirty(l1, found->place.slot, effect->dirtied);
    }
    if (l1->values != NULL) {
        gm_cycle_l1_value_hit(l1, request, effect->dirtied);
    }
    return GM_CYCLE_L1_HIT;
}

/* True for a load that misses or merges while too few places of the miss queue are free. */
static bool lacks_places(const gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                         const gm_l1_effect *effect)
{
    return l1->load_places != 0 && request->kind == GM_REQUEST_LOAD &&
           (effect->merges || effect->validated != 0) && !gm_cycle_l1_has_room(l1, l1->load_places);
}

static gm_cycle_l1_answer apply(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                                gm_cycle now, uint32_t *answers)
{
    switch (effect->outcome) {
    case GM_L1_WAIT:
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    case GM_L1_BYPASS:
        return l1->decoupled != NULL
                   ? gm_cycle_l1_bypass_decoupled(l1, request, found, effect, answers)
                   : gm_cycle_l1_bypass(l1, request, answers);
    case GM_L1_HIT:
    case GM_L1_HIT_PENDING:
    case GM_L1_MISS:
        break;
    }
    if (lacks_places(l1, request, effect)) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    if (l1->shared->by_sector && (effect->merges || effect->validated != 0)) {
        return gm_cycle_l1_sector_miss(l1, request, found, effect, now, answers);
    }
    return effect->merges           ? gm_cycle_l1_merge(l1, request, found, effect, answers)
           : effect->validated != 0 ? gm_cycle_l1_miss(l1, request, found, effect, now, answers)
           : effect->forwarded != 0 ? gm_cycle_l1_forward(l1, request, found, effect, answers)
                                    : hit(l1, request, found, effect);
}

/* True if the request is a PROBE that may get a data line or bypass. */
static bool needs_line(const gm_l1_effect *effect)
{
    return effect->merges || effect->validated != 0 || effect->outcome == GM_L1_BYPASS;
}

/* Attempts a request of a decoupled L1. A first attempt that fails makes a PROBE that is refused,
 * unless the line is present: there the reference would change the replacement order. */
static __attribute__((noinline)) gm_cycle_l1_answer access_decoupled(
    gm_cycle_l1 *l1, const gm_cycle_l1_request *request, gm_cycle now, uint32_t *answers)
{
    gm_cycle_l1_decoupled_begin(l1, request, now);
    gm_cycle_l1_found found = gm_cycle_l1_look_up(l1, request->line, request->kind);
    gm_l1_effect effect =
        request->kind == GM_REQUEST_LOAD
            ? gm_cycle_l1_effect_of(l1, request->line, GM_REQUEST_LOAD, &found.line)
            : gm_cycle_l1_effect_of(l1, request->line, GM_REQUEST_STORE, &found.line);
    gm_cycle_l1_answer answer = apply(l1, request, &found, &effect, now, answers);
    gm_decoupled_l1 *decoupled = l1->decoupled;
    if (answer >= GM_CYCLE_L1_FAIL_LINE) {
        if (!request->again && found.outcome != GM_TAG_STORE_HIT && needs_line(&effect)) {
            gm_decoupled_l1_probe(decoupled, request->line->line, false, false);
        }
    } else if (request->kind == GM_REQUEST_LOAD && decoupled->dueling != NULL) {
        bool misses = effect.outcome == GM_L1_MISS || effect.outcome == GM_L1_BYPASS;
        gm_dueling_load(decoupled->dueling, l1->number, decoupled->conventional, misses);
    }
    return answer;
}

/* Attempts a store of an L1 with parts: it covers a sector whole if others have written the rest of
 * it. */
static __attribute__((noinline)) gm_cycle_l1_answer store_part(gm_cycle_l1 *l1,
                                                               const gm_cycle_l1_request *request,
                                                               gm_cache_place place, gm_cycle now,
                                                               uint32_t *answers)
{
    gm_line_request joined = *request->line;
    uint32_t bytes[GM_LINE_SECTORS];
    gm_cycle_l1_found found = gm_cycle_l1_look_up_at(l1, &joined, GM_REQUEST_STORE, place);
    uint32_t missing = joined.sectors & ~(joined.whole | found.line.held | found.line.in_flight);
    missing = joined.masks != 0 ? missing : 0;
    if (missing != 0) {
        memcpy(bytes, gm_byte_masks_of(l1->masks, joined.masks),
               sizeof bytes[0] << l1->shared->l1_sector_bits);
        joined.whole |= gm_l1_parts_join(l1->parts, joined.line, missing, bytes);
    }
    gm_l1_effect effect = gm_cycle_l1_effect_of(l1, &joined, GM_REQUEST_STORE, &found.line);
    gm_cycle_l1_answer answer = apply(l1, request, &found, &effect, now, answers);
    if (missing != 0 && answer <= GM_CYCLE_L1_TAKEN) {
        gm_l1_parts_keep(l1->parts, joined.line, missing, bytes);
    }
    return answer;
}

/* Attempts a conventional L1's store, or its load that does not hit. */
static __attribute__((noinline)) gm_cycle_l1_answer access_at(gm_cycle_l1 *l1,
                                                              const gm_cycle_l1_request *request,
                                                              gm_cache_place place, gm_cycle now,
                                                              uint32_t *answers)
{
    if (l1->parts != NULL && request->kind == GM_REQUEST_STORE) {
        return store_part(l1, request, place, now, answers);
    }
    gm_cycle_l1_found found = gm_cycle_l1_look_up_at(l1, request->line, request->kind, place);
    gm_l1_effect effect = gm_cycle_l1_effect_of(l1, request->line, request->kind, &found.line);
    return apply(l1, request, &found, &effect, now, answers);
}

/* Performs and counts a load if it hits at `place`. Returns true if it hit. Data in flight make no
 * difference to a hit. */
static inline bool load_hits(gm_cycle_l1 *l1, const gm_line_request *request, gm_cache_place place)
{
    if (place.slot == GM_NO_SLOT) {
        return false;
    }
    const gm_l1_line line = {.place = GM_L1_PRESENT,
                             .held = gm_cache_state(&l1->cache, place.slot)->valid};
    if (gm_cycle_l1_effect_of(l1, request, GM_REQUEST_LOAD, &line).outcome != GM_L1_HIT) {
        return false;
    }
    gm_cache_touch(&l1->cache, place);
    l1->statistics.accesses[GM_LOAD]++;
    l1->statistics.hits[GM_LOAD]++;
    return true;
}

/* Where the line is absent, the request is built from values in registers (`copy`). */
gm_cycle_l1_answer gm_cycle_l1_load_usual(gm_cycle_l1 *l1, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now)
{
    const gm_line_request copy = {.line = line->line, .sectors = line->sectors};
    uint32_t answers; /* always 1 */
    gm_cache_place place = gm_cache_find(&l1->cache, copy.line);
    if (place.slot == GM_NO_SLOT) {
        const gm_cycle_l1_request request = {
            .line = &copy, .kind = GM_REQUEST_LOAD, .ticket = ticket, .began = began};
        const gm_cycle_l1_found found = {.line = {.place = GM_L1_ABSENT},
                                         .place = place,
                                         .victim = GM_NO_SLOT,
                                         .open = GM_NO_ENTRY};
        gm_l1_effect effect = gm_cycle_l1_effect_of(l1, &copy, GM_REQUEST_LOAD, &found.line);
        return gm_cycle_l1_miss_by(l1, &request, &found, &effect, now, &answers, gm_cycle_l1_usual);
    }
    if (load_hits(l1, &copy, place)) {
        return GM_CYCLE_L1_HIT;
    }
    const gm_cycle_l1_request request = {
        .line = line, .kind = GM_REQUEST_LOAD, .ticket = ticket, .began = began};
    return access_at(l1, &request, place, now, &answers);
}

/* Attempts a request of an L1 without a bypass policy, or one that the policy does not bypass. */
static gm_cycle_l1_answer access_line(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cycle now, uint32_t *answers)
{
    if (gm_l1_always_bypasses(&l1->shared->policy, request->kind, false)) {
        return always_bypass(l1, request, answers);
    }
    if (l1->decoupled != NULL) {
        return access_decoupled(l1, request, now, answers);
    }
    gm_cache_place place = gm_cache_find(&l1->cache, request->line->line);
    if (request->kind != GM_REQUEST_LOAD || !load_hits(l1, request->line, place)) {
        return access_at(l1, request, place, now, answers);
    }
    if (l1->values != NULL) {
        gm_cycle_l1_value_hit(l1, request, 0);
    }
    return GM_CYCLE_L1_HIT;
}

/* Attempts a load by the bypass policy, which decides before the load takes anything, and again
 * when the load stalls. A load of sectors that stores have written in the L1 must not bypass: the
 * L2 does not have these data yet. */
static gm_cycle_l1_answer load_by_policy(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                         gm_cycle now, uint32_t *answers)
{
    const gm_line_request *line = request->line;
    gm_cycle_l1_found found = gm_cycle_l1_look_up(l1, line, GM_REQUEST_LOAD);
    if (gm_cycle_l1_effect_of(l1, line, GM_REQUEST_LOAD, &found.line).outcome == GM_L1_BYPASS) {
        return gm_cycle_l1_bypass(l1, request, answers);
    }
    gm_cycle_l1_answer answer = access_line(l1, request, now, answers);
    bool dirty = ((found.dirty | found.line.written) & line->sectors) != 0;
    bool line_stall = answer == GM_CYCLE_L1_FAIL_LINE;
    return answer >= GM_CYCLE_L1_FAIL_LINE && !dirty &&
                   gm_bypass_stalled(&l1->shared->bypass, line_stall)
               ? gm_cycle_l1_bypass(l1, request, answers)
               : answer;
}

static gm_cycle_l1_answer access_by_policy(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                           gm_cycle now, uint32_t *answers)
{
    bool store = request->kind == GM_REQUEST_STORE;
    if (gm_l1_always_bypasses(&l1->shared->policy, request->kind,
                              store && gm_bypass_store(&l1->bypass))) {
        return always_bypass(l1, request, answers);
    }
    gm_cycle_l1_answer answer =
        store ? access_line(l1, request, now, answers) : load_by_policy(l1, request, now, answers);
    if (answer <= GM_CYCLE_L1_TAKEN) {
        gm_cache_place place = gm_cache_find(&l1->cache, request->line->line);
        gm_bypass_accessed(&l1->bypass, place.set, place.slot);
    }
    return answer;
}

/* Attempts a request of an L1 with a gate, as in an open L1. Counts a load. */
static gm_cycle_l1_answer access_open(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cache_place place, gm_cycle now, uint32_t *answers)
{
    gm_streaming_watch watch = gm_streaming_begin(&l1->cache, request->line->line, place);
    uint64_t misses = l1->statistics.misses[GM_LOAD];
    gm_cycle_l1_answer answer = access_line(l1, request, now, answers);
    if (answer <= GM_CYCLE_L1_TAKEN) {
        gm_streaming_finish(l1->streaming, &l1->cache, &watch);
        if (request->kind == GM_REQUEST_LOAD) {
            gm_streaming_count(l1->streaming, l1->statistics.misses[GM_LOAD] != misses);
        }
    }
    return answer;
}

/* Attempts a load of an L1 with a closed gate. It bypasses, unless data of its line are in flight
 * or dirty in the L1: the L2 does not have those that stores have written. */
static gm_cycle_l1_answer load_closed(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cache_place place, gm_cycle now, uint32_t *answers)
{
    const gm_line_request *line = request->line;
    const gm_l1_policy *policy = &l1->shared->policy;
    gm_cycle_l1_found found = gm_cycle_l1_look_up_at(l1, line, GM_REQUEST_LOAD, place);
    if (found.line.in_flight != 0 || found.dirty != 0) {
        return access_open(l1, request, place, now, answers);
    }
    gm_cycle_l1_answer answer = gm_cycle_l1_bypass(l1, request, answers);
    if (answer == GM_CYCLE_L1_TAKEN) {
        gm_streaming_bypass(l1->streaming, &l1->cache, &l1->statistics, GM_LOAD, line->line, place,
                            line->sectors, policy->sectored ? line->sectors : policy->all_sectors);
    }
    return answer;
}

/* Attempts a request of an L1 with a gate, which decides at a load's first attempt. */
static __attribute__((noinline)) gm_cycle_l1_answer access_gated(gm_cycle_l1 *l1,
                                                                 const gm_cycle_l1_request *request,
                                                                 gm_cycle now, uint32_t *answers)
{
    gm_streaming *streaming = l1->streaming;
    gm_cache_place place = gm_cache_find(&l1->cache, request->line->line);
    if (!request->again) {
        gm_streaming_catch_up(streaming, now);
        streaming->closed = streaming->block.closed;
    }
    return request->kind == GM_REQUEST_LOAD && streaming->closed
               ? load_closed(l1, request, place, now, answers)
               : access_open(l1, request, place, now, answers);
}

static inline gm_cycle_l1_answer access_by_path(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                                gm_cycle now, uint32_t *answers)
{
    switch (l1->shared->path) {
    case GM_CYCLE_L1_DIRECT:
        break;
    case GM_CYCLE_L1_POLICY:
        return access_by_policy(l1, request, now, answers);
    case GM_CYCLE_L1_GATED:
        return access_gated(l1, request, now, answers);
    case GM_CYCLE_L1_COHERENT:
        return gm_cycle_l1_coherent_access(l1, request, now, answers);
    }
    return access_line(l1, request, now, answers);
}

gm_cycle_l1_answer gm_cycle_l1_access(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                      gm_cycle now, uint32_t *answers)
{
    gm_cycle_l1_answer answer = access_by_path(l1, request, now, answers);
    if (answer <= GM_CYCLE_L1_TAKEN) { /* else nothing has changed */
        gm_cache_assert_access(&l1->cache, request->line->line);
    }
    return answer;
}
