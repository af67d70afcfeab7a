/* Interconnect of the cycle engine, one direction: SMs to L2 banks (requests), or back (replies);
 * with sharing trackers also SMs to SMs (peers), a crossbar.
 * 32-byte flits over one crossbar for each direction at 1400 MHz [khairy, Table 1], 8-flit buffers
 * for each virtual channel [singh, Table 4]; or a 2D mesh with channels of 32 bytes [tabbakh,
 * Table I]. docs/interconnect.md has the rules.
 *
 * A packet of B bytes is ceil(B / flit) flits. Each port moves one flit in an interconnect cycle. A
 * packet sent in core cycle c can be granted an output from interconnect cycle g =
 * gm_clock_first(c + 1); without contention a packet of F flits has arrived in interconnect cycle
 * g + latency + F - 2 (crossbar: with equal clocks c + latency + F - 1), and the receiver sees it
 * in the core cycle to which that cycle belongs, but not before the core cycle after its grant.
 * Packets of one sender for one receiver arrive in the order sent. */
#ifndef GOLDMEM_CYCLE_NOC_NETWORK_H
#define GOLDMEM_CYCLE_NOC_NETWORK_H

#include "cycle/noc/fabric.h"
#include "goldmem/config.h"

/* In a core cycle the engine visits L2 banks, reply network, request network, the network of peers
 * and SMs, in this order. */
typedef enum gm_network_direction {
    GM_NETWORK_REQUESTS, /* input: SM; output: L2 bank */
    GM_NETWORK_REPLIES,  /* input: L2 bank; output: SM */
    GM_NETWORK_PEERS,    /* input: SM; output: SM */
} gm_network_direction;

/* Classes of messages [singh, 4]: of requests, and of replies. */
enum gm_network_class {
    GM_CLASS_REQUEST,      /* to an L2 bank */
    GM_CLASS_ACKNOWLEDGE,  /* of an invalidation or recall; an owner's data */
    GM_CLASS_WRITE_BACK,   /* of an owner */
    GM_CLASS_UNBLOCK,      /* of a new owner */
    GM_CLASS_RESPONSE = 0, /* to an SM */
    GM_CLASS_FORWARD,      /* invalidation, recall, request for an owner's line */
    GM_NETWORK_CLASSES = GM_FABRIC_CLASSES,
};

typedef struct gm_network_parameters {
    gm_topology topology;
    gm_network_direction direction;
    uint32_t inputs, outputs;
    uint32_t shared;     /* L2 banks of a partition: they share a node of the mesh */
    uint32_t flit;       /* bytes */
    uint32_t header;     /* bytes */
    uint32_t latency;    /* interconnect cycles: crossbar, or router and link */
    uint32_t speedup;    /* flits that a crossbar's switch moves from an input, and to an output, in
                            an interconnect cycle */
    uint32_t allocation; /* with a speedup: 0 or 1 cycle of the switch that a packet holds its input
                            and output beyond its flits */
    bool series;         /* a crossbar's outputs arbitrate in series */
    uint32_t channels;   /* of a virtual network */
    uint32_t classes;    /* of messages, each with ejection buffers of its own */
    uint32_t networks;   /* virtual networks, each with virtual channels of its own, which share the
                            width of ports and links */
    uint8_t network_of[GM_NETWORK_CLASSES]; /* virtual network of each class */
    uint32_t buffer;                        /* flits of a virtual channel of a router's input */
    uint32_t ejection; /* flits of the buffer in front of an output's receiver */
    gm_clock clock;    /* the interconnect's */
} gm_network_parameters;

typedef struct gm_network {
    gm_network_parameters parameters;
    uint32_t flits[GM_PACKET_SECTORS + 1]; /* [data sectors] flits of a packet */
    gm_fabric fabric;
} gm_network;

/* Returns a configuration's parameters of one direction. */
gm_network_parameters gm_network_parameters_of(const gm_config *config,
                                               gm_network_direction direction);

/* Bytes of the arena that gm_network_init takes. */
size_t gm_network_bytes(const gm_network_parameters *parameters);

/* Makes an empty network. Ranges: inputs, outputs 1 to 65536; shared divides the number of banks;
 * flit, header 1 to 65536 bytes; latency (interconnect cycles), buffer, ejection (flits) 1 to
 * 65536; classes 1 to 4, networks 1 to classes; network_of below networks; channels times networks
 * 1 to 16; speedup 1 to 4; above 1, and series, but not both, in a crossbar of one channel and one
 * class. Returns 0,
 * -EINVAL (names the parameter out of range) or -ENOMEM. */
int gm_network_init(gm_network *network, const gm_network_parameters *parameters, gm_arena *arena,
                    gm_error *error);

/* Sets the wake-up times to lower: of the senders [inputs], of the receivers [outputs], and of the
 * network. Requires init. The caller keeps the arrays; each may be NULL. */
