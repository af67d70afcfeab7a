/* Load/store unit: the queue of memory instructions, in order in front of the L1. */
#include "cycle/lsu/load_store.h"

#include "cycle/lsu/load_store_bank_pipelines.h"
#include "cycle/lsu/load_store_banks.h"
#include "cycle/lsu/load_store_give.h"
#include "cycle/lsu/load_store_passes.h"
#include "cycle/lsu/load_store_pipeline.h"
#include "cycle/lsu/load_store_reorder.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 8 };

/* Most hits in flight: those of the cycles t - latency to t, or from their look-up on. */
static uint32_t hits_capacity(const gm_config *config)
{
    uint64_t latency =
        config->l1.latency > config->l1.hit_delay ? config->l1.latency : config->l1.hit_delay;
    return gm_load_store_width(config) * (uint32_t)(latency + 1);
}

/* Returns the most instructions in the queue. With operand collectors one of sm.memory_queue is
 * in front of them, with sm.subcores one of each scheduler, and one of each behind them, with
 * queues of register reads one; at least one is left. */
static uint32_t queue_capacity(const gm_config *config)
{
    uint64_t in_front = config->sm.collectors == 0          ? 0
                        : config->sm.subcores               ? 2 * config->sm.schedulers
                        : gm_config_register_queues(config) ? 2
                                                            : 1;
    return (uint32_t)(config->sm.memory_queue > in_front ? config->sm.memory_queue - in_front : 1);
}

size_t gm_load_store_bytes(const gm_cycle_l1_shared *shared, const gm_config *config)
{
    size_t row = sizeof(gm_queued_access) + GM_COALESCED_REQUESTS * sizeof(gm_line_request);
    size_t ticket = sizeof(uint64_t) + sizeof(uint32_t);
    return gm_cycle_l1_bytes(shared) + gm_ring_places(queue_capacity(config)) * row +
           (gm_ring_places(hits_capacity(config)) +
            gm_ring_places(gm_load_store_passes_capacity(config))) *
               sizeof(gm_due) +
           GM_TICKETS * ticket + gm_load_store_reorder_bytes(config) +
           gm_load_store_pipeline_bytes(config) + gm_load_store_bank_pipelines_bytes(config) +
           (size_t)ARRAYS * ALIGNMENT;
}

static void make_due_queue(gm_due_queue *queue, uint32_t capacity, gm_arena *arena)
{
    *queue =
        (gm_due_queue){.due = gm_arena_take(arena, gm_ring_places(capacity), sizeof *queue->due),
                       .ring = gm_ring_make(capacity)};
}

int gm_load_store_init(gm_load_store *unit, const gm_cycle_l1_shared *shared,
                       const gm_config *config, uint32_t number, gm_arena *arena, gm_error *error)
{
    *unit = (gm_load_store){
        .number = number,
        .latency = (uint32_t)config->l1.latency,
        .pipeline = (uint32_t)config->l1.latency,
        .ports = (uint32_t)config->l1.ports,
        .shared_latency = (uint32_t)config->unit.shared,
        .queue = gm_ring_make(queue_capacity(config)),
        .blocked = GM_CYCLE_L1_TAKEN,
        .bypasses_early = config->l1.bypass_early,
        .drops = config->l1.fence_drops,
        .early_blocked = GM_CYCLE_L1_TAKEN,
        .port = {.enabled = config->sm.write_port,
                 .ticket = GM_NO_TICKET,
                 .bypassed = GM_NO_TICKET,
                 .written = GM_NO_TICKET},
    };
    int code = gm_cycle_l1_init(&unit->l1, shared, number, arena, error);
    if (code < 0) {
        return code;
    }
    uint32_t places = gm_ring_places(unit->queue.capacity);
    unit->access = gm_arena_take(arena, places, sizeof *unit->access);
    unit->request =
        gm_arena_take(arena, (size_t)places * GM_COALESCED_REQUESTS, sizeof *unit->request);
    make_due_queue(&unit->hits, hits_capacity(config), arena);
    make_due_queue(&unit->shared, gm_load_store_passes_capacity(config), arena);
    unit->pending = gm_arena_take(arena, GM_TICKETS, sizeof *unit->pending);
    unit->done = gm_arena_take(arena, GM_TICKETS, sizeof *unit->done);
    if (unit->access == NULL || unit->request == NULL || unit->hits.due == NULL ||
        unit->shared.due == NULL || unit->pending == NULL || unit->done == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the load/store unit of SM %u", number);
    }
    code = gm_load_store_make_reorder(unit, config, arena, error);
    code = code < 0 ? code : gm_load_store_make_pipeline(unit, config, arena, error);
    gm_load_store_make_banks(unit, config);
    code = code < 0 ? code : gm_load_store_make_bank_pipelines(unit, config, arena, error);
    gm_load_store_make_passes(unit, config);
    return code;
}

