/* CCWS in a run: events of the L1 and of the SM become transactions of the two blocks. */
#include "policy/ccws.h"

#include "goldmem/bits.h"
#include "stats/invariants.h"

#include <errno.h>

/* A warp has `sm.victim_tags` tags in sets of 8 ways, or one set if there are fewer. */
gm_victim_tags_parameters gm_ccws_tags(const gm_config *config)
{
    unsigned tags = (unsigned)config->sm.victim_tags;
    unsigned ways = tags < 8 ? tags : 8;
    return (gm_victim_tags_parameters){.warps = (unsigned)config->sm.warps,
                                       .sets = tags / ways,
                                       .ways = ways,
                                       .line_bits = 64 - gm_log2_floor(config->l1.line)};
}

gm_locality_score_parameters gm_ccws_scores(const gm_config *config)
{
    return (gm_locality_score_parameters){.warps = (unsigned)config->sm.warps,
                                          .score_bits = 16,
                                          .base = (unsigned)config->sm.score_base,
                                          .throttle = (unsigned)config->sm.score_throttle,
                                          .hit_bits = 12,
                                          .issued_bits = 32};
}

enum { ALIGNMENT = 64, ARRAYS = 3 };

size_t gm_ccws_bytes(const gm_config *config, uint32_t slots, uint32_t entries)
{
    const gm_victim_tags_parameters tags = gm_ccws_tags(config);
    return sizeof(gm_ccws) + gm_victim_tags_bytes(&tags) + slots + entries +
           (size_t)ARRAYS * ALIGNMENT;
}

gm_ccws *gm_ccws_make(const gm_config *config, uint32_t slots, uint32_t entries, gm_arena *arena)
{
    const gm_victim_tags_parameters tags = gm_ccws_tags(config);
    const gm_locality_score_parameters scores = gm_ccws_scores(config);
    gm_ccws *ccws = gm_arena_take(arena, 1, sizeof *ccws);
    if (ccws == NULL) {
        return NULL;
    }
    *ccws = (gm_ccws){
        .taker = gm_arena_take(arena, slots, sizeof *ccws->taker),
        .fetcher = gm_arena_take(arena, entries, sizeof *ccws->fetcher),
        .slots = slots,
        .entries = entries,
        .change = UINT64_MAX,
    };
    gm_error error;
    bool made = ccws->taker != NULL && ccws->fetcher != NULL &&
                gm_victim_tags_init(&ccws->tags, &tags, arena, &error) == 0 &&
                gm_locality_score_init(&ccws->scores, &scores, &error) == 0;
    return made ? ccws : NULL;
}

static gm_locality_score_response act(gm_ccws *ccws, gm_locality_score_request request)
{
    gm_locality_score_response response = gm_locality_score_access(&ccws->scores, request);
    bool all = response.allowed == ccws->scores.there;
    uint64_t wait = all ? UINT64_MAX : gm_locality_score_wait(&ccws->scores);
    ccws->due = ccws->due || response.allowed != ccws->allowed;
    ccws->allowed = response.allowed;
    ccws->change = wait == UINT64_MAX ? UINT64_MAX : ccws->now + wait;
    return response;
}

/* Passes more cycles than a score can fall as so many: all scores are then the base. */
void gm_ccws_pass(gm_ccws *ccws, uint64_t now)
{
    uint64_t most = gm_mask(ccws->scores.parameters.score_bits);
    uint64_t cycles = now - ccws->now < most ? now - ccws->now : most;
    uint64_t issued = *ccws->issued - ccws->counted;
    if (now == ccws->now && issued == 0) {
        return;
    }
    ccws->now = now;
    ccws->counted = *ccws->issued;
    act(ccws, (gm_locality_score_request){
                  .op = GM_LOCALITY_SCORE_ADVANCE, .cycles = cycles, .issued = issued});
}

