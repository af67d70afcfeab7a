/* Set-index functions [khairy, 4.3]: from a line address to a set index and a tag, and back. A
 * linear function is an H-matrix, rows of XOR masks, stored as a table for each address field. */
#include "goldmem/set_index.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"
#include "goldmem/gf2.h"

#include <errno.h>

/* The XOR of the m-bit fields of the address, at most `fields` of them, from the low end. */
static void fill_fields(gm_set_index *function, unsigned fields)
{
    unsigned end = fields * function->bits;
    end = end < function->address_bits ? end : function->address_bits;
    for (unsigned column = 0; column < end; column++) {
        function->row[column % function->bits] |= UINT64_C(1) << column;
    }
}

/* A7..A11 xor A13, A14, A15, A17, A19 of the byte address; line-address bit 0 is A7. With 64 sets
 * (Fermi's L1 of 48 KB, as GPGPU-Sim has it) A12 is the sixth bit. */
static int fill_fermi(gm_set_index *function, gm_error *error)
{
    static const unsigned upper[5] = {13 - 7, 14 - 7, 15 - 7, 17 - 7, 19 - 7};
    if (function->bits < 5 || function->bits > 6 || function->address_bits < 13) {
        return gm_fail(
            error, -EINVAL,
            "%u sets and %u line-address bits: it is defined for 32 and 64 sets and at least 13 "
            "line-address bits",
            1u << function->bits, function->address_bits);
    }
    for (unsigned i = 0; i < 5; i++) {
        function->row[i] = UINT64_C(1) << i | UINT64_C(1) << upper[i];
    }
    if (function->bits == 6) {
        function->row[5] = UINT64_C(1) << (12 - 7);
    }
    return 0;
}

/* Column k is x^k mod P(x) [Rau, as cited there]. */
static void fill_ipoly(gm_set_index *function)
{
    uint64_t power = 1;
    for (unsigned column = 0; column < function->address_bits; column++) {
        for (unsigned i = 0; i < function->bits; i++) {
            function->row[i] |= (power >> i & 1) << column;
        }
        power = gm_gf2_remainder(power << 1, function->polynomial);
    }
}

static int check_polynomial(gm_set_index *function, const gm_set_index_parameters *parameters,
                            gm_error *error)
{
    uint32_t p = parameters->polynomial;
    unsigned m = function->bits;
    if (m == 0) {
        return gm_fail(error, -EINVAL, "1 set: a polynomial needs at least 2 sets");
    }
    p = p == 0 ? gm_gf2_smallest_irreducible(m) : p;
    if (gm_log2_floor(p) != m) {
        return gm_fail(error, -EINVAL,
                       "polynomial %u has degree %u; %u sets need degree %u (%u to %u)", p,
                       gm_log2_floor(p), 1u << m, m, (1u << m) + 1, (2u << m) - 1);
    }
    if ((p & 1) == 0) {
        return gm_fail(error, -EINVAL, "polynomial %u has no constant term (it is even)", p);
    }
    uint32_t factor = gm_gf2_factor(p);
    if (factor != 0 && !parameters->allow_reducible) {
        return gm_fail(error, -EINVAL,
                       "polynomial %u is reducible: %u divides it (ipoly:%u:reducible takes it)", p,
                       factor, p);
    }
    function->polynomial = p;
    return 0;
}

static int check_matrix(gm_set_index *function, const gm_set_index_parameters *parameters,
                        gm_error *error)
{
    for (unsigned i = 0; i < function->bits; i++) {
        function->row[i] = parameters->row[i];
        if ((function->row[i] & ~gm_mask(function->address_bits)) != 0) {
            return gm_fail(error, -EINVAL,
                           "row %u (0x%llx) uses line-address bit %u; there are %u bits", i,
                           (unsigned long long)function->row[i], gm_log2_floor(function->row[i]),
                           function->address_bits);
        }
    }
    return 0;
}

static int fill_prime(gm_set_index *function, gm_error *error)
{
    if (function->bits == 0) {
        return gm_fail(error, -EINVAL, "1 set: there is no prime number up to 1");
    }
    uint32_t p = 1u << function->bits;
    for (uint32_t divisor = 2; divisor * divisor <= p; divisor++) {
        if (p % divisor == 0) {
            p--;
            divisor = 1;
        }
    }
    function->modulus = p;
    function->reciprocal = (uint64_t)(((unsigned __int128)1 << 64) / p);
    return 0;
}

/* Returns a column of the matrix: the index bits that change with one line-address bit. */
static uint16_t column_of(const gm_set_index *function, unsigned column)
{
    unsigned index = 0;
    for (unsigned i = 0; column < GM_LINE_ADDRESS_BITS && i < function->bits; i++) {
        index |= (unsigned)(function->row[i] >> column & 1) << i;
    }
    return (uint16_t)index;
}

static void fill_tables(gm_set_index *function)
{
    for (unsigned field = 0; field < GM_SET_INDEX_TABLES; field++) {
        uint16_t *table = function->table[field];
        for (unsigned bit = 0; bit < GM_SET_INDEX_FIELD; bit++) {
            uint16_t column = column_of(function, field * GM_SET_INDEX_FIELD + bit);
            for (unsigned value = 0; value < 1u << bit; value++) {
                table[1u << bit | value] = table[value] ^ column;
            }
        }
    }
}

/* Fills the inverse. Requires that for fixed upper address bits the low m bits map one-to-one to
 * the index. */
