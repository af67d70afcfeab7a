/* Set-index functions [khairy, 4.3]: from a line address to a set index and a tag, and back.
 * sequential, xor, fold, fermi, ipoly and matrix are matrices over GF(2): each index bit is the XOR
 * of one mask of line-address bits. prime and skew are not, and have no RTL. */
#ifndef GOLDMEM_SET_INDEX_H
#define GOLDMEM_SET_INDEX_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GM_SET_INDEX_BITS = 16,  /* index bits, at most: 65536 sets */
    GM_SET_INDEX_TABLES = 8, /* byte tables for one line address */
    GM_LINE_ADDRESS_BITS = 64,
};

typedef enum gm_set_index_kind {
    GM_INDEX_SEQUENTIAL, /* low m bits */
    GM_INDEX_XOR,        /* low m-bit field xor the next one */
    GM_INDEX_FOLD,       /* xor of all m-bit fields */
    GM_INDEX_FERMI,      /* 32 sets of 128-byte lines: A7..A11 xor A13, A14, A15, A17, A19 */
    GM_INDEX_IPOLY,      /* L(x) mod P(x) over GF(2) */
    GM_INDEX_MATRIX,     /* an H-matrix from a file */
    GM_INDEX_PRIME,      /* L mod the largest prime not above the number of sets */
    GM_INDEX_SKEW,       /* row rotation: (L + L / sets) mod sets */
} gm_set_index_kind;

typedef struct gm_set_index {
    gm_set_index_kind kind;
    unsigned bits;                   /* m: log2 of the number of sets, 0 to 16 */
    unsigned address_bits;           /* line-address bits, m to 64 */
    uint32_t polynomial;             /* IPOLY: bit m set */
    uint32_t modulus;                /* PRIME */
    uint64_t row[GM_SET_INDEX_BITS]; /* mask of line-address bits of each index bit */
    uint64_t
        low_inverse[GM_SET_INDEX_BITS]; /* mask of (index xor tag part) bits of each low line bit */
    uint16_t table[GM_SET_INDEX_TABLES]
                  [256]; /* index contribution of each byte of the line address */
} gm_set_index;

/* Makes the function from its text for `sets` sets (a power of two, 1 to 65536) and lines of
 * `address_bits` bits: "sequential", "xor", "fold", "fermi", "ipoly" (the smallest irreducible
 * polynomial), "ipoly:37", "ipoly:37:reducible" (any), "matrix:FILE", "prime", "skew".
 * -EINVAL says which part is wrong and why (wrong degree, zero constant term, a factor of a
 * reducible polynomial, the colliding pair of a matrix that is not of full rank). */
int gm_set_index_parse(gm_set_index *function, const char *text, uint64_t sets,
                       unsigned address_bits, gm_error *error);

/* Set index of a line address (its bits above address_bits are 0). */
uint32_t gm_set_index_of(const gm_set_index *function, uint64_t line);

/* Tag: line >> m; the whole line for prime. */
uint64_t gm_set_index_tag(const gm_set_index *function, uint64_t line);

/* Inverse: the line of a tag and an index. */
uint64_t gm_set_index_line(const gm_set_index *function, uint64_t tag, uint32_t index);

/* index[i] = gm_set_index_of(function, line[i]) for i < count: the fast path. */
void gm_set_index_batch(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                        uint64_t count);

#endif
