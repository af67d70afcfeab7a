/* L1 data cache with time: what a request does. Each case first finds out whether everything that
 * it needs can be had: a line, an MSHR entry, room in the miss queue, in this order; only then does
 * it change anything. */
#include "cycle/l1d.h"

#include "cycle/l1d_bypass.h"
#include "cycle/l1d_line.h"
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

gm_l1d_answer gm_l1d_go_past(gm_timed_l1d *l1d, const gm_l1d_request *request, uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    gm_access_kind kind = gm_l1d_kind_of(request->kind);
    gm_l1d_line line = {.open = GM_NO_ENTRY};
    if (l1d->shared->policy.enabled) {
        line = gm_l1d_look_up(l1d, asked);
    }
    uint32_t parts = gm_l1d_parts(l1d->shared, asked->sectors);
    if (!gm_l1d_may_close(l1d, &line)) {
        return GM_L1D_FAIL_MSHR_MERGE;
    }
    if (kind == GM_LOAD && l1d->free_passings == 0) {
        return GM_L1D_FAIL_MSHR_ENTRY;
    }
    if (!gm_l1d_has_room(l1d, parts + gm_l1d_parts(l1d->shared, line.dirty))) {
        return GM_L1D_FAIL_MISS_QUEUE;
    }
    if (l1d->shared->policy.enabled) {
        gm_l1d_remove(l1d, asked->line, &line, kind);
    }
    uint32_t id = gm_l1d_id(GM_L1D_OF_TICKET, request->ticket);
    *answers = parts;
    if (kind == GM_LOAD) {
        id = gm_l1d_id(GM_L1D_OF_PASSING, gm_l1d_take_passing(l1d, request, parts));
        *answers = 1;
    }
    l1d->statistics.accesses[kind]++;
    l1d->statistics.bypasses[kind]++;
    gm_l1d_push(l1d, message_of(request->kind), asked->line, asked->sectors, asked->whole, id);
    return GM_L1D_TAKEN;
}

/* What a load, or a store that allocates, needs of a line that is not there in full. */
typedef struct need {
    gm_access_kind kind;
    uint32_t covered; /* sectors that a store writes whole */
    uint32_t dirty;   /* that a store leaves dirty */
    uint32_t writes;  /* that a store sends on */
} need;

static gm_mshr_response ask(gm_timed_l1d *l1d, const gm_l1d_request *request, uint64_t op,
                            bool may_allocate)
{
    return gm_mshr_access(&l1d->mshr, (gm_mshr_request){.op = op,
                                                        .line = request->line->line,
                                                        .requester = gm_l1d_requester(request),
                                                        .may_allocate = may_allocate});
}

static gm_l1d_answer failed(const gm_mshr_response *response)
{
    switch (response->reason) {
    case GM_MSHR_FAIL_ENTRY:
        return GM_L1D_FAIL_MSHR_ENTRY;
    case GM_MSHR_FAIL_MERGE:
        return GM_L1D_FAIL_MSHR_MERGE;
    default:
        return GM_L1D_FAIL_MISS_QUEUE;
    }
}

/* The line is on its way. Sectors that are not must wait until it has come; so must a line that the
 * decoupled L1 would give a data line now, when its data on their way are of none. */
static gm_l1d_answer merge(gm_timed_l1d *l1d, const gm_l1d_request *request,
                           const gm_l1d_line *line, const need *need, uint32_t *answers)
{
    bool installed = line->there || line->outcome == GM_TAG_STORE_HIT_PENDING;
    if (!line->pending || (l1d->decoupled != NULL && !installed)) {
        return GM_L1D_FAIL_MSHR_MERGE;
    }
    uint32_t packets = gm_l1d_parts(l1d->shared, need->writes);
    bool room = packets == 0 || gm_l1d_has_room(l1d, packets);
    gm_mshr_response response =
        ask(l1d, request, room ? GM_MSHR_REQUEST_OP : GM_MSHR_PROBE_OP, true);
    if (response.outcome == GM_MSHR_FAIL) {
        return failed(&response);
    }
    if (!room) {
        return GM_L1D_FAIL_MISS_QUEUE;
    }
    gm_l1d_touch(l1d, request->line->line, line, true);
    l1d->entry[line->open].dirty |= need->dirty & line->coming;
    if (line->there) {
        gm_l1d_make_dirty(l1d, line->place.slot, need->dirty & ~line->coming);
    }
    l1d->statistics.accesses[need->kind]++;
    l1d->statistics.hits_pending[need->kind]++;
    gm_l1d_push_store(l1d, request, need->writes);
    *answers = 1 + packets;
    return GM_L1D_TAKEN;
}