static int fill_inverse(gm_set_index *function, gm_error *error)
{
    unsigned m = function->bits;
    uint32_t low[GM_SET_INDEX_BITS];
    uint32_t inverse[GM_SET_INDEX_BITS];
    for (unsigned i = 0; i < m; i++) {
        low[i] = (uint32_t)(function->row[i] & gm_mask(m));
    }
    uint32_t vanishes = gm_gf2_invert(low, m, inverse);
    if (vanishes != 0) {
        return gm_fail(error, -EINVAL,
                       "lines 0x0 and 0x%x have the same tag and the same set: the matrix over the "
                       "low %u bits is not of full rank",
                       vanishes, m);
    }
    for (unsigned byte = 0; byte < 2; byte++) {
        for (uint32_t value = 0; value < 256; value++) {
            unsigned bits = 0;
            for (unsigned i = 0; i < m; i++) {
                bits |= gm_parity(inverse[i] & value << 8 * byte) << i;
            }
            function->inverse[byte][value] = (uint16_t)bits;
        }
    }
    return 0;
}

static int fill_rows(gm_set_index *function, const gm_set_index_parameters *parameters,
                     gm_error *error)
{
    int code = 0;
    switch (function->kind) {
    case GM_INDEX_SEQUENTIAL:
        fill_fields(function, 1);
        return 0;
    case GM_INDEX_XOR:
        fill_fields(function, 2);
        return 0;
    case GM_INDEX_FOLD:
        fill_fields(function, GM_LINE_ADDRESS_BITS);
        return 0;
    case GM_INDEX_FERMI:
        return fill_fermi(function, error);
    case GM_INDEX_IPOLY:
        code = check_polynomial(function, parameters, error);
        if (code == 0) {
            fill_ipoly(function);
        }
        return code;
    case GM_INDEX_MATRIX:
        return check_matrix(function, parameters, error);
    case GM_INDEX_PRIME:
        return fill_prime(function, error);
    case GM_INDEX_SKEW:
        return 0;
    }
    return gm_fail(error, -EINVAL, "set-index kind %d is not one of %d to %d", (int)function->kind,
                   (int)GM_INDEX_SEQUENTIAL, (int)GM_INDEX_SKEW);
}

int gm_set_index_init(gm_set_index *function, const gm_set_index_parameters *parameters,
                      gm_error *error)
{
    uint64_t sets = parameters->sets;
    if (!gm_is_power_of_two(sets) || sets > UINT64_C(1) << GM_SET_INDEX_BITS) {
        return gm_fail(error, -EINVAL, "%llu sets: must be a power of two from 1 to 65536",
                       (unsigned long long)sets);
    }
    unsigned m = gm_log2_floor(sets);
    if (parameters->address_bits < m || parameters->address_bits > GM_LINE_ADDRESS_BITS) {
        return gm_fail(error, -EINVAL, "%u line-address bits: must be %u to %d for %llu sets",
                       parameters->address_bits, m, GM_LINE_ADDRESS_BITS, (unsigned long long)sets);
    }
    *function = (gm_set_index){
        .kind = parameters->kind, .bits = m, .address_bits = parameters->address_bits};
    int code = fill_rows(function, parameters, error);
    if (code != 0 || !gm_set_index_is_linear(function)) {
        return code;
    }
    fill_tables(function);
    return fill_inverse(function, error);
}

/* External definitions of the functions that are inline in the header, the caches' fast path. */
extern inline bool gm_set_index_is_linear(const gm_set_index *function);
extern inline uint32_t gm_set_index_multiply(const gm_set_index *function, uint64_t line);
extern inline uint32_t gm_set_index_remainder(const gm_set_index *function, uint64_t line);
extern inline uint32_t gm_set_index_of(const gm_set_index *function, uint64_t line);

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
    uint32_t part = index ^ gm_set_index_multiply(function, high);
    return high | (uint64_t)(function->inverse[0][part & 0xff] ^ function->inverse[1][part >> 8]);
}

/* Asserts that a line's index is below the number of sets, and that tag and index give the line
 * back. */
static void assert_bijection(const gm_set_index *function, uint64_t line)
{
    uint32_t index = gm_set_index_of(function, line);
    gm_assert(index >> function->bits == 0, "set_index: line 0x%llx has index %u",
              (unsigned long long)line, index);
    gm_assert(gm_set_index_line(function, gm_set_index_tag(function, line), index) == line,
              "set_index: tag and index of line 0x%llx are those of another",
              (unsigned long long)line);
}

gm_set_index_response gm_set_index_access(const gm_set_index *function,
                                          gm_set_index_request request)
{
    if (request.op == GM_SET_INDEX_INVERSE) {
        uint32_t index = (uint32_t)request.index;
        uint64_t line = gm_set_index_line(function, request.tag, index);
        assert_bijection(function, line);
        return (gm_set_index_response){.line = line, .tag = request.tag, .index = request.index};
    }
    gm_assert((request.line & ~gm_mask(function->address_bits)) == 0,
              "set_index: line address 0x%llx", (unsigned long long)request.line);
    assert_bijection(function, request.line);
    return (gm_set_index_response){
        .line = request.line,
        .tag = gm_set_index_tag(function, request.line),
        .index = gm_set_index_of(function, request.line),
    };
}

GM_PORTS_TABLE(set_index, SET_INDEX)
