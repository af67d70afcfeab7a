/* What the files of the L2 bank share. */
#ifndef GOLDMEM_CYCLE_L2_BANK_PARTS_H
#define GOLDMEM_CYCLE_L2_BANK_PARTS_H

#include "cycle/l2_bank.h"

/* Index of the queue's element number `position`, 0 the oldest; count: where the next will be. */
static inline uint32_t gm_l2_ring_at(const gm_l2_ring *ring, uint32_t position)
{
    uint32_t index = ring->head + position;
    return index < ring->capacity ? index : index - ring->capacity;
}

static inline uint32_t gm_l2_ring_add(gm_l2_ring *ring)
{
    return gm_l2_ring_at(ring, ring->count++);
}

static inline void gm_l2_ring_take(gm_l2_ring *ring)
{
    ring->head = gm_l2_ring_at(ring, 1);
    ring->count--;
}

static inline bool gm_l2_ring_has_room(const gm_l2_ring *ring)
{
    return ring->count < ring->capacity;
}

static inline gm_access_kind gm_l2_kind_of(const gm_packet *packet)
{
    static const uint8_t kinds[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = GM_LOAD,        [GM_MESSAGE_WRITE] = GM_STORE,
        [GM_MESSAGE_WRITE_BACK] = GM_STORE, [GM_MESSAGE_ATOMIC] = GM_ATOMIC,
        [GM_MESSAGE_REDUCTION] = GM_ATOMIC,
    };
    return (gm_access_kind)kinds[packet->kind];
}

/* Serves data that have come from DRAM, or a request that waits for them; false: there are none,
 * and the tags are free in this L2 cycle. */
bool gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Looks the oldest packet up, unless it is too young, has failed, or waits for the atomic unit. */
void gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Something has changed: counts the fails before L2 cycle `cycle`; from there on the oldest packet
 * is looked up again. */
void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle);

/* Counts the fails before L2 cycle `cycle`. */
void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle);

/* Counts the MSHR entries in use up to core cycle `now`. */
static inline void gm_l2_bank_count_entries(gm_l2_bank *bank, gm_cycle now)
{
    bank->time.l2_mshr_cycles += bank->entries * (now - bank->counted);
    bank->counted = now;
}

#endif
