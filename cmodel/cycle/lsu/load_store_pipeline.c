/* Pipeline of an L1 that looks requests up last: requests move through it in order, and a stalled
 * request waits at its end. The requests behind a stalled one close up. */
#include "cycle/lsu/load_store_pipeline.h"

#include "cycle/lsu/load_store_banks.h"
#include "cycle/lsu/load_store_give.h"

#include <errno.h>

static uint32_t stages_of(const gm_config *config)
{
    bool last = config->l1.enabled && config->l1.lookup == GM_LOOKUP_LAST;
    return last ? (uint32_t)config->l1.latency * gm_load_store_width(config) : 0;
}

size_t gm_load_store_pipeline_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64 };
    uint32_t stages = stages_of(config);
    return stages == 0 ? 0 : gm_ring_places(stages) * sizeof(gm_reordered_request) + ALIGNMENT;
}

int gm_load_store_make_pipeline(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                                gm_error *error)
{
    uint32_t stages = stages_of(config);
    if (stages == 0) {
        return 0;
    }
    unit->order = GM_ORDER_BEHIND_PIPELINE;
    unit->latency = (uint32_t)config->l1.hit_delay; /* the pipeline has the latency of a hit */
    unit->pipe_end = GM_NEVER;
    unit->pipe = gm_ring_make(stages);
    unit->piped = gm_arena_take(arena, gm_ring_places(stages), sizeof *unit->piped);
    return unit->piped != NULL
               ? 0
               : gm_fail(error, -ENOMEM, "out of memory: the load/store unit of SM %u",
                         unit->number);
}

/* Puts the next request of the oldest instruction into the pipeline. Requires room. */
static inline void put_next(gm_load_store *unit, gm_queued_access *access, gm_cycle now)
{
    unit->piped[gm_ring_push(&unit->pipe)] =
        (gm_reordered_request){.line = *gm_load_store_next_request(unit, access),
                               .began = now,
                               .ticket = access->ticket,
                               .kind = access->kind};
    access->next++;
    gm_wake(&unit->pipe_end, now + unit->pipeline);
}

/* Puts the oldest instruction's requests into the pipeline. Returns when it next has something to
 * do. */
static inline gm_cycle put(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    gm_cycle next;
    gm_queued_access *access = gm_load_store_due_access(unit, now, &next);
    if (access == NULL) {
        return next;
    }
    if (gm_load_store_is_early(unit, access)) {
        return gm_load_store_put_early(unit, access, gone, now);
    }
    for (uint32_t port = 0;
         port < unit->ports && access->next < access->requests && gm_ring_has_room(&unit->pipe);
         port++) {
        put_next(unit, access, now);
    }
    if (access->next < access->requests) {
        return gm_ring_has_room(&unit->pipe) ? now + 1 : GM_NEVER;
    }
    return gm_load_store_retire(unit, access, now);
}

static void find_pipe_end(gm_load_store *unit)
{
    unit->pipe_end = gm_ring_is_empty(&unit->pipe)
                         ? GM_NEVER
                         : unit->piped[gm_ring_first(&unit->pipe)].began + unit->pipeline;
}

/* Gives the requests at the end of the pipeline to the L1. */
static void take_out(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    for (uint32_t port = 0; port < unit->ports && unit->pipe_end <= now; port++) {
        const gm_reordered_request *waiting = &unit->piped[gm_ring_first(&unit->pipe)];
        if (gm_load_store_waits(unit, gone) ||
            !gm_load_store_give(unit, &waiting->line, (gm_request_kind)waiting->kind,
                                waiting->ticket, waiting->began, now)) {
            return;
        }
        gm_ring_pop(&unit->pipe);
        find_pipe_end(unit);
    }
}

static gm_cycle serve(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    if (unit->pipe_end <= now) {
        take_out(unit, gone, now);
    }
    gm_cycle next = put(unit, gone, now);
    if (unit->blocked == GM_CYCLE_L1_TAKEN) {
        gm_wake(&next, unit->pipe_end > now ? unit->pipe_end : now + 1);
    }
    return next;
}

void gm_load_store_step_pipelined(gm_load_store *unit, gm_cycle now)
{
    gm_load_store_step_by(unit, now, serve, true);
}

/* As put, while the banks of the requests are free. */
static gm_cycle put_banked(gm_load_store *unit, uint32_t gone, gm_cycle now)
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
        if (!gm_ring_has_room(&unit->pipe)) {
            return GM_NEVER;
        }
        if (gm_load_store_waits_for_bank(unit, request, now)) {
            return now + 1;
        }
        gm_load_store_take_banks(unit, request, now);
        put_next(unit, access, now);
    }
    return gm_load_store_retire(unit, access, now);
}

/* As take_out, while the banks of the requests are free. */
static void take_out_banked(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    while (unit->pipe_end <= now) {
        const gm_reordered_request *waiting = &unit->piped[gm_ring_first(&unit->pipe)];
        if ((unit->blocked == GM_CYCLE_L1_TAKEN &&
             gm_load_store_conflicts(unit, GM_BANK_EXIT, &waiting->line, now)) ||
            gm_load_store_waits(unit, gone) ||
            !gm_load_store_give(unit, &waiting->line, (gm_request_kind)waiting->kind,
                                waiting->ticket, waiting->began, now)) {
            return;
        }
        gm_load_store_occupy(unit, GM_BANK_EXIT, &waiting->line, now);
        gm_ring_pop(&unit->pipe);
        find_pipe_end(unit);
    }
}

static gm_cycle serve_banked(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    take_out_banked(unit, gone, now);
    gm_cycle next = put_banked(unit, gone, now);
    if (unit->blocked == GM_CYCLE_L1_TAKEN) {
        gm_wake(&next, unit->pipe_end > now ? unit->pipe_end : now + 1);
    }
    return next;
}

void gm_load_store_step_banked_pipeline(gm_load_store *unit, gm_cycle now)
{
    gm_load_store_step_by(unit, now, serve_banked, true);
}

const gm_reordered_request *gm_load_store_find_pipelined(const gm_load_store *unit, uint32_t ticket)
{
    for (uint32_t i = 0; i < gm_ring_count(&unit->pipe); i++) {
        const gm_reordered_request *request = &unit->piped[gm_ring_place(&unit->pipe, i)];
        if (request->ticket == ticket) {
            return request;
        }
    }
    return NULL;
}

void gm_load_store_snapshot_pipeline(gm_load_store *unit, gm_snapshot *snapshot)
{
    if (unit->piped != NULL) {
        GM_SNAPSHOT_VALUE(snapshot, unit->pipe.span);
        GM_SNAPSHOT_ARRAY(snapshot, unit->piped, gm_ring_places(unit->pipe.capacity));
        find_pipe_end(unit);
    }
}
