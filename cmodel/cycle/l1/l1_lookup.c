/* L1 data cache with time: what a request does. Each case first finds out whether everything that
 * it needs can be had: a line, an MSHR entry, room in the miss queue, in this order; only then does
 * it change anything. */
#include "cycle/l1/l1.h"

#include "cycle/l1/l1_bypass.h"
#include "cycle/l1/l1_miss.h"
#include "goldmem/bits.h"

static gm_message_kind message_of(gm_request_kind kind)
{
    switch (kind) {
    case GM_REQUEST_LOAD:
    case GM_REQUEST_STRONG_LOAD:
        return GM_MESSAGE_READ;
    case GM_REQUEST_STORE:
        return GM_MESSAGE_WRITE;
    case GM_REQUEST_ATOMIC:
        return GM_MESSAGE_ATOMIC;
    case GM_REQUEST_REDUCTION:
        break;
    }
    return GM_MESSAGE_REDUCTION;
}

gm_cycle_l1_answer gm_cycle_l1_go_past(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                       uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    gm_access_kind kind = gm_cycle_l1_kind_of(request->kind);
    gm_cycle_l1_line line = {.open = GM_NO_ENTRY};
    if (l1d->shared->policy.enabled) {
        line = gm_cycle_l1_look_up(l1d, asked);
    }
    uint32_t parts = gm_cycle_l1_parts(l1d->shared, asked->sectors);
    if (!gm_cycle_l1_may_close(l1d, &line)) {
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    }
    if (kind == GM_LOAD && l1d->free_passings == 0) {
        return GM_CYCLE_L1_FAIL_MSHR_ENTRY;
    }
    if (!gm_cycle_l1_has_room(l1d, parts + gm_cycle_l1_parts(l1d->shared, line.dirty))) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    if (l1d->shared->policy.enabled) {
        gm_cycle_l1_remove(l1d, asked->line, &line, kind);
    }
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket);
    *answers = parts;
    if (kind == GM_LOAD) {
        id = gm_cycle_l1_id(GM_CYCLE_L1_OF_PASSING, gm_cycle_l1_take_passing(l1d, request, parts));
        *answers = 1;
    }
    l1d->statistics.accesses[kind]++;
    l1d->statistics.bypasses[kind]++;
    gm_cycle_l1_push(l1d, message_of(request->kind), asked->line, asked->sectors, asked->whole, id);
    return GM_CYCLE_L1_TAKEN;
}

/* A store that is sent on: the line is dropped, or stays as it is with what it holds updated. */
static gm_cycle_l1_answer send_store(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                     const gm_cycle_l1_line *line, bool drops, uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    uint32_t parts = gm_cycle_l1_parts(l1d->shared, asked->sectors);
    uint32_t dirty = drops ? line->dirty : 0;
    bool hit = line->missing == 0;
    if ((drops || !hit) && !gm_cycle_l1_may_close(l1d, line)) {
        return GM_CYCLE_L1_FAIL_MSHR_MERGE;
    }
    if (!gm_cycle_l1_has_room(l1d, parts + gm_cycle_l1_parts(l1d->shared, dirty))) {
        return GM_CYCLE_L1_FAIL_MISS_QUEUE;
    }
    gm_cache_statistics *statistics = &l1d->statistics;
    statistics->accesses[GM_STORE]++;
    statistics->hits[GM_STORE] += hit;
    statistics->hits_pending[GM_STORE] += line->pending;
    statistics->misses[GM_STORE] += !hit && !line->pending;
    statistics->sector_misses[GM_STORE] += !hit && !line->pending && line->held != 0;
    if (drops) {
        gm_cycle_l1_remove(l1d, asked->line, line, GM_STORE);
    } else if (hit || !gm_cycle_l1_close(l1d, asked->line, line, GM_STORE)) {
        gm_cycle_l1_touch(l1d, asked->line, line, false);
    }
    gm_cycle_l1_push_store(l1d, request, asked->sectors);
    *answers = parts;
    return GM_CYCLE_L1_TAKEN;
}

/* May what the store misses be fetched or awaited for it? In a decoupled L1 a dead line has no
 * place for its data; nor, without allocation, has one that is not there. */
static bool may_keep(const gm_cycle_l1 *l1d, const gm_cycle_l1_line *line, bool allocates)
{
    return l1d->decoupled == NULL || line->there ||
           (allocates && line->outcome != GM_TAG_STORE_HIT_PENDING);
}

static gm_cycle_l1_answer store(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request, gm_cycle now,
                                uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    const gm_l1_policy *policy = &l1d->shared->policy;
    gm_write_policy write = policy->write[asked->local];
    gm_cycle_l1_decoupled_begin_at(l1d, request, now);
    gm_cycle_l1_line line = gm_cycle_l1_look_up(l1d, asked);
    bool allocates = policy->allocate[asked->local] && (line.there || line.open != GM_NO_ENTRY ||
                                                        !gm_cycle_l1_is_protected(l1d, line.place));
    if (write == GM_WRITE_EVICT) {
        return send_store(l1d, request, &line, true, answers);
    }
    bool back = write == GM_WRITE_BACK;
    if (line.missing == 0 && back) {
        l1d->statistics.accesses[GM_STORE]++;
        l1d->statistics.hits[GM_STORE]++;
        gm_cycle_l1_touch(l1d, asked->line, &line, false);
        gm_cycle_l1_make_dirty(l1d, line.place.slot, asked->sectors);
        return GM_CYCLE_L1_HIT;
    }
    if (line.missing != 0 && (allocates || (back && line.pending)) &&
        may_keep(l1d, &line, allocates)) {
        gm_cycle_l1_need need = {.kind = GM_STORE,
                                 .covered = asked->whole,
                                 .dirty = back ? asked->sectors : 0,
                                 .writes = back ? 0 : asked->sectors};
        return gm_cycle_l1_fetch(l1d, request, &line, &need, now, answers);
    }
    return send_store(l1d, request, &line, false, answers);
}

