/* Set-index functions against the paper's figures, a polynomial division written here, and the
 * definitions in words. */
#include "golden/khairy_figure_5.h"
#include "golden/khairy_figure_7.h"
#include "goldmem/bits.h"
#include "goldmem/set_index.h"
#include "support/support.h"

#include <stdio.h>

static gm_set_index make(const char *text, uint64_t sets, unsigned address_bits)
{
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, text, sets, address_bits, &error), error);
    return function;
}

/* The equations, term by term: 20 line-address bits are A[26:7]. */
static void matches_figure_7(void **state)
{
    (void)state;
    gm_set_index function = make("ipoly:37", 32, 20);
    for (unsigned i = 0; i < 5; i++) {
        uint64_t row = 0;
        for (const unsigned char *term = khairy_figure_7[i]; *term != 0; term++) {
            row |= UINT64_C(1) << (*term - 7);
        }
        assert_int_equal(function.row[i], row);
        for (unsigned bit = 0; bit < 20; bit++) {
            assert_int_equal(gm_set_index_of(&function, UINT64_C(1) << bit) >> i & 1,
                             row >> bit & 1);
        }
    }
}

static unsigned reverse3(unsigned index)
{
    return (index & 1) << 2 | (index & 2) | index >> 2;
}

/* Figure 5(b) is x^3 + x^2 + 1 with the index bits read in reverse order. */
static void matches_figure_5b(void **state)
{
    (void)state;
    gm_set_index function = make("ipoly:13", 8, 6);
    for (unsigned row = 0; row < 8; row++) {
        for (unsigned column = 0; column < 8; column++) {
            unsigned location = khairy_figure_5b[row][column];
            assert_int_equal(location / 8, row);
            assert_int_equal(reverse3(gm_set_index_of(&function, location)), column);
        }
    }
}

/* Long division as on paper, one coefficient at a time from the top. */
static uint32_t divide(uint64_t line, const int *p, int degree)
{
    int digit[64];
    for (int i = 0; i < 64; i++) {
        digit[i] = (int)(line >> i) & 1;
    }
    for (int i = 63; i >= degree; i--) {
        for (int j = 0; digit[i] != 0 && j < degree; j++) {
            digit[i - degree + j] ^= p[j];
        }
    }
    uint32_t rest = 0;
    for (int i = degree - 1; i >= 0; i--) {
        rest = rest << 1 | (uint32_t)digit[i];
    }
    return rest;
}

/* Every irreducible polynomial of degree 2 to 12; which ones are is the library's word here, and
 * test_gf2's business. */
static void agrees_with_long_division(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned tried = 0;
    for (int degree = 2; degree <= 12; degree++) {
        for (uint32_t p = (1u << degree) + 1; p < 2u << degree; p += 2) {
            char text[32];
            gm_set_index function;
            snprintf(text, sizeof text, "ipoly:%u", p);
            if (gm_set_index_parse(&function, text, UINT64_C(1) << degree, 64, NULL) != 0) {
                continue;
            }
            int digits[13];
            for (int i = 0; i <= degree; i++) {
                digits[i] = (int)(p >> i & 1);
            }
            for (int i = 0; i < 64; i++) {
                uint64_t line = test_random_next(&random) >> test_random_below(&random, 64);
                assert_int_equal(gm_set_index_of(&function, line), divide(line, digits, degree));
            }
            tried++;
        }
    }
    /* 1+2+3+6+9+18+30+56+99+186+335 by the necklace formula */
    assert_int_equal(tried, 745);
}

/* [khairy, 4.3]: a stride of a multiple of the set count uses one set sequentially. Any 32
 * consecutive references of the stride 32 * 2^k fill all sets under ipoly. */
static void set_count_strides_fill_all_sets(void **state)
{
    (void)state;
    gm_set_index ipoly = make("ipoly:37", 32, 42);
    gm_set_index sequential = make("sequential", 32, 42);
    for (unsigned shift = 5; shift <= 32; shift++) {
        for (uint64_t start = 0; start < 64; start++) {
            uint64_t seen = 0;
            uint64_t seen_sequential = 0;
            for (uint64_t k = 0; k < 32; k++) {
                uint64_t line = start * 32 * (UINT64_C(1) << shift) + (k << shift);
                seen |= UINT64_C(1) << (gm_set_index_of(&ipoly, line) & 63);
                seen_sequential |= UINT64_C(1) << (gm_set_index_of(&sequential, line) & 63);
            }
            assert_int_equal(seen, UINT32_MAX);
            assert_int_equal(seen_sequential, 1);
        }
    }
}

typedef struct map_case {
    const char *text;
    uint64_t sets, line;
    uint32_t index;
    uint64_t tag;
} map_case;

