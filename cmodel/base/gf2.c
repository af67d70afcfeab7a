/* Polynomials and square matrices over GF(2): remainder, factors, irreducible polynomials, rank,
 * inverse. */
#include "goldmem/gf2.h"

#include "goldmem/bits.h"

uint64_t gm_gf2_remainder(uint64_t a, uint64_t p)
{
    unsigned degree = gm_log2_floor(p);
    while (a != 0 && gm_log2_floor(a) >= degree) {
        a ^= p << (gm_log2_floor(a) - degree);
    }
    return a;
}

uint32_t gm_gf2_factor(uint32_t p)
{
    /* A reducible polynomial has a factor of at most half its degree. */
    uint32_t end = UINT32_C(2) << (gm_log2_floor(p) / 2);
    for (uint32_t factor = 2; factor < end; factor++) {
        if (factor != p && gm_gf2_remainder(p, factor) == 0) {
            return factor;
        }
    }
    return 0;
}

uint32_t gm_gf2_smallest_irreducible(unsigned degree)
{
    uint32_t p = (UINT32_C(1) << degree) + 1;
    while (gm_gf2_factor(p) != 0) {
        p += 2;
    }
    return p;
}

unsigned gm_gf2_rank(const uint64_t *row, unsigned rows)
{
    uint64_t basis[64] = {0}; /* basis[k]: its highest one is column k */
    unsigned rank = 0;
    for (unsigned i = 0; i < rows; i++) {
        uint64_t rest = row[i];
        while (rest != 0 && basis[gm_log2_floor(rest)] != 0) {
            rest ^= basis[gm_log2_floor(rest)];
        }
        if (rest != 0) {
            basis[gm_log2_floor(rest)] = rest;
            rank++;
        }
    }
    return rank;
}

/* The columns form `left`; each step on them is also done to `inverse`, so that matrix * inverse[k]
 * = left[k] throughout. A column that becomes zero shows that the matrix is singular. */
uint32_t gm_gf2_invert(const uint32_t *matrix, unsigned size, uint32_t *inverse)
{
    uint32_t left[32];
    uint32_t right[32];
    for (unsigned k = 0; k < size; k++) {
        left[k] = 0;
        right[k] = UINT32_C(1) << k;
        for (unsigned i = 0; i < size; i++) {
            left[k] |= (matrix[i] >> k & 1) << i;
        }
    }
    for (unsigned k = 0; k < size; k++) {
        if (left[k] == 0) {
            return right[k];
        }
        uint32_t pivot = left[k] & -left[k];
        for (unsigned j = 0; j < size; j++) {
            if (j != k && (left[j] & pivot) != 0) {
                left[j] ^= left[k];
                right[j] ^= right[k];
            }
        }
    }
    /* Each left[k] is now one bit: right[k] is the inverse's column of that bit. */
    for (unsigned i = 0; i < size; i++) {
        inverse[i] = 0;
    }
    for (unsigned k = 0; k < size; k++) {
        for (unsigned i = 0; i < size; i++) {
            inverse[i] |= (right[k] >> i & 1) << gm_log2_floor(left[k]);
        }
    }
    return 0;
}
