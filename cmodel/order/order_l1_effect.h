/* Effects of accesses (cache/l1_access_rules.h), applied at once to a line by both kinds of L1 of
 * the order engine, and the messages that follow. The order of messages to the L2: a victim's
 * write-back, the fill, the request itself. */
#ifndef GOLDMEM_ORDER_ORDER_L1_EFFECT_H
#define GOLDMEM_ORDER_ORDER_L1_EFFECT_H

#include "cache/l1_access_rules.h"
#include "cache/values.h"
#include "goldmem/bits.h"
#include "order/order_l1.h"
#include "order/trackers.h"

/* Writes dirty sectors of a line back. */
void gm_order_l1_write_dirty_back(gm_order_l1 *l1, uint64_t line, uint32_t dirty,
                                  gm_access_kind kind);

/* Drops the line at `place`: writes its dirty sectors back. */
void gm_order_l1_drop(gm_order_l1 *l1, uint64_t line, gm_cache_place place, gm_access_kind kind);

static inline void gm_order_l1_write_back(gm_order_l1 *l1, uint64_t line, uint32_t dirty,
                                          gm_access_kind kind)
{
    if (dirty != 0) {
        gm_order_l1_write_dirty_back(l1, line, dirty, kind);
    }
}

/* Sends an operation of the block sharing_tracker to the SM's tracker, if any. */
static inline void gm_order_l1_tell(gm_order_l1 *l1, uint64_t operation, uint64_t line)
{
    if (l1->trackers != NULL) {
        gm_trackers_tell(l1, operation, line);
    }
}

/* Sends EVICT of a clean line, of which the L1 held `sectors`, to the SM's tracker, if any. */
static inline void gm_order_l1_tell_evict(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    if (l1->trackers != NULL) {
        gm_trackers_evict(l1, line, sectors);
    }
}

/* Ends an eviction: writes dirty sectors back; a clean line's EVICT goes to the tracker. */
static inline void gm_order_l1_evicted(gm_order_l1 *l1, uint64_t line, gm_sector_state state,
                                       gm_access_kind kind)
{
    if (state.dirty != 0) {
        gm_order_l1_write_dirty_back(l1, line, state.dirty, kind);
    } else {
        gm_order_l1_tell_evict(l1, line, state.valid);
    }
}

/* Fetches a load's sectors from another L1, if a tracker names one that holds them, else from the
 * L2. `fills`: those that the L1 installs; `installs`: the load has allocated a line for them. */
static inline void gm_order_l1_fetch(gm_order_l1 *l1, uint64_t line, uint32_t sectors,
                                     uint32_t fills, bool installs)
{
    if (l1->trackers == NULL || !gm_trackers_supply(l1, line, sectors, installs)) {
        gm_order_noc_send(l1->port, GM_MESSAGE_READ, line, sectors, fills);
    }
}

static inline void gm_order_l1_make_dirty(gm_order_l1 *l1, gm_sector_state *state, uint32_t sectors)
{
    unsigned count = gm_count_ones(sectors & ~state->dirty);
    state->dirty |= sectors;
    l1->dirtied += count;
    l1->dirty_sectors += count;
}

/* Returns the effect of a request on a line, by the L1's policy. */
GM_TEMPLATE gm_l1_effect gm_order_l1_effect_of(const gm_order_l1 *l1,
                                               const gm_line_request *request, gm_request_kind kind,
                                               gm_l1_place place, uint32_t held)
{
    const gm_l1_access access = {.kind = kind,
                                 .local = request->local,
                                 .sectors = request->sectors,
                                 .whole = request->whole};
    const gm_l1_line line = {.place = place, .held = held};
    return kind == GM_REQUEST_STORE ? gm_l1_store_effect(l1->policy, &access, &line)
                                    : gm_l1_load_effect(l1->policy, &access, &line);
}

/* Counts an access to a line of which `held` sectors are valid, and fills *outcome. Requires that
 * *outcome is zeroed. */
