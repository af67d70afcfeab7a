/* Fabric: the routers, links and buffers of one network, wired by its topology (crossbar.c,
 * mesh.c). Virtual cut-through with whole-packet credits, and one round of request, grant, accept
 * in each interconnect cycle [McKeown, "The iSLIP scheduling algorithm for input-queued switches",
 * IEEE/ACM Transactions on Networking 1999]. A crossbar is one router.
 *
 * Each input port has virtual channels; a packet's is its receiver modulo their number, in every
 * router. Message classes have virtual networks, one each or several one: a virtual network has
 * such channels at each input port, and shares the width of ports and links with the others. Each
 * class has an ejection buffer in front of each receiver. Senders and receivers are numbered class
 * by class: number c * n + i is class c of the i-th of n. Each free output port examines the idle
 * inputs of its router that have a packet for it at the head of a virtual channel, round robin from
 * the one after its last grant, and offers itself to the first whose packet the next buffer has
 * room for. A packet without room closes its buffer to the packets examined after it. An input with
 * several offers accepts one, round robin over its virtual channels. The packet then holds both
 * ports for one cycle per flit; its room is given back at once, because new flits arrive no faster
 * than the packet's flits leave.
 *
 * Outputs of a crossbar may arbitrate in series: in a cycle one after another, by their numbers. An
 * input that has begun to send a packet of one flit then has its next packet examined by the
 * outputs behind.
 *
 * A crossbar may have a speedup: its switch has cycles of its own, `speedup` of them in an
 * interconnect cycle, in each of which it arbitrates and moves a flit. Links, from senders and to
 * receivers, still move one flit in an interconnect cycle; behind an output flits wait in a queue
 * without a bound of its own, since a packet takes its room in the ejection buffer when it is
 * granted. All times of the fabric are switch cycles; without a speedup they are those of the
 * interconnect.
 *
 * Only marked outputs are examined: an output is marked when a packet arrives at its inputs, when
 * it becomes free while packets wait, and when room is given back. */
#ifndef GOLDMEM_CYCLE_NOC_FABRIC_H
#define GOLDMEM_CYCLE_NOC_FABRIC_H

#include "base/ring.h"
#include "cycle/noc/flit_buffer.h"
#include "cycle/util/wheel.h"

#define GM_FABRIC_NONE UINT32_MAX

enum { GM_FABRIC_CLASSES = 4, GM_FABRIC_CHANNELS = 16 }; /* most message classes; channels */

typedef struct gm_fabric_size {
    uint32_t classes, networks;            /* of messages; virtual */
    uint8_t network_of[GM_FABRIC_CLASSES]; /* virtual network of a class */
    uint32_t senders, receivers;           /* of all classes */
    uint32_t routers, ports;               /* input ports of all routers */
    uint32_t
        outputs; /* output ports; output r < receivers / classes ejects to receiver r of each */
    uint32_t most_ports;       /* most ports of a router */
    uint32_t channels;         /* virtual channels of a port: of all virtual networks */
    uint32_t buffer, ejection; /* as in gm_network_parameters */
    uint32_t latency, speedup, allocation;
    bool series;          /* outputs arbitrate in series */
    uint32_t least, most; /* flits of a packet */
} gm_fabric_size;

/* Wiring: fixed by init. A router's ports have consecutive numbers. */
typedef struct gm_fabric_port_wire {
    uint32_t router;
    uint32_t sender; /* the sender, of class 0, that feeds the port, or NONE: output `from` does */
    uint32_t from;   /* output that feeds the port */
} gm_fabric_port_wire;

typedef struct gm_fabric_output_wire {
    uint32_t first_port; /* of its router */
    uint32_t to;         /* port that the output feeds, or NONE: it ejects to a receiver */
} gm_fabric_output_wire;

