/* Fabric: arbitration and movement of packets, cycle by cycle. fabric_init.c has its storage. */
#include "cycle/noc/fabric.h"

#include "base/template.h"
#include "cycle/noc/small_crossbar.h"
#include "goldmem/bits.h"

/* Constants that an instance is compiled for. The usual network is a crossbar of at most 63 ports
 * with one virtual channel; without its instance vectoradd takes 9.7% more instructions, spmv 22%.
 * Without that of two words, for up to 128 ports, a random gather on the imported QV100 takes 1.3%
 * more; without that of two words in series, as imported today, 1.1%. Without that of several
 * virtual channels kmeans under MESI takes 9% more. */
typedef struct shape {
    bool one_router;  /* ports are numbered as the senders, and every output ejects */
    bool one_channel; /* a virtual channel's number is its port's */
    bool short_wheel; /* the wheel is one word */
    bool one_word;    /* sets of ports and outputs are one word */
    bool two_words;   /* or two */
    bool speedup;     /* the switch has several cycles in one of the interconnect */
    bool series;      /* outputs arbitrate in series */
} shape;

static const shape ANY = {.speedup = false};
static const shape SPEEDUP = {.one_router = true, .one_channel = true, .speedup = true};
static const shape SERIES = {.one_router = true, .one_channel = true, .series = true};
static const shape MEDIUM_SERIES = {.one_router = true,
                                    .one_channel = true,
                                    .short_wheel = true,
                                    .two_words = true,
                                    .series = true};
static const shape MEDIUM_CHANNELS = {.one_router = true, .short_wheel = true, .two_words = true};
static const shape CROSSBAR = {.one_router = true, .one_channel = true, .short_wheel = true};
static const shape MEDIUM_CROSSBAR = {
    .one_router = true, .one_channel = true, .short_wheel = true, .two_words = true};
static const shape SMALL_CROSSBAR = {
    .one_router = true, .one_channel = true, .short_wheel = true, .one_word = true};

/* Returns the number of virtual channels of a port. */
GM_TEMPLATE uint32_t channels_of(const gm_fabric *fabric, const shape shape)
{
    return shape.one_channel ? 1 : fabric->size.channels;
}

/* Returns the port that an output feeds, or NONE: the output ejects. */
GM_TEMPLATE uint32_t fed_by(const gm_fabric *fabric, uint32_t output, const shape shape)
{
    return shape.one_router ? GM_FABRIC_NONE : fabric->output_wire[output].to;
}

/* Returns the first input port of an output's router. */
GM_TEMPLATE uint32_t first_port(const gm_fabric *fabric, uint32_t output, const shape shape)
{
    return shape.one_router ? 0 : fabric->output_wire[output].first_port;
}

/* Returns the words of a set of ports or of outputs, of which the fabric has `words`. */
GM_TEMPLATE uint32_t words_in(uint32_t words, const shape shape)
{
    return shape.one_word ? 1 : shape.two_words ? 2 : words;
}

/* Returns `bit`, reduced to a word's bits where the instance has sets of one word. */
GM_TEMPLATE uint32_t bit_of(uint32_t bit, const shape shape)
{
    return shape.one_word ? bit % GM_BITSET_WORD : bit;
}

/* Marks an output, to be examined in the next cycle. */
GM_TEMPLATE void mark(gm_fabric *fabric, uint32_t output, const shape shape)
{
    gm_bitset_add(fabric->marked, bit_of(output, shape));
}

/* Ends an output's blocked time: room was given back, or its requests have changed. */
GM_TEMPLATE void unblock(gm_fabric *fabric, uint32_t output, const shape shape)
{
    if (fabric->output[output].blocked != GM_NEVER) {
        mark(fabric, output, shape);
    }
}

/* Puts an entry at the head of a list of cycle `at` in the wheel. Returns the former head, to which
 * the caller links the entry. */
GM_TEMPLATE uint32_t schedule(gm_fabric *fabric, uint32_t *list, gm_cycle at, uint32_t entry,
                              const shape shape)
{
    uint32_t slot = gm_wheel_slot(&fabric->wheel, at, shape.short_wheel);
    uint32_t next = list[slot];
    list[slot] = entry;
    gm_wheel_add(&fabric->wheel, slot, shape.short_wheel);
    return next;
}

