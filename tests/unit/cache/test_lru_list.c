/* LRU lists against an array in which a use moves a slot to the end. */
#include "cache/lru_list.h"

#include "support/support.h"

enum { MOST_SETS = 4, MOST_WAYS = 200, STEPS = 20000 };

typedef struct naive {
    uint32_t order[MOST_WAYS]; /* slots, the oldest first */
    bool waits[MOST_WAYS];     /* by way */
} naive;

typedef struct pair {
    gm_arena arena;
    gm_lru_lists lists;
    naive set[MOST_SETS];
    uint32_t sets, ways;
} pair;

static void pair_init(pair *pair, uint32_t sets, uint32_t most_ways, uint32_t ways)
{
    gm_error error;
    test_ok(gm_arena_create(&pair->arena, gm_lru_lists_bytes(sets, most_ways), &error), error);
    assert_true(gm_lru_lists_init(&pair->lists, sets, most_ways, &pair->arena));
    pair->sets = sets;
    pair->ways = ways;
    for (uint32_t set = 0; set < sets; set++) {
        gm_lru_lists_start(&pair->lists, set, set * ways, ways);
        for (uint32_t i = 0; i < ways; i++) {
            pair->set[set].order[i] = set * ways + ways - 1 - i;
            pair->set[set].waits[i] = false;
        }
    }
}

static void move_to(naive *naive, uint32_t ways, uint32_t slot, bool newest)
{
    uint32_t at = 0;
    while (naive->order[at] != slot) {
        at++;
    }
    for (; newest && at + 1 < ways; at++) {
        naive->order[at] = naive->order[at + 1];
    }
    for (; !newest && at > 0; at--) {
        naive->order[at] = naive->order[at - 1];
    }
    naive->order[at] = slot;
}

/* The list has the slots that do not wait. */
static void expect_same(const pair *pair, uint32_t set)
{
    const naive *naive = &pair->set[set];
    uint32_t slot = gm_lru_lists_oldest(&pair->lists, set);
    uint32_t newest = GM_LRU_WAITS;
    for (uint32_t i = 0; i < pair->ways; i++) {
        uint32_t expected = naive->order[i];
        if (!naive->waits[expected - set * pair->ways]) {
            assert_int_equal(slot, expected);
            newest = slot;
            slot = gm_lru_lists_newer(&pair->lists, slot);
        }
    }
    assert_int_equal(slot, GM_LRU_WAITS);
    assert_int_equal(gm_lru_lists_newest(&pair->lists, set), newest);
}

static void step(pair *pair, test_random *random, unsigned oldest_of_eight)
{
    uint32_t set = (uint32_t)test_random_below(random, pair->sets);
    uint32_t way = (uint32_t)test_random_below(random, pair->ways);
    uint32_t slot = set * pair->ways + way;
    naive *naive = &pair->set[set];
    if (test_random_below(random, 3) == 0) {
        naive->waits[way] = !naive->waits[way];
        if (naive->waits[way]) {
            gm_lru_lists_wait(&pair->lists, slot);
        } else {
            gm_lru_lists_arrive(&pair->lists, set, slot);
        }
    }
    bool newest = test_random_below(random, 8) >= oldest_of_eight;
    move_to(naive, pair->ways, slot, newest);
    if (newest) {
        gm_lru_lists_make_newest(&pair->lists, set, slot);
    } else {
        gm_lru_lists_make_oldest(&pair->lists, set, slot);
    }
}

/* Whatever share of the moves is to the front, and with fewer ways than there is room for. */
static void orders_as_an_array_does(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {
        {1, 17, 17}, {4, 48, 48}, {4, 64, 21}, {2, MOST_WAYS, MOST_WAYS}, {1, 2, 1}};
    test_random random = test_random_start(7);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (unsigned oldest_of_eight = 0; oldest_of_eight <= 8; oldest_of_eight += 4) {
            static pair pair;
            pair_init(&pair, shapes[i][0], shapes[i][1], shapes[i][2]);
            for (unsigned n = 0; n < STEPS; n++) {
                step(&pair, &random, oldest_of_eight);
                if (n % 61 == 0) {
                    expect_same(&pair, (uint32_t)test_random_below(&random, pair.sets));
                }
            }
            gm_arena_free(&pair.arena);
        }
    }
}

static bool is_sound(const gm_lru_lists *lists, uint32_t ways, uint64_t waiting)
{
    uint32_t broken;
    return gm_lru_lists_are_sound(lists, 0, 0, ways, &waiting, &broken);
}

static void tells_what_is_broken(void **state)
{
    (void)state;
    enum { WAYS = 20, BROKEN = 7, OTHER = 3 };
    static pair pair;
    pair_init(&pair, 2, WAYS, WAYS);
    gm_lru_lists *lists = &pair.lists;
    assert_true(is_sound(lists, WAYS, 0));
    gm_lru_lists_wait(lists, BROKEN);
    assert_false(is_sound(lists, WAYS, 0));
    assert_true(is_sound(lists, WAYS, UINT64_C(1) << BROKEN));
    gm_lru_lists_arrive(lists, 0, BROKEN);
    assert_false(is_sound(lists, WAYS, UINT64_C(1) << BROKEN));
    const gm_lru_link kept = lists->link[BROKEN];
    lists->link[BROKEN].older = OTHER;
    assert_false(is_sound(lists, WAYS, 0));
    lists->link[BROKEN] = kept;
    lists->link[BROKEN].newer = GM_LRU_WAITS;
    assert_false(is_sound(lists, WAYS, 0));
    lists->link[BROKEN] = kept;
    lists->link[BROKEN].used = lists->link[kept.older].used;
    assert_false(is_sound(lists, WAYS, 0));
    lists->link[BROKEN] = kept;
    lists->link[WAYS * 2].newer = GM_LRU_WAITS; /* the ends */
    assert_false(is_sound(lists, WAYS, 0));
    gm_arena_free(&pair.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_as_an_array_does),
        cmocka_unit_test(tells_what_is_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