/* By hand from the definitions; fields of 0x12345 from the low end, 5 bits: 5, 26, 8, 2. */
static const map_case map_cases[] = {
    {"sequential", 32, 0x12345, 5, 0x91a},
    {"xor", 32, 0x12345, 5 ^ 26, 0x91a},
    {"fold", 32, 0x12345, 5 ^ 26 ^ 8 ^ 2, 0x91a},
    {"sequential", 1, 0x12345, 0, 0x12345},
    {"xor", 1, 0x12345, 0, 0x12345},
    {"fold", 1, 0x12345, 0, 0x12345},
    {"fermi", 32, 1 << 6, 1, 2},     /* A13 flips I0 */
    {"fermi", 32, 1 << 7, 2, 4},     /* A14, I1 */
    {"fermi", 32, 1 << 8, 4, 8},     /* A15, I2 */
    {"fermi", 32, 1 << 9, 0, 16},    /* A16: none */
    {"fermi", 32, 1 << 10, 8, 32},   /* A17, I3 */
    {"fermi", 32, 1 << 12, 16, 128}, /* A19, I4 */
    {"fermi", 32, 1 << 13, 0, 256},
    {"fermi", 32, 0x1f, 0x1f, 0},
    {"fermi", 64, 1 << 5, 32, 0},     /* A12 is I5 */
    {"fermi", 64, 1 << 6, 1, 1},      /* A13 flips I0 and is tag bit 0 */
    {"fermi", 64, 1 << 9, 0, 8},      /* A16: none */
    {"fermi", 64, 1 << 10, 8, 16},    /* A17, I3 */
    {"fermi", 64, 1 << 12, 16, 64},   /* A19, I4 */
    {"fermi", 64, 0x12345, 0, 0x48d}, /* A7, A9 cancel A13, A15; A12 is 0 */
    {"fermi", 64, 0x3f, 0x3f, 0},
    {"prime", 32, 0x12345, 74565 % 31, 0x12345}, /* the tag is the whole line */
    {"prime", 2, 5, 1, 5},
    {"prime", 4, 5, 2, 5},
    {"prime", 65536, UINT64_C(0xffffffffffffffff), 18446744073709551615u % 65521, UINT64_MAX},
    {"skew", 32, 0x12345, (5 + 0x91a) % 32, 0x91a},
    {"skew", 32, 33, 2, 1},  /* row 1 is turned by one */
    {"ipoly", 2, 7, 1, 3},   /* x + 1: the parity */
    {"ipoly", 32, 32, 5, 1}, /* x^5 = x^2 + 1 mod 37, the smallest of degree 5 */
    {"ipoly:0x25", 32, 32, 5, 1},
    {"ipoly:33:reducible", 32, 32, 1, 1}, /* x^5 = 1 mod x^5 + 1 */
};

static void follows_definitions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof map_cases / sizeof map_cases[0]; i++) {
        const map_case *c = &map_cases[i];
        gm_set_index function = make(c->text, c->sets, 64);
        print_message("%s %llu\n", c->text, (unsigned long long)c->sets);
        assert_int_equal(gm_set_index_of(&function, c->line), c->index);
        assert_int_equal(gm_set_index_tag(&function, c->line), c->tag);
        assert_int_equal(gm_set_index_line(&function, c->tag, c->index), c->line);
    }
}

/* Reading stops at the address width: fold of 12 bits knows the fields 0 to 2 only, the last one
 * two bits wide. */
static void keeps_to_the_address_width(void **state)
{
    (void)state;
    gm_set_index function = make("fold", 32, 12);
    const uint64_t rows[5] = {0x421, 0x842, 0x084, 0x108, 0x210};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(function.row[i], rows[i]);
    }
    assert_int_equal(make("xor", 32, 8).row[3], 0x8);
    assert_int_equal(make("xor", 32, 8).row[2], 0x84);
    /* 13 bits are enough for fermi: A19 is the highest that it reads. */
    assert_int_equal(make("fermi", 32, 13).row[4], 0x1010);
}

/* Every address width: each line-address bit moves the index bits whose rows have it, and the ones
 * above move none. */
static void tables_are_the_matrix_at_every_width(void **state)
{
    (void)state;
    for (unsigned width = 12; width <= 64; width++) {
        gm_set_index function = make("ipoly", 4096, width);
        for (unsigned bit = 0; bit < 64; bit++) {
            uint32_t expected = 0;
            for (unsigned i = 0; i < 12; i++) {
                expected |= (uint32_t)(function.row[i] >> bit & 1) << i;
            }
            assert_int_equal(expected != 0, bit < width); /* x^bit mod P is never 0 */
            assert_int_equal(gm_set_index_of(&function, UINT64_C(1) << bit), expected);
        }
    }
}

/* prime's remainder without division against the division itself. */
static void prime_remainder_is_exact(void **state)
{
    (void)state;
    /* largest primes up to 2^m, m = 1 to 16 (OEIS A014234) */
    const uint32_t primes[] = {2,   3,    7,    13,   31,   61,    127,   251,
                               509, 1021, 2039, 4093, 8191, 16381, 32749, 65521};
    test_random random = test_random_start(2);
    for (unsigned m = 1; m <= 16; m++) {
        gm_set_index function = make("prime", UINT64_C(1) << m, 64);
        assert_int_equal(function.modulus, primes[m - 1]);
        for (unsigned i = 0; i < 2000; i++) {
            uint64_t line = test_random_next(&random);
            line -= i % 2 == 0 ? line % primes[m - 1] : line % primes[m - 1] + 1;
            assert_int_equal(gm_set_index_of(&function, line), line % primes[m - 1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_figure_7),
        cmocka_unit_test(matches_figure_5b),
        cmocka_unit_test(agrees_with_long_division),
        cmocka_unit_test(set_count_strides_fill_all_sets),
        cmocka_unit_test(follows_definitions),
        cmocka_unit_test(keeps_to_the_address_width),
        cmocka_unit_test(tables_are_the_matrix_at_every_width),
        cmocka_unit_test(prime_remainder_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
