/* L1 data cache. What is sent to the L2 follows its cause at once: a victim's write-back, then the
 * fill, then the store's own data. */
#include "system/l1d.h"

#include "goldmem/bits.h"

void gm_l1d_policy_init(gm_l1d_policy *policy, const gm_config *config)
{
    *policy = (gm_l1d_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l1.line / GM_SECTOR)),
        .enabled = config->l1.enabled,
        .sectored = config->l1.sectored,
        .flush = config->l1.flush,
        .write = {config->l1.global_write, config->l1.local_write},
        .allocate = {config->l1.global_allocate, config->l1.local_allocate},
    };
}

static __attribute__((noinline)) void write_dirty_back(gm_l1d *l1d, uint64_t line, uint32_t dirty,
                                                       gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l1d->statistics.write_backs[kind]++;
    l1d->statistics.sectors_written_back[kind] += sectors;
    l1d->dirty_sectors -= sectors;
    gm_noc_send(l1d->port, GM_MESSAGE_WRITE_BACK, line, dirty, dirty);
}

static inline void write_back(gm_l1d *l1d, uint64_t line, uint32_t dirty, gm_access_kind kind)
{
    if (dirty != 0) {
        write_dirty_back(l1d, line, dirty, kind);
    }
}

static void drop(gm_l1d *l1d, uint64_t line, gm_cache_place place, gm_access_kind kind)
{
    write_back(l1d, line, gm_cache_state(&l1d->cache, place.slot)->dirty, kind);
    l1d->statistics.invalidations[kind]++;
    gm_cache_drop(&l1d->cache, place);
}

static void bypass(gm_l1d *l1d, const gm_line_request *request, gm_message_kind message,
                   gm_access_kind kind, gm_outcome *outcome)
{
    outcome->bypass = true;
    l1d->statistics.bypasses[kind]++;
    if (kind == GM_LOAD) {
        l1d->bypassed_sectors += gm_count_ones(request->sectors);
    }
    if (l1d->policy->enabled) {
        gm_cache_place place = gm_cache_find(&l1d->cache, request->line);
        if (place.slot != GM_NO_SLOT) {
            drop(l1d, request->line, place, kind);
            outcome->drops = true;
        }
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
        write_back(l1d, victim.line, victim.state.dirty, kind);
    }
    return slot;
}

/* Makes the sectors of a request (or the whole line) valid in a line of which `held` are; fetches
 * those missing except `covered`, which a store overwrites whole. */
static inline __attribute__((always_inline)) uint32_t fill(gm_l1d *l1d,
                                                           const gm_line_request *request,
                                                           gm_sector_state *state, uint32_t held,
                                                           uint32_t covered, gm_access_kind kind)
{
    uint32_t wanted = l1d->policy->sectored ? request->sectors : l1d->policy->all_sectors;
    uint32_t missing = wanted & ~held;
    uint32_t fetched = missing & ~covered;
    state->valid = held | missing;
    if (fetched != 0) {
        l1d->statistics.sectors_filled[kind] += gm_count_ones(fetched);
        gm_noc_send(l1d->port, GM_MESSAGE_READ, request->line, fetched, 0);
    }
    return missing;
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

void gm_l1d_load(gm_l1d *l1d, const gm_line_request *request, bool strong, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_LOAD]++;
    if (!l1d->policy->enabled || strong) {
        bypass(l1d, request, GM_MESSAGE_READ, GM_LOAD, outcome);
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
    outcome->fills = fill(l1d, request, gm_cache_state(&l1d->cache, place.slot), held, 0, GM_LOAD);
}

static void make_dirty(gm_l1d *l1d, uint32_t slot, uint32_t sectors)
{
    gm_sector_state *state = gm_cache_state(&l1d->cache, slot);
    unsigned count = gm_count_ones(sectors & ~state->dirty);
    state->dirty |= sectors;
    l1d->dirtied += count;
    l1d->dirty_sectors += count;
}

void gm_l1d_store(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    l1d->statistics.accesses[GM_STORE]++;
    if (!l1d->policy->enabled) {
        bypass(l1d, request, GM_MESSAGE_WRITE, GM_STORE, outcome);
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
            outcome->fills = fill(l1d, request, state, state->valid, request->whole, GM_STORE);
        }
        if (write == GM_WRITE_BACK && (outcome->hit || outcome->fills != 0)) {
            make_dirty(l1d, place.slot, request->sectors);
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
