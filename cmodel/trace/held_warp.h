/* Held warp: the instructions of a warp in a warp store, as records (record.h). */
#ifndef GOLDMEM_TRACE_HELD_WARP_H
#define GOLDMEM_TRACE_HELD_WARP_H

#include "goldmem/instruction.h"
#include "goldmem/warp_store.h"

/* Appends a copy of the instruction to the warp's stream. Returns 0, -EINVAL for more than
 * GM_ADDRESSES addresses, or as gm_warp_store_reserve. */
int gm_held_warp_append(gm_warp_store *store, gm_warp_stream *warp,
                        const gm_instruction *instruction, gm_error *error);

/* Takes the first instruction. Returns 1; 0 if there is none; a negative errno value on failure.
 * instruction->address points into `addresses` (GM_ADDRESSES elements). Fields that the address
 * form does not use, and registers beyond those in use, are 0. */
int gm_held_warp_take(gm_warp_store *store, gm_warp_stream *warp, gm_instruction *instruction,
                      uint64_t *addresses, gm_error *error);

#endif