GM_TEMPLATE void gm_order_l1_count(gm_order_l1 *l1, const gm_line_request *request,
                                   gm_access_kind kind, const gm_l1_effect *effect, uint32_t held,
                                   gm_outcome *outcome)
{
    gm_l1_count_outcome(&l1->statistics, kind, effect, request->sectors, held);
    switch (effect->outcome) {
    case GM_L1_HIT:
        outcome->hit = true;
        break;
    case GM_L1_MISS:
        outcome->fills = effect->validated;
        break;
    case GM_L1_BYPASS:
        outcome->bypass = true;
        outcome->referenced = !effect->invalidates;
        l1->bypassed_sectors += kind == GM_LOAD ? gm_count_ones(request->sectors) : 0;
        break;
    case GM_L1_HIT_PENDING:
    case GM_L1_WAIT:
        break;
    }
}

/* Makes sectors of the line, of which `held` are valid, valid and dirty by the effect; fetches the
 * sectors that the request does not cover. A fetch into a line with other valid sectors registers
 * no sharer: those sectors may lack another SM's store, which freed the tracker's entry. */
GM_TEMPLATE void gm_order_l1_fill(gm_order_l1 *l1, const gm_line_request *request,
                                  gm_sector_state *state, uint32_t held, const gm_l1_effect *effect,
                                  gm_access_kind kind)
{
    state->valid = held | effect->validated;
    if (effect->fetched != 0) {
        l1->statistics.sectors_filled[kind] += gm_count_ones(effect->fetched);
        if (kind == GM_LOAD) {
            gm_order_l1_fetch(l1, request->line, effect->fetched, effect->fetched, held == 0);
        } else {
            gm_order_noc_send(l1->port, GM_MESSAGE_READ, request->line, effect->fetched,
                              effect->fetched);
        }
    }
    if (effect->dirtied != 0) {
        gm_order_l1_make_dirty(l1, state, effect->dirtied);
    }
}

/* Sends the request itself to the L2, if the effect forwards it. Another L1 may supply a load that
 * bypasses, but not a strong load. */
GM_TEMPLATE void gm_order_l1_forward(gm_order_l1 *l1, const gm_line_request *request,
                                     gm_request_kind kind, const gm_l1_effect *effect)
{
    if (effect->forwarded == 0) {
        return;
    }
    if (kind == GM_REQUEST_LOAD) {
        gm_order_l1_fetch(l1, request->line, effect->forwarded, 0, false);
        return;
    }
    gm_order_l1_tell(
        l1, kind == GM_REQUEST_STORE ? GM_SHARING_TRACKER_WRITE : GM_SHARING_TRACKER_COHERENT,
        request->line);
    if (kind == GM_REQUEST_STRONG_LOAD) {
        gm_order_noc_send_strong(l1->port, request->line, effect->forwarded);
    } else {
        gm_order_noc_send(l1->port, gm_request_message_kind(kind), request->line, effect->forwarded,
                          request->whole);
    }
}

/* Private to the inline functions below: see there. */
GM_COLD void gm_order_l1_fill_values(gm_order_l1 *l1, const gm_line_request *request,
                                     uint32_t fetched);
GM_COLD void gm_order_l1_send_values(gm_order_l1 *l1, const gm_line_request *request,
                                     gm_request_kind kind, const gm_l1_effect *effect);
GM_COLD void gm_order_l1_take_values(gm_order_l1 *l1, const gm_line_request *request,
                                     gm_request_kind kind);

/* Installs the values of the sectors that gm_order_l1_fill has fetched, if the run has values.
 * Sends FILL for a load's fetch into a line of which no sectors were `held`. */
static inline void gm_order_l1_install_values(gm_order_l1 *l1, const gm_line_request *request,
                                              uint32_t held, const gm_l1_effect *effect,
                                              gm_access_kind kind)
{
    if (l1->values == NULL || effect->fetched == 0) {
        return;
    }
    gm_order_l1_fill_values(l1, request, effect->fetched);
    if (l1->trackers != NULL && held == 0 && kind == GM_LOAD) {
        gm_trackers_fill(l1, request->line, effect->fetched);
    }
}

/* Ends an access: gm_order_l1_forward, and the values of the request, if the run may have values
 * (`values`). */
GM_TEMPLATE void gm_order_l1_forward_any(gm_order_l1 *l1, const gm_line_request *request,
                                         gm_request_kind kind, const gm_l1_effect *effect,
                                         bool values)
{
    if (values && l1->values != NULL) {
        gm_order_l1_send_values(l1, request, kind, effect);
    }
    gm_order_l1_forward(l1, request, kind, effect);
    if (values && l1->values != NULL && effect->forwarded != 0) {
        gm_order_l1_take_values(l1, request, kind);
    }
}

#endif
