/* Streaming bypass of a cache in a run [khairy, 4.1]: sampling periods, and the tags of a closed
 * cache. */
#include "cache/streaming.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 2, MOST_COUNT_BITS = 20, LEAST = 64, THRESHOLD = 90 };

/* The counts have room for the accesses of a whole period, up to the block's limit. */
gm_stream_gate_parameters gm_streaming_parameters(const gm_config *config, uint64_t requests)
{
    unsigned bits = gm_log2_floor(config->gpu.sampling_period * requests) + 1;
    return (gm_stream_gate_parameters){
        .count_bits = bits < MOST_COUNT_BITS ? bits : MOST_COUNT_BITS,
        .threshold = THRESHOLD,
        .least = LEAST,
    };
}

gm_stream_gate_parameters gm_streaming_l1_parameters(const gm_config *config)
{
    return gm_streaming_parameters(config, config->l1.ports > config->l1.banks ? config->l1.ports
                                                                               : config->l1.banks);
}

/* A bank looks up one request in each of its own cycles. */
gm_stream_gate_parameters gm_streaming_l2_parameters(const gm_config *config)
{
    uint64_t cycles = (config->clock.l2 + config->clock.core - 1) / config->clock.core;
    return gm_streaming_parameters(config, cycles);
}

size_t gm_streaming_bytes(const gm_cache_parameters *cache)
{
    return sizeof(gm_streaming) + cache->sets * cache->ways * sizeof(uint32_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

gm_streaming *gm_streaming_make(const gm_config *config,
                                const gm_stream_gate_parameters *parameters, const gm_cache *cache,
                                gm_arena *arena)
{
    gm_error error;
    gm_streaming *streaming = gm_arena_take(arena, 1, sizeof *streaming);
    uint32_t slots = (uint32_t)cache->parameters.sets * cache->most_ways;
    uint32_t *seen = gm_arena_take(arena, slots, sizeof *seen);
    if (streaming == NULL || seen == NULL) {
        return NULL;
    }
    *streaming = (gm_streaming){
        .period = config->gpu.sampling_period,
        .end = config->gpu.sampling_period,
        .seen = seen,
        .slots = slots,
    };
    int code = gm_stream_gate_init(&streaming->block, parameters, &error);
    gm_assert(code == 0, "%s", error.text);
    return code == 0 ? streaming : NULL;
}

void gm_streaming_end_period(gm_streaming *streaming, uint64_t at)
{
    gm_streaming_statistics *statistics = &streaming->statistics;
    bool closed = streaming->block.closed;
    gm_stream_gate_access(&streaming->block, (gm_stream_gate_request){.op = GM_STREAM_GATE_PERIOD,
                                                                      .hot = streaming->hot});
    statistics->periods_open += !closed;
    statistics->periods_closed += closed;
    statistics->closings += !closed && streaming->block.closed;
    statistics->openings += closed && !streaming->block.closed;
    if (streaming->block.closed && statistics->first_closed == 0) {
        statistics->first_closed = at;
    }
}

/* Gives an absent line a way without data, if there is one. */
static void take_tag(gm_streaming *streaming, gm_cache *cache, gm_cache_statistics *counts,
                     gm_access_kind kind, uint64_t line, gm_cache_place place, uint32_t fetched)
{
    gm_victim victim;
    uint32_t slot = gm_cache_clean_victim(cache, place);
    if (slot == GM_NO_SLOT) {
        return;
    }
    gm_cache_replace(cache, line, place, slot, &victim);
    cache->allocations--; /* counts lines that get data */
    counts->evictions[kind] += victim.state.valid != 0;
    streaming->seen[slot] = fetched;
    streaming->statistics.tags_taken++;
}

void gm_streaming_bypass(gm_streaming *streaming, gm_cache *cache, gm_cache_statistics *counts,
                         gm_access_kind kind, uint64_t line, gm_cache_place place, uint32_t sectors,
                         uint32_t fetched)
{
    uint32_t known = 0;
    if (place.slot != GM_NO_SLOT) {
        known = gm_cache_state(cache, place.slot)->valid | streaming->seen[place.slot];
        gm_cache_touch(cache, place);
        streaming->seen[place.slot] |= fetched;
    } else {
        take_tag(streaming, cache, counts, kind, line, place, fetched);
    }
    gm_streaming_count(streaming, (sectors & ~known) != 0);
    *(kind == GM_LOAD ? &streaming->statistics.loads_bypassed
                      : &streaming->statistics.stores_bypassed) += 1;
}

gm_streaming_watch gm_streaming_begin(gm_cache *cache, uint64_t line, gm_cache_place place)
{
    bool tag = place.slot != GM_NO_SLOT && gm_streaming_is_tag(cache, place.slot);
    return (gm_streaming_watch){
        .line = line, .allocations = cache->allocations, .slot = tag ? place.slot : GM_NO_SLOT};
}

void gm_streaming_finish(gm_streaming *streaming, gm_cache *cache, const gm_streaming_watch *watch)
{
    if (watch->slot != GM_NO_SLOT) {
        cache->allocations += !gm_streaming_is_tag(cache, watch->slot);
    } else if (cache->allocations != watch->allocations) {
        gm_cache silent = *cache; /* this look-up is none of the run's */
        silent.parameters.observer = NULL;
        uint32_t slot = gm_cache_find(&silent, watch->line).slot;
        if (slot != GM_NO_SLOT) {
            streaming->seen[slot] = 0;
        }
    }
}

int gm_streaming_check(const gm_streaming *streaming, uint64_t counted, uint64_t bypassed,
                       const char *where, gm_error *error)
{
    const gm_streaming_statistics *statistics = &streaming->statistics;
    gm_error inner;
    if (gm_stream_gate_check(&streaming->block, &inner) < 0) {
        return gm_fail(error, -EPROTO, "%s: %s", where, inner.text);
    }
    GM_INVARIANT(where, "accesses of its gate = loads (L2: and stores) taken", statistics->accesses,
                 counted);
    GM_INVARIANT(where, "misses of its gate <= accesses",
                 statistics->misses <= statistics->accesses, 1);
    GM_INVARIANT(where, "bypassed while closed = bypasses",
                 statistics->loads_bypassed + statistics->stores_bypassed, bypassed);
    GM_INVARIANT(where, "tags taken without data <= bypassed while closed",
                 statistics->tags_taken <= bypassed, 1);
    GM_INVARIANT(where, "closings of its gate = openings + closed now", statistics->closings,
                 statistics->openings + streaming->block.closed);
    GM_INVARIANT(where, "sampling periods = of an open and of a closed gate",
                 streaming->end / streaming->period - 1,
                 statistics->periods_open + statistics->periods_closed);
    GM_INVARIANT(where, "has a first closing = has closed", statistics->first_closed != 0,
                 statistics->closings != 0);
    return 0;
}

void gm_streaming_snapshot(gm_streaming *streaming, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, streaming->block.accesses);
    GM_SNAPSHOT_VALUE(snapshot, streaming->block.misses);
    GM_SNAPSHOT_VALUE(snapshot, streaming->block.closed);
    GM_SNAPSHOT_VALUE(snapshot, streaming->end);
    GM_SNAPSHOT_VALUE(snapshot, streaming->closed);
    GM_SNAPSHOT_VALUE(snapshot, streaming->latched);
    GM_SNAPSHOT_VALUE(snapshot, streaming->hot);
    GM_SNAPSHOT_VALUE(snapshot, streaming->statistics);
    GM_SNAPSHOT_ARRAY(snapshot, streaming->seen, streaming->slots);
}
