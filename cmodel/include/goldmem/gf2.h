/* Polynomials and square matrices over GF(2), as integers: bit i of a polynomial is the coefficient
 * of x^i, bit j of a matrix row is column j. */
#ifndef GOLDMEM_GF2_H
#define GOLDMEM_GF2_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the remainder of a(x) divided by p(x). Requires p > 0. */
uint64_t gm_gf2_remainder(uint64_t a, uint64_t p);

/* Returns the smallest factor of p(x) other than 1 and p(x); 0 when p(x) is irreducible. Requires
 * 2 <= p. */
uint32_t gm_gf2_factor(uint32_t p);

/* Returns the smallest irreducible polynomial with a constant term of that degree, 1 to 31. */
uint32_t gm_gf2_smallest_irreducible(unsigned degree);

/* Returns the rank of a matrix of `rows` rows, at most 64, and up to 64 columns. */
unsigned gm_gf2_rank(const uint64_t *row, unsigned rows);

/* Inverts a size * size matrix, size <= 32. Returns 0 and fills inverse[0..size); when the matrix
 * is singular, returns a non-zero vector that the matrix maps to zero. */
uint32_t gm_gf2_invert(const uint32_t *matrix, unsigned size, uint32_t *inverse);

#ifdef __cplusplus
}
#endif

#endif
