/* L1 data cache. What is sent to the L2 follows its cause at once: a victim's write-back, then the
 * fill, then the store's own data. */
#include "order/order_l1.h"

#include "order/order_l1_decoupled.h"
#include "order/order_l1_lines.h"

void gm_order_l1_settle(gm_order_l1 *l1d)
{
    l1d->plain = l1d->policy->conventional && !l1d->policy->bypasses &&
                 (l1d->bypass.shared == NULL || l1d->bypass.shared->into == NULL);
}

__attribute__((noinline)) void gm_order_l1_write_dirty_back(gm_order_l1 *l1d, uint64_t line,
                                                            uint32_t dirty, gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l1d->statistics.write_backs[kind]++;
    l1d->statistics.sectors_written_back[kind] += sectors;
    l1d->dirty_sectors -= sectors;
    gm_order_l1_tell(l1d, GM_SHARING_TRACKER_WRITE, line);
    gm_order_noc_send(l1d->port, GM_MESSAGE_WRITE_BACK, line, dirty, dirty);
}

static void drop(gm_order_l1 *l1d, uint64_t line, gm_cache_place place, gm_access_kind kind)
{
    gm_order_l1_write_back(l1d, line, gm_cache_state(&l1d->cache, place.slot)->dirty, kind);
    l1d->statistics.invalidations[kind]++;
    gm_cache_drop(&l1d->cache, place);
}

static void bypass(gm_order_l1 *l1d, const gm_line_request *request, gm_message_kind message,
                   gm_access_kind kind, gm_outcome *outcome)
{
    gm_order_l1_count_bypass(l1d, request, kind, outcome);
    if (l1d->policy->conventional) {
        gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
        if (place.slot != GM_NO_SLOT) {
            drop(l1d, request->line, place, kind);
            outcome->drops = true;
        }
    } else if (l1d->policy->enabled) {
        gm_order_l1_decoupled_forget(l1d, request->line, kind, outcome);
    }
    gm_order_l1_tell(l1d, kind == GM_STORE ? GM_SHARING_TRACKER_WRITE : GM_SHARING_TRACKER_COHERENT,
                     request->line);
    gm_order_noc_send(l1d->port, message, request->line, request->sectors, request->whole);
}

/* GM_NO_SLOT: the bypass policy lets no line go. */
static inline __attribute__((always_inline)) uint32_t allocate(gm_order_l1 *l1d, uint64_t line,
                                                               gm_cache_place place,
                                                               gm_access_kind kind, bool plain)
{
    gm_victim victim;
    gm_protection protection = {0};
    uint32_t slot;
    if (!plain) {
        protection = gm_bypass_protection(&l1d->bypass, place.set);
    }
    if (protection.until == NULL) {
        slot = gm_cache_allocate(&l1d->cache, line, place, &victim);
    } else {
        slot = gm_cache_victim_beside(&l1d->cache, place, protection.until, protection.access);
        if (slot == GM_NO_SLOT) {
            return GM_NO_SLOT;
        }
        gm_cache_replace(&l1d->cache, line, place, slot, &victim);
    }
    if (victim.state.valid != 0) {
        l1d->statistics.evictions[kind]++;
        gm_order_l1_evicted(l1d, victim.line, victim.state.dirty, kind);
    }
    return slot;
}

/* A store's hit or miss; whether all sectors asked for are there. */
static bool look_up(gm_order_l1 *l1d, const gm_line_request *request, gm_cache_place place)
{
    bool there = place.slot != GM_NO_SLOT;
    bool hit = there && (request->sectors & ~gm_cache_state(&l1d->cache, place.slot)->valid) == 0;
    l1d->statistics.hits[GM_STORE] += hit;
    l1d->statistics.misses[GM_STORE] += !hit;
    l1d->statistics.sector_misses[GM_STORE] += there && !hit;
    return hit;
}

uint32_t gm_order_l1_held(const gm_order_l1 *l1d, uint64_t line)
{
    if (l1d->decoupled != NULL) {
        return gm_order_l1_decoupled_held(l1d, line);
    }
    gm_cache_place place = gm_cache_find(&l1d->cache, line);
    if (place.slot == GM_NO_SLOT) {
        return 0;
    }
    return l1d->cache.unbounded ? l1d->cache.table.state[place.slot].valid
                                : l1d->cache.way[place.slot].state.valid;
}

/* The line goes round the L1, and counts as referenced there. */
static void pass(gm_order_l1 *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    gm_order_l1_count_bypass(l1d, request, GM_LOAD, outcome);
    outcome->referenced = true;
    gm_order_l1_fetch(l1d, request->line, request->sectors, request->whole, false);
}

/* The slot that a line takes which is not at `place`, or GM_NO_SLOT: it goes round the L1. */
static inline __attribute__((always_inline)) uint32_t take_line(gm_order_l1 *l1d,
                                                                const gm_line_request *request,
                                                                gm_cache_place place, bool plain)
{
    uint32_t slot = GM_NO_SLOT;
    if (plain || !gm_bypass_load(&l1d->bypass, request->line)) {
        slot = allocate(l1d, request->line, place, GM_LOAD, plain);
    }
    if (!plain) {
        gm_bypass_accessed(&l1d->bypass, place.set, slot);
    }
    return slot;
}

