/* Routers, links and buffers: how their state is made, saved, and checked. */
#include "cycle/noc/fabric.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 20 };

static uint32_t words_of(uint32_t bits)
{
    return (bits + 63) / 64;
}

/* A packet holds its ports for at most `most` cycles, and its head takes `latency`. */
static uint32_t wheel_of(const gm_fabric_size *size)
{
    uint32_t longest = size->most > size->latency ? size->most : size->latency;
    return longest < 64 ? 64 : 1U << gm_log2_ceil((uint64_t)longest + 1);
}

/* Places of the queue `fresh`. */
static uint32_t fresh_of(const gm_fabric_size *size)
{
    return 1U << gm_log2_ceil((uint64_t)size->ports * size->channels);
}

size_t gm_fabric_bytes(const gm_fabric_size *size)
{
    size_t channels = (size_t)size->ports * size->channels;
    size_t wheel = wheel_of(size);
    return size->ports * (sizeof(gm_fabric_port_wire) + sizeof(gm_fabric_port)) +
           size->outputs * (sizeof(gm_fabric_output_wire) + sizeof(gm_fabric_output)) +
           (size->senders + (size_t)size->routers * size->receivers) * sizeof(uint32_t) +
           size->senders * sizeof(bool) + size->receivers * (sizeof(uint8_t) + sizeof(gm_cycle)) +
           gm_flit_buffers_bytes((uint32_t)channels, size->buffer, size->least) +
           gm_flit_buffers_bytes(size->receivers, size->ejection, size->least) +
           channels * sizeof(gm_fabric_channel) + fresh_of(size) * sizeof(uint32_t) +
           (size_t)size->outputs * words_of(size->most_ports) * sizeof(uint64_t) +
           wheel * 3 * sizeof(uint32_t) + wheel / 64 * sizeof(uint64_t) +
           words_of(size->outputs) * sizeof(uint64_t) + size->ports * sizeof(uint32_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

static void empty(gm_fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->size.receivers; i++) {
        fabric->arrival[i] = GM_NEVER;
        fabric->channel_for[i] = (uint8_t)(i % fabric->size.channels);
    }
    for (uint32_t i = 0; i < fabric->size.ports; i++) {
        for (uint32_t k = 0; k < fabric->size.channels; k++) {
            fabric->channel[i * fabric->size.channels + k].port = i;
        }
    }
    for (uint32_t i = 0; i < fabric->size.outputs; i++) {
        fabric->output[i].blocked = GM_NEVER;
    }
    for (uint32_t i = 0; i < fabric->wheel_size; i++) {
        fabric->ports_at[i] = fabric->outputs_at[i] = fabric->channels_at[i] = GM_FABRIC_NONE;
    }
}

int gm_fabric_init(gm_fabric *fabric, const gm_fabric_size *size, gm_clock clock,
                   bool senders_first, gm_arena *arena, gm_error *error)
{
    uint32_t channels = size->ports * size->channels;
    uint32_t words = words_of(size->most_ports);
    uint32_t wheel = wheel_of(size);
    *fabric = (gm_fabric){
        .size = *size,
        .clock = clock,
        .senders_first = senders_first,
        .plain = size->routers == 1 && size->channels == 1 && size->ports < 64 &&
                 size->outputs <= 64 && wheel == 64,
        .words = words,
        .marked_words = words_of(size->outputs),
        .fresh_mask = fresh_of(size) - 1,
        .wheel_size = wheel,
        .port_wire = gm_arena_take(arena, size->ports, sizeof(gm_fabric_port_wire)),
        .output_wire = gm_arena_take(arena, size->outputs, sizeof(gm_fabric_output_wire)),
        .inject = gm_arena_take(arena, size->senders, sizeof(uint32_t)),
        .route = gm_arena_take(arena, (size_t)size->routers * size->receivers, sizeof(uint32_t)),
        .channel_for = gm_arena_take(arena, size->receivers, sizeof(uint8_t)),
        .refused = gm_arena_take(arena, size->senders, sizeof(bool)),
        .arrival = gm_arena_take(arena, size->receivers, sizeof(gm_cycle)),
        .port = gm_arena_take(arena, size->ports, sizeof(gm_fabric_port)),
        .output = gm_arena_take(arena, size->outputs, sizeof(gm_fabric_output)),
        .channel = gm_arena_take(arena, channels, sizeof(gm_fabric_channel)),
        .requests = gm_arena_take(arena, (size_t)size->outputs * words, sizeof(uint64_t)),
        .ports_at = gm_arena_take(arena, wheel, sizeof(uint32_t)),
        .outputs_at = gm_arena_take(arena, wheel, sizeof(uint32_t)),
        .channels_at = gm_arena_take(arena, wheel, sizeof(uint32_t)),
        .due = gm_arena_take(arena, wheel / 64, sizeof(uint64_t)),
        .marked = gm_arena_take(arena, words_of(size->outputs), sizeof(uint64_t)),
        .offered = gm_arena_take(arena, size->ports, sizeof(uint32_t)),
        .fresh = gm_arena_take(arena, fresh_of(size), sizeof(uint32_t)),
    };
    if (fabric->fresh == NULL || fabric->offered == NULL || fabric->marked == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: an interconnect of %u ports", size->ports);
    }
    empty(fabric);
    int result = gm_flit_buffers_init(&fabric->channel_buffer, channels, size->buffer, size->least,
                                      arena, error);
    return result != 0 ? result
                       : gm_flit_buffers_init(&fabric->ejection_buffer, size->receivers,
                                              size->ejection, size->least, arena, error);
}

void gm_fabric_snapshot(gm_fabric *fabric, gm_snapshot *snapshot)
{
    const gm_fabric_size *size = &fabric->size;
    gm_flit_buffers_snapshot(&fabric->channel_buffer, snapshot);
    gm_flit_buffers_snapshot(&fabric->ejection_buffer, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->refused, size->senders);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->arrival, size->receivers);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->port, size->ports);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->output, size->outputs);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->channel, (size_t)size->ports * size->channels);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->requests, (size_t)size->outputs * fabric->words);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->ports_at, fabric->wheel_size);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->outputs_at, fabric->wheel_size);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->channels_at, fabric->wheel_size);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->due, fabric->wheel_size / 64);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->marked, fabric->marked_words);
    GM_SNAPSHOT_ARRAY(snapshot, fabric->fresh, fresh_of(size));
    GM_SNAPSHOT_VALUE(snapshot, fabric->fresh_first);
    GM_SNAPSHOT_VALUE(snapshot, fabric->fresh_end);
    GM_SNAPSHOT_VALUE(snapshot, fabric->statistics);
}

