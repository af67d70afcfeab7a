/* Reference counts: open addressing with linear probing at a load of at most one half. */
#include "policy/reference_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

void gm_reference_counts_free(gm_reference_counts *counts)
{
    free(counts->bucket);
    *counts = (gm_reference_counts){0};
}

static gm_reference_count *bucket_of(const gm_reference_counts *counts, uint64_t line, uint32_t sm)
{
    uint64_t hash = (line * UINT64_C(0x9e3779b97f4a7c15)) ^ (sm * UINT64_C(0xff51afd7ed558ccd));
    uint64_t mask = counts->capacity - 1;
    uint64_t position = (hash ^ hash >> 32) & mask;
    while (counts->bucket[position].count != 0 &&
           (counts->bucket[position].line != line || counts->bucket[position].sm != sm)) {
        position = (position + 1) & mask;
    }
    return &counts->bucket[position];
}

static void grow(gm_reference_counts *counts)
{
    gm_reference_counts more = {.capacity =
                                    counts->capacity != 0 ? 2 * counts->capacity : FIRST_CAPACITY};
    more.bucket = calloc(more.capacity, sizeof *more.bucket);
    if (more.bucket == NULL) {
        counts->failed = -ENOMEM;
        return;
    }
    for (uint64_t i = 0; i < counts->capacity; i++) {
        const gm_reference_count *old = &counts->bucket[i];
        if (old->count != 0) {
            *bucket_of(&more, old->line, old->sm) = *old;
        }
    }
    free(counts->bucket);
    counts->bucket = more.bucket;
    counts->capacity = more.capacity;
}

void gm_reference_counts_add(gm_reference_counts *counts, uint64_t line, uint32_t sm,
                             uint32_t count)
{
    if (2 * counts->used == counts->capacity && counts->failed == 0) {
        grow(counts);
    }
    if (counts->failed != 0 || count == 0) {
        return;
    }
    gm_reference_count *bucket = bucket_of(counts, line, sm);
    counts->used += bucket->count == 0;
    bucket->line = line;
    bucket->sm = sm;
    bucket->count = bucket->count > UINT32_MAX - count ? UINT32_MAX : bucket->count + count;
}

uint32_t gm_reference_counts_get(const gm_reference_counts *counts, uint64_t line, uint32_t sm)
{
    return counts->capacity != 0 ? bucket_of(counts, line, sm)->count : 0;
}

void gm_reference_counts_clear(gm_reference_counts *counts)
{
    if (counts->capacity != 0) {
        memset(counts->bucket, 0, counts->capacity * sizeof *counts->bucket);
    }
    counts->used = 0;
}

static int compare(const void *left, const void *right)
{
    const gm_reference_count *a = left;
    const gm_reference_count *b = right;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : (a->sm > b->sm) - (a->sm < b->sm);
}

void gm_reference_counts_sort(gm_reference_counts *counts)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < counts->capacity; i++) {
        if (counts->bucket[i].count != 0) {
            counts->bucket[used++] = counts->bucket[i];
        }
    }
    if (used != 0) {
        qsort(counts->bucket, used, sizeof *counts->bucket, compare);
    }
}