/* Returns the bit set of the inputs, counted from the router's first, that request an output. */
GM_TEMPLATE uint64_t *requests_for(const gm_fabric *fabric, uint32_t output, const shape shape)
{
    return &fabric->requests[(size_t)output * words_in(fabric->words, shape)];
}

/* Several virtual channels: returns those of the buffers behind an output, one after another. */
GM_TEMPLATE uint64_t *requests_by_buffer(const gm_fabric *fabric, uint32_t output,
                                         const shape shape)
{
    return &fabric->requests_into[(size_t)output * fabric->rows * words_in(fabric->words, shape)];
}

/* Schedules an output to be marked when it becomes free. */
GM_TEMPLATE void schedule_output(gm_fabric *fabric, uint32_t number, const shape shape)
{
    gm_fabric_output *output = &fabric->output[number];
    output->scheduled = true;
    output->link = schedule(fabric, fabric->outputs_at, output->free_from, number, shape);
}

/* Adds the request of an idle port for the output that the head of one of its virtual channels
 * needs, in cycle `at`. */
GM_TEMPLATE void request(gm_fabric *fabric, uint32_t port, const gm_fabric_channel *channel,
                         gm_cycle at, const shape shape)
{
    uint32_t number = channel->output;
    const gm_fabric_output *output = &fabric->output[number];
    uint32_t local = port - first_port(fabric, number, shape);
    gm_bitset_add(requests_for(fabric, number, shape), bit_of(local, shape));
    if (!shape.one_channel) {
        gm_bitset_add(requests_by_buffer(fabric, number, shape) +
                          channel->into * words_in(fabric->words, shape),
                      bit_of(local, shape));
    }
    if (output->free_from <= at) {
        mark(fabric, number, shape);
    } else if (!output->scheduled) {
        schedule_output(fabric, number, shape);
    }
}

/* Notes the output that the head of a virtual channel needs, and which buffer behind it. */
GM_TEMPLATE void note_way(gm_fabric *fabric, uint32_t channel, uint32_t port, uint32_t own,
                          const shape shape)
{
    gm_fabric_channel *noted = &fabric->channel[channel];
    uint32_t receiver = gm_flit_buffer_first(&fabric->channel_buffer, channel)->receiver;
    uint32_t into = shape.one_channel ? 0 : gm_fabric_class_of(receiver, fabric->receivers);
    if (shape.one_router) {
        noted->output = receiver - into * fabric->receivers;
        noted->into = into;
        return;
    }
    size_t router = fabric->port_wire[port].router;
    noted->output = fabric->route[router * fabric->size.receivers + receiver];
    noted->into = fed_by(fabric, noted->output, shape) == GM_FABRIC_NONE ? into : own;
}

/* Handles the arrival of a virtual channel's head by cycle `at`: its port requests the output at
 * once, or when it is idle again. `busy` is a constant: true only if the port is not idle. */
GM_TEMPLATE void arrive(gm_fabric *fabric, uint32_t channel, gm_cycle at, const bool busy,
                        const shape shape)
{
    uint32_t number = shape.one_channel ? channel : fabric->channel[channel].port;
    gm_fabric_port *port = &fabric->port[number];
    uint32_t own = shape.one_channel ? 0 : channel - number * fabric->size.channels;
    bool scheduled = !shape.one_channel && port->ready != 0;
    note_way(fabric, channel, number, own, shape);
    port->ready = (uint16_t)(port->ready | 1U << own);
    if (!busy && port->idle_from <= at) {
        request(fabric, number, &fabric->channel[channel], at, shape);
    } else if (!scheduled) {
        port->link = schedule(fabric, fabric->ports_at, port->idle_from, number, shape);
    }
}

/* Handles a virtual channel's new head in interconnect cycle `at`, which belongs to core cycle
 * `now`: the packet before it has begun to move, or another router has sent it. A packet from a
 * sender has arrived from the core cycle after the one in which it was sent, or with a speedup when
 * the sender's link has moved its head. */
