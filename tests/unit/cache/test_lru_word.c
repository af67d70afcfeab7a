/* LRU word: the drawn example of lru_word.h, and random steps beside a plain list of ways. */
#include "cache/lru_word.h"
#include "support/support.h"

#include <string.h>

/* lru_word.h: four ways, used in the order 1, 3, 0, 2. */
static void drawn_example(void **state)
{
    (void)state;
    const gm_lru_places places = gm_lru_places_of(4);
    const uint64_t word = 0x1302;
    assert_int_equal(gm_lru_word_way(word, 0), 2);
    assert_int_equal(gm_lru_word_oldest(word, &places), 1);
    assert_true(gm_lru_word_make_newest(word, 3) == 0x1023);
    assert_true(gm_lru_word_turn(0x1023, &places) == 0x0231);
    assert_true(gm_lru_word_make_oldest(word, &places, 0) == 0x0132);
}

static void unsound_words(void **state)
{
    (void)state;
    static const struct {
        uint64_t word;
        uint32_t ways;
        bool sound;
    } rows[] = {
        {0x0, 1, true},
        {0x1, 1, false}, /* no way 1 */
        {0x10, 2, true},
        {0x11, 2, false}, /* way 1 twice */
        {0x0321, 4, true},
        {0x4321, 4, false}, /* no way 4 */
        {UINT64_C(0xfedcba9876543210), 16, true},
        {UINT64_C(0xfedcba9876543211), 16, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(gm_lru_word_is_sound(rows[i].word, rows[i].ways), rows[i].sound);
    }
}

/* The second implementation: ways in an array, the newest first. */
typedef struct list {
    uint32_t way[GM_LRU_WORD_WAYS];
    uint32_t ways;
} list;

static uint32_t find(const list *list, uint32_t way)
{
    uint32_t at = 0;
    while (list->way[at] != way) {
        at++;
    }
    return at;
}

/* Takes the way out of its place and puts it in place `to`. */
static void move(list *list, uint32_t way, uint32_t to)
{
    uint32_t from = find(list, way);
    memmove(&list->way[from], &list->way[from + 1], (list->ways - 1 - from) * sizeof list->way[0]);
    memmove(&list->way[to + 1], &list->way[to], (list->ways - 1 - to) * sizeof list->way[0]);
    list->way[to] = way;
}

static void same(uint64_t word, const list *list, const gm_lru_places *places)
{
    for (uint32_t age = 0; age < list->ways; age++) {
        assert_int_equal(gm_lru_word_way(word, age), list->way[age]);
        assert_int_equal(gm_lru_word_position(word, list->way[age]), 4 * age);
    }
    assert_int_equal(gm_lru_word_oldest(word, places), list->way[list->ways - 1]);
    assert_true((word & ~places->mask) == 0);
    assert_true(gm_lru_word_is_sound(word, list->ways));
}

static void beside_a_list(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    test_random random = test_random_start(71);
    for (uint32_t ways = 1; ways <= GM_LRU_WORD_WAYS; ways++) {
        const gm_lru_places places = gm_lru_places_of(ways);
        uint64_t word = gm_lru_word_start(&places);
        list list = {.ways = ways};
        for (uint32_t way = 0; way < ways; way++) {
            list.way[way] = way;
        }
        same(word, &list, &places);
        for (unsigned step = 0; step < STEPS; step++) {
            uint32_t way = (uint32_t)test_random_below(&random, ways);
            switch (test_random_below(&random, 3)) {
            case 0:
                word = gm_lru_word_make_newest(word, way);
                move(&list, way, 0);
                break;
            case 1:
                word = gm_lru_word_make_oldest(word, &places, way);
                move(&list, way, ways - 1);
                break;
            default:
                word = gm_lru_word_turn(word, &places);
                move(&list, list.way[ways - 1], 0);
                break;
            }
            same(word, &list, &places);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_example),
        cmocka_unit_test(unsound_words),
        cmocka_unit_test(beside_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
