/* Small crossbar of several virtual channels: arbitration on words. fabric.c does the same for any
 * fabric, with a request for each idle port and each head, and lists of ports and outputs; here a
 * head's request stays while its port is busy, and a word of the idle ports masks it. The instance
 * of fabric.c had 15% more mispredicted branches in kmeans under MESI, and took 5% more time. */
#include "cycle/noc/small_crossbar.h"

#include "base/bitset.h"
#include "goldmem/bits.h"

/* Returns the word of one bit. */
static inline uint64_t bit(uint32_t number)
{
    return UINT64_C(1) << number % GM_BITSET_WORD;
}

/* Returns the ports of a word from `from` on. */
static inline uint64_t from_on(uint64_t ports, uint32_t from)
{
    return ports & UINT64_MAX << from % GM_BITSET_WORD;
}

/* Returns the ports that need an output for one of the classes `open`. */
static inline uint64_t requesters(const gm_fabric_small_output *output, uint32_t open)
{
    uint64_t ports = 0;
    for (uint32_t class = 0; class < GM_FABRIC_CLASSES; class ++) {
        ports |= output->requests_into[class] & -(uint64_t)(open >> class & 1);
    }
    return ports;
}

/* Returns the ports that need an output. */
static inline uint64_t all_requesters(const gm_fabric_small_output *output)
{
    const uint64_t *into = output->requests_into;
    return into[0] | into[1] | into[2] | into[3];
}

/* Notes the head of virtual channel `own` of a port, which has arrived. */
static inline void arrive(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t channel)
{
    gm_fabric_small *small = &fabric->small;
    gm_fabric_small_port *port = &fabric->small_port[number];
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    uint32_t class = head->packet.class;
    uint32_t output = head->receiver - class * fabric->receivers;
    gm_fabric_small_output *needed = &fabric->small_output[output];
    uint64_t own_bit = bit(number);
    uint64_t output_bit = bit(output);
    port->ready = (uint16_t)(port->ready | 1U << own);
    port->output[own] = (uint8_t)output;
    port->into[own] = (uint8_t) class;
    port->flits[own] = (uint8_t)head->flits;
    port->wants |= output_bit;
    needed->requests |= own_bit;
    needed->requests_into[class] |= own_bit;
    small->waiting |= own_bit;
    small->requested |= output_bit;
    bool idle = (small->idle & own_bit) != 0;
    bool free = (small->free & output_bit) != 0;
    *fabric->marked |= idle ? small->free & output_bit : 0;
    small->due |= (uint64_t)!idle << port->idle_from | (uint64_t)!free << needed->free_from;
}

/* Notes the heads that senders sent before core cycle `now`. */
static inline void arrive_fresh(gm_fabric *fabric, gm_cycle now)
{
    for (; !gm_ring_is_empty(&fabric->fresh); gm_ring_pop(&fabric->fresh)) {
        uint32_t channel = fabric->fresh_channel[gm_ring_first(&fabric->fresh)];
        if (gm_flit_buffer_first(&fabric->channel_buffer, channel)->sent >= now) {
            break;
        }
        uint32_t number = channel * fabric->small.part >> 16;
        arrive(fabric, number, channel - number * fabric->size.channels, channel);
    }
}

/* Makes ports idle and outputs free by cycle `at`, and marks the outputs that may then grant. */
static inline void settle(gm_fabric *fabric, gm_cycle at)
{
    gm_fabric_small *small = &fabric->small;
    gm_cycle passed = at - small->settled; /* the slots of so many cycles, up to `at` */
    uint64_t slots = passed >= GM_BITSET_WORD ? UINT64_MAX : ~(UINT64_MAX << passed);
    uint32_t first = (uint32_t)(small->settled + 1) % GM_BITSET_WORD;
    slots = slots << first | slots >> (-first % GM_BITSET_WORD);
    uint64_t left = small->pending & slots;
    small->settled = at;
    small->pending &= ~slots;
    small->due &= ~slots;
    uint64_t ports = 0;
    uint64_t outputs = 0;
    while (left != 0) {
        gm_fabric_small_slot *slot = &fabric->small_slot[gm_bitset_take_lowest(&left)];
        ports |= slot->ports;
        outputs |= slot->outputs;
        *slot = (gm_fabric_small_slot){0};
    }
    small->idle |= ports;
    small->free |= outputs;
    uint64_t wanted = outputs & small->requested;
    for (ports &= small->waiting; ports != 0;) {
        wanted |= fabric->small_port[gm_bitset_take_lowest(&ports)].wants;
    }
    *fabric->marked |= wanted & small->free;
}