typedef struct gm_fabric_port {
    gm_cycle idle_from; /* interconnect cycle from which the port sends nothing */
    uint32_t link;      /* next port of the same list of `ports_at` */
    uint16_t ready;     /* mask of virtual channels whose head has arrived */
    uint16_t offers; /* mask of virtual channels with an offer of their output; 0 between cycles */
    uint32_t turn;   /* virtual channel that accepts first */
} gm_fabric_port;

typedef struct gm_fabric_output {
    gm_cycle free_from; /* interconnect cycle from which no packet holds the output */
    gm_cycle blocked;   /* interconnect cycle since which packets wait and none has room; GM_NEVER:
                           not blocked */
    uint32_t link;      /* next output of the same list of `outputs_at` */
    uint32_t turn;      /* input, counted from the router's first, that is examined first */
    bool scheduled;     /* the output is in `outputs_at` */
} gm_fabric_output;

typedef struct gm_fabric_channel {
    uint32_t output; /* output that the head needs, and which buffer behind it: */
    uint32_t into;   /* its message class, or to another router its virtual channel; valid once the
                        head has arrived */
    uint32_t link;   /* next virtual channel of the same list of `channels_at` */
    uint32_t port;   /* port of the virtual channel; fixed */
} gm_fabric_channel;

/* The last packet that a sender tried to send. */
typedef struct gm_fabric_refusal {
    uint32_t flits;   /* of the packet, for which there was no room; 0: it was sent, or there is */
    uint32_t channel; /* virtual channel, counted over all ports, that it is for */
} gm_fabric_refusal;

typedef struct gm_fabric_statistics {
    uint64_t sent, taken;             /* packets */
    uint64_t sent_flits, taken_flits; /* flits */
    uint64_t latency;                 /* core cycles from sent to arrived, of granted packets */
    uint64_t blocked;                 /* switch cycles of outputs whose packets found no room */
    uint64_t class_flits[GM_FABRIC_CLASSES]; /* sent_flits by class; with one class 0 */
} gm_fabric_statistics;

/* How the packets of a class are taken. */
typedef struct gm_fabric_taken {
    uint32_t first; /* receiver r of class 0 takes them by number first + r */
    uint32_t place; /* among the classes that are taken by this number */
} gm_fabric_taken;

/* An input port of a small crossbar, in a line of the host's cache. */
typedef struct gm_fabric_small_port {
    uint64_t wants;    /* outputs that the heads need */
    uint16_t ready;    /* as in gm_fabric_port */
    uint16_t offers;   /* likewise */
    uint8_t turn;      /* likewise */
    uint8_t idle_from; /* slot of the cycle from which it is idle */
    uint8_t unused[2];
    uint8_t output[GM_FABRIC_CHANNELS]; /* of each virtual channel that is `ready`: output, */
    uint8_t into[GM_FABRIC_CHANNELS];   /* message class */
    uint8_t flits[GM_FABRIC_CHANNELS];  /* and flits of its head */
} gm_fabric_small_port;

/* An output of a small crossbar. */
typedef struct gm_fabric_small_output {
    uint64_t requests;                         /* ports whose heads need it: of all classes, */
    uint64_t requests_into[GM_FABRIC_CLASSES]; /* and of each */
    uint32_t turn;                             /* as in gm_fabric_output */
    uint32_t free_from;                        /* slot of the cycle from which no packet holds it */
    uint64_t unused[2];
} gm_fabric_small_output;

_Static_assert(sizeof(gm_fabric_small_port) == 64 && sizeof(gm_fabric_small_output) == 64,
               "a line of the host's cache each");

/* What is idle and free from a cycle on. */
typedef struct gm_fabric_small_slot {
    uint64_t ports, outputs;
} gm_fabric_small_slot;

