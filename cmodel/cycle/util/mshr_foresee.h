/* Foresight of MSHRs (base/foresight.h). */
#ifndef GOLDMEM_CYCLE_UTIL_MSHR_FORESEE_H
#define GOLDMEM_CYCLE_UTIL_MSHR_FORESEE_H

#include "base/foresight.h"
#include "goldmem/mshr.h"

/* Let the host fetch what a search for a line will read: its bucket; when that is there, its first
 * entry. */
static inline void gm_mshr_foresee(const gm_mshr *table, uint64_t line)
{
    gm_prefetch(gm_mshr_bucket(table, line));
}

static inline void gm_mshr_foresee_entry(const gm_mshr *table, uint64_t line)
{
    unsigned first = *gm_mshr_bucket(table, line);
    if (first != 0) {
        gm_prefetch(&table->entry[first - 1]);
    }
}

#endif