void gm_load_store_free(gm_load_store *unit)
{
    gm_cycle_l1_free(&unit->l1);
}

void gm_load_store_choose(gm_load_store *unit, gm_line_request *request, uint32_t count,
                          uint32_t warps)
{
    gm_cycle_l1 *l1 = &unit->l1;
    const gm_bypass_contenders contenders = {
        .touched = count, .warps = warps, .lines = gm_cache_slots(&l1->cache)};
    const bool chosen = count != 0 && l1->shared->policy.enabled &&
                        l1->bypass.ops->instruction(&l1->bypass, &contenders);
    for (uint32_t i = 0; i < count; i++) {
        request[i].chosen = chosen;
    }
}

/* Lowers the unit's wake-up time to cycle `at`. */
static void call_at(gm_load_store *unit, gm_cycle at)
{
    gm_wake(&unit->due, at);
    gm_wake(unit->wake, at);
}

/* Returns what the latency of an access is of. */
static gm_latency_kind latency_kind(const gm_memory_access *access)
{
    if (access->requests == 0) {
        return access->passes != 0 ? GM_LATENCY_shared : GM_LATENCY_KINDS;
    }
    gm_access_kind kind = gm_request_access_kind(access->kind);
    return kind == GM_ATOMIC  ? GM_LATENCY_atomics
           : kind == GM_STORE ? GM_LATENCY_stores
                              : GM_LATENCY_loads;
}

/* Copies the requests of an access that has none or several, or that a profile or latencies count;
 * with leases, notes its warp. */
static __attribute__((noinline)) void issue_rest(gm_load_store *unit,
                                                 const gm_memory_access *access, uint32_t place)
{
    gm_line_request *row = &unit->request[(size_t)place * GM_COALESCED_REQUESTS];
    gm_profile_writer *into = unit->l1.shared->bypass.into;
    gm_cycle_l1_note_warp(&unit->l1, access->ticket, access->warp);
    if (unit->l1.latency != NULL) {
        gm_latency_begin(unit->l1.latency, access->ticket, latency_kind(access));
    }
    if (access->requests != 0) {
        unit->access[place].first = access->request[0];
        memcpy(row + 1, access->request + 1, (access->requests - 1) * sizeof *row);
    }
    for (uint32_t i = 0; into != NULL && access->kind == GM_REQUEST_LOAD && i < access->requests;
         i++) {
        gm_profile_count(into, access->request[i].line, unit->number);
    }
}

void gm_load_store_issue(gm_load_store *unit, const gm_memory_access *access, gm_cycle now)
{
    uint32_t place = gm_ring_push(&unit->queue);
    gm_queued_access *queued = &unit->access[place];
    queued->from = now + 1;
    queued->requests = access->requests;
    queued->next = 0;
    queued->passes = access->passes;
    queued->ticket = access->ticket;
    queued->warp = (uint16_t)access->warp;
    queued->kind = access->kind;
    queued->begun = false;
    uint32_t answers = access->requests + (access->passes != 0);
    uint64_t *pending = &unit->pending[access->ticket];
    if (gm_load_store_unanswered(*pending) == 0) {
        unit->tickets_waiting++;
        *pending = now << GM_PENDING_ANSWERS;
    }
    *pending += answers != 0 ? answers : 1;
    unit->issued[gm_request_access_kind(access->kind)] += access->requests;
    call_at(unit, now + 1);
    if (access->requests == 1 && !unit->l1.shared->notes_issue) {
        queued->first = *access->request; /* the common case */
    } else {
        issue_rest(unit, access, place);
    }
}

