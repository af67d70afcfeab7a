/* Routers, links and buffers: what waits for a cycle, and heads of virtual channels that ask for
 * outputs. `plain` is a constant wherever it is a parameter: what has it is compiled for the plain
 * network and for all others. For fabric.c only. */
#ifndef GOLDMEM_CYCLE_NOC_FABRIC_PARTS_H
#define GOLDMEM_CYCLE_NOC_FABRIC_PARTS_H

#include "cycle/noc/fabric.h"

#define GM_FABRIC_INLINE static inline __attribute__((always_inline))

GM_FABRIC_INLINE void gm_fabric_mark(gm_fabric *fabric, uint32_t output, const bool plain)
{
    fabric->marked[plain ? 0 : output / 64] |= UINT64_C(1) << output % 64;
}

GM_FABRIC_INLINE bool gm_fabric_any_marked(const gm_fabric *fabric, const bool plain)
{
    uint64_t any = fabric->marked[0];
    for (uint32_t word = 1; !plain && word < fabric->marked_words; word++) {
        any |= fabric->marked[word];
    }
    return any != 0;
}

/* Room was given back, or who waits for the output has changed. */
static inline void gm_fabric_unblock(gm_fabric *fabric, uint32_t output)
{
    if (fabric->output[output].blocked != GM_NEVER) {
        gm_fabric_mark(fabric, output, false);
    }
}

/* Of a cycle in the wheel. */
GM_FABRIC_INLINE uint32_t gm_fabric_slot(const gm_fabric *fabric, gm_cycle at, const bool plain)
{
    return (uint32_t)at & ((plain ? 64 : fabric->wheel_size) - 1);
}

/* An entry of the wheel's list `list` for cycle `at`; the caller links it to the one returned. */
GM_FABRIC_INLINE uint32_t gm_fabric_schedule(gm_fabric *fabric, uint32_t *list, gm_cycle at,
                                             uint32_t entry, const bool plain)
{
    uint32_t slot = gm_fabric_slot(fabric, at, plain);
    uint32_t next = list[slot];
    list[slot] = entry;
    fabric->due[slot / 64] |= UINT64_C(1) << slot % 64;
    return next;
}

/* The first cycle at or after `from` with an entry: all lie within a turn of the wheel. */
GM_FABRIC_INLINE gm_cycle gm_fabric_next_event(const gm_fabric *fabric, gm_cycle from,
                                               const bool plain)
{
    uint32_t words = plain ? 1 : fabric->wheel_size / 64;
    uint32_t slot = gm_fabric_slot(fabric, from, plain);
    uint32_t word = slot / 64;
    uint64_t bits = fabric->due[word] & UINT64_MAX << slot % 64;
    for (uint32_t left = words; bits == 0 && left != 0; left--) {
        word = word + 1 == words ? 0 : word + 1;
        bits = fabric->due[word];
    }
    return bits == 0 ? GM_NEVER
                     : from + gm_fabric_slot(fabric, word * 64 + gm_lowest_one(bits) - slot, plain);
}

/* Row of the inputs that ask for an output. */
GM_FABRIC_INLINE uint64_t *gm_fabric_requests(const gm_fabric *fabric, uint32_t output,
                                              const bool plain)
{
    return &fabric->requests[plain ? output : (size_t)output * fabric->words];
}

/* The output is marked when it becomes free. */
GM_FABRIC_INLINE void gm_fabric_schedule_output(gm_fabric *fabric, uint32_t number,
                                                const bool plain)
{
    gm_fabric_output *output = &fabric->output[number];
    output->scheduled = true;
    output->link = gm_fabric_schedule(fabric, fabric->outputs_at, output->free_from, number, plain);
}

/* In cycle `at` an idle port asks for an output. */
GM_FABRIC_INLINE void gm_fabric_request(gm_fabric *fabric, uint32_t port, uint32_t number,
                                        gm_cycle at, const bool plain)
{
    const gm_fabric_output *output = &fabric->output[number];
    uint32_t local = port - (plain ? 0 : fabric->output_wire[number].first_port);
    gm_fabric_requests(fabric, number, plain)[plain ? 0 : local / 64] |= UINT64_C(1) << local % 64;
    if (output->free_from <= at) {
        gm_fabric_mark(fabric, number, plain);
    } else if (!output->scheduled) {
        gm_fabric_schedule_output(fabric, number, plain);
    }
}

/* The head of a virtual channel is there in cycle `at`. Its port asks for the output at once, or
 * when it is idle again; `busy`: it is known not to be. */
GM_FABRIC_INLINE void gm_fabric_arrive(gm_fabric *fabric, uint32_t channel, gm_cycle at,
                                       const bool busy, const bool plain)
{
    uint32_t number = plain ? channel : fabric->channel[channel].port;
    gm_fabric_port *port = &fabric->port[number];
    uint32_t output = gm_flit_buffer_first(&fabric->channel_buffer, channel)->receiver;
    uint32_t own = 0;
    if (!plain) {
        size_t router = fabric->port_wire[number].router;
        output = fabric->route[router * fabric->size.receivers + output];
        own = channel - number * fabric->size.channels;
    }
    bool scheduled = !plain && port->ready != 0;
    fabric->channel[channel].output = output;
    port->ready = (uint16_t)(port->ready | 1U << own);
    if (!busy && port->idle_from <= at) {
        gm_fabric_request(fabric, number, output, at, plain);
    } else if (!scheduled) {
        port->link = gm_fabric_schedule(fabric, fabric->ports_at, port->idle_from, number, plain);
    }
}

/* A virtual channel has a new head in interconnect cycle `at`, which belongs to core cycle `now`:
 * the one before has begun to move, or it comes from another router later. A sender's packets are
 * there from the core cycle after the one in which they were sent. */
GM_FABRIC_INLINE void gm_fabric_new_head(gm_fabric *fabric, uint32_t channel, gm_cycle at,
                                         gm_cycle now, const bool plain)
{
    const gm_flit_packet *head = gm_flit_buffer_first(&fabric->channel_buffer, channel);
    bool from_sender =
        plain || fabric->port_wire[fabric->channel[channel].port].sender != GM_FABRIC_NONE;
    if (from_sender ? head->sent < now : head->ready <= at) {
        gm_fabric_arrive(fabric, channel, at, true, plain);
    } else if (from_sender) {
        fabric->fresh[fabric->fresh_end++ & fabric->fresh_mask] = channel;
    } else {
        fabric->channel[channel].link =
            gm_fabric_schedule(fabric, fabric->channels_at, head->ready, channel, plain);
    }
}

/* Before cycle `at`, the first of core cycle `now`: heads sent before that are there. */
GM_FABRIC_INLINE void gm_fabric_arrive_fresh(gm_fabric *fabric, gm_cycle at, gm_cycle now,
                                             const bool plain)
{
    for (; fabric->fresh_first != fabric->fresh_end; fabric->fresh_first++) {
        uint32_t channel = fabric->fresh[fabric->fresh_first & fabric->fresh_mask];
        if (gm_flit_buffer_first(&fabric->channel_buffer, channel)->sent >= now) {
            break;
        }
        gm_fabric_arrive(fabric, channel, at, false, plain);
    }
}

#endif
