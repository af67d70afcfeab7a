/* L1 with a decoupled tag store [li, 4.1, 4.2]: what both engines share; and in the order engine,
 * where the data of a MISS come at once. What is sent to the L2 follows its cause, as in l1d.c. */
#include "system/l1d_decoupled.h"

#include "system/l1d_parts.h"
#include "system/laws.h"
#include "system/ship_signature.h"

#include <errno.h>

/* FIFO is refused by gm_config_check. */
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

gm_tag_store_parameters gm_l1d_decoupled_parameters(const gm_config *config,
                                                    const gm_set_index *index)
{
    return (gm_tag_store_parameters){
        .index = index,
        .tag_ways = (unsigned)config->l1.tag_ways,
        .data_ways = (unsigned)config->l1.ways,
        .rc_bits = (unsigned)config->l1.rc_bits,
        .threshold = (unsigned)config->l1.threshold,
        .allocation_rc = 1,
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

size_t gm_l1d_decoupled_bytes(const gm_tag_store_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return sizeof(gm_l1d_decoupled) + gm_tag_store_bytes(parameters) +
           data_lines(parameters) * sizeof(gm_sector_state) + (size_t)2 * ALIGNMENT;
}

int gm_l1d_decoupled_init(gm_l1d_decoupled *decoupled, const gm_tag_store_parameters *parameters,
                          gm_arena *arena, gm_error *error)
{
    *decoupled = (gm_l1d_decoupled){0};
    int code = gm_tag_store_init(&decoupled->tags, parameters, arena, error);
    if (code < 0) {
        return code;
    }
    decoupled->state = gm_arena_take(arena, data_lines(parameters), sizeof *decoupled->state);
    return decoupled->state != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: lines of an L1");
}

gm_tag_store_response gm_l1d_decoupled_transact(gm_l1d_decoupled *decoupled,
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

gm_tag_store_response gm_l1d_decoupled_probe(gm_l1d_decoupled *decoupled, uint64_t line,
                                             bool may_miss, bool may_bypass)
{
    return gm_l1d_decoupled_transact(
        decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_PROBE,
                                          .line = line,
                                          .may_miss = may_miss,
                                          .may_bypass = may_bypass,
                                          .conventional = decoupled->conventional,
                                          .signature = signature_of(&decoupled->tags, line)});
}

bool gm_l1d_decoupled_fill(gm_l1d_decoupled *decoupled, uint64_t line, uint32_t position)
{
    gm_tag_store_response response = gm_l1d_decoupled_transact(
        decoupled,
        (gm_tag_store_request){.op = GM_TAG_STORE_FILL, .line = line, .position = position});
    decoupled->filled += response.error == 0 && response.dropped == 0;
    decoupled->dropped += response.dropped;
    return response.dropped == 0;
}

static gm_sector_state *state_at(const gm_l1d_decoupled *decoupled, uint64_t index,
                                 uint64_t position)
{
    return &decoupled->state[gm_l1d_decoupled_slot(decoupled, index, position)];
}

uint32_t gm_l1d_decoupled_held(const gm_l1d *l1d, uint64_t line)
{
    gm_tag_store_expected there = gm_tag_store_expect(&l1d->decoupled->tags, line, false);
    return there.outcome == GM_TAG_STORE_HIT
               ? state_at(l1d->decoupled, there.index, there.position)->valid
               : 0;
}

/* A data line has been given up, if the response says so: *count is where it counts. */
static void give_up(gm_l1d *l1d, const gm_tag_store_response *response, gm_access_kind kind,
                    uint64_t *count)
{
    if (response->evicted != 0) {
        gm_sector_state *state =
            state_at(l1d->decoupled, response->index, response->evicted_position);
        ++*count;
        gm_l1d_write_back(l1d, response->evicted_line, state->dirty, kind);
        *state = (gm_sector_state){0};
    }
}

/* An access is over: in this engine an interval of SM dueling is a number of accesses. */
static void end_access(gm_l1d_decoupled *decoupled)
{
    decoupled->references++;
    if (decoupled->dueling != NULL) {
        gm_dueling_advance(decoupled->dueling, 1);
    }
}

/* A reference that may get a data line, when it is `allowed` to; without, only a hit changes
 * anything. Returns the line's data line, or NULL when it has none. */
static gm_sector_state *probe(gm_l1d *l1d, const gm_line_request *request, bool allowed,
                              uint32_t covered, gm_access_kind kind, gm_outcome *outcome)
{
    gm_l1d_decoupled *decoupled = l1d->decoupled;
    gm_cache_statistics *statistics = &l1d->statistics;
    gm_l1d_decoupled_begin(decoupled);
    gm_tag_store_response response =
        gm_l1d_decoupled_probe(decoupled, request->line, allowed, allowed);
    if (response.evicted != 0 &&
        state_at(decoupled, response.index, response.evicted_position)->dirty == 0) {
        gm_l1d_tell(l1d, GM_SHARING_TRACKER_EVICT, response.evicted_line);
    }
    give_up(l1d, &response, kind, &statistics->evictions[kind]);
    if (response.outcome == GM_TAG_STORE_BYPASS) {
        gm_l1d_count_bypass(l1d, request, kind, outcome);
        outcome->referenced = true;
        return NULL;
    }
    if (response.outcome == GM_TAG_STORE_RESERVATION_FAIL) {
        statistics->misses[kind]++;
        return NULL;
    }
    gm_sector_state *state = state_at(decoupled, response.index, response.position);
    if ((request->sectors & ~state->valid) == 0) {
        statistics->hits[kind]++;
        outcome->hit = true;
        return state;
    }
    statistics->misses[kind]++;
    statistics->sector_misses[kind] += response.outcome == GM_TAG_STORE_HIT;
    if (allowed) {
        outcome->fills = gm_l1d_fill(l1d, request, state, state->valid, covered, kind);
    }
    if (response.outcome == GM_TAG_STORE_MISS) {
        /* Its data are there: in this engine, at once. */
        decoupled->allocated++;
        gm_l1d_decoupled_fill(decoupled, request->line, (uint32_t)response.position);
    }
    return state;
}

void gm_l1d_decoupled_load(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    gm_l1d_decoupled *decoupled = l1d->decoupled;
    probe(l1d, request, true, 0, GM_LOAD, outcome);
    if (decoupled->dueling != NULL) {
        gm_dueling_load(decoupled->dueling, decoupled->sm, decoupled->conventional, !outcome->hit);
    }
    end_access(decoupled);
    if (outcome->bypass) {
        gm_l1d_fetch(l1d, request->line, request->sectors, request->whole, false);
    }
}

static void write_evict(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    gm_cache_statistics *statistics = &l1d->statistics;
    gm_tag_store_response response = gm_l1d_decoupled_transact(
        l1d->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_WRITE, .line = request->line});
    end_access(l1d->decoupled);
    bool there = response.evicted != 0;
    outcome->drops = there;
    outcome->hit =
        there && (request->sectors &
                  ~state_at(l1d->decoupled, response.index, response.evicted_position)->valid) == 0;
    statistics->hits[GM_STORE] += outcome->hit;
    statistics->misses[GM_STORE] += !outcome->hit;
    statistics->sector_misses[GM_STORE] += there && !outcome->hit;
    give_up(l1d, &response, GM_STORE, &statistics->invalidations[GM_STORE]);
}

void gm_l1d_decoupled_store(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    gm_write_policy write = l1d->policy->write[request->local];
    if (write == GM_WRITE_EVICT) {
        write_evict(l1d, request, outcome);
    } else {
        gm_sector_state *state = probe(l1d, request, l1d->policy->allocate[request->local],
                                       request->whole, GM_STORE, outcome);
        end_access(l1d->decoupled);
        if (write == GM_WRITE_BACK && (outcome->hit || outcome->fills != 0)) {
            gm_l1d_make_dirty(l1d, state, request->sectors);
            return;
        }
    }
    gm_l1d_tell(l1d, GM_SHARING_TRACKER_WRITE, request->line);
    gm_noc_send(l1d->port, GM_MESSAGE_WRITE, request->line, request->sectors, request->whole);
}

void gm_l1d_decoupled_forget(gm_l1d *l1d, uint64_t line, gm_access_kind kind, gm_outcome *outcome)
{
    gm_tag_store_response response = gm_l1d_decoupled_transact(
        l1d->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_INVALIDATE, .line = line});
    end_access(l1d->decoupled);
    outcome->drops = response.evicted != 0;
    give_up(l1d, &response, kind, &l1d->statistics.invalidations[kind]);
}