GM_TEMPLATE void new_head(gm_fabric *fabric, uint32_t channel, gm_cycle at, gm_cycle now,
                          const shape shape)
{
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    bool from_sender = shape.one_router ||
                       fabric->port_wire[fabric->channel[channel].port].sender != GM_FABRIC_NONE;
    if (from_sender && head->sent >= now) {
        fabric->fresh_channel[gm_ring_push(&fabric->fresh)] = channel;
    } else if ((from_sender && !shape.speedup) || head->ready <= at) {
        arrive(fabric, channel, at, !shape.series, shape);
    } else {
        fabric->channel[channel].link =
            schedule(fabric, fabric->channels_at, head->ready, channel, shape);
    }
}

/* Handles the heads that senders sent before core cycle `now`: they arrive before cycle `at`, the
 * first of `now`, or with a speedup when their links have moved them. */
GM_TEMPLATE void arrive_fresh(gm_fabric *fabric, gm_cycle at, gm_cycle now, const shape shape)
{
    for (; !gm_ring_is_empty(&fabric->fresh); gm_ring_pop(&fabric->fresh)) {
        uint32_t channel = fabric->fresh_channel[gm_ring_first(&fabric->fresh)];
        const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
        if (head->sent >= now) {
            break;
        }
        if (shape.speedup && head->ready > at) {
            fabric->channel[channel].link =
                schedule(fabric, fabric->channels_at, head->ready, channel, shape);
        } else {
            arrive(fabric, channel, at, false, shape);
        }
    }
}

/* Returns the core cycle from which the oldest packet of a receiver may be taken; GM_NEVER: there
 * is none. */
static inline gm_cycle next_arrival(const gm_fabric *fabric, uint32_t receiver)
{
    const gm_flit_packet *head = gm_flit_buffer_head(&fabric->ejection_buffer, receiver);
    return head != NULL ? head->ready : GM_NEVER;
}

void gm_fabric_pop(gm_fabric *fabric, uint32_t receiver, gm_cycle now)
{
    gm_flit_buffers *buffers = &fabric->ejection_buffer;
    fabric->statistics.taken++;
    uint32_t flits = gm_flit_buffer_first(buffers, receiver)->flits;
    fabric->statistics.taken_flits += flits;
    gm_flit_buffer_pop(buffers, receiver, flits);
    uint32_t class = gm_fabric_class_of(receiver, fabric->receivers);
    uint32_t output = receiver - class * fabric->receivers;
    uint32_t number = fabric->taken[class].first + output;
    gm_cycle *arrival = &fabric->arrival[number];
    *arrival = next_arrival(fabric, receiver);
    if (fabric->joint) {
        *arrival = gm_fabric_set_front(fabric, number, fabric->taken[class].place, *arrival);
    }
    if (*arrival != GM_NEVER) {
        gm_fabric_wake_of(fabric->receiver_wake, output, *arrival > now ? *arrival : now + 1);
    }
    if (fabric->output[output].blocked != GM_NEVER) {
        mark(fabric, output, ANY);
        if (fabric->wake != NULL) {
            /* Receivers are visited before the fabric where senders are visited after it. */
            gm_wake(fabric->wake,
                    gm_clock_visit(&fabric->clock, fabric->senders_first ? now + 1 : now));
        }
    }
}

/* True if the buffer behind `output` has room for the head of virtual channel `own` of a port. */
GM_TEMPLATE bool has_room(const gm_fabric *fabric, const gm_flit_packet *head, uint32_t output,
                          uint32_t own, const shape shape)
{
    uint32_t to = fed_by(fabric, output, shape);
    uint32_t receiver = shape.one_channel ? output : head->receiver;
    return to == GM_FABRIC_NONE
               ? gm_flit_buffer_room(&fabric->ejection_buffer, receiver, head->flits)
               : gm_flit_buffer_room(&fabric->channel_buffer, to * channels_of(fabric, shape) + own,
                                     head->flits);
}

/* Returns the virtual channel of `port`, in turn, from which `output` can take a packet, or NONE.
 * `open`: buffers that had room for all packets examined; those without are removed. */
