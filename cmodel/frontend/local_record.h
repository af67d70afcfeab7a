/* Local record: an instruction that touches local memory, whole, behind the head of a warp record
 * or a timed record. Its lines depend on the slot that the warp gets in its SM, so that the engine
 * coalesces it at issue. Registers and the program counter are left out. */
#ifndef GOLDMEM_FRONTEND_LOCAL_RECORD_H
#define GOLDMEM_FRONTEND_LOCAL_RECORD_H

#include "frontend/coalescer.h"

/* Returns the bytes that gm_local_record_put may write. */
size_t gm_local_record_room(const gm_instruction *instruction);

/* Writes the record at `at`; returns its length in bytes. */
size_t gm_local_record_put(unsigned char *at, const gm_instruction *instruction);

/* Coalesces the record's instruction for the warp slot that `context` names. `address`:
 * GM_ADDRESSES elements that are overwritten. Returns the record's length in bytes. */
size_t gm_local_record_coalesce(const unsigned char *at, uint64_t *address,
                                const gm_coalesce_context *context, gm_coalescer *coalescer);

/* Returns the record's length in bytes. `address`: GM_ADDRESSES elements that are overwritten. */
size_t gm_local_record_length(const unsigned char *at, uint64_t *address);

#endif