/* Moves a packet to the ejection buffer of its receiver, `output` of a class. */
static inline void eject(gm_fabric *fabric, const gm_flit_packet *packet, uint32_t output,
                         uint32_t class, gm_cycle at, gm_cycle now)
{
    uint32_t flits = packet->flits;
    gm_cycle arrival = gm_clock_core_at(fabric->clock, at + fabric->size.latency + flits - 2);
    gm_cycle ready = arrival > now ? arrival : now + 1;
    uint32_t receiver = packet->receiver;
    fabric->statistics.latency += ready - packet->sent;
    bool alone = gm_flit_buffer_empty(&fabric->ejection_buffer, receiver);
    gm_flit_packet *moved = gm_flit_buffer_push(&fabric->ejection_buffer, receiver, flits);
    *moved = *packet;
    moved->ready = ready;
    if (alone) {
        gm_fabric_set_arrival(fabric, output, class, ready);
    }
}

/* Gives room of virtual channel `own` of a port back to its sender. */
static inline void give_room_back(gm_fabric *fabric, uint32_t sender, uint32_t own,
                                  uint32_t channel, gm_cycle now)
{
    for (uint32_t left = fabric->classes_of[own]; left != 0; left &= left - 1) {
        gm_fabric_refusal *refusal =
            &fabric->refused[gm_lowest_one(left) * fabric->senders + sender];
        if (refusal->flits != 0 && refusal->channel == channel &&
            gm_flit_buffer_room(&fabric->channel_buffer, channel, refusal->flits)) {
            refusal->flits = 0;
            gm_fabric_wake_of(fabric->sender_wake, sender, fabric->senders_first ? now + 1 : now);
        }
    }
}

/* Removes the request of a head, for which its port and `output` are held until cycle `end`. */
static inline void hold(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t output,
                        gm_cycle end)
{
    gm_fabric_small *small = &fabric->small;
    gm_fabric_small_port *port = &fabric->small_port[number];
    gm_fabric_small_output *held = &fabric->small_output[output];
    uint32_t slot = (uint32_t)end % GM_BITSET_WORD;
    uint64_t own_bit = bit(number);
    uint64_t output_bit = bit(output);
    held->requests_into[port->into[own]] &= ~own_bit;
    held->requests = all_requesters(held);
    held->turn = number + 1;
    held->free_from = slot;
    uint32_t ready = port->ready & ~(1U << own);
    uint64_t wants = 0;
    for (uint32_t left = ready; left != 0; left &= left - 1) {
        wants |= bit(port->output[gm_lowest_one(left)]);
    }
    port->ready = (uint16_t)ready;
    port->wants = wants;
    port->turn = (uint8_t)(own + 1 == fabric->size.channels ? 0 : own + 1);
    port->idle_from = (uint8_t)slot;
    small->idle &= ~own_bit;
    small->free &= ~output_bit;
    small->waiting &= wants != 0 ? UINT64_MAX : ~own_bit;
    small->requested &= held->requests != 0 ? UINT64_MAX : ~output_bit;
    small->pending |= bit(slot);
    small->due |= (uint64_t)((held->requests | wants) != 0) << slot;
    fabric->small_slot[slot].ports |= own_bit;
    fabric->small_slot[slot].outputs |= output_bit;
}

/* Starts the head of a port's virtual channel in interconnect cycle `at` of core cycle `now`. */
static inline void start(gm_fabric *fabric, uint32_t number, uint32_t own, uint32_t output,
                         gm_cycle at, gm_cycle now)
{
    gm_flit_buffers *buffers = &fabric->channel_buffer;
    uint32_t channel = number * fabric->size.channels + own;
    const gm_flit_packet *packet = gm_flit_buffer_first(buffers, channel);
    uint32_t class = fabric->small_port[number].into[own];
    uint32_t flits = fabric->small_port[number].flits[own];
    hold(fabric, number, own, output, at + flits);
    eject(fabric, packet, output, class, at, now);
    gm_flit_buffer_pop(buffers, channel, flits);
    if (!gm_flit_buffer_empty(buffers, channel)) {
        if (gm_flit_buffer_first(buffers, channel)->sent >= now) {
            fabric->fresh_channel[gm_ring_push(&fabric->fresh)] = channel;
        } else {
            arrive(fabric, number, own, channel);
        }
    }
    give_room_back(fabric, number, own, channel, now);
}

/* True if the ejection buffer of a class of an output has room for so many flits. */
static inline bool has_room(const gm_fabric *fabric, uint32_t output, uint32_t class,
                            uint32_t flits)
{
    return gm_flit_buffer_room(&fabric->ejection_buffer, class * fabric->receivers + output, flits);
}

/* Returns the virtual channel of a port, in turn, from which `output` can take a packet, or NONE.
 * Classes whose buffer has no room for a packet that is examined are removed from `open`. */
