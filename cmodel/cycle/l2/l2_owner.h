/* MESI at the timed L2 bank: the data with which owners answer forwards and recalls. Private to the
 * bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_OWNER_H
#define GOLDMEM_CYCLE_L2_L2_OWNER_H

#include "cycle/l2/l2_bank_tags.h"

/* An owner has answered the forward or recall of a round. */
void gm_l2_owner_take_data(gm_l2_bank *bank, gm_l2_round *round, const gm_packet *packet,
                           gm_cycle now);

/* True if a round in which all SMs have acknowledged can end: the data of a recalled line that has
 * no slot any more can go to DRAM. */
bool gm_l2_owner_can_end(const gm_l2_bank *bank, const gm_l2_round *round);

/* Sends these data to DRAM. */
void gm_l2_owner_end_recall(gm_l2_bank *bank, const gm_l2_round *round, gm_cycle now);

#endif
