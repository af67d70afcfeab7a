/* Banks of the L1 (l1.banks): each takes one piece of l1.bank_interleave bytes in a cycle, so that
 * requests of one instruction reach the L1 together unless their banks conflict. Private to the
 * load/store unit. docs/l1d.md has the rules. */
#ifndef GOLDMEM_CYCLE_LSU_LOAD_STORE_BANKS_H
#define GOLDMEM_CYCLE_LSU_LOAD_STORE_BANKS_H

#include "cycle/lsu/load_store.h"
#include "goldmem/bits.h"

/* Returns the most line requests that the L1 takes in a cycle. */
uint32_t gm_load_store_width(const gm_config *config);

/* Sets unit->banks and what follows from it. Requires a unit whose order is set. */
void gm_load_store_make_banks(gm_load_store *unit, const gm_config *config);

/* Removes the sectors of the first piece of a line's *sectors, and returns its bank. */
static inline uint32_t gm_load_store_take_piece(const gm_load_store *unit, uint64_t line,
                                                uint32_t *sectors)
{
    uint64_t first = line << unit->l1.shared->l1_sector_bits;
    uint64_t piece = (first + gm_lowest_one(*sectors)) >> unit->bank_shift;
    do {
        *sectors &= *sectors - 1;
    } while (*sectors != 0 && (first + gm_lowest_one(*sectors)) >> unit->bank_shift == piece);
    uint64_t turn = unit->bank_xor ? piece ^ piece >> unit->bank_bits : piece;
    return (uint32_t)turn & (unit->banks - 1);
}

/* Returns the bank of a request's first piece. */
static inline uint32_t gm_load_store_bank_of(const gm_load_store *unit,
                                             const gm_line_request *request)
{
    uint32_t sectors = request->sectors;
    return gm_load_store_take_piece(unit, request->line, &sectors);
}

/* True if a bank of the request is in use in cycle `now`. */
bool gm_load_store_conflicts(const gm_load_store *unit, gm_bank_side side,
                             const gm_line_request *request, gm_cycle now);

/* Occupies the banks of a request from cycle `now` on, each for as many cycles as the request has
 * pieces in it. Requires that it does not conflict. Returns the bank cycles. */
uint32_t gm_load_store_occupy(gm_load_store *unit, gm_bank_side side,
                              const gm_line_request *request, gm_cycle now);

/* True if the request waits for a bank in cycle `now`, which is counted. Most requests are of one
 * piece, here and below. */
static inline bool gm_load_store_waits_for_bank(gm_load_store *unit, const gm_line_request *request,
                                                gm_cycle now)
{
    uint32_t left = request->sectors;
    uint32_t bank = gm_load_store_take_piece(unit, request->line, &left);
    bool waits = left == 0 ? unit->bank_use[bank].until[GM_BANK_ENTRY] > now
                           : gm_load_store_conflicts(unit, GM_BANK_ENTRY, request, now);
    unit->bank_counts.conflicts += waits;
    return waits;
}

/* Takes the banks of a request that does not wait, from cycle `now` on, and counts it. */
static inline void gm_load_store_take_banks(gm_load_store *unit, const gm_line_request *request,
                                            gm_cycle now)
{
    uint32_t left = request->sectors;
    uint32_t bank = gm_load_store_take_piece(unit, request->line, &left);
    unit->bank_counts.requests++;
    if (left == 0) {
        unit->bank_use[bank].until[GM_BANK_ENTRY] = now + 1;
        unit->bank_counts.cycles++;
    } else {
        unit->bank_counts.cycles += gm_load_store_occupy(unit, GM_BANK_ENTRY, request, now);
    }
}

/* Computes a cycle of an L1 with banks that looks requests up first. */
void gm_load_store_step_banked(gm_load_store *unit, gm_cycle now);

/* Saves or loads the banks' state. */
void gm_load_store_snapshot_banks(gm_load_store *unit, gm_snapshot *snapshot);

#endif
