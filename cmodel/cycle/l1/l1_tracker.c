/* Messages of the timed L1 to sharing trackers, and its look-ups that are not answered. */
#include "cycle/l1/l1_tracker.h"

#include "cache/values.h"
#include "goldmem/assert.h"
#include "stats/invariants.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 4 };

/* Returns the most SUPPLYs that an L1 has not answered: all credits of all tracker banks. */
static uint32_t most_supplies(const gm_config *config)
{
    return (uint32_t)(config->memory.partitions * config->tracker.supplies);
}

/* FILL, and with allocation on fill the EVICT of the line's victim. */
static uint32_t fill_places(const gm_cycle_l1_shared *shared)
{
    return shared->may_fill ? 2 : 1;
}

static uint32_t most_asked(const gm_cycle_l1_shared *shared)
{
    return shared->mshr.entries + GM_BYPASSED_LOADS;
}

uint32_t gm_cycle_l1_tracked_places(const gm_cycle_l1_shared *shared)
{
    return shared->config->tracker.enabled
               ? most_supplies(shared->config) + shared->mshr.entries * fill_places(shared)
               : 0;
}

size_t gm_cycle_l1_tracked_bytes(const gm_cycle_l1_shared *shared)
{
    if (!shared->config->tracker.enabled) {
        return 0;
    }
    return sizeof(gm_cycle_l1_tracked) + most_asked(shared) * sizeof(gm_cycle_l1_asked) +
           gm_ring_places(most_supplies(shared->config)) * (sizeof(gm_packet) + sizeof(gm_cycle)) +
           (size_t)ARRAYS * ALIGNMENT;
}

int gm_cycle_l1_tracked_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    if (!shared->config->tracker.enabled) {
        return 0;
    }
    uint32_t places = gm_ring_places(most_supplies(shared->config));
    l1->tracked = gm_arena_take(arena, 1, sizeof *l1->tracked);
    gm_cycle_l1_asked *asked = gm_arena_take(arena, most_asked(shared), sizeof *asked);
    gm_packet *packet = gm_arena_take(arena, places, sizeof *packet);
    gm_cycle *leaves = gm_arena_take(arena, places, sizeof *leaves);
    if (l1->tracked == NULL || asked == NULL || packet == NULL || leaves == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the L1 of SM %u", l1->number);
    }
    *l1->tracked = (gm_cycle_l1_tracked){.asked = asked,
                                         .fill_places = fill_places(shared),
                                         .ring = gm_ring_make(most_supplies(shared->config)),
                                         .packet = packet,
                                         .leaves = leaves};
    return 0;
}

const gm_tracker_statistics *gm_cycle_l1_tracked_counts(const gm_cycle_l1 *l1)
{
    return l1->tracked != NULL ? &l1->tracked->counts : NULL;
}

/* Returns the number in `asked` of the LOOKUP with this id. */
static uint32_t number_of(const gm_cycle_l1 *l1, uint32_t id)
{
    uint32_t number = gm_cycle_l1_id_number(id);
    return gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_ENTRY
               ? number
               : l1->shared->mshr.entries + number % GM_CYCLE_L1_BYPASS_PATH;
}

static uint16_t *bucket_of(const gm_cycle_l1 *l1, uint64_t line)
{
    uint64_t hash = line * UINT64_C(0x9e3779b97f4a7c15);
    return &l1->tracked->bucket[hash >> 56];
}

bool gm_cycle_l1_is_asked(const gm_cycle_l1 *l1, uint64_t line)
{
    const gm_cycle_l1_asked *asked = l1->tracked->asked;
    uint32_t next = l1->tracked->unanswered != 0 ? *bucket_of(l1, line) : 0;
    while (next != 0 && asked[next - 1].line != line) {
        next = asked[next - 1].next;
    }
    return next != 0;
}

/* Queues a message about a line for its tracker. */
static void push(gm_cycle_l1 *l1, gm_message_kind kind, uint64_t line, uint32_t sectors,
                 uint32_t id, bool will_fill)
{
    const gm_cycle_l1_shared *shared = l1->shared;
    uint64_t l2_line = line << (shared->l1_sector_bits - shared->l2_sector_bits);
    gm_location location = gm_address_map_locate(&shared->map, l2_line);
    gm_assert(gm_ring_has_room(&l1->queue), "L1 of SM %u: no place in its queue", l1->number);
    l1->packet[gm_ring_push(&l1->queue)] = (gm_packet){
        .line = l2_line,
        .in_bank = location.line,
        .sectors = sectors,
        .fills = gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_ENTRY ? sectors : 0,
        .id = id,
        .sm = (uint16_t)l1->number,
        .bank = (uint16_t)location.partition,
        .kind = (uint8_t)kind,
        .flags = will_fill,
    };
    l1->sent.messages[kind]++;
    l1->sent.sectors[kind] += gm_count_ones(sectors);
}

void gm_cycle_l1_look_up_elsewhere(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint32_t id,
                                   bool will_fill)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    uint32_t number = number_of(l1, id);
    uint16_t *bucket = bucket_of(l1, line);
    tracked->asked[number] =
        (gm_cycle_l1_asked){.line = line, .next = *bucket, .will_fill = will_fill};
    *bucket = (uint16_t)(number + 1);
    tracked->unanswered++;
    push(l1, GM_MESSAGE_LOOKUP, line, sectors, id, will_fill);
}

