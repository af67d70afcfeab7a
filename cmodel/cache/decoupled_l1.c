/* L1 with a decoupled tag store, the part that both engines share [li, 4.1, 4.2]. */
#include "cache/decoupled_l1.h"

#include "cache/cache_snapshot.h"
#include "cache/ship_signature.h"
#include "stats/invariants.h"

#include <errno.h>

/* Returns the replacement of data lines. gm_config_check refuses FIFO. */
static gm_replacement_policy policy_of(const gm_config *config)
{
    switch (config->l1.replacement) {
    case GM_REPLACE_SRRIP:
        return GM_REPLACEMENT_SRRIP;
    case GM_REPLACE_SHIP:
        return GM_REPLACEMENT_SHIP;
    case GM_REPLACE_LRU:
    case GM_REPLACE_FIFO:
        break;
    }
    return GM_REPLACEMENT_LRU;
}

gm_tag_store_parameters gm_decoupled_l1_parameters(const gm_config *config,
                                                   const gm_set_index *index)
{
    return (gm_tag_store_parameters){
        .index = index,
        .tag_ways = (unsigned)config->l1.tag_ways,
        .data_ways = (unsigned)config->l1.ways,
        .rc_bits = (unsigned)config->l1.rc_bits,
        .threshold = (unsigned)config->l1.threshold,
        .allocation_rc = (unsigned)config->l1.allocation_rc,
        .lfu_any = config->l1.lfu_any,
        .replacement = policy_of(config),
        .rrpv_bits = GM_RRPV_BITS,
        .signature_bits = GM_SHIP_SIGNATURE_BITS,
        .counter_bits = GM_SHIP_COUNTER_BITS,
    };
}

static size_t data_lines(const gm_tag_store_parameters *parameters)
{
    return (size_t)parameters->data_ways << parameters->index->bits;
}

size_t gm_decoupled_l1_bytes(const gm_tag_store_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return sizeof(gm_decoupled_l1) + gm_tag_store_bytes(parameters) +
           data_lines(parameters) * sizeof(gm_sector_state) + (size_t)2 * ALIGNMENT;
}

int gm_decoupled_l1_init(gm_decoupled_l1 *decoupled, const gm_tag_store_parameters *parameters,
                         gm_arena *arena, gm_error *error)
{
    *decoupled = (gm_decoupled_l1){0};
    int code = gm_tag_store_init(&decoupled->tags, parameters, arena, error);
    if (code < 0) {
        return code;
    }
    decoupled->state = gm_arena_take(arena, data_lines(parameters), sizeof *decoupled->state);
    return decoupled->state != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: lines of an L1");
}

gm_tag_store_response gm_decoupled_l1_transact(gm_decoupled_l1 *decoupled,
                                               gm_tag_store_request request)
{
    gm_tag_store_response response = gm_tag_store_access(&decoupled->tags, request);
    if (decoupled->index_observer != NULL && request.op != GM_TAG_STORE_FLUSH) {
        gm_cache_tell_observer(decoupled->tags.parameters.index, decoupled->index_observer,
                               request.line, (uint32_t)response.index);
    }
    return response;
}

/* A line address has the bits of 64 that a byte within the line leaves. */
static uint64_t signature_of(const gm_tag_store *tags, uint64_t line)
{
    const gm_tag_store_parameters *p = &tags->parameters;
    return p->replacement == GM_REPLACEMENT_SHIP
               ? gm_ship_signature(line << (64 - p->index->address_bits), p->signature_bits)
               : 0;
}

gm_tag_store_response gm_decoupled_l1_probe(gm_decoupled_l1 *decoupled, uint64_t line,
                                            bool may_miss, bool may_bypass)
{
    return gm_decoupled_l1_transact(
        decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_PROBE,
                                          .line = line,
                                          .may_miss = may_miss,
                                          .may_bypass = may_bypass,
                                          .conventional = decoupled->conventional,
                                          .signature = signature_of(&decoupled->tags, line)});
}

