/* MESI at the timed L2 bank: look-ups and answers by the rows of directory_mesi.c. A request whose
 * line is in a transient state waits in the line's MSHR entry; so does, as if it were one, the line
 * whose new owner has not confirmed that it has the data. Private to the bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_MESI_H
#define GOLDMEM_CYCLE_L2_L2_MESI_H

#include "cycle/l2/l2_bank_tags.h"

/* Looks the packet up. Result as gm_l2_bank_look_up. */
gm_l2_fail gm_l2_mesi_look_up(gm_l2_bank *bank, gm_l2_look_up it);

/* Does the next request of the entry that is being answered. Returns false if it waits, or has been
 * answered and what is behind it waits. Requires room for a response. */
bool gm_l2_mesi_answer(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now);

#endif
