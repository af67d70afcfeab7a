/* Pipelines of an L1 with one for each bank. */
#include "cycle/lsu/load_store_bank_pipelines.h"

#include "cache/streaming.h"
#include "cycle/lsu/load_store_banks.h"
#include "cycle/lsu/load_store_give.h"

#include <errno.h>

static bool has_pipelines(const gm_config *config)
{
    return config->l1.enabled && config->l1.lookup == GM_LOOKUP_BANKS && config->l1.latency != 0;
}

size_t gm_load_store_bank_pipelines_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    size_t places = has_pipelines(config) ? gm_ring_places((uint32_t)config->l1.latency) : 0;
    return places == 0 ? 0
                       : config->l1.banks * (sizeof(gm_bank_pipeline) +
                                             places * sizeof(gm_reordered_request)) +
                             (size_t)ARRAYS * ALIGNMENT;
}

int gm_load_store_make_bank_pipelines(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                                      gm_error *error)
{
    if (!has_pipelines(config)) {
        return 0;
    }
    const gm_ring ring = gm_ring_make((uint32_t)config->l1.latency);
    size_t places = gm_ring_places(ring.capacity);
    unit->order = GM_ORDER_OF_BANK_PIPELINES;
    unit->latency = (uint32_t)config->l1.hit_delay; /* the pipeline has the latency of a hit */
    unit->bank_pipe = gm_arena_take(arena, unit->banks, sizeof *unit->bank_pipe);
    gm_reordered_request *piped = gm_arena_take(arena, unit->banks * places, sizeof *piped);
    if (unit->bank_pipe == NULL || piped == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the load/store unit of SM %u", unit->number);
    }
    for (uint32_t bank = 0; bank < unit->banks; bank++) {
        unit->bank_pipe[bank] = (gm_bank_pipeline){
            .ring = ring, .piped = piped + bank * places, .blocked = GM_CYCLE_L1_TAKEN};
        unit->bank_end[bank] = GM_NEVER;
    }
    return 0;
}

static inline const gm_reordered_request *first_of(const gm_bank_pipeline *pipe)
{
    return &pipe->piped[gm_ring_first(&pipe->ring)];
}

static void set_end(gm_load_store *unit, uint32_t bank)
{
    const gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
    unit->bank_end[bank] =
        gm_ring_is_empty(&pipe->ring) ? GM_NEVER : first_of(pipe)->began + unit->pipeline;
}

/* Returns the stall reasons that may be gone for other banks' requests when the L1 has taken this
 * one: it may have dropped a line, or what a policy decides by may have changed. A load may have
 * taken the way that another request would have got with more room in the miss queue. */
static uint32_t freed_by(const gm_load_store *unit, const gm_reordered_request *request)
{
    const gm_cycle_l1 *l1 = &unit->l1;
    bool plain = request->kind == GM_REQUEST_LOAD && l1->decoupled == NULL &&
                 l1->streaming == NULL && !l1->shared->policy.bypasses;
    return plain ? GM_CYCLE_L1_FREED_QUEUE : UINT32_MAX;
}

/* Tries the oldest request of a bank. The gate of an L1 keeps its decision for one blocked request:
 * that of this bank's. Returns true if the L1 has taken it. */
static bool try(gm_load_store *unit, gm_bank_pipeline *pipe, gm_cycle now)
{
    const gm_reordered_request *waiting = first_of(pipe);
    gm_streaming *gate = unit->l1.streaming;
    if (gate != NULL && unit->blocked != GM_CYCLE_L1_TAKEN) {
        gate->closed = pipe->closed;
    }
    bool taken = gm_load_store_give(unit, &waiting->line, (gm_request_kind)waiting->kind,
                                    waiting->ticket, waiting->began, now);
    pipe->closed = gate != NULL && gate->closed;
    return taken;
}

/* Gives the oldest request of a bank, at its pipeline's end, to the L1. Returns the stall reasons
 * that may be gone for those of other banks. */
static uint32_t take_out(gm_load_store *unit, uint32_t bank, uint32_t gone, gm_cycle now)
{
    gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
    uint32_t freed = 0;
    unit->blocked = pipe->blocked;
    unit->blocked_from = pipe->blocked_from;
    if (!gm_load_store_waits(unit, gone) && try(unit, pipe, now)) {
        freed = freed_by(unit, first_of(pipe));
        gm_ring_pop(&pipe->ring);
        set_end(unit, bank);
    }
    pipe->blocked = unit->blocked;
    pipe->blocked_from = unit->blocked_from;
    unit->blocked = GM_CYCLE_L1_TAKEN;
    return freed;
}

/* Puts the oldest instruction's requests into their banks' pipelines, up to the first whose bank
 * has taken one in this cycle or has no room. Returns when it next has something to do. */
