/* Arena: memory from calloc, handed out in pieces that begin at a cache line of the host. */
#include "goldmem/arena.h"

#include "base/huge_pages.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

/* Tells the host whether to use huge pages from the page that `memory` is in to before the one that
 * its end is in. */
static void advise(unsigned char *memory, size_t size, int advice)
{
    enum { PAGE = 4096 };
    size_t before = (uintptr_t)memory % PAGE;
    (void)madvise(memory - before, (size + before) / PAGE * PAGE, advice);
}

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
    if (rounded >= GM_HUGE_PAGE) {
        advise(arena->memory, rounded, MADV_HUGEPAGE);
    }
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

void *gm_arena_take_sparse(gm_arena *arena, size_t count, size_t size)
{
    size_t left = arena->size - arena->used;
    if (size != 0 && count > left / size) {
        return NULL;
    }
    uintptr_t end = (uintptr_t)arena->memory + arena->size;
    size_t taken = count * size + (end - count * size) % ALIGNMENT;
    if (taken > left) {
        return NULL;
    }
    arena->size -= taken;
    unsigned char *memory = arena->memory + arena->size;
    if (arena->block != NULL && taken >= GM_HUGE_PAGE) {
        advise(memory, taken, MADV_NOHUGEPAGE);
    }
    return memory;
}

void gm_arena_free(gm_arena *arena)
{
    free(arena->block);
    *arena = (gm_arena){0};
}