void gm_load_store_fetch(gm_load_store *unit, uint64_t l2_line, uint32_t sectors, uint32_t number,
                         gm_cycle now)
{
    gm_cycle_l1_fetch(&unit->l1, l2_line, sectors, number, now);
    call_at(unit, now + 1);
}

/* Gives the L1 the next line request of the oldest access. True if the L1 has taken it. */
static inline bool give_next(gm_load_store *unit, gm_queued_access *access, gm_cycle now)
{
    unit->began = unit->blocked == GM_CYCLE_L1_TAKEN ? now : unit->began;
    bool taken =
        gm_load_store_give(unit, gm_load_store_next_request(unit, access),
                           (gm_request_kind)access->kind, access->ticket, unit->began, now);
    access->next += taken;
    return taken;
}

/* Computes one cycle of the oldest access, in the order of instructions. */
static gm_cycle serve(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    gm_cycle next;
    gm_queued_access *access = gm_load_store_due_access(unit, now, &next);
    if (access == NULL) {
        return next;
    }
    for (uint32_t left = unit->ports; access->next < access->requests; left--) {
        if (left == 0) {
            return now + 1;
        }
        if (gm_load_store_waits(unit, gone) || !give_next(unit, access, now)) {
            return GM_NEVER;
        }
    }
    return gm_load_store_retire(unit, access, now);
}

void gm_load_store_step(gm_load_store *unit, gm_cycle now)
{
    switch (unit->order) {
    case GM_ORDER_OF_INSTRUCTIONS:
        gm_load_store_step_by(unit, now, serve, false);
        return;
    case GM_ORDER_BEHIND_PIPELINE:
        gm_load_store_step_pipelined(unit, now);
        return;
    case GM_ORDER_OF_WARPS:
        gm_load_store_step_reordered(unit, now);
        return;
    case GM_ORDER_OF_BANKS:
        gm_load_store_step_banked(unit, now);
        return;
    case GM_ORDER_OF_BANKS_BEHIND_PIPELINE:
        gm_load_store_step_banked_pipeline(unit, now);
        return;
    case GM_ORDER_OF_BANK_PIPELINES:
        gm_load_store_step_bank_pipelines(unit, now);
        return;
    }
}

void gm_load_store_drop(gm_load_store *unit, gm_cycle now)
{
    gm_cycle_l1_drop_clean(&unit->l1, now);
    unit->freed = UINT32_MAX;
    call_at(unit, now + 1);
}

bool gm_load_store_idle(const gm_load_store *unit)
{
    return unit->tickets_waiting == 0 && gm_ring_is_empty(&unit->queue) &&
           gm_cycle_l1_is_empty(&unit->l1);
}

void gm_load_store_end_kernel(gm_load_store *unit, gm_cycle now)
{
    if (unit->l1.shared->policy.flush) {
        gm_cycle_l1_flush(&unit->l1);
        if (!gm_load_store_idle(unit)) {
            call_at(unit, now + 1);
        }
    }
}

