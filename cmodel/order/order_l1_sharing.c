/* Sharing-aware L1 of the order engine [tabbakh, V-B]: a miss asks the L2 first, whose answer tells
 * whether the line is shared, and then allocates or not. docs/sharing-aware.md. */
#include "order/order_l1_sharing.h"

#include "cache/cache_sharing.h"
#include "order/memory_side.h"
#include "order/order_l1_effect.h"
#include "stats/invariants.h"

/* Reads the sectors from the L2. Returns true if the line is shared [VI-A: SF]. Requires that
 * messages are posted singly. */
static bool fetch(gm_order_l1 *l1, const gm_line_request *request, uint32_t sectors,
                  gm_access_kind kind)
{
    gm_order_noc *noc = l1->port->noc;
    l1->statistics.sectors_filled[kind] += gm_count_ones(sectors);
    l1->port->sent.messages[GM_MESSAGE_READ]++;
    l1->port->sent.sectors[GM_MESSAGE_READ] += gm_count_ones(sectors);
    gm_order_noc_put(noc, (gm_message){.line = request->line,
                                       .sectors = sectors,
                                       .local = request->local,
                                       .sm = (uint16_t)l1->port->sm,
                                       .kind = GM_MESSAGE_READ});
    return gm_memory_side_shared(noc->memory, request->line);
}

/* Installs the line of a miss, whose class is known. Returns its slot, or GM_NO_SLOT if the line
 * bypasses the L1. */
static uint32_t install(gm_order_l1 *l1, const gm_line_request *request, gm_cache_place place,
                        bool shared, gm_victim *victim)
{
    bool bypass;
    l1->cache.sharing->incoming = shared;
    if (gm_cache_sharing_victim(&l1->cache, place, &bypass) == GM_NO_SLOT) {
        return gm_cache_sharing_take(&l1->cache, place); /* declares a line dead */
    }
    return gm_cache_allocate(&l1->cache, request->line, place, victim);
}

/* Answers a load with values that the L1 does not keep. */
static void answer_values(gm_order_l1 *l1, const gm_line_request *request)
{
    const gm_value_request asked = {
        .sm = l1->port->sm, .line = request->line, .sectors = request->sectors};
    gm_values_load(l1->values, &asked, 0, GM_MESSAGE_READ);
    gm_values_answer(l1->values, l1->port->sm, 0, request->line, UINT32_MAX, GM_MESSAGE_READ);
}

static void evict(gm_order_l1 *l1, const gm_victim *victim, gm_access_kind kind)
{
    if (victim->state.valid != 0) {
        l1->statistics.evictions[kind]++;
        gm_order_l1_evicted(l1, victim->line, victim->state, kind);
    }
}

/* Does a miss that allocates. A store that covers its line asks nothing: the line is private, and
 * its victim leaves at once. Another store goes to the L2 before the victim of its fill. */
static void miss(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                 gm_cache_place place, const gm_l1_effect *effect)
{
    gm_access_kind counted = gm_request_access_kind(kind);
    gm_victim victim = {0};
    bool shared = effect->fetched != 0 && fetch(l1, request, effect->fetched, counted);
    uint32_t slot = install(l1, request, place, shared && !request->local, &victim);
    if (slot == GM_NO_SLOT) {
        l1->cache.sharing->statistics.l1_sectors_bypassed += gm_count_ones(effect->validated);
    } else {
        gm_sector_state *state = gm_cache_state(&l1->cache, slot);
        state->valid = effect->validated;
        if (effect->dirtied != 0) {
            gm_order_l1_make_dirty(l1, state, effect->dirtied);
        }
        gm_order_l1_install_values(l1, request, 0, effect, counted);
    }
    if (effect->fetched == 0) {
        evict(l1, &victim, counted);
    }
    if (slot != GM_NO_SLOT || kind != GM_REQUEST_LOAD) {
        gm_order_l1_forward_any(l1, request, kind, effect, true);
    } else if (l1->values != NULL) {
        answer_values(l1, request);
    }
    if (effect->fetched != 0) {
        evict(l1, &victim, counted);
    }
}

void gm_order_l1_sharing_access(gm_order_l1 *l1, const gm_line_request *request,
                                gm_request_kind kind, gm_outcome *outcome)
{
    gm_access_kind counted = gm_request_access_kind(kind);
    gm_cache_place place = gm_cache_find(&l1->cache, request->line);
    bool present = place.slot != GM_NO_SLOT;
    uint32_t held = present ? gm_cache_state(&l1->cache, place.slot)->valid : 0;
    gm_l1_effect effect =
        gm_order_l1_effect_of(l1, request, kind, present ? GM_L1_PRESENT : GM_L1_ABSENT, held);
    gm_order_l1_count(l1, request, counted, &effect, held, outcome);
    if (!present && effect.allocates) {
        miss(l1, request, kind, place, &effect);
        return;
    }
    if (present) {
        gm_cache_touch(&l1->cache, place);
    }
    if (present && effect.dirtied != 0) {
        gm_order_l1_make_dirty(l1, gm_cache_state(&l1->cache, place.slot), effect.dirtied);
    }
    gm_order_l1_forward_any(l1, request, kind, &effect, true);
}

int gm_order_l1_sharing_check(const gm_order_l1 *l1, bool stores_allocate, const char *where,
                              gm_error *error)
{
    if (l1->cache.sharing == NULL) {
        return 0;
    }
    const gm_sharing_statistics *sharing = &l1->cache.sharing->statistics;
    const gm_cache_statistics *counts = &l1->statistics;
    GM_INVARIANT(where, "lines filled, private and shared = lines allocated",
                 sharing->l1_fills_private + sharing->l1_fills_shared, l1->cache.allocations);
    if (stores_allocate) {
        GM_INVARIANT(where, "fills installed and bypassed = misses",
                     sharing->l1_fills_private + sharing->l1_fills_shared +
                         sharing->l1_fills_bypassed,
                     counts->misses[GM_LOAD] + counts->misses[GM_STORE]);
    }
    GM_INVARIANT(where, "hits of private and of shared lines = hits",
                 sharing->l1_hits_private + sharing->l1_hits_shared,
                 counts->hits[GM_LOAD] + counts->hits[GM_STORE]);
    return gm_invariants_check_sharing_l1(sharing, counts, where, error);
}
