/* Cache: the tag array of a conventional set-associative cache with valid and dirty bits per
 * 32-byte sector, and LRU, FIFO, SRRIP or SHiP replacement. Holds state only; the access rules
 * decide what an access does. The tag is the whole line address; hardware needs only the part above
 * the index (goldmem/set_index.h). */
#ifndef GOLDMEM_CACHE_CACHE_H
#define GOLDMEM_CACHE_CACHE_H

#include "base/bitset.h"
#include "base/foresight.h"
#include "base/template.h"
#include "cache/line_chains.h"
#include "cache/lru_list.h"
#include "cache/lru_word.h"
#include "cache/way_hash.h"
#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/observer.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"
#include "goldmem/sharing_lru.h"

enum { GM_SECTOR = 32, GM_SECTOR_SHIFT = 5 }; /* bytes, and its log2 */

/* sharing.enabled: the rules of an L1 or of an L2 bank (cache_sharing.h). */
typedef struct gm_cache_sharing_rules {
    bool enabled;
    gm_sharing_level level;
    gm_sharing_dead dead;
    unsigned sm_bits;
} gm_cache_sharing_rules;

typedef struct gm_cache_parameters {
    const gm_set_index *index;   /* kept by the caller; NULL: the low bits, any number of sets */
    const gm_observer *observer; /* of the calls of index; NULL: no observer */
    gm_replacement replacement;
    uint64_t sets;                  /* a power of two; 1: fully associative */
    uint64_t ways;                  /* any number; GM_UNBOUNDED: the cache holds every line */
    bool waits;                     /* lines may wait for their data: gm_cache_wait */
    bool tags_only;                 /* lines may be tags without data: cache/streaming.h */
    unsigned region_shift;          /* SHiP: log2 of the lines of a region of one signature */
    gm_cache_sharing_rules sharing; /* in place of `replacement`, if enabled */
} gm_cache_parameters;

typedef struct gm_cache_way {
    uint64_t tag; /* the line address; GM_NO_LINE when invalid */
    gm_sector_state state;
} gm_cache_way;

/* A set has a head: a word of its replacement order, and the hashes of its ways, eight in a word
 * (way_hash.h). The order is an LRU word up to 16 ways; SRRIP and SHiP leave it unused, as the
 * block replacement keeps their state, and a sharing-aware cache, whose order is in the block
 * sharing_lru. With LRU or FIFO and more than 16 ways, the order is the
 * head of an LRU list, and the cache has line chains in place of hashes. What a look-up reads
 * comes first, in 64 bytes. */
typedef struct gm_cache {
    gm_cache_way *way; /* [sets * ways] */
    uint64_t *head;    /* [sets * head_words] */
    uint64_t *waiting; /* bit set of slots; NULL where no line waits */
    uint32_t head_words;
    uint32_t ways;
    uint32_t set_mask; /* of line addresses, where there is no index function */
    bool few;          /* an LRU word for each set: served by the inline functions below */
    bool unbounded;
    bool rrip; /* bounded, with SRRIP or SHiP */
    gm_cache_parameters parameters;
    gm_lru_link *order;               /* [sets * ways] of LRU lists, or NULL */
    gm_lru_places places;             /* few: of the LRU words */
    uint64_t allocations;             /* lines that became valid, for the invariants */
    gm_line_map table;                /* unbounded: in place of the arrays above */
    gm_replacement_state rrpvs;       /* rrip: in place of an order */
    struct gm_cache_sharing *sharing; /* in place of an order, if sharing-aware; else NULL */
    gm_lru_link *list;                /* storage of `order`, or NULL */
    gm_lru_clock clock;               /* of `order` */
    gm_line_chains chains;            /* where there is `list`; used where there is `order` */
    uint32_t most_ways;               /* those of init; `ways` may be fewer */
} gm_cache;

#define GM_NO_LINE UINT64_MAX

/* The place of a line, or of the set that it maps to. */
typedef struct gm_cache_place {
    uint64_t *head; /* of the set; NULL in an unbounded cache */
    uint32_t set;
    uint32_t slot; /* set * ways + way, or GM_NO_SLOT */
} gm_cache_place;

typedef struct gm_victim {
    uint64_t line;
    gm_sector_state state; /* valid 0: nothing was evicted */
} gm_victim;

/* The configuration of an L1, or of a bank of the L2. */
typedef struct gm_cache_request {
    uint64_t size;  /* bytes, all banks together, or GM_UNBOUNDED */
    uint64_t banks; /* over which size and lines are spread */
    uint64_t line;  /* bytes */
    uint64_t sets;
    gm_replacement replacement;
    gm_cache_sharing_rules sharing;
    const char *index; /* the set-index function's text */
} gm_cache_request;

