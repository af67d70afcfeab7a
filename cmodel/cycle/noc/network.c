/* Interconnect of the timed engine: one direction, over either topology; its parameters and
 * invariants. */
#include "cycle/noc/network.h"

#include "cache/cache.h"
#include "cycle/noc/crossbar.h"
#include "cycle/noc/mesh.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PORTS = 65536, CHANNELS = GM_FABRIC_CHANNELS, SPEEDUP = 4, LARGEST = 65536 };

/* Adds the message classes of a protocol with a directory, in `networks` virtual networks of both
 * directions. Acknowledgements get the first one of their own: beside requests they could wait for
 * requests that wait for them. Then invalidations get one, then MESI's write-backs and UNBLOCKs. */
static void add_classes(gm_network_parameters *p, uint32_t networks)
{
    bool requests = p->direction == GM_NETWORK_REQUESTS;
    bool apart = networks > (requests ? 2 : 3);
    if (p->direction == GM_NETWORK_PEERS) {
        return;
    }
    if (requests && networks == GM_MESI_NETWORKS) {
        p->classes = p->networks = GM_NETWORK_CLASSES;
        for (unsigned class = 0; class < GM_NETWORK_CLASSES; class ++) {
            p->network_of[class] = (uint8_t) class;
        }
        return;
    }
    p->classes = 2;
    p->networks = apart ? 2 : 1;
    p->network_of[requests ? GM_CLASS_ACKNOWLEDGE : GM_CLASS_FORWARD] = apart;
}

gm_network_parameters gm_network_parameters_of(const gm_config *config,
                                               gm_network_direction direction)
{
    uint32_t sms = (uint32_t)config->gpu.sms;
    uint32_t banks = (uint32_t)(config->memory.partitions * config->memory.banks);
    bool peers = direction == GM_NETWORK_PEERS;
    gm_network_parameters p = {
        .topology = peers ? GM_TOPOLOGY_CROSSBAR : config->noc.topology,
        .direction = direction,
        .inputs = direction == GM_NETWORK_REPLIES ? banks : sms,
        .outputs = direction == GM_NETWORK_REQUESTS ? banks : sms,
        .shared = peers ? 1 : (uint32_t)config->memory.banks,
        .flit = (uint32_t)config->noc.flit,
        .header = (uint32_t)config->noc.header,
        .latency = (uint32_t)config->noc.latency,
        .speedup = (uint32_t)config->noc.speedup,
        .allocation = (uint32_t)config->noc.allocation,
        .series = config->noc.arbitration == GM_ARBITRATE_SERIES,
        .channels = (uint32_t)config->noc.channels,
        .classes = 1,
        .networks = 1,
        .buffer = (uint32_t)config->noc.buffer,
        .ejection = (uint32_t)config->noc.ejection,
        .clock = gm_clock_make(config->clock.core, config->clock.noc),
    };
    if (config->noc.networks != 0 && gm_coherence_networks(config->coherence.protocol) > 2) {
        add_classes(&p, (uint32_t)config->noc.networks);
    }
    return p;
}

/* Returns the number of flits of a packet with `sectors` sectors of data. */
static uint32_t flits_of(const gm_network_parameters *p, uint32_t sectors)
{
    return (p->header + sectors * GM_SECTOR + p->flit - 1) / p->flit;
}

static gm_fabric_size size_of(const gm_network_parameters *p)
{
    gm_fabric_size size = {
        .classes = p->classes,
        .senders = p->inputs * p->classes,
        .receivers = p->outputs * p->classes,
        .channels = p->channels * p->networks,
        .networks = p->networks,
        .buffer = p->buffer,
        .ejection = p->ejection,
        .latency = p->latency,
        .speedup = p->speedup,
        .allocation = p->allocation,
        .series = p->series,
        .least = flits_of(p, 0),
        .most = flits_of(p, GM_PACKET_SECTORS),
    };
    memcpy(size.network_of, p->network_of, sizeof size.network_of);
    switch (p->topology) {
    case GM_TOPOLOGY_CROSSBAR:
        gm_crossbar_size(p, &size);
        break;
    case GM_TOPOLOGY_MESH:
        gm_mesh_size(p, &size);
        break;
    }
    return size;
}

size_t gm_network_bytes(const gm_network_parameters *parameters)
{
    gm_fabric_size size = size_of(parameters);
    return gm_fabric_bytes(&size);
}

