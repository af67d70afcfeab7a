/* Parts of sectors in a lazy L2: storage. */
#include "cache/l2_parts.h"

size_t gm_l2_parts_size(const gm_cache_parameters *cache, uint32_t sectors)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    return sizeof(gm_l2_parts) + cache->sets * cache->ways * sectors * sizeof(uint32_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

gm_l2_parts *gm_l2_parts_make(const gm_cache *cache, uint32_t sectors, gm_arena *arena)
{
    gm_l2_parts *own = gm_arena_take(arena, 1, sizeof *own);
    uint32_t *written =
        gm_arena_take(arena, (size_t)gm_cache_slots(cache) * sectors, sizeof *written);
    if (own == NULL || written == NULL) {
        return NULL;
    }
    *own = (gm_l2_parts){.written = written, .sectors = sectors};
    return own;
}