/* A conventional L1; `plain`: without a bypass policy. */
static inline __attribute__((always_inline)) void load(gm_order_l1 *l1d,
                                                       const gm_line_request *request, bool plain,
                                                       gm_outcome *outcome)
{
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
    bool there = place.slot != GM_NO_SLOT;
    uint32_t held = 0;
    if (there) {
        gm_cache_touch(&l1d->cache, place);
        if (!plain) {
            gm_bypass_accessed(&l1d->bypass, place.set, place.slot);
        }
        held = gm_cache_state(&l1d->cache, place.slot)->valid;
        if ((request->sectors & ~held) == 0) {
            l1d->statistics.hits[GM_LOAD]++;
            outcome->hit = true;
            return;
        }
    } else {
        place.slot = take_line(l1d, request, place, plain);
        if (!plain && place.slot == GM_NO_SLOT) {
            pass(l1d, request, outcome);
            return;
        }
    }
    l1d->statistics.misses[GM_LOAD]++;
    l1d->statistics.sector_misses[GM_LOAD] += there;
    outcome->fills =
        gm_order_l1_fill(l1d, request, gm_cache_state(&l1d->cache, place.slot), held, 0, GM_LOAD);
}

/* Through, or back. Returns whether it is sent on. */
static inline __attribute__((always_inline)) bool store_kept(gm_order_l1 *l1d,
                                                             const gm_line_request *request,
                                                             gm_cache_place *place, bool plain,
                                                             gm_outcome *outcome)
{
    bool there = place->slot != GM_NO_SLOT;
    if (there) {
        gm_cache_touch(&l1d->cache, *place);
    }
    if (!outcome->hit && l1d->policy->allocate[request->local]) {
        place->slot = there ? place->slot : allocate(l1d, request->line, *place, GM_STORE, plain);
        if (!plain && place->slot == GM_NO_SLOT) {
            return true;
        }
        gm_sector_state *state = gm_cache_state(&l1d->cache, place->slot);
        outcome->fills =
            gm_order_l1_fill(l1d, request, state, state->valid, request->whole, GM_STORE);
    }
    if (l1d->policy->write[request->local] != GM_WRITE_BACK ||
        (!outcome->hit && outcome->fills == 0)) {
        return true;
    }
    gm_order_l1_make_dirty(l1d, gm_cache_state(&l1d->cache, place->slot), request->sectors);
    return false;
}

static inline __attribute__((always_inline)) void store(gm_order_l1 *l1d,
                                                        const gm_line_request *request, bool plain,
                                                        gm_outcome *outcome)
{
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
    bool sent = true;
    outcome->hit = look_up(l1d, request, place);
    if (l1d->policy->write[request->local] != GM_WRITE_EVICT) {
        sent = store_kept(l1d, request, &place, plain, outcome);
    } else if (place.slot != GM_NO_SLOT) {
        drop(l1d, request->line, place, GM_STORE);
        outcome->drops = true;
        place.slot = GM_NO_SLOT;
    }
    if (!plain) {
        gm_bypass_accessed(&l1d->bypass, place.set, place.slot);
    }
    if (sent) {
        gm_order_l1_tell(l1d, GM_SHARING_TRACKER_WRITE, request->line);
        gm_order_noc_send(l1d->port, GM_MESSAGE_WRITE, request->line, request->sectors,
                          request->whole);
    }
}

/* All but a load of an L1 that is plain. */
static __attribute__((noinline)) void load_otherwise(gm_order_l1 *l1d,
                                                     const gm_line_request *request, bool strong,
                                                     gm_outcome *outcome)
{
    gm_profile_writer *into = l1d->bypass.shared->into;
    if (into != NULL && !strong) {
        gm_profile_count(into, request->line, l1d->bypass.sm);
    }
    if (!l1d->policy->enabled || strong) {
        bypass(l1d, request, GM_MESSAGE_READ, GM_LOAD, outcome);
    } else if (l1d->policy->conventional) {
        load(l1d, request, false, outcome);
    } else {
        gm_order_l1_decoupled_load(l1d, request, outcome);
    }
}

static __attribute__((noinline)) void store_otherwise(gm_order_l1 *l1d,
                                                      const gm_line_request *request,
                                                      gm_outcome *outcome)
{
    if (!l1d->policy->enabled || gm_bypass_store(&l1d->bypass)) {
        bypass(l1d, request, GM_MESSAGE_WRITE, GM_STORE, outcome);
    } else if (l1d->policy->conventional) {
        store(l1d, request, false, outcome);
    } else {
        gm_order_l1_decoupled_store(l1d, request, outcome);
    }
}

void gm_order_l1_load(gm_order_l1 *l1d, const gm_line_request *request, bool strong,
                      gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_LOAD]++;
    if (l1d->plain && !strong) {
        load(l1d, request, true, outcome);
    } else {
        load_otherwise(l1d, request, strong, outcome);
    }
}

void gm_order_l1_store(gm_order_l1 *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_STORE]++;
    if (l1d->plain) {
        store(l1d, request, true, outcome);
    } else {
        store_otherwise(l1d, request, outcome);
    }
}

void gm_order_l1_atomic(gm_order_l1 *l1d, const gm_line_request *request, bool returns,
                        gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_ATOMIC]++;
    bypass(l1d, request, returns ? GM_MESSAGE_ATOMIC : GM_MESSAGE_REDUCTION, GM_ATOMIC, outcome);
}

/* No access causes a flush: lines that stores made dirty count as the stores', the others as the
 * loads'. */
void gm_order_l1_flush(gm_order_l1 *l1d)
{
    if (l1d->decoupled != NULL) {
        gm_order_l1_decoupled_flush(l1d);
        return;
    }
    uint32_t slots = gm_cache_slots(&l1d->cache);
    for (uint32_t slot = 0; slot < slots; slot++) {
        gm_sector_state state = *gm_cache_state(&l1d->cache, slot);
        if (state.valid != 0) {
            uint64_t line = gm_cache_line(&l1d->cache, slot);
            drop(l1d, line, gm_cache_find(&l1d->cache, line),
                 state.dirty != 0 ? GM_STORE : GM_LOAD);
        }
    }
    if (l1d->cache.unbounded) {
        gm_line_map_clear(&l1d->cache.table);
    }
}