void gm_network_connect(gm_network *network, gm_cycle *sender_wake, gm_cycle *receiver_wake,
                        gm_cycle *wake);

/* Returns the number by which `sender` sends messages of a class (gm_network_class); in a network
 * of one class, that are all messages. */
static inline uint32_t gm_network_input(const gm_network *network, uint32_t class, uint32_t sender)
{
    const gm_network_parameters *p = &network->parameters;
    return p->classes == 1 ? sender : class * p->inputs + sender;
}

/* Returns the number by which `receiver` takes messages of a class. Replies' receivers take those
 * of all classes by their own number, forwards first; of requests with four classes they take
 * write-backs by that of requests, UNBLOCKs by that of acknowledgements, and those first. */
static inline uint32_t gm_network_output(const gm_network *network, uint32_t class,
                                         uint32_t receiver)
{
    const gm_network_parameters *p = &network->parameters;
    return p->classes == 1 ? receiver : class * p->outputs + receiver;
}

/* Returns the number of flits of a packet. */
static inline uint32_t gm_network_flits(const gm_network *network, const gm_packet *packet)
{
    return network->flits[gm_packet_data(packet)];
}

/* Returns the output that a packet is for. */
static inline uint32_t gm_network_receiver(const gm_network *network, const gm_packet *packet)
{
    return network->parameters.direction == GM_NETWORK_REQUESTS ? packet->bank : packet->sm;
}

/* Returns the output that a packet of the class of `input` is for. */
static inline uint32_t gm_network_output_from(const gm_network *network, uint32_t input,
                                              const gm_packet *packet)
{
    const gm_network_parameters *p = &network->parameters;
    uint32_t receiver = gm_network_receiver(network, packet);
    for (; input >= p->inputs; input -= p->inputs) { /* few classes: faster than a division */
        receiver += p->outputs;
    }
    return receiver;
}

/* The functions below are in network.c and not in line, so that tests can link an ideal memory in
 * place of the network; link-time optimisation inlines them. */

/* True if `input` can send this packet now. Otherwise the input's wake-up time is lowered when
 * there is room for it. */
bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet);

/* Returns what gm_network_has_room does, for a sender that tries again in the next cycle: no
 * wake-up time is lowered, and gm_network_refuses tells of the input's other senders only. */
bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet);

/* True if the last packet that `input` tried to send had no room, and has none since. */
bool gm_network_refuses(const gm_network *network, uint32_t input);

/* Lets the host fetch the place of the next packet that `input` sends (base/foresight.h). */
void gm_network_foresee(const gm_network *network, uint32_t input);

/* Sends a copy of a packet in core cycle `now`. Requires room. */
void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now);

/* Sends a copy of the packet if there is room. Returns true if it was sent. */
bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now);

/* Returns the core cycle from which a receiver can take the oldest packet in front of it; GM_NEVER:
 * there is none. The network lowers the receiver's wake-up time to that cycle once; a receiver that
 * is visited earlier lowers its wake-up time again itself. */
gm_cycle gm_network_arrival(const gm_network *network, uint32_t output);

/* Returns the address, valid from init on, of what gm_network_arrival returns. */
const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output);

/* Returns the oldest packet in front of a receiver if it has arrived by core cycle `now`, or NULL;
 * valid until the next call that changes the network. */
const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now);

/* Removes the packet that gm_network_peek returned. Requires one. Lowers the receiver's wake-up
 * time to the arrival of the next packet, at least now + 1. */
void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now);

/* Computes all interconnect cycles that belong to core cycle `now`. */
void gm_network_step(gm_network *network, gm_cycle now);

/* Adds the flits sent so far to request_flits or reply_flits; those of peers to neither. */
void gm_network_add(const gm_network *network, gm_time_statistics *time);

/* True if every packet sent has been taken. */
static inline bool gm_network_idle(const gm_network *network)
{
    return network->fabric.statistics.sent == network->fabric.statistics.taken;
}

/* Checks, at the end of a kernel, that the network is empty and that every packet and flit sent was
 * taken. Returns 0, or -EPROTO, which names the law and both values. */
int gm_network_check(const gm_network *network, gm_error *error);

/* Checks the conservation law that holds after any cycle: each packet sent is in the network or has
 * been taken. Returns 0 or -EPROTO. */
int gm_network_check_running(const gm_network *network, gm_error *error);

/* Returns the core cycle in which the oldest packet in the network was sent, and writes into `text`
 * what it is and where it waits; GM_NEVER: the network is empty. */
gm_cycle gm_network_oldest(const gm_network *network, char *text, size_t size);

/* Saves or loads the network's state. */
void gm_network_snapshot(gm_network *network, gm_snapshot *snapshot);

#endif