gm_cache_request gm_cache_request_of_l1(const gm_config *config);
gm_cache_request gm_cache_request_of_l2(const gm_config *config);

/* Fills the parameters of the cache and makes its set-index function in *index. A region of SHiP is
 * the largest power of two of the bank's lines that spans at most 16 KB. Returns 0 or -EINVAL. */
int gm_cache_describe(gm_cache_parameters *parameters, gm_set_index *index,
                      const gm_cache_request *request, gm_error *error);

/* Returns the bytes of an arena that gm_cache_init takes. */
size_t gm_cache_bytes(const gm_cache_parameters *parameters);

/* Makes an empty cache. Returns 0, -EINVAL or -ENOMEM. gm_cache_free frees the memory of an
 * unbounded cache outside the arena. */
int gm_cache_init(gm_cache *cache, const gm_cache_parameters *parameters, gm_arena *arena,
                  gm_error *error);
void gm_cache_free(gm_cache *cache);

/* True if no line is held and none waits. */
bool gm_cache_is_empty(const gm_cache *cache);

/* Changes the number of ways of each set. Requires an empty bounded cache with LRU or FIFO, and 1
 * to as many ways as init was given. */
void gm_cache_resize(gm_cache *cache, uint32_t ways);

/* Calls `observer` with each later call of the set-index function; NULL: no observer. Requires that
 * the cache was described with `index`. A fully associative cache makes no such call. */
void gm_cache_observe(gm_cache *cache, const gm_set_index *index, const gm_observer *observer);

/* Calls the observer with the look-up of a line's set. */
void gm_cache_tell_observer(const gm_set_index *index, const gm_observer *observer, uint64_t line,
                            uint32_t set);

/* Private to the cache and its snapshot: sets `ways` and what follows from it. */
void gm_cache_set_ways(gm_cache *cache, uint32_t ways);

/* Private to the snapshot: makes the line chains anew from the tags. */
void gm_cache_make_chains(gm_cache *cache);

/* Private to the inline functions below, which serve caches with LRU words: serve the other caches.
 */
gm_cache_place gm_cache_find_among_many(const gm_cache *cache, uint64_t line);
void gm_cache_touch_among_many(gm_cache *cache, gm_cache_place place);
uint32_t gm_cache_allocate_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                      gm_victim *victim);

static inline uint64_t *gm_cache_head(const gm_cache *cache, uint32_t set)
{
    return &cache->head[(size_t)set * cache->head_words];
}

static inline uint8_t *gm_cache_hashes(uint64_t *head)
{
    return (uint8_t *)(head + 1);
}

/* Returns a line's set, and tells no observer. */
static inline uint32_t gm_cache_foreseen_set(const gm_cache *cache, uint64_t line)
{
    return cache->parameters.index == NULL ? (uint32_t)line & cache->set_mask
                                           : gm_set_index_of(cache->parameters.index, line);
}

static inline uint32_t gm_cache_set_of(const gm_cache *cache, uint64_t line)
{
    uint32_t set = gm_cache_foreseen_set(cache, line);
    if (cache->parameters.index != NULL && cache->parameters.observer != NULL) {
        gm_cache_tell_observer(cache->parameters.index, cache->parameters.observer, line, set);
    }
    return set;
}

/* Returns the way that holds the line, of eight that begin at slot `first`; GM_WAY_HASHES: none. */
static inline uint32_t gm_cache_find_of_eight(const gm_cache *cache, uint64_t hashes,
                                              uint32_t first, uint32_t ways, uint64_t line)
{
    uint64_t matches = gm_way_hash_matches(hashes, line);
    for (; matches != 0; matches &= matches - 1) {
        uint32_t way = gm_lowest_one(matches) / 8;
        if (way < ways && cache->way[first + way].tag == line) {
            return way;
        }
    }
    return GM_WAY_HASHES;
}

/* Looks a line up; changes nothing. Inline: called, it costs the order engine 3% of its
 * instructions (gather). */
GM_INLINE gm_cache_place gm_cache_find(const gm_cache *cache, uint64_t line)
{
    if (!cache->few) {
        return gm_cache_find_among_many(cache, line);
    }
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t first = set * cache->ways;
    uint64_t *head = gm_cache_head(cache, set);
    uint32_t way = gm_cache_find_of_eight(cache, head[1], first, cache->ways, line);
    if (way == GM_WAY_HASHES && cache->ways > GM_WAY_HASHES) {
        way += gm_cache_find_of_eight(cache, head[2], first + GM_WAY_HASHES,
                                      cache->ways - GM_WAY_HASHES, line);
    }
    return (gm_cache_place){head, set, way < cache->ways ? first + way : GM_NO_SLOT};
}

