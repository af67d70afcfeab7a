/* L1 with a decoupled tag store [li, 4.1, 4.2] in the order engine: the data of a MISS come at
 * once. What is sent to the L2 follows its cause, as in order_l1.c. */
#include "order/order_l1_decoupled.h"

#include "order/order_l1_lines.h"
#include "stats/invariants.h"

uint32_t gm_order_l1_decoupled_held(const gm_order_l1 *l1d, uint64_t line)
{
    gm_tag_store_expected there = gm_tag_store_expect(&l1d->decoupled->tags, line, false);
    return there.outcome == GM_TAG_STORE_HIT
               ? gm_decoupled_l1_state(l1d->decoupled, there.index, there.position)->valid
               : 0;
}

/* A data line has been given up, if the response says so: *count is where it counts. */
static void give_up(gm_order_l1 *l1d, const gm_tag_store_response *response, gm_access_kind kind,
                    uint64_t *count)
{
    if (response->evicted != 0) {
        gm_sector_state *state =
            gm_decoupled_l1_state(l1d->decoupled, response->index, response->evicted_position);
        ++*count;
        gm_order_l1_write_back(l1d, response->evicted_line, state->dirty, kind);
        *state = (gm_sector_state){0};
    }
}

/* An access is over: in this engine an interval of SM dueling is a number of accesses. */
static void end_access(gm_decoupled_l1 *decoupled)
{
    decoupled->references++;
    if (decoupled->dueling != NULL) {
        gm_dueling_advance(decoupled->dueling, 1);
    }
}

/* A reference that may get a data line, when it is `allowed` to; without, only a hit changes
 * anything. Returns the line's data line, or NULL when it has none. */
static gm_sector_state *probe(gm_order_l1 *l1d, const gm_line_request *request, bool allowed,
                              uint32_t covered, gm_access_kind kind, gm_outcome *outcome)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    gm_cache_statistics *statistics = &l1d->statistics;
    gm_decoupled_l1_begin(decoupled);
    gm_tag_store_response response =
        gm_decoupled_l1_probe(decoupled, request->line, allowed, allowed);
    if (response.evicted != 0 &&
        gm_decoupled_l1_state(decoupled, response.index, response.evicted_position)->dirty == 0) {
        gm_order_l1_tell(l1d, GM_SHARING_TRACKER_EVICT, response.evicted_line);
    }
    give_up(l1d, &response, kind, &statistics->evictions[kind]);
    if (response.outcome == GM_TAG_STORE_BYPASS) {
        gm_order_l1_count_bypass(l1d, request, kind, outcome);
        outcome->referenced = true;
        return NULL;
    }
    if (response.outcome == GM_TAG_STORE_RESERVATION_FAIL) {
        statistics->misses[kind]++;
        return NULL;
    }
    gm_sector_state *state = gm_decoupled_l1_state(decoupled, response.index, response.position);
    if ((request->sectors & ~state->valid) == 0) {
        statistics->hits[kind]++;
        outcome->hit = true;
        return state;
    }
    statistics->misses[kind]++;
    statistics->sector_misses[kind] += response.outcome == GM_TAG_STORE_HIT;
    if (allowed) {
        outcome->fills = gm_order_l1_fill(l1d, request, state, state->valid, covered, kind);
    }
    if (response.outcome == GM_TAG_STORE_MISS) {
        /* Its data are there: in this engine, at once. */
        decoupled->allocated++;
        gm_decoupled_l1_fill(decoupled, request->line, (uint32_t)response.position);
    }
    return state;
}

void gm_order_l1_decoupled_load(gm_order_l1 *l1d, const gm_line_request *request,
                                gm_outcome *outcome)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    probe(l1d, request, true, 0, GM_LOAD, outcome);
    if (decoupled->dueling != NULL) {
        gm_dueling_load(decoupled->dueling, decoupled->sm, decoupled->conventional, !outcome->hit);
    }
    end_access(decoupled);
    if (outcome->bypass) {
        gm_order_l1_fetch(l1d, request->line, request->sectors, request->whole, false);
    }
}