/* State of small_crossbar.c: sets of ports, of outputs and of the wheel's slots are words. */
typedef struct gm_fabric_small {
    uint64_t idle;      /* ports that send nothing */
    uint64_t waiting;   /* ports that are `ready` */
    uint64_t free;      /* outputs that no packet holds */
    uint64_t requested; /* outputs that a head needs */
    uint64_t blocked;   /* outputs with gm_fabric_output.blocked */
    uint64_t pending;   /* slots that have ports or outputs; */
    uint64_t due;       /* of these, those in which something may be granted */
    gm_cycle settled;   /* interconnect cycle up to which slots have been taken */
    uint32_t part;      /* 2^16 / channels, rounded up: finds the port of a virtual channel */
    uint32_t unused;
} gm_fabric_small;

/* Template instance of the cycle's computation. GM_FABRIC_ANY gives the results of all behind it. A
 * medium or small one has a wheel of one word, and sets of ports and outputs of two words or one.
 */
typedef enum gm_fabric_instance {
    GM_FABRIC_SPEEDUP, /* a crossbar of one virtual channel with a speedup */
    GM_FABRIC_SERIES,  /* a crossbar of one virtual channel whose outputs arbitrate in series */
    GM_FABRIC_MEDIUM_SERIES,
    GM_FABRIC_ANY,             /* others */
    GM_FABRIC_MEDIUM_CHANNELS, /* a crossbar of several virtual channels */
    GM_FABRIC_SMALL_CHANNELS,  /* small_crossbar.c */
    GM_FABRIC_CROSSBAR,        /* a crossbar of one virtual channel, with a wheel of one word */
    GM_FABRIC_MEDIUM_CROSSBAR,
    GM_FABRIC_SMALL_CROSSBAR,
} gm_fabric_instance;

typedef struct gm_fabric {
    gm_fabric_size size;
    gm_clock clock; /* of the switch: `speedup` cycles in one of the interconnect */
    gm_fabric_instance instance;
    bool senders_first; /* senders are visited before the fabric in a core cycle */
    bool joint;         /* a receiver takes packets of several classes by one number: */
    uint32_t apart;  /* those of classes c, c + apart, c + 2 apart ..., c below apart, by its number
                        of class c, the last class first; classes: of each by its own */
    uint32_t joined; /* classes / apart */
    gm_fabric_taken taken[GM_FABRIC_CLASSES];
    gm_cycle *sender_wake, *receiver_wake, *wake; /* see gm_network_connect */
    /* Wiring. */
    gm_fabric_port_wire *port_wire;     /* [ports] */
    gm_fabric_output_wire *output_wire; /* [outputs] */
    uint32_t *inject;     /* [senders] first virtual channel of its virtual network at its port */
    uint8_t *channel_for; /* [receivers] virtual channel, in every port, among those of a virtual
                             network */
    uint32_t *route;      /* [routers * receivers] output */
    uint32_t senders, receivers;            /* of a class */
    uint8_t classes_of[GM_FABRIC_CHANNELS]; /* mask of the message classes that use a channel */
    uint32_t rows;    /* buffers behind an output, which have room or not each */
    uint32_t buffers; /* mask of them */
    uint32_t words;   /* words of an output's row in `requests` */
    uint32_t marked_words;
    /* State. */
    gm_flit_buffers channel_buffer;  /* port * channels + channel */
    gm_flit_buffers ejection_buffer; /* receiver */
    gm_fabric_refusal *refused;      /* [senders] its sender's wake-up time is lowered when there is
                                        room */
    gm_cycle
        *arrival;        /* [receivers] core cycle from which the oldest packet may be taken;
                            GM_NEVER: there is none. Joint: of all classes that it takes by that number */
    gm_cycle *front;     /* joint: [numbers * joined] that of each class, by gm_fabric_taken */
    gm_cycle *fed_from;  /* [ports] with a speedup: from then on the sender's link is idle */
    gm_cycle *link_from; /* [outputs] with a speedup: interconnect cycle from which the link to the
                            receiver is idle */
    gm_fabric_port *port;
    gm_fabric_output *output;
    gm_fabric_channel *channel;
    uint64_t *requests; /* [outputs * words] bit set of the idle inputs that have a packet for the
                           output */
    uint64_t *requests_into; /* [outputs * rows * words] likewise, for the output and each buffer
                                behind it; several virtual channels only */
    /* Timing wheel of interconnect cycles; each slot has three lists of events: */
    gm_wheel wheel;
    uint32_t *ports_at;    /* [slots] ports that become idle and have heads */
    uint32_t *outputs_at;  /* [slots] outputs that become free and have requests */
    uint32_t *channels_at; /* [slots] virtual channels whose head arrives */
    uint64_t *marked;      /* [marked_words] bit set of the outputs to examine in the next cycle */
    uint32_t *offered;     /* [ports] ports with offers; within a cycle */
    gm_ring fresh; /* virtual channels whose head was sent by a sender and has not arrived */
    uint32_t *fresh_channel;              /* the elements of `fresh`, in the order sent */
    gm_fabric_small small;                /* GM_FABRIC_SMALL_CHANNELS only, as the three arrays */
    gm_fabric_small_port *small_port;     /* [ports] */
    gm_fabric_small_output *small_output; /* [outputs] */
    gm_fabric_small_slot *small_slot;     /* [slots] */
    gm_fabric_statistics statistics;
} gm_fabric;

