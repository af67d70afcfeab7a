/* Held warp: the instructions of a warp in a warp store. */
#include "trace/held_warp.h"

#include "trace/record.h"

#include <errno.h>

int gm_held_warp_append(gm_warp_store *store, gm_warp_stream *warp,
                        const gm_instruction *instruction, gm_error *error)
{
    size_t needed = GM_RECORD_SMALL;
    if (instruction->form == GM_ADDRESS_LIST) {
        needed += (size_t)8 * instruction->addresses;
    }
    if (instruction->addresses > GM_ADDRESSES) {
        return gm_fail(error, -EINVAL, "%u addresses in an instruction (0..%d)",
                       instruction->addresses, GM_ADDRESSES);
    }
    unsigned char *at = gm_warp_store_reserve(store, warp, needed, error);
    if (at == NULL) {
        return error->code;
    }
    gm_warp_store_commit(warp, gm_record_encode(at, instruction));
    return 0;
}

int gm_held_warp_take(gm_warp_store *store, gm_warp_stream *warp, gm_instruction *instruction,
                      uint64_t *addresses, gm_error *error)
{
    if (warp->count == 0) {
        return 0;
    }
    const unsigned char *at = gm_warp_store_first(store, warp, error);
    if (at == NULL) {
        return error->code;
    }
    gm_warp_store_remove(warp, gm_record_decode(at, instruction, addresses));
    if (warp->count == 0) {
        gm_warp_store_rewind(warp);
    }
    return 1;
}