void gm_load_store_sum(const gm_load_store *unit, gm_cycle now, gm_cache_statistics *l1,
                       gm_time_statistics *time)
{
    gm_cache_statistics counts = unit->l1.statistics;
    gm_time_statistics times = unit->l1.time;
    if (unit->blocked != GM_CYCLE_L1_TAKEN) {
        gm_cycle_l1_count_fails(&counts, unit->blocked, unit->blocked_kind,
                                now + 1 - unit->blocked_from);
    }
    if (unit->early_blocked != GM_CYCLE_L1_TAKEN) {
        gm_cycle_l1_count_fails(&counts, unit->early_blocked,
                                (gm_request_kind)gm_load_store_first(unit)->kind,
                                now + 1 - unit->early_from);
    }
    gm_load_store_count_bank_fails(unit, now, &counts);
    times.l1_mshr_cycles = gm_cycle_l1_mshr_cycles(&unit->l1, now);
    gm_cache_statistics_add(l1, &counts);
    gm_time_statistics_add(time, &times);
}

int gm_load_store_check(const gm_load_store *unit, gm_error *error)
{
    static const char *const laws[GM_ACCESS_KINDS] = {
        "load requests of the coalescer = accesses",
        "store requests of the coalescer = accesses",
        "atomic requests of the coalescer = accesses",
        "instruction requests of the coalescer = accesses",
    };
    char where[32];
    snprintf(where, sizeof where, "L1 of SM %u", unit->number);
    GM_INVARIANT(where, "memory instructions in the queue at the end = 0",
                 gm_ring_count(&unit->queue), 0);
    GM_INVARIANT(where, "requests in MRPB's FIFOs at the end = 0", unit->reorder.count, 0);
    GM_INVARIANT(where, "requests in the L1's pipeline at the end = 0",
                 gm_ring_count(&unit->pipe) + gm_load_store_in_bank_pipelines(unit), 0);
    GM_INVARIANT(where, "memory instructions not answered at the end = 0", unit->tickets_waiting,
                 0);
    if (unit->banks > 1) {
        const gm_l1_bank_statistics *banks = &unit->bank_counts;
        GM_INVARIANT(where, "line requests of the coalescer = those taken by the L1's banks",
                     unit->issued[GM_LOAD] + unit->issued[GM_STORE] + unit->issued[GM_ATOMIC],
                     banks->requests);
        GM_INVARIANT(where, "bank conflicts beyond the cycles of banks in use = 0",
                     banks->conflicts > banks->cycles ? banks->conflicts - banks->cycles : 0, 0);
    }
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        GM_INVARIANT(where, laws[kind], unit->issued[kind], unit->l1.statistics.accesses[kind]);
    }
    return gm_cycle_l1_check(&unit->l1, error);
}

static const char *reason_of(gm_cycle_l1_answer blocked)
{
    switch (blocked) {
    case GM_CYCLE_L1_HIT:
    case GM_CYCLE_L1_TAKEN:
        break;
    case GM_CYCLE_L1_FAIL_LINE:
        return "every way of its L1 set waits for data";
    case GM_CYCLE_L1_FAIL_MSHR_ENTRY:
        return "no MSHR entry of the L1 is free";
    case GM_CYCLE_L1_FAIL_MSHR_MERGE:
        return "its MSHR entry of the L1 takes no more";
    case GM_CYCLE_L1_FAIL_MISS_QUEUE:
        return "the L1's miss queue is full";
    case GM_CYCLE_L1_FAIL_BYPASS_QUEUE:
        return "the L1's bypass path is full";
    }
    return "it is its turn";
}

