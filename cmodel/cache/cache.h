/* Cache: the tag array of a conventional set-associative cache with valid and dirty bits per
 * 32-byte sector, and LRU, FIFO, SRRIP or SHiP replacement. It holds state only; what an access
 * does is the business of order_l1.c and l2.c. */
#ifndef GOLDMEM_CACHE_CACHE_H
#define GOLDMEM_CACHE_CACHE_H

#include "cache/line_map.h"
#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/observer.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"

enum { GM_SECTOR = 32, GM_SECTOR_SHIFT = 5 }; /* bytes, and its log2 */

typedef struct gm_cache_parameters {
    uint64_t sets; /* a power of two; 1: fully associative */
    uint64_t ways; /* any number; GM_UNBOUNDED: the cache holds every line */
    gm_replacement replacement;
    const gm_set_index *index;   /* kept by the caller; NULL: the low bits, any number of sets */
    const gm_observer *observer; /* of the calls of index; NULL: nobody looks */
    bool waits;                  /* lines may wait for their data: see gm_cache_wait */
    unsigned region_shift;       /* SHiP: log2 of the lines of a region of one signature */
} gm_cache_parameters;

typedef struct gm_cache_way {
    uint64_t tag; /* the line address; GM_NO_LINE when invalid */
    gm_sector_state state;
} gm_cache_way;

/* Neighbours of a way in the circular list of its set, from the newest to the oldest. */
typedef struct gm_cache_order {
    uint32_t older, newer;
} gm_cache_order;

/* A set has a head of 1 + ceil(ways / 8) words: its replacement order, and of each way's line a
 * byte of a hash, so that a look-up compares eight ways at once and reads the tags of very few.
 * The order is one word up to 16 ways: way numbers of 4 bits, the newest lowest, 0 above the
 * oldest. Beyond, it is the slot of the newest way, and a circular list in `order`. With SRRIP and
 * SHiP it is not used: the block replacement keeps what they know. */
typedef struct gm_cache {
    gm_cache_parameters parameters;
    gm_cache_way *way;     /* [sets * ways] */
    uint64_t *head;        /* [sets * head_words] */
    gm_cache_order *order; /* [sets * ways], or NULL up to GM_CACHE_FEW_WAYS and with rrip */
    uint64_t *waiting;     /* a bit for each slot, or NULL where no line waits */
    uint32_t head_words;
    uint32_t ways;
    uint32_t set_mask;    /* of line addresses, where there is no index function */
    uint32_t oldest;      /* bit position of the oldest way in an order word */
    uint64_t order_mask;  /* the bits of an order word */
    uint64_t allocations; /* lines that became valid, for the conservation laws */
    bool few;             /* an order word for each set: what is done in line below */
    bool unbounded;
    bool rrip;                  /* bounded, with SRRIP or SHiP: the order words are not used */
    gm_line_map table;          /* unbounded: in place of the arrays above */
    gm_replacement_state rrpvs; /* rrip: in place of an order */
} gm_cache;

enum { GM_CACHE_FEW_WAYS = 16 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "way 0 has the lowest byte");

#define GM_NO_LINE UINT64_MAX

/* Where a line is, or could go. */
typedef struct gm_cache_place {
    uint64_t *head; /* of the set; NULL in an unbounded cache */
    uint32_t set;
    uint32_t slot; /* set * ways + way, or GM_NO_SLOT */
} gm_cache_place;

typedef struct gm_victim {
    uint64_t line;
    gm_sector_state state; /* valid 0: nothing was evicted */
} gm_victim;

/* What a configuration says of an L1, or of a bank of the L2. */
typedef struct gm_cache_request {
    uint64_t size;  /* bytes, all banks together, or GM_UNBOUNDED */
    uint64_t banks; /* among which size and lines are spread */
    uint64_t line;  /* bytes */
    uint64_t sets;
    gm_replacement replacement;
    const char *index; /* names the set-index function */
} gm_cache_request;

gm_cache_request gm_cache_request_of_l1(const gm_config *config);
gm_cache_request gm_cache_request_of_l2(const gm_config *config);

/* Fills the parameters of the cache; its set-index function is made in *index. -EINVAL. A region of
 * SHiP, 16 KB of addresses, is in a bank as many of its lines, a power of two, as span no more. */
int gm_cache_describe(gm_cache_parameters *parameters, gm_set_index *index,
                      const gm_cache_request *request, gm_error *error);

/* Bytes of arena that gm_cache_init takes. */
size_t gm_cache_bytes(const gm_cache_parameters *parameters);

/* -EINVAL, -ENOMEM. gm_cache_free gives back what an unbounded cache has taken beyond the arena. */
int gm_cache_init(gm_cache *cache, const gm_cache_parameters *parameters, gm_arena *arena,
                  gm_error *error);
void gm_cache_free(gm_cache *cache);

/* From now on `observer` (NULL: nobody) is told each call of the set-index function; the cache must
 * have been described with `index`. Nothing is told for a fully associative cache. */
void gm_cache_observe(gm_cache *cache, const gm_set_index *index, const gm_observer *observer);

