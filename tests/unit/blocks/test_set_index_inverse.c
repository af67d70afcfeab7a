/* Tag and index give the line address back, and no two lines of one tag share a set. */
#include "goldmem/bits.h"
#include "goldmem/gf2.h"
#include "goldmem/set_index.h"
#include "support/support.h"

#include <stdio.h>

static const char *const texts[] = {"sequential", "xor",   "fold", "fermi",
                                    "ipoly",      "prime", "skew", "ipoly:37"};

/* Every function that a geometry admits; 0 when it does not. */
static int make(gm_set_index *function, const char *text, unsigned bits, unsigned address_bits)
{
    return gm_set_index_parse(function, text, UINT64_C(1) << bits, address_bits, NULL) == 0;
}

static void line_from_tag_and_index(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned made = 0;
    for (unsigned bits = 0; bits <= 16; bits++) {
        for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            unsigned width = 16 + (unsigned)test_random_below(&random, 49);
            gm_set_index function;
            if (!make(&function, texts[i], bits, width)) {
                continue;
            }
            made++;
            for (unsigned k = 0; k < 500; k++) {
                uint64_t line = test_random_next(&random) & gm_mask(width);
                uint64_t tag = gm_set_index_tag(&function, line);
                uint32_t index = gm_set_index_of(&function, line);
                assert_true(index < 1u << bits);
                assert_int_equal(gm_set_index_line(&function, tag, index), line);
            }
        }
    }
    /* sequential, xor, fold and skew 17 times, ipoly and prime 16, fermi twice, ipoly:37 once */
    assert_int_equal(made, 4 * 17 + 2 * 16 + 3);
}

/* All lines of one tag reach all sets, prime excepted. */
static void one_to_one_for_a_fixed_tag(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    for (unsigned bits = 0; bits <= 12; bits++) {
        for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            gm_set_index function;
            if (!make(&function, texts[i], bits, 42) || function.kind == GM_INDEX_PRIME) {
                continue;
            }
            static unsigned char seen[1 << 12];
            for (unsigned round = 1; round <= 4; round++) {
                uint64_t tag = test_random_next(&random) & gm_mask(42 - bits);
                for (uint64_t low = 0; low < UINT64_C(1) << bits; low++) {
                    uint32_t index = gm_set_index_of(&function, tag << bits | low);
                    assert_int_equal(gm_set_index_tag(&function, tag << bits | low), tag);
                    assert_int_equal(seen[index], round - 1);
                    seen[index] = (unsigned char)round;
                }
            }
            for (unsigned set = 0; set < 1u << bits; set++) {
                seen[set] = 0;
            }
        }
    }
}

/* Matrices whose low part is a random regular one: the inverse is no identity. */
static void inverts_any_regular_matrix(void **state)
{
    (void)state;
    test_random random = test_random_start(3);
    unsigned regular = 0;
    for (unsigned i = 0; i < 2000; i++) {
        unsigned bits = 1 + (unsigned)test_random_below(&random, 16);
        uint64_t row[16];
        for (unsigned k = 0; k < bits; k++) {
            row[k] = test_random_next(&random) & gm_mask(40);
        }
        gm_set_index function;
        gm_error error;
        gm_set_index_parameters parameters = {
            .kind = GM_INDEX_MATRIX, .sets = UINT64_C(1) << bits, .address_bits = 40, .row = row};
        if (gm_set_index_init(&function, &parameters, &error) != 0) {
            continue;
        }
        regular++;
        for (unsigned k = 0; k < 50; k++) {
            uint64_t line = test_random_next(&random) & gm_mask(40);
            uint32_t index = gm_set_index_of(&function, line);
            for (unsigned bit = 0; bit < bits; bit++) {
                assert_int_equal(index >> bit & 1, gm_parity(row[bit] & line));
            }
            assert_int_equal(gm_set_index_line(&function, line >> bits, index), line);
        }
    }
    assert_in_range(regular, 500, 900); /* about 0.3 of 2000 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_from_tag_and_index),
        cmocka_unit_test(one_to_one_for_a_fixed_tag),
        cmocka_unit_test(inverts_any_regular_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
