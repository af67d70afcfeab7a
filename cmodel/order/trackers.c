/* Sharing trackers of the order engine. Accesses take no time, so a FILL follows its LOOKUP at
 * once, and a tracker never names a sharer that has lost its line. */
#include "order/trackers.h"

#include "cache/values.h"
#include "goldmem/bits.h"
#include "order/order_sm.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>

#define NOBODY UINT32_MAX

int gm_trackers_init(gm_trackers *trackers, const gm_config *config, struct gm_order_sm *sm,
                     gm_error *error)
{
    enum { ALIGNMENT = 64 };
    gm_sharing_tracker_parameters parameters = gm_tracker_parameters(config, &trackers->index);
    *trackers = (gm_trackers){.sm = sm};
    int code = gm_tracker_map_init(&trackers->map, config, error);
    code = code < 0 ? code : gm_tracker_index(&trackers->index, config, error);
    trackers->count = (uint32_t)config->tracker.trackers * trackers->map.partitions;
    trackers->victims = config->l2.victim;
    trackers->told = config->tracker.ask ? (uint32_t)config->tracker.trackers : 1;
    if (code < 0) {
        return code;
    }
    size_t bytes =
        trackers->count * (gm_sharing_tracker_bytes(&parameters) + sizeof *trackers->tracker) +
        ALIGNMENT;
    code = gm_arena_create(&trackers->arena, bytes, error);
    if (code < 0) {
        return code;
    }
    trackers->tracker = gm_arena_take(&trackers->arena, trackers->count, sizeof *trackers->tracker);
    for (uint32_t i = 0; code == 0 && i < trackers->count; i++) {
        code = gm_sharing_tracker_init(&trackers->tracker[i], &parameters, &trackers->arena, error);
    }
    return code;
}

void gm_trackers_free(gm_trackers *trackers)
{
    gm_arena_free(&trackers->arena);
    *trackers = (gm_trackers){0};
}

void gm_trackers_observe(gm_trackers *trackers, const gm_run_options *options)
{
    trackers->index_observer = options->tracker_set_index;
    for (uint32_t i = 0; i < trackers->count; i++) {
        trackers->tracker[i].observer = gm_observer_of(options->sharing_tracker, i);
    }
}

/* Returns true if a transaction has written its entry. */
static bool has_changed(const gm_sharing_tracker_request *request,
                        const gm_sharing_tracker_response *response)
{
    return request->will_fill != 0 || response->hit != 0 || response->filled != 0 ||
           response->removed != 0 || response->freed != 0;
}

/* Returns the number of the SM's tracker, or of the one `step` behind it. */
static uint32_t tracker_behind(const gm_order_l1 *l1, uint32_t step)
{
    const gm_trackers *trackers = l1->trackers;
    uint32_t own = l1->port->sm / trackers->map.cus;
    return step == 0 ? own : (own + step) % trackers->told;
}

/* Does a transaction of a tracker. FILL and EVICT are messages of their own. */
static gm_sharing_tracker_response transact(gm_order_l1 *l1, uint32_t number, uint64_t operation,
                                            uint64_t line, bool will_fill)
{
    gm_trackers *trackers = l1->trackers;
    uint32_t sm = l1->port->sm;
    gm_tracker_place at = gm_tracker_map_locate(&trackers->map, line);
    const gm_sharing_tracker_request request = {
        .op = operation,
        .line = at.line,
        .cu = sm % trackers->map.cus,
        .will_fill = will_fill,
    };
    gm_sharing_tracker_response response = gm_sharing_tracker_access(
        &trackers->tracker[number * trackers->map.partitions + at.partition], request);
    if (trackers->index_observer != NULL) {
        gm_cache_tell_observer(&trackers->index, trackers->index_observer, at.line,
                               (uint32_t)response.index);
    }
    bool notice = operation == GM_SHARING_TRACKER_FILL || operation == GM_SHARING_TRACKER_EVICT;
    trackers->transactions++;
    trackers->changed += has_changed(&request, &response);
    trackers->messages += notice;
    l1->tracker.entries_freed += response.freed;
    return response;
}