/* Tells an observer that a line's set has been asked for. */
void gm_cache_tell_observer(const gm_set_index *index, const gm_observer *observer, uint64_t line,
                            uint32_t set);

/* Private to the functions below. */
gm_cache_place gm_cache_find_among_many(const gm_cache *cache, uint64_t line);
uint32_t gm_cache_allocate_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                      gm_victim *victim);
void gm_cache_touch_among_many(gm_cache *cache, gm_cache_place place);
void gm_cache_turn_list(gm_cache *cache, gm_cache_place place);

/* The same: SRRIP and SHiP (cache_rrip.c). */
size_t gm_cache_rrip_bytes(const gm_cache_parameters *parameters);
int gm_cache_rrip_init(gm_cache *cache, gm_arena *arena, gm_error *error);
void gm_cache_rrip_touch(gm_cache *cache, gm_cache_place place);
void gm_cache_rrip_remove(gm_cache *cache, gm_cache_place place);
/* The slot of the victim among the ways that do not wait, or GM_NO_SLOT. */
uint32_t gm_cache_rrip_victim(const gm_cache *cache, gm_cache_place place);
/* A line takes one of the `eligible` ways, a bit for each. Returns its slot. */
uint32_t gm_cache_rrip_take(gm_cache *cache, uint64_t line, gm_cache_place place,
                            uint32_t eligible);
int gm_cache_rrip_check(const gm_cache *cache, const char *name, gm_error *error);

#define GM_CACHE_BYTES   UINT64_C(0x0101010101010101)
#define GM_CACHE_NIBBLES UINT64_C(0x1111111111111111)

static inline uint64_t *gm_cache_head(const gm_cache *cache, uint32_t set)
{
    return &cache->head[(size_t)set * cache->head_words];
}

static inline uint8_t *gm_cache_hashes(uint64_t *head)
{
    return (uint8_t *)(head + 1);
}

static inline uint8_t gm_cache_hash(uint64_t line)
{
    return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Bit position of a way's number in an order word. */
static inline unsigned gm_cache_position(uint64_t order, unsigned way)
{
    uint64_t other = order ^ way * GM_CACHE_NIBBLES;
    return gm_lowest_one((other - GM_CACHE_NIBBLES) & ~other & 8 * GM_CACHE_NIBBLES) - 3;
}

static inline uint32_t gm_cache_set_of(const gm_cache *cache, uint64_t line)
{
    if (cache->parameters.index == NULL) {
        return (uint32_t)line & cache->set_mask;
    }
    uint32_t set = gm_set_index_of(cache->parameters.index, line);
    if (cache->parameters.observer != NULL) {
        gm_cache_tell_observer(cache->parameters.index, cache->parameters.observer, line, set);
    }
    return set;
}

/* Of eight ways that begin at slot `first`: the one that holds the line, or 8. */
static inline uint32_t gm_cache_find_of_eight(const gm_cache *cache, uint64_t hashes,
                                              uint32_t first, uint32_t ways, uint64_t line)
{
    uint64_t other = hashes ^ gm_cache_hash(line) * GM_CACHE_BYTES;
    uint64_t same = (other - GM_CACHE_BYTES) & ~other & 0x80 * GM_CACHE_BYTES;
    for (; same != 0; same &= same - 1) { /* rarely one too many */
        uint32_t way = gm_lowest_one(same) / 8;
        if (way < ways && cache->way[first + way].tag == line) {
            return way;
        }
    }
    return 8;
}

/* Looks a line address up; changes nothing. */
static inline __attribute__((always_inline)) gm_cache_place gm_cache_find(const gm_cache *cache,
                                                                          uint64_t line)
{
    if (!cache->few) {
        return gm_cache_find_among_many(cache, line);
    }
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t first = set * cache->ways;
    uint64_t *head = gm_cache_head(cache, set);
    uint32_t way = gm_cache_find_of_eight(cache, head[1], first, cache->ways, line);
    if (way == 8 && cache->ways > 8) {
        way += gm_cache_find_of_eight(cache, head[2], first + 8, cache->ways - 8, line);
    }
    return (gm_cache_place){head, set, way < cache->ways ? first + way : GM_NO_SLOT};
}

/* The line was used: LRU makes it the newest, FIFO does nothing, SRRIP and SHiP take it to be used
 * again soon. */
static inline void gm_cache_touch(gm_cache *cache, gm_cache_place place)
{
    if (cache->parameters.replacement == GM_REPLACE_FIFO) {
        return;
    }
    if (!cache->few) {
        gm_cache_touch_among_many(cache, place);
        return;
    }
    uint64_t order = *place.head;
    unsigned way = place.slot - place.set * cache->ways;
    if ((order & 15) != way) {
        uint64_t newer = (UINT64_C(1) << gm_cache_position(order, way)) - 1;
        *place.head = (order & ~(newer << 4 | 15)) | (order & newer) << 4 | way;
    }
}

/* Puts a line that is not at `place`, where it was looked up, into its set: an invalid way, else
 * that of the victim. Its sectors are invalid until the caller sets gm_cache_state. Returns its
 * slot. */
static inline __attribute__((always_inline)) uint32_t gm_cache_allocate(gm_cache *cache,
                                                                        uint64_t line,
                                                                        gm_cache_place place,
                                                                        gm_victim *victim)
{
    cache->allocations++;
    if (!cache->few) {
        return gm_cache_allocate_among_many(cache, line, place, victim);
    }
    uint64_t way = *place.head >> cache->oldest;
    uint32_t slot = place.set * cache->ways + (uint32_t)way;
    *place.head = (*place.head << 4 & cache->order_mask) | way;
    gm_cache_way *entry = &cache->way[slot];
    *victim = (gm_victim){entry->tag, entry->state};
    *entry = (gm_cache_way){.tag = line};
    gm_cache_hashes(place.head)[way] = gm_cache_hash(line);
    return slot;
}

/* Lines that wait for their data (parameters.waits), which are never victims. The cache remembers
 * them by slot; an unbounded one has no victims and remembers nothing. */
static inline void gm_cache_wait(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        cache->waiting[slot / 64] |= UINT64_C(1) << slot % 64;
    }
}

