/* Bits: small helpers on unsigned integers that every block may use. */
#ifndef GOLDMEM_BITS_H
#define GOLDMEM_BITS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true if value is 2^k for some k. */
static inline bool gm_is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Returns the largest k with 2^k <= value. Requires value > 0. */
static inline unsigned gm_log2_floor(uint64_t value)
{
    return 63u - (unsigned)__builtin_clzll(value);
}

/* Returns the smallest k with 2^k >= value: the bits of a counter of `value` states. Requires
 * value > 0. */
static inline unsigned gm_log2_ceil(uint64_t value)
{
    return value <= 1 ? 0 : gm_log2_floor(value - 1) + 1;
}

/* Returns a mask of the lowest `width` bits, 0 to 64. */
static inline uint64_t gm_mask(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* Returns the number of bits set. */
static inline unsigned gm_count_ones(uint64_t value)
{
    return (unsigned)__builtin_popcountll(value);
}

/* Returns the position of the lowest bit set. Requires value > 0. */
static inline unsigned gm_lowest_one(uint64_t value)
{
    return (unsigned)__builtin_ctzll(value);
}

/* Returns all bits of the blocks, `block` bits each from bit 0 on, in which a bit is set. `block`:
 * a power of two up to 32. */
static inline uint32_t gm_blocks_of(uint32_t bits, unsigned block)
{
    uint32_t blocks = 0;
    for (unsigned first = 0; first < 32; first += block) {
        uint32_t one = (uint32_t)gm_mask(block) << first;
        blocks |= (bits & one) != 0 ? one : 0;
    }
    return blocks;
}

/* Returns the XOR of all bits, 0 or 1. */
static inline unsigned gm_parity(uint64_t value)
{
    return (unsigned)__builtin_parityll(value);
}

#ifdef __cplusplus
}
#endif

#endif