/* Requests the sectors from the supplier that the tracker named. Returns true if it held them. */
static bool request_from_supplier(gm_order_l1 *l1, uint64_t supplier, uint64_t line,
                                  uint32_t sectors)
{
    gm_trackers *trackers = l1->trackers;
    gm_order_l1 *other = &trackers->sm[supplier].l1;
    bool supplied = (sectors & ~gm_order_l1_held(other, line)) == 0;
    uint64_t count = supplied ? gm_count_ones(sectors) : 0;
    if (supplied && l1->values != NULL) {
        gm_values_supply(l1->values, l1->port->sm, other->port->sm, line, sectors, GM_MESSAGE_READ);
    }
    other->tracker.supplied_sectors += count;
    trackers->sectors += count;
    trackers->messages += 3; /* to tracker and supplier; the data, or a refusal to the tracker */
    return supplied;
}

/* Asks the other trackers in turn, the next one first, until one names a sharer. Adds the
 * transactions to *asks. Returns the sharer's SM, or NOBODY. */
static uint32_t ask_others(gm_order_l1 *l1, uint64_t line, uint64_t *asks)
{
    for (uint32_t step = 1; step < l1->trackers->told; step++) {
        uint32_t number = tracker_behind(l1, step);
        gm_sharing_tracker_response found =
            transact(l1, number, GM_SHARING_TRACKER_ASK, line, false);
        ++*asks;
        if (found.hit != 0) {
            l1->tracker.changes++;
            return number * l1->trackers->map.cus + (uint32_t)found.supplier;
        }
    }
    return NOBODY;
}

bool gm_trackers_supply(gm_order_l1 *l1, uint64_t line, uint32_t sectors, bool installs)
{
    gm_tracker_statistics *counts = &l1->tracker;
    uint32_t own = tracker_behind(l1, 0);
    gm_sharing_tracker_response found =
        transact(l1, own, GM_SHARING_TRACKER_LOOKUP, line, installs);
    counts->lookups++;
    counts->changes += found.hit != 0 || installs;
    counts->entries_taken += found.found == 0 && installs;
    counts->dropped += found.dropped;
    uint32_t supplier = found.hit != 0 ? own * l1->trackers->map.cus + (uint32_t)found.supplier
                                       : ask_others(l1, line, &counts->asks);
    bool hit = supplier != NOBODY;
    counts->ask_hits += hit && found.hit == 0;
    bool supplied = hit && request_from_supplier(l1, supplier, line, sectors);
    counts->hits += hit;
    counts->remote_hits += supplied;
    counts->remote_misses += hit && !supplied;
    counts->remote_sectors += supplied ? gm_count_ones(sectors) : 0;
    if (installs && l1->values == NULL) {
        gm_trackers_fill(l1, line, sectors);
    }
    return supplied;
}

void gm_trackers_fill(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    gm_sharing_tracker_response filled =
        transact(l1, tracker_behind(l1, 0), GM_SHARING_TRACKER_FILL, line, false);
    l1->tracker.fills++;
    l1->tracker.changes += filled.filled;
    l1->tracker.displaced += filled.displaced;
    if (filled.filled != 0 && l1->values != NULL) {
        gm_values_register(l1->values, l1->port->sm, line, sectors);
    }
}

void gm_trackers_tell(gm_order_l1 *l1, uint64_t operation, uint64_t line)
{
    gm_tracker_statistics *counts = &l1->tracker;
    gm_sharing_tracker_response response =
        transact(l1, tracker_behind(l1, 0), operation, line, false);
    counts->writes += operation == GM_SHARING_TRACKER_WRITE;
    counts->coherent += operation == GM_SHARING_TRACKER_COHERENT;
    counts->changes += response.found;
    for (uint32_t step = 1; step < l1->trackers->told; step++) {
        counts->changes += transact(l1, tracker_behind(l1, step), operation, line, false).found;
        counts->told++;
    }
}

/* Sends the data of a line that its last sharer has evicted to the L2, unless another tracker knows
 * a sharer. */
static void send_victim(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    gm_tracker_statistics *counts = &l1->tracker;
    if (ask_others(l1, line, &counts->victim_asks) != NOBODY) {
        counts->victims_shared++;
        return;
    }
    counts->victims++;
    counts->victim_sectors += gm_count_ones(sectors);
    gm_order_noc_send_victim(l1->port, line, sectors);
}

void gm_trackers_evict(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    gm_tracker_statistics *counts = &l1->tracker;
    gm_sharing_tracker_response response =
        transact(l1, tracker_behind(l1, 0), GM_SHARING_TRACKER_EVICT, line, false);
    counts->evicts++;
    counts->changes += response.removed;
    counts->last_sharer_evicts += response.last_sharer;
    if (l1->trackers->victims) {
        counts->evict_sectors += gm_count_ones(sectors);
        l1->trackers->evict_sectors += gm_count_ones(sectors);
        if (response.last_sharer != 0) {
            send_victim(l1, line, sectors);
        }
    }
}

