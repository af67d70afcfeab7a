/* Transactions of the timed L1's decoupled tag store [li, 4.1, figure 1], and the state of its data
 * lines. docs/decoupled-l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_DECOUPLED_H
#define GOLDMEM_CYCLE_L1_L1_DECOUPLED_H

#include "cycle/l1/l1_lookup.h"

/* Begins an attempt of a request. Latches the SM's dueling choice at the first attempt. */
static inline void gm_cycle_l1_decoupled_begin(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                               gm_cycle now)
{
    if (l1->decoupled->dueling != NULL) {
        gm_dueling_catch_up(l1->decoupled->dueling, now);
        if (!request->again) {
            gm_decoupled_l1_begin(l1->decoupled);
        }
    }
}

/* Finds the line's slot and the outcome of a PROBE, which it does not make. */
void gm_cycle_l1_decoupled_look_up(const gm_cycle_l1 *l1, uint64_t address,
                                   gm_cycle_l1_found *found);

/* True if a PROBE can take a data line. False: there is none, or it waits for sectors. Sets
 * *packets to the packets of the victim's write-back. */
bool gm_cycle_l1_decoupled_has_victim(const gm_cycle_l1 *l1, const gm_cycle_l1_found *found,
                                      uint32_t *packets);

/* Makes the line give its data line up: by a WRITE for a store, otherwise by an INVALIDATE. */
void gm_cycle_l1_decoupled_remove(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind);

/* Makes a PROBE and, if `filled`, its FILL. Requires that the outcome is a MISS. Returns the data
 * line's slot. */
uint32_t gm_cycle_l1_decoupled_allocate(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind,
                                        bool filled);

/* Makes a PROBE. Requires that the outcome is a BYPASS. */
void gm_cycle_l1_decoupled_bypass(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind);

/* Installs the data of an MSHR entry at its first answer. `open`: the entry has not been closed.
 * Returns true if a stalled request may proceed now. */
bool gm_cycle_l1_decoupled_install(gm_cycle_l1 *l1, uint64_t address, gm_cycle_l1_entry *entry,
                                   bool open);

#endif
