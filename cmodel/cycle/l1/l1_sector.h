/* MSHRs of the timed L1 that merge by sector (l1.merge_by=sector): each missing 32-byte sector
 * takes an entry of its own, whose address is the sector's. Sectors that one request fetches from
 * one L2 line come in one packet, and a request that waits in several entries is answered once,
 * with the last of them. docs/l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_SECTOR_H
#define GOLDMEM_CYCLE_L1_L1_SECTOR_H

#include "cycle/l1/l1_lookup.h"

/* Returns the address by which the MSHRs know a sector of a line. */
static inline uint64_t gm_cycle_l1_sector_address(const gm_cycle_l1 *l1, uint64_t line,
                                                  unsigned sector)
{
    return line << l1->shared->l1_sector_bits | sector;
}

/* Returns the line of an address that the MSHRs know. */
static inline uint64_t gm_cycle_l1_mshr_line(const gm_cycle_l1 *l1, uint64_t address)
{
    return address >> l1->shared->mshr_shift;
}

/* Returns the number in the ids of the packet that brings an entry's data. */
static inline uint32_t gm_cycle_l1_owner(const gm_cycle_l1 *l1, uint32_t entry)
{
    return l1->shared->by_sector ? l1->link[entry].owner : entry;
}

/* Returns the bytes of arena that gm_cycle_l1_sector_init takes; 0 unless the MSHRs merge by
 * sector. */
size_t gm_cycle_l1_sector_bytes(const gm_cycle_l1_shared *shared);

/* Makes l1->link and l1->split if the MSHRs merge by sector. Returns 0 or -ENOMEM. */
int gm_cycle_l1_sector_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error);

/* Fills in what of a line is in flight. `maybe`: sectors that could be. */
void gm_cycle_l1_sector_look_up(const gm_cycle_l1 *l1, uint64_t line, uint32_t maybe,
                                gm_cycle_l1_found *found);

/* Handles a request that fetches sectors or waits for sectors in flight. Result as
 * gm_cycle_l1_access. */
gm_cycle_l1_answer gm_cycle_l1_sector_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                                           const gm_cycle_l1_found *found,
                                           const gm_l1_effect *effect, gm_cycle now,
                                           uint32_t *answers);

/* Closes the entries of sectors of a line, which then have no slot. */
void gm_cycle_l1_sector_close(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors);

/* True if open entries of the line remain that have its slot. `held`: sectors for which there is
 * none. */
bool gm_cycle_l1_sector_waits(const gm_cycle_l1 *l1, uint64_t line, uint32_t held);

/* True if a requester's word stands for a request that waits in several entries. */
static inline bool gm_cycle_l1_is_split(uint64_t requester)
{
    return requester >> 63 != 0;
}

/* Returns the request behind a word for which gm_cycle_l1_is_split holds. */
static inline gm_cycle_l1_split *gm_cycle_l1_split_of(const gm_cycle_l1 *l1, uint64_t requester)
{
    return &l1->split[(uint32_t)requester];
}

/* Counts one answer of a split request; sets *requester to the word of the request undivided.
 * Returns true if the answer was the last. */
bool gm_cycle_l1_split_answered(gm_cycle_l1 *l1, uint64_t *requester);

/* Saves or loads l1->link and l1->split. */
void gm_cycle_l1_sector_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot);

#endif