static __attribute__((noinline)) gm_cycle_l1_answer load_decoupled(
    gm_cycle_l1 *l1d, const gm_cycle_l1_request *request, gm_cycle now, uint32_t *answers)
{
    static const gm_cycle_l1_need need = {.kind = GM_LOAD};
    gm_cycle_l1_decoupled_begin_at(l1d, request, now);
    gm_cycle_l1_line line = gm_cycle_l1_look_up(l1d, request->line);
    gm_cycle_l1_answer answer = GM_CYCLE_L1_HIT;
    if (line.missing == 0) {
        gm_cycle_l1_touch(l1d, request->line->line, &line, false);
        l1d->statistics.accesses[GM_LOAD]++;
        l1d->statistics.hits[GM_LOAD]++;
    } else {
        answer = gm_cycle_l1_fetch(l1d, request, &line, &need, now, answers);
    }
    if (answer <= GM_CYCLE_L1_TAKEN && l1d->decoupled->dueling != NULL) {
        bool misses = line.missing != 0 && (!line.pending || gm_cycle_l1_is_bypass(l1d, &line));
        gm_dueling_load(l1d->decoupled->dueling, l1d->number, l1d->decoupled->conventional, misses);
    }
    return answer;
}

/* A conventional L1's load that misses. */
static __attribute__((noinline)) gm_cycle_l1_answer load_missing(gm_cycle_l1 *l1d,
                                                                 const gm_cycle_l1_request *request,
                                                                 gm_cache_place place, gm_cycle now,
                                                                 uint32_t *answers)
{
    static const gm_cycle_l1_need need = {.kind = GM_LOAD};
    gm_cycle_l1_line line = gm_cycle_l1_look_up_at(l1d, request->line, place);
    return gm_cycle_l1_fetch(l1d, request, &line, &need, now, answers);
}

/* A conventional L1's load that hits; whether it does. */
static inline bool hits(gm_cycle_l1 *l1d, gm_cache_place place, uint32_t sectors)
{
    if (place.slot == GM_NO_SLOT ||
        (sectors & ~gm_cache_state(&l1d->cache, place.slot)->valid) != 0) {
        return false;
    }
    gm_cache_touch(&l1d->cache, place);
    l1d->statistics.accesses[GM_LOAD]++;
    l1d->statistics.hits[GM_LOAD]++;
    return true;
}

/* The request is in registers but for a line of which something is there. */
gm_cycle_l1_answer gm_cycle_l1_load_plain(gm_cycle_l1 *l1d, const gm_line_request *line,
                                          uint32_t ticket, gm_cycle began, gm_cycle now)
{
    static const gm_cycle_l1_need need = {.kind = GM_LOAD};
    const gm_line_request asked = {.line = line->line, .sectors = line->sectors};
    uint32_t answers; /* one, always */
    gm_cache_place place = gm_cache_find(&l1d->cache, asked.line);
    if (place.slot == GM_NO_SLOT) {
        const gm_cycle_l1_request request = {
            .line = &asked, .kind = GM_REQUEST_LOAD, .ticket = ticket, .began = began};
        const gm_cycle_l1_line absent = {
            .place = place, .victim = GM_NO_SLOT, .missing = asked.sectors, .open = GM_NO_ENTRY};
        return gm_cycle_l1_miss(l1d, &request, &absent, &need, now, &answers, true);
    }
    if (hits(l1d, place, asked.sectors)) {
        return GM_CYCLE_L1_HIT;
    }
    const gm_cycle_l1_request request = {
        .line = line, .kind = GM_REQUEST_LOAD, .ticket = ticket, .began = began};
    return load_missing(l1d, &request, place, now, &answers);
}

gm_cycle_l1_answer gm_cycle_l1_access_line(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                           gm_cycle now, uint32_t *answers)
{
    if (!l1d->shared->policy.enabled || request->kind == GM_REQUEST_STRONG_LOAD ||
        request->kind >= GM_REQUEST_ATOMIC) {
        return gm_cycle_l1_go_past(l1d, request, answers);
    }
    if (request->kind == GM_REQUEST_STORE) {
        return store(l1d, request, now, answers);
    }
    if (l1d->decoupled != NULL) {
        return load_decoupled(l1d, request, now, answers);
    }
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line->line);
    return hits(l1d, place, request->line->sectors)
               ? GM_CYCLE_L1_HIT
               : load_missing(l1d, request, place, now, answers);
}

gm_cycle_l1_answer gm_cycle_l1_access(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                      gm_cycle now, uint32_t *answers)
{
    return l1d->shared->asks_policy ? gm_cycle_l1_access_by_policy(l1d, request, now, answers)
                                    : gm_cycle_l1_access_line(l1d, request, now, answers);
}
