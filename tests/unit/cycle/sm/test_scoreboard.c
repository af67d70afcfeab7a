/* Scoreboard: places of registers, their packing into records, and when they are there. */
#include "cycle/sm/scoreboard.h"
#include "support/support.h"

static void every_register_has_a_place(void **state)
{
    (void)state;
    static const struct {
        unsigned file, number, constant;
    } files[] = {
        {GM_REGISTERS_GENERAL, 256, 255}, /* R0 to R254, RZ */
        {GM_REGISTERS_UNIFORM, 64, 63},   /* UR0 to UR62, URZ */
        {GM_REGISTERS_PREDICATE, 8, 7},   /* P0 to P6, PT */
        {GM_REGISTERS_UNIFORM_PREDICATE, 8, 7},
    };
    bool used[GM_SCORES] = {false};
    unsigned places = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (unsigned number = 0; number < files[i].number; number++) {
            unsigned score = gm_timed_score(GM_REGISTER(files[i].file, number));
            if (number == files[i].constant) {
                assert_int_equal(score, GM_SCORE_NONE);
                continue;
            }
            assert_true(score < GM_SCORES && !used[score]);
            used[score] = true;
            places++;
        }
    }
    assert_int_equal(places, 255 + 63 + 7 + 7);
}

static void registers_are_packed(void **state)
{
    (void)state;
    test_random random = test_random_start(46);
    for (int round = 0; round < 10000; round++) {
        uint16_t number[GM_DESTINATIONS + GM_SOURCES];
        unsigned expected[GM_DESTINATIONS + GM_SOURCES];
        unsigned count = (unsigned)test_random_below(&random, GM_DESTINATIONS + GM_SOURCES + 1);
        unsigned kept = 0;
        for (unsigned i = 0; i < count; i++) {
            number[i] =
                (uint16_t)(test_random_below(&random, 4) << 8 | test_random_below(&random, 8));
            number[i] = test_random_below(&random, 9) == 0 ? 255 : number[i];
            expected[kept] = gm_timed_score(number[i]);
            kept += expected[kept] != GM_SCORE_NONE;
        }
        uint64_t registers[GM_TIMED_REGISTER_WORDS] = {0};
        unsigned first = count < GM_DESTINATIONS ? count : GM_DESTINATIONS;
        unsigned used = gm_timed_pack(registers, 0, number, first);
        used = gm_timed_pack(registers, used, number + first, count - first);
        assert_int_equal(used, kept);
        for (unsigned i = 0; i < kept; i++) {
            uint64_t word = registers[i / GM_TIMED_WORD_REGISTERS];
            assert_int_equal(
                gm_timed_lowest(word >> i % GM_TIMED_WORD_REGISTERS * GM_TIMED_REGISTER_BITS),
                expected[i]);
        }
    }
}

static void the_last_register_counts(void **state)
{
    (void)state;
    static const uint16_t number[] = {3, 300, GM_REGISTER(GM_REGISTERS_PREDICATE, 2), 9};
    gm_cycle score[GM_SCORES] = {0};
    uint64_t registers[GM_TIMED_REGISTER_WORDS] = {0};
    unsigned count = gm_timed_pack(registers, 0, number, 4);
    assert_int_equal(gm_scoreboard_ready(score, registers, count), 0);
    uint64_t written = 0;
    gm_scoreboard_set(score, &written, registers[0], 2, 40); /* R3 and UR44 */
    assert_int_equal(score[3], 40);
    assert_int_equal(score[GM_SCORE_UNIFORM + 44], 40);
    score[GM_SCORE_PREDICATE + 2] = 70;
    assert_int_equal(gm_scoreboard_ready(score, registers, count), 70);
    assert_int_equal(gm_scoreboard_ready(score, registers, 2), 40);
    score[9] = GM_NEVER;
    assert_int_equal(gm_scoreboard_ready(score, registers, count), GM_NEVER);
    assert_int_equal(gm_scoreboard_ready(score, registers, 0), 0);
}

/* Of any number of registers, two words of them too, each decides when it is the last to come. */
static void each_register_of_many_counts(void **state)
{
    (void)state;
    enum { MOST = GM_DESTINATIONS + GM_SOURCES };
    uint16_t number[MOST];
    for (unsigned i = 0; i < MOST; i++) {
        number[i] = (uint16_t)(20 * i + 1);
    }
    for (unsigned count = 1; count <= MOST; count++) {
        uint64_t registers[GM_TIMED_REGISTER_WORDS] = {0};
        assert_int_equal(gm_timed_pack(registers, 0, number, count), count);
        for (unsigned last = 0; last < MOST; last++) {
            gm_cycle score[GM_SCORES] = {0};
            score[number[0]] = 3;
            score[number[last]] = 5;
            gm_cycle expected = last < count ? 5 : 3;
            assert_int_equal(gm_scoreboard_ready(score, registers, count), expected);
        }
    }
}

/* What is set again: the lowest registers of the word, and no others. */
static void registers_come_when_data_come(void **state)
{
    (void)state;
    static const uint16_t number[GM_DESTINATIONS] = {8, 9, 70, 71};
    for (unsigned count = 0; count <= GM_DESTINATIONS; count++) {
        gm_cycle score[GM_SCORES] = {0};
        uint64_t registers[GM_TIMED_REGISTER_WORDS] = {0};
        uint64_t written = 0;
        gm_timed_pack(registers, 0, number, GM_DESTINATIONS);
        gm_scoreboard_set(score, &written, registers[0], count, GM_NEVER);
        assert_int_equal(written, count == 0 ? 0 : count < 3 ? 1 << 1 : 1 << 1 | 1 << 8);
        for (unsigned i = 0; i < GM_DESTINATIONS; i++) {
            assert_int_equal(score[number[i]], i < count ? GM_NEVER : 0);
        }
        gm_scoreboard_set_again(score, registers[0], count, 50);
        for (unsigned i = 0; i < GM_DESTINATIONS; i++) {
            assert_int_equal(score[number[i]], i < count ? 50 : 0);
        }
    }
}

/* Each place by itself, the first and the last included: all are as in the beginning again. */
static void what_was_written_is_cleared(void **state)
{
    (void)state;
    gm_cycle score[GM_SCORES + 1] = {0};
    score[GM_SCORES] = 7; /* another's */
    for (unsigned place = 0; place < GM_SCORES; place++) {
        uint64_t written = 0;
        gm_scoreboard_set(score, &written, place, 1, GM_NEVER);
        assert_int_equal(score[place], GM_NEVER);
        gm_scoreboard_clear(score, &written);
        assert_int_equal(written, 0);
        for (unsigned i = 0; i < GM_SCORES; i++) {
            assert_int_equal(score[i], 0);
        }
    }
    assert_int_equal(score[GM_SCORES], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_has_a_place),
        cmocka_unit_test(registers_are_packed),
        cmocka_unit_test(the_last_register_counts),
        cmocka_unit_test(each_register_of_many_counts),
        cmocka_unit_test(registers_come_when_data_come),
        cmocka_unit_test(what_was_written_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
