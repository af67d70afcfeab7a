/* Cache: the tag array of a conventional set-associative cache with valid and dirty bits per
 * 32-byte sector and LRU or FIFO replacement. It holds state only; what an access does is the
 * business of l1d.c and l2.c. */
#ifndef GOLDMEM_SYSTEM_CACHE_H
#define GOLDMEM_SYSTEM_CACHE_H

#include "goldmem/arena.h"
#include "goldmem/config.h"
#include "goldmem/observer.h"
#include "goldmem/set_index.h"
#include "system/line_map.h"

enum { GM_SECTOR = 32, GM_SECTOR_SHIFT = 5 }; /* bytes, and its log2 */

typedef struct gm_cache_parameters {
    uint64_t sets; /* a power of two; 1: fully associative */
    uint64_t ways; /* any number; GM_UNBOUNDED: the cache holds every line */
    gm_replacement replacement;
    const gm_set_index *index;   /* kept by the caller; NULL: the low bits, any number of sets */
    const gm_observer *observer; /* of the calls of index; NULL: nobody looks */
} gm_cache_parameters;

/* Neighbours of a way in the circular list of its set, from the newest to the oldest. */
typedef struct gm_cache_order {
    uint32_t older, newer;
} gm_cache_order;

typedef struct gm_cache {
    gm_cache_parameters parameters;
    uint64_t *tag;          /* [sets * ways] the line address; GM_NO_LINE when invalid */
    gm_sector_state *state; /* [sets * ways] */
    gm_cache_order *order;  /* [sets * ways] */
    uint32_t *newest;       /* [sets] */
    uint64_t allocations;   /* lines that became valid, for the conservation laws */
    bool unbounded;
    gm_line_map table; /* unbounded: in place of the arrays above */
} gm_cache;

#define GM_NO_LINE UINT64_MAX

/* Where a line is, or could go. */
typedef struct gm_cache_place {
    uint32_t set;
    uint32_t slot; /* set * ways + way, or GM_NO_SLOT */
} gm_cache_place;

typedef struct gm_victim {
    uint64_t line;
    gm_sector_state state; /* valid 0: nothing was evicted */
} gm_victim;

/* Fills the parameters of a cache of `size` bytes with `sets` sets, as gm_config_l1_sets and
 * gm_config_l2_sets give them; `text` names the set-index function, made in *index. -EINVAL. */
int gm_cache_describe(gm_cache_parameters *parameters, gm_set_index *index, const char *text,
                      uint64_t size, uint64_t line, uint64_t sets, gm_replacement replacement,
                      gm_error *error);

/* Bytes of arena that gm_cache_init takes. */
size_t gm_cache_bytes(const gm_cache_parameters *parameters);

/* -EINVAL, -ENOMEM. gm_cache_free gives back what an unbounded cache has taken beyond the arena. */
int gm_cache_init(gm_cache *cache, const gm_cache_parameters *parameters, gm_arena *arena,
                  gm_error *error);
void gm_cache_free(gm_cache *cache);

/* From now on `observer` (NULL: nobody) is told each call of the set-index function; the cache must
 * have been described with `index`. Nothing is told for a fully associative cache. */
void gm_cache_observe(gm_cache *cache, const gm_set_index *index, const gm_observer *observer);

/* Private to the functions below. */
gm_cache_place gm_cache_find_unbounded(const gm_cache *cache, uint64_t line);
uint32_t gm_cache_allocate_unbounded(gm_cache *cache, uint64_t line, gm_victim *victim);
void gm_cache_make_newest(gm_cache *cache, gm_cache_place place);
void gm_cache_tell_observer(const gm_cache *cache, uint64_t line, uint32_t set);

uint32_t gm_cache_find_way(const gm_cache *cache, uint64_t line, uint32_t set);

static inline uint32_t gm_cache_set_of(const gm_cache *cache, uint64_t line)
{
    if (cache->parameters.index == NULL) {
        return (uint32_t)(line & (cache->parameters.sets - 1));
    }
    uint32_t set = gm_set_index_of(cache->parameters.index, line);
    if (cache->parameters.observer != NULL) {
        gm_cache_tell_observer(cache, line, set);
    }
    return set;
}

/* Looks a line address up; changes nothing. */
static inline gm_cache_place gm_cache_find(const gm_cache *cache, uint64_t line)
{
    if (cache->unbounded) {
        return gm_cache_find_unbounded(cache, line);
    }
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t newest = cache->newest[set];
    if (cache->tag[newest] == line) {
        return (gm_cache_place){set, newest};
    }
    return (gm_cache_place){set, gm_cache_find_way(cache, line, set)};
}

/* The line was used: LRU makes it the newest, FIFO does nothing. */
static inline void gm_cache_touch(gm_cache *cache, gm_cache_place place)
{
    if (cache->parameters.replacement == GM_REPLACE_LRU && !cache->unbounded &&
        cache->newest[place.set] != place.slot) {
        gm_cache_make_newest(cache, place);
    }
}

/* Puts a line that is not there into its set: an invalid way, else the oldest. Its sectors are
 * invalid until the caller sets gm_cache_state. Returns its slot. */
static inline uint32_t gm_cache_allocate(gm_cache *cache, uint64_t line, uint32_t set,
                                         gm_victim *victim)
{
    cache->allocations++;
    if (cache->unbounded) {
        return gm_cache_allocate_unbounded(cache, line, victim);
    }
    uint32_t slot = cache->order[cache->newest[set]].newer; /* circular: the oldest */
    *victim = (gm_victim){cache->tag[slot], cache->state[slot]};
    cache->newest[set] = slot;
    cache->tag[slot] = line;
    cache->state[slot] = (gm_sector_state){0};
    return slot;
}

/* Invalidates a line that is there. */
void gm_cache_drop(gm_cache *cache, gm_cache_place place);

/* Slots, for walking over all lines: those whose state has no valid sector hold none. */
uint32_t gm_cache_slots(const gm_cache *cache);
uint64_t gm_cache_line(const gm_cache *cache, uint32_t slot);

static inline gm_sector_state *gm_cache_state(gm_cache *cache, uint32_t slot)
{
    return cache->unbounded ? &cache->table.state[slot] : &cache->state[slot];
}

/* 0, or -ENOMEM once an unbounded cache could not grow. */
static inline int gm_cache_failed(const gm_cache *cache)
{
    return cache->table.failed;
}

/* The invariants: no two ways of a set hold one line, each line is in its set, dirty sectors are
 * valid, the order list holds each way once, lines allocated = lines valid + lines dropped or
 * evicted (`gone`). -EPROTO names the set and the line. */
int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error);

#endif
