/* Way hashes: a byte of a hash for the line of each way of a set, eight in a word, so that a
 * look-up compares eight ways at once (SWAR) and reads very few tags. */
#ifndef GOLDMEM_CACHE_WAY_HASH_H
#define GOLDMEM_CACHE_WAY_HASH_H

#include <stdint.h>

enum { GM_WAY_HASHES = 8 }; /* of a word */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "way 0 has the lowest byte");

#define GM_WAY_HASH_ONES UINT64_C(0x0101010101010101) /* a one in each byte */

static inline uint8_t gm_way_hash(uint64_t line)
{
    return (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Returns the highest bit of each byte that equals the line's hash. The borrow of the subtraction
 * may mark bytes above such a byte too: the caller confirms each by its tag. */
static inline uint64_t gm_way_hash_matches(uint64_t hashes, uint64_t line)
{
    uint64_t other = hashes ^ gm_way_hash(line) * GM_WAY_HASH_ONES; /* 0 in the matching bytes */
    return (other - GM_WAY_HASH_ONES) & ~other & 0x80 * GM_WAY_HASH_ONES;
}

#endif
