/* L1 data cache of the order engine: the conventional L1, and the choice between the kinds of L1.
 * An access finds its line, gets its effect from cache/l1_access_rules.h and applies it at once. */
#include "order/order_l1.h"

#include "cache/streaming.h"
#include "order/order_l1_decoupled.h"
#include "order/order_l1_effect.h"
#include "order/order_l1_sharing.h"
#include "policy/bypass_place.h"

/* Constants of a kind of L1. Measured in instructions of a whole run (callgrind): without the
 * `usual` instance spmv has 14% more, vectoradd 2%. */
typedef struct shape {
    bool policy_decides; /* a bypass policy decides about accesses */
    bool values;         /* there may be values */
} shape;

static const shape usual = {.policy_decides = false};
static const shape any = {.policy_decides = true, .values = true};

void gm_order_l1_settle(gm_order_l1 *l1)
{
    l1->usual = l1->policy->conventional && !l1->policy->bypasses && l1->values == NULL &&
                l1->streaming == NULL && l1->cache.sharing == NULL &&
                (l1->bypass.shared == NULL || l1->bypass.shared->into == NULL);
}

__attribute__((noinline)) void gm_order_l1_write_dirty_back(gm_order_l1 *l1, uint64_t line,
                                                            uint32_t dirty, gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l1->statistics.write_backs[kind]++;
    l1->statistics.sectors_written_back[kind] += sectors;
    l1->dirty_sectors -= sectors;
    gm_order_l1_tell(l1, GM_SHARING_TRACKER_WRITE, line);
    if (l1->values != NULL) {
        gm_values_write_back(l1->values, l1->port->sm, line, dirty, GM_MESSAGE_WRITE_BACK);
    }
    gm_order_noc_send(l1->port, GM_MESSAGE_WRITE_BACK, line, dirty, dirty);
}

void gm_order_l1_drop(gm_order_l1 *l1, uint64_t line, gm_cache_place place, gm_access_kind kind)
{
    gm_sector_state state = *gm_cache_state(&l1->cache, place.slot);
    gm_order_l1_write_back(l1, line, state.dirty, kind);
    l1->statistics.invalidations[kind] += state.valid != 0; /* else a tag without data */
    gm_cache_drop(&l1->cache, place);
}

/* Gives an absent line a way; writes the victim back. Requires that the bypass policy leaves a
 * victim in the set. Returns the slot. */
GM_TEMPLATE uint32_t allocate(gm_order_l1 *l1, uint64_t line, gm_cache_place place,
                              gm_access_kind kind, shape shape)
{
    gm_victim victim;
    gm_protection protection = {0};
    uint32_t slot;
    if (shape.policy_decides) {
        protection = gm_bypass_protection(&l1->bypass, place.set);
    }
    if (protection.until == NULL) {
        slot = gm_cache_allocate(&l1->cache, line, place, &victim);
    } else {
        slot = gm_cache_victim_beside(&l1->cache, place, protection.until, protection.access);
        gm_cache_replace(&l1->cache, line, place, slot, &victim);
    }
    if (victim.state.valid != 0) {
        l1->statistics.evictions[kind]++;
        gm_order_l1_evicted(l1, victim.line, victim.state, kind);
    }
    return slot;
}

/* Applies the effect of a load or store on its line, which is `present` at `place` or not. */
GM_TEMPLATE void apply(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                       gm_cache_place place, bool present, shape shape, gm_outcome *outcome)
{
    gm_access_kind counted = kind == GM_REQUEST_LOAD ? GM_LOAD : GM_STORE;
    uint32_t held = present ? gm_cache_state(&l1->cache, place.slot)->valid : 0;
    gm_l1_place where =
        present ? GM_L1_PRESENT
        : shape.policy_decides
            ? gm_bypass_place(&l1->bypass, &l1->cache, request->line, request->chosen, kind, place)
            : GM_L1_ABSENT;
    gm_l1_effect effect = gm_order_l1_effect_of(l1, request, kind, where, held);
    gm_order_l1_count(l1, request, counted, &effect, held, outcome);
    if (present && effect.invalidates) {
        gm_order_l1_drop(l1, request->line, place, counted);
        outcome->drops = true;
        place.slot = GM_NO_SLOT;
    } else if (present) {
        gm_cache_touch(&l1->cache, place);
    } else if (effect.allocates) {
        place.slot = allocate(l1, request->line, place, counted, shape);
    }
    if (shape.policy_decides) {
        gm_bypass_accessed(&l1->bypass, place.set, place.slot);
    }
    if ((effect.validated | effect.dirtied) != 0) {
        gm_order_l1_fill(l1, request, gm_cache_state(&l1->cache, place.slot), held, &effect,
                         counted);
        if (shape.values) {
            gm_order_l1_install_values(l1, request, held, &effect, counted);
        }
    }
    gm_order_l1_forward_any(l1, request, kind, &effect, shape.values);
}

