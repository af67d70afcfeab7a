/* Division by a number that is fixed for a run, as one multiplication [Granlund and Montgomery,
 * "Division by invariant integers using multiplication", PLDI 1994, theorem 4.2]. */
#ifndef GOLDMEM_BASE_DIVIDER_H
#define GOLDMEM_BASE_DIVIDER_H

#include "goldmem/bits.h"

/* A byte address in units of a 32-byte sector. The dividend is shifted up to 64 bits, so that the
 * quotient lies in the product's upper word. */
enum { GM_DIVIDEND_BITS = 59 };

typedef struct gm_divider {
    uint64_t divisor;
    uint64_t multiplier; /* ceil(2^(59 + l) / divisor), l = ceil(log2 divisor); below 2^60 */
    unsigned shift;      /* l */
} gm_divider;

/* Returns a divider. Requires 0 < divisor <= 2^32. */
static inline gm_divider gm_divider_make(uint64_t divisor)
{
    unsigned shift = gm_log2_ceil(divisor);
    unsigned __int128 power = (unsigned __int128)1 << (GM_DIVIDEND_BITS + shift);
    return (gm_divider){divisor, (uint64_t)((power + divisor - 1) / divisor), shift};
}

/* Returns dividend / divisor. Requires dividend < 2^59. */
static inline uint64_t gm_divide(const gm_divider *divider, uint64_t dividend)
{
    unsigned __int128 upper = dividend << (64 - GM_DIVIDEND_BITS);
    return (uint64_t)(upper * divider->multiplier >> 64) >> divider->shift;
}

#endif