/* Of a miss, beyond what `need` says. */
typedef struct plan {
    uint32_t gained;  /* sectors that will be valid */
    uint32_t fetched; /* of them: asked for */
    bool takes_line;  /* now */
    uint32_t slot;
    uint32_t packets;
} plan;

/* GM_L1D_TAKEN, or GM_L1D_FAIL_LINE. */
static gm_l1d_answer make_plan(gm_timed_l1d *l1d, const gm_line_request *request,
                               const gm_l1d_line *line, const need *need, plan *plan)
{
    const gm_l1d_shared *shared = l1d->shared;
    uint32_t wanted = shared->policy.sectored ? request->sectors : shared->policy.all_sectors;
    plan->gained = wanted & ~line->held;
    plan->fetched = plan->gained & ~need->covered;
    plan->takes_line = !line->there && (!shared->on_fill || plan->fetched == 0) &&
                       line->outcome != GM_TAG_STORE_HIT_PENDING;
    plan->slot = line->place.slot;
    plan->packets = gm_l1d_parts(shared, plan->fetched) + gm_l1d_parts(shared, need->writes);
    if (plan->takes_line) {
        uint32_t victim;
        if (!gm_l1d_find_slot(l1d, line, &plan->slot, &victim)) {
            return GM_L1D_FAIL_LINE;
        }
        plan->packets += victim;
    }
    return GM_L1D_TAKEN;
}

static void begin_entry(gm_timed_l1d *l1d, uint32_t id, const plan *plan, const need *need,
                        gm_cycle now)
{
    bool waits = plan->slot != GM_NO_SLOT && !l1d->shared->on_fill;
    l1d->entry[id] = (gm_l1d_entry){
        .since = now,
        .slot = waits ? plan->slot : GM_NO_SLOT,
        .sectors = plan->gained,
        .dirty = need->dirty & plan->gained,
        .packets = gm_l1d_parts(l1d->shared, plan->fetched),
        .kind = need->kind,
        .fill = plan->takes_line && l1d->decoupled != NULL,
    };
    if (waits && l1d->decoupled == NULL) {
        gm_cache_wait(&l1d->cache, plan->slot);
    }
    l1d->entries++;
    l1d->time.l1_mshr_entries++;
    l1d->statistics.sectors_filled[need->kind] += gm_count_ones(plan->fetched);
}

/* The line's slot, which it has or gets. */
static void take(gm_timed_l1d *l1d, uint64_t address, const gm_l1d_line *line, plan *plan,
                 gm_access_kind kind)
{
    if (!plan->takes_line) {
        gm_l1d_touch(l1d, address, line, true);
    } else if (l1d->decoupled != NULL) {
        plan->slot = gm_l1d_decoupled_take_line(l1d, address, kind, plan->fetched == 0);
    } else {
        plan->slot = gm_l1d_take_line(l1d, address, line->place, plan->slot, kind, false);
    }
}

static gm_l1d_answer miss(gm_timed_l1d *l1d, const gm_l1d_request *request, const gm_l1d_line *line,
                          const need *need, gm_cycle now, uint32_t *answers)
{
    plan plan;
    gm_l1d_answer answer = make_plan(l1d, request->line, line, need, &plan);
    if (answer != GM_L1D_TAKEN) {
        return answer;
    }
    if (plan.fetched != 0 && l1d->entries == l1d->shared->mshr.entries) {
        return GM_L1D_FAIL_MSHR_ENTRY; /* as the MSHRs, which have no entry of it, would say */
    }
    bool room = gm_l1d_has_room(l1d, plan.packets) &&
                (plan.fetched == 0 || gm_l1d_has_room_for_victim(l1d));
    gm_mshr_response response = {.outcome = room ? GM_MSHR_NEW : GM_MSHR_FAIL,
                                 .reason = GM_MSHR_FAIL_MISS_QUEUE};
    if (plan.fetched != 0) {
        response = ask(l1d, request, GM_MSHR_REQUEST_OP, room);
    }
    if (response.outcome == GM_MSHR_FAIL) {
        return failed(&response);
    }
    l1d->statistics.accesses[need->kind]++;
    l1d->statistics.misses[need->kind]++;
    l1d->statistics.sector_misses[need->kind] += line->held != 0;
    take(l1d, request->line->line, line, &plan, need->kind);
    uint32_t waits = plan.fetched != 0;
    uint32_t dirty_now = need->dirty & (waits ? line->held : UINT32_MAX);
    if (waits) {
        begin_entry(l1d, (uint32_t)response.id, &plan, need, now);
        gm_l1d_push(l1d, GM_MESSAGE_READ, request->line->line, plan.fetched, 0,
                    gm_l1d_id(GM_L1D_OF_ENTRY, (uint32_t)response.id));
    } else {
        gm_l1d_state(l1d, plan.slot)->valid |= plan.gained;
    }
    if (dirty_now != 0) {
        gm_l1d_make_dirty(l1d, plan.slot, dirty_now);
    }
    gm_l1d_push_store(l1d, request, need->writes);
    *answers = waits + gm_l1d_parts(l1d->shared, need->writes);
    return *answers == 0 ? GM_L1D_HIT : GM_L1D_TAKEN;
}

