/* L1 data cache. What is sent to the L2 follows its cause at once: a victim's write-back, then the
 * fill, then the store's own data. */
#include "system/l1d.h"

#include "system/l1d_decoupled.h"
#include "system/l1d_parts.h"

void gm_l1d_policy_init(gm_l1d_policy *policy, const gm_config *config)
{
    *policy = (gm_l1d_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l1.line / GM_SECTOR)),
        .enabled = config->l1.enabled,
        .conventional = config->l1.enabled && config->l1.kind == GM_L1_CONVENTIONAL,
        .sectored = config->l1.sectored,
        .flush = config->l1.flush,
        .write = {config->l1.global_write, config->l1.local_write},
        .allocate = {config->l1.global_allocate, config->l1.local_allocate},
    };
}

__attribute__((noinline)) void gm_l1d_write_dirty_back(gm_l1d *l1d, uint64_t line, uint32_t dirty,
                                                       gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l1d->statistics.write_backs[kind]++;
    l1d->statistics.sectors_written_back[kind] += sectors;
    l1d->dirty_sectors -= sectors;
    gm_noc_send(l1d->port, GM_MESSAGE_WRITE_BACK, line, dirty, dirty);
}

static void drop(gm_l1d *l1d, uint64_t line, gm_cache_place place, gm_access_kind kind)
{
    gm_l1d_write_back(l1d, line, gm_cache_state(&l1d->cache, place.slot)->dirty, kind);
    l1d->statistics.invalidations[kind]++;
    gm_cache_drop(&l1d->cache, place);
}

static void bypass(gm_l1d *l1d, const gm_line_request *request, gm_message_kind message,
                   gm_access_kind kind, gm_outcome *outcome)
{
    gm_l1d_count_bypass(l1d, request, kind, outcome);
    if (l1d->policy->conventional) {
        gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
        if (place.slot != GM_NO_SLOT) {
            drop(l1d, request->line, place, kind);
            outcome->drops = true;
        }
    } else if (l1d->policy->enabled) {
        gm_l1d_decoupled_forget(l1d, request->line, kind, outcome);
    }
    gm_noc_send(l1d->port, message, request->line, request->sectors, request->whole);
}

static inline __attribute__((always_inline)) uint32_t allocate(gm_l1d *l1d, uint64_t line,
                                                               gm_cache_place place,
                                                               gm_access_kind kind)
{
    gm_victim victim;
    uint32_t slot = gm_cache_allocate(&l1d->cache, line, place, &victim);
    if (victim.state.valid != 0) {
        l1d->statistics.evictions[kind]++;
        gm_l1d_write_back(l1d, victim.line, victim.state.dirty, kind);
    }
    return slot;
}

/* A store's hit or miss; whether all sectors asked for are there. */
static bool look_up(gm_l1d *l1d, const gm_line_request *request, gm_cache_place place)
{
    bool there = place.slot != GM_NO_SLOT;
    bool hit = there && (request->sectors & ~gm_cache_state(&l1d->cache, place.slot)->valid) == 0;
    l1d->statistics.hits[GM_STORE] += hit;
    l1d->statistics.misses[GM_STORE] += !hit;
    l1d->statistics.sector_misses[GM_STORE] += there && !hit;
    return hit;
}

/* What a conventional L1 does not look up. */
static void load_otherwise(gm_l1d *l1d, const gm_line_request *request, bool strong,
                           gm_outcome *outcome)
{
    if (!l1d->policy->enabled || strong) {
        bypass(l1d, request, GM_MESSAGE_READ, GM_LOAD, outcome);
    } else {
        gm_l1d_decoupled_load(l1d, request, outcome);
    }
}

static void store_otherwise(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    if (!l1d->policy->enabled) {
        bypass(l1d, request, GM_MESSAGE_WRITE, GM_STORE, outcome);
    } else {
        gm_l1d_decoupled_store(l1d, request, outcome);
    }
}

void gm_l1d_load(gm_l1d *l1d, const gm_line_request *request, bool strong, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_LOAD]++;
    if (!l1d->policy->conventional || strong) {
        load_otherwise(l1d, request, strong, outcome);
        return;
    }
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
    bool there = place.slot != GM_NO_SLOT;
    uint32_t held = 0;
    if (there) {
        gm_cache_touch(&l1d->cache, place);
        held = gm_cache_state(&l1d->cache, place.slot)->valid;
        if ((request->sectors & ~held) == 0) {
            l1d->statistics.hits[GM_LOAD]++;
            outcome->hit = true;
            return;
        }
    } else {
        place.slot = allocate(l1d, request->line, place, GM_LOAD);
    }
    l1d->statistics.misses[GM_LOAD]++;
    l1d->statistics.sector_misses[GM_LOAD] += there;
    outcome->fills =
        gm_l1d_fill(l1d, request, gm_cache_state(&l1d->cache, place.slot), held, 0, GM_LOAD);
}

void gm_l1d_store(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_STORE]++;
    if (!l1d->policy->conventional) {
        store_otherwise(l1d, request, outcome);
        return;
    }
    gm_write_policy write = l1d->policy->write[request->local];
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
    bool there = place.slot != GM_NO_SLOT;
    bool sent = true;
    outcome->hit = look_up(l1d, request, place);
    if (write == GM_WRITE_EVICT) {
        if (there) {
            drop(l1d, request->line, place, GM_STORE);
            outcome->drops = true;
        }
    } else {
        if (there) {
            gm_cache_touch(&l1d->cache, place);
        }
        if (!outcome->hit && l1d->policy->allocate[request->local]) {
            place.slot = there ? place.slot : allocate(l1d, request->line, place, GM_STORE);
            gm_sector_state *state = gm_cache_state(&l1d->cache, place.slot);
            outcome->fills =
                gm_l1d_fill(l1d, request, state, state->valid, request->whole, GM_STORE);
        }
        if (write == GM_WRITE_BACK && (outcome->hit || outcome->fills != 0)) {
            gm_l1d_make_dirty(l1d, gm_cache_state(&l1d->cache, place.slot), request->sectors);
            sent = false;
        }
    }
    if (sent) {
        gm_noc_send(l1d->port, GM_MESSAGE_WRITE, request->line, request->sectors, request->whole);
    }
}

void gm_l1d_atomic(gm_l1d *l1d, const gm_line_request *request, bool returns, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_ATOMIC]++;
    bypass(l1d, request, returns ? GM_MESSAGE_ATOMIC : GM_MESSAGE_REDUCTION, GM_ATOMIC, outcome);
}

/* No access causes a flush: lines that stores made dirty count as the stores', the others as the
 * loads'. */
void gm_l1d_flush(gm_l1d *l1d)
{
    if (l1d->decoupled != NULL) {
        gm_l1d_decoupled_flush(l1d);
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
