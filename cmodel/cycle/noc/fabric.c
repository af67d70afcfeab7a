/* Routers, links and buffers: the events of their cycles. */
#include "cycle/noc/fabric_parts.h"

void gm_fabric_pop(gm_fabric *fabric, uint32_t receiver, gm_cycle now)
{
    gm_flit_buffers *buffers = &fabric->ejection_buffer;
    fabric->statistics.taken++;
    uint32_t flits = gm_flit_buffer_first(buffers, receiver)->flits;
    fabric->statistics.taken_flits += flits;
    gm_flit_buffer_pop(buffers, receiver, flits);
    gm_cycle *arrival = &fabric->arrival[receiver];
    *arrival = GM_NEVER;
    if (!gm_flit_buffer_empty(buffers, receiver)) {
        *arrival = gm_flit_buffer_first(buffers, receiver)->ready;
        gm_fabric_wake_of(fabric->receiver_wake, receiver, *arrival > now ? *arrival : now + 1);
    }
    if (fabric->output[receiver].blocked != GM_NEVER) {
        gm_fabric_mark(fabric, receiver, false);
        if (fabric->wake != NULL) {
            /* Receivers are visited before the fabric where senders are visited after it. */
            gm_wake(fabric->wake,
                    gm_clock_visit(&fabric->clock, fabric->senders_first ? now + 1 : now));
        }
    }
}

/* The virtual channel of `port` that `output` would take a packet from, or NONE. Buffers without
 * room for a packet that is before others in turn are added to `closed`. */
GM_FABRIC_INLINE uint32_t fitting(const gm_fabric *fabric, uint32_t port, uint32_t output,
                                  uint32_t *closed, const bool plain)
{
    uint32_t channels = plain ? 1 : fabric->size.channels;
    uint32_t to = plain ? GM_FABRIC_NONE : fabric->output_wire[output].to;
    for (uint32_t i = 0, c = plain ? 0 : fabric->port[port].turn; i < channels; i++) {
        uint32_t channel = port * channels + c;
        uint32_t into = to == GM_FABRIC_NONE ? 0 : c;
        if (plain || ((fabric->port[port].ready >> c & 1) != 0 &&
                      fabric->channel[channel].output == output && (*closed >> into & 1) == 0)) {
            uint32_t flits = gm_flit_buffer_first(&fabric->channel_buffer, channel)->flits;
            if (to == GM_FABRIC_NONE
                    ? gm_flit_buffer_room(&fabric->ejection_buffer, output, flits)
                    : gm_flit_buffer_room(&fabric->channel_buffer, to * channels + c, flits)) {
                return c;
            }
            *closed |= 1U << into;
        }
        c = c + 1 == channels ? 0 : c + 1;
    }
    return GM_FABRIC_NONE;
}

/* The next input from `from` on, in turn, that asks for the output; there is one. */
GM_FABRIC_INLINE uint32_t next_request(const gm_fabric *fabric, uint32_t output, uint32_t from,
                                       const bool plain)
{
    const uint64_t *row = gm_fabric_requests(fabric, output, plain);
    uint32_t words = plain ? 1 : fabric->words;
    uint32_t word = plain ? 0 : from / 64;
    uint64_t bits = word < words ? row[word] & UINT64_MAX << from % 64 : 0;
    while (bits == 0) {
        word = word + 1 < words ? word + 1 : 0;
        bits = row[word];
    }
    return word * 64 + gm_lowest_one(bits);
}

/* Inputs that ask for an output; in a plain network whether there are any. */
GM_FABRIC_INLINE uint32_t asking(const gm_fabric *fabric, uint32_t output, const bool plain)
{
    const uint64_t *row = gm_fabric_requests(fabric, output, plain);
    if (plain) {
        return row[0] != 0;
    }
    uint32_t inputs = 0;
    for (uint32_t word = 0; word < fabric->words; word++) {
        inputs += gm_count_ones(row[word]);
    }
    return inputs;
}

/* The packet goes to the next router's input. */
static void move_on(gm_fabric *fabric, const gm_flit_packet *packet, uint32_t into, gm_cycle at,
                    gm_cycle now)
{
    bool head = gm_flit_buffer_empty(&fabric->channel_buffer, into);
    gm_flit_packet *moved = gm_flit_buffer_push(&fabric->channel_buffer, into, packet->flits);
    *moved = *packet;
    moved->ready = at + fabric->size.latency;
    if (head) {
        gm_fabric_new_head(fabric, into, at, now, false);
    }
}

