/* SRRIP and SHiP in a cache's tag array, by the block replacement. Private to the cache, but for
 * the block's parameters. */
#ifndef GOLDMEM_CACHE_CACHE_RRIP_H
#define GOLDMEM_CACHE_CACHE_RRIP_H

#include "cache/cache.h"

/* Returns the parameters of the block in a cache of `sets` sets of `ways` ways. */
gm_replacement_parameters gm_cache_rrip_parameters(gm_replacement replacement, uint64_t sets,
                                                   uint64_t ways);

/* Returns the bytes of an arena that gm_cache_rrip_init takes. */
size_t gm_cache_rrip_bytes(const gm_cache_parameters *parameters);
int gm_cache_rrip_init(gm_cache *cache, gm_arena *arena, gm_error *error);

void gm_cache_rrip_touch(gm_cache *cache, gm_cache_place place);
void gm_cache_rrip_remove(gm_cache *cache, gm_cache_place place);

/* Returns the slot of the victim among the ways that do not wait and, if `clean`, are not dirty; or
 * GM_NO_SLOT. */
uint32_t gm_cache_rrip_victim(const gm_cache *cache, gm_cache_place place, bool clean);

/* Puts a line into one of the `eligible` ways, a bit for each. Returns its slot. */
uint32_t gm_cache_rrip_take(gm_cache *cache, uint64_t line, gm_cache_place place,
                            uint32_t eligible);

/* Check that a way is in use in the state of replacement exactly if it holds a line. Return 0, or
 * -EPROTO, which names the set. */
int gm_cache_rrip_check_set(const gm_cache *cache, uint32_t set, const char *name, gm_error *error);
int gm_cache_rrip_check(const gm_cache *cache, const char *name, gm_error *error);

#endif
