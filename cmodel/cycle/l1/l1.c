/* Timed L1: initialisation, accounting of reservation fails, invariants, snapshot. */
#include "cycle/l1/l1.h"
#include "cycle/l1/byte_masks.h"

#include "cache/cache_snapshot.h"
#include "cache/streaming.h"
#include "cycle/l1/l1_arrivals.h"
#include "cycle/l1/l1_coherent.h"
#include "cycle/l1/l1_mesi.h"
#include "cycle/l1/l1_parts.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sector.h"
#include "cycle/l1/l1_sharing.h"
#include "cycle/l1/l1_supply.h"
#include "cycle/l1/l1_tracker.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>

typedef unsigned long long number;

enum { ALIGNMENT = 64, ARRAYS = 5 };

/* A protocol keeps lines beyond the end of a kernel; with leases or a directory a store keeps the
 * copy that it may write, whatever l1.global_write says. */
static void apply_protocol(gm_cycle_l1_shared *shared)
{
    const gm_coherence_ops *ops = shared->coherence;
    bool ccws = shared->config->sm.throttle == GM_THROTTLE_CCWS;
    shared->notes_warps = ops != NULL || ccws;
    shared->notes_issue = ccws;
    shared->policy.flush = shared->policy.flush && ops == NULL;
    if (ops != NULL && (ops->leases || ops->sharers != NULL)) {
        shared->policy.write[0] = GM_WRITE_THROUGH;
        shared->notes_issue |= ops->leases;
    }
}

int gm_cycle_l1_shared_init(gm_cycle_l1_shared *shared, const gm_config *config,
                            gm_network *requests, gm_network *replies, gm_error *error)
{
    *shared = (gm_cycle_l1_shared){
        .config = config,
        .coherence = gm_coherence_ops_of(config),
        .mshr = {.entries = (unsigned)config->l1.mshrs,
                 .merges = (unsigned)config->l1.merges,
                 .line_bits = 64,
                 .requester_bits = 64},
        .requests = requests,
        .replies = replies,
        .banks = (uint32_t)config->memory.banks,
        .l1_sector_bits = gm_log2_floor(config->l1.line / GM_SECTOR),
        .l2_sector_bits = gm_log2_floor(config->l2.line / GM_SECTOR),
        .parts = (uint32_t)(config->l1.line / config->l2.line),
        .miss_queue = (uint32_t)config->l1.miss_queue,
        .bypass_queue = (uint32_t)config->l1.bypass_queue,
        .on_fill = config->l1.allocation != GM_ALLOCATE_ON_MISS,
        .may_fill = config->l1.allocation != GM_ALLOCATE_ON_MISS,
        .decoupled = config->l1.kind == GM_L1_DECOUPLED,
        .by_sector = config->l1.merge_by == GM_MERGE_BY_SECTOR,
        .whole_answers = config->l1.answers == GM_ANSWERS_BY_REQUEST,
        .marks_strong = config->l2.atomic_buffer,
    };
    shared->mshr_shift = shared->by_sector ? shared->l1_sector_bits : 0;
    gm_l1_policy_init(&shared->policy, config);
    bool policy_decides = shared->policy.conventional && config->l1.bypass != GM_BYPASS_NONE;
    shared->path = shared->coherence != NULL ? GM_CYCLE_L1_COHERENT
                   : config->l1.streaming    ? GM_CYCLE_L1_GATED
                   : policy_decides          ? GM_CYCLE_L1_POLICY
                                             : GM_CYCLE_L1_DIRECT;
    apply_protocol(shared);
    gm_cache_request request = gm_cache_request_of_l1(config);
    int code = gm_cache_describe(&shared->cache, &shared->index, &request, error);
    shared->cache.waits = true;
    shared->cache.tags_only = config->l1.streaming;
    shared->tags = gm_decoupled_l1_parameters(config, &shared->index);
    code = code < 0 ? code
                    : gm_bypass_shared_init(&shared->bypass, config, shared->cache.sets,
                                            shared->cache.ways, error);
    return code < 0 ? code : gm_address_map_init(&shared->map, config, error);
}

/* Returns the most packets in the miss queue. A request has at most the packets of a victim's
 * write-back, of a fetch and of the store's data; a coherent entry may send its request again. The
 * fetches of instructions have a place for each sector. */