void gm_ccws_start(gm_ccws *ccws, uint32_t warp)
{
    if (ccws->scores.length == 0) {
        ccws->counted = *ccws->issued;
        act(ccws, (gm_locality_score_request){.op = GM_LOCALITY_SCORE_RESTART});
        gm_victim_tags_access(&ccws->tags, (gm_victim_tags_request){.op = GM_VICTIM_TAGS_RESTART});
    }
    act(ccws, (gm_locality_score_request){.op = GM_LOCALITY_SCORE_START, .warp = warp});
    gm_victim_tags_access(&ccws->tags,
                          (gm_victim_tags_request){.op = GM_VICTIM_TAGS_CLEAR, .warp = warp});
}

void gm_ccws_end(gm_ccws *ccws, uint32_t warp)
{
    act(ccws, (gm_locality_score_request){.op = GM_LOCALITY_SCORE_END, .warp = warp});
}

void gm_ccws_miss(gm_ccws *ccws, uint32_t warp, uint64_t line, uint64_t now)
{
    ccws->statistics.probes++;
    if (gm_victim_tags_access(
            &ccws->tags,
            (gm_victim_tags_request){.op = GM_VICTIM_TAGS_PROBE, .warp = warp, .line = line})
            .found == 0) {
        return;
    }
    ccws->statistics.hits++;
    gm_ccws_pass(ccws, now);
    uint64_t score =
        act(ccws, (gm_locality_score_request){.op = GM_LOCALITY_SCORE_HIT, .warp = warp}).score;
    ccws->statistics.hits_raised += score > ccws->scores.parameters.base;
}

void gm_ccws_replaced(gm_ccws *ccws, uint32_t warp, uint64_t line)
{
    ccws->statistics.victims++;
    gm_victim_tags_access(
        &ccws->tags,
        (gm_victim_tags_request){.op = GM_VICTIM_TAGS_INSERT, .warp = warp, .line = line});
}

int gm_ccws_check(const gm_ccws *ccws, const char *where, gm_error *error)
{
    const gm_ccws_statistics *counts = &ccws->statistics;
    gm_error inner;
    if (gm_victim_tags_check(&ccws->tags, &inner) < 0 ||
        gm_locality_score_check(&ccws->scores, &inner) < 0) {
        return gm_fail(error, -EPROTO, "%s: %s", where, inner.text);
    }
    GM_INVARIANT(where, "warps with a lost-locality score at the end = 0", ccws->scores.length, 0);
    GM_INVARIANT(where, "victim tag hits <= probes", counts->hits <= counts->probes, 1);
    GM_INVARIANT(where, "victim tag hits that raise a score <= hits",
                 counts->hits_raised <= counts->hits, 1);
    GM_INVARIANT(where, "loads held back by scores <= loads", counts->loads_held <= counts->loads,
                 1);
    return 0;
}

void gm_ccws_snapshot(gm_ccws *ccws, gm_snapshot *snapshot)
{
    const gm_victim_tags_parameters *p = &ccws->tags.parameters;
    GM_SNAPSHOT_ARRAY(snapshot, ccws->tags.fill, p->warps * p->sets);
    GM_SNAPSHOT_ARRAY(snapshot, ccws->tags.tag, p->warps * p->sets * p->ways);
    GM_SNAPSHOT_VALUE(snapshot, ccws->scores.length);
    GM_SNAPSHOT_VALUE(snapshot, ccws->scores.there);
    GM_SNAPSHOT_ARRAY(snapshot, ccws->scores.place, GM_LOCALITY_SCORE_WARPS);
    GM_SNAPSHOT_VALUE(snapshot, ccws->scores.hits);
    GM_SNAPSHOT_VALUE(snapshot, ccws->scores.issued);
    GM_SNAPSHOT_ARRAY(snapshot, ccws->taker, ccws->slots);
    GM_SNAPSHOT_ARRAY(snapshot, ccws->fetcher, ccws->entries);
    GM_SNAPSHOT_VALUE(snapshot, ccws->counted);
    GM_SNAPSHOT_VALUE(snapshot, ccws->now);
    GM_SNAPSHOT_VALUE(snapshot, ccws->change);
    GM_SNAPSHOT_VALUE(snapshot, ccws->allowed);
    GM_SNAPSHOT_VALUE(snapshot, ccws->due);
    GM_SNAPSHOT_VALUE(snapshot, ccws->statistics);
}
