/* Set-index functions [khairy, 4.3]: a line address to a set index and a tag, and back. The linear
 * ones are rows of XOR masks (the paper's H-matrix), held as tables by address byte. */
#include "goldmem/set_index.h"

#include "blocks/set_index_batch.h"
#include "goldmem/bits.h"

uint32_t gm_set_index_remainder(const gm_set_index *function, uint64_t line)
{
    /* The estimated quotient is the true one or one less, since reciprocal > 2^64 / modulus - 1. */
    uint64_t quotient = (uint64_t)(((unsigned __int128)line * function->reciprocal) >> 64);
    uint64_t rest = line - quotient * function->modulus;
    return (uint32_t)(rest >= function->modulus ? rest - function->modulus : rest);
}

static uint32_t rotate_row(const gm_set_index *function, uint64_t line)
{
    return (uint32_t)((line + (line >> function->bits)) & gm_mask(function->bits));
}

static uint32_t multiply(const gm_set_index *function, uint64_t line)
{
    const uint16_t(*table)[256] = function->table;
    return table[0][line & 0xff] ^ table[1][line >> 8 & 0xff] ^ table[2][line >> 16 & 0xff] ^
           table[3][line >> 24 & 0xff] ^ table[4][line >> 32 & 0xff] ^ table[5][line >> 40 & 0xff] ^
           table[6][line >> 48 & 0xff] ^ table[7][line >> 56];
}

uint32_t gm_set_index_of(const gm_set_index *function, uint64_t line)
{
    switch (function->kind) {
    case GM_INDEX_SEQUENTIAL:
    case GM_INDEX_XOR:
    case GM_INDEX_FOLD:
    case GM_INDEX_FERMI:
    case GM_INDEX_IPOLY:
    case GM_INDEX_MATRIX:
        return multiply(function, line);
    case GM_INDEX_PRIME:
        return gm_set_index_remainder(function, line);
    case GM_INDEX_SKEW:
        return rotate_row(function, line);
    }
    return 0;
}

uint64_t gm_set_index_tag(const gm_set_index *function, uint64_t line)
{
    return function->kind == GM_INDEX_PRIME ? line : line >> function->bits;
}

uint64_t gm_set_index_line(const gm_set_index *function, uint64_t tag, uint32_t index)
{
    if (function->kind == GM_INDEX_PRIME) {
        return tag;
    }
    uint64_t high = tag << function->bits;
    if (function->kind == GM_INDEX_SKEW) {
        return high | ((index - tag) & gm_mask(function->bits));
    }
    uint32_t part = index ^ multiply(function, high);
    return high | (uint64_t)(function->inverse[0][part & 0xff] ^ function->inverse[1][part >> 8]);
}
