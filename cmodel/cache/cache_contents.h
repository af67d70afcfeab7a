/* Contents of the L2's sets (goldmem/set_contents.h), read from a bank's cache. */
#ifndef GOLDMEM_CACHE_CACHE_CONTENTS_H
#define GOLDMEM_CACHE_CACHE_CONTENTS_H

#include "cache/cache.h"
#include "goldmem/set_contents.h"

/* Lines of a cache, by class. */
typedef struct gm_cache_contents {
#define CLASS(name, meaning) uint64_t name;
    GM_SET_CLASSES(CLASS)
#undef CLASS
} gm_cache_contents;

/* Counts the lines of a set of a bounded cache. */
gm_cache_contents gm_cache_contents_of(gm_cache *cache, uint32_t set);

/* Reads the sets of bank `number`, counted over all partitions. Requires contents of its
 * configuration. */
void gm_set_contents_read(gm_set_contents *contents, uint32_t number, gm_cache *cache);

/* Lines of a sharing-aware cache, with or without data. */
typedef struct gm_sharing_lines {
    uint64_t all, shared, dead;
} gm_sharing_lines;

/* Counts the lines that the cache holds now. */
gm_sharing_lines gm_cache_sharing_lines(const gm_cache *cache);

#endif