/* The packet goes to its receiver. */
GM_FABRIC_INLINE void eject(gm_fabric *fabric, const gm_flit_packet *packet, uint32_t receiver,
                            gm_cycle at, gm_cycle now)
{
    uint32_t flits = packet->flits;
    gm_cycle arrival = gm_clock_core_at(fabric->clock, at + fabric->size.latency + flits - 2);
    gm_cycle ready = arrival > now ? arrival : now + 1;
    fabric->statistics.latency += ready - packet->sent;
    bool head = gm_flit_buffer_empty(&fabric->ejection_buffer, receiver);
    gm_flit_packet *moved = gm_flit_buffer_push(&fabric->ejection_buffer, receiver, flits);
    *moved = *packet;
    moved->ready = ready;
    if (head) { /* else it is the turn of those before it */
        fabric->arrival[receiver] = ready;
        gm_fabric_wake_of(fabric->receiver_wake, receiver, ready);
    }
}

/* Interconnect cycle `at` of core cycle `now`: the head of a port's virtual channel begins to move;
 * it holds port and output until its tail has passed. */
GM_FABRIC_INLINE void start(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t output,
                            gm_cycle at, gm_cycle now, const bool plain)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t channels = plain ? 1 : fabric->size.channels;
    uint32_t channel = number * channels + own;
    uint32_t to = plain ? GM_FABRIC_NONE : fabric->output_wire[output].to;
    gm_fabric_output *held = &fabric->output[output];
    const gm_flit_packet *packet = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    held->turn = number - (plain ? 0 : fabric->output_wire[output].first_port) + 1;
    held->free_from = port->idle_from = at + packet->flits;
    if (asking(fabric, output, plain) != 0) {
        gm_fabric_schedule_output(fabric, output, plain);
    }
    port->ready = (uint16_t)(plain ? 0 : port->ready & ~(1U << own));
    if (port->ready != 0) {
        port->link = gm_fabric_schedule(fabric, fabric->ports_at, port->idle_from, number, plain);
    }
    if (to == GM_FABRIC_NONE) {
        eject(fabric, packet, output, at, now);
    } else {
        move_on(fabric, packet, to * channels + own, at, now);
    }
    gm_flit_buffer_pop(&fabric->channel_buffer, channel, packet->flits);
    if (!gm_flit_buffer_empty(&fabric->channel_buffer, channel)) {
        gm_fabric_new_head(fabric, channel, at, now, plain);
    }
    uint32_t sender = plain ? number : fabric->port_wire[number].sender;
    if (!plain && sender == GM_FABRIC_NONE) {
        gm_fabric_unblock(fabric, fabric->port_wire[number].from);
    } else if (fabric->refused[sender]) {
        fabric->refused[sender] = false;
        gm_fabric_wake_of(fabric->sender_wake, sender, fabric->senders_first ? now + 1 : now);
    }
}

GM_FABRIC_INLINE void withdraw(gm_fabric *fabric, uint32_t port, uint32_t output, const bool plain)
{
    uint32_t local = port - (plain ? 0 : fabric->output_wire[output].first_port);
    gm_fabric_requests(fabric, output, plain)[plain ? 0 : local / 64] &=
        ~(UINT64_C(1) << local % 64);
}

/* A free output looks at those who ask for it. It offers itself to the port that it finds, which is
 * added to `offered`; with one virtual channel no other can: in a plain network it is granted. */
GM_FABRIC_INLINE void offer(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now,
                            uint32_t *offered, const bool plain)
{
    gm_fabric_output *output = &fabric->output[number];
    const gm_fabric_output_wire *wire = &fabric->output_wire[number];
    if (output->blocked != GM_NEVER) {
        fabric->statistics.blocked += at - output->blocked;
        output->blocked = GM_NEVER;
    }
    uint32_t all =
        plain || wire->to == GM_FABRIC_NONE ? 1 : (uint32_t)gm_mask(fabric->size.channels);
    uint32_t closed = 0;
    uint32_t local = output->turn;
    uint32_t inputs = asking(fabric, number, plain);
    for (uint32_t left = inputs; left != 0 && closed != all; left--) {
        local = next_request(fabric, number, local, plain);
        uint32_t port = (plain ? 0 : wire->first_port) + local;
        uint32_t own = fitting(fabric, port, number, &closed, plain);
        if (own != GM_FABRIC_NONE && plain) {
            withdraw(fabric, port, number, plain);
            start(fabric, port, own, number, at, now, plain);
            return;
        }
        if (own != GM_FABRIC_NONE) {
            if (fabric->port[port].offers == 0) {
                fabric->offered[(*offered)++] = port;
            }
            fabric->port[port].offers = (uint16_t)(fabric->port[port].offers | 1U << own);
            return;
        }
        local++;
    }
    if (inputs != 0) {
        output->blocked = at;
    }
}

