/* Timed L2 bank, tag stage: looks up the oldest packet, or answers requests whose data have
 * arrived. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H
#define GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H

#include "cycle/l2/l2_bank.h"

static inline gm_access_kind gm_l2_kind_of(const gm_packet *packet)
{
    return gm_message_access((gm_message_kind)packet->kind);
}

/* Counts the fails of the oldest packet before L2 cycle `cycle`. Out of line:
 * in line it takes registers from its callers, which seldom call it. */
__attribute__((noinline)) void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle);

/* Looks up the oldest packet in L2 cycle `cycle` of core cycle `now`. Requires one. Returns
 * GM_L2_NO_FAIL: the packet has left the queue; GM_L2_WAIT: it is looked up again from
 * bank->look_up_from on; else the stall reason, and nothing has changed. */
gm_l2_fail gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Takes data that have arrived from DRAM, and answers one request of a filled line. Requires such
 * data or such a request. */
void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

#endif