/* Decoupled: a line that is not due for a data line. */
static bool is_bypass(const gm_timed_l1d *l1d, const gm_l1d_line *line)
{
    return l1d->decoupled != NULL && line->outcome == GM_TAG_STORE_BYPASS;
}

/* A line of which something is missing. A decoupled L1's PROBE is refused with the first try, but
 * for a line that is there: a reference would change its place in the order. */
static gm_l1d_answer fetch(gm_timed_l1d *l1d, const gm_l1d_request *request,
                           const gm_l1d_line *line, const need *need, gm_cycle now,
                           uint32_t *answers)
{
    gm_l1d_answer answer = is_bypass(l1d, line) ? gm_l1d_decoupled_pass(l1d, request, line, answers)
                           : line->open != GM_NO_ENTRY
                               ? merge(l1d, request, line, need, answers)
                               : miss(l1d, request, line, need, now, answers);
    if (l1d->decoupled != NULL && answer >= GM_L1D_FAIL_LINE && !request->again &&
        line->outcome != GM_TAG_STORE_HIT) {
        gm_l1d_decoupled_probe(l1d->decoupled, request->line->line, false, false);
    }
    return answer;
}

/* A store that is sent on: the line is dropped, or stays as it is with what it holds updated. */
static gm_l1d_answer send_store(gm_timed_l1d *l1d, const gm_l1d_request *request,
                                const gm_l1d_line *line, bool drops, uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    uint32_t parts = gm_l1d_parts(l1d->shared, asked->sectors);
    uint32_t dirty = drops ? line->dirty : 0;
    bool hit = line->missing == 0;
    if ((drops || !hit) && !gm_l1d_may_close(l1d, line)) {
        return GM_L1D_FAIL_MSHR_MERGE;
    }
    if (!gm_l1d_has_room(l1d, parts + gm_l1d_parts(l1d->shared, dirty))) {
        return GM_L1D_FAIL_MISS_QUEUE;
    }
    gm_cache_statistics *statistics = &l1d->statistics;
    statistics->accesses[GM_STORE]++;
    statistics->hits[GM_STORE] += hit;
    statistics->hits_pending[GM_STORE] += line->pending;
    statistics->misses[GM_STORE] += !hit && !line->pending;
    statistics->sector_misses[GM_STORE] += !hit && !line->pending && line->held != 0;
    if (drops) {
        gm_l1d_remove(l1d, asked->line, line, GM_STORE);
    } else if (hit || !gm_l1d_close(l1d, asked->line, line, GM_STORE)) {
        gm_l1d_touch(l1d, asked->line, line, false);
    }
    gm_l1d_push_store(l1d, request, asked->sectors);
    *answers = parts;
    return GM_L1D_TAKEN;
}

/* May what the store misses be fetched or awaited for it? In a decoupled L1 a dead line has no
 * place for its data; nor, without allocation, has one that is not there. */
static bool may_keep(const gm_timed_l1d *l1d, const gm_l1d_line *line, bool allocates)
{
    return l1d->decoupled == NULL || line->there ||
           (allocates && line->outcome != GM_TAG_STORE_HIT_PENDING);
}

