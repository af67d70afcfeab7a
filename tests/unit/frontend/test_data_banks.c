/* Banks of the L1's data: passes worked by hand, beside published ones, and against counting words
 * bank by bank. */
#include "frontend/data_banks.h"
#include "goldmem/bits.h"
#include "support/support.h"

static gm_instruction strided(uint64_t base, uint32_t mask, int64_t stride, unsigned width)
{
    return (gm_instruction){.op = GM_OP_LOAD,
                            .space = GM_SPACE_GLOBAL,
                            .form = GM_ADDRESS_STRIDE,
                            .mask = mask,
                            .addresses = (uint16_t)gm_count_ones(mask),
                            .base = base,
                            .stride = stride,
                            .width = (uint8_t)width};
}

/* Lanes of w bytes fill 32 banks in groups of 128 / w; a stride of s words conflicts gcd(s, 32)
 * ways. Up to stride 64 and of 8 bytes: the column of passes in RRZE-HPC/gpu-benches,
 * gpu-strides/a100.txt (l1tex__data_pipe_lsu_wavefronts). */
static void by_hand(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask;
        int64_t stride;
        unsigned width;
        uint32_t banks, passes; /* 0: one */
    } rows[] = {
        {UINT32_MAX, 0, 4, 32, 0},       {UINT32_MAX, 4, 4, 32, 0},
        {UINT32_MAX, 2 * 4, 4, 32, 2},   {UINT32_MAX, 3 * 4, 4, 32, 0},
        {UINT32_MAX, 4 * 4, 4, 32, 4},   {UINT32_MAX, 5 * 4, 4, 32, 0},
        {UINT32_MAX, 6 * 4, 4, 32, 2},   {UINT32_MAX, 8 * 4, 4, 32, 8},
        {UINT32_MAX, 12 * 4, 4, 32, 4},  {UINT32_MAX, 16 * 4, 4, 32, 16},
        {UINT32_MAX, 31 * 4, 4, 32, 0},  {UINT32_MAX, 32 * 4, 4, 32, 32},
        {UINT32_MAX, 48 * 4, 4, 32, 16}, {UINT32_MAX, 64 * 4, 4, 32, 32},
        {UINT32_MAX, 0, 8, 32, 2},       {UINT32_MAX, 1 * 8, 8, 32, 2},
        {UINT32_MAX, 2 * 8, 8, 32, 4},   {UINT32_MAX, 3 * 8, 8, 32, 2},
        {UINT32_MAX, 4 * 8, 8, 32, 8},   {UINT32_MAX, 6 * 8, 8, 32, 4},
        {UINT32_MAX, 16 * 8, 8, 32, 32}, {UINT32_MAX, 20 * 8, 8, 32, 8},
        {UINT32_MAX, 16, 16, 32, 4}, /* quarters of a warp */
        {UINT32_MAX, 32, 16, 32, 8}, /* each: 8 lanes in 16 banks */
        {0x0000ffff, 8 * 4, 4, 32, 4},   {0x000000ff, 8 * 4, 4, 32, 2},
        {0x0000ffff, 8, 8, 32, 0}, /* one half is active */
        {0x00ffff00, 8, 8, 32, 2}, /* half of each */
        {0x1, 128, 16, 32, 0},           {0x3, 128, 16, 32, 2},
        {UINT32_MAX, 4, 4, 16, 2},       {UINT32_MAX, 2 * 4, 4, 64, 0},
        {UINT32_MAX, 1, 1, 32, 0},       {UINT32_MAX, 3, 2, 32, 0},
        {UINT32_MAX, 100, 100, 32, 32}, /* a lane at a time */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gm_instruction instruction =
            strided(UINT64_C(1) << 40, rows[i].mask, rows[i].stride, rows[i].width);
        uint32_t passes = gm_data_banks_access(&instruction, rows[i].banks, false);
        if (passes != rows[i].passes) {
            fail_msg("row %zu: %u", i, passes);
        }
    }
}

/* A lane's words of local memory are in one bank, which is the lane's own with 32 banks or more. */
static void local_memory(void **state)
{
    (void)state;
    static const struct {
        unsigned width;
        uint32_t banks, passes;
    } rows[] = {{4, 32, 0}, {8, 32, 2}, {16, 32, 4}, {1, 128, 0}, {4, 16, 2}, {8, 8, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gm_instruction instruction = strided(0, UINT32_MAX, 0, rows[i].width);
        assert_int_equal(gm_data_banks_access(&instruction, rows[i].banks, true), rows[i].passes);
    }
}

/* Returns the most different words of a bank that lanes first..last of the addresses touch. */
static uint32_t most_words(const uint64_t *address, uint32_t mask, uint32_t first, uint32_t last,
                           unsigned width, uint32_t banks)
{
    static uint64_t word[32 * 256];
    uint32_t count = 0;
    uint32_t most = 0;
    uint32_t in_bank[128] = {0};
    uint32_t number = 0; /* of the lane's address */
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        for (unsigned i = 0; lane >= first && lane <= last && i < width; i++) { /* byte by byte */
            uint64_t own = (address[number] + i) / 4;
            bool seen = false;
            for (uint32_t j = 0; j < count && !seen; j++) {
                seen = word[j] == own;
            }
            if (!seen) {
                word[count++] = own;
                uint32_t depth = ++in_bank[own % banks];
                most = depth > most ? depth : most;
            }
        }
        number++;
    }
    return most;
}

static void agrees_with_counting_words(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 4, 8, 16};
    test_random random = test_random_start(53);
    for (unsigned round = 0; round < 400; round++) {
        unsigned width = widths[test_random_below(&random, 5)];
        uint32_t banks = 2U << test_random_below(&random, 7);
        uint32_t mask = (uint32_t)test_random_next(&random) | 1;
        mask |= (uint32_t)test_random_next(&random); /* three lanes of four */
        uint64_t base = (UINT64_C(1) << 40) - test_random_below(&random, 256) * 16; /* aligned */
        uint64_t range = UINT64_C(64) << test_random_below(&random, 14);
        uint64_t address[32];
        for (uint32_t i = 0; i < 32; i++) {
            address[i] = base + test_random_below(&random, range) / width * width;
        }
        gm_instruction instruction = strided(0, mask, 0, width);
        instruction.form = GM_ADDRESS_LIST;
        instruction.address = address;
        uint32_t lanes = banks * 4 / (width > 4 ? width : 4);
        lanes = lanes == 0 ? 1 : lanes > 32 ? 32 : lanes;
        uint32_t expected = 0;
        for (uint32_t lane = 0; lane < 32; lane += lanes) {
            expected += most_words(address, mask, lane, lane + lanes - 1, width, banks);
        }
        assert_int_equal(gm_data_banks_access(&instruction, banks, false),
                         expected > 1 ? expected : 0);
        assert_true(!gm_data_banks_suit_run(banks, width) || (banks >= 32 && width <= 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(agrees_with_counting_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
