/* Banks of the L1's data: passes of a load or store of a warp [RRZE-HPC/gpu-benches, gpu-strides:
 * l1tex__data_pipe_lsu_wavefronts]. */
#include "frontend/data_banks.h"

#include "frontend/shared_memory.h"
#include "goldmem/bits.h"

/* Offsets of lanes in the banks: words 2 GB apart count as one. */
enum { OFFSET_BITS = 31 };

/* A lane's words of local memory all lie in its own bank, by lane number. */
static uint32_t local_passes(const gm_instruction *instruction, uint32_t banks)
{
    uint32_t words = (instruction->width + GM_DATA_BANK_BYTES - 1U) / GM_DATA_BANK_BYTES;
    uint32_t lanes = GM_WARP_SIZE > banks ? GM_WARP_SIZE / banks : 1; /* of a bank */
    return words * lanes;
}

uint32_t gm_data_banks_access(const gm_instruction *instruction, uint32_t banks, bool local)
{
    gm_shared_access access[GM_ADDRESSES];
    uint32_t left = 0;
    uint32_t passes;
    if (local) {
        passes = local_passes(instruction, banks);
        return passes > 1 ? passes : 0;
    }
    for (unsigned k = 0; k < instruction->addresses; k++) {
        left = left != 0 ? left : instruction->mask; /* more addresses than lanes: from the first */
        uint64_t address = gm_instruction_address(instruction, k);
        access[k].offset = (uint32_t)(address & gm_mask(OFFSET_BITS));
        access[k].lane = left != 0 ? gm_lowest_one(left) : 0;
        left &= left - 1;
    }
    gm_shared_passes taken =
        gm_shared_memory_access(access, instruction->addresses, instruction->width, banks, false);
    passes = taken.accesses + taken.conflicts;
    return passes > 1 ? passes : 0;
}