/* Lets receivers take packets of classes c, c + apart, ... by one number: `apart` numbers for each
 * receiver. Requires init, and apart that divides the classes. */
void gm_fabric_join(gm_fabric *fabric, uint32_t apart);

/* Bytes of the arena that gm_fabric_init takes. */
size_t gm_fabric_bytes(const gm_fabric_size *size);

/* Makes everything but the wiring, which the topology fills in. `clock` is the interconnect's.
 * Returns 0 or -ENOMEM. */
int gm_fabric_init(gm_fabric *fabric, const gm_fabric_size *size, gm_clock clock,
                   bool senders_first, gm_arena *arena, gm_error *error);

/* Returns the virtual channel, counted over all ports, that `sender` uses for `receiver`. */
static inline uint32_t gm_fabric_entry(const gm_fabric *fabric, uint32_t sender, uint32_t receiver)
{
    return fabric->inject[sender] + fabric->channel_for[receiver];
}

/* Returns the class of a sender, or receiver, of which a class has `each`. There are few classes:
 * comparing with each is faster than a division, and a branch would be hard to predict. */
static inline uint32_t gm_fabric_class_of(uint32_t number, uint32_t each)
{
    return (uint32_t)(number >= each) + (number >= 2 * each) + (number >= 3 * each);
}

/* Returns the number in class 0 of such a sender or receiver. */
static inline uint32_t gm_fabric_of_class_0(uint32_t number, uint32_t each)
{
    return number - gm_fabric_class_of(number, each) * each;
}

/* Returns the first virtual channel of a class, counted from its port's. */
static inline uint32_t gm_fabric_first_channel(const gm_fabric *fabric, uint32_t class)
{
    const gm_fabric_size *size = &fabric->size;
    return size->network_of[class] * (size->channels / size->networks);
}

/* True if `sender` can send a packet of `flits` flits to `receiver`. Otherwise its wake-up time is
 * lowered when it can. */
static inline bool gm_fabric_has_room(const gm_fabric *fabric, uint32_t sender, uint32_t receiver,
                                      uint32_t flits)
{
    uint32_t channel = gm_fabric_entry(fabric, sender, receiver);
    bool room = gm_flit_buffer_room(&fabric->channel_buffer, channel, flits);
    fabric->refused[sender] =
        (gm_fabric_refusal){.flits = room ? 0 : flits, .channel = room ? 0 : channel};
    return room;
}

/* Lowers wake[number] to core cycle `at`; does nothing if `wake` is NULL. */
static inline void gm_fabric_wake_of(gm_cycle *wake, uint32_t number, gm_cycle at)
{
    if (wake != NULL) {
        gm_wake(&wake[number], at);
    }
}

/* With a speedup: lets the sender's link take a packet in core cycle `now`. Returns the switch
 * cycle in which its head arrives. */
