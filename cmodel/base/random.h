/* Deterministic random numbers: splitmix64 [Steele, Lea, Flood: Fast
 * splittable pseudorandom number generators, OOPSLA 2014]. */
#ifndef GOLDMEM_BASE_RANDOM_H
#define GOLDMEM_BASE_RANDOM_H

#include <stdint.h>

/* Mixes 64 bits (splitmix64's finaliser). */
static inline uint64_t gm_hash64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t gm_random_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return gm_hash64(*state);
}

/* Returns r with 0 <= r < bound. Requires bound > 0. */
static inline uint64_t gm_random_below(uint64_t *state, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)gm_random_next(state) * bound) >> 64);
}

/* Returns r with low <= r < high, in steps of 2^-24 of the range. */
static inline float gm_random_float(uint64_t *state, float low, float high)
{
    return low + (high - low) * (float)(gm_random_next(state) >> 40) * 0x1p-24F;
}

#endif
