/* Sharing-aware replacement in a cache's tag array, by the block sharing_lru [tabbakh, V-B, VI]:
 * docs/sharing-aware.md. The owner of the cache says who accesses it, before each access. */
#ifndef GOLDMEM_CACHE_CACHE_SHARING_H
#define GOLDMEM_CACHE_CACHE_SHARING_H

#include "cache/cache.h"
#include "goldmem/sharing_lru.h"
#include "goldmem/statistics.h"

typedef struct gm_cache_sharing {
    gm_sharing_lru lines;
    /* Of the next touches and allocations: */
    bool incoming; /* the line is of the class that does not stay: gm_sharing_lru_request */
    bool known;    /* L2: SM `sm` accesses the line */
    uint32_t sm;
    bool shared; /* the line that was touched last is shared */
    gm_sharing_statistics statistics;
} gm_cache_sharing;

/* Returns the parameters of the block in a cache of `sets` sets of `ways` ways. */
gm_sharing_lru_parameters gm_cache_sharing_parameters(const gm_cache_sharing_rules *rules,
                                                      uint64_t sets, uint64_t ways);

/* Returns the bytes of an arena that gm_cache_sharing_init takes. */
size_t gm_cache_sharing_bytes(const gm_cache_parameters *parameters);

/* Makes cache->sharing. Returns 0, -EINVAL or -ENOMEM. */
int gm_cache_sharing_init(gm_cache *cache, gm_arena *arena, gm_error *error);

/* Private to the cache: touches the line at `place`, or removes it. */
void gm_cache_sharing_touch(gm_cache *cache, gm_cache_place place);
void gm_cache_sharing_remove(gm_cache *cache, gm_cache_place place);

/* Returns the slot that a line would get at `place`, among the ways that do not wait; GM_NO_SLOT if
 * all wait, or if the line may not come in (*bypass). Changes nothing. */
uint32_t gm_cache_sharing_victim(const gm_cache *cache, gm_cache_place place, bool *bypass);

/* Gives a line a way among those that do not wait, and counts. Returns its slot; GM_NO_SLOT if the
 * line may not come in. Requires that a way does not wait. Private to the cache, but for lines that
 * do not come in: gm_cache_replace requires one that does. */
uint32_t gm_cache_sharing_take(gm_cache *cache, gm_cache_place place);

/* True if the line in the slot is shared. */
static inline bool gm_cache_sharing_is_shared(const gm_cache *cache, uint32_t slot)
{
    return (cache->sharing->lines.shared[slot / cache->ways] >> slot % cache->ways & 1) != 0;
}

/* Calls observers[number] with each later transaction of the cache's block, if the cache is
 * sharing-aware; NULL: no observer. */
static inline void gm_cache_sharing_observe(gm_cache *cache, const gm_observer *observers,
                                            uint32_t number)
{
    if (cache->sharing != NULL) {
        cache->sharing->lines.observer = gm_observer_of(observers, number);
    }
}

/* A kernel has ended: with sharing.kernel_reset no line of the L2 has an owner or is shared now. */
void gm_cache_sharing_reset(gm_cache *cache);

/* Check that a way is in use in the block exactly if it holds a line. Return 0, or -EPROTO, which
 * names the set. */
int gm_cache_sharing_check_set(const gm_cache *cache, uint32_t set, const char *name,
                               gm_error *error);
int gm_cache_sharing_check(const gm_cache *cache, const char *name, gm_error *error);

#endif