static inline uint32_t fitting(const gm_fabric *fabric, const gm_fabric_small_port *port,
                               uint32_t output, uint32_t *open)
{
    uint32_t later = port->ready & UINT32_MAX << port->turn;
    for (uint32_t left = port->ready; left != 0;) {
        uint32_t own = gm_lowest_one((later & left) != 0 ? later & left : left);
        uint32_t class = port->into[own];
        left &= ~(1U << own);
        if (port->output[own] == output && (*open >> class & 1) != 0) {
            if (has_room(fabric, output, class, port->flits[own])) {
                return own;
            }
            *open &= ~(1U << class);
        }
    }
    return GM_FABRIC_NONE;
}

/* Ends an output's blocked time in cycle `at`. */
static inline void end_blocked(gm_fabric *fabric, uint32_t output, gm_cycle at)
{
    if ((fabric->small.blocked & bit(output)) != 0) {
        fabric->small.blocked &= ~bit(output);
        fabric->statistics.blocked += at - fabric->output[output].blocked;
        fabric->output[output].blocked = GM_NEVER;
    }
}

/* Lets a free output examine the idle ports that request it, and offer itself to the first that has
 * a packet for which there is room. Returns that port as a word, or 0. */
static inline uint64_t examine(gm_fabric *fabric, uint32_t output, gm_cycle at)
{
    const gm_fabric_small_output *examined = &fabric->small_output[output];
    uint32_t open = fabric->buffers;
    uint64_t ports = examined->requests & fabric->small.idle;
    end_blocked(fabric, output, at);
    if (ports == 0) {
        return 0;
    }
    uint64_t behind = from_on(ports, examined->turn);
    do {
        uint32_t number = gm_lowest_one(behind != 0 ? behind : ports);
        gm_fabric_small_port *port = &fabric->small_port[number];
        uint32_t own = fitting(fabric, port, output, &open);
        if (own != GM_FABRIC_NONE) {
            port->offers = (uint16_t)(port->offers | 1U << own);
            return bit(number);
        }
        ports = requesters(examined, open) & fabric->small.idle;
        behind = from_on(ports, number + 1);
    } while (ports != 0);
    fabric->output[output].blocked = at;
    fabric->small.blocked |= bit(output);
    return 0;
}

/* Lets a port accept one of its offers. Outputs that its other heads need are examined again: those
 * whose offer is not accepted, and those that were blocked by them. */
static inline void accept(gm_fabric *fabric, uint32_t number, gm_cycle at, gm_cycle now)
{
    gm_fabric_small_port *port = &fabric->small_port[number];
    uint32_t later = port->offers & UINT32_MAX << port->turn;
    uint32_t taken = gm_lowest_one(later != 0 ? later : port->offers);
    uint64_t again = port->wants & fabric->small.blocked;
    for (uint32_t left = port->offers & ~(1U << taken); left != 0; left &= left - 1) {
        again |= bit(port->output[gm_lowest_one(left)]);
    }
    *fabric->marked |= again;
    port->offers = 0;
    start(fabric, number, taken, port->output[taken], at, now);
}

static inline void run_cycle(gm_fabric *fabric, gm_cycle at, gm_cycle now)
{
    uint64_t marked = *fabric->marked;
    uint64_t offered = 0;
    *fabric->marked = 0;
    while (marked != 0) {
        offered |= examine(fabric, gm_bitset_take_lowest(&marked), at);
    }
    while (offered != 0) {
        accept(fabric, gm_bitset_take_lowest(&offered), at, now);
    }
}

/* Returns the first cycle, `from` or later, in which something may be granted, or GM_NEVER. */
static inline gm_cycle next_due(uint64_t due, gm_cycle from)
{
    uint32_t slot = (uint32_t)from % GM_BITSET_WORD;
    uint64_t ahead = due >> slot | due << (-slot % GM_BITSET_WORD);
    return ahead == 0 ? GM_NEVER : from + gm_lowest_one(ahead);
}

void gm_small_crossbar_step(gm_fabric *fabric, gm_cycle now)
{
    gm_cycle at = gm_clock_first(fabric->clock, now);
    gm_cycle end = gm_clock_first(fabric->clock, now + 1);
    settle(fabric, at);
    arrive_fresh(fabric, now);
    for (;;) {
        if (*fabric->marked == 0) {
            at = next_due(fabric->small.due, at);
        }
        if (at >= end) {
            break;
        }
        settle(fabric, at);
        run_cycle(fabric, at, now);
        at++;
    }
    if (fabric->wake != NULL) {
        gm_wake(fabric->wake, gm_clock_core(fabric->clock, at));
        if (!gm_ring_is_empty(&fabric->fresh)) { /* heads sent in this core cycle */
            gm_wake(fabric->wake, gm_clock_visit(&fabric->clock, now + 1));
        }
    }
}
