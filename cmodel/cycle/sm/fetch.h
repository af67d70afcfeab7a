/* Fetch and decode: turns a record into a warp's next instruction; with sm.fetch, keeps the buffers
 * that instructions issue from. */
#ifndef GOLDMEM_CYCLE_SM_FETCH_H
#define GOLDMEM_CYCLE_SM_FETCH_H

#include "cycle/sm/l1i.h"
#include "cycle/sm/scoreboard.h"
#include "cycle/sm/warp.h"

/* Makes the record the warp's next instruction. Returns the first cycle in which all its registers
 * are available, as gm_scoreboard_ready. */
static inline gm_cycle gm_cycle_sm_decode(gm_cycle_warp *warp, const gm_cycle *score,
                                          const unsigned char *record)
{
    uint64_t head = gm_warp_load(record, sizeof head);
    unsigned registers = gm_timed_registers(head);
    gm_cycle ready = 0;
    warp->head = head;
    warp->pipe = (uint8_t)gm_timed_unit(head);
    warp->bytes = GM_WARP_HEAD;
    if (registers != 0) {
        const unsigned char *at = record + GM_WARP_HEAD;
        warp->bytes = GM_WARP_HEAD + sizeof head;
        warp->registers[0] = gm_warp_load(at, sizeof head);
        if (registers > GM_TIMED_WORD_REGISTERS) {
            warp->bytes = GM_WARP_HEAD + 2 * sizeof head;
            warp->registers[1] = gm_warp_load(at + sizeof head, sizeof head);
        }
        ready = gm_scoreboard_ready(score, warp->registers, registers);
    }
    return ready;
}

/* As gm_cycle_sm_decode, of the record of the warp in the slot. With an instruction cache, an
 * instruction in another line than those in the warp's buffer leaves the buffer empty. */
GM_TEMPLATE gm_cycle gm_cycle_sm_decode_next(gm_cycle_sm *sm, gm_cycle_warp *warp, uint32_t slot,
                                             const gm_cycle *score, const unsigned char *record,
                                             const gm_sm_shape shape)
{
    if (!shape.l1i || sm->shared->code == 0) {
        return gm_cycle_sm_decode(warp, score, record);
    }
    gm_cycle ready = gm_cycle_sm_decode(warp, score, record + GM_TIMED_CODE);
    warp->bytes += GM_TIMED_CODE;
    if (sm->l1i != NULL &&
        gm_l1i_moves(sm->l1i, slot, gm_warp_load(record, GM_TIMED_CODE), warp->taken == 0)) {
        sm->buffered[slot] = 0;
        gm_bitset_add(sm->unfetched, slot);
    }
    return ready;
}

/* True if sm.fetch is set and the warp's buffer is empty. */
static inline bool gm_cycle_sm_is_unfetched(const gm_cycle_sm *sm, uint32_t slot)
{
    return sm->fetch != 0 && gm_bitset_has(sm->unfetched, slot);
}

/* True if the warp's buffer is empty and waits for a line that the instruction cache lacks. */
static inline bool gm_cycle_sm_is_missing(const gm_cycle_sm *sm, uint32_t slot)
{
    return sm->l1i != NULL && gm_bitset_has(sm->l1i->missing, slot);
}

/* With sm.fetch: fetches for the next warp in turn whose buffer is empty, and lets it issue from
 * its decode on, which is in the next cycle after the cycle's `last` fetch; with an instruction
 * cache that lacks the line, leaves the warp missing. Returns its slot, or GM_NO_WARP if there is
 * none to fetch for. */
uint32_t gm_cycle_sm_fetch(gm_cycle_sm *sm, gm_cycle now, bool last);

#endif