GM_TEMPLATE uint32_t fitting(const gm_fabric *fabric, uint32_t port, uint32_t output,
                             uint32_t *open, const shape shape)
{
    uint32_t channels = channels_of(fabric, shape);
    const gm_fabric_channel *of_port = &fabric->channel[(size_t)port * channels];
    uint32_t ready = fabric->port[port].ready;
    uint32_t later = ready & ~(uint32_t)gm_mask(fabric->port[port].turn);
    for (uint32_t left = ready; left != 0;) {
        uint32_t own = gm_lowest_one((later & left) != 0 ? later & left : left);
        uint32_t into = of_port[own].into;
        left &= ~(1U << own);
        if (of_port[own].output == output && (*open >> into & 1) != 0) {
            const gm_flit_packet *head =
                gm_flit_buffer_first(&fabric->channel_buffer, port * channels + own);
            if (has_room(fabric, head, output, own, shape)) {
                return own;
            }
            *open &= ~(1U << into);
        }
    }
    return GM_FABRIC_NONE;
}

/* Moves the packet to the next router's input. */
static void move_on(gm_fabric *fabric, const gm_flit_packet *packet, uint32_t into, gm_cycle at,
                    gm_cycle now)
{
    bool head = gm_flit_buffer_empty(&fabric->channel_buffer, into);
    gm_flit_packet *moved = gm_flit_buffer_push(&fabric->channel_buffer, into, packet->flits);
    *moved = *packet;
    moved->ready = at + fabric->size.latency;
    if (head) {
        new_head(fabric, into, at, now, ANY);
    }
}

gm_cycle gm_fabric_feed(gm_fabric *fabric, uint32_t sender, uint32_t flits, gm_cycle now)
{
    const uint32_t speedup = fabric->size.speedup;
    gm_cycle *idle = &fabric->fed_from[sender];
    gm_cycle first = (gm_clock_first(fabric->clock, now + 1) + speedup - 1) / speedup * speedup;
    gm_cycle ready = first > *idle ? first : *idle;
    *idle = ready + (gm_cycle)flits * speedup;
    return ready;
}

/* With a speedup: lets the link to a receiver take a packet that is granted in switch cycle `at`.
 * Returns the switch cycle with which the interconnect cycle begins in which its tail arrives. */
static gm_cycle take_link(gm_fabric *fabric, uint32_t output, uint32_t flits, gm_cycle at)
{
    const uint32_t speedup = fabric->size.speedup;
    gm_cycle *idle = &fabric->link_from[output];
    gm_cycle first = at / speedup;
    first = first > *idle ? first : *idle;
    *idle = first + flits;
    return (first + fabric->size.latency + flits - 2) * speedup;
}

/* Moves the packet to its receiver's ejection buffer; `output` is the receiver's of class 0. */
GM_TEMPLATE void eject(gm_fabric *fabric, const gm_flit_packet *packet, uint32_t receiver,
                       uint32_t output, gm_cycle at, gm_cycle now, const shape shape)
{
    uint32_t flits = packet->flits;
    gm_cycle tail = shape.speedup ? take_link(fabric, output, flits, at)
                                  : at + fabric->size.latency + flits - 2;
    gm_cycle arrival = gm_clock_core_at(fabric->clock, tail);
    gm_cycle ready = arrival > now ? arrival : now + 1;
    fabric->statistics.latency += ready - packet->sent;
    bool head = gm_flit_buffer_empty(&fabric->ejection_buffer, receiver);
    gm_flit_packet *moved = gm_flit_buffer_push(&fabric->ejection_buffer, receiver, flits);
    *moved = *packet;
    moved->ready = ready;
    if (head) { /* otherwise the receiver waits for the packets before it */
        gm_fabric_set_arrival(
            fabric, output, shape.one_channel ? 0 : gm_fabric_class_of(receiver, fabric->receivers),
            ready);
    }
}