static gm_cycle put(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    gm_cycle next;
    gm_queued_access *access = gm_load_store_due_access(unit, now, &next);
    if (access == NULL) {
        return next;
    }
    if (gm_load_store_is_early(unit, access)) {
        return gm_load_store_put_early(unit, access, gone, now);
    }
    while (access->next < access->requests) {
        const gm_line_request *request = gm_load_store_next_request(unit, access);
        if (gm_load_store_waits_for_bank(unit, request, now)) {
            return now + 1;
        }
        uint32_t bank = gm_load_store_bank_of(unit, request);
        gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
        if (!gm_ring_has_room(&pipe->ring)) {
            return GM_NEVER; /* its oldest request leaves first */
        }
        gm_load_store_take_banks(unit, request, now);
        if (gm_ring_is_empty(&pipe->ring)) {
            unit->bank_end[bank] = now + unit->pipeline;
        }
        pipe->piped[gm_ring_push(&pipe->ring)] = (gm_reordered_request){
            .line = *request, .began = now, .ticket = access->ticket, .kind = access->kind};
        access->next++;
    }
    return gm_load_store_retire(unit, access, now);
}

/* Returns the next cycle in which a bank has work without an event from outside. `freed`: not 0 if
 * a request that waits is looked at in the next cycle. */
static gm_cycle next_of_banks(gm_load_store *unit, uint32_t freed, gm_cycle now)
{
    gm_cycle next = GM_NEVER;
    bool waits = freed != 0;
    for (uint32_t bank = 0; bank < unit->banks; bank++) {
        bool blocked = unit->bank_pipe[bank].blocked != GM_CYCLE_L1_TAKEN;
        waits |= blocked;
        gm_wake(&next, blocked && freed == 0 ? GM_NEVER : unit->bank_end[bank]);
    }
    next = next > now ? next : now + 1;
    unit->bank_next = waits ? 0 : next;
    return next;
}

static gm_cycle serve(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    if (now < unit->bank_next) { /* the step is for an answer, or for the interconnect */
        gm_cycle next = gm_load_store_next_access(unit, now);
        if (next > now + 1) {
            gm_wake(&next, unit->bank_next);
            return next;
        }
    }
    uint32_t freed = 0;
    gone |= unit->bank_freed;
    for (uint32_t bank = 0; bank < unit->banks; bank++) {
        if (unit->bank_end[bank] <= now) {
            freed |= take_out(unit, bank, gone | freed, now);
        }
    }
    unit->bank_freed = freed; /* the banks before it look in the next cycle */
    gm_cycle next = put(unit, gone | freed, now);
    gm_wake(&next, next_of_banks(unit, freed, now));
    return next;
}

void gm_load_store_step_bank_pipelines(gm_load_store *unit, gm_cycle now)
{
    gm_load_store_step_by(unit, now, serve, true);
}

void gm_load_store_count_bank_fails(const gm_load_store *unit, gm_cycle now,
                                    gm_cache_statistics *l1)
{
    for (uint32_t bank = 0; unit->bank_pipe != NULL && bank < unit->banks; bank++) {
        const gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
        if (pipe->blocked != GM_CYCLE_L1_TAKEN) {
            gm_cycle_l1_count_fails(l1, pipe->blocked, (gm_request_kind)first_of(pipe)->kind,
                                    now + 1 - pipe->blocked_from);
        }
    }
}

uint32_t gm_load_store_in_bank_pipelines(const gm_load_store *unit)
{
    uint32_t count = 0;
    for (uint32_t bank = 0; unit->bank_pipe != NULL && bank < unit->banks; bank++) {
        count += gm_ring_count(&unit->bank_pipe[bank].ring);
    }
    return count;
}

const gm_reordered_request *gm_load_store_find_in_banks(const gm_load_store *unit, uint32_t ticket,
                                                        gm_cycle_l1_answer *blocked)
{
    for (uint32_t bank = 0; bank < unit->banks; bank++) {
        const gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
        for (uint32_t i = 0; i < gm_ring_count(&pipe->ring); i++) {
            const gm_reordered_request *request = &pipe->piped[gm_ring_place(&pipe->ring, i)];
            if (request->ticket == ticket) {
                *blocked = pipe->blocked;
                return request;
            }
        }
    }
    return NULL;
}

void gm_load_store_snapshot_bank_pipelines(gm_load_store *unit, gm_snapshot *snapshot)
{
    if (unit->bank_pipe != NULL) {
        GM_SNAPSHOT_VALUE(snapshot, unit->bank_freed);
    }
    for (uint32_t bank = 0; unit->bank_pipe != NULL && bank < unit->banks; bank++) {
        gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
        GM_SNAPSHOT_VALUE(snapshot, pipe->ring.span);
        GM_SNAPSHOT_ARRAY(snapshot, pipe->piped, gm_ring_places(pipe->ring.capacity));
        GM_SNAPSHOT_VALUE(snapshot, pipe->blocked);
        GM_SNAPSHOT_VALUE(snapshot, pipe->blocked_from);
        GM_SNAPSHOT_VALUE(snapshot, pipe->closed);
        set_end(unit, bank);
    }
}
