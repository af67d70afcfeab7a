/* Sharing-aware timed L1 [tabbakh, V-B]: fills of shared lines that get no line answer their
 * requesters and are not installed. Requires sharing.enabled. docs/sharing-aware.md. */
#ifndef GOLDMEM_CYCLE_L1_L1_SHARING_H
#define GOLDMEM_CYCLE_L1_L1_SHARING_H

#include "cycle/l1/l1.h"

/* Marks the packet that was queued last as a fetch of local or of global memory. */
void gm_cycle_l1_sharing_asks(gm_cycle_l1 *l1, bool local);

/* Keeps the class of the line of an entry whose data arrive. */
void gm_cycle_l1_sharing_arrived(gm_cycle_l1_entry *entry, uint8_t flags);

/* True if the line of the entry may come in at `place`, where it is absent. False: counts that it
 * bypasses the L1. */
bool gm_cycle_l1_sharing_admits(gm_cycle_l1 *l1, gm_cache_place place,
                                const gm_cycle_l1_entry *entry);

/* Counts the answer of a requester of the entry. `first`: it installed the line, or would have. */
void gm_cycle_l1_sharing_answered(gm_cycle_l1 *l1, gm_cycle_l1_entry *entry, bool first);

/* Checks the counters, if the L1 is sharing-aware. Returns 0 or -EPROTO. */
int gm_cycle_l1_sharing_check(const gm_cycle_l1 *l1, const char *where, gm_error *error);

#endif
