/* L2 bank: its L2 cycles, and when it must be visited next. In a header for the machine's loop over
 * the banks: a visit is short, and what it has to do is in functions. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_STEP_H
#define GOLDMEM_CYCLE_L2_L2_BANK_STEP_H

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_parts.h"
#include "cycle/noc/network.h"

/* Is there a response that the network does not refuse? */
static inline bool gm_l2_bank_may_send(const gm_l2_bank *bank)
{
    return bank->out.count != 0 && !gm_network_refuses(bank->replies, bank->number);
}

static inline bool gm_l2_bank_has_data(const gm_l2_bank *bank, gm_cycle now)
{
    return bank->answering != 0 || *bank->data <= now;
}

/* One L2 cycle. */
static inline __attribute__((always_inline)) void gm_l2_bank_step_cycle(gm_l2_bank *bank,
                                                                        gm_cycle cycle,
                                                                        gm_cycle now)
{
    if (gm_l2_bank_may_send(bank)) {
        gm_l2_bank_send(bank, cycle, now);
    }
    if (bank->dram.count != 0 && bank->push_from <= cycle) {
        gm_l2_bank_push(bank, cycle, now);
    }
    if (gm_l2_bank_has_data(bank, now)) {
        gm_l2_bank_serve_data(bank, cycle, now);
    } else if (bank->look_up_from <= cycle) {
        gm_l2_bank_look_up(bank, cycle, now);
    }
    if (*bank->arrival <= now && gm_l2_bank_takes(bank, now)) {
        gm_l2_bank_take(bank, now);
    }
}

static inline gm_cycle gm_l2_later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* The L2 cycle from which the next request of a line that has come can be answered. */
static inline gm_cycle gm_l2_bank_next_answer(const gm_l2_bank *bank)
{
    if (!gm_l2_ring_has_room(&bank->out)) {
        return GM_NEVER;
    }
    bool atomic = gm_l2_kind_of(&bank->item[bank->next].packet) == GM_ATOMIC;
    return atomic ? bank->atomic_from : 0;
}

/* What the network, the channel and this bank's own state let it do from L2 cycle `next` on. Room
 * that others have not, and packets and data that nobody knows of yet, wake it by themselves.
 * Whether they have room, which takes the longest, is asked last. */
static inline __attribute__((always_inline)) gm_cycle gm_l2_bank_next_visit(const gm_l2_bank *bank,
                                                                            gm_cycle next,
                                                                            gm_cycle now,
                                                                            gm_clock clock)
{
    gm_cycle visit = GM_NEVER;
    gm_cycle tags = bank->look_up_from;
    if (bank->answering == 0) {
        visit = *bank->data;
    } else {
        tags = gm_l2_bank_next_answer(bank);
    }
    if (gm_l2_bank_takes(bank, now)) {
        gm_wake(&visit, *bank->arrival);
    }
    visit = gm_l2_later(visit, now + 1);
    gm_wake(&visit, gm_clock_core(clock, gm_l2_later(tags, next)));
    gm_cycle soonest = gm_clock_core(clock, next);
    bool room =
        visit > soonest && ((gm_l2_bank_may_send(bank) && gm_l2_bank_can_send(bank)) ||
                            (bank->dram.count != 0 && gm_gddr5_has_room(bank->channel, now)));
    return room ? soonest : visit;
}

/* `clock` is the L2's, or, where that is the core's, a constant. */
static inline __attribute__((always_inline)) void gm_l2_bank_step_in(gm_l2_bank *bank, gm_cycle now,
                                                                     gm_clock clock)
{
    gm_cycle next = gm_clock_first(clock, now + 1);
    for (gm_cycle cycle = gm_clock_first(clock, now); cycle < next; cycle++) {
        gm_l2_bank_step_cycle(bank, cycle, now);
    }
    gm_wake(bank->wake, gm_l2_bank_next_visit(bank, next, now, clock));
}

/* The L2 cycles of core cycle `now`. */
static inline __attribute__((always_inline)) void gm_l2_bank_step(gm_l2_bank *bank, gm_cycle now)
{
    static const gm_clock core = {.core = {.divisor = 1}, .own = {.divisor = 1}};
    if (bank->in_core_clock) {
        gm_l2_bank_step_cycle(bank, now, now); /* one: what gm_l2_bank_step_in does with `core` */
        gm_wake(bank->wake, gm_l2_bank_next_visit(bank, now + 1, now, core));
    } else {
        gm_l2_bank_step_by_clock(bank, now);
    }
}

#endif
