/* GDDR5 channel: what its files share. */
#ifndef GOLDMEM_CYCLE_DRAM_GDDR5_PARTS_H
#define GOLDMEM_CYCLE_DRAM_GDDR5_PARTS_H

#include "cycle/dram/gddr5.h"

/* Returns whether the list was empty. */
static inline bool gm_gddr5_append(gm_gddr5_list *list, uint32_t *next, uint32_t index)
{
    uint32_t last = list->tail;
    next[index] = GM_GDDR5_NONE;
    list->tail = index;
    if (list->head == GM_GDDR5_NONE) {
        list->head = index;
        return true;
    }
    next[last] = index;
    return false;
}

/* Wakes all L2 banks for the core cycle of DRAM cycle `at`. */
static inline void gm_gddr5_wake_banks(const gm_gddr5 *channel, gm_cycle at)
{
    gm_cycle now = gm_clock_core(channel->clock, at);
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        gm_wake(channel->bank_wake[i], now);
    }
}

/* Issues the commands of the DRAM cycles from `from` on that are before `end`, or, while there is
 * room for a read's answer, before `horizon`: before it no request comes that is not on its way
 * yet. Returns the DRAM cycle, `end` or later, in which there is something to do if nothing happens
 * until then, or GM_NEVER. */
gm_cycle gm_gddr5_schedule(gm_gddr5 *channel, gm_cycle from, gm_cycle end, gm_cycle horizon);

#endif
