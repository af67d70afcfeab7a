/* Polynomials and matrices over GF(2) against counting formulas and worked examples. */
#include "goldmem/bits.h"
#include "goldmem/gf2.h"
#include "support/support.h"

/* Number of irreducible polynomials of degree n over GF(2), 1/n sum over d|n of mu(n/d) 2^d
 * (necklaces; OEIS A001037), n = 1 to 16. */
static const unsigned irreducible_count[] = {2,  1,  2,   3,   6,   9,    18,   30,
                                             56, 99, 186, 335, 630, 1161, 2182, 4080};

static void counts_irreducible_polynomials(void **state)
{
    (void)state;
    for (unsigned degree = 1; degree <= 14; degree++) {
        unsigned found = 0;
        for (uint32_t p = 1u << degree; p < 2u << degree; p++) {
            found += gm_gf2_factor(p) == 0;
        }
        assert_int_equal(found, irreducible_count[degree - 1]);
    }
}

/* "There are six irreducible polynomial functions of degree 5 ... (37, 41, 47, 55, 59, 61)"
 * [khairy, 4.3]. */
static void finds_the_six_of_degree_five(void **state)
{
    (void)state;
    const uint32_t six[] = {37, 41, 47, 55, 59, 61};
    unsigned found = 0;
    for (uint32_t p = 32; p < 64; p++) {
        if (gm_gf2_factor(p) == 0) {
            assert_true(found < 6);
            assert_int_equal(p, six[found++]);
        }
    }
    assert_int_equal(found, 6);
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (unsigned i = 0; i < 32; i++) {
        product ^= (b >> i & 1) != 0 ? a << i : 0;
    }
    return product;
}

static void names_the_smallest_factor(void **state)
{
    (void)state;
    assert_int_equal(gm_gf2_factor(33), 3); /* x^5+1 = (x+1)(x^4+x^3+x^2+x+1) */
    assert_int_equal(gm_gf2_factor(5), 3);  /* x^2+1 = (x+1)^2 */
    assert_int_equal(gm_gf2_factor(21), 7); /* x^4+x^2+1 = (x^2+x+1)^2 */
    assert_int_equal(gm_gf2_factor(6), 2);
    assert_int_equal(gm_gf2_factor(2), 0);
    assert_int_equal(gm_gf2_factor(3), 0);
    /* a square of degree 16: its only factor has half the degree, 0x11b = x^8+x^4+x^3+x+1 */
    assert_int_equal(gm_gf2_factor((uint32_t)multiply(0x11b, 0x11b)), 0x11b);
    const uint32_t smallest[] = {3, 7, 11, 19, 37, 67, 131, 283}; /* degree 1 to 8, OEIS A057495 */
    for (unsigned degree = 1; degree <= 8; degree++) {
        assert_int_equal(gm_gf2_smallest_irreducible(degree), smallest[degree - 1]);
    }
}

/* a = q p + r with r of lower degree has one solution. */
static void remainder_undoes_multiplication(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t p = test_random_next(&random) >> (33 + test_random_below(&random, 30)) | 2;
        uint64_t q = test_random_next(&random) >> 32;
        uint64_t r = test_random_next(&random) & gm_mask(gm_log2_floor(p));
        assert_int_equal(gm_gf2_remainder(multiply(p, q) ^ r, p), r);
    }
}

static uint32_t apply(const uint32_t *matrix, unsigned size, uint32_t vector)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < size; i++) {
        result |= gm_parity(matrix[i] & vector) << i;
    }
    return result;
}

static void inverts_or_shows_why_not(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    unsigned singular = 0;
    for (unsigned i = 0; i < 4000; i++) {
        unsigned size = 1 + (unsigned)test_random_below(&random, 32);
        uint32_t matrix[32];
        uint64_t wide[32];
        uint32_t inverse[32];
        for (unsigned k = 0; k < size; k++) {
            wide[k] = matrix[k] = (uint32_t)(test_random_next(&random) & gm_mask(size));
        }
        uint32_t vanishes = gm_gf2_invert(matrix, size, inverse);
        assert_int_equal(vanishes == 0, gm_gf2_rank(wide, size) == size);
        singular += vanishes != 0;
        if (vanishes != 0) {
            assert_int_equal(apply(matrix, size, vanishes), 0);
            continue;
        }
        for (unsigned k = 0; k < size; k++) {
            uint32_t unit = UINT32_C(1) << k;
            assert_int_equal(apply(inverse, size, apply(matrix, size, unit)), unit);
        }
    }
    /* A large random square matrix over GF(2) is regular with probability 0.289, small ones more:
     * both outcomes must have been seen often. */
    assert_in_range(singular, 2000, 3300);
}

static void ranks(void **state)
{
    (void)state;
    const uint64_t dependent[] = {0x6, 0x5, 0x3, UINT64_C(1) << 63, 0}; /* 6 ^ 5 = 3 */
    assert_int_equal(gm_gf2_rank(dependent, 5), 3);
    assert_int_equal(gm_gf2_rank(dependent, 2), 2);
    assert_int_equal(gm_gf2_rank(dependent, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_irreducible_polynomials),
        cmocka_unit_test(finds_the_six_of_degree_five),
        cmocka_unit_test(names_the_smallest_factor),
        cmocka_unit_test(remainder_undoes_multiplication),
        cmocka_unit_test(inverts_or_shows_why_not),
        cmocka_unit_test(ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