/* Does a load or store that looks its line up. `present` is a constant in each branch. */
GM_TEMPLATE void access_line(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                             shape shape, gm_outcome *outcome)
{
    gm_cache_place place = gm_cache_find(&l1->cache, request->line);
    if (place.slot != GM_NO_SLOT) {
        apply(l1, request, kind, place, true, shape, outcome);
    } else {
        apply(l1, request, kind, place, false, shape, outcome);
    }
}

/* Does a request that always bypasses: drops its line. */
static void bypass(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                   gm_outcome *outcome)
{
    gm_access_kind counted = gm_request_access_kind(kind);
    const gm_l1_access access = {.kind = kind, .bypasses = true, .sectors = request->sectors};
    const gm_l1_line line = {.place = GM_L1_ABSENT}; /* the effect does not depend on the line */
    gm_l1_effect effect = gm_l1_access_effect(l1->policy, &access, &line);
    gm_order_l1_count(l1, request, counted, &effect, 0, outcome);
    outcome->referenced = false;
    if (effect.invalidates && l1->policy->conventional) {
        gm_cache_place place = gm_cache_find(&l1->cache, request->line);
        outcome->drops = place.slot != GM_NO_SLOT;
        if (outcome->drops) {
            gm_order_l1_drop(l1, request->line, place, counted);
        }
    } else if (effect.invalidates) {
        gm_order_l1_decoupled_forget(l1, request->line, counted, outcome);
    }
    gm_order_l1_forward_any(l1, request, kind, &effect, true);
}

/* Does a load that bypasses the closed L1, of which no data are dirty in it. */
static void load_closed(gm_order_l1 *l1, const gm_line_request *request, gm_cache_place place,
                        gm_outcome *outcome)
{
    const gm_l1_access access = {.kind = GM_REQUEST_LOAD, .sectors = request->sectors};
    const gm_l1_line line = {.place = GM_L1_BYPASSED};
    gm_l1_effect effect = gm_l1_load_effect(l1->policy, &access, &line);
    gm_order_l1_count(l1, request, GM_LOAD, &effect, 0, outcome);
    gm_streaming_bypass(l1->streaming, &l1->cache, &l1->statistics, GM_LOAD, request->line, place,
                        request->sectors,
                        l1->policy->sectored ? request->sectors : l1->policy->all_sectors);
    gm_order_l1_forward_any(l1, request, GM_REQUEST_LOAD, &effect, true);
}

/* Does an access of an L1 with a gate, as in an open L1. Counts a load. */
static void access_open(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                        gm_cache_place place, gm_outcome *outcome)
{
    gm_streaming_watch watch = gm_streaming_begin(&l1->cache, request->line, place);
    uint64_t misses = l1->statistics.misses[GM_LOAD];
    if (gm_l1_always_bypasses(l1->policy, kind, false)) {
        bypass(l1, request, kind, outcome);
    } else {
        access_line(l1, request, kind, any, outcome);
    }
    gm_streaming_finish(l1->streaming, &l1->cache, &watch);
    if (kind == GM_REQUEST_LOAD) {
        gm_streaming_count(l1->streaming, l1->statistics.misses[GM_LOAD] != misses);
    }
}

/* Does an access of an L1 with a gate. In this engine a sampling period is a number of accesses. */
static void access_gated(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                         gm_outcome *outcome)
{
    gm_cache_place place = gm_cache_find(&l1->cache, request->line);
    bool dirty = place.slot != GM_NO_SLOT && gm_cache_state(&l1->cache, place.slot)->dirty != 0;
    if (kind == GM_REQUEST_LOAD && l1->streaming->block.closed && !dirty) {
        load_closed(l1, request, place, outcome);
    } else {
        access_open(l1, request, kind, place, outcome);
    }
    gm_streaming_advance(l1->streaming);
}