static uint32_t queue_capacity(const gm_cycle_l1_shared *shared)
{
    uint32_t most = 3 * shared->parts;
    uint32_t victims = shared->may_fill ? shared->mshr.entries * shared->parts : 0;
    uint32_t again = shared->coherence != NULL ? shared->mshr.entries : 0;
    const gm_config *config = shared->config;
    uint64_t fetches =
        config->l1i.size != 0 ? config->l1i.mshrs * (config->l1i.line / GM_SECTOR) : 0;
    uint32_t bypassed = shared->bypass_queue > shared->parts ? shared->bypass_queue : shared->parts;
    return (shared->miss_queue > most ? shared->miss_queue : most) + victims + bypassed + again +
           (uint32_t)fetches + gm_cycle_l1_tracked_places(shared);
}

static bool has_ccws(const gm_cycle_l1_shared *shared)
{
    return shared->config->sm.throttle == GM_THROTTLE_CCWS;
}

static uint32_t slots_of(const gm_cycle_l1_shared *shared)
{
    return (uint32_t)(shared->cache.sets * shared->cache.ways);
}

/* Returns the sectors of an L1 whose stores make sectors whole together; else 0. */
static uint64_t sectors_in_parts(const gm_cycle_l1_shared *shared)
{
    return shared->config->l1.parts ? (uint64_t)slots_of(shared) << shared->l1_sector_bits : 0;
}

size_t gm_cycle_l1_bytes(const gm_cycle_l1_shared *shared)
{
    size_t tags = shared->decoupled ? sizeof(gm_decoupled_l1) + gm_decoupled_l1_bytes(&shared->tags)
                                    : gm_cache_bytes(&shared->cache);
    size_t coherent = shared->coherence != NULL ? gm_cycle_l1_coherent_bytes(shared) : 0;
    size_t warps = shared->notes_warps ? GM_TICKETS * sizeof(uint16_t) : 0;
    size_t gate = shared->config->l1.streaming ? gm_streaming_bytes(&shared->cache) : 0;
    size_t ccws = has_ccws(shared)
                      ? gm_ccws_bytes(shared->config, slots_of(shared), shared->mshr.entries)
                      : 0;
    size_t masks = gm_config_sends_bytes(shared->config) ? sizeof(gm_byte_masks) + ALIGNMENT : 0;
    size_t parts = shared->config->l1.parts ? gm_l1_parts_bytes(sectors_in_parts(shared)) : 0;
    size_t arrivals = shared->config->sm.write_port ? gm_cycle_l1_arrivals_bytes(shared) : 0;
    return tags + coherent + parts + arrivals + warps + gate + ccws + masks +
           gm_cycle_l1_sector_bytes(shared) + gm_cycle_l1_tracked_bytes(shared) +
           gm_bypass_bytes(&shared->bypass) + gm_mshr_bytes(&shared->mshr) +
           shared->mshr.entries * sizeof(gm_cycle_l1_entry) +
           GM_BYPASSED_LOADS * (sizeof(gm_cycle_l1_bypassed) + sizeof(uint16_t)) +
           gm_ring_places(queue_capacity(shared)) * sizeof(gm_packet) + (size_t)ARRAYS * ALIGNMENT;
}

static int make_tags(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    if (!shared->decoupled) {
        return gm_cache_init(&l1->cache, &shared->cache, arena, error);
    }
    l1->decoupled = gm_arena_take(arena, 1, sizeof *l1->decoupled);
    return l1->decoupled == NULL
               ? gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number)
               : gm_decoupled_l1_init(l1->decoupled, &shared->tags, arena, error);
}

/* Sets l1->usual: conventional, few ways, allocation on a miss, one L2 line a line, no bypass
 * policy, no values, no sharing trackers, MSHRs for lines, no places that loads leave free. */
static void settle(gm_cycle_l1 *l1)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    l1->load_places = (uint32_t)shared->config->l1.load_places;
    l1->usual = l1->load_places == 0 && shared->policy.conventional && l1->cache.few &&
                !shared->on_fill && shared->path == GM_CYCLE_L1_DIRECT && shared->parts == 1 &&
                l1->values == NULL && !shared->by_sector && !has_ccws(shared) &&
                !shared->config->tracker.enabled;
    l1->owns = shared->coherence != NULL && shared->coherence->owns && l1->values == NULL;
}

void gm_cycle_l1_resize(gm_cycle_l1 *l1, uint32_t ways)
{
    if (ways != l1->cache.ways) {
        gm_cache_resize(&l1->cache, ways);
    }
    settle(l1);
}

