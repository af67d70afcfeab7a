/* Line requests of an instruction, byte by byte. */
#include "support/frontend/line_set.h"

#include "support/support.h"

#include <string.h>

static void touch(line_set *set, uint64_t line, uint64_t byte, uint32_t lane, bool local)
{
    uint32_t i = 0;
    while (i < set->requests && set->request[i].line != byte / line) {
        i++;
    }
    gm_line_request *request = &set->request[i];
    if (i == set->requests) {
        assert_true(i < LINE_SET);
        set->requests++;
        *request = (gm_line_request){.line = byte / line, .local = local};
        memset(set->bytes[i], 0, sizeof set->bytes[i]);
    }
    uint32_t sector = (uint32_t)(byte % line / 32);
    set->bytes[i][sector] |= UINT32_C(1) << byte % 32;
    request->lanes |= UINT32_C(1) << lane;
    request->sectors |= UINT32_C(1) << sector;
    request->whole |= (set->bytes[i][sector] == UINT32_MAX ? UINT32_C(1) : 0) << sector;
}

/* Of a byte of a thread's local memory: word w of a warp's lanes is one line of 128 bytes, and the
 * same words of all warps follow each other. */
static uint64_t local_byte(const gm_coalesce_context *context, uint64_t offset, uint32_t lane)
{
    uint64_t line = offset / 4 * context->warp_slots + context->warp_slot;
    return GM_LOCAL_REGION + line * 128 + (uint64_t)lane * 4 + offset % 4;
}

void line_set_make(line_set *set, uint64_t line, const gm_coalesce_context *context,
                   const gm_instruction *instruction)
{
    bool local = instruction->space == GM_SPACE_LOCAL;
    uint32_t lane = 0;
    set->requests = 0;
    for (unsigned k = 0; k < instruction->addresses; k++) {
        while (lane < 31 && (instruction->mask >> lane & 1) == 0) {
            lane++;
        }
        uint64_t address = gm_instruction_address(instruction, k);
        for (uint64_t byte = address; byte < address + instruction->width; byte++) {
            touch(set, line, local ? local_byte(context, byte, lane) : byte, lane, local);
        }
        lane = lane < 31 ? lane + 1 : 31;
    }
}