/* Gives room of a virtual channel back to the senders or the output that feed its port. */
GM_TEMPLATE void give_room_back(gm_fabric *fabric, uint32_t number, uint32_t own, gm_cycle now,
                                const shape shape)
{
    uint32_t channel = number * channels_of(fabric, shape) + own;
    uint32_t sender = shape.one_router ? number : fabric->port_wire[number].sender;
    if (!shape.one_router && sender == GM_FABRIC_NONE) {
        unblock(fabric, fabric->port_wire[number].from, shape);
        return;
    }
    uint32_t classes = shape.one_channel ? 1 : fabric->classes_of[own];
    for (; classes != 0; classes &= classes - 1) {
        gm_fabric_refusal *refusal =
            &fabric->refused[gm_lowest_one(classes) * fabric->senders + sender];
        if (refusal->flits != 0 && (shape.one_channel || refusal->channel == channel) &&
            gm_flit_buffer_room(&fabric->channel_buffer, channel, refusal->flits)) {
            refusal->flits = 0;
            gm_fabric_wake_of(fabric->sender_wake, sender, fabric->senders_first ? now + 1 : now);
        }
    }
}

/* Returns the cycle from which a packet that is granted in cycle `at` holds its input no more; it
 * holds its output until `end`. */
GM_TEMPLATE gm_cycle input_idle_from(const gm_flit_packet *packet, gm_cycle at, gm_cycle end,
                                     const shape shape)
{
    return shape.series && packet->flits == 1 ? at : end;
}

/* Returns the cycle from which a packet that is granted in cycle `at` holds its ports no more: its
 * tail has left, which with a speedup the sender's link may not have moved sooner, and an
 * allocation takes its time. */
GM_TEMPLATE gm_cycle end_of(const gm_fabric *fabric, const gm_flit_packet *packet, gm_cycle at,
                            const shape shape)
{
    gm_cycle end = at + packet->flits + (shape.speedup ? fabric->size.allocation : 0);
    gm_cycle moved = shape.speedup
                         ? packet->ready + (gm_cycle)(packet->flits - 1) * fabric->size.speedup + 1
                         : 0;
    return moved > end ? moved : end;
}

/* Starts the head of a port's virtual channel in interconnect cycle `at` of core cycle `now`. The
 * packet holds port and output until its last flit has left. */
GM_TEMPLATE void start(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t output,
                       gm_cycle at, gm_cycle now, const shape shape)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t channels = channels_of(fabric, shape);
    uint32_t channel = number * channels + own;
    uint32_t to = fed_by(fabric, output, shape);
    gm_fabric_output *held = &fabric->output[output];
    const gm_flit_packet *packet = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    held->turn = number - first_port(fabric, output, shape) + 1;
    held->free_from = end_of(fabric, packet, at, shape);
    port->idle_from = input_idle_from(packet, at, held->free_from, shape);
    if (gm_bitset_any(requests_for(fabric, output, shape), words_in(fabric->words, shape))) {
        schedule_output(fabric, output, shape);
    }
    port->ready = (uint16_t)(shape.one_channel ? 0 : port->ready & ~(1U << own));
    if (port->ready != 0) {
        port->link = schedule(fabric, fabric->ports_at, port->idle_from, number, shape);
    }
    if (to == GM_FABRIC_NONE) {
        eject(fabric, packet, shape.one_channel ? output : packet->receiver, output, at, now,
              shape);
    } else {
        move_on(fabric, packet, to * channels + own, at, now);
    }
    gm_flit_buffer_pop(&fabric->channel_buffer, channel, packet->flits);
    if (!gm_flit_buffer_empty(&fabric->channel_buffer, channel)) {
        new_head(fabric, channel, at, now, shape);
    }
    give_room_back(fabric, number, own, now, shape);
}

/* Withdraws the request of a port for the output that one of its virtual channels needs. */
GM_TEMPLATE void withdraw(gm_fabric *fabric, uint32_t port, const gm_fabric_channel *channel,
                          const shape shape)
{
    uint32_t local = port - first_port(fabric, channel->output, shape);
    gm_bitset_remove(requests_for(fabric, channel->output, shape), bit_of(local, shape));
    if (!shape.one_channel) {
        gm_bitset_remove(requests_by_buffer(fabric, channel->output, shape) +
                             channel->into * words_in(fabric->words, shape),
                         bit_of(local, shape));
    }
}

/* Adds an offer of a virtual channel to a port, and the port to `offered`. */
static inline void add_offer(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t *offered)
{
    gm_fabric_port *port = &fabric->port[number];
    if (port->offers == 0) {
        fabric->offered[(*offered)++] = number;
    }
    port->offers = (uint16_t)(port->offers | 1U << own);
}