static gm_l1d_answer store(gm_timed_l1d *l1d, const gm_l1d_request *request, gm_cycle now,
                           uint32_t *answers)
{
    const gm_line_request *asked = request->line;
    const gm_l1d_policy *policy = &l1d->shared->policy;
    gm_write_policy write = policy->write[asked->local];
    gm_l1d_decoupled_begin_at(l1d, request, now);
    gm_l1d_line line = gm_l1d_look_up(l1d, asked);
    bool allocates = policy->allocate[asked->local] && (line.there || line.open != GM_NO_ENTRY ||
                                                        !gm_l1d_is_protected(l1d, line.place));
    if (write == GM_WRITE_EVICT) {
        return send_store(l1d, request, &line, true, answers);
    }
    bool back = write == GM_WRITE_BACK;
    if (line.missing == 0 && back) {
        l1d->statistics.accesses[GM_STORE]++;
        l1d->statistics.hits[GM_STORE]++;
        gm_l1d_touch(l1d, asked->line, &line, false);
        gm_l1d_make_dirty(l1d, line.place.slot, asked->sectors);
        return GM_L1D_HIT;
    }
    if (line.missing != 0 && (allocates || (back && line.pending)) &&
        may_keep(l1d, &line, allocates)) {
        need need = {.kind = GM_STORE,
                     .covered = asked->whole,
                     .dirty = back ? asked->sectors : 0,
                     .writes = back ? 0 : asked->sectors};
        return fetch(l1d, request, &line, &need, now, answers);
    }
    return send_store(l1d, request, &line, false, answers);
}

/* A load that misses in a conventional L1, in which `place` was found for it. */
static __attribute__((noinline)) gm_l1d_answer load_miss(gm_timed_l1d *l1d,
                                                         const gm_l1d_request *request,
                                                         gm_cache_place place, gm_cycle now,
                                                         uint32_t *answers)
{
    static const need need = {.kind = GM_LOAD};
    gm_l1d_line line = gm_l1d_look_up_at(l1d, request->line, place);
    return fetch(l1d, request, &line, &need, now, answers);
}

static __attribute__((noinline)) gm_l1d_answer load_decoupled(gm_timed_l1d *l1d,
                                                              const gm_l1d_request *request,
                                                              gm_cycle now, uint32_t *answers)
{
    static const need need = {.kind = GM_LOAD};
    gm_l1d_decoupled_begin_at(l1d, request, now);
    gm_l1d_line line = gm_l1d_look_up(l1d, request->line);
    gm_l1d_answer answer = GM_L1D_HIT;
    if (line.missing == 0) {
        gm_l1d_touch(l1d, request->line->line, &line, false);
        l1d->statistics.accesses[GM_LOAD]++;
        l1d->statistics.hits[GM_LOAD]++;
    } else {
        answer = fetch(l1d, request, &line, &need, now, answers);
    }
    if (answer <= GM_L1D_TAKEN && l1d->decoupled->dueling != NULL) {
        bool misses = line.missing != 0 && (!line.pending || is_bypass(l1d, &line));
        gm_dueling_load(l1d->decoupled->dueling, l1d->number, l1d->decoupled->conventional, misses);
    }
    return answer;
}

inline gm_l1d_answer gm_l1d_access_line(gm_timed_l1d *l1d, const gm_l1d_request *request,
                                        gm_cycle now, uint32_t *answers)
{
    if (!l1d->shared->policy.enabled || request->kind == GM_REQUEST_STRONG_LOAD ||
        request->kind >= GM_REQUEST_ATOMIC) {
        return gm_l1d_go_past(l1d, request, answers);
    }
    if (request->kind == GM_REQUEST_STORE) {
        return store(l1d, request, now, answers);
    }
    if (l1d->decoupled != NULL) {
        return load_decoupled(l1d, request, now, answers);
    }
    gm_cache_place place = gm_cache_find(&l1d->cache, request->line->line);
    if (place.slot == GM_NO_SLOT ||
        (request->line->sectors & ~gm_cache_state(&l1d->cache, place.slot)->valid) != 0) {
        return load_miss(l1d, request, place, now, answers);
    }
    gm_cache_touch(&l1d->cache, place);
    l1d->statistics.accesses[GM_LOAD]++;
    l1d->statistics.hits[GM_LOAD]++;
    return GM_L1D_HIT;
}

gm_l1d_answer gm_timed_l1d_access(gm_timed_l1d *l1d, const gm_l1d_request *request, gm_cycle now,
                                  uint32_t *answers)
{
    return l1d->shared->asks_policy ? gm_l1d_access_by_policy(l1d, request, now, answers)
                                    : gm_l1d_access_line(l1d, request, now, answers);
}
