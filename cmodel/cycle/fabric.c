/* Routers, links and buffers: the events of their cycles. */
#include "cycle/fabric.h"

#include "goldmem/bits.h"

static bool is_idle(const gm_fabric_port *port)
{
    return port->output == GM_FABRIC_NONE;
}

static void mark(gm_fabric *fabric, uint32_t output)
{
    if (!fabric->output[output].marked) {
        fabric->output[output].marked = true;
        fabric->marked[fabric->marks++] = output;
    }
}

/* Room was given back, or who waits for the output has changed. */
static void unblock(gm_fabric *fabric, uint32_t output)
{
    if (fabric->output[output].blocked != GM_NEVER) {
        mark(fabric, output);
    }
}

/* An entry of the wheel's list `list` for cycle `at`; the caller links it to the one returned. */
static uint32_t schedule(gm_fabric *fabric, uint32_t *list, gm_cycle at, uint32_t entry)
{
    uint32_t slot = (uint32_t)at & (fabric->wheel_size - 1);
    uint32_t next = list[slot];
    list[slot] = entry;
    fabric->due[slot / 64] |= UINT64_C(1) << slot % 64;
    fabric->events++;
    return next;
}

/* The first cycle at or after `from` with an entry: all lie within a turn of the wheel. */
static gm_cycle next_event(const gm_fabric *fabric, gm_cycle from)
{
    if (fabric->events == 0) {
        return GM_NEVER;
    }
    uint32_t words = fabric->wheel_size / 64;
    uint32_t slot = (uint32_t)from & (fabric->wheel_size - 1);
    uint32_t word = slot / 64;
    uint64_t bits = fabric->due[word] & ~gm_mask(slot % 64);
    while (bits == 0) {
        word = word + 1 == words ? 0 : word + 1;
        bits = fabric->due[word];
    }
    uint32_t found = word * 64 + gm_lowest_one(bits);
    return from + ((found - slot) & (fabric->wheel_size - 1));
}

/* An idle port asks for an output. */
static void request(gm_fabric *fabric, uint32_t port, uint32_t output)
{
    uint32_t local = port - fabric->output_wire[output].first_port;
    uint64_t *word = &fabric->requests[(size_t)output * fabric->words + local / 64];
    uint64_t bit = UINT64_C(1) << local % 64;
    fabric->output[output].waiting += (*word & bit) == 0;
    *word |= bit;
    if (!fabric->output[output].busy) {
        mark(fabric, output);
    }
}

static void withdraw(gm_fabric *fabric, uint32_t port, uint32_t output)
{
    uint32_t local = port - fabric->output_wire[output].first_port;
    uint64_t *word = &fabric->requests[(size_t)output * fabric->words + local / 64];
    uint64_t bit = UINT64_C(1) << local % 64;
    fabric->output[output].waiting -= (*word & bit) != 0;
    *word &= ~bit;
    unblock(fabric, output);
}

/* The head of a virtual channel is there. */
static void arrive(gm_fabric *fabric, uint32_t channel)
{
    uint32_t number = fabric->channel[channel].port;
    gm_fabric_port *port = &fabric->port[number];
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    size_t router = fabric->port_wire[number].router;
    uint32_t output = fabric->route[router * fabric->size.receivers + head->receiver];
    fabric->channel[channel].output = output;
    fabric->channel[channel].flits = head->flits;
    port->ready = (uint16_t)(port->ready | 1U << (channel - number * fabric->size.channels));
    if (is_idle(port)) {
        request(fabric, number, output);
    }
}

/* A virtual channel has a new head in interconnect cycle `at`, which belongs to core cycle `now`.
 */
static void new_head(gm_fabric *fabric, uint32_t channel, gm_cycle at, gm_cycle now)
{
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    if (head->ready <= at) {
        arrive(fabric, channel);
    } else if (fabric->port_wire[fabric->channel[channel].port].sender != GM_FABRIC_NONE) {
        fabric->fresh_cycle = now; /* else it would be ready */
        fabric->fresh[fabric->freshes++] = channel;
    } else {
        fabric->channel[channel].link = schedule(fabric, fabric->ready_at, head->ready, channel);
    }
}

static void arrive_fresh(gm_fabric *fabric)
{
    for (uint32_t i = 0; i < fabric->freshes; i++) {
        arrive(fabric, fabric->fresh[i]);
    }
    fabric->freshes = 0;
}

void gm_fabric_send(gm_fabric *fabric, uint32_t sender, uint32_t receiver, uint32_t flits,
                    const gm_packet *packet, gm_cycle now)
{
    uint32_t channel = gm_fabric_entry(fabric, sender, receiver);
    bool head = gm_flit_buffer_empty(&fabric->channel_buffer, channel);
    gm_cycle ready = gm_clock_first(fabric->clock, now + 1);
    *gm_flit_buffer_push(&fabric->channel_buffer, channel, flits) =
        (gm_flit_packet){*packet, now, ready, flits, receiver};
    fabric->statistics.sent++;
    fabric->statistics.sent_flits += flits;
    if (head) {
        if (fabric->fresh_cycle < now) {
            arrive_fresh(fabric);
        }
        fabric->fresh_cycle = now;
        fabric->fresh[fabric->freshes++] = channel;
        if (fabric->wake != NULL) {
            gm_wake(fabric->wake, gm_clock_core(fabric->clock, ready));
        }
    }
}