/* Foresight (base/foresight.h). Lets the host fetch what a look-up of the line will read first:
 * where the ways have chains, the first of the line's chain. */
static inline void gm_cache_foresee(const gm_cache *cache, uint64_t line)
{
    if (cache->order != NULL) {
        gm_prefetch(gm_line_chains_first(&cache->chains, line));
    }
}

/* Returns the slot that by its hash may hold the line; GM_NO_SLOT: there is none, or it is not
 * known. */
static inline uint32_t gm_cache_foreseen_slot(const gm_cache *cache, uint64_t line)
{
    if (cache->order != NULL) {
        return *gm_line_chains_first(&cache->chains, line);
    }
    if (!cache->few) {
        return GM_NO_SLOT;
    }
    uint32_t set = gm_cache_foreseen_set(cache, line);
    uint64_t matches = gm_way_hash_matches(gm_cache_head(cache, set)[1], line);
    return matches != 0 ? set * cache->ways + gm_lowest_one(matches) / 8 : GM_NO_SLOT;
}

/* Lets the host fetch that slot, when what tells it is there. Returns the slot. */
static inline uint32_t gm_cache_foresee_way(const gm_cache *cache, uint64_t line)
{
    uint32_t slot = gm_cache_foreseen_slot(cache, line);
    if (slot != GM_NO_SLOT) {
        gm_prefetch(&cache->way[slot]);
        if (cache->order != NULL) {
            gm_prefetch(&cache->order[slot]);
            gm_prefetch(&cache->chains.next[slot]);
        }
    }
    return slot;
}

/* Returns the oldest way of a line's set, where the ways have chains. */
static inline uint32_t gm_cache_foreseen_victim(const gm_cache *cache, uint64_t line)
{
    return gm_lru_list_oldest(cache->order,
                              *gm_cache_head(cache, gm_cache_foreseen_set(cache, line)));
}

/* Let the host fetch what the replacement of a line's set will read, where the ways have chains:
 * the oldest way; when that is there, the first of its chain. */
static inline void gm_cache_foresee_victim(const gm_cache *cache, uint64_t line)
{
    if (cache->order != NULL) {
        uint32_t oldest = gm_cache_foreseen_victim(cache, line);
        gm_prefetch(&cache->way[oldest]);
        gm_prefetch(&cache->order[oldest]);
    }
}

static inline void gm_cache_foresee_victim_chain(const gm_cache *cache, uint64_t line)
{
    if (cache->order != NULL) {
        gm_cache_foresee(cache, cache->way[gm_cache_foreseen_victim(cache, line)].tag);
    }
}

/* Notes that the line at `place` was used: LRU makes it the newest, FIFO does nothing, SRRIP and
 * SHiP predict a use soon. */
static inline void gm_cache_touch(gm_cache *cache, gm_cache_place place)
{
    if (cache->parameters.replacement == GM_REPLACE_FIFO) {
        return;
    }
    if (!cache->few) {
        gm_cache_touch_among_many(cache, place);
        return;
    }
    unsigned way = place.slot - place.set * cache->ways;
    if (gm_lru_word_way(*place.head, 0) != way) {
        *place.head = gm_lru_word_make_newest(*place.head, way);
    }
}

/* Puts a line into the way of place.slot and returns the line held there, if any, in *victim. The
 * new line's sectors are invalid until the caller sets gm_cache_state. */
static inline void gm_cache_put(gm_cache *cache, uint64_t line, gm_cache_place place,
                                gm_victim *victim)
{
    gm_cache_way *entry = &cache->way[place.slot];
    cache->allocations++;
    *victim = (gm_victim){entry->tag, entry->state};
    *entry = (gm_cache_way){.tag = line};
    gm_cache_hashes(place.head)[place.slot - place.set * cache->ways] = gm_way_hash(line);
}

/* Allocates a line whose look-up missed at `place`: in an invalid way, else in the victim's way.
 * Requires that no line waits. Returns its slot. */
static inline uint32_t gm_cache_allocate(gm_cache *cache, uint64_t line, gm_cache_place place,
                                         gm_victim *victim)
{
    if (!cache->few) {
        return gm_cache_allocate_among_many(cache, line, place, victim);
    }
    place.slot = place.set * cache->ways + gm_lru_word_oldest(*place.head, &cache->places);
    *place.head = gm_lru_word_turn(*place.head, &cache->places);
    gm_cache_put(cache, line, place, victim);
    return place.slot;
}

/* Marks a line that waits for its data (parameters.waits): never a victim. An unbounded cache
 * has no victims and keeps no marks. */
static inline void gm_cache_wait(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        gm_bitset_add(cache->waiting, slot);
    }
}

