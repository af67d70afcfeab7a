/* Contents of the L2's sets. */
#include "cache/cache_contents.h"

#include "cache/cache_sharing.h"

#include <errno.h>
#include <stdlib.h>

int gm_set_contents_make(gm_set_contents **contents, const gm_config *config, gm_error *error)
{
    if (config->l2.size == GM_UNBOUNDED) {
        return gm_fail(error, -EINVAL, "the sets of the L2: with l2.size=unbounded it has none");
    }
    gm_set_index index;
    gm_cache_parameters cache;
    gm_cache_request request = gm_cache_request_of_l2(config);
    int code = gm_cache_describe(&cache, &index, &request, error);
    gm_set_contents *made = code < 0 ? NULL : calloc(1, sizeof *made);
    *contents = made;
    if (code < 0) {
        return code;
    }
    if (made != NULL) {
        made->ways = (uint32_t)cache.ways;
        made->sets = cache.sets * config->memory.partitions * config->memory.banks;
#define CLASS(name, meaning) made->name = calloc(made->sets, sizeof *made->name);
        GM_SET_CLASSES(CLASS)
#undef CLASS
    }
    bool whole = made != NULL;
#define CLASS(name, meaning) whole = whole && made->name != NULL;
    GM_SET_CLASSES(CLASS)
#undef CLASS
    return whole ? 0 : gm_fail(error, -ENOMEM, "out of memory: the sets of the L2");
}

void gm_set_contents_free(gm_set_contents *contents)
{
    if (contents == NULL) {
        return;
    }
#define CLASS(name, meaning) free(contents->name);
    GM_SET_CLASSES(CLASS)
#undef CLASS
    free(contents);
}

gm_cache_contents gm_cache_contents_of(gm_cache *cache, uint32_t set)
{
    const gm_cache_sharing *sharing = cache->sharing;
    gm_cache_contents contents = {0};
    for (uint32_t way = 0; way < cache->ways; way++) {
        uint32_t slot = set * cache->ways + way;
        const gm_sector_state *state = gm_cache_state(cache, slot);
        bool valid = state->valid != 0;
        contents.lines += valid;
        contents.dirty += valid && state->dirty != 0;
        contents.shared += valid && sharing != NULL && (sharing->lines.shared[set] >> way & 1) != 0;
        contents.dead += valid && sharing != NULL && (sharing->lines.dead[set] >> way & 1) != 0;
    }
    return contents;
}

void gm_set_contents_read(gm_set_contents *contents, uint32_t number, gm_cache *cache)
{
    uint32_t sets = gm_cache_slots(cache) / cache->ways;
    for (uint32_t set = 0; set < sets; set++) {
        const gm_cache_contents of = gm_cache_contents_of(cache, set);
        uint64_t at = (uint64_t)number * sets + set;
#define CLASS(name, meaning) contents->name[at] = (uint32_t)of.name;
        GM_SET_CLASSES(CLASS)
#undef CLASS
    }
}

gm_sharing_lines gm_cache_sharing_lines(const gm_cache *cache)
{
    const gm_sharing_lru *block = &cache->sharing->lines;
    gm_sharing_lines lines = {0};
    uint32_t sets = gm_cache_slots(cache) / cache->ways;
    for (uint32_t set = 0; set < sets; set++) {
        lines.all += gm_count_ones(block->used[set]);
        lines.shared += gm_count_ones(block->shared[set]);
        lines.dead += gm_count_ones(block->dead[set]);
    }
    return lines;
}
