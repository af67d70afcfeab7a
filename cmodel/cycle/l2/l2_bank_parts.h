/* What the files of the L2 bank share. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_PARTS_H
#define GOLDMEM_CYCLE_L2_L2_BANK_PARTS_H

#include "cycle/l2/l2_bank.h"

/* Index of the oldest element. */
static inline uint32_t gm_l2_ring_first(const gm_l2_ring *ring)
{
    return ring->head & ring->mask;
}

/* Index of the next new element. */
static inline uint32_t gm_l2_ring_next(const gm_l2_ring *ring)
{
    return (ring->head + ring->count) & ring->mask;
}

static inline uint32_t gm_l2_ring_add(gm_l2_ring *ring)
{
    uint32_t index = gm_l2_ring_next(ring);
    ring->count++;
    return index;
}

static inline void gm_l2_ring_take(gm_l2_ring *ring)
{
    ring->head++;
    ring->count--;
}

static inline bool gm_l2_ring_has_room(const gm_l2_ring *ring)
{
    return ring->count < ring->capacity;
}

static inline gm_access_kind gm_l2_kind_of(const gm_packet *packet)
{
    return gm_message_access((gm_message_kind)packet->kind);
}

/* The oldest request, and the oldest response: there is one. */
static inline gm_l2_item *gm_l2_oldest_request(const gm_l2_bank *bank)
{
    return &bank->item[bank->in_item[gm_l2_ring_first(&bank->in)]];
}

static inline gm_l2_item *gm_l2_oldest_response(const gm_l2_bank *bank)
{
    return &bank->item[bank->out_item[gm_l2_ring_first(&bank->out)]];
}

/* Can a packet be taken in core cycle `now`? If not, then not before another has been looked up. */
static inline bool gm_l2_bank_takes(const gm_l2_bank *bank, gm_cycle now)
{
    const gm_l2_shared *shared = bank->shared;
    const gm_l2_ring *in = &bank->in;
    if (in->count <= shared->queued) {
        return true;
    }
    const gm_l2_item *first_too_many =
        &bank->item[bank->in_item[(in->head + shared->queued) & in->mask]];
    return first_too_many->arrived + shared->latency > now && gm_l2_ring_has_room(in);
}

/* There is a new oldest packet: when it is looked up. */
static inline void gm_l2_bank_await(gm_l2_bank *bank)
{
    const gm_l2_shared *shared = bank->shared;
    gm_cycle old_enough = gm_l2_oldest_request(bank)->arrived + shared->latency;
    bank->look_up_from =
        bank->in_core_clock ? old_enough : gm_clock_first(shared->clock, old_enough);
}

/* What a visit may find to do. Sends the oldest response, if the network has room for it: */
void gm_l2_bank_send(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* pushes the oldest request for DRAM, if the channel has room; */
void gm_l2_bank_push(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* takes a packet that has arrived. */
void gm_l2_bank_take(gm_l2_bank *bank, gm_cycle now);

/* Has the network room for the oldest response? */
bool gm_l2_bank_can_send(const gm_l2_bank *bank);

/* A visit where the L2's clock is not the core's. */
void gm_l2_bank_step_by_clock(gm_l2_bank *bank, gm_cycle now);

/* Serves data that have come from DRAM, or a request that waits for them: there are some. */
void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Looks the oldest packet up: it is time. */
void gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Something has changed: counts the fails before L2 cycle `cycle`; from there on the oldest packet
 * is looked up again. */
void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle);

/* Counts the fails before L2 cycle `cycle`. */
void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle);

#endif
