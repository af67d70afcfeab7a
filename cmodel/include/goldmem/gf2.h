/* Polynomials and square matrices over GF(2), as integers: bit i of a polynomial is the coefficient
 * of x^i, bit j of a matrix row is column j. */
#ifndef GOLDMEM_GF2_H
#define GOLDMEM_GF2_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Remainder of a(x) divided by p(x); p > 0. */
uint64_t gm_gf2_remainder(uint64_t a, uint64_t p);

/* Smallest factor of p(x) that is neither 1 nor p itself; 0 when p is irreducible. 2 <= p < 2^32.
 */
uint32_t gm_gf2_factor(uint32_t p);

/* Smallest irreducible polynomial of that degree (1 to 31) with a constant term. */
uint32_t gm_gf2_smallest_irreducible(unsigned degree);

/* Rank of `rows` rows of up to 64 columns; rows <= 64. */
unsigned gm_gf2_rank(const uint64_t *row, unsigned rows);

/* Inverse of a size * size matrix, size <= 32. Returns 0 and fills inverse[0..size), or, when the
 * matrix is singular, a non-zero vector that it maps to zero. */
uint32_t gm_gf2_invert(const uint32_t *matrix, unsigned size, uint32_t *inverse);

#ifdef __cplusplus
}
#endif

#endif