GM_COLD gm_cycle gm_fabric_feed(gm_fabric *fabric, uint32_t sender, uint32_t flits, gm_cycle now);

/* Sends a copy of a packet in core cycle `now`. Requires room. In line: called, a random gather
 * takes 0.5% more instructions. */
GM_INLINE void gm_fabric_send(gm_fabric *fabric, uint32_t sender, uint32_t receiver, uint32_t flits,
                              const gm_packet *packet, gm_cycle now)
{
    uint32_t channel = gm_fabric_entry(fabric, sender, receiver);
    bool head = gm_flit_buffer_empty(&fabric->channel_buffer, channel);
    gm_flit_packet *sent = gm_flit_buffer_push(&fabric->channel_buffer, channel, flits);
    sent->packet = *packet;
    sent->sent = now;
    sent->flits = flits;
    sent->receiver = receiver;
    if (fabric->size.speedup != 1) {
        sent->ready = gm_fabric_feed(fabric, sender, flits, now);
    }
    fabric->statistics.sent++;
    fabric->statistics.sent_flits += flits;
    if (fabric->size.classes != 1) {
        uint32_t class = gm_fabric_class_of(sender, fabric->senders);
        sent->packet.class = (uint8_t) class;
        fabric->statistics.class_flits[class] += flits;
    }
    if (head) {
        fabric->fresh_channel[gm_ring_push(&fabric->fresh)] = channel;
        if (fabric->wake != NULL) {
            gm_wake(fabric->wake, gm_clock_visit(&fabric->clock, now + 1));
        }
    }
}

/* Returns the receiver, of any class, whose packet is taken next by a number; joint: requires that
 * a packet has arrived. */
static inline uint32_t gm_fabric_next(const gm_fabric *fabric, uint32_t number, gm_cycle now)
{
    const gm_cycle *front = &fabric->front[(size_t)number * fabric->joined];
    uint32_t place = 1;
    if (fabric->joined == 2) { /* always under a protocol; a branch would be hard to predict */
        place = front[1] <= now;
    } else {
        for (place = fabric->joined - 1; place != 0 && front[place] > now; place--) {
        }
    }
    return number + place * fabric->apart * fabric->receivers;
}

/* Joint: notes the cycle from which the oldest packet of class `place` in front of a receiver may
 * be taken. Returns the earliest of these cycles over the receiver's classes. */
static inline gm_cycle gm_fabric_set_front(gm_fabric *fabric, uint32_t number, uint32_t place,
                                           gm_cycle at)
{
    gm_cycle *front = &fabric->front[(size_t)number * fabric->joined];
    front[place] = at;
    gm_cycle arrival = front[0];
    gm_wake(&arrival, front[1]);
    for (uint32_t i = 2; i < fabric->joined; i++) {
        gm_wake(&arrival, front[i]);
    }
    return arrival;
}

/* Notes that a packet may be taken from core cycle `at` on that is alone in the ejection buffer of
 * receiver `output` of a class. */
GM_INLINE void gm_fabric_set_arrival(gm_fabric *fabric, uint32_t output, uint32_t class,
                                     gm_cycle at)
{
    const gm_fabric_taken *taken = &fabric->taken[class];
    uint32_t number = taken->first + output;
    if (fabric->joint) {
        fabric->front[(size_t)number * fabric->joined + taken->place] = at;
    }
    gm_wake(&fabric->arrival[number], at);
    gm_fabric_wake_of(fabric->receiver_wake, output, at);
}

/* Removes the oldest packet in front of the receiver. Requires that it has arrived. */
void gm_fabric_pop(gm_fabric *fabric, uint32_t receiver, gm_cycle now);

/* Computes all interconnect cycles that belong to core cycle `now`. */
void gm_fabric_step(gm_fabric *fabric, gm_cycle now);

/* Saves or loads the state; the wiring comes from init. */
void gm_fabric_snapshot(gm_fabric *fabric, gm_snapshot *snapshot);

#endif
