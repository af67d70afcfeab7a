/* Bit set: a set of small numbers as an array of 64-bit words. Bit b is bit b % 64 of word b / 64;
 * the user has the array.
 *
 * Where a template's shape says that the set is one word, pass the constant 1 as `words`, and
 * bit % 64 as `bit`: the compiler then drops the choice of the word. */
#ifndef GOLDMEM_BASE_BITSET_H
#define GOLDMEM_BASE_BITSET_H

#include "base/template.h"
#include "goldmem/bits.h"

enum { GM_BITSET_WORD = 64 }; /* bits of a word */

#define GM_BITSET_NONE UINT32_MAX

/* Words of a set of the numbers below `bits`. */
static inline uint32_t gm_bitset_words(uint32_t bits)
{
    return (bits + GM_BITSET_WORD - 1) / GM_BITSET_WORD;
}

static inline bool gm_bitset_has(const uint64_t *set, uint32_t bit)
{
    return (set[bit / GM_BITSET_WORD] >> bit % GM_BITSET_WORD & 1) != 0;
}

static inline void gm_bitset_add(uint64_t *set, uint32_t bit)
{
    set[bit / GM_BITSET_WORD] |= UINT64_C(1) << bit % GM_BITSET_WORD;
}

static inline void gm_bitset_remove(uint64_t *set, uint32_t bit)
{
    set[bit / GM_BITSET_WORD] &= ~(UINT64_C(1) << bit % GM_BITSET_WORD);
}

GM_TEMPLATE bool gm_bitset_any(const uint64_t *set, const uint32_t words)
{
    uint64_t any = set[0];
    for (uint32_t word = 1; word < words; word++) {
        any |= set[word];
    }
    return any != 0;
}

GM_TEMPLATE uint32_t gm_bitset_count(const uint64_t *set, const uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < words; word++) {
        count += gm_count_ones(set[word]);
    }
    return count;
}

/* Returns the first bit of the set from `from` on, around the end to the bit before `from`;
 * GM_BITSET_NONE when the set is empty. Requires from <= 64 * words; 64 * words means 0. */
GM_TEMPLATE uint32_t gm_bitset_next(const uint64_t *set, const uint32_t words, uint32_t from)
{
    if (words == 1) { /* rotated: the end of the word would be hard to predict */
        uint64_t ahead = set[0] >> from % GM_BITSET_WORD | set[0] << (-from % GM_BITSET_WORD);
        return ahead == 0 ? GM_BITSET_NONE : (from + gm_lowest_one(ahead)) % GM_BITSET_WORD;
    }
    uint32_t word = from == words * GM_BITSET_WORD ? 0 : from / GM_BITSET_WORD;
    uint64_t left = set[word] & UINT64_MAX << from % GM_BITSET_WORD;
    for (uint32_t i = 0; i <= words; i++) { /* the first word once more at the end, all of it */
        if (left != 0) {
            return word * GM_BITSET_WORD + gm_lowest_one(left);
        }
        word = word + 1 == words ? 0 : word + 1;
        left = set[word];
    }
    return GM_BITSET_NONE;
}

/* Returns the first bit of the set from `from` on, or GM_BITSET_NONE. */
static inline uint32_t gm_bitset_from(const uint64_t *set, const uint32_t words, uint32_t from)
{
    for (uint32_t word = from / GM_BITSET_WORD; word < words; word++) {
        uint64_t left = set[word];
        left &= word == from / GM_BITSET_WORD ? UINT64_MAX << from % GM_BITSET_WORD : UINT64_MAX;
        if (left != 0) {
            return word * GM_BITSET_WORD + gm_lowest_one(left);
        }
    }
    return GM_BITSET_NONE;
}

/* Returns the first number that is not in the set. Requires one. */
static inline uint32_t gm_bitset_vacant(const uint64_t *set)
{
    uint32_t word = 0;
    while (set[word] == UINT64_MAX) {
        word++;
    }
    return word * GM_BITSET_WORD + gm_lowest_one(~set[word]);
}

/* Removes the lowest bit of a word, for a loop over the bits of a set, word by word. Requires one.
 * Returns its position in the word. */
static inline uint32_t gm_bitset_take_lowest(uint64_t *word)
{
    uint32_t bit = gm_lowest_one(*word);
    *word &= *word - 1;
    return bit;
}

#endif