/* Returns a word of the set of the inputs that request an output for one of the buffers `open`. */
GM_TEMPLATE uint64_t requests_in(const gm_fabric *fabric, uint32_t output, uint32_t open,
                                 uint32_t word, const shape shape)
{
    const uint64_t *row = requests_by_buffer(fabric, output, shape);
    uint64_t inputs = 0;
    for (; open != 0; open &= open - 1) {
        inputs |= row[gm_lowest_one(open) * words_in(fabric->words, shape) + word];
    }
    return inputs;
}

/* Returns the first input, from `from` on, that requests an output for one of the buffers `open`,
 * or NONE. */
GM_TEMPLATE uint32_t next_request(const gm_fabric *fabric, uint32_t output, uint32_t open,
                                  uint32_t from, const shape shape)
{
    const uint32_t words = words_in(fabric->words, shape);
    uint64_t behind = UINT64_MAX << from % GM_BITSET_WORD;
    for (uint32_t word = shape.one_word ? 0 : from / GM_BITSET_WORD; word < words; word++) {
        uint64_t inputs = requests_in(fabric, output, open, word, shape) & behind;
        if (inputs != 0) {
            return word * GM_BITSET_WORD + gm_lowest_one(inputs);
        }
        behind = UINT64_MAX;
    }
    return GM_FABRIC_NONE;
}

/* Returns such an input behind `last`, in turn, or NONE. None that has been examined is left: its
 * packets have removed their buffers from `open`. */
GM_TEMPLATE uint32_t next_in_turn(const gm_fabric *fabric, uint32_t output, uint32_t open,
                                  uint32_t last, const shape shape)
{
    uint32_t next = next_request(fabric, output, open, last + 1, shape);
    return next != GM_FABRIC_NONE ? next : next_request(fabric, output, open, 0, shape);
}

/* Ends an output's blocked time in cycle `at`. */
static inline void end_blocked(gm_fabric *fabric, gm_fabric_output *output, gm_cycle at)
{
    if (output->blocked != GM_NEVER) {
        fabric->statistics.blocked += at - output->blocked;
        output->blocked = GM_NEVER;
    }
}

/* With one virtual channel: lets a free output examine the first input that requests it. An input
 * requests one output only, so it accepts at once. */
GM_TEMPLATE void grant(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now,
                       const shape shape)
{
    gm_fabric_output *output = &fabric->output[number];
    end_blocked(fabric, output, at);
    uint32_t port = gm_bitset_next(requests_for(fabric, number, shape),
                                   words_in(fabric->words, shape), output->turn);
    if (port == GM_BITSET_NONE) {
        return;
    }
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, port);
    if (has_room(fabric, head, number, 0, shape)) {
        withdraw(fabric, port, &fabric->channel[port], shape);
        start(fabric, port, 0, number, at, now, shape);
    } else {
        output->blocked = at;
    }
}

/* True if a port of a crossbar has one head only: it requests one output, whose offer it accepts at
 * once. No other output of the cycle sees that: so most packets of a crossbar need no offer. */
GM_TEMPLATE bool has_one_head(const gm_fabric_port *port, const shape shape)
{
    return shape.one_router && (port->ready & (port->ready - 1U)) == 0;
}

/* Starts the only head of a port if there is room for it; else removes its buffer from `open`. */
GM_TEMPLATE bool start_only(gm_fabric *fabric, uint32_t number, uint32_t output, uint32_t *open,
                            gm_cycle at, gm_cycle now, const shape shape)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t own = gm_lowest_one(port->ready);
    uint32_t index = number * fabric->size.channels + own;
    const gm_fabric_channel *channel = &fabric->channel[index];
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, index);
    if (!has_room(fabric, head, output, own, shape)) {
        *open &= ~(1U << channel->into);
        return false;
    }
    withdraw(fabric, number, channel, shape);
    port->turn = own + 1 == fabric->size.channels ? 0 : own + 1;
    start(fabric, number, own, output, at, now, shape);
    return true;
}

/* Lets a free output take the packet of a port that requests it, or offer itself to the port.
 * Returns false if there is room for none of the port's packets. */