int gm_cycle_l1_init(gm_cycle_l1 *l1, const gm_cycle_l1_shared *shared, uint32_t number,
                     gm_arena *arena, gm_error *error)
{
    *l1 = (gm_cycle_l1){
        .shared = shared,
        .number = number,
        .answering = GM_NO_ENTRY,
        .queue = gm_ring_make(queue_capacity(shared)),
        .bypassed_free = GM_BYPASSED_LOADS,
    };
    int code = make_tags(l1, arena, error);
    code = code < 0 ? code : gm_bypass_init(&l1->bypass, &shared->bypass, number, arena, error);
    code = code < 0 ? code : gm_mshr_init(&l1->mshr, &shared->mshr, arena, error);
    if (code < 0) {
        return code;
    }
    settle(l1);
    l1->special = shared->coherence != NULL || shared->by_sector || shared->config->l1.streaming ||
                  shared->config->tracker.enabled || shared->config->sharing.enabled;
    l1->entry = gm_arena_take(arena, shared->mshr.entries, sizeof *l1->entry);
    l1->bypassed = gm_arena_take(arena, GM_BYPASSED_LOADS, sizeof *l1->bypassed);
    l1->free_bypassed = gm_arena_take(arena, GM_BYPASSED_LOADS, sizeof *l1->free_bypassed);
    l1->packet = gm_arena_take(arena, gm_ring_places(l1->queue.capacity), sizeof *l1->packet);
    l1->warp = shared->notes_warps ? gm_arena_take(arena, GM_TICKETS, sizeof *l1->warp) : NULL;
    l1->ccws = has_ccws(shared)
                   ? gm_ccws_make(shared->config, slots_of(shared), shared->mshr.entries, arena)
                   : NULL;
    if ((shared->notes_warps && l1->warp == NULL) || (has_ccws(shared) && l1->ccws == NULL) ||
        l1->entry == NULL || l1->bypassed == NULL || l1->free_bypassed == NULL ||
        l1->packet == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", number);
    }
    for (uint32_t i = 0; i < GM_BYPASSED_LOADS; i++) {
        l1->free_bypassed[i] = (uint16_t)(GM_BYPASSED_LOADS - 1 - i);
    }
    if (shared->config->l1.streaming) {
        const gm_stream_gate_parameters gate = gm_streaming_l1_parameters(shared->config);
        l1->streaming = gm_streaming_make(shared->config, &gate, &l1->cache, arena);
        if (l1->streaming == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", number);
        }
    }
    if (gm_config_sends_bytes(shared->config)) {
        l1->masks = gm_arena_take(arena, 1, sizeof *l1->masks);
        if (l1->masks == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", number);
        }
        gm_byte_masks_init(l1->masks, UINT32_C(1) << shared->l1_sector_bits);
    }
    if (shared->config->l1.parts) {
        l1->parts = gm_l1_parts_make(sectors_in_parts(shared), shared->l1_sector_bits, arena);
        if (l1->parts == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", number);
        }
    }
    if (shared->config->sm.write_port) {
        l1->arrivals = gm_cycle_l1_arrivals_make(shared, arena);
        if (l1->arrivals == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", number);
        }
    }
    code = gm_cycle_l1_sector_init(l1, arena, error);
    code = code < 0 ? code : gm_cycle_l1_tracked_init(l1, arena, error);
    return code == 0 && shared->coherence != NULL ? gm_cycle_l1_coherent_init(l1, arena, error)
                                                  : code;
}

void gm_cycle_l1_free(gm_cycle_l1 *l1)
{
    gm_cache_free(&l1->cache);
    if (l1->masks != NULL) {
        gm_byte_masks_free(l1->masks);
    }
}

uint32_t gm_cycle_l1_keep_masks(gm_cycle_l1 *l1, const uint32_t *mask)
{
    return gm_byte_masks_put(l1->masks, mask);
}

bool gm_cycle_l1_lacks_masks(const gm_cycle_l1 *l1)
{
    return l1->masks != NULL && l1->masks->failed;
}

void gm_cycle_l1_keep_values(gm_cycle_l1 *l1, struct gm_values *values)
{
    l1->values = values;
    settle(l1);
    l1->special = true;
}

void gm_cycle_l1_keep_latency(gm_cycle_l1 *l1, gm_cycle_latency *latency)
{
    l1->latency = latency;
    l1->special = true;
}

