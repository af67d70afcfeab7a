/* Arena: memory from calloc, handed out in pieces that begin at a cache line of the host. */
#include "goldmem/arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

int gm_arena_create(gm_arena *arena, size_t size, gm_error *error)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    rounded = rounded == 0 ? ALIGNMENT : rounded;
    size_t with_padding = rounded + ALIGNMENT;
    /* calloc takes zero pages for a large block: unused parts cost neither memory nor time. */
    arena->block = with_padding < size ? NULL : calloc(1, with_padding);
    if (arena->block == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: an arena of %zu bytes", size);
    }
    size_t padding = (ALIGNMENT - (uintptr_t)arena->block % ALIGNMENT) % ALIGNMENT;
    arena->memory = arena->block + padding;
    arena->size = rounded;
    arena->used = 0;
    return 0;
}

void gm_arena_wrap(gm_arena *arena, void *memory, size_t size)
{
    *arena = (gm_arena){.memory = memory, .size = size};
}

void *gm_arena_take(gm_arena *arena, size_t count, size_t size)
{
    uintptr_t next = (uintptr_t)arena->memory + arena->used;
    size_t padding = (ALIGNMENT - next % ALIGNMENT) % ALIGNMENT;
    size_t left = arena->size - arena->used;
    if (padding > left || (size != 0 && count > (left - padding) / size)) {
        return NULL;
    }
    void *taken = arena->memory + arena->used + padding;
    arena->used += padding + count * size;
    return taken;
}

void gm_arena_free(gm_arena *arena)
{
    free(arena->block);
    *arena = (gm_arena){0};
}