void gm_l1d_decoupled_flush(gm_l1d *l1d)
{
    gm_l1d_decoupled *decoupled = l1d->decoupled;
    const gm_tag_store *tags = &decoupled->tags;
    for (uint32_t index = 0; index >> tags->parameters.index->bits == 0; index++) {
        for (unsigned position = 0; position < tags->parameters.data_ways; position++) {
            gm_sector_state *state = state_at(decoupled, index, position);
            if (state->valid != 0) {
                gm_access_kind kind = state->dirty != 0 ? GM_STORE : GM_LOAD;
                l1d->statistics.invalidations[kind]++;
                gm_l1d_write_back(l1d, gm_tag_store_line_at(tags, index, position), state->dirty,
                                  kind);
                *state = (gm_sector_state){0};
            }
        }
    }
    gm_l1d_decoupled_transact(decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
}

/* A data line holds something just when an entry owns it, and none waits. */
static int check_set(const gm_l1d_decoupled *decoupled, uint32_t index, uint64_t *held,
                     uint64_t *dirty, const char *where, gm_error *error)
{
    const gm_tag_store_set *set = &decoupled->tags.set[index];
    GM_LAW(where, "data lines that wait for their fill = 0", set->waiting, 0);
    for (unsigned position = 0; position < decoupled->tags.parameters.data_ways; position++) {
        const gm_sector_state *state = state_at(decoupled, index, position);
        GM_LAW(where, "data line owned by an entry = holds sectors", set->lines >> position & 1,
               state->valid != 0);
        GM_LAW(where, "dirty sectors that are not valid = 0", state->dirty & ~state->valid, 0);
        *held += state->valid != 0;
        *dirty += gm_count_ones(state->dirty);
    }
    return 0;
}

int gm_l1d_decoupled_check_tags(const gm_l1d_decoupled *decoupled,
                                const gm_cache_statistics *counts, uint64_t dirty_sectors,
                                const char *where, gm_error *error)
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
    GM_LAW(where, "dirty sectors counted = found", dirty_sectors, dirty);
    GM_LAW(where, "lines that died while they waited = FILLs dropped", decoupled->died,
           decoupled->dropped);
    GM_LAW(where, "data lines allocated = filled + FILLs dropped", decoupled->allocated,
           decoupled->filled + decoupled->dropped);
    GM_LAW(where, "data lines allocated = evicted + invalidated + died + there",
           decoupled->allocated,
           gm_laws_sum(counts->evictions) + gm_laws_sum(counts->invalidations) + decoupled->died +
               held);
    return 0;
}

int gm_l1d_decoupled_check(const gm_l1d *l1d, const char *where, gm_error *error)
{
    const gm_l1d_decoupled *decoupled = l1d->decoupled;
    const gm_cache_statistics *counts = &l1d->statistics;
    int code = gm_l1d_decoupled_check_tags(decoupled, counts, l1d->dirty_sectors, where, error);
    if (code < 0) {
        return code;
    }
    GM_LAW(where, "accesses = references of the tag store",
           l1d->policy->enabled ? gm_laws_sum(counts->accesses) : 0, decoupled->references);
    return 0;
}
