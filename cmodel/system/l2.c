/* L2 bank. A line's victim is written back before the line is fetched. */
#include "system/l2.h"

void gm_l2_policy_init(gm_l2_policy *policy, const gm_config *config)
{
    *policy = (gm_l2_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l2.line / GM_SECTOR)),
        .sectored = config->l2.sectored,
        .fetch_on_write = config->l2.fetch_on_write,
    };
}

static gm_access_kind kind_of(uint32_t message)
{
    switch ((gm_message_kind)message) {
    case GM_MESSAGE_READ:
        return GM_LOAD;
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return GM_ATOMIC;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return GM_STORE;
}

static void write_back(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                       uint32_t dirty, gm_access_kind kind)
{
    if (dirty != 0) {
        unsigned sectors = gm_count_ones(dirty);
        l2->statistics.write_backs[kind]++;
        l2->statistics.sectors_written_back[kind] += sectors;
        l2->dirty_sectors -= sectors;
        gm_dram_access(dram, gm_address_map_local(map, at), sectors, true);
    }
}

static uint32_t allocate(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                         uint32_t set, gm_access_kind kind)
{
    gm_victim victim;
    uint32_t slot = gm_cache_allocate(&l2->cache, at.line, set, &victim);
    if (victim.state.valid != 0) {
        l2->statistics.evictions[kind]++;
        gm_location old = {at.partition, at.bank, victim.line};
        write_back(l2, dram, map, old, victim.state.dirty, kind);
    }
    return slot;
}

/* Dirty sectors that a host copy writes need no write-back. */
static void overwrite(gm_l2 *l2, gm_sector_state *state, uint32_t sectors)
{
    unsigned count = gm_count_ones(state->dirty & sectors);
    state->dirty &= ~sectors;
    l2->overwritten += count;
    l2->dirty_sectors -= count;
}

static void install(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                    uint32_t sectors)
{
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    if (place.slot == GM_NO_SLOT) {
        place.slot = allocate(l2, dram, map, at, place.set, GM_STORE);
    } else {
        gm_cache_touch(&l2->cache, place);
    }
    gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
    overwrite(l2, state, sectors);
    state->valid |= sectors;
}

/* The copy went to memory past this cache. Of a line that it covers in part, the rest goes too. */
static void discard(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                    uint32_t sectors)
{
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    if (place.slot != GM_NO_SLOT) {
        gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
        overwrite(l2, state, sectors);
        write_back(l2, dram, map, at, state->dirty, GM_STORE);
        l2->statistics.invalidations[GM_STORE]++;
        gm_cache_drop(&l2->cache, place);
    }
}

/* Brings the missing sectors of a line in; which of them are new. */
static uint32_t fill(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                     uint32_t slot, const gm_message *message, gm_access_kind kind)
{
    gm_sector_state *state = gm_cache_state(&l2->cache, slot);
    uint32_t wanted = l2->policy.sectored ? message->sectors : l2->policy.all_sectors;
    uint32_t missing = wanted & ~state->valid;
    uint32_t fetched = missing;
    if (kind == GM_STORE && l2->policy.fetch_on_write == GM_FETCH_PARTIAL) {
        fetched &= ~message->whole;
    }
    if (fetched != 0) {
        unsigned sectors = gm_count_ones(fetched);
        l2->statistics.sectors_filled[kind] += sectors;
        gm_dram_access(dram, gm_address_map_local(map, at), sectors, false);
    }
    state->valid |= missing;
    return missing;
}

void gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                  const gm_message *message, gm_outcome *outcome)
{
    l2->received.messages[message->kind]++;
    l2->received.sectors[message->kind] += gm_count_ones(message->sectors);
    if (message->kind == GM_MESSAGE_INSTALL) {
        install(l2, dram, map, at, message->sectors);
        outcome->fills = message->sectors;
        return;
    }
    if (message->kind == GM_MESSAGE_DISCARD) {
        discard(l2, dram, map, at, message->sectors);
        outcome->bypass = outcome->drops = true;
        return;
    }
    gm_access_kind kind = kind_of(message->kind);
    gm_cache_statistics *statistics = &l2->statistics;
    statistics->accesses[kind]++;

    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    bool there = place.slot != GM_NO_SLOT;
    outcome->hit =
        there && (message->sectors & ~gm_cache_state(&l2->cache, place.slot)->valid) == 0;
    if (there) {
        gm_cache_touch(&l2->cache, place);
    } else {
        place.slot = allocate(l2, dram, map, at, place.set, kind);
    }
    if (outcome->hit) {
        statistics->hits[kind]++;
    } else {
        statistics->misses[kind]++;
        statistics->sector_misses[kind] += there;
        outcome->fills = fill(l2, dram, map, at, place.slot, message, kind);
    }
    if (kind != GM_LOAD) {
        gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
        unsigned sectors = gm_count_ones(message->sectors & ~state->dirty);
        state->dirty |= message->sectors;
        l2->dirtied += sectors;
        l2->dirty_sectors += sectors;
    }
}