static uint64_t count_entries(const gm_sharing_tracker *tracker)
{
    uint64_t entries = 0;
    for (uint32_t index = 0; index >> tracker->parameters.index->bits == 0; index++) {
        entries += gm_count_ones(tracker->valid[index]);
    }
    return entries;
}

void gm_trackers_flush(gm_trackers *trackers)
{
    for (uint32_t i = 0; i < trackers->count; i++) {
        trackers->flushed += count_entries(&trackers->tracker[i]);
        gm_sharing_tracker_access(&trackers->tracker[i],
                                  (gm_sharing_tracker_request){.op = GM_SHARING_TRACKER_FLUSH});
    }
}

void gm_trackers_add_traffic(const gm_tracker_statistics *counts, uint64_t header,
                             gm_traffic_statistics *traffic)
{
    uint64_t requests = 2 * counts->hits; /* to the tracker, to the supplier */
    uint64_t answers = counts->remote_hits + counts->remote_misses;
    traffic->trk += (requests + answers + counts->fills + counts->evicts) * header;
    traffic->rem += counts->remote_sectors * GM_SECTOR;
    traffic->vic += counts->evict_sectors * GM_SECTOR;
}

void gm_trackers_add_passed(const gm_trackers *trackers, uint64_t header,
                            gm_traffic_statistics *traffic)
{
    traffic->trk += trackers->messages * header;
    traffic->rem += trackers->sectors * GM_SECTOR;
    traffic->vic += trackers->evict_sectors * GM_SECTOR;
}

/* Checks that the sharers of an entry have its line. */
static int check_entry(const gm_trackers *trackers, uint32_t number, size_t entry,
                       const char *where, gm_error *error)
{
    const gm_sharing_tracker *tracker = &trackers->tracker[number];
    const gm_tracker_map *map = &trackers->map;
    const gm_tracker_place place = {number % map->partitions, tracker->line[entry]};
    uint64_t line = gm_tracker_map_line(map, place);
    GM_INVARIANT(where, "fills in flight = 0", tracker->marks[entry], 0);
    for (uint64_t left = tracker->sharers[entry]; left != 0; left &= left - 1) {
        uint32_t sm = number / map->partitions * map->cus + gm_lowest_one(left);
        gm_order_l1 quiet = trackers->sm[sm].l1; /* calls no observer */
        quiet.cache.parameters.observer = NULL;
        GM_INVARIANT(where, "a sharer has its line", gm_order_l1_held(&quiet, line) != 0, 1);
    }
    return 0;
}

int gm_trackers_check(const gm_trackers *trackers, const gm_tracker_statistics *sum,
                      gm_error *error)
{
    uint64_t there = 0;
    for (uint32_t i = 0; i < trackers->count; i++) {
        const gm_sharing_tracker *tracker = &trackers->tracker[i];
        char where[64];
        gm_error inner;
        snprintf(where, sizeof where, "sharing tracker %u, partition %u",
                 i / trackers->map.partitions, i % trackers->map.partitions);
        if (gm_sharing_tracker_check(tracker, &inner) < 0) {
            return gm_fail(error, -EPROTO, "%s: %s", where, inner.text);
        }
        there += count_entries(tracker);
        size_t entries = (size_t)tracker->parameters.ways << trackers->index.bits;
        for (size_t entry = 0; entry < entries; entry++) {
            uint32_t valid = tracker->valid[entry / tracker->parameters.ways];
            int code = (valid >> entry % tracker->parameters.ways & 1) != 0
                           ? check_entry(trackers, i, entry, where, error)
                           : 0;
            if (code < 0) {
                return code;
            }
        }
    }
    GM_INVARIANT("sharing trackers", "transactions of SMs = of trackers",
                 sum->lookups + sum->fills + sum->evicts + sum->writes + sum->coherent + sum->asks +
                     sum->told + sum->victim_asks,
                 trackers->transactions);
    GM_INVARIANT("sharing trackers", "changes counted by SMs = by trackers", sum->changes,
                 trackers->changed);
    GM_INVARIANT("sharing trackers", "sectors supplied by other L1s = to other L1s",
                 sum->remote_sectors, sum->supplied_sectors);
    GM_INVARIANT("sharing trackers", "entries taken = freed + dropped + flushed + there",
                 sum->entries_taken, sum->entries_freed + sum->dropped + trackers->flushed + there);
    return 0;
}
