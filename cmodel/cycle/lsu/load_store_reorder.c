/* MRPB's FIFOs in front of the L1: requests wait by warp, those of an instruction in order. The L1
 * may take a request in the cycle in which it enters its FIFO. */
#include "cycle/lsu/load_store_reorder.h"

#include "cycle/lsu/load_store_give.h"

#include <errno.h>

static size_t places_of(const gm_mrpb *buffer)
{
    return (size_t)buffer->fifos * GM_MRPB_PLACES;
}

size_t gm_load_store_reorder_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64 };
    uint32_t fifos = (uint32_t)config->sm.warps;
    return config->l1.bypass != GM_BYPASS_MRPB
               ? 0
               : gm_mrpb_bytes(fifos) +
                     (size_t)fifos * GM_MRPB_PLACES * sizeof(gm_reordered_request) + ALIGNMENT;
}

int gm_load_store_make_reorder(gm_load_store *unit, const gm_config *config, gm_arena *arena,
                               gm_error *error)
{
    if (config->l1.bypass != GM_BYPASS_MRPB) {
        return 0;
    }
    unit->order = GM_ORDER_OF_WARPS;
    int code = gm_mrpb_init(&unit->reorder, (uint32_t)config->sm.warps, config->l1.mrpb_drain,
                            arena, error);
    if (code < 0) {
        return code;
    }
    unit->reordered = gm_arena_take(arena, places_of(&unit->reorder), sizeof *unit->reordered);
    return unit->reordered != NULL
               ? 0
               : gm_fail(error, -ENOMEM, "out of memory: the load/store unit of SM %u",
                         unit->number);
}

/* Puts the oldest instruction's requests into its warp's FIFO. */
static void put(gm_load_store *unit, gm_cycle now)
{
    gm_cycle next;
    gm_queued_access *access = gm_load_store_due_access(unit, now, &next);
    if (access == NULL) {
        return;
    }
    for (uint32_t port = 0; port < unit->ports && access->next < access->requests &&
                            gm_mrpb_has_room(&unit->reorder, access->warp);
         port++) {
        const gm_line_request *request = gm_load_store_next_request(unit, access);
        uint32_t place = gm_mrpb_put(&unit->reorder, access->warp, request->line,
                                     access->kind == GM_REQUEST_LOAD);
        unit->reordered[place] = (gm_reordered_request){
            .line = *request, .began = now, .ticket = access->ticket, .kind = access->kind};
        access->next++;
    }
    if (access->next == access->requests) {
        gm_load_store_retire(unit, access, now);
    }
}

/* Returns the next cycle in which there is work without an event from outside, or GM_NEVER. */
static gm_cycle next_of(const gm_load_store *unit, gm_cycle now)
{
    const gm_queued_access *access = gm_load_store_first(unit);
    gm_cycle next = GM_NEVER;
    if (unit->reorder.count != 0 && unit->blocked == GM_CYCLE_L1_TAKEN) {
        next = now + 1;
    }
    if (gm_ring_is_empty(&unit->queue)) {
        return next;
    }
    if (access->begun && access->next == access->requests) {
        gm_wake(&next, access->last_pass);
    } else if (!access->begun || gm_mrpb_has_room(&unit->reorder, access->warp)) {
        next = now + 1;
    }
    return next;
}

static gm_cycle serve(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    put(unit, now);
    for (uint32_t port = 0; port < unit->ports; port++) {
        uint32_t place = gm_mrpb_next(&unit->reorder);
        if (place == GM_MRPB_NONE || gm_load_store_waits(unit, gone)) {
            break;
        }
        const gm_reordered_request *waiting = &unit->reordered[place];
        if (!gm_load_store_give(unit, &waiting->line, (gm_request_kind)waiting->kind,
                                waiting->ticket, waiting->began, now)) {
            break;
        }
        gm_mrpb_take(&unit->reorder);
    }
    return next_of(unit, now);
}

void gm_load_store_step_reordered(gm_load_store *unit, gm_cycle now)
{
    gm_load_store_step_by(unit, now, serve, false);
}

const gm_reordered_request *gm_load_store_find_reordered(const gm_load_store *unit, uint32_t ticket)
{
    const gm_mrpb *buffer = &unit->reorder;
    for (uint32_t fifo = 0; fifo < buffer->fifos; fifo++) {
        for (uint32_t i = 0; i < buffer->fifo[fifo].count; i++) {
            const gm_reordered_request *request = &unit->reordered[gm_mrpb_place(buffer, fifo, i)];
            if (request->ticket == ticket) {
                return request;
            }
        }
    }
    return NULL;
}

void gm_load_store_snapshot_reorder(gm_load_store *unit, gm_snapshot *snapshot)
{
    if (unit->order == GM_ORDER_OF_WARPS) {
        gm_mrpb_snapshot(&unit->reorder, snapshot);
        GM_SNAPSHOT_ARRAY(snapshot, unit->reordered, places_of(&unit->reorder));
    }
}