bool gm_decoupled_l1_fill(gm_decoupled_l1 *decoupled, uint64_t line, uint32_t position)
{
    gm_tag_store_response response = gm_decoupled_l1_transact(
        decoupled,
        (gm_tag_store_request){.op = GM_TAG_STORE_FILL, .line = line, .position = position});
    decoupled->filled += response.error == 0 && response.dropped == 0;
    decoupled->dropped += response.dropped;
    return response.dropped == 0;
}

/* Checks that no entry waits and that a data line has valid sectors exactly if an entry owns it. */
static int check_set(const gm_decoupled_l1 *decoupled, uint32_t index, uint64_t *held,
                     uint64_t *dirty, const char *where, gm_error *error)
{
    const gm_tag_store_set *set = &decoupled->tags.set[index];
    GM_INVARIANT(where, "data lines that wait for their fill = 0", set->waiting, 0);
    for (unsigned position = 0; position < decoupled->tags.parameters.data_ways; position++) {
        const gm_sector_state *state = gm_decoupled_l1_state(decoupled, index, position);
        GM_INVARIANT(where, "data line owned by an entry = holds sectors",
                     set->lines >> position & 1, state->valid != 0);
        GM_INVARIANT(where, "dirty sectors that are not valid = 0", state->dirty & ~state->valid,
                     0);
        *held += state->valid != 0;
        *dirty += gm_count_ones(state->dirty);
    }
    return 0;
}

int gm_decoupled_l1_check_tags(const gm_decoupled_l1 *decoupled, const gm_cache_statistics *counts,
                               uint64_t dirty_sectors, const char *where, gm_error *error)
{
    uint64_t held = 0;
    uint64_t dirty = 0;
    gm_error inner;
    if (gm_tag_store_check(&decoupled->tags, &inner) < 0) {
        return gm_fail(error, -EPROTO, "%s: %s", where, inner.text);
    }
    for (uint32_t index = 0; index >> decoupled->tags.parameters.index->bits == 0; index++) {
        int code = check_set(decoupled, index, &held, &dirty, where, error);
        if (code < 0) {
            return code;
        }
    }
    GM_INVARIANT(where, "dirty sectors counted = found", dirty_sectors, dirty);
    GM_INVARIANT(where, "lines that died while they waited = FILLs dropped", decoupled->died,
                 decoupled->dropped);
    GM_INVARIANT(where, "data lines allocated = filled + FILLs dropped", decoupled->allocated,
                 decoupled->filled + decoupled->dropped);
    GM_INVARIANT(where, "data lines allocated = evicted + invalidated + died + there",
                 decoupled->allocated,
                 gm_invariants_sum(counts->evictions) + gm_invariants_sum(counts->invalidations) +
                     decoupled->died + held);
    return 0;
}

static void move_tag_store(gm_tag_store *store, gm_snapshot *snapshot)
{
    const gm_tag_store_parameters *p = &store->parameters;
    size_t sets = (size_t)1 << p->index->bits;
    GM_SNAPSHOT_ARRAY(snapshot, store->set, sets);
    GM_SNAPSHOT_ARRAY(snapshot, store->line, sets * p->tag_ways);
    GM_SNAPSHOT_ARRAY(snapshot, store->hash, sets * store->words);
    GM_SNAPSHOT_ARRAY(snapshot, store->rc, sets * store->words);
    GM_SNAPSHOT_ARRAY(snapshot, store->rank, sets * store->rank_words);
    GM_SNAPSHOT_ARRAY(snapshot, store->position, sets * p->tag_ways);
    GM_SNAPSHOT_ARRAY(snapshot, store->owner, sets * p->data_ways);
    if (store->lines != NULL) {
        gm_replacement_snapshot(store->lines, snapshot);
    }
}

void gm_decoupled_l1_snapshot(gm_decoupled_l1 *decoupled, gm_snapshot *snapshot)
{
    const gm_tag_store_parameters *p = &decoupled->tags.parameters;
    move_tag_store(&decoupled->tags, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, decoupled->state, (size_t)p->data_ways << p->index->bits);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->conventional);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->references);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->allocated);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->filled);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->died);
    GM_SNAPSHOT_VALUE(snapshot, decoupled->dropped);
}
