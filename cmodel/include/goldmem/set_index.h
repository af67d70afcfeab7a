/* Set-index functions [khairy, 4.3]: from a line address to a set index and a tag, and back.
 * sequential, xor, fold, fermi, ipoly and matrix are matrices over GF(2): each index bit is the XOR
 * of one mask of line-address bits. prime and skew are no matrices and have no RTL. */
#ifndef GOLDMEM_SET_INDEX_H
#define GOLDMEM_SET_INDEX_H

#include "goldmem/error.h"
#include "goldmem/ports.h"
#include "goldmem/ports/set_index.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_SET_INDEX_BITS = 16,  /* index bits, at most: 65536 sets */
    GM_SET_INDEX_FIELD = 11, /* line-address bits that one table takes */
    GM_SET_INDEX_TABLES = 6, /* tables for one line address */
    GM_LINE_ADDRESS_BITS = 64,
    GM_SET_INDEX_FERMI_LINE = 128, /* bytes: fermi names address bits above a line of this size */
};

typedef enum gm_set_index_kind {
    GM_INDEX_SEQUENTIAL, /* low m bits */
    GM_INDEX_XOR,        /* low m-bit field xor the next one */
    GM_INDEX_FOLD,       /* xor of all m-bit fields */
    GM_INDEX_FERMI,  /* 128-byte lines: A7..A11 xor A13, A14, A15, A17, A19; of 64 sets A12 too */
    GM_INDEX_IPOLY,  /* L(x) mod P(x) over GF(2) */
    GM_INDEX_MATRIX, /* an H-matrix from a file */
    GM_INDEX_PRIME,  /* L mod the largest prime not above the number of sets */
    GM_INDEX_SKEW,   /* row rotation: (L + L / sets) mod sets */
} gm_set_index_kind;

/* Parameters of gm_set_index_init: `sets` and `address_bits` for every kind, the others by kind. */
typedef struct gm_set_index_parameters {
    gm_set_index_kind kind;
    uint64_t sets;         /* a power of two, 1 to 65536; 2 at least for ipoly and prime */
    unsigned address_bits; /* line-address bits, log2(sets) to 64; 13 at least for fermi */
    uint32_t polynomial; /* IPOLY: bit log2(sets) is its highest one; 0: the smallest irreducible */
    bool allow_reducible; /* IPOLY: take a polynomial that has factors */
    const uint64_t *row;  /* MATRIX: log2(sets) masks of line-address bits, index bit 0 first */
} gm_set_index_parameters;

typedef struct gm_set_index {
    gm_set_index_kind kind;
    unsigned bits;         /* m: log2 of the number of sets, 0 to 16 */
    unsigned address_bits; /* line-address bits, m to 64 */
    uint32_t polynomial;   /* IPOLY: bit m set; else 0 */
    uint32_t modulus;      /* PRIME; else 0 */
    uint64_t reciprocal;   /* PRIME: floor(2^64 / modulus) */
    uint64_t
        row[GM_SET_INDEX_BITS]; /* mask of line-address bits of each index bit; matrices only */
    /* The matrix as tables: index contribution of each 11-bit field of the line address. */
    uint16_t table[GM_SET_INDEX_TABLES][1 << GM_SET_INDEX_FIELD];
    /* Low m line bits from (index xor the tag's contribution), byte by byte; matrices only. */
    uint16_t inverse[2][256];
} gm_set_index;

/* Makes the function. Returns 0, or -EINVAL, which says which parameter is wrong and why: wrong
 * degree, zero constant term, a factor of a reducible polynomial, two lines that a matrix maps to
 * one tag and set. */
int gm_set_index_init(gm_set_index *function, const gm_set_index_parameters *parameters,
                      gm_error *error);

/* Returns true for a matrix over GF(2), hence a network of XOR gates: every kind but prime and
 * skew.
 */
inline bool gm_set_index_is_linear(const gm_set_index *function)
{
    return function->kind != GM_INDEX_PRIME && function->kind != GM_INDEX_SKEW;
}

/* Makes the function from its text for `sets` sets and line addresses of `address_bits` bits:
 * "sequential", "xor", "fold", "fermi", "ipoly" (the smallest irreducible polynomial), "ipoly:37",
 * "ipoly:0x25", "ipoly:33:reducible", "matrix:FILE", "prime", "skew". A matrix file has one line
 * for each index bit, bit 0 first: a mask of line-address bits (0x...), or its digits 0 and 1, the
 * highest line-address bit first, with any blanks between them; "#" begins a comment. Returns 0;
 * -EINVAL as gm_set_index_init; the negative errno value of a file that cannot be read. Messages
 * name the text, or FILE:LINE. */
int gm_set_index_parse(gm_set_index *function, const char *text, uint64_t sets,
                       unsigned address_bits, gm_error *error);

/* Returns a function's name as gm_set_index_parse reads it, without parameters: "ipoly". */
const char *gm_set_index_name(gm_set_index_kind kind);

/* Private to gm_set_index_of: returns the product of a linear function's matrix and the line
 * address. */
inline uint32_t gm_set_index_multiply(const gm_set_index *function, uint64_t line)
{
    enum { FIELD = GM_SET_INDEX_FIELD, MASK = (1 << GM_SET_INDEX_FIELD) - 1 };
    const uint16_t(*table)[1 << FIELD] = function->table;
    uint32_t index = table[0][line & MASK] ^ table[1][line >> FIELD & MASK] ^
                     table[2][line >> 2 * FIELD & MASK] ^ table[3][line >> 3 * FIELD & MASK];
    if (function->address_bits > 4 * FIELD) {
        index ^= table[4][line >> 4 * FIELD & MASK] ^ table[5][line >> 5 * FIELD];
    }
    return index;
}

/* Private to gm_set_index_remainder. */
__extension__ typedef unsigned __int128 gm_uint128;

/* Private to gm_set_index_of: returns line mod modulus without a division. The estimated quotient
 * is the true one or one less, since reciprocal > 2^64 / modulus - 1. */
inline uint32_t gm_set_index_remainder(const gm_set_index *function, uint64_t line)
{
    uint64_t quotient = (uint64_t)(((gm_uint128)line * function->reciprocal) >> 64);
    uint64_t rest = line - quotient * function->modulus;
    return (uint32_t)(rest >= function->modulus ? rest - function->modulus : rest);
}

/* Returns the set index of a line address. Requires that its bits above address_bits are 0. */
inline uint32_t gm_set_index_of(const gm_set_index *function, uint64_t line)
{
    if (gm_set_index_is_linear(function)) {
        return gm_set_index_multiply(function, line);
    }
    if (function->kind == GM_INDEX_PRIME) {
        return gm_set_index_remainder(function, line);
    }
    uint64_t row = line >> function->bits;
    return (uint32_t)((line + row) & ((UINT64_C(1) << function->bits) - 1));
}

/* Returns the tag: line >> m; for prime the whole line address. */
uint64_t gm_set_index_tag(const gm_set_index *function, uint64_t line);

/* Returns the line address of a tag and an index. */
uint64_t gm_set_index_line(const gm_set_index *function, uint64_t tag, uint32_t index);

/* Sets index[i] = gm_set_index_of(function, line[i]) for i < count: the fast path. */
void gm_set_index_batch(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                        uint64_t count);

GM_PORTS_STRUCTS(set_index, SET_INDEX)

/* The block's transaction, as in its RTL. FORWARD takes a line, INVERSE a tag and an index; both
 * return line, tag and index. */
gm_set_index_response gm_set_index_access(const gm_set_index *function,
                                          gm_set_index_request request);

#ifdef __cplusplus
}
#endif

#endif