void gm_fabric_pop(gm_fabric *fabric, uint32_t receiver, gm_cycle now)
{
    gm_flit_buffers *buffers = &fabric->ejection_buffer;
    fabric->statistics.taken++;
    fabric->statistics.taken_flits += gm_flit_buffer_first(buffers, receiver)->flits;
    gm_flit_buffer_pop(buffers, receiver);
    const gm_flit_packet *next = gm_flit_buffer_head(buffers, receiver);
    fabric->arrival[receiver] = next != NULL ? next->ready : GM_NEVER;
    if (next != NULL) {
        gm_fabric_wake_of(fabric->receiver_wake, receiver,
                          next->ready > now ? next->ready : now + 1);
    }
    if (fabric->output[receiver].blocked != GM_NEVER) {
        mark(fabric, receiver);
        if (fabric->wake != NULL) {
            /* Receivers are visited before the fabric where senders are visited after it. */
            gm_cycle from = fabric->senders_first ? now + 1 : now;
            gm_wake(fabric->wake,
                    gm_clock_core(fabric->clock, gm_clock_first(fabric->clock, from)));
        }
    }
}

/* The virtual channel of `port` that `output` would take a packet from, or NONE. Buffers without
 * room for a packet that is before others in turn are added to `closed`. */
static uint32_t fitting(const gm_fabric *fabric, uint32_t port, uint32_t output, uint32_t *closed)
{
    uint32_t channels = fabric->size.channels;
    uint32_t to = fabric->output_wire[output].to;
    for (uint32_t i = 0, c = fabric->port[port].turn; i < channels; i++) {
        uint32_t channel = port * channels + c;
        uint32_t into = to == GM_FABRIC_NONE ? 0 : c;
        if ((fabric->port[port].ready >> c & 1) != 0 && fabric->channel[channel].output == output &&
            (*closed >> into & 1) == 0) {
            uint32_t flits = fabric->channel[channel].flits;
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

/* The next input at or after `from` that asks for the output, or NONE. */
static uint32_t next_request(const gm_fabric *fabric, uint32_t output, uint32_t from)
{
    const uint64_t *row = &fabric->requests[(size_t)output * fabric->words];
    for (uint32_t word = from / 64; word < fabric->words; word++) {
        uint64_t bits = word == from / 64 ? row[word] & ~gm_mask(from % 64) : row[word];
        if (bits != 0) {
            return word * 64 + gm_lowest_one(bits);
        }
    }
    return GM_FABRIC_NONE;
}

/* A free output looks at those who ask for it. Adds the port to `offered` when it finds one. */
static void offer(gm_fabric *fabric, uint32_t number, gm_cycle at, uint32_t *offered)
{
    gm_fabric_output *output = &fabric->output[number];
    if (output->blocked != GM_NEVER) {
        fabric->statistics.blocked += at - output->blocked;
        output->blocked = GM_NEVER;
    }
    uint32_t all = fabric->output_wire[number].to == GM_FABRIC_NONE
                       ? 1
                       : (uint32_t)gm_mask(fabric->size.channels);
    uint32_t closed = 0;
    uint32_t local = output->turn;
    for (uint32_t left = output->waiting; left != 0 && closed != all; left--) {
        local = next_request(fabric, number, local);
        local = local == GM_FABRIC_NONE ? next_request(fabric, number, 0) : local;
        uint32_t port = fabric->output_wire[number].first_port + local;
        uint32_t channel = fitting(fabric, port, number, &closed);
        if (channel != GM_FABRIC_NONE) {
            if (fabric->port[port].offers == 0) {
                fabric->offered[(*offered)++] = port;
            }
            fabric->port[port].offers = (uint16_t)(fabric->port[port].offers | 1U << channel);
            return;
        }
        local++;
    }
    if (output->waiting != 0) {
        output->blocked = at;
    }
}

/* Interconnect cycle `at` of core cycle `now`: a packet begins to move. */
static void move(gm_fabric *fabric, uint32_t channel, gm_cycle at, gm_cycle now)
{
    uint32_t channels = fabric->size.channels;
    const gm_flit_packet *packet = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    uint32_t to = fabric->output_wire[fabric->channel[channel].output].to;
    if (to != GM_FABRIC_NONE) {
        uint32_t into = to * channels + channel % channels;
        bool head = gm_flit_buffer_empty(&fabric->channel_buffer, into);
        gm_flit_packet *moved = gm_flit_buffer_push(&fabric->channel_buffer, into, packet->flits);
        *moved = *packet;
        moved->ready = at + fabric->size.latency;
        if (head) {
            new_head(fabric, into, at, now);
        }
    } else {
        gm_flit_packet *moved =
            gm_flit_buffer_push(&fabric->ejection_buffer, packet->receiver, packet->flits);
        *moved = *packet;
        gm_cycle arrival =
            gm_clock_core(fabric->clock, at + fabric->size.latency + packet->flits - 2);
        moved->ready = arrival > now ? arrival : now + 1;
        gm_wake(&fabric->arrival[packet->receiver], moved->ready); /* those before it came first */
        fabric->statistics.latency += moved->ready - moved->sent;
        gm_fabric_wake_of(fabric->receiver_wake, packet->receiver, moved->ready);
    }
    gm_flit_buffer_pop(&fabric->channel_buffer, channel);
}

/* A port takes one of the offers it has, and no further one until its packet has passed. */
static void accept(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now)
{
    gm_fabric_port *port = &fabric->port[number];
    uint32_t channels = fabric->size.channels;
    uint32_t first = number * channels;
    uint32_t later = port->offers & ~(uint32_t)gm_mask(port->turn);
    uint32_t taken = gm_lowest_one(later != 0 ? later : port->offers);
    uint32_t output = fabric->channel[first + taken].output;
    uint32_t flits = fabric->channel[first + taken].flits;
    for (uint32_t rest = port->ready; rest != 0; rest &= rest - 1) {
        uint32_t channel = gm_lowest_one(rest);
        withdraw(fabric, number, fabric->channel[first + channel].output);
        if (channel != taken && (port->offers >> channel & 1) != 0) {
            mark(fabric, fabric->channel[first + channel].output);
        }
    }
    uint32_t local = number - fabric->output_wire[output].first_port;
    fabric->output[output].turn = local + 1;
    fabric->output[output].busy = true;
    port->turn = taken + 1 == channels ? 0 : taken + 1;
    port->offers = 0;
    port->output = output;
    port->ready = (uint16_t)(port->ready & ~(1U << taken));
    port->link = schedule(fabric, fabric->idle_at, at + flits, number);
    move(fabric, first + taken, at, now);
    if (!gm_flit_buffer_empty(&fabric->channel_buffer, first + taken)) {
        new_head(fabric, first + taken, at, now);
    }
    if (fabric->port_wire[number].sender == GM_FABRIC_NONE) {
        unblock(fabric, fabric->port_wire[number].from);
    } else if (fabric->refused[fabric->port_wire[number].sender]) {
        fabric->refused[fabric->port_wire[number].sender] = false;
        gm_fabric_wake_of(fabric->sender_wake, fabric->port_wire[number].sender,
                          fabric->senders_first ? now + 1 : now);
    }
}

/* A packet's tail has passed. */
static void release(gm_fabric *fabric, uint32_t number)
{
    gm_fabric_port *port = &fabric->port[number];
    gm_fabric_output *output = &fabric->output[port->output];
    output->busy = false;
    if (output->waiting != 0) {
        mark(fabric, port->output);
    }
    port->output = GM_FABRIC_NONE;
    for (uint32_t rest = port->ready; rest != 0; rest &= rest - 1) {
        uint32_t channel = number * fabric->size.channels + gm_lowest_one(rest);
        request(fabric, number, fabric->channel[channel].output);
    }
}

static void run_cycle(gm_fabric *fabric, gm_cycle at, gm_cycle now)
{
    uint32_t slot = (uint32_t)at & (fabric->wheel_size - 1);
    if ((fabric->due[slot / 64] >> slot % 64 & 1) != 0) {
        uint32_t next = fabric->idle_at[slot];
        for (; next != GM_FABRIC_NONE; fabric->events--) {
            uint32_t port = next;
            next = fabric->port[port].link;
            release(fabric, port);
        }
        next = fabric->ready_at[slot];
        for (; next != GM_FABRIC_NONE; fabric->events--) {
            uint32_t channel = next;
            next = fabric->channel[channel].link;
            arrive(fabric, channel);
        }
        fabric->idle_at[slot] = fabric->ready_at[slot] = GM_FABRIC_NONE;
        fabric->due[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    }
    uint32_t offered = 0;
    for (uint32_t i = 0; i < fabric->marks; i++) {
        fabric->output[fabric->marked[i]].marked = false;
        offer(fabric, fabric->marked[i], at, &offered);
    }
    fabric->marks = 0;
    for (uint32_t i = 0; i < offered; i++) {
        accept(fabric, fabric->offered[i], at, now);
    }
}

void gm_fabric_step(gm_fabric *fabric, gm_cycle now)
{
    if (fabric->fresh_cycle < now) {
        arrive_fresh(fabric);
    }
    gm_cycle at = gm_clock_first(fabric->clock, now);
    gm_cycle end = gm_clock_first(fabric->clock, now + 1);
    for (;;) {
        at = fabric->marks != 0 ? at : next_event(fabric, at);
        if (at >= end) {
            break;
        }
        run_cycle(fabric, at, now);
        at++;
    }
    if (fabric->wake != NULL) {
        gm_wake(fabric->wake, gm_clock_core(fabric->clock, at));
        if (fabric->freshes != 0) { /* sent in this cycle */
            gm_wake(fabric->wake, gm_clock_core(fabric->clock, end));
        }
    }
}