gm_cycle gm_load_store_oldest(const gm_load_store *unit, char *text, size_t size)
{
    gm_cycle oldest = GM_NEVER;
    uint32_t ticket = GM_NO_TICKET;
    for (uint32_t i = 0; unit->tickets_waiting != 0 && i < GM_TICKETS; i++) {
        gm_cycle since = unit->pending[i] >> GM_PENDING_ANSWERS;
        if (gm_load_store_unanswered(unit->pending[i]) != 0 && since < oldest) {
            oldest = since;
            ticket = i;
        }
    }
    text[0] = '\0';
    if (ticket == GM_NO_TICKET && gm_cycle_l1_is_empty(&unit->l1)) {
        return GM_NEVER;
    }
    const gm_queued_access *access = gm_load_store_first(unit);
    gm_cycle_l1_answer blocked = unit->blocked;
    const gm_reordered_request *reordered =
        unit->order == GM_ORDER_BEHIND_PIPELINE || unit->order == GM_ORDER_OF_BANKS_BEHIND_PIPELINE
            ? gm_load_store_find_pipelined(unit, ticket)
        : unit->order == GM_ORDER_OF_BANK_PIPELINES
            ? gm_load_store_find_in_banks(unit, ticket, &blocked)
            : gm_load_store_find_reordered(unit, ticket);
    if (reordered != NULL || (!gm_ring_is_empty(&unit->queue) && access->ticket == ticket &&
                              access->next < access->requests)) {
        uint64_t line = reordered != NULL ? reordered->line.line
                                          : gm_load_store_next_request(unit, access)->line;
        snprintf(text, size, "SM %u: line 0x%llx in front of the L1: %s", unit->number,
                 (unsigned long long)line, reason_of(blocked));
    } else {
        gm_cycle_l1_describe(&unit->l1, ticket, text, size);
    }
    return ticket == GM_NO_TICKET ? unit->l1.sent_at : oldest;
}

static void move_due_queue(gm_due_queue *queue, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, queue->due, gm_ring_places(queue->ring.capacity));
    GM_SNAPSHOT_VALUE(snapshot, queue->ring.span);
}

void gm_load_store_snapshot(gm_load_store *unit, gm_snapshot *snapshot)
{
    gm_cycle_l1_snapshot(&unit->l1, snapshot);
    uint32_t places = gm_ring_places(unit->queue.capacity);
    GM_SNAPSHOT_VALUE(snapshot, unit->queue.span);
    GM_SNAPSHOT_ARRAY(snapshot, unit->access, places);
    for (uint32_t i = 0; i < places; i++) {
        /* A free place holds an old access without its requests. */
        uint32_t requests = unit->access[i].requests;
        if (requests <= GM_COALESCED_REQUESTS) {
            GM_SNAPSHOT_ARRAY(snapshot, &unit->request[(size_t)i * GM_COALESCED_REQUESTS],
                              requests);
        }
    }
    move_due_queue(&unit->hits, snapshot);
    move_due_queue(&unit->shared, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, unit->pending, GM_TICKETS);
    GM_SNAPSHOT_VALUE(snapshot, unit->tickets_waiting);
    gm_load_store_snapshot_reorder(unit, snapshot);
    gm_load_store_snapshot_pipeline(unit, snapshot);
    gm_load_store_snapshot_banks(unit, snapshot);
    gm_load_store_snapshot_bank_pipelines(unit, snapshot);
    if (unit->port.enabled) {
        GM_SNAPSHOT_VALUE(snapshot, unit->port.turn);
        GM_SNAPSHOT_VALUE(snapshot, unit->port.ticket);
        GM_SNAPSHOT_VALUE(snapshot, unit->port.bypassed);
    }
    GM_SNAPSHOT_VALUE(snapshot, unit->freed);
    GM_SNAPSHOT_VALUE(snapshot, unit->blocked);
    GM_SNAPSHOT_VALUE(snapshot, unit->blocked_kind);
    GM_SNAPSHOT_VALUE(snapshot, unit->blocked_from);
    GM_SNAPSHOT_VALUE(snapshot, unit->began);
    GM_SNAPSHOT_VALUE(snapshot, unit->early_blocked);
    GM_SNAPSHOT_VALUE(snapshot, unit->early_from);
    GM_SNAPSHOT_VALUE(snapshot, unit->early_began);
    GM_SNAPSHOT_ARRAY(snapshot, unit->issued, GM_ACCESS_KINDS);
    if (unit->pass_interval > 1) {
        GM_SNAPSHOT_ARRAY(snapshot, unit->turn, unit->pass_interval);
    }
    gm_load_store_call(unit); /* after loading: the next step computes the wake-up time */
}
