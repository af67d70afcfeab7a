/* L1 with a decoupled tag store [li, 4.1, 4.2] in the order engine: the data of a MISS arrive at
 * once. */
#include "order/order_l1_decoupled.h"

#include "order/order_l1_effect.h"
#include "stats/invariants.h"

uint32_t gm_order_l1_decoupled_held(const gm_order_l1 *l1, uint64_t line)
{
    gm_tag_store_expected there = gm_tag_store_expect(&l1->decoupled->tags, line, false);
    return there.outcome == GM_TAG_STORE_HIT
               ? gm_decoupled_l1_state(l1->decoupled, there.index, there.position)->valid
               : 0;
}

/* Empties the data line that a transaction evicted or dropped, if any; writes its dirty sectors
 * back. Increments *count. Returns the sectors that the data line held. */
static uint32_t give_up(gm_order_l1 *l1, const gm_tag_store_response *response, gm_access_kind kind,
                        uint64_t *count)
{
    if (response->evicted == 0) {
        return 0;
    }
    gm_sector_state *state =
        gm_decoupled_l1_state(l1->decoupled, response->index, response->evicted_position);
    uint32_t held = state->valid;
    ++*count;
    gm_order_l1_write_back(l1, response->evicted_line, state->dirty, kind);
    *state = (gm_sector_state){0};
    return held;
}

/* Ends an access. In this engine an interval of SM dueling is a number of accesses. */
static void end_access(gm_decoupled_l1 *decoupled)
{
    decoupled->references++;
    if (decoupled->dueling != NULL) {
        gm_dueling_advance(decoupled->dueling, 1);
    }
}

static gm_l1_place place_of(const gm_tag_store_response *response)
{
    return response->outcome == GM_TAG_STORE_HIT      ? GM_L1_PRESENT
           : response->outcome == GM_TAG_STORE_BYPASS ? GM_L1_BYPASSED
                                                      : GM_L1_ABSENT;
}

/* Does a PROBE, with permission to allocate or bypass if `allowed`; without permission only a hit
 * changes the store. The data of a MISS arrive at once. Applies the effect to the line, except for
 * the forwarded sectors. Returns the effect. */
GM_TEMPLATE gm_l1_effect probe(gm_order_l1 *l1, const gm_line_request *request,
                               gm_request_kind kind, bool allowed, gm_outcome *outcome)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    gm_access_kind counted = gm_request_access_kind(kind);
    gm_decoupled_l1_begin(decoupled);
    gm_tag_store_response response =
        gm_decoupled_l1_probe(decoupled, request->line, allowed, allowed);
    const gm_sector_state *evicted =
        response.evicted != 0
            ? gm_decoupled_l1_state(decoupled, response.index, response.evicted_position)
            : NULL;
    if (evicted != NULL && evicted->dirty == 0) {
        gm_order_l1_tell_evict(l1, response.evicted_line, evicted->valid);
    }
    give_up(l1, &response, counted, &l1->statistics.evictions[counted]);
    gm_l1_place place = place_of(&response);
    gm_sector_state *state = gm_decoupled_l1_state(decoupled, response.index, response.position);
    uint32_t held = place == GM_L1_PRESENT ? state->valid : 0;
    gm_l1_effect effect = gm_order_l1_effect_of(l1, request, kind, place, held);
    gm_order_l1_count(l1, request, counted, &effect, held, outcome);
    if ((effect.validated | effect.dirtied) != 0) {
        gm_order_l1_fill(l1, request, state, held, &effect, counted);
        gm_order_l1_install_values(l1, request, held, &effect, counted);
    }
    if (effect.allocates) {
        decoupled->allocated++;
        gm_decoupled_l1_fill(decoupled, request->line, (uint32_t)response.position);
    }
    return effect;
}

static gm_l1_effect load(gm_order_l1 *l1, const gm_line_request *request, gm_outcome *outcome)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    gm_l1_effect effect = probe(l1, request, GM_REQUEST_LOAD, true, outcome);
    if (decoupled->dueling != NULL) {
        gm_dueling_load(decoupled->dueling, decoupled->sm, decoupled->conventional, !outcome->hit);
    }
    return effect;
}

/* Does a WRITE: drops the data line; the entry stays with RC 0. */
static gm_l1_effect write_evict(gm_order_l1 *l1, const gm_line_request *request,
                                gm_outcome *outcome)
{
    gm_tag_store_response response = gm_decoupled_l1_transact(
        l1->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_WRITE, .line = request->line});
    uint32_t held = give_up(l1, &response, GM_STORE, &l1->statistics.invalidations[GM_STORE]);
    outcome->drops = response.evicted != 0;
    gm_l1_effect effect = gm_order_l1_effect_of(
        l1, request, GM_REQUEST_STORE, outcome->drops ? GM_L1_PRESENT : GM_L1_ABSENT, held);
    gm_order_l1_count(l1, request, GM_STORE, &effect, held, outcome);
    return effect;
}

void gm_order_l1_decoupled_access(gm_order_l1 *l1, const gm_line_request *request,
                                  gm_request_kind kind, gm_outcome *outcome)
{
    const gm_l1_policy *policy = l1->policy;
    gm_l1_effect effect =
        kind == GM_REQUEST_LOAD ? load(l1, request, outcome)
        : policy->write[request->local] == GM_WRITE_EVICT
            ? write_evict(l1, request, outcome)
            : probe(l1, request, GM_REQUEST_STORE, policy->allocate[request->local], outcome);
    end_access(l1->decoupled);
    gm_order_l1_forward_any(l1, request, kind, &effect, true);
}

void gm_order_l1_decoupled_forget(gm_order_l1 *l1, uint64_t line, gm_access_kind kind,
                                  gm_outcome *outcome)
{
    gm_tag_store_response response = gm_decoupled_l1_transact(
        l1->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_INVALIDATE, .line = line});
    end_access(l1->decoupled);
    outcome->drops = response.evicted != 0;
    give_up(l1, &response, kind, &l1->statistics.invalidations[kind]);
}

void gm_order_l1_decoupled_flush(gm_order_l1 *l1)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    const gm_tag_store *tags = &decoupled->tags;
    for (uint32_t index = 0; index >> tags->parameters.index->bits == 0; index++) {
        for (unsigned position = 0; position < tags->parameters.data_ways; position++) {
            gm_sector_state *state = gm_decoupled_l1_state(decoupled, index, position);
            if (state->valid != 0) {
                gm_access_kind kind = state->dirty != 0 ? GM_STORE : GM_LOAD;
                l1->statistics.invalidations[kind]++;
                gm_order_l1_write_back(l1, gm_tag_store_line_at(tags, index, position),
                                       state->dirty, kind);
                *state = (gm_sector_state){0};
            }
        }
    }
    gm_decoupled_l1_transact(decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
}

int gm_order_l1_decoupled_check(const gm_order_l1 *l1, const char *where, gm_error *error)
{
    const gm_decoupled_l1 *decoupled = l1->decoupled;
    const gm_cache_statistics *counts = &l1->statistics;
    int code = gm_decoupled_l1_check_tags(decoupled, counts, l1->dirty_sectors, where, error);
    if (code < 0) {
        return code;
    }
    GM_INVARIANT(where, "accesses = references of the tag store",
                 l1->policy->enabled ? gm_invariants_sum(counts->accesses) : 0,
                 decoupled->references);
    return 0;
}