GM_TEMPLATE bool take_from(gm_fabric *fabric, uint32_t port, uint32_t output, uint32_t *open,
                           gm_cycle at, gm_cycle now, uint32_t *offered, const shape shape)
{
    if (has_one_head(&fabric->port[port], shape)) {
        return start_only(fabric, port, output, open, at, now, shape);
    }
    uint32_t own = fitting(fabric, port, output, open, shape);
    if (own != GM_FABRIC_NONE) {
        add_offer(fabric, port, own, offered);
    }
    return own != GM_FABRIC_NONE;
}

/* Lets a free output examine the inputs that request it, and offer itself to the first from which
 * it can take a packet. An input whose buffers have all been closed by others is not examined. */
GM_TEMPLATE void offer(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now,
                       uint32_t *offered, const shape shape)
{
    gm_fabric_output *output = &fabric->output[number];
    uint32_t open = fabric->buffers;
    end_blocked(fabric, output, at);
    uint32_t local = gm_bitset_next(requests_for(fabric, number, shape),
                                    words_in(fabric->words, shape), output->turn);
    if (local == GM_BITSET_NONE) {
        return;
    }
    do {
        uint32_t port = first_port(fabric, number, shape) + local;
        if (take_from(fabric, port, number, &open, at, now, offered, shape)) {
            return;
        }
        local = next_in_turn(fabric, number, open, local, shape);
    } while (local != GM_FABRIC_NONE);
    output->blocked = at;
}

/* Lets a port accept one of its offers, and no further one until that packet has left. */
GM_TEMPLATE void accept(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now,
                        const shape shape)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t channels = fabric->size.channels;
    const gm_fabric_channel *channel = &fabric->channel[(size_t)number * channels];
    uint32_t later = port->offers & ~(uint32_t)gm_mask(port->turn);
    uint32_t taken = gm_lowest_one(later != 0 ? later : port->offers);
    for (uint32_t rest = port->ready; rest != 0; rest &= rest - 1) {
        uint32_t own = gm_lowest_one(rest);
        withdraw(fabric, number, &channel[own], shape);
        unblock(fabric, channel[own].output, shape);
        if (own != taken && (port->offers >> own & 1) != 0) {
            mark(fabric, channel[own].output, shape);
        }
    }
    port->turn = taken + 1 == channels ? 0 : taken + 1;
    port->offers = 0;
    start(fabric, number, taken, channel[taken].output, at, now, shape);
}

/* Makes a port idle: its heads request their outputs. Requires that it has heads and that its
 * packet's last flit has left. */
GM_TEMPLATE void become_idle(gm_fabric *fabric, uint32_t number, gm_cycle at, const shape shape)
{
    uint32_t channels = channels_of(fabric, shape);
    uint32_t rest = shape.one_channel ? 1 : fabric->port[number].ready;
    for (; rest != 0; rest &= rest - 1) {
        uint32_t channel = number * channels + gm_lowest_one(rest);
        request(fabric, number, &fabric->channel[channel], at, shape);
    }
}

/* Takes a list out of a slot of the wheel. Returns its first entry, or NONE. */
static inline uint32_t take_list(uint32_t *list, uint32_t slot)
{
    uint32_t first = list[slot];
    list[slot] = GM_FABRIC_NONE;
    return first;
}

/* Handles the wheel's events of cycle `at`. */
GM_TEMPLATE void turn_wheel(gm_fabric *fabric, gm_cycle at, const shape shape)
{
    uint32_t slot = gm_wheel_slot(&fabric->wheel, at, shape.short_wheel);
    if (!gm_wheel_take(&fabric->wheel, slot, shape.short_wheel)) {
        return;
    }
    uint32_t next = take_list(fabric->outputs_at, slot);
    for (uint32_t output = next; output != GM_FABRIC_NONE; output = next) {
        next = fabric->output[output].link;
        fabric->output[output].scheduled = false;
        mark(fabric, output, shape);
    }
    next = take_list(fabric->ports_at, slot);
    for (uint32_t port = next; port != GM_FABRIC_NONE; port = next) {
        next = fabric->port[port].link;
        become_idle(fabric, port, at, shape);
    }
    if (!shape.one_router || shape.speedup) {
        next = take_list(fabric->channels_at, slot);
        for (uint32_t channel = next; channel != GM_FABRIC_NONE; channel = next) {
            next = fabric->channel[channel].link;
            arrive(fabric, channel, at, false, shape);
        }
    }
}

