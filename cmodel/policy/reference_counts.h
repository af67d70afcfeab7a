/* Reference counts: a hash table of the references to each line by each SM. Models filters "with
 * unlimited entries" [li, 6.1], which no hardware has. */
#ifndef GOLDMEM_POLICY_REFERENCE_COUNTS_H
#define GOLDMEM_POLICY_REFERENCE_COUNTS_H

#include <stdint.h>

typedef struct gm_reference_count {
    uint64_t line;
    uint32_t sm;
    uint32_t count; /* 0: the bucket is free; UINT32_MAX: that or more */
} gm_reference_count;

typedef struct gm_reference_counts {
    gm_reference_count *bucket; /* [capacity] */
    uint64_t capacity;          /* a power of two, or 0 */
    uint64_t used;
    int failed; /* -ENOMEM once the table could not grow: counts are void */
} gm_reference_counts;

/* Frees the table. A zeroed table is empty. */
void gm_reference_counts_free(gm_reference_counts *counts);

/* Adds `count` to a line's count at an SM. */
void gm_reference_counts_add(gm_reference_counts *counts, uint64_t line, uint32_t sm,
                             uint32_t count);

/* Returns the count of a line at an SM; 0 where nothing was added. */
uint32_t gm_reference_counts_get(const gm_reference_counts *counts, uint64_t line, uint32_t sm);

/* Removes all counts. */
void gm_reference_counts_clear(gm_reference_counts *counts);

/* Moves the counts to the front of `bucket`, sorted by line, then SM. Only clear and free are
 * allowed after it. */
void gm_reference_counts_sort(gm_reference_counts *counts);

#endif
