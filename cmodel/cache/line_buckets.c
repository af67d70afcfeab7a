/* Line buckets: storage, additions and removals. */
#include "cache/line_buckets.h"

#include <string.h>

enum { ALIGNMENT = 64, MOST_OF_A_BUCKET = 8 };

/* Returns the log2 of the buckets, which have MOST_OF_A_BUCKET slots at most on average. */
static unsigned log2_buckets(uint32_t slots)
{
    return slots <= 2 * MOST_OF_A_BUCKET ? 1
                                         : gm_log2_ceil(slots) - gm_log2_floor(MOST_OF_A_BUCKET);
}

size_t gm_line_buckets_bytes(uint32_t slots)
{
    return (sizeof(gm_line_bucket) << log2_buckets(slots)) + (size_t)ALIGNMENT;
}

bool gm_line_buckets_init(gm_line_buckets *buckets, uint32_t slots, gm_arena *arena)
{
    unsigned log2 = log2_buckets(slots);
    *buckets = (gm_line_buckets){
        .bucket = gm_arena_take(arena, UINT64_C(1) << log2, sizeof *buckets->bucket),
        .mask = (uint32_t)gm_mask(log2),
        .slot_mask = (uint32_t)gm_mask(gm_log2_floor(slots) + 1),
        .shift = 64 - log2,
    };
    return buckets->bucket != NULL;
}

void gm_line_buckets_clear(gm_line_buckets *buckets)
{
    memset(buckets->bucket, 0, ((size_t)buckets->mask + 1) * sizeof *buckets->bucket);
}

void gm_line_buckets_add(gm_line_buckets *buckets, uint64_t line, uint32_t slot)
{
    gm_line_home home = gm_line_buckets_home(buckets, line);
    for (uint32_t at = home.bucket;; at = (at + 1) & buckets->mask) {
        gm_line_bucket *bucket = &buckets->bucket[at];
        uint32_t free = gm_line_bucket_matches(bucket, 0, UINT32_MAX);
        if (free != 0) {
            bucket->place[gm_line_bucket_place(free)] = home.fragment | (slot + 1);
            return;
        }
        bucket->beyond++;
    }
}

void gm_line_buckets_remove(gm_line_buckets *buckets, uint64_t line, uint32_t slot)
{
    gm_line_home home = gm_line_buckets_home(buckets, line);
    for (uint32_t at = home.bucket;; at = (at + 1) & buckets->mask) {
        gm_line_bucket *bucket = &buckets->bucket[at];
        uint32_t here = gm_line_bucket_matches(bucket, home.fragment | (slot + 1), UINT32_MAX);
        if (here != 0) {
            bucket->place[gm_line_bucket_place(here)] = 0;
            return;
        }
        bucket->beyond--;
    }
}