static int law(const char *name, const char *text, uint64_t left, uint64_t right, gm_error *error)
{
    return left == right ? 0
                         : gm_fail(error, -EPROTO, "%s: %s: %" PRIu64 " and %" PRIu64, name, text,
                                   left, right);
}

static uint64_t packets_in(const gm_flit_buffers *buffers)
{
    uint64_t packets = 0;
    for (uint32_t i = 0; i < buffers->buffers; i++) {
        packets += buffers->ring[i].count;
    }
    return packets;
}

/* Inputs that ask for an output, over all outputs. */
static uint64_t waiting(const gm_fabric *fabric)
{
    uint64_t inputs = 0;
    for (size_t i = 0; i < (size_t)fabric->size.outputs * fabric->words; i++) {
        inputs += gm_count_ones(fabric->requests[i]);
    }
    return inputs;
}

int gm_fabric_check(const gm_fabric *fabric, const char *name, gm_error *error)
{
    const gm_fabric_statistics *s = &fabric->statistics;
    const struct {
        const char *text;
        uint64_t left, right;
    } laws[] = {
        {"packets in input buffers = 0", packets_in(&fabric->channel_buffer), 0},
        {"packets in ejection buffers = 0", packets_in(&fabric->ejection_buffer), 0},
        {"inputs that wait for an output = 0", waiting(fabric), 0},
        {"packets sent = taken", s->sent, s->taken},
        {"flits sent = taken", s->sent_flits, s->taken_flits},
    };
    int result = 0;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0] && result == 0; i++) {
        result = law(name, laws[i].text, laws[i].left, laws[i].right, error);
    }
    return result;
}

int gm_fabric_check_running(const gm_fabric *fabric, const char *name, gm_error *error)
{
    uint64_t inside = packets_in(&fabric->channel_buffer) + packets_in(&fabric->ejection_buffer);
    return law(name, "packets sent = taken + in buffers", fabric->statistics.sent,
               fabric->statistics.taken + inside, error);
}

static const gm_flit_packet *oldest_of(const gm_flit_buffers *buffers, uint32_t *buffer,
                                       gm_cycle than)
{
    const gm_flit_packet *oldest = NULL;
    for (uint32_t i = 0; i < buffers->buffers; i++) {
        const gm_flit_packet *head = gm_flit_buffer_head(buffers, i);
        if (head != NULL && head->sent < than) {
            oldest = head;
            than = head->sent;
            *buffer = i;
        }
    }
    return oldest;
}

gm_cycle gm_fabric_oldest(const gm_fabric *fabric, const char *name, char *text, size_t size)
{
    static const char *const kinds[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "read",
        [GM_MESSAGE_WRITE] = "write",
        [GM_MESSAGE_WRITE_BACK] = "write-back",
        [GM_MESSAGE_ATOMIC] = "atomic",
        [GM_MESSAGE_REDUCTION] = "reduction",
    };
    uint32_t at = 0;
    const gm_flit_packet *ejected = oldest_of(&fabric->ejection_buffer, &at, GM_NEVER);
    const gm_flit_packet *inside =
        oldest_of(&fabric->channel_buffer, &at, ejected != NULL ? ejected->sent : GM_NEVER);
    const gm_flit_packet *oldest = inside != NULL ? inside : ejected;
    if (oldest == NULL) {
        return GM_NEVER;
    }
    const gm_packet *packet = &oldest->packet;
    const char *kind = packet->kind < GM_MESSAGE_KINDS ? kinds[packet->kind] : NULL;
    char where[64];
    if (inside != NULL) {
        (void)snprintf(where, sizeof where, "channel %u of input %u", at % fabric->size.channels,
                       at / fabric->size.channels);
    } else {
        (void)snprintf(where, sizeof where, "the buffer in front of receiver %u", oldest->receiver);
    }
    (void)snprintf(text, size,
                   "%s %s of SM %u, L2 bank %u, line 0x%" PRIx64 " (id %u), in %s of the %s",
                   kind != NULL ? kind : "packet", packet->response ? "response" : "request",
                   packet->sm, packet->bank, packet->line, packet->id, where, name);
    return oldest->sent;
}
