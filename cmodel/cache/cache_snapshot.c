/* Snapshots of a tag array, of its replacement state and of MSHRs. */
#include "cache/cache_snapshot.h"

#include "cache/cache_sharing.h"

static void move_sharing(gm_cache_sharing *sharing, gm_snapshot *snapshot)
{
    gm_sharing_lru *lines = &sharing->lines;
    size_t sets = (size_t)1 << lines->parameters.index_bits;
    GM_SNAPSHOT_ARRAY(snapshot, lines->used, sets);
    GM_SNAPSHOT_ARRAY(snapshot, lines->shared, sets);
    GM_SNAPSHOT_ARRAY(snapshot, lines->dead, sets);
    GM_SNAPSHOT_ARRAY(snapshot, lines->owned, sets);
    GM_SNAPSHOT_ARRAY(snapshot, lines->rank, sets * lines->parameters.ways);
    GM_SNAPSHOT_ARRAY(snapshot, lines->owner, sets * lines->parameters.ways);
    GM_SNAPSHOT_VALUE(snapshot, sharing->statistics);
}

/* Saves an unbounded cache's lines, or adds them again in the order of their slots. */
static void move_table(gm_line_map *table, gm_snapshot *snapshot)
{
    uint32_t count = table->count;
    GM_SNAPSHOT_VALUE(snapshot, count);
    if (snapshot->loading) {
        gm_line_map_clear(table);
    }
    for (uint32_t slot = 0; slot < count && snapshot->failed == 0; slot++) {
        uint64_t line = snapshot->loading ? 0 : table->line[slot];
        GM_SNAPSHOT_VALUE(snapshot, line);
        if (snapshot->loading) {
            gm_line_map_add(table, line);
        }
    }
    if (snapshot->failed == 0 && table->count == count) {
        GM_SNAPSHOT_ARRAY(snapshot, table->state, count);
    }
}

void gm_cache_snapshot(gm_cache *cache, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, cache->allocations);
    if (cache->unbounded) {
        move_table(&cache->table, snapshot);
        return;
    }
    uint32_t ways = cache->ways;
    GM_SNAPSHOT_VALUE(snapshot, ways);
    if (snapshot->loading && snapshot->failed == 0 && ways != cache->ways) {
        gm_cache_set_ways(cache, ways < cache->most_ways ? ways : cache->most_ways);
    }
    uint32_t slots = gm_cache_slots(cache);
    GM_SNAPSHOT_ARRAY(snapshot, cache->way, slots);
    GM_SNAPSHOT_ARRAY(snapshot, cache->head, cache->parameters.sets * cache->head_words);
    if (cache->order != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, cache->order, slots);
        GM_SNAPSHOT_VALUE(snapshot, cache->clock);
        if (snapshot->loading && snapshot->failed == 0) {
            gm_cache_make_chains(cache);
        }
    }
    if (cache->rrip) {
        gm_replacement_snapshot(&cache->rrpvs, snapshot);
    }
    if (cache->sharing != NULL) {
        move_sharing(cache->sharing, snapshot);
    }
    if (cache->waiting != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, cache->waiting, gm_bitset_words(slots));
    }
}

void gm_replacement_snapshot(gm_replacement_state *state, gm_snapshot *snapshot)
{
    const gm_replacement_parameters *parameters = &state->parameters;
    size_t sets = (size_t)1 << parameters->index_bits;
    GM_SNAPSHOT_ARRAY(snapshot, state->used, sets);
    GM_SNAPSHOT_ARRAY(snapshot, state->reused, sets);
    GM_SNAPSHOT_ARRAY(snapshot, state->value, sets * parameters->ways);
    if (parameters->policy == GM_REPLACEMENT_SHIP) {
        GM_SNAPSHOT_ARRAY(snapshot, state->signature, sets * parameters->ways);
        GM_SNAPSHOT_ARRAY(snapshot, state->doubt, (size_t)1 << parameters->signature_bits);
    }
}

void gm_mshr_snapshot(gm_mshr *table, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, table->valid, GM_MSHR_WORDS);
    GM_SNAPSHOT_ARRAY(snapshot, table->open, GM_MSHR_WORDS);
    GM_SNAPSHOT_ARRAY(snapshot, table->bucket, (size_t)1 << (64 - table->hash_shift));
    GM_SNAPSHOT_ARRAY(snapshot, table->entry, table->entries);
    GM_SNAPSHOT_ARRAY(snapshot, table->requester, (size_t)table->entries * (table->merges - 1));
}
