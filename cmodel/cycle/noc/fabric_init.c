/* Fabric: its storage, and which template instance computes it. */
#include "cycle/noc/fabric.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 27 };

/* Returns the instance for a fabric whose wheel has `slots` slots. */
static gm_fabric_instance instance_of(const gm_fabric_size *size, uint32_t slots)
{
    uint32_t most = size->ports > size->outputs ? size->ports : size->outputs;
    bool short_wheel = slots == GM_BITSET_WORD;
    bool small = size->ports < GM_BITSET_WORD && size->outputs <= GM_BITSET_WORD;
    bool medium = most <= 2 * GM_BITSET_WORD;
    if (size->speedup != 1) {
        return GM_FABRIC_SPEEDUP;
    }
    if (size->series) {
        return short_wheel && medium ? GM_FABRIC_MEDIUM_SERIES : GM_FABRIC_SERIES;
    }
    if (size->routers != 1 || !short_wheel) {
        return GM_FABRIC_ANY;
    }
    if (size->channels != 1 || size->classes != 1) {
        return small    ? GM_FABRIC_SMALL_CHANNELS
               : medium ? GM_FABRIC_MEDIUM_CHANNELS
                        : GM_FABRIC_ANY;
    }
    return small    ? GM_FABRIC_SMALL_CROSSBAR
           : medium ? GM_FABRIC_MEDIUM_CROSSBAR
                    : GM_FABRIC_CROSSBAR;
}

/* Returns the slots of the wheel: a packet holds its ports for at most `most` cycles, and its head
 * takes `latency` cycles. With a speedup a head has arrived at most `speedup` switch cycles for
 * each flit of the packet before it after that one's, and up to `speedup` more. */
static uint32_t wheel_slots(const gm_fabric_size *size)
{
    uint32_t longest = size->speedup == 1 ? size->most : (size->most + 1) * size->speedup;
    return gm_wheel_slots(longest > size->latency ? longest : size->latency);
}

/* Returns the words of a set of `bits` ports or outputs: in a crossbar two at least, so that a
 * medium one's sets have one size. */
static uint32_t set_words(const gm_fabric_size *size, uint32_t bits)
{
    uint32_t words = gm_bitset_words(bits);
    return size->routers == 1 && words < 2 ? 2 : words;
}

/* Returns the buffers behind an output that can have no room apart: ejection buffers of each class,
 * or virtual channels of the next router. */
static uint32_t rows_of(const gm_fabric_size *size)
{
    return size->routers == 1 || size->classes > size->channels ? size->classes : size->channels;
}

/* Returns the ring of heads that have not arrived: at most one for each virtual channel. */
static gm_ring fresh_ring(const gm_fabric_size *size)
{
    return gm_ring_make(size->ports * size->channels);
}

