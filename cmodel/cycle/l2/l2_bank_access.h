/* Timed L2 bank, tag stage: looks up the oldest packet, or answers requests whose data have
 * arrived. */
#ifndef GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H
#define GOLDMEM_CYCLE_L2_L2_BANK_ACCESS_H

#include "cycle/l2/l2_bank.h"

static inline gm_access_kind gm_l2_kind_of(const gm_packet *packet)
{
    return gm_message_access((gm_message_kind)packet->kind);
}

/* Return the oldest request of the ring `in`, the oldest response of the ring `out`. Require one.
 */
static inline gm_l2_item *gm_l2_bank_request(const gm_l2_bank *bank)
{
    return &bank->item[bank->in_item[gm_ring_first(&bank->in)]];
}

static inline gm_l2_item *gm_l2_bank_response(const gm_l2_bank *bank)
{
    return &bank->item[bank->out_item[gm_ring_first(&bank->out)]];
}

/* Counts the fails of the oldest packet before L2 cycle `cycle`. Out of line:
 * in line it takes registers from its callers, which seldom call it. */
__attribute__((noinline)) void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle);

/* Looks up the oldest packet in L2 cycle `cycle` of core cycle `now`. Requires one. Returns
 * GM_L2_NO_FAIL: the packet has left the queue; GM_L2_WAIT: it is looked up again from
 * bank->look_up_from on; else the stall reason, and nothing has changed. */
gm_l2_fail gm_l2_bank_look_up(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* l2_bank_observed.c, of a bank with an observer. What a look-up of a packet changes: its line, if
 * the look-up may take it out of the bank, and counters. */
typedef struct gm_l2_watched {
    gm_packet packet;
    bool present;
    uint64_t accesses, hits, pending, bypasses;
    uint64_t installed; /* victims of L1s that have taken a way */
} gm_l2_watched;

/* Called before a look-up of the packet; after it, tells the observer if the packet has been taken.
 */
gm_l2_watched gm_l2_bank_watch(gm_l2_bank *bank, const gm_packet *packet);
void gm_l2_bank_tell(gm_l2_bank *bank, const gm_l2_watched *before, gm_cycle now);

/* Tell the observer of a host copy, and of a line in a slot whose data have arrived. */
void gm_l2_bank_tell_copy(const gm_l2_bank *bank, const gm_message *message, gm_outcome outcome);
void gm_l2_bank_tell_fill(const gm_l2_bank *bank, uint32_t slot, gm_cycle now);

/* Takes data that have arrived from DRAM, and answers one request of a filled line. Requires such
 * data or such a request. */
void gm_l2_bank_serve_data(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* l2.answer_beside: answers a request whose data have arrived; requires one, and room in the reply
 * queue. Returns true if it was the last of its MSHR entry, which it frees. */
bool gm_l2_bank_answer_filled(gm_l2_bank *bank, gm_cycle now);

/* l2.answer_beside: takes the data of a read; if they are its entry's last, performs the requests
 * of the entry, which are answered from now on. Requires data. */
void gm_l2_bank_fill(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now);

/* The oldest requester of an entry has been answered: drops it. The entry is free, or the others
 * are answered. Requires that no entry is being answered. */
void gm_l2_bank_skip_first(gm_l2_bank *bank, uint32_t entry, gm_cycle now);

/* Lets the requests of an entry be answered: from the first on (`next` is UINT32_MAX), or from item
 * `next` on with `left` behind it. Requires that no entry is being answered. */
void gm_l2_bank_answer_entry(gm_l2_bank *bank, uint32_t entry, uint32_t next, uint32_t left);

#endif
