/* LRU lists against an array in which a use moves a slot to the end. */
#include "cache/lru_list.h"

#include "support/support.h"

#include <string.h>

enum { MOST_SETS = 4, MOST_WAYS = 200, STEPS = 20000 };

typedef struct pair {
    gm_lru_link link[MOST_SETS * MOST_WAYS];
    uint32_t newest[MOST_SETS];
    gm_lru_clock clock;
    uint32_t order[MOST_SETS][MOST_WAYS]; /* slots, the oldest first */
    uint32_t sets, ways;
} pair;

static void pair_start(pair *pair, uint32_t sets, uint32_t ways)
{
    pair->sets = sets;
    pair->ways = ways;
    pair->clock = gm_lru_clock_start();
    for (uint32_t set = 0; set < sets; set++) {
        pair->newest[set] = set * ways;
        gm_lru_list_start(pair->link, set * ways, ways, &pair->clock);
        for (uint32_t i = 0; i < ways; i++) {
            pair->order[set][i] = set * ways + ways - 1 - i;
        }
    }
}

static void move_in_array(uint32_t *order, uint32_t ways, uint32_t slot, bool newest)
{
    uint32_t at = 0;
    while (order[at] != slot) {
        at++;
    }
    if (newest) {
        memmove(order + at, order + at + 1, (ways - 1 - at) * sizeof *order);
        order[ways - 1] = slot;
    } else {
        memmove(order + 1, order, at * sizeof *order);
        order[0] = slot;
    }
}

static void expect_same(const pair *pair, uint32_t set)
{
    uint32_t broken;
    assert_true(
        gm_lru_list_is_sound(pair->link, pair->newest[set], set * pair->ways, pair->ways, &broken));
    uint32_t slot = gm_lru_list_oldest(pair->link, pair->newest[set]);
    uint64_t used = 0;
    for (uint32_t i = 0; i < pair->ways; i++) {
        assert_int_equal(slot, pair->order[set][i]);
        assert_true(pair->link[slot].used > used);
        used = pair->link[slot].used;
        slot = pair->link[slot].newer;
    }
}

/* Whatever share of the moves is to the front. */
static void orders_as_an_array_does(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{1, 17}, {4, 48}, {2, MOST_WAYS}, {3, 2}, {1, 1}};
    static pair pair;
    test_random random = test_random_start(7);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (unsigned oldest_of_eight = 0; oldest_of_eight <= 8; oldest_of_eight += 4) {
            pair_start(&pair, shapes[i][0], shapes[i][1]);
            for (unsigned n = 0; n < STEPS; n++) {
                uint32_t set = (uint32_t)test_random_below(&random, pair.sets);
                uint32_t slot = set * pair.ways + (uint32_t)test_random_below(&random, pair.ways);
                bool newest = test_random_below(&random, 8) >= oldest_of_eight;
                pair.newest[set] =
                    newest
                        ? gm_lru_list_make_newest(pair.link, pair.newest[set], slot, &pair.clock)
                        : gm_lru_list_make_oldest(pair.link, pair.newest[set], slot, &pair.clock);
                move_in_array(pair.order[set], pair.ways, slot, newest);
                if (n % 61 == 0) {
                    expect_same(&pair, set);
                }
            }
        }
    }
}

static void tells_what_is_broken(void **state)
{
    (void)state;
    enum { WAYS = 20, BROKEN = 7, OTHER = 3 };
    static pair pair;
    uint32_t broken;
    pair_start(&pair, 1, WAYS);
    const gm_lru_link kept = pair.link[BROKEN];
    pair.link[BROKEN].older = OTHER;
    assert_false(gm_lru_list_is_sound(pair.link, 0, 0, WAYS, &broken));
    assert_int_equal(broken, BROKEN);
    pair.link[BROKEN] = kept;
    pair.link[BROKEN].used = pair.link[kept.newer].used;
    assert_false(gm_lru_list_is_sound(pair.link, 0, 0, WAYS, &broken));
    assert_int_equal(broken, kept.newer);
    pair.link[BROKEN] = kept;
    assert_true(gm_lru_list_is_sound(pair.link, 0, 0, WAYS, &broken));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_as_an_array_does),
        cmocka_unit_test(tells_what_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
