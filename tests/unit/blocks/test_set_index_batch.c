/* The batch functions give what one address at a time gives. */
#include "blocks/set_index_batch.h"
#include "goldmem/bits.h"
#include "support/support.h"

#include <string.h>

enum { LINES = 200 };

typedef void batch_function(const gm_set_index *, const uint64_t *, uint32_t *, uint64_t);

/* Every length around the vector's, at every alignment, without a write past the end. */
static void compare(batch_function *batch, const gm_set_index *function, test_random *random)
{
    uint64_t line[LINES + 1];
    uint32_t index[LINES + 2];
    for (unsigned i = 0; i <= LINES; i++) {
        line[i] = test_random_next(random) & gm_mask(function->address_bits);
    }
    for (uint64_t count = 0; count <= LINES; count += count < 20 ? 1 : 17) {
        uint64_t offset = count % 2;
        memset(index, 0xa5, sizeof index);
        batch(function, line + offset, index + offset, count);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(index[offset + i], gm_set_index_of(function, line[offset + i]));
        }
        assert_int_equal(index[offset + count], 0xa5a5a5a5);
    }
}

static void compare_all(batch_function *batch, bool linear_only)
{
    test_random random = test_random_start(1);
    const char *const texts[] = {"sequential", "xor", "fold", "fermi", "ipoly", "prime", "skew"};
    unsigned compared = 0;
    for (unsigned bits = 0; bits <= 16; bits++) {
        for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            gm_set_index function;
            unsigned width = bits % 2 == 0 ? 64 : 42;
            if (gm_set_index_parse(&function, texts[i], UINT64_C(1) << bits, width, NULL) == 0 &&
                (gm_set_index_is_linear(&function) || !linear_only)) {
                compare(batch, &function, &random);
                compared++;
            }
        }
    }
    assert_int_equal(compared, linear_only ? 3 * 17 + 16 + 2 : 4 * 17 + 2 * 16 + 2);
}

static void portable(void **state)
{
    (void)state;
    compare_all(gm_set_index_batch_portable, false);
}

static void avx512(void **state)
{
    (void)state;
    if (!gm_set_index_has_avx512()) {
        print_message("skipped: this processor has no GFNI with AVX-512\n");
        skip();
    }
    compare_all(gm_set_index_batch_avx512, true);
}

static void chosen(void **state)
{
    (void)state;
    compare_all(gm_set_index_batch, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable),
        cmocka_unit_test(avx512),
        cmocka_unit_test(chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
