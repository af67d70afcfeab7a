/* Strided references against the paper's formula and a count written here. */
#include "goldmem/set_index_strides.h"
#include "support/support.h"

#include <string.h>

static uint32_t count[4096];

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

/* "n-way conflict degree where n = M / gcd(M, S)" [khairy, 4.3]; gcd lines share each set. */
static void sequential_follows_the_formula(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 12; bits += 3) {
        uint64_t sets = UINT64_C(1) << bits;
        gm_set_index function;
        gm_error error;
        test_ok(gm_set_index_parse(&function, "sequential", sets, 42, &error), error);
        for (uint64_t stride = 1; stride <= 300; stride++) {
            gm_stride_use use = gm_set_index_stride(&function, stride, sets, count);
            uint64_t shared = greatest_common_divisor(sets, stride);
            assert_int_equal(use.sets, sets / shared);
            assert_int_equal(use.most, shared);
        }
    }
}

/* Any function, any number of references: counted again one by one. */
static void counts_again(void **state)
{
    (void)state;
    const char *const texts[] = {"ipoly", "prime", "skew", "fold"};
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < 4; i++) {
        gm_set_index function;
        gm_error error;
        test_ok(gm_set_index_parse(&function, texts[i], 64, 20, &error), error);
        for (unsigned round = 0; round < 50; round++) {
            uint64_t stride = test_random_below(&random, 1 << 16);
            uint64_t references = test_random_below(&random, 1000);
            uint32_t again[64] = {0};
            uint32_t sets = 0;
            uint32_t most = 0;
            for (uint64_t k = 0; k < references; k++) {
                uint32_t set = gm_set_index_of(&function, k * stride % (1 << 20));
                sets += again[set]++ == 0;
                most = again[set] > most ? again[set] : most;
            }
            gm_stride_use use = gm_set_index_stride(&function, stride, references, count);
            assert_int_equal(use.sets, sets);
            assert_int_equal(use.most, most);
            assert_memory_equal(count, again, sizeof again);
        }
    }
}

/* By hand, 4 sets sequentially: strides 1 to 6 use 4, 2, 4, 1, 4, 2 sets. */
static void sums_up(void **state)
{
    (void)state;
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "sequential", 4, 42, &error), error);
    gm_stride_summary s = gm_set_index_strides(&function, 6, count);
    assert_int_equal(s.strides, 6);
    assert_int_equal(s.free, 3);
    assert_int_equal(s.sets, 17);
    assert_int_equal(s.aligned_strides, 1);
    assert_int_equal(s.aligned_sets, 1);
    assert_int_equal(s.fewest, 1);
    assert_int_equal(s.worst, 4);
    assert_int_equal(s.most, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_follows_the_formula),
        cmocka_unit_test(counts_again),
        cmocka_unit_test(sums_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