/* Removes the mark of a line whose data arrived. */
static inline void gm_cache_arrive(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        gm_bitset_remove(cache->waiting, slot);
    }
}

static inline bool gm_cache_waits(const gm_cache *cache, uint32_t slot)
{
    return !cache->unbounded && gm_bitset_has(cache->waiting, slot);
}

/* Private to the inline functions below: serve any cache and any slot. */
uint32_t gm_cache_victim_of_any(const gm_cache *cache, gm_cache_place place);
uint32_t gm_cache_replace_any(gm_cache *cache, uint64_t line, gm_cache_place place,
                              gm_victim *victim);

/* Returns the slot for a line whose look-up missed at `place`, in a cache where lines wait: of an
 * invalid way, else of the victim among the lines that do not wait; GM_NO_SLOT if all wait. Changes
 * nothing. For an unbounded cache the slot has no meaning: gm_cache_replace chooses one. */
static inline uint32_t gm_cache_victim(const gm_cache *cache, gm_cache_place place)
{
    if (cache->few) { /* most often, the oldest does not wait */
        uint32_t slot = place.set * cache->ways + gm_lru_word_oldest(*place.head, &cache->places);
        if (!gm_bitset_has(cache->waiting, slot)) {
            return slot;
        }
    }
    return gm_cache_victim_of_any(cache, place);
}

/* Returns as gm_cache_victim, among the lines that neither wait nor are protected (until[slot] >=
 * access). */
uint32_t gm_cache_victim_beside(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                                uint64_t access);

/* Returns as gm_cache_victim, among the lines that neither wait nor are dirty. Requires a bounded
 * cache. */
uint32_t gm_cache_clean_victim(const gm_cache *cache, gm_cache_place place);

/* True if every way of the set holds a line and each is protected. */
bool gm_cache_is_protected(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                           uint64_t access);

/* Allocates a line in a slot that gm_cache_victim returned for `place`. The way becomes the newest
 * of its set. Returns its slot. */
static inline uint32_t gm_cache_replace(gm_cache *cache, uint64_t line, gm_cache_place place,
                                        uint32_t slot, gm_victim *victim)
{
    place.slot = slot;
    if (!cache->few ||
        place.set * cache->ways + gm_lru_word_oldest(*place.head, &cache->places) != slot) {
        gm_victim other; /* keeps *victim in registers on the path below */
        slot = gm_cache_replace_any(cache, line, place, &other);
        *victim = other;
        return slot;
    }
    *place.head = gm_lru_word_turn(*place.head, &cache->places);
    gm_cache_put(cache, line, place, victim);
    return slot;
}

/* Invalidates the line at place.slot, whose way is the next to be allocated. */
void gm_cache_drop(gm_cache *cache, gm_cache_place place);

/* Number of slots, for walking over all lines; a slot without a valid sector holds no line. */
uint32_t gm_cache_slots(const gm_cache *cache);
uint64_t gm_cache_line(const gm_cache *cache, uint32_t slot);

static inline gm_sector_state *gm_cache_state(gm_cache *cache, uint32_t slot)
{
    return cache->unbounded ? &cache->table.state[slot] : &cache->way[slot].state;
}

/* 0, or -ENOMEM once an unbounded cache could not grow. */
static inline int gm_cache_failed(const gm_cache *cache)
{
    return cache->table.failed;
}

/* Checks the invariants of the tags: no two ways of a set hold one line, each line is in its set,
 * dirty sectors are valid, a line without valid sectors waits (unless tags_only), the order of a
 * set holds each way once, the state of SRRIP and SHiP is sound. Returns 0, or -EPROTO, which names
 * the set and the line. */
int gm_cache_check_tags(const gm_cache *cache, const char *name, gm_error *error);

/* Checks the invariants of the tags, and lines allocated = lines valid + lines dropped or evicted
 * (`gone`). Requires that no line waits. Returns as gm_cache_check_tags. */
int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error);

/* Checks the invariants of the set of a line; where the order of a set is a list, only those of its
 * newest line, so that the time does not grow with the ways. Returns as gm_cache_check_tags. */
int gm_cache_check_set(const gm_cache *cache, uint64_t line, const char *name, gm_error *error);

/* Private to gm_cache_assert_access. */
void gm_cache_assert_invariants(const gm_cache *cache, uint64_t line);

/* Ends an engine's access to a line. Debug builds: aborts unless gm_cache_check_set, and every
 * GM_ASSERT_PERIODth time gm_cache_check_tags, finds the cache sound. Others: does nothing. */
static inline void gm_cache_assert_access(const gm_cache *cache, uint64_t line)
{
#ifdef GM_DEBUG
    gm_cache_assert_invariants(cache, line);
#else
    (void)cache;
    (void)line;
#endif
}

#endif
