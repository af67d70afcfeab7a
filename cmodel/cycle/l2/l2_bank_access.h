/* Timed L2 bank: its tags, which look up the oldest packet or answer requests whose data have
 * arrived.
 */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H
#define GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H

#include "cycle/l2/l2_bank.h"

static inline gm_access_kind gm_l2_kind_of(const gm_packet *packet)
{
    return gm_message_access((gm_message_kind)packet->kind);
}

/* Looks the oldest packet up. Requires one. Returns NO_FAIL if the packet leaves the queue; WAIT:
 * it is looked up again from bank->look_up_from on; otherwise nothing has changed. */
gm_l2_fail gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Takes data that have arrived from DRAM, and answers a request of a line that has all. Requires
 * either. */
void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

#endif