/* Takes the marks behind a bit out of a word: the outputs of a series that have got requests. */
static inline uint64_t take_behind(uint64_t *marked, uint32_t bit)
{
    uint64_t behind = *marked & ~gm_mask(bit + 1);
    *marked ^= behind;
    return behind;
}

GM_TEMPLATE void run_cycle(gm_fabric *fabric, gm_cycle at, gm_cycle now, const shape shape)
{
    turn_wheel(fabric, at, shape);
    uint32_t offered = 0;
    for (uint32_t word = 0; word < words_in(fabric->marked_words, shape); word++) {
        uint64_t marked = fabric->marked[word];
        fabric->marked[word] = 0;
        for (; marked != 0; marked &= marked - 1) {
            uint32_t bit = gm_lowest_one(marked);
            if (shape.one_channel) {
                grant(fabric, word * GM_BITSET_WORD + bit, at, now, shape);
            } else {
                offer(fabric, word * GM_BITSET_WORD + bit, at, now, &offered, shape);
            }
            if (shape.series) {
                marked |= take_behind(&fabric->marked[word], bit);
            }
        }
    }
    for (uint32_t i = 0; i < offered; i++) {
        accept(fabric, fabric->offered[i], at, now, shape);
    }
}

GM_TEMPLATE void step(gm_fabric *fabric, gm_cycle now, const shape shape)
{
    gm_cycle at = gm_clock_first(fabric->clock, now);
    arrive_fresh(fabric, at, now, shape);
    gm_cycle end = gm_clock_first(fabric->clock, now + 1);
    for (;;) {
        if (!gm_bitset_any(fabric->marked, words_in(fabric->marked_words, shape))) {
            at = gm_wheel_next(&fabric->wheel, at, shape.short_wheel);
        }
        if (at >= end) {
            break;
        }
        run_cycle(fabric, at, now, shape);
        at++;
    }
    if (fabric->wake != NULL) {
        gm_wake(fabric->wake, gm_clock_core(fabric->clock, at));
        if (!gm_ring_is_empty(&fabric->fresh)) { /* heads sent in this core cycle */
            gm_wake(fabric->wake, gm_clock_visit(&fabric->clock, now + 1));
        }
    }
}

static __attribute__((noinline)) void step_any(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, ANY);
}

static __attribute__((noinline)) void step_speedup(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, SPEEDUP);
}

static __attribute__((noinline)) void step_series(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, SERIES);
}

static __attribute__((noinline)) void step_medium_series(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, MEDIUM_SERIES);
}

static __attribute__((noinline)) void step_medium_channels(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, MEDIUM_CHANNELS);
}

static __attribute__((noinline)) void step_medium(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, MEDIUM_CROSSBAR);
}

static __attribute__((noinline)) void step_crossbar(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, CROSSBAR);
}

void gm_fabric_step(gm_fabric *fabric, gm_cycle now)
{
    switch (fabric->instance) {
    case GM_FABRIC_SMALL_CROSSBAR:
        step(fabric, now, SMALL_CROSSBAR);
        break;
    case GM_FABRIC_MEDIUM_CROSSBAR:
        step_medium(fabric, now);
        break;
    case GM_FABRIC_CROSSBAR:
        step_crossbar(fabric, now);
        break;
    case GM_FABRIC_SMALL_CHANNELS:
        gm_small_crossbar_step(fabric, now);
        break;
    case GM_FABRIC_MEDIUM_CHANNELS:
        step_medium_channels(fabric, now);
        break;
    case GM_FABRIC_MEDIUM_SERIES:
        step_medium_series(fabric, now);
        break;
    case GM_FABRIC_SPEEDUP:
        step_speedup(fabric, now);
        break;
    case GM_FABRIC_SERIES:
        step_series(fabric, now);
        break;
    case GM_FABRIC_ANY:
        step_any(fabric, now);
        break;
    }
}
