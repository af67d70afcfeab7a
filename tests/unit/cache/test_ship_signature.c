/* Signatures of SHiP-Mem, worked by hand, and which regions share one. */
#include "cache/ship_signature.h"
#include "support/support.h"

#include <string.h>

static void worked_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint64_t address;
        unsigned bits;
        uint32_t signature;
    } cases[] = {
        {0, 14, 0},
        {0x3fff, 14, 0}, /* the last byte of region 0 */
        {0x4000, 14, 1},
        {UINT64_C(0x3fff) << 14, 14, 0x3fff},
        {UINT64_C(0x4000) << 14, 14, 1}, /* region 0x4000 = 1 | 0 */
        {UINT64_C(0x123456) << 14, 8, 0x12 ^ 0x34 ^ 0x56},
        {UINT64_C(0xb) << 14, 1, 1}, /* 1 ^ 0 ^ 1 ^ 1 */
        {UINT64_MAX, 14, 0x3f00},    /* 50 bits: thrice 0x3fff, and 0xff */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(gm_ship_signature(cases[i].address, cases[i].bits), cases[i].signature);
    }
}

/* All regions from a multiple of 2^bits regions on have signatures of their own. */
static void near_regions_differ(void **state)
{
    (void)state;
    static unsigned char seen[1 << 14];
    test_random random = test_random_start(3);
    for (unsigned bits = 1; bits <= 14; bits++) {
        memset(seen, 0, sizeof seen);
        uint64_t first = test_random_below(&random, UINT64_C(1) << (50 - bits)) << bits;
        for (uint64_t region = 0; region >> bits == 0; region++) {
            uint64_t inside = test_random_below(&random, 1 << GM_SHIP_REGION_SHIFT);
            uint64_t address = (first + region) << GM_SHIP_REGION_SHIFT | inside;
            uint32_t signature = gm_ship_signature(address, bits);
            assert_true(signature >> bits == 0);
            assert_int_equal(seen[signature]++, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(near_regions_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