static int check_parameters(const gm_network_parameters *p, gm_error *error)
{
    const struct {
        const char *name;
        uint32_t value, high;
    } ranges[] = {
        {"inputs", p->inputs, PORTS},
        {"outputs", p->outputs, PORTS},
        {"flit", p->flit, LARGEST},
        {"header", p->header, LARGEST},
        {"latency", p->latency, LARGEST},
        {"speedup", p->speedup, SPEEDUP},
        {"channels", p->channels, CHANNELS},
        {"buffer", p->buffer, LARGEST},
        {"ejection", p->ejection, LARGEST},
        {"classes", p->classes, GM_NETWORK_CLASSES},
        {"virtual networks", p->networks, p->classes},
        {"channels of all virtual networks", p->channels * p->networks, CHANNELS},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value == 0 || ranges[i].value > ranges[i].high) {
            return gm_fail(error, -EINVAL, "interconnect: %s: %u: 1 to %u are possible",
                           ranges[i].name, ranges[i].value, ranges[i].high);
        }
    }
    bool one = p->topology == GM_TOPOLOGY_CROSSBAR && p->channels == 1 && p->classes == 1;
    if ((p->speedup != 1 || p->series) && (!one || (p->speedup != 1 && p->series))) {
        return gm_fail(
            error, -EINVAL,
            "interconnect: speedup: %u, series: %d: one of them only, in a crossbar of one "
            "virtual channel and one class of messages",
            p->speedup, p->series);
    }
    uint32_t banks = p->direction == GM_NETWORK_REQUESTS ? p->outputs : p->inputs;
    if (p->shared == 0 || banks % p->shared != 0) {
        return gm_fail(error, -EINVAL, "interconnect: shared: %u: must divide the %u L2 banks",
                       p->shared, banks);
    }
    return 0;
}

/* SMs take all replies by one number. L2 banks take write-backs by that of requests, and UNBLOCKs
 * by that of acknowledgements, where those have classes of their own. */
static uint32_t classes_apart(const gm_network_parameters *p)
{
    bool all = p->classes == GM_NETWORK_CLASSES;
    return p->direction == GM_NETWORK_REPLIES           ? 1
           : p->direction == GM_NETWORK_REQUESTS && all ? GM_CLASS_WRITE_BACK
                                                        : p->classes;
}

int gm_network_init(gm_network *network, const gm_network_parameters *parameters, gm_arena *arena,
                    gm_error *error)
{
    int result = check_parameters(parameters, error);
    if (result != 0) {
        return result;
    }
    *network = (gm_network){.parameters = *parameters};
    for (uint32_t sectors = 0; sectors <= GM_PACKET_SECTORS; sectors++) {
        network->flits[sectors] = flits_of(parameters, sectors);
    }
    gm_fabric_size size = size_of(parameters);
    result = gm_fabric_init(&network->fabric, &size, parameters->clock,
                            parameters->direction == GM_NETWORK_REPLIES, arena, error);
    if (result != 0) {
        return result;
    }
    gm_fabric_join(&network->fabric, classes_apart(parameters));
    switch (parameters->topology) {
    case GM_TOPOLOGY_CROSSBAR:
        gm_crossbar_wire(&network->fabric);
        break;
    case GM_TOPOLOGY_MESH:
        gm_mesh_wire(parameters, &network->fabric);
        break;
    }
    return 0;
}

void gm_network_connect(gm_network *network, gm_cycle *sender_wake, gm_cycle *receiver_wake,
                        gm_cycle *wake)
{
    network->fabric.sender_wake = sender_wake;
    network->fabric.receiver_wake = receiver_wake;
    network->fabric.wake = wake;
}

bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    const gm_fabric *fabric = &network->fabric;
    uint32_t channel =
        gm_fabric_entry(fabric, input, gm_network_output_from(network, input, packet));
    return gm_flit_buffer_room(&fabric->channel_buffer, channel, gm_network_flits(network, packet));
}

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    const gm_fabric *fabric = &network->fabric;
    return gm_fabric_has_room(fabric, input, gm_network_output_from(network, input, packet),
                              gm_network_flits(network, packet));
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    return network->fabric.refused[input].flits != 0;
}

void gm_network_add(const gm_network *network, gm_time_statistics *time)
{
    switch (network->parameters.direction) {
    case GM_NETWORK_REQUESTS:
        time->request_flits += network->fabric.statistics.sent_flits;
        break;
    case GM_NETWORK_REPLIES:
        time->reply_flits += network->fabric.statistics.sent_flits;
        break;
    case GM_NETWORK_PEERS:
        break;
    }
}

void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    gm_fabric_send(&network->fabric, input, gm_network_output_from(network, input, packet),
                   gm_network_flits(network, packet), packet, now);
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    gm_fabric *fabric = &network->fabric;
    uint32_t receiver = gm_network_output_from(network, input, packet);
    uint32_t flits = gm_network_flits(network, packet);
    bool room = gm_fabric_has_room(fabric, input, receiver, flits);
    if (room) {
        gm_fabric_send(fabric, input, receiver, flits, packet, now);
    }
    return room;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    return network->fabric.arrival[output];
}

const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output)
{
    return &network->fabric.arrival[output];
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    const gm_fabric *fabric = &network->fabric;
    if (fabric->arrival[output] > now) {
        return NULL;
    }
    uint32_t next = fabric->joint ? gm_fabric_next(fabric, output, now) : output;
    return &gm_flit_buffer_first(&fabric->ejection_buffer, next)->packet;
}

