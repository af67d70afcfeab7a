/* Local record: an instruction that touches local memory, kept until its warp's slot is known. */
#include "frontend/local_record.h"

#include "trace/record.h"

size_t gm_local_record_room(const gm_instruction *instruction)
{
    size_t list = instruction->form == GM_ADDRESS_LIST ? (size_t)8 * instruction->addresses : 0;
    return GM_RECORD_SMALL + list;
}

size_t gm_local_record_put(unsigned char *at, const gm_instruction *instruction)
{
    gm_instruction kept = *instruction;
    kept.pc = 0;
    kept.immediate = 0;
    kept.destinations = 0;
    kept.sources = 0;
    return gm_record_encode(at, &kept);
}

size_t gm_local_record_coalesce(const unsigned char *at, uint64_t *address,
                                const gm_coalesce_context *context, gm_coalescer *coalescer)
{
    gm_instruction instruction;
    size_t length = gm_record_decode(at, &instruction, address);
    gm_coalesce(coalescer, context, &instruction);
    return length;
}

size_t gm_local_record_length(const unsigned char *at, uint64_t *address)
{
    gm_instruction instruction;
    return gm_record_decode(at, &instruction, address);
}
