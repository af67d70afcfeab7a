/* Warp store: the instructions of resident warps between a source, which delivers CTA after CTA,
 * and an engine, which takes one instruction of one warp at a time. Memory is bounded: what does
 * not fit goes to an unlinked temporary file in $TMPDIR (or /tmp). One thread may append while
 * another takes. */
#ifndef GOLDMEM_WARP_STORE_H
#define GOLDMEM_WARP_STORE_H

#include "goldmem/instruction.h"

#include <stddef.h>

typedef struct gm_warp_store gm_warp_store;

/* A warp's instructions, first in, first out. Owned by the caller, zeroed before first use. */
typedef struct gm_warp_stream {
    void *head, *tail;      /* private: chunks */
    uint32_t read, written; /* private: positions in them */
    uint64_t count;         /* instructions appended and not yet taken */
} gm_warp_stream;

/* `memory` in bytes (at least one chunk per resident warp is kept beyond it). */
int gm_warp_store_create(gm_warp_store **store, size_t memory, gm_error *error);
void gm_warp_store_free(gm_warp_store *store);

/* Adds a copy of the instruction at the stream's end. -ENOMEM, -ENOSPC (disk full), -EIO. */
int gm_warp_store_append(gm_warp_store *store, gm_warp_stream *stream,
                         const gm_instruction *instruction, gm_error *error);

/* Takes the first instruction. 1: taken; 0: the stream is empty; negative errno value on failure.
 * instruction->address points into `addresses` (GM_ADDRESSES elements). */
int gm_warp_store_take(gm_warp_store *store, gm_warp_stream *stream, gm_instruction *instruction,
                       uint64_t *addresses, gm_error *error);

/* Gives back what the stream still holds. */
void gm_warp_store_drop(gm_warp_store *store, gm_warp_stream *stream);

#endif
