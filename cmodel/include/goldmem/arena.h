/* Arena: one piece of zeroed memory that a caller hands to blocks for their state, freed as a
 * whole. */
#ifndef GOLDMEM_ARENA_H
#define GOLDMEM_ARENA_H

#include "goldmem/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gm_arena {
    unsigned char *memory;
    size_t size;          /* bytes */
    size_t used;          /* bytes */
    unsigned char *block; /* from the heap, contains `memory`; NULL: `memory` is the caller's */
} gm_arena;

/* Takes `size` bytes from the heap. Returns 0 or -ENOMEM. */
int gm_arena_create(gm_arena *arena, size_t size, gm_error *error);

/* Uses the caller's memory, which must be zeroed and aligned for any type. */
void gm_arena_wrap(gm_arena *arena, void *memory, size_t size);

/* Returns `count` elements of `size` bytes, zeroed, aligned to 64 bytes; NULL when the arena is
 * full. */
void *gm_arena_take(gm_arena *arena, size_t count, size_t size);

/* Frees memory from the heap; leaves a caller's memory alone. An arena of zeros is nothing. */
void gm_arena_free(gm_arena *arena);

#ifdef __cplusplus
}
#endif

#endif