static void write_evict(gm_order_l1 *l1d, const gm_line_request *request, gm_outcome *outcome)
{
    gm_cache_statistics *statistics = &l1d->statistics;
    gm_tag_store_response response = gm_decoupled_l1_transact(
        l1d->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_WRITE, .line = request->line});
    end_access(l1d->decoupled);
    bool there = response.evicted != 0;
    outcome->drops = there;
    outcome->hit =
        there && (request->sectors &
                  ~gm_decoupled_l1_state(l1d->decoupled, response.index, response.evicted_position)
                       ->valid) == 0;
    statistics->hits[GM_STORE] += outcome->hit;
    statistics->misses[GM_STORE] += !outcome->hit;
    statistics->sector_misses[GM_STORE] += there && !outcome->hit;
    give_up(l1d, &response, GM_STORE, &statistics->invalidations[GM_STORE]);
}

void gm_order_l1_decoupled_store(gm_order_l1 *l1d, const gm_line_request *request,
                                 gm_outcome *outcome)
{
    gm_write_policy write = l1d->policy->write[request->local];
    if (write == GM_WRITE_EVICT) {
        write_evict(l1d, request, outcome);
    } else {
        gm_sector_state *state = probe(l1d, request, l1d->policy->allocate[request->local],
                                       request->whole, GM_STORE, outcome);
        end_access(l1d->decoupled);
        if (write == GM_WRITE_BACK && (outcome->hit || outcome->fills != 0)) {
            gm_order_l1_make_dirty(l1d, state, request->sectors);
            return;
        }
    }
    gm_order_l1_tell(l1d, GM_SHARING_TRACKER_WRITE, request->line);
    gm_order_noc_send(l1d->port, GM_MESSAGE_WRITE, request->line, request->sectors, request->whole);
}

void gm_order_l1_decoupled_forget(gm_order_l1 *l1d, uint64_t line, gm_access_kind kind,
                                  gm_outcome *outcome)
{
    gm_tag_store_response response = gm_decoupled_l1_transact(
        l1d->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_INVALIDATE, .line = line});
    end_access(l1d->decoupled);
    outcome->drops = response.evicted != 0;
    give_up(l1d, &response, kind, &l1d->statistics.invalidations[kind]);
}

void gm_order_l1_decoupled_flush(gm_order_l1 *l1d)
{
    gm_decoupled_l1 *decoupled = l1d->decoupled;
    const gm_tag_store *tags = &decoupled->tags;
    for (uint32_t index = 0; index >> tags->parameters.index->bits == 0; index++) {
        for (unsigned position = 0; position < tags->parameters.data_ways; position++) {
            gm_sector_state *state = gm_decoupled_l1_state(decoupled, index, position);
            if (state->valid != 0) {
                gm_access_kind kind = state->dirty != 0 ? GM_STORE : GM_LOAD;
                l1d->statistics.invalidations[kind]++;
                gm_order_l1_write_back(l1d, gm_tag_store_line_at(tags, index, position),
                                       state->dirty, kind);
                *state = (gm_sector_state){0};
            }
        }
    }
    gm_decoupled_l1_transact(decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
}

int gm_order_l1_decoupled_check(const gm_order_l1 *l1d, const char *where, gm_error *error)
{
    const gm_decoupled_l1 *decoupled = l1d->decoupled;
    const gm_cache_statistics *counts = &l1d->statistics;
    int code = gm_decoupled_l1_check_tags(decoupled, counts, l1d->dirty_sectors, where, error);
    if (code < 0) {
        return code;
    }
    GM_INVARIANT(where, "accesses = references of the tag store",
                 l1d->policy->enabled ? gm_invariants_sum(counts->accesses) : 0,
                 decoupled->references);
    return 0;
}
