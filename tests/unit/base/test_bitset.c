/* Bit sets. Expected: an array of truth values. */
#include "base/bitset.h"
#include "support/support.h"

enum { WORDS = 5, MOST = WORDS * 64, STEPS = 3000 };

/* The first true value from `from` on, around the end. */
static uint32_t next_of(const bool *values, uint32_t bits, uint32_t from)
{
    for (uint32_t i = 0; i < bits; i++) {
        if (values[(from + i) % bits]) {
            return (from + i) % bits;
        }
    }
    return GM_BITSET_NONE;
}

/* The first true value from `from` on. */
static uint32_t later_of(const bool *values, uint32_t bits, uint32_t from)
{
    while (from < bits && !values[from]) {
        from++;
    }
    return from < bits ? from : GM_BITSET_NONE;
}

static void compare(const uint64_t *set, const bool *values, uint32_t words)
{
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < words * 64; bit++) {
        assert_int_equal(gm_bitset_has(set, bit), values[bit]);
        count += values[bit];
    }
    assert_int_equal(gm_bitset_count(set, words), count);
    assert_int_equal(gm_bitset_any(set, words), count != 0);
    uint32_t counted = 0;
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t left = set[word]; left != 0; counted++) {
            assert_true(values[word * 64 + gm_bitset_take_lowest(&left)]);
        }
    }
    assert_int_equal(counted, count);
}

/* Sets of one word to five, of few bits and of many: each bit is added and removed at random. */
static void sets_hold_what_was_added(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    for (uint32_t words = 1; words <= WORDS; words++) {
        uint64_t set[WORDS] = {0};
        bool values[MOST] = {false};
        compare(set, values, words);
        for (uint32_t step = 0; step < STEPS; step++) {
            uint32_t bit = (uint32_t)test_random_below(&random, words * 64);
            values[bit] = test_random_below(&random, 1 + step % 9) == 0;
            (values[bit] ? gm_bitset_add : gm_bitset_remove)(set, bit);
            uint32_t from = (uint32_t)test_random_below(&random, words * 64 + 1);
            assert_int_equal(gm_bitset_next(set, words, from), next_of(values, words * 64, from));
            assert_int_equal(gm_bitset_from(set, words, from), later_of(values, words * 64, from));
            if (step % 64 == 0) {
                compare(set, values, words);
            }
        }
    }
}

/* A set of one bit, each bit, sought from everywhere. */
static void a_bit_is_found_from_everywhere(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 3 * 64; bit++) {
        uint64_t set[3] = {0};
        gm_bitset_add(set, bit);
        for (uint32_t from = 0; from <= 3 * 64; from++) {
            assert_int_equal(gm_bitset_next(set, 3, from), bit);
            assert_int_equal(gm_bitset_from(set, 3, from), from <= bit ? bit : GM_BITSET_NONE);
        }
        if (bit < 64) {
            for (uint32_t from = 0; from <= 64; from++) {
                assert_int_equal(gm_bitset_next(set, 1, from), bit);
            }
        }
    }
}

/* All numbers below one, and some behind it. */
static void the_first_vacant_number(void **state)
{
    (void)state;
    test_random random = test_random_start(2);
    for (uint32_t vacant = 0; vacant < MOST; vacant++) {
        uint64_t set[WORDS] = {0};
        for (uint32_t bit = 0; bit < MOST; bit++) {
            if (bit < vacant || (bit != vacant && test_random_below(&random, 2) != 0)) {
                gm_bitset_add(set, bit);
            }
        }
        assert_int_equal(gm_bitset_vacant(set), vacant);
    }
}

static void words_hold_64_bits(void **state)
{
    (void)state;
    static const uint32_t rows[][2] = {{1, 1}, {63, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gm_bitset_words(rows[i][0]), rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_hold_what_was_added),
        cmocka_unit_test(the_first_vacant_number),
        cmocka_unit_test(a_bit_is_found_from_everywhere),
        cmocka_unit_test(words_hold_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