/* It waits no longer. */
static inline void gm_cache_arrive(gm_cache *cache, uint32_t slot)
{
    if (!cache->unbounded) {
        cache->waiting[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    }
}

static inline bool gm_cache_waits(const gm_cache *cache, uint32_t slot)
{
    return !cache->unbounded && (cache->waiting[slot / 64] >> slot % 64 & 1) != 0;
}

/* Private to the functions below (cache_waiting.c): what is rare. */
uint32_t gm_cache_victim_of_any(const gm_cache *cache, gm_cache_place place);
uint32_t gm_cache_replace_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                     gm_victim *victim);
void gm_cache_make_newest(const gm_cache *cache, gm_cache_place place); /* among few */

/* The line takes the way of place.slot, whatever is there. Returns its slot. */
static inline __attribute__((always_inline)) uint32_t gm_cache_put(gm_cache *cache, uint64_t line,
                                                                   gm_cache_place place,
                                                                   gm_victim *victim)
{
    gm_cache_way *entry = &cache->way[place.slot];
    cache->allocations++;
    *victim = (gm_victim){entry->tag, entry->state};
    *entry = (gm_cache_way){.tag = line};
    gm_cache_hashes(place.head)[place.slot - place.set * cache->ways] = gm_cache_hash(line);
    return place.slot;
}

/* The slot that a line which is not at `place` would get among lines that wait: of an invalid way,
 * else of the victim among those that do not wait; GM_NO_SLOT: all wait. Changes nothing. An
 * unbounded cache names some slot: there, only gm_cache_replace knows. */
static inline __attribute__((always_inline)) uint32_t gm_cache_victim(const gm_cache *cache,
                                                                      gm_cache_place place)
{
    if (cache->few) { /* most often, the oldest does not wait */
        uint32_t slot = place.set * cache->ways + (uint32_t)(*place.head >> cache->oldest);
        if ((cache->waiting[slot / 64] >> slot % 64 & 1) == 0) {
            return slot;
        }
    }
    return gm_cache_victim_of_any(cache, place);
}

/* The same, but for lines that are protected: until[slot] >= access. */
uint32_t gm_cache_victim_beside(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                                uint64_t access);

/* Is there a line in every way of the set, and each protected? */
bool gm_cache_is_protected(const gm_cache *cache, gm_cache_place place, const uint64_t *until,
                           uint64_t access);

/* gm_cache_allocate into a slot that gm_cache_victim has named for `place`. The way becomes the
 * newest of its set, whatever the policy. Returns its slot. */
static inline __attribute__((always_inline)) uint32_t gm_cache_replace(
    gm_cache *cache, uint64_t line, gm_cache_place place, uint32_t slot, gm_victim *victim)
{
    place.slot = slot;
    if (!cache->few) {
        gm_victim other; /* so that the usual one stays in registers */
        slot = gm_cache_replace_among_many(cache, line, place, &other);
        *victim = other;
        return slot;
    }
    uint64_t way = *place.head >> cache->oldest;
    if (place.set * cache->ways + (uint32_t)way == slot) {
        *place.head = (*place.head << 4 & cache->order_mask) | way;
    } else {
        gm_cache_make_newest(cache, place);
    }
    return gm_cache_put(cache, line, place, victim);
}

/* Invalidates a line that is there. */
void gm_cache_drop(gm_cache *cache, gm_cache_place place);

/* Slots, for walking over all lines: those whose state has no valid sector hold none. */
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

/* The invariants of the tags: no two ways of a set hold one line, each line is in its set, dirty
 * sectors are valid, a line without valid sectors waits, the order of a set holds each way once or
 * the state of SRRIP and SHiP is sound. -EPROTO names the set and the line. */
int gm_cache_check_tags(const gm_cache *cache, const char *name, gm_error *error);

/* These, and lines allocated = lines valid + lines dropped or evicted (`gone`). Requires that no
 * line waits. */
int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error);

#endif
