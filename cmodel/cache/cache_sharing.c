/* Sharing-aware replacement in a cache's tag array, by the block sharing_lru [tabbakh, V-B, VI]. A
 * way is in use in the block while it holds a line. */
#include "cache/cache_sharing.h"

#include "goldmem/bits.h"

#include <errno.h>

gm_sharing_lru_parameters gm_cache_sharing_parameters(const gm_cache_sharing_rules *rules,
                                                      uint64_t sets, uint64_t ways)
{
    return (gm_sharing_lru_parameters){
        .level = rules->level,
        .dead = rules->dead,
        .index_bits = sets > 1 ? gm_log2_floor(sets) : 1,
        .ways = (unsigned)ways,
        .sm_bits = rules->sm_bits,
    };
}

static gm_sharing_lru_parameters parameters_of(const gm_cache_parameters *parameters)
{
    return gm_cache_sharing_parameters(&parameters->sharing, parameters->sets, parameters->ways);
}

size_t gm_cache_sharing_bytes(const gm_cache_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    gm_sharing_lru_parameters lines = parameters_of(parameters);
    return gm_sharing_lru_bytes(&lines) + sizeof(gm_cache_sharing) + ALIGNMENT;
}

int gm_cache_sharing_init(gm_cache *cache, gm_arena *arena, gm_error *error)
{
    gm_sharing_lru_parameters lines = parameters_of(&cache->parameters);
    cache->sharing = gm_arena_take(arena, 1, sizeof *cache->sharing);
    return cache->sharing == NULL
               ? gm_fail(error, -ENOMEM, "out of memory: a sharing-aware cache")
               : gm_sharing_lru_init(&cache->sharing->lines, &lines, arena, error);
}

static uint64_t way_of(const gm_cache *cache, gm_cache_place place)
{
    return place.slot - place.set * cache->ways;
}

void gm_cache_sharing_touch(gm_cache *cache, gm_cache_place place)
{
    gm_cache_sharing *sharing = cache->sharing;
    gm_sharing_lru_response response = gm_sharing_lru_access(
        &sharing->lines, (gm_sharing_lru_request){.op = GM_SHARING_LRU_TOUCH,
                                                  .index = place.set,
                                                  .way = way_of(cache, place),
                                                  .sm = sharing->known ? sharing->sm : 0,
                                                  .known = sharing->known});
    sharing->shared = response.shared != 0;
    if (cache->parameters.sharing.level == GM_SHARING_L1) {
        sharing->statistics.l1_hits_shared += response.shared;
        sharing->statistics.l1_hits_private += response.shared == 0;
    }
    sharing->statistics.became_shared += response.became;
}

void gm_cache_sharing_remove(gm_cache *cache, gm_cache_place place)
{
    gm_sharing_lru_access(&cache->sharing->lines,
                          (gm_sharing_lru_request){.op = GM_SHARING_LRU_REMOVE,
                                                   .index = place.set,
                                                   .way = way_of(cache, place)});
}

/* Returns the block's answer to a line at `place`, as REPLACE or PEEK (`op`). */
static gm_sharing_lru_response ask(const gm_cache *cache, gm_cache_place place, uint64_t op)
{
    gm_cache_sharing *sharing = cache->sharing;
    uint32_t first = place.set * cache->ways;
    uint64_t eligible = gm_mask(cache->ways);
    for (uint32_t way = 0; cache->waiting != NULL && way < cache->ways; way++) {
        eligible &= ~((uint64_t)gm_cache_waits(cache, first + way) << way);
    }
    return gm_sharing_lru_access(&sharing->lines,
                                 (gm_sharing_lru_request){.op = op,
                                                          .index = place.set,
                                                          .eligible = eligible,
                                                          .incoming = sharing->incoming,
                                                          .sm = sharing->known ? sharing->sm : 0,
                                                          .known = sharing->known});
}

static uint32_t slot_of(const gm_cache *cache, gm_cache_place place,
                        const gm_sharing_lru_response *response)
{
    return response->none != 0 || response->bypass != 0
               ? GM_NO_SLOT
               : place.set * cache->ways + (uint32_t)response->way;
}

uint32_t gm_cache_sharing_victim(const gm_cache *cache, gm_cache_place place, bool *bypass)
{
    gm_sharing_lru_response response = ask(cache, place, GM_SHARING_LRU_PEEK);
    *bypass = response.bypass != 0;
    return slot_of(cache, place, &response);
}

uint32_t gm_cache_sharing_take(gm_cache *cache, gm_cache_place place)
{
    gm_sharing_statistics *counts = &cache->sharing->statistics;
    gm_sharing_lru_response response = ask(cache, place, GM_SHARING_LRU_REPLACE);
    bool l1 = cache->parameters.sharing.level == GM_SHARING_L1;
    uint64_t evicted_shared = response.evicted & response.shared;
    uint64_t evicted_private = response.evicted & ~response.shared;
    if (l1) {
        bool comes = response.none == 0 && response.bypass == 0;
        counts->l1_fills_private += comes && !cache->sharing->incoming;
        counts->l1_fills_shared += comes && cache->sharing->incoming;
        counts->l1_fills_bypassed += response.bypass;
        counts->l1_evicted_private += evicted_private;
        counts->l1_evicted_shared += evicted_shared;
        counts->l1_dead_marked += response.died;
        counts->l1_dead_evicted += response.dead;
    } else {
        counts->l2_evicted_private += evicted_private;
        counts->l2_evicted_shared += evicted_shared;
        counts->l2_dead_marked += response.died;
        counts->l2_dead_evicted += response.dead;
    }
    return slot_of(cache, place, &response);
}

void gm_cache_sharing_reset(gm_cache *cache)
{
    gm_sharing_lru_access(&cache->sharing->lines,
                          (gm_sharing_lru_request){.op = GM_SHARING_LRU_RESET});
}

int gm_cache_sharing_check_set(const gm_cache *cache, uint32_t set, const char *name,
                               gm_error *error)
{
    for (uint32_t way = 0; way < cache->ways; way++) {
        bool used = (cache->sharing->lines.used[set] >> way & 1) != 0;
        if (used != (cache->way[set * cache->ways + way].tag != GM_NO_LINE)) {
            return gm_fail(error, -EPROTO, "%s: set %u: way %u is %s for its replacement", name,
                           set, way, used ? "in use" : "free");
        }
    }
    return 0;
}

int gm_cache_sharing_check(const gm_cache *cache, const char *name, gm_error *error)
{
    gm_error inner = {0};
    int code = gm_sharing_lru_check(&cache->sharing->lines, &inner);
    if (code < 0) {
        return gm_fail(error, -EPROTO, "%s: %s", name, inner.text);
    }
    for (uint32_t set = 0; code == 0 && set < cache->parameters.sets; set++) {
        code = gm_cache_sharing_check_set(cache, set, name, error);
    }
    return code;
}