/* A port takes one of the offers it has, and no further one until its packet has passed. */
static void accept(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t channels = fabric->size.channels;
    const gm_fabric_channel *channel = &fabric->channel[number * channels];
    uint32_t later = port->offers & ~(uint32_t)gm_mask(port->turn);
    uint32_t taken = gm_lowest_one(later != 0 ? later : port->offers);
    for (uint32_t rest = port->ready; rest != 0; rest &= rest - 1) {
        uint32_t own = gm_lowest_one(rest);
        withdraw(fabric, number, channel[own].output, false);
        gm_fabric_unblock(fabric, channel[own].output);
        if (own != taken && (port->offers >> own & 1) != 0) {
            gm_fabric_mark(fabric, channel[own].output, false);
        }
    }
    port->turn = taken + 1 == channels ? 0 : taken + 1;
    port->offers = 0;
    start(fabric, number, taken, channel[taken].output, at, now, false);
}

/* A packet's tail has passed, and the port has other heads. */
GM_FABRIC_INLINE void become_idle(gm_fabric *fabric, uint32_t number, gm_cycle at, const bool plain)
{
    uint32_t channels = plain ? 1 : fabric->size.channels;
    for (uint32_t rest = plain ? 1 : fabric->port[number].ready; rest != 0; rest &= rest - 1) {
        uint32_t channel = number * channels + gm_lowest_one(rest);
        gm_fabric_request(fabric, number, fabric->channel[channel].output, at, plain);
    }
}

/* What the wheel has for cycle `at`. */
GM_FABRIC_INLINE void turn_wheel(gm_fabric *fabric, gm_cycle at, const bool plain)
{
    uint32_t slot = gm_fabric_slot(fabric, at, plain);
    uint64_t bit = UINT64_C(1) << slot % 64;
    if ((fabric->due[slot / 64] & bit) == 0) {
        return;
    }
    fabric->due[slot / 64] &= ~bit;
    uint32_t next = fabric->outputs_at[slot];
    fabric->outputs_at[slot] = GM_FABRIC_NONE;
    for (uint32_t output = next; output != GM_FABRIC_NONE; output = next) {
        next = fabric->output[output].link;
        fabric->output[output].scheduled = false;
        gm_fabric_mark(fabric, output, plain);
    }
    next = fabric->ports_at[slot];
    fabric->ports_at[slot] = GM_FABRIC_NONE;
    for (uint32_t port = next; port != GM_FABRIC_NONE; port = next) {
        next = fabric->port[port].link;
        become_idle(fabric, port, at, plain);
    }
    if (!plain) {
        next = fabric->channels_at[slot];
        fabric->channels_at[slot] = GM_FABRIC_NONE;
        for (uint32_t channel = next; channel != GM_FABRIC_NONE; channel = next) {
            next = fabric->channel[channel].link;
            gm_fabric_arrive(fabric, channel, at, false, plain);
        }
    }
}

GM_FABRIC_INLINE void run_cycle(gm_fabric *fabric, gm_cycle at, gm_cycle now, const bool plain)
{
    turn_wheel(fabric, at, plain);
    uint32_t offered = 0;
    for (uint32_t word = 0; word < (plain ? 1 : fabric->marked_words); word++) {
        uint64_t marked = fabric->marked[word];
        fabric->marked[word] = 0;
        for (; marked != 0; marked &= marked - 1) {
            offer(fabric, word * 64 + gm_lowest_one(marked), at, now, &offered, plain);
        }
    }
    for (uint32_t i = 0; i < offered; i++) {
        accept(fabric, fabric->offered[i], at, now);
    }
}

GM_FABRIC_INLINE void step(gm_fabric *fabric, gm_cycle now, const bool plain)
{
    gm_cycle at = gm_clock_first(fabric->clock, now);
    gm_fabric_arrive_fresh(fabric, at, now, plain);
    gm_cycle end = gm_clock_first(fabric->clock, now + 1);
    for (;;) {
        at = gm_fabric_any_marked(fabric, plain) ? at : gm_fabric_next_event(fabric, at, plain);
        if (at >= end) {
            break;
        }
        run_cycle(fabric, at, now, plain);
        at++;
    }
    if (fabric->wake != NULL) {
        gm_wake(fabric->wake, gm_clock_core(fabric->clock, at));
        if (fabric->fresh_first != fabric->fresh_end) { /* sent in this cycle */
            gm_wake(fabric->wake, gm_clock_visit(&fabric->clock, now + 1));
        }
    }
}

static __attribute__((noinline)) void step_any(gm_fabric *fabric, gm_cycle now)
{
    step(fabric, now, false);
}

void gm_fabric_step(gm_fabric *fabric, gm_cycle now)
{
    if (fabric->plain) {
        step(fabric, now, true);
    } else {
        step_any(fabric, now);
    }
}
