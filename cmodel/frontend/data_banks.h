/* Banks of the L1's data (l1.data_banks): the passes over them that a load or store of a warp
 * takes. They are 4 bytes wide, and the rules are shared memory's. */
#ifndef GOLDMEM_FRONTEND_DATA_BANKS_H
#define GOLDMEM_FRONTEND_DATA_BANKS_H

#include "goldmem/instruction.h"

enum { GM_DATA_BANK_BYTES = 4 };

/* True if a run of lanes of `width` bytes in one line of 128 bytes or less takes one pass, or if
 * there are no banks. */
static inline bool gm_data_banks_suit_run(uint32_t banks, unsigned width)
{
    return banks == 1 || (banks >= GM_WARP_SIZE && width <= GM_DATA_BANK_BYTES);
}

/* Returns the passes of an instruction; 0 for one pass. `local`: its lanes' words are those of
 * local memory, side by side. Takes a mixed generic access by its lanes' addresses, since shared
 * memory lies in the same banks. Requires addresses and a width. */
uint32_t gm_data_banks_access(const gm_instruction *instruction, uint32_t banks, bool local);

#endif
