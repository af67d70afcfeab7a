/* Transactions of the timed L1's decoupled tag store [li, 4.1, figure 1], and what its data lines
 * hold. docs/decoupled-l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_DECOUPLED_H
#define GOLDMEM_CYCLE_L1_L1_DECOUPLED_H

#include "cycle/l1/l1_lookup.h"

/* On each attempt of a request. The SM's dueling choice is latched at the first. */
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

/* Finds the line's slot and what a PROBE would do. */
void gm_cycle_l1_decoupled_look_up(const gm_cycle_l1 *l1, uint64_t address,
                                   gm_cycle_l1_found *found);

/* False: a PROBE finds no data line to give up, or one that waits for sectors. *packets: of the
 * write-back of the line that it gives up. */
bool gm_cycle_l1_decoupled_has_victim(const gm_cycle_l1 *l1, const gm_cycle_l1_found *found,
                                      uint32_t *packets);

/* WRITE of a store, else INVALIDATE: the line gives its data line up. */
void gm_cycle_l1_decoupled_remove(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind);

/* PROBE that is a MISS, and its FILL if `filled`. Returns the data line's slot. */
uint32_t gm_cycle_l1_decoupled_allocate(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind,
                                        bool filled);

/* PROBE that is a BYPASS. */
void gm_cycle_l1_decoupled_bypass(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind);

/* The first answer of an entry, which is `open` if it has not been closed: installs its data. True
 * if something has changed for requests that wait. */
bool gm_cycle_l1_decoupled_install(gm_cycle_l1 *l1, uint64_t address, gm_cycle_l1_entry *entry,
                                   bool open);

#endif
