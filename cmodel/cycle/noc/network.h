/* Interconnect of the cycle engine, one direction: SMs to L2 banks (requests), or back (replies).
 * 32-byte flits over one crossbar for each direction at 1400 MHz [khairy, Table 1], 8-flit buffers
 * for each virtual channel [singh, Table 4]; or a 2D mesh with channels of 32 bytes [tabbakh,
 * Table I]. docs/interconnect.md has the rules.
 *
 * A packet of B bytes is ceil(B / flit) flits. Each port moves one flit in an interconnect cycle. A
 * packet sent in core cycle c can be granted an output from interconnect cycle g =
 * gm_clock_first(c + 1); a lone one of F flits is there in interconnect cycle g + latency + F - 2
 * (crossbar: with equal clocks c + latency + F - 1), and the receiver sees it in the core cycle to
 * which that belongs, but not before the core cycle after its grant.
 * Packets of one sender for one receiver arrive in the order sent. */
#ifndef GOLDMEM_CYCLE_NOC_NETWORK_H
#define GOLDMEM_CYCLE_NOC_NETWORK_H

#include "cycle/noc/fabric.h"
#include "goldmem/config.h"

/* What the engine visits in a core cycle: L2 banks, reply network, request network, SMs. */
typedef enum gm_network_direction {
    GM_NETWORK_REQUESTS, /* input: SM; output: L2 bank */
    GM_NETWORK_REPLIES,  /* input: L2 bank; output: SM */
} gm_network_direction;

typedef struct gm_network_parameters {
    gm_topology topology;
    gm_network_direction direction;
    uint32_t inputs, outputs;
    uint32_t shared;  /* L2 banks of a partition: they share a node of the mesh */
    uint32_t flit;    /* bytes */
    uint32_t header;  /* bytes */
    uint32_t latency; /* interconnect cycles: crossbar, or router and link */
    uint32_t channels;
    uint32_t buffer;   /* flits of a virtual channel of a router's input */
    uint32_t ejection; /* flits of the buffer in front of an output's receiver */
    gm_clock clock;    /* the interconnect's */
} gm_network_parameters;

typedef struct gm_network {
    gm_network_parameters parameters;
    uint32_t flits[GM_PACKET_SECTORS + 1]; /* of a packet with data of so many sectors */
    gm_fabric fabric;
} gm_network;

/* What a configuration says of one direction. */
gm_network_parameters gm_network_parameters_of(const gm_config *config,
                                               gm_network_direction direction);

/* Bytes of arena that gm_network_init takes. */
size_t gm_network_bytes(const gm_network_parameters *parameters);

/* -EINVAL names the parameter: inputs, outputs 1 to 65536; shared divides the number of banks;
 * flit, header 1 to 65536 bytes; latency, buffer, ejection 1 to 65536; channels 1 to 16.
 * -ENOMEM. */
int gm_network_init(gm_network *network, const gm_network_parameters *parameters, gm_arena *arena,
                    gm_error *error);

/* After init: the wakes to lower, of the senders [inputs], the receivers [outputs], and its own.
 * They stay the caller's; each may be NULL. */
void gm_network_connect(gm_network *network, gm_cycle *sender_wake, gm_cycle *receiver_wake,
                        gm_cycle *wake);

/* Flits of a packet. */
static inline uint32_t gm_network_flits(const gm_network *network, const gm_packet *packet)
{
    return network->flits[gm_packet_data(packet)];
}

static inline uint32_t gm_network_receiver(const gm_network *network, const gm_packet *packet)
{
    return network->parameters.direction == GM_NETWORK_REQUESTS ? packet->bank : packet->sm;
}

/* The questions that every visit asks are functions of network.c, which tests replace by those of
 * a memory that is not there; optimisation at link time takes them in line. */

/* Can `input` send this packet now? When not: the input's wake is lowered when there may be room.
 */
bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet);

/* Had the packet that `input` asked for last no room, and has none been given back since? */
bool gm_network_refuses(const gm_network *network, uint32_t input);

/* There is room. */
void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now);

/* Both of them: sends the packet if there is room; whether there was. */
bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now);

/* The core cycle from which a receiver can take the oldest packet in front of it; GM_NEVER: there
 * is none. Its wake was lowered to that once; a receiver that is visited before sees to the rest.
 */
gm_cycle gm_network_arrival(const gm_network *network, uint32_t output);

/* Where it is kept, from init on. */
const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output);

/* The oldest packet in front of a receiver that has arrived by `now`, or NULL; valid until the next
 * call that is not const. */
const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now);

/* Takes it, and lowers the receiver's wake to the arrival of the next, at least now + 1. */
void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now);

/* All interconnect cycles that belong to core cycle `now`. */
void gm_network_step(gm_network *network, gm_cycle now);

/* Adds the flits sent so far to request_flits or reply_flits. */
void gm_network_add(const gm_network *network, gm_time_statistics *time);

/* Has every packet been taken? */
static inline bool gm_network_idle(const gm_network *network)
{
    return network->fabric.statistics.sent == network->fabric.statistics.taken;
}

/* At the end of a kernel: nothing is in the network, and every packet and flit sent was taken.
 * -EPROTO names the law and both values. */
int gm_network_check(const gm_network *network, gm_error *error);

/* What holds after any cycle: each packet sent is in the network, or has been taken. -EPROTO. */
int gm_network_check_running(const gm_network *network, gm_error *error);

/* The core cycle in which the oldest packet within was sent, and what it is and where it waits;
 * GM_NEVER: empty. */
gm_cycle gm_network_oldest(const gm_network *network, char *text, size_t size);

void gm_network_snapshot(gm_network *network, gm_snapshot *snapshot);

#endif
