/* Stands in for all networks of a machine: each packet takes a random time, and packets overtake
 * one another, but not those of one sender and one L1 line for one receiver. The functions of
 * cycle/noc/network.h; there is always room. Include it in one file of a test program; the
 * library's networks are then not linked. One machine at a time. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_DELAY_NETWORK_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_DELAY_NETWORK_H

#include "cycle/noc/network.h"
#include "support/support.h"

#include <string.h>

enum { DELAY_DIRECTIONS = 3, DELAY_PORTS = 16, DELAY_PACKETS = 1 << 13 };

typedef struct delay_packet {
    gm_packet packet;
    gm_cycle at;
    uint64_t order; /* of those sent to the receiver */
    uint32_t input;
} delay_packet;

typedef struct delay_port {
    delay_packet packet[DELAY_PACKETS]; /* in no order */
    uint32_t count;
    uint64_t sent;
    gm_cycle arrival;
} delay_port;

static struct {
    delay_port port[DELAY_DIRECTIONS][DELAY_PORTS];
    gm_cycle *wake[DELAY_DIRECTIONS];                                     /* of the receivers */
    gm_cycle *sender_wake[DELAY_DIRECTIONS], *own_wake[DELAY_DIRECTIONS]; /* never lowered */
    uint64_t random;
    uint64_t most;      /* cycles that a packet may take */
    unsigned part_bits; /* log2 of the L2 lines of an L1 line */
    bool breaks_fifo;   /* packets of one line overtake one another, too */
    uint64_t overtaken;
} delays;

static inline delay_port *delay_port_of(const gm_network *network, uint32_t output)
{
    assert_true(output < DELAY_PORTS);
    return &delays.port[network->parameters.direction][output];
}

/* The index of the packet that arrives first; `count`: there is none. */
static inline uint32_t delay_first(const delay_port *port)
{
    uint32_t first = port->count;
    for (uint32_t i = 0; i < port->count; i++) {
        const delay_packet *a = &port->packet[i];
        const delay_packet *b = &port->packet[first];
        if (first == port->count || a->at < b->at || (a->at == b->at && a->order < b->order)) {
            first = i;
        }
    }
    return first;
}

static inline void delay_settle(delay_port *port)
{
    uint32_t first = delay_first(port);
    port->arrival = first == port->count ? GM_NEVER : port->packet[first].at;
}

/* Returns the first cycle in which a packet may arrive: not before those of its line. */
static inline gm_cycle delay_not_before(const delay_port *port, uint32_t input, uint64_t line)
{
    gm_cycle least = 0;
    for (uint32_t i = 0; !delays.breaks_fifo && i < port->count; i++) {
        const delay_packet *other = &port->packet[i];
        if (other->input == input && other->packet.line >> delays.part_bits == line &&
            other->at > least) {
            least = other->at;
        }
    }
    return least;
}

gm_network_parameters gm_network_parameters_of(const gm_config *config,
                                               gm_network_direction direction)
{
    (void)config;
    return (gm_network_parameters){.direction = direction};
}

size_t gm_network_bytes(const gm_network_parameters *parameters)
{
    (void)parameters;
    return 0;
}

int gm_network_init(gm_network *network, const gm_network_parameters *parameters, gm_arena *arena,
                    gm_error *error)
{
    (void)arena;
    (void)error;
    *network = (gm_network){.parameters = *parameters};
    for (unsigned i = 0; i < DELAY_PORTS; i++) {
        delay_port *port = &delays.port[parameters->direction][i];
        port->count = 0;
        port->arrival = GM_NEVER;
    }
    return 0;
}

void gm_network_connect(gm_network *network, gm_cycle *sender_wake, gm_cycle *receiver_wake,
                        gm_cycle *wake)
{
    delays.sender_wake[network->parameters.direction] = sender_wake;
    delays.own_wake[network->parameters.direction] = wake;
    delays.wake[network->parameters.direction] = receiver_wake;
}

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    (void)network;
    (void)input;
    (void)packet;
    return true;
}

bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    return gm_network_has_room(network, input, packet);
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    (void)network;
    (void)input;
    return false;
}

void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    uint32_t output = gm_network_receiver(network, packet);
    delay_port *port = delay_port_of(network, output);
    assert_true(port->count < DELAY_PACKETS);
    delays.random = delays.random * UINT64_C(6364136223846793005) + 1442695040888963407;
    gm_cycle at = now + 1 + (delays.random >> 33) % delays.most;
    gm_cycle least = delay_not_before(port, input, packet->line >> delays.part_bits);
    at = at > least ? at : least;
    port->packet[port->count++] =
        (delay_packet){.packet = *packet, .at = at, .order = port->sent++, .input = input};
    network->fabric.statistics.sent++;
    delay_settle(port);
    gm_wake(&delays.wake[network->parameters.direction][output], at);
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    gm_network_send(network, input, packet, now);
    return true;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    return delay_port_of(network, output)->arrival;
}

const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output)
{
    return &delay_port_of(network, output)->arrival;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    const delay_port *port = delay_port_of(network, output);
    return port->arrival <= now ? &port->packet[delay_first(port)].packet : NULL;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    delay_port *port = delay_port_of(network, output);
    uint32_t first = delay_first(port);
    assert_true(first != port->count && port->packet[first].at <= now);
    for (uint32_t i = 0; i < port->count; i++) {
        delays.overtaken += port->packet[i].order < port->packet[first].order;
    }
    port->packet[first] = port->packet[--port->count];
    network->fabric.statistics.taken++;
    delay_settle(port);
    if (port->arrival != GM_NEVER) {
        gm_cycle at = port->arrival > now ? port->arrival : now + 1;
        gm_wake(&delays.wake[network->parameters.direction][output], at);
    }
}

void gm_network_step(gm_network *network, gm_cycle now)
{
    (void)network;
    (void)now;
}

void gm_network_add(const gm_network *network, gm_time_statistics *time)
{
    (void)network;
    (void)time;
}

int gm_network_check(const gm_network *network, gm_error *error)
{
    (void)error;
    assert_true(gm_network_idle(network));
    return 0;
}

int gm_network_check_running(const gm_network *network, gm_error *error)
{
    (void)network;
    (void)error;
    return 0;
}

gm_cycle gm_network_oldest(const gm_network *network, char *text, size_t size)
{
    (void)network;
    (void)snprintf(text, size, "a packet");
    return gm_network_idle(network) ? GM_NEVER : 0;
}

void gm_network_snapshot(gm_network *network, gm_snapshot *snapshot)
{
    (void)network;
    (void)snapshot;
}

#endif
