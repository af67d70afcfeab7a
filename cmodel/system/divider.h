/* Division by a number that is fixed for a run, as one multiplication [Granlund and Montgomery,
 * "Division by invariant integers using multiplication", PLDI 1994, theorem 4.2]. */
#ifndef GOLDMEM_SYSTEM_DIVIDER_H
#define GOLDMEM_SYSTEM_DIVIDER_H

#include "goldmem/bits.h"

enum { GM_DIVIDEND_BITS = 59 }; /* a byte address in units of a 32-byte sector */

typedef struct gm_divider {
    uint64_t divisor;
    uint64_t multiplier; /* ceil(2^(59 + l) / divisor), l = ceil(log2 divisor); below 2^60 */
    unsigned shift;      /* 59 + l */
} gm_divider;

/* 0 < divisor <= 2^32. */
static inline gm_divider gm_divider_make(uint64_t divisor)
{
    unsigned shift = GM_DIVIDEND_BITS + gm_log2_ceil(divisor);
    unsigned __int128 power = (unsigned __int128)1 << shift;
    return (gm_divider){divisor, (uint64_t)((power + divisor - 1) / divisor), shift};
}

/* dividend < 2^59. */
static inline uint64_t gm_divide(const gm_divider *divider, uint64_t dividend)
{
    return (uint64_t)(((unsigned __int128)dividend * divider->multiplier) >> divider->shift);
}

#endif