size_t gm_fabric_bytes(const gm_fabric_size *size)
{
    size_t channels = (size_t)size->ports * size->channels;
    size_t slots = wheel_slots(size);
    return size->ports * (sizeof(gm_fabric_port_wire) + sizeof(gm_fabric_port) + sizeof(gm_cycle)) +
           size->outputs *
               (sizeof(gm_fabric_output_wire) + sizeof(gm_fabric_output) + sizeof(gm_cycle)) +
           (size->senders + (size_t)size->routers * size->receivers) * sizeof(uint32_t) +
           size->senders * sizeof(gm_fabric_refusal) +
           size->receivers * (sizeof(uint8_t) + 2 * sizeof(gm_cycle)) +
           size->ports * sizeof(gm_fabric_small_port) +
           size->outputs * sizeof(gm_fabric_small_output) + slots * sizeof(gm_fabric_small_slot) +
           gm_flit_buffers_bytes((uint32_t)channels, size->buffer, size->least) +
           gm_flit_buffers_bytes(size->receivers, size->ejection, size->least) +
           channels * sizeof(gm_fabric_channel) +
           gm_ring_places((uint32_t)channels) * sizeof(uint32_t) +
           (size_t)size->outputs * (1 + rows_of(size)) * set_words(size, size->most_ports) *
               sizeof(uint64_t) +
           slots * (3 * sizeof(uint32_t)) + slots / GM_BITSET_WORD * sizeof(uint64_t) +
           set_words(size, size->outputs) * sizeof(uint64_t) + size->ports * sizeof(uint32_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

static void empty(gm_fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->size.receivers; i++) {
        const gm_fabric_size *size = &fabric->size;
        uint32_t receiver = gm_fabric_of_class_0(i, fabric->receivers);
        fabric->arrival[i] = fabric->front[i] = GM_NEVER;
        fabric->channel_for[i] = (uint8_t)(receiver % (size->channels / size->networks));
    }
    for (uint32_t class = 0; class < fabric->size.classes; class ++) {
        uint32_t first = gm_fabric_first_channel(fabric, class);
        for (uint32_t i = 0; i < fabric->size.channels / fabric->size.networks; i++) {
            fabric->classes_of[first + i] |= (uint8_t)(1U << class);
        }
    }
    for (uint32_t i = 0; i < fabric->size.ports; i++) {
        for (uint32_t k = 0; k < fabric->size.channels; k++) {
            fabric->channel[i * fabric->size.channels + k].port = i;
        }
    }
    for (uint32_t i = 0; i < fabric->size.outputs; i++) {
        fabric->output[i].blocked = GM_NEVER;
    }
    for (uint32_t i = 0; i < fabric->wheel.slots; i++) {
        fabric->ports_at[i] = fabric->outputs_at[i] = fabric->channels_at[i] = GM_FABRIC_NONE;
    }
}

int gm_fabric_init(gm_fabric *fabric, const gm_fabric_size *size, gm_clock clock,
                   bool senders_first, gm_arena *arena, gm_error *error)
{
    uint32_t channels = size->ports * size->channels;
    uint32_t words = set_words(size, size->most_ports);
    uint32_t slots = wheel_slots(size);
    *fabric = (gm_fabric){
        .size = *size,
        .clock = gm_clock_make(clock.core.divisor, clock.own.divisor * size->speedup),
        .senders_first = senders_first,
        .instance = instance_of(size, slots),
        .senders = size->senders / size->classes,
        .receivers = size->receivers / size->classes,
        .rows = rows_of(size),
        .buffers = (uint32_t)gm_mask(rows_of(size)),
        .words = words,
        .marked_words = set_words(size, size->outputs),
        .wheel = {.due = gm_arena_take(arena, slots / GM_BITSET_WORD, sizeof(uint64_t)),
                  .slots = slots},
        .fresh = fresh_ring(size),
        .port_wire = gm_arena_take(arena, size->ports, sizeof(gm_fabric_port_wire)),
        .output_wire = gm_arena_take(arena, size->outputs, sizeof(gm_fabric_output_wire)),
        .inject = gm_arena_take(arena, size->senders, sizeof(uint32_t)),
        .route = gm_arena_take(arena, (size_t)size->routers * size->receivers, sizeof(uint32_t)),
        .channel_for = gm_arena_take(arena, size->receivers, sizeof(uint8_t)),
        .refused = gm_arena_take(arena, size->senders, sizeof(gm_fabric_refusal)),
        .arrival = gm_arena_take(arena, size->receivers, sizeof(gm_cycle)),
        .front = gm_arena_take(arena, size->receivers, sizeof(gm_cycle)),
        .fed_from = gm_arena_take(arena, size->ports, sizeof(gm_cycle)),
        .link_from = gm_arena_take(arena, size->outputs, sizeof(gm_cycle)),
        .port = gm_arena_take(arena, size->ports, sizeof(gm_fabric_port)),
        .output = gm_arena_take(arena, size->outputs, sizeof(gm_fabric_output)),
        .channel = gm_arena_take(arena, channels, sizeof(gm_fabric_channel)),
        .requests = gm_arena_take(arena, (size_t)size->outputs * words, sizeof(uint64_t)),
        .requests_into =
            gm_arena_take(arena, (size_t)size->outputs * rows_of(size) * words, sizeof(uint64_t)),
        .ports_at = gm_arena_take(arena, slots, sizeof(uint32_t)),
        .outputs_at = gm_arena_take(arena, slots, sizeof(uint32_t)),
        .channels_at = gm_arena_take(arena, slots, sizeof(uint32_t)),
        .marked = gm_arena_take(arena, set_words(size, size->outputs), sizeof(uint64_t)),
        .offered = gm_arena_take(arena, size->ports, sizeof(uint32_t)),
        .fresh_channel = gm_arena_take(arena, gm_ring_places(channels), sizeof(uint32_t)),
        .small = {.idle = UINT64_MAX, .free = UINT64_MAX, .part = (1U << 16) / size->channels + 1},
        .small_port = gm_arena_take(arena, size->ports, sizeof(gm_fabric_small_port)),
        .small_output = gm_arena_take(arena, size->outputs, sizeof(gm_fabric_small_output)),
        .small_slot = gm_arena_take(arena, slots, sizeof(gm_fabric_small_slot)),
    };
    if (fabric->fresh_channel == NULL || fabric->small_slot == NULL || fabric->offered == NULL ||
        fabric->marked == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: an interconnect of %u ports", size->ports);
    }
    empty(fabric);
    int result = gm_flit_buffers_init(&fabric->channel_buffer, channels, size->buffer, size->least,
                                      arena, error);
    return result != 0 ? result
                       : gm_flit_buffers_init(&fabric->ejection_buffer, size->receivers,
                                              size->ejection, size->least, arena, error);
}

void gm_fabric_join(gm_fabric *fabric, uint32_t apart)
{
    fabric->apart = apart;
    fabric->joint = apart != fabric->size.classes;
    fabric->joined = fabric->size.classes / apart;
    for (uint32_t class = 0; class < fabric->size.classes; class ++) {
        fabric->taken[class] =
            (gm_fabric_taken){.first = class % apart * fabric->receivers, .place = class / apart};
    }
}

void gm_fabric_snapshot(gm_fabric *fabric, gm_snapshot *snapshot)
{
    const gm_fabric_size *size = &fabric->size;
    gm_flit_buffers_snapshot(&fabric->channel_buffer, snapshot);
    gm_flit_buffers_snapshot(&fabric->ejection_buffer, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->refused, size->senders);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->arrival, size->receivers);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->front, size->receivers);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->fed_from, size->ports);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->link_from, size->outputs);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->port, size->ports);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->output, size->outputs);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->channel, (size_t)size->ports * size->channels);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->requests, (size_t)size->outputs * fabric->words);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->requests_into,
                      (size_t)size->outputs * fabric->rows * fabric->words);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->ports_at, fabric->wheel.slots);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->outputs_at, fabric->wheel.slots);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->channels_at, fabric->wheel.slots);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->wheel.due, fabric->wheel.slots / GM_BITSET_WORD);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->marked, fabric->marked_words);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->fresh_channel, gm_ring_places(fabric->fresh.capacity));
    GM_SNAPSHOT_VALUE(snapshot, fabric->fresh);
    GM_SNAPSHOT_VALUE(snapshot, fabric->small);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->small_port, size->ports);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->small_output, size->outputs);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->small_slot, fabric->wheel.slots);
    GM_SNAPSHOT_VALUE(snapshot, fabric->statistics);
}