void gm_cycle_l1_answered_elsewhere(gm_cycle_l1 *l1, uint32_t id)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    uint32_t number = number_of(l1, id);
    uint16_t *bucket = bucket_of(l1, tracked->asked[number].line);
    uint32_t next = tracked->asked[number].next;
    tracked->unanswered--;
    if (*bucket == number + 1) {
        *bucket = (uint16_t)next;
        return;
    }
    gm_cycle_l1_asked *before = &tracked->asked[*bucket - 1];
    while (before->next != number + 1) {
        before = &tracked->asked[before->next - 1];
    }
    before->next = next;
}

void gm_cycle_l1_tell_fill(gm_cycle_l1 *l1, uint64_t line, uint32_t entry, uint32_t sectors)
{
    gm_cycle_l1_asked *asked = &l1->tracked->asked[entry];
    if (asked->will_fill == 0) {
        return;
    }
    asked->will_fill = 0;
    l1->from_fills++;
    push(l1, GM_MESSAGE_FILL, line, sectors, gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, 1), false);
    if (l1->values != NULL) {
        gm_values_fill(l1->values, l1->number, line, sectors);
    }
}

void gm_cycle_l1_tell_no_fill(gm_cycle_l1 *l1, uint32_t entry)
{
    gm_cycle_l1_asked *asked = &l1->tracked->asked[entry];
    l1->tracked->marks_left += asked->will_fill;
    asked->will_fill = 0;
}

void gm_cycle_l1_tell_evict(gm_cycle_l1 *l1, uint64_t line, uint32_t valid, bool from_fill)
{
    uint32_t sectors = l1->shared->config->l2.victim ? valid : 0;
    l1->from_fills += from_fill;
    push(l1, GM_MESSAGE_EVICT, line, sectors, gm_cycle_l1_id(GM_CYCLE_L1_OF_WRITE_BACK, from_fill),
         false);
    if (l1->values != NULL) {
        gm_values_evict(l1->values, l1->number, line, sectors);
    }
}

void gm_cycle_l1_free_place(gm_cycle_l1 *l1, uint32_t bank, gm_cycle now)
{
    gm_credit_wire_send(&l1->shared->credits[bank], l1->number, now);
}

int gm_cycle_l1_tracked_check(const gm_cycle_l1 *l1, const char *where, gm_error *error)
{
    const gm_cycle_l1_tracked *tracked = l1->tracked;
    const gm_cache_statistics *counts = &l1->statistics;
    const uint64_t *sent = l1->sent.messages;
    if (tracked == NULL) {
        return 0;
    }
    GM_INVARIANT(where, "look-ups of its tracker not answered at the end = 0", tracked->unanswered,
                 0);
    GM_INVARIANT(where, "data that leave for other L1s at the end = 0",
                 gm_ring_count(&tracked->ring), 0);
    GM_INVARIANT(where, "requests of other L1s = data sent + returns", tracked->came,
                 sent[GM_MESSAGE_SUPPLIED] + sent[GM_MESSAGE_RETURN]);
    GM_INVARIANT(where, "requests of other L1s that missed = returns", tracked->missed,
                 sent[GM_MESSAGE_RETURN]);
    GM_INVARIANT(where, "load misses and bypasses = look-ups + strong loads",
                 counts->misses[GM_LOAD] + counts->bypasses[GM_LOAD],
                 sent[GM_MESSAGE_LOOKUP] + tracked->strong);
    GM_INVARIANT(where, "load misses of lines not held = fills told its tracker + marks left",
                 counts->misses[GM_LOAD] - counts->sector_misses[GM_LOAD],
                 sent[GM_MESSAGE_FILL] + tracked->marks_left);
    GM_INVARIANT(where, "lines that died with data in flight, which held stores prevent = 0",
                 tracked->marks_left, 0);
    return 0;
}

void gm_cycle_l1_tracked_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    if (tracked == NULL) {
        return;
    }
    GM_SNAPSHOT_ARRAY(snapshot, tracked->asked, most_asked(l1->shared));
    GM_SNAPSHOT_ARRAY(snapshot, tracked->bucket, GM_CYCLE_L1_ASKED_BUCKETS);
    GM_SNAPSHOT_VALUE(snapshot, tracked->unanswered);
    GM_SNAPSHOT_VALUE(snapshot, tracked->peer_first);
    GM_SNAPSHOT_VALUE(snapshot, tracked->ring.span);
    GM_SNAPSHOT_ARRAY(snapshot, tracked->packet, gm_ring_places(tracked->ring.capacity));
    GM_SNAPSHOT_ARRAY(snapshot, tracked->leaves, gm_ring_places(tracked->ring.capacity));
    GM_SNAPSHOT_VALUE(snapshot, tracked->came);
    GM_SNAPSHOT_VALUE(snapshot, tracked->missed);
    GM_SNAPSHOT_VALUE(snapshot, tracked->strong);
    GM_SNAPSHOT_VALUE(snapshot, tracked->marks_left);
    GM_SNAPSHOT_VALUE(snapshot, tracked->counts);
}
