/* Lines and parameters of blocks with set_index in front: LineW, IndexW, Polynomial and Matrix are
 * the first four of their port list. */
#ifndef GOLDMEM_COSIM_STIMULUS_INDEX_LINES_H
#define GOLDMEM_COSIM_STIMULUS_INDEX_LINES_H

#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/set_index.h"

/* Positions of the RTL parameters in the port list. */
enum { LINE_W, INDEX_W, POLYNOMIAL, MATRIX, AFTER_INDEX };

/* Writes one row into the flat matrix. */
static inline void place_row(uint64_t *matrix, unsigned at, uint64_t row)
{
    matrix[at / 64] |= row << (at % 64);
    if (at % 64 != 0 && at / 64 + 1 < GM_COSIM_WORDS) {
        matrix[at / 64 + 1] |= row >> (64 - at % 64);
    }
}

/* Sets the four parameters of a function; leaves the others. Requires that Matrix is zeros. */
static inline void set_index_parameters(gm_cosim_configuration *configuration,
                                        const gm_set_index *function)
{
    configuration->parameter[LINE_W][0] = function->address_bits;
    configuration->parameter[INDEX_W][0] = function->bits;
    configuration->parameter[POLYNOMIAL][0] = function->polynomial;
    for (unsigned i = 0; function->polynomial == 0 && i < function->bits; i++) {
        place_row(configuration->parameter[MATRIX], i * function->address_bits, function->row[i]);
    }
}

/* Returns line `number` of a set: for ipoly a multiple of P, plus the index; else the low bits are
 * the set, which is the set index for some functions and spreads over sets for others. A few lines
 * repeat, so that sequences on a line are completed; the numbers are mirrored into the highest
 * bits, so that tags differ there too. */
static inline uint64_t line_of(const gm_cosim_configuration *configuration, uint64_t number,
                               uint64_t set)
{
    enum { NUMBER_BITS = 6 };
    uint64_t polynomial = configuration->parameter[POLYNOMIAL][0];
    unsigned index_bits = (unsigned)configuration->parameter[INDEX_W][0];
    unsigned tag_bits = (unsigned)configuration->parameter[LINE_W][0] - index_bits;
    uint64_t factor = number;
    for (unsigned i = 0; i < NUMBER_BITS && tag_bits > 2 * NUMBER_BITS; i++) {
        factor |= (number >> i & 1) << (tag_bits - 1 - i);
    }
    uint64_t line = set ^ (polynomial == 0 ? factor << index_bits : 0);
    for (unsigned i = 0; polynomial != 0 && i < tag_bits; i++) {
        line ^= (factor >> i & 1) != 0 ? polynomial << i : 0;
    }
    return line & gm_mask(index_bits + tag_bits);
}

#endif
