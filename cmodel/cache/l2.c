/* L2 bank. A line's victim is written back before the line is fetched, and a store that goes on to
 * DRAM follows the fetch. */
#include "cache/l2.h"

void gm_l2_policy_init(gm_l2_policy *policy, const gm_config *config)
{
    *policy = (gm_l2_policy){
        .all_sectors = (uint32_t)gm_mask((unsigned)(config->l2.line / GM_SECTOR)),
        .sectored = config->l2.sectored,
        .fetch_on_write = config->l2.fetch_on_write,
    };
}

static __attribute__((noinline)) void write_dirty_back(gm_l2 *l2, gm_dram *dram,
                                                       const gm_address_map *map, gm_location at,
                                                       uint32_t dirty, gm_access_kind kind)
{
    unsigned sectors = gm_count_ones(dirty);
    l2->statistics.write_backs[kind]++;
    l2->statistics.sectors_written_back[kind] += sectors;
    l2->dirty_sectors -= sectors;
    gm_dram_access(dram, gm_address_map_local(map, at), sectors, true);
}

static inline void write_back(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                              uint32_t dirty, gm_access_kind kind)
{
    if (dirty != 0) {
        write_dirty_back(l2, dram, map, at, dirty, kind);
    }
}

static inline __attribute__((always_inline)) uint32_t allocate(gm_l2 *l2, gm_dram *dram,
                                                               const gm_address_map *map,
                                                               gm_location at, gm_cache_place place,
                                                               gm_access_kind kind)
{
    gm_victim victim;
    uint32_t slot = gm_cache_allocate(&l2->cache, at.line, place, &victim);
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
        place.slot = allocate(l2, dram, map, at, place, GM_STORE);
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

/* Brings the missing sectors of a line, of which `held` are there, in; which of them are new. */
static inline __attribute__((always_inline)) uint32_t fill(gm_l2 *l2, gm_dram *dram,
                                                           const gm_address_map *map,
                                                           gm_location at, gm_sector_state *state,
                                                           uint32_t held, const gm_message *message,
                                                           gm_access_kind kind)
{
    uint32_t wanted = l2->policy.sectored ? message->sectors : l2->policy.all_sectors;
    uint32_t missing = wanted & ~held;
    uint32_t fetched = missing;
    if (kind == GM_STORE && l2->policy.fetch_on_write == GM_FETCH_PARTIAL) {
        fetched &= ~message->whole;
    }
    if (fetched != 0) {
        unsigned sectors = gm_count_ones(fetched);
        l2->statistics.sectors_filled[kind] += sectors;
        gm_dram_access(dram, gm_address_map_local(map, at), sectors, false);
    }
    state->valid = held | missing;
    return missing;
}

static void make_dirty(gm_l2 *l2, gm_sector_state *state, uint32_t written)
{
    unsigned sectors = gm_count_ones(written & ~state->dirty);
    state->dirty |= written;
    l2->dirtied += sectors;
    l2->dirty_sectors += sectors;
}

static void write_through(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                          uint32_t written)
{
    unsigned sectors = gm_count_ones(written);
    l2->through += sectors;
    gm_dram_access(dram, gm_address_map_local(map, at), sectors, true);
}

/* In line, so that reads, which are most, are compiled by themselves. */
static inline __attribute__((always_inline)) gm_outcome access_line(gm_l2 *l2, gm_dram *dram,
                                                                    const gm_address_map *map,
                                                                    gm_location at,
                                                                    const gm_message *message,
                                                                    gm_access_kind kind)
{
    gm_cache_statistics *statistics = &l2->statistics;
    gm_outcome outcome = {0};
    gm_cache_place place = gm_cache_find(&l2->cache, at.line);
    bool there = place.slot != GM_NO_SLOT;
    uint32_t held = 0;
    statistics->accesses[kind]++;
    if (there) {
        gm_cache_touch(&l2->cache, place);
        held = gm_cache_state(&l2->cache, place.slot)->valid;
    } else {
        place.slot = allocate(l2, dram, map, at, place, kind);
    }
    gm_sector_state *state = gm_cache_state(&l2->cache, place.slot);
    if (there && (message->sectors & ~held) == 0) {
        statistics->hits[kind]++;
        outcome.hit = true;
    } else {
        statistics->misses[kind]++;
        statistics->sector_misses[kind] += there;
        outcome.fills = fill(l2, dram, map, at, state, held, message, kind);
    }
    if (!outcome.hit && gm_l2_writes_through(&l2->policy, kind)) {
        write_through(l2, dram, map, at, message->sectors);
    } else if (kind != GM_LOAD) {
        make_dirty(l2, state, message->sectors);
    }
    return outcome;
}

static __attribute__((noinline)) gm_outcome write_line(gm_l2 *l2, gm_dram *dram,
                                                       const gm_address_map *map, gm_location at,
                                                       const gm_message *message)
{
    switch ((gm_message_kind)message->kind) {
    case GM_MESSAGE_ATOMIC:
    case GM_MESSAGE_REDUCTION:
        return access_line(l2, dram, map, at, message, GM_ATOMIC);
    case GM_MESSAGE_INSTALL:
        install(l2, dram, map, at, message->sectors);
        return (gm_outcome){.fills = message->sectors};
    case GM_MESSAGE_DISCARD:
        discard(l2, dram, map, at, message->sectors);
        return (gm_outcome){.bypass = true, .drops = true};
    case GM_MESSAGE_READ:
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
    case GM_MESSAGE_KINDS:
        break;
    }
    return access_line(l2, dram, map, at, message, GM_STORE);
}

gm_outcome gm_l2_access(gm_l2 *l2, gm_dram *dram, const gm_address_map *map, gm_location at,
                        const gm_message *message)
{
    l2->received.messages[message->kind]++;
    l2->received.sectors[message->kind] += gm_count_ones(message->sectors);
    return message->kind == GM_MESSAGE_READ ? access_line(l2, dram, map, at, message, GM_LOAD)
                                            : write_line(l2, dram, map, at, message);
}
