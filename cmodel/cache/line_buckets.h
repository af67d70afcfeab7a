/* Line buckets: a hash table from the line that a slot holds to the slot, for caches of many ways,
 * where a comparison with each way of the set would take the time of a look-up. A bucket is a line
 * of the host's cache and has a fragment of each line's hash beside its slot, so that a look-up
 * reads one bucket, seldom two, and very few tags. Hardware compares all ways at once. */
#ifndef GOLDMEM_CACHE_LINE_BUCKETS_H
#define GOLDMEM_CACHE_LINE_BUCKETS_H

#include "cache/line_map.h"
#include "goldmem/arena.h"
#include "goldmem/bits.h"

#include <stdbool.h>

enum { GM_BUCKET_PLACES = 15 };

typedef struct gm_line_bucket {
    uint32_t place[GM_BUCKET_PLACES]; /* slot + 1, and above it the fragment; 0: free */
    uint32_t beyond; /* slots in later buckets that found this one full: a slot is in the first
                        bucket that had a free place, from that of its line's hash on */
} gm_line_bucket;

_Static_assert(sizeof(gm_line_bucket) == 64, "a line of the host's cache");

typedef struct gm_line_buckets {
    gm_line_bucket *bucket; /* [mask + 1] */
    uint32_t mask;          /* of bucket numbers */
    uint32_t slot_mask;     /* of `slot + 1` in a place */
    uint32_t shift;         /* 64 - log2 of the buckets */
} gm_line_buckets;

/* Where a line's slot is looked for. */
typedef struct gm_line_home {
    uint32_t bucket;   /* number of the first bucket */
    uint32_t fragment; /* never 0 */
} gm_line_home;

/* Returns the bytes of an arena that gm_line_buckets_init takes. */
size_t gm_line_buckets_bytes(uint32_t slots);

/* Makes buckets of no slot. Requires 2 to 2^30 slots. Returns false if the arena is full. */
bool gm_line_buckets_init(gm_line_buckets *buckets, uint32_t slots, gm_arena *arena);

/* Removes every slot. */
void gm_line_buckets_clear(gm_line_buckets *buckets);

static inline gm_line_home gm_line_buckets_home(const gm_line_buckets *buckets, uint64_t line)
{
    enum { FRAGMENT_SHIFT = 20 };
    uint64_t hash = line * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t fragment = (uint32_t)(hash >> FRAGMENT_SHIFT) | UINT32_C(1) << 31;
    return (gm_line_home){(uint32_t)(hash >> buckets->shift), fragment & ~buckets->slot_mask};
}

/* Four places in one vector. */
typedef uint32_t gm_bucket_places __attribute__((vector_size(4 * sizeof(uint32_t)), may_alias));

/* Returns the bit set of the places that are equal to `value` under `mask`; bit b stands for place
 * gm_line_bucket_place(b). */
static inline uint32_t gm_line_bucket_matches(const gm_line_bucket *bucket, uint32_t value,
                                              uint32_t mask)
{
    enum { ALL = (1 << GM_BUCKET_PLACES) - 1 };
    typedef uint64_t halves __attribute__((vector_size(2 * sizeof(uint64_t)), may_alias));
    const gm_bucket_places *four = (const gm_bucket_places *)bucket;
    gm_bucket_places equal = {0, 0, 0, 0};
    for (unsigned i = 4; i-- > 0;) { /* a true == is -1 */
        equal = (equal << 1) - (gm_bucket_places)((four[i] & mask) == value);
    }
    halves both = (halves)equal;
    return (both[0] | both[1]) == 0
               ? 0
               : (equal[0] | equal[1] << 4 | equal[2] << 8 | equal[3] << 12) & ALL;
}

/* Returns the place of the lowest bit of a set that is not empty. */
static inline unsigned gm_line_bucket_place(uint32_t matches)
{
    unsigned bit = gm_lowest_one(matches);
    return bit % 4 * 4 + bit / 4;
}

/* Returns the first slot of a line's first bucket whose fragment is the line's; GM_NO_SLOT: there
 * is none. */
static inline uint32_t gm_line_buckets_probable(const gm_line_buckets *buckets, uint64_t line)
{
    gm_line_home home = gm_line_buckets_home(buckets, line);
    const gm_line_bucket *bucket = &buckets->bucket[home.bucket];
    uint32_t matches = gm_line_bucket_matches(bucket, home.fragment, ~buckets->slot_mask);
    return matches == 0 ? GM_NO_SLOT
                        : (bucket->place[gm_line_bucket_place(matches)] & buckets->slot_mask) - 1;
}

/* Adds a slot. Requires that the table does not have it. */
void gm_line_buckets_add(gm_line_buckets *buckets, uint64_t line, uint32_t slot);

/* Removes a slot. Requires that it was added with the line. */
void gm_line_buckets_remove(gm_line_buckets *buckets, uint64_t line, uint32_t slot);

#endif