void gm_cycle_l1_keep_pcs(gm_cycle_l1 *l1, gm_pc_flight *pcs)
{
    l1->pcs = pcs;
    l1->counted = true;
}

void gm_cycle_l1_tell_accesses(gm_cycle_l1 *l1, const gm_access_observer *observer)
{
    l1->observer = observer;
    l1->counted = true;
    l1->special = true;
}

void gm_cycle_l1_count_fails(gm_cache_statistics *statistics, gm_cycle_l1_answer reason,
                             gm_request_kind kind, uint64_t cycles)
{
    gm_access_kind access = gm_request_access_kind(kind);
    switch (reason) {
    case GM_CYCLE_L1_HIT:
    case GM_CYCLE_L1_TAKEN:
        break;
    case GM_CYCLE_L1_FAIL_LINE:
        statistics->fails_line[access] += cycles;
        break;
    case GM_CYCLE_L1_FAIL_MSHR_ENTRY:
        statistics->fails_mshr_entry[access] += cycles;
        break;
    case GM_CYCLE_L1_FAIL_MSHR_MERGE:
        statistics->fails_mshr_merge[access] += cycles;
        break;
    case GM_CYCLE_L1_FAIL_MISS_QUEUE:
        statistics->fails_miss_queue[access] += cycles;
        break;
    case GM_CYCLE_L1_FAIL_BYPASS_QUEUE:
        statistics->fails_bypass_queue[access] += cycles;
        break;
    }
}

bool gm_cycle_l1_is_empty(const gm_cycle_l1 *l1)
{
    return l1->entries == 0 && gm_ring_is_empty(&l1->queue) && l1->write_backs == 0 &&
           !l1->flushing && l1->bypassed_free == GM_BYPASSED_LOADS &&
           (l1->tracked == NULL || gm_ring_is_empty(&l1->tracked->ring));
}

uint64_t gm_cycle_l1_mshr_cycles(const gm_cycle_l1 *l1, gm_cycle now)
{
    uint64_t cycles = l1->time.l1_mshr_cycles;
    for (uint32_t id = 0; l1->entries != 0 && id < l1->shared->mshr.entries; id++) {
        cycles += gm_mshr_is_valid(&l1->mshr, id) ? now + 1 - l1->entry[id].since : 0;
    }
    return cycles;
}

static int check_decoupled(const gm_cycle_l1 *l1, const char *where, gm_error *error)
{
    const gm_cache_statistics *counts = &l1->statistics;
    GM_INVARIANT(where, "accesses = references of the tag store",
                 l1->shared->policy.enabled ? gm_invariants_sum(counts->accesses) : 0,
                 l1->decoupled->references);
    return gm_decoupled_l1_check_tags(l1->decoupled, counts, l1->dirty_sectors, where, error);
}

/* Strong loads are the only loads that bypass an open L1 with a gate. */
static int check_gate(const gm_cycle_l1 *l1, const char *where, gm_error *error)
{
    const gm_cache_statistics *counts = &l1->statistics;
    uint64_t bypassed = l1->streaming->statistics.loads_bypassed;
    uint64_t strong = counts->bypasses[GM_LOAD] - bypassed;
    return gm_streaming_check(l1->streaming, counts->accesses[GM_LOAD] - strong, bypassed, where,
                              error);
}