void gm_network_foresee(const gm_network *network, uint32_t input)
{
    const gm_flit_buffers *buffers = &network->fabric.channel_buffer;
    if (network->fabric.size.channels == 1) {
        const gm_flit_ring *ring = &buffers->ring[gm_fabric_entry(&network->fabric, input, 0)];
        uint32_t next = gm_ring_span_place(&ring->packets, buffers->mask, ring->packets.count);
        gm_prefetch(&buffers->slot[ring->base + next]);
    }
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    gm_fabric *fabric = &network->fabric;
    gm_fabric_pop(fabric, fabric->joint ? gm_fabric_next(fabric, output, now) : output, now);
}

void gm_network_step(gm_network *network, gm_cycle now)
{
    gm_fabric_step(&network->fabric, now);
}

static const char *name_of(const gm_network *network)
{
    switch (network->parameters.direction) {
    case GM_NETWORK_REQUESTS:
        return "request network";
    case GM_NETWORK_PEERS:
        return "network of peers";
    case GM_NETWORK_REPLIES:
        break;
    }
    return "reply network";
}

static int equal(const char *name, const char *text, uint64_t left, uint64_t right, gm_error *error)
{
    return left == right ? 0
                         : gm_fail(error, -EPROTO, "%s: %s: %" PRIu64 " and %" PRIu64, name, text,
                                   left, right);
}

static uint64_t packets_in(const gm_flit_buffers *buffers)
{
    uint64_t packets = 0;
    for (uint32_t i = 0; i < buffers->buffers; i++) {
        packets += buffers->ring[i].packets.count;
    }
    return packets;
}

/* Returns the number of requests of inputs, over all outputs. */
static uint64_t waiting(const gm_fabric *fabric)
{
    uint64_t inputs = 0;
    for (size_t i = 0; i < (size_t)fabric->size.outputs * fabric->words; i++) {
        inputs += gm_count_ones(fabric->requests[i]);
    }
    for (uint32_t i = 0; i < fabric->size.outputs; i++) {
        inputs += gm_count_ones(fabric->small_output[i].requests);
    }
    return inputs;
}

static int check_empty(const gm_fabric *fabric, const char *name, gm_error *error)
{
    const gm_fabric_statistics *s = &fabric->statistics;
    const struct {
        const char *text;
        uint64_t left, right;
    } invariants[] = {
        {"packets in input buffers = 0", packets_in(&fabric->channel_buffer), 0},
        {"packets in ejection buffers = 0", packets_in(&fabric->ejection_buffer), 0},
        {"inputs that wait for an output = 0", waiting(fabric), 0},
        {"packets sent = taken", s->sent, s->taken},
        {"flits sent = taken", s->sent_flits, s->taken_flits},
    };
    int result = 0;
    for (size_t i = 0; i < sizeof invariants / sizeof invariants[0] && result == 0; i++) {
        result = equal(name, invariants[i].text, invariants[i].left, invariants[i].right, error);
    }
    return result;
}

static int check_packets(const gm_fabric *fabric, const char *name, gm_error *error)
{
    uint64_t inside = packets_in(&fabric->channel_buffer) + packets_in(&fabric->ejection_buffer);
    return equal(name, "packets sent = taken + in buffers", fabric->statistics.sent,
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

static gm_cycle oldest_packet(const gm_fabric *fabric, const char *name, char *text, size_t size)
{
    static const char *const kinds[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "read",
        [GM_MESSAGE_WRITE] = "write",
        [GM_MESSAGE_WRITE_BACK] = "write-back",
        [GM_MESSAGE_ATOMIC] = "atomic",
        [GM_MESSAGE_REDUCTION] = "reduction",
        [GM_MESSAGE_INSTRUCTION] = "instruction fetch",
        [GM_MESSAGE_LOOKUP] = "look-up",
        [GM_MESSAGE_FILL] = "fill notice",
        [GM_MESSAGE_EVICT] = "evict notice",
        [GM_MESSAGE_SUPPLY] = "supply",
        [GM_MESSAGE_SUPPLIED] = "supplied data",
        [GM_MESSAGE_RETURN] = "return",
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

int gm_network_check(const gm_network *network, gm_error *error)
{
    return check_empty(&network->fabric, name_of(network), error);
}

int gm_network_check_running(const gm_network *network, gm_error *error)
{
    return check_packets(&network->fabric, name_of(network), error);
}

gm_cycle gm_network_oldest(const gm_network *network, char *text, size_t size)
{
    return oldest_packet(&network->fabric, name_of(network), text, size);
}

void gm_network_snapshot(gm_network *network, gm_snapshot *snapshot)
{
    gm_fabric_snapshot(&network->fabric, snapshot);
}
