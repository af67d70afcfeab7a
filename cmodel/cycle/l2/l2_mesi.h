/* MESI at the timed L2 bank: look-ups and answers by the rows of directory_mesi.c. A request whose
 * line is in a transient state waits in the line's MSHR entry. A line whose new owner has not
 * confirmed its data has an MSHR entry, too, as if a request waited. Private to the bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_MESI_H
#define GOLDMEM_CYCLE_L2_L2_MESI_H

#include "coherence/mesi.h"
#include "cycle/l2/l2_bank_tags.h"

/* Looks the packet up. Result as gm_l2_bank_look_up. */
gm_l2_fail gm_l2_mesi_look_up(gm_l2_bank *bank, gm_l2_look_up it);

/* gm_l2_bank_look_up of a bank that `owns`, whose fails have been counted. Without it, the look-up
 * is passed on from function to function in memory, written and read in pieces of other sizes. */
gm_l2_fail gm_l2_mesi_look_up_oldest(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* Lets the host fetch what the look-up of the oldest packet will read: of a large L2 that is not in
 * the host's second-level cache. Requires a bank that `owns`, and a packet. */
static inline void gm_l2_mesi_prefetch(const gm_l2_bank *bank)
{
    const gm_packet *packet = &bank->item[bank->in_item[gm_ring_first(&bank->in)]].packet;
    uint32_t slot = gm_cache_foresee_way(&bank->l2.cache, packet->in_bank);
    if (slot != GM_NO_SLOT) {
        gm_prefetch(gm_mesi_l2_line(&bank->coherent->protocol, slot));
    }
}

/* Does the next request of the entry that is being answered. Returns false if it waits, or has been
 * answered and what is behind it waits. Requires room for a response. */
bool gm_l2_mesi_answer(gm_l2_bank *bank, gm_packet *packet, gm_cycle cycle, gm_cycle now);

#endif