/* Does an access of an L1 that is not `usual`, or one that always bypasses. */
static __attribute__((noinline)) void access_otherwise(gm_order_l1 *l1,
                                                       const gm_line_request *request,
                                                       gm_request_kind kind, gm_outcome *outcome)
{
    bool store = kind == GM_REQUEST_STORE;
    gm_profile_writer *into = l1->bypass.shared->into;
    l1->statistics.accesses[gm_request_access_kind(kind)]++;
    if (into != NULL && kind == GM_REQUEST_LOAD) {
        gm_profile_count(into, request->line, l1->bypass.sm);
    }
    if (l1->streaming != NULL) {
        access_gated(l1, request, kind, outcome);
        return;
    }
    if (gm_l1_always_bypasses(l1->policy, kind, store && gm_bypass_store(&l1->bypass))) {
        bypass(l1, request, kind, outcome);
    } else if (!l1->policy->conventional) {
        gm_order_l1_decoupled_access(l1, request, kind, outcome);
    } else if (l1->cache.sharing != NULL) {
        gm_order_l1_sharing_access(l1, request, kind, outcome);
    } else if (store) {
        access_line(l1, request, GM_REQUEST_STORE, any, outcome);
    } else {
        access_line(l1, request, GM_REQUEST_LOAD, any, outcome);
    }
}

static __attribute__((noinline)) void load_usual(gm_order_l1 *l1, const gm_line_request *request,
                                                 gm_outcome *outcome)
{
    l1->statistics.accesses[GM_LOAD]++;
    access_line(l1, request, GM_REQUEST_LOAD, usual, outcome);
}

static __attribute__((noinline)) void store_usual(gm_order_l1 *l1, const gm_line_request *request,
                                                  gm_outcome *outcome)
{
    l1->statistics.accesses[GM_STORE]++;
    access_line(l1, request, GM_REQUEST_STORE, usual, outcome);
}

void gm_order_l1_access(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                        gm_outcome *outcome)
{
    if (l1->usual && kind == GM_REQUEST_LOAD) {
        load_usual(l1, request, outcome);
    } else if (l1->usual && kind == GM_REQUEST_STORE) {
        store_usual(l1, request, outcome);
    } else {
        access_otherwise(l1, request, kind, outcome);
    }
    gm_cache_assert_access(&l1->cache, request->line);
}

void gm_order_l1_fill_values(gm_order_l1 *l1, const gm_line_request *request, uint32_t fetched)
{
    gm_values_install(l1->values, l1->port->sm, request->line, fetched, 0, GM_MESSAGE_READ);
}

void gm_order_l1_send_values(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                             const gm_l1_effect *effect)
{
    const gm_value_request asked = {
        .sm = l1->port->sm, .line = request->line, .sectors = request->sectors};
    uint32_t held = gm_order_l1_held(l1, request->line) & request->sectors;
    if (kind >= GM_REQUEST_STORE) {
        gm_values_store(l1->values, &asked,
                        &(gm_value_effect){.held = held,
                                           .dirtied = effect->dirtied,
                                           .forwarded = effect->forwarded,
                                           .id = gm_request_message_kind(kind)});
    } else if (effect->forwarded == 0) {
        gm_values_load(l1->values, &asked, held, GM_MESSAGE_READ);
    }
}

void gm_order_l1_take_values(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind)
{
    const gm_value_request asked = {
        .sm = l1->port->sm, .line = request->line, .sectors = request->sectors};
    if (kind < GM_REQUEST_STORE) {
        gm_values_load(l1->values, &asked, 0, GM_MESSAGE_READ);
        gm_values_answer(l1->values, l1->port->sm, 0, request->line, UINT32_MAX, GM_MESSAGE_READ);
    }
}

uint32_t gm_order_l1_held(const gm_order_l1 *l1, uint64_t line)
{
    if (l1->decoupled != NULL) {
        return gm_order_l1_decoupled_held(l1, line);
    }
    gm_cache_place place = gm_cache_find(&l1->cache, line);
    if (place.slot == GM_NO_SLOT) {
        return 0;
    }
    return l1->cache.unbounded ? l1->cache.table.state[place.slot].valid
                               : l1->cache.way[place.slot].state.valid;
}

/* No access causes a flush: the write-back of a dirty line counts as a store's, the dropping of a
 * clean line as a load's. */
void gm_order_l1_flush(gm_order_l1 *l1)
{
    if (l1->decoupled != NULL) {
        gm_order_l1_decoupled_flush(l1);
        return;
    }
    uint32_t slots = gm_cache_slots(&l1->cache);
    for (uint32_t slot = 0; slot < slots; slot++) {
        gm_sector_state state = *gm_cache_state(&l1->cache, slot);
        if (state.valid != 0) {
            uint64_t line = gm_cache_line(&l1->cache, slot);
            gm_order_l1_drop(l1, line, gm_cache_find(&l1->cache, line),
                             state.dirty != 0 ? GM_STORE : GM_LOAD);
        } else if (l1->streaming != NULL && gm_cache_line(&l1->cache, slot) != GM_NO_LINE) {
            uint64_t tag = gm_cache_line(&l1->cache, slot);
            gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, tag));
        }
    }
    if (l1->cache.unbounded) {
        gm_line_map_clear(&l1->cache.table);
    }
}
