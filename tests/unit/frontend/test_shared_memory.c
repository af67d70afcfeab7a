/* Bank conflicts of shared memory: worked by hand, and against counting words bank by bank. */
#include "frontend/shared_memory.h"
#include "goldmem/bits.h"
#include "support/support.h"

static gm_shared_passes stride(uint32_t mask, uint32_t base, uint32_t step, unsigned width,
                               uint32_t banks, bool atomic)
{
    gm_shared_access access[32];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((mask >> lane & 1) != 0) {
            access[count] = (gm_shared_access){base + count * step, lane};
            count++;
        }
    }
    return gm_shared_memory_access(access, count, width, banks, atomic);
}

/* CUDA's rules: a stride of s words conflicts gcd(s, 32) ways; the same word is free. */
static void by_hand(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask, stride, width, banks, accesses, conflicts;
    } rows[] = {
        {UINT32_MAX, 4, 4, 32, 1, 0},    {UINT32_MAX, 0, 4, 32, 1, 0},
        {UINT32_MAX, 8, 4, 32, 1, 1},    {UINT32_MAX, 12, 4, 32, 1, 0},
        {UINT32_MAX, 128, 4, 32, 1, 31}, {UINT32_MAX, 132, 4, 32, 1, 0},
        {UINT32_MAX, 64, 4, 32, 1, 15},  {UINT32_MAX, 1, 1, 32, 1, 0},
        {UINT32_MAX, 8, 8, 32, 2, 0},   /* half-warps */
        {0x0000ffff, 8, 8, 32, 1, 0},   /* only the lower one is active */
        {UINT32_MAX, 16, 16, 32, 4, 0}, /* quarter-warps */
        {UINT32_MAX, 16, 8, 32, 2, 2},  /* each half: 2 words in every other bank pair */
        {0x1, 0, 4, 32, 1, 0},           {UINT32_MAX, 4, 4, 16, 2, 0}, /* 16 banks: half-warps */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_shared_passes passes =
            stride(rows[i].mask, 0, rows[i].stride, rows[i].width, rows[i].banks, false);
        assert_int_equal(passes.accesses, rows[i].accesses);
        assert_int_equal(passes.conflicts, rows[i].conflicts);
    }
}

/* Lanes of an atomic that meet in a word take their turns: a pass for each. */
static void atomics_take_turns(void **state)
{
    (void)state;
    static const struct {
        uint32_t mask, stride, width, accesses, conflicts;
    } rows[] = {
        {UINT32_MAX, 4, 4, 1, 0},  /* a word each */
        {UINT32_MAX, 0, 4, 1, 31}, /* all in one word */
        {0x00ff00ff, 0, 4, 1, 15}, /* of 16 lanes */
        {UINT32_MAX, 8, 4, 1, 1},  /* two words a bank, as for loads */
        {UINT32_MAX, 2, 4, 1, 2},  /* lanes 2k and 2k + 1 in word k, the latter in k + 1 too */
        {UINT32_MAX, 0, 8, 2, 30}, /* each half-warp: 16 lanes in one pair of words */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_shared_passes passes = stride(rows[i].mask, 0, rows[i].stride, rows[i].width, 32, true);
        assert_int_equal(passes.accesses, rows[i].accesses);
        assert_int_equal(passes.conflicts, rows[i].conflicts);
    }
}

/* Words of the fullest bank, by looking at every word of shared memory: different ones, or of an
 * atomic one for each lane that touches it. */
static uint32_t most_words(const gm_shared_access *access, uint32_t count, unsigned width,
                           uint32_t banks, bool atomic)
{
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < banks; bank++) {
        uint32_t words = 0;
        for (uint32_t word = bank; word < 1024; word += banks) {
            uint32_t lanes = 0;
            for (uint32_t i = 0; i < count; i++) {
                lanes += access[i].offset < 4 * word + 4 && access[i].offset + width > 4 * word;
            }
            words += atomic ? lanes : lanes != 0;
        }
        most = words > most ? words : most;
    }
    return most;
}

/* Lanes of a mask: anywhere in `range` bytes, or at a stride, most often without conflicts. */
static uint32_t random_lanes(test_random *random, gm_shared_access access[32], unsigned width)
{
    uint32_t mask = (uint32_t)test_random_next(random);
    mask |= (uint32_t)test_random_next(random); /* three lanes of four */
    mask |= test_random_below(random, 2) == 0 ? UINT32_MAX : 0;
    uint64_t range = UINT64_C(64) << test_random_below(random, 6);
    bool anywhere = test_random_below(random, 2) == 0;
    uint32_t first = (uint32_t)test_random_below(random, 64);
    uint32_t stride = (uint32_t)test_random_below(random, 4) * width;
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((mask >> lane & 1) != 0) {
            uint32_t offset =
                anywhere ? (uint32_t)test_random_below(random, range) : first + lane * stride;
            access[count++] = (gm_shared_access){offset, lane};
        }
    }
    return count;
}

static void agrees_with_counting_words(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 4, 8, 16};
    enum { BANK_COUNTS = 4, BANK_BYTES = 4, LANES = 32 };
    unsigned free = 0, shared = 0, conflicts = 0;
    test_random random = test_random_start(31);
    for (unsigned round = 0; round < test_rounds(1200); round++) {
        unsigned width = widths[test_random_below(&random, 5)];
        uint32_t banks = UINT32_C(16) << test_random_below(&random, BANK_COUNTS); /* 16 to 128 */
        bool atomic = test_random_below(&random, 4) == 0;
        uint32_t bytes = width > BANK_BYTES ? width : BANK_BYTES;
        uint32_t lanes = banks * BANK_BYTES / bytes < LANES ? banks * BANK_BYTES / bytes : LANES;
        gm_shared_access access[LANES];
        uint32_t count = random_lanes(&random, access, width);
        gm_shared_passes expected = {0};
        for (uint32_t group = 0; group < LANES; group += lanes) {
            gm_shared_access part[LANES];
            uint32_t size = 0;
            for (uint32_t i = 0; i < count; i++) {
                if (access[i].lane >= group && access[i].lane < group + lanes) {
                    part[size++] = access[i];
                }
            }
            if (size > 0) {
                expected.accesses++;
                expected.conflicts += most_words(part, size, width, banks, atomic) - 1;
            }
        }
        gm_shared_passes passes = gm_shared_memory_access(access, count, width, banks, atomic);
        assert_int_equal(passes.accesses, expected.accesses);
        assert_int_equal(passes.conflicts, expected.conflicts);
        free += passes.accesses == 1 && passes.conflicts == 0 && count > 1;
        shared += count > 1 && access[0].offset == access[1].offset;
        conflicts += passes.conflicts != 0;
    }
    assert_true(free > 50 && shared > 50 && conflicts > 50);
}

/* More addresses than lanes: the second turn of the lanes has passes of its own. */
static void lanes_start_over(void **state)
{
    (void)state;
    const gm_shared_access access[] = {{0, 3}, {4, 9}, {8, 3}, {12, 9}};
    gm_shared_passes passes = gm_shared_memory_access(access, 4, 4, 32, false);
    assert_int_equal(passes.accesses, 2);
    assert_int_equal(passes.conflicts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(atomics_take_turns),
        cmocka_unit_test(agrees_with_counting_words),
        cmocka_unit_test(lanes_start_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