int gm_cycle_l1_check(const gm_cycle_l1 *l1, gm_error *error)
{
    const gm_cache_statistics *counts = &l1->statistics;
    uint64_t written_back = gm_invariants_sum(counts->sectors_written_back);
    uint64_t gone = gm_invariants_sum(counts->evictions) +
                    gm_invariants_sum(counts->invalidations) + l1->closed;
    char where[32];
    snprintf(where, sizeof where, "L1 of SM %u", l1->number);
    GM_INVARIANT(where, "MSHR entries in use at the end = 0", l1->entries, 0);
    GM_INVARIANT(where, "requests in several MSHR entries at the end = 0", l1->splits, 0);
    GM_INVARIANT(where, "packets in the miss queue at the end = 0", gm_ring_count(&l1->queue), 0);
    GM_INVARIANT(where, "packets of the bypass path at the end = 0", l1->from_bypass, 0);
    GM_INVARIANT(where, "fetches of instructions in the miss queue at the end = 0", l1->from_fetch,
                 0);
    GM_INVARIANT(where, "write-backs not acknowledged at the end = 0", l1->write_backs, 0);
    if (l1->masks != NULL) {
        GM_INVARIANT(where, "byte masks of line requests at the end = 0",
                     gm_byte_masks_count(l1->masks), 0);
    }
    GM_INVARIANT(where, "loads that bypass and wait at the end = 0",
                 GM_BYPASSED_LOADS - l1->bypassed_free, 0);
    int code = gm_invariants_check_cache(counts, where, error);
    code = code < 0
               ? code
               : gm_invariants_check_stored(counts, l1->shared->policy.all_sectors, where, error);
    if (code < 0) {
        return code;
    }
    GM_INVARIANT(where, "sectors written back = sectors of write-back messages",
                 written_back + gm_cycle_l1_mesi_crossed(l1),
                 l1->sent.sectors[GM_MESSAGE_WRITE_BACK] + l1->sent.sectors[GM_MESSAGE_FORWARD] +
                     l1->sent.sectors[GM_MESSAGE_RECALL]);
    GM_INVARIANT(where, "sectors made dirty = written back + dirty", l1->dirtied,
                 written_back + l1->dirty_sectors);
    GM_INVARIANT(where, "sectors filled + of bypassing loads = sectors asked for",
                 gm_invariants_sum(counts->sectors_filled) + l1->bypassed_sectors,
                 l1->sent.sectors[GM_MESSAGE_READ] + l1->sent.sectors[GM_MESSAGE_LOOKUP] +
                     l1->sent.sectors[GM_MESSAGE_GETX]);
    GM_INVARIANT(where, "load requests = those answered", counts->accesses[GM_LOAD],
                 l1->time.loads);
    code = gm_cycle_l1_tracked_check(l1, where, error);
    code = code < 0 ? code : gm_mshr_check(&l1->mshr, error);
    code = code < 0 ? code : gm_bypass_check(&l1->bypass, where, error);
    code = code < 0 || l1->ccws == NULL ? code : gm_ccws_check(l1->ccws, where, error);
    code = code < 0 || l1->coherent == NULL ? code : gm_cycle_l1_coherent_check(l1, where, error);
    code = code < 0 || l1->streaming == NULL ? code : check_gate(l1, where, error);
    code = code < 0 ? code : gm_cycle_l1_sharing_check(l1, where, error);
    return code < 0                ? code
           : l1->decoupled == NULL ? gm_cache_check(&l1->cache, gone, where, error)
                                   : check_decoupled(l1, where, error);
}

uint32_t gm_cycle_l1_ticket_of(const gm_cycle_l1 *l1, uint32_t id)
{
    uint32_t number = gm_cycle_l1_id_number(id);
    if (gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_BYPASSED) {
        return l1->bypassed[number % GM_CYCLE_L1_BYPASS_PATH].ticket;
    }
    if (gm_cycle_l1_id_kind_of(id) != GM_CYCLE_L1_OF_ENTRY) {
        return number;
    }
    uint64_t oldest = *gm_mshr_requester(&l1->mshr, number, l1->mshr.entry[number].oldest);
    oldest = gm_cycle_l1_is_split(oldest) ? gm_cycle_l1_split_of(l1, oldest)->requester : oldest;
    return gm_cycle_l1_waiter_of(oldest).ticket;
}

/* Returns the MSHR entry in which a ticket waits, or GM_NO_ENTRY. */
static uint32_t entry_of(const gm_cycle_l1 *l1, uint32_t ticket)
{
    for (uint32_t id = 0; id < l1->shared->mshr.entries; id++) {
        for (unsigned slot = l1->mshr.entry[id].oldest;
             gm_mshr_is_valid(&l1->mshr, id) && slot <= l1->mshr.entry[id].newest; slot++) {
            uint64_t requester = *gm_mshr_requester(&l1->mshr, id, slot);
            requester = gm_cycle_l1_is_split(requester)
                            ? gm_cycle_l1_split_of(l1, requester)->requester
                            : requester;
            if (gm_cycle_l1_waiter_of(requester).ticket == ticket) {
                return id;
            }
        }
    }
    return GM_NO_ENTRY;
}

