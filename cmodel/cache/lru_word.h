/* LRU word: the replacement order of a set of up to 16 ways in 64 bits, four bits for each way's
 * number, the newest lowest, 0 above the oldest. All ways are compared or moved at once (SWAR).
 *
 * Four ways, used in the order 1, 3, 0, 2:
 *
 *     bit    63..16   15..12   11..8   7..4   3..0
 *           |   0   |    1   |   3   |   0  |   2  |
 *                     oldest                 newest
 *
 * Using way 3 moves the ways newer than it up by one place:
 *
 *           |   0   |    1   |   0   |   2  |   3  |
 *
 * Replacing the oldest, way 1, turns the word, as the way becomes the newest:
 *
 *           |   0   |    0   |   2   |   3  |   1  |
 *
 * FIFO uses the word without the step for a use. */
#ifndef GOLDMEM_CACHE_LRU_WORD_H
#define GOLDMEM_CACHE_LRU_WORD_H

#include "goldmem/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { GM_LRU_WORD_WAYS = 16 };

#define GM_LRU_WORD_ONES UINT64_C(0x1111111111111111) /* a one in each place */

/* The places of a word in use, for 1 to GM_LRU_WORD_WAYS ways. */
typedef struct gm_lru_places {
    uint64_t mask;   /* the bits in use */
    uint32_t oldest; /* bit position of the oldest way's number */
} gm_lru_places;

static inline gm_lru_places gm_lru_places_of(uint32_t ways)
{
    return (gm_lru_places){.mask = gm_mask(4 * ways), .oldest = 4 * (ways - 1)};
}

/* Returns the initial word: way 0 is the newest, the last way the oldest. */
static inline uint64_t gm_lru_word_start(const gm_lru_places *places)
{
    return UINT64_C(0xfedcba9876543210) & places->mask;
}

/* Returns the way that `age` ways are newer than; age 0: the newest way. */
static inline uint32_t gm_lru_word_way(uint64_t word, uint32_t age)
{
    return (uint32_t)(word >> 4 * age) & 15;
}

static inline uint32_t gm_lru_word_oldest(uint64_t word, const gm_lru_places *places)
{
    return (uint32_t)(word >> places->oldest);
}

/* Returns the bit position of a way's number. The zeros above the oldest way look like way 0, but
 * the lowest match is the right one. */
static inline unsigned gm_lru_word_position(uint64_t word, unsigned way)
{
    uint64_t other = word ^ way * GM_LRU_WORD_ONES; /* 0 in the place of the way */
    return gm_lowest_one((other - GM_LRU_WORD_ONES) & ~other & 8 * GM_LRU_WORD_ONES) - 3;
}

/* Returns the word after its oldest way became the newest. */
static inline uint64_t gm_lru_word_turn(uint64_t word, const gm_lru_places *places)
{
    return (word << 4 & places->mask) | word >> places->oldest;
}

/* Returns the word after a way became the newest. */
static inline uint64_t gm_lru_word_make_newest(uint64_t word, unsigned way)
{
    uint64_t newer = (UINT64_C(1) << gm_lru_word_position(word, way)) - 1;
    return (word & ~(newer << 4 | 15)) | (word & newer) << 4 | way;
}

/* Returns the word after a way became the oldest, the next to be replaced. */
static inline uint64_t gm_lru_word_make_oldest(uint64_t word, const gm_lru_places *places,
                                               unsigned way)
{
    uint64_t older = ~gm_mask(gm_lru_word_position(word, way)); /* and the way itself */
    return (word & ~older) | ((word & older) >> 4 & older) | (uint64_t)way << places->oldest;
}

/* Returns true if the word names each of the ways once. */
static inline bool gm_lru_word_is_sound(uint64_t word, uint32_t ways)
{
    uint32_t seen = 0;
    for (uint32_t age = 0; age < ways; age++) {
        seen |= UINT32_C(1) << gm_lru_word_way(word, age);
    }
    return seen == gm_mask(ways);
}

#endif