void gm_cycle_l1_describe(const gm_cycle_l1 *l1, uint32_t ticket, char *text, size_t size)
{
    char queue[64] = "";
    if (!gm_ring_is_empty(&l1->queue)) {
        snprintf(queue, sizeof queue, "; %u packets in the L1's miss queue",
                 gm_ring_count(&l1->queue));
    }
    uint32_t id = ticket < GM_TICKETS ? entry_of(l1, ticket) : GM_NO_ENTRY;
    if (id != GM_NO_ENTRY) {
        snprintf(text, size, "SM %u: L1 line 0x%llx in MSHR entry %u, %u packets to come%s",
                 l1->number, (number)gm_cycle_l1_mshr_line(l1, l1->mshr.entry[id].line), id,
                 l1->entry[gm_cycle_l1_owner(l1, id)].packets, queue);
        return;
    }
    for (uint32_t i = 0; i < GM_BYPASSED_LOADS; i++) {
        if (l1->bypassed[i].packets != 0 && l1->bypassed[i].ticket == ticket) {
            snprintf(text, size, "SM %u: a load that bybypassed the L1, %u packets to come%s",
                     l1->number, l1->bypassed[i].packets, queue);
            return;
        }
    }
    snprintf(text, size, "SM %u: acknowledgements%s", l1->number, queue);
}

void gm_cycle_l1_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot)
{
    if (l1->decoupled == NULL) {
        gm_cache_snapshot(&l1->cache, snapshot);
    } else {
        gm_decoupled_l1_snapshot(l1->decoupled, snapshot);
    }
    gm_bypass_snapshot(&l1->bypass, snapshot);
    gm_mshr_snapshot(&l1->mshr, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, l1->entries);
    GM_SNAPSHOT_VALUE(snapshot, l1->answering);
    GM_SNAPSHOT_ARRAY(snapshot, l1->entry, l1->shared->mshr.entries);
    GM_SNAPSHOT_ARRAY(snapshot, l1->bypassed, GM_BYPASSED_LOADS);
    GM_SNAPSHOT_ARRAY(snapshot, l1->free_bypassed, GM_BYPASSED_LOADS);
    GM_SNAPSHOT_VALUE(snapshot, l1->bypassed_free);
    GM_SNAPSHOT_ARRAY(snapshot, l1->packet, gm_ring_places(l1->queue.capacity));
    GM_SNAPSHOT_VALUE(snapshot, l1->queue.span);
    GM_SNAPSHOT_VALUE(snapshot, l1->from_fills);
    GM_SNAPSHOT_VALUE(snapshot, l1->from_bypass);
    GM_SNAPSHOT_VALUE(snapshot, l1->from_fetch);
    GM_SNAPSHOT_VALUE(snapshot, l1->write_backs);
    GM_SNAPSHOT_VALUE(snapshot, l1->sent_at);
    GM_SNAPSHOT_VALUE(snapshot, l1->flushing);
    GM_SNAPSHOT_VALUE(snapshot, l1->flushed);
    GM_SNAPSHOT_VALUE(snapshot, l1->uses_dropped);
    GM_SNAPSHOT_VALUE(snapshot, l1->uses_before);
    GM_SNAPSHOT_VALUE(snapshot, l1->uses_noted);
    GM_SNAPSHOT_VALUE(snapshot, l1->statistics);
    GM_SNAPSHOT_VALUE(snapshot, l1->time);
    GM_SNAPSHOT_VALUE(snapshot, l1->sent);
    GM_SNAPSHOT_VALUE(snapshot, l1->bypassed_sectors);
    GM_SNAPSHOT_VALUE(snapshot, l1->dirtied);
    GM_SNAPSHOT_VALUE(snapshot, l1->dirty_sectors);
    GM_SNAPSHOT_VALUE(snapshot, l1->closed);
    gm_cycle_l1_sector_snapshot(l1, snapshot);
    gm_cycle_l1_tracked_snapshot(l1, snapshot);
    if (l1->warp != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, l1->warp, GM_TICKETS);
    }
    if (l1->streaming != NULL) {
        gm_streaming_snapshot(l1->streaming, snapshot);
    }
    if (l1->ccws != NULL) {
        gm_ccws_snapshot(l1->ccws, snapshot);
    }
    if (l1->masks != NULL) {
        gm_byte_masks_snapshot(l1->masks, snapshot);
    }
    if (l1->parts != NULL) {
        gm_l1_parts_snapshot(l1->parts, snapshot);
    }
    if (l1->arrivals != NULL) {
        gm_cycle_l1_arrivals_snapshot(l1->arrivals, snapshot);
    }
    if (l1->coherent != NULL) {
        gm_cycle_l1_coherent_snapshot(l1, snapshot);
    }
}
