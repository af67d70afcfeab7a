/* Lines that wait for their data are never victims: against a list of each set's lines, newest
 * first, kept here the plain way. */
#include "cache/cache.h"
#include "support/support.h"

#include <string.h>

enum { MOST_WAYS = 70, SETS = 4, ACCESSES = 20000 };

/* A set's lines, newest first. */
typedef struct plain_set {
    uint64_t line[MOST_WAYS];
    bool waits[MOST_WAYS];
    unsigned count;
} plain_set;

static void put_first(plain_set *set, unsigned from)
{
    uint64_t line = set->line[from];
    bool waits = set->waits[from];
    memmove(set->line + 1, set->line, from * sizeof *set->line);
    memmove(set->waits + 1, set->waits, from * sizeof *set->waits);
    set->line[0] = line;
    set->waits[0] = waits;
}

static unsigned position_of(const plain_set *set, uint64_t line)
{
    unsigned i = 0;
    while (i < set->count && set->line[i] != line) {
        i++;
    }
    return i;
}

/* Where the victim is, or count where every line waits. */
static unsigned victim_of(const plain_set *set)
{
    for (unsigned i = set->count; i > 0; i--) {
        if (!set->waits[i - 1]) {
            return i - 1;
        }
    }
    return set->count;
}

static void miss(gm_cache *cache, plain_set *set, unsigned ways, uint64_t line, bool waits)
{
    gm_cache_place place = gm_cache_find(cache, line);
    assert_int_equal(place.slot, GM_NO_SLOT);
    uint32_t slot = gm_cache_victim(cache, place);
    unsigned old = set->count < ways ? ways : victim_of(set);
    if (set->count == ways && old == ways) {
        assert_int_equal(slot, GM_NO_SLOT);
        return;
    }
    assert_int_not_equal(slot, GM_NO_SLOT);
    gm_victim victim;
    assert_int_equal(gm_cache_replace(cache, line, place, slot, &victim), slot);
    assert_int_equal(gm_cache_find(cache, line).slot, slot);
    assert_int_equal(victim.state.valid, set->count == ways);
    if (set->count == ways) {
        assert_int_equal(victim.line, set->line[old]);
    } else {
        old = set->count++;
    }
    set->line[old] = line;
    set->waits[old] = waits;
    put_first(set, old);
    gm_cache_state(cache, slot)->valid = 1;
    if (waits) {
        gm_cache_wait(cache, slot);
    }
}

/* `of_eight`: of eight missing lines those that wait, and of eight uses of such a line those before
 * its data arrive. */
static void run(unsigned sets, unsigned ways, gm_replacement replacement, unsigned of_eight,
                test_random *random)
{
    static plain_set plain[SETS];
    gm_error error;
    gm_arena arena;
    gm_cache cache;
    gm_cache_parameters parameters = {
        .sets = sets, .ways = ways, .replacement = replacement, .waits = true};
    memset(plain, 0, sizeof plain);
    test_ok(gm_arena_create(&arena, gm_cache_bytes(&parameters), &error), error);
    test_ok(gm_cache_init(&cache, &parameters, &arena, &error), error);
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t line = test_random_below(random, (uint64_t)sets * (ways + 3));
        plain_set *set = &plain[line % sets];
        unsigned at = position_of(set, line);
        if (at == set->count) {
            miss(&cache, set, ways, line, test_random_below(random, 8) < of_eight);
            continue;
        }
        gm_cache_place place = gm_cache_find(&cache, line);
        assert_int_equal(gm_cache_line(&cache, place.slot), line);
        assert_int_equal(gm_cache_waits(&cache, place.slot), set->waits[at]);
        if (set->waits[at] && test_random_below(random, 8) >= of_eight) {
            gm_cache_arrive(&cache, place.slot);
            set->waits[at] = false;
        }
        gm_cache_touch(&cache, place);
        if (replacement == GM_REPLACE_LRU) {
            put_first(set, at);
        }
    }
    uint64_t there = 0;
    for (unsigned set = 0; set < sets; set++) {
        there += plain[set].count;
    }
    test_ok(gm_cache_check(&cache, cache.allocations - there, "cache", &error), error);
    gm_arena_free(&arena);
}

static void waiting_lines_stay(void **state)
{
    (void)state;
    static const unsigned ways[] = {1, 2, 3, 8, 15, 16, 17, 64, MOST_WAYS};
    test_random random = test_random_start(7);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (unsigned of_eight = 4; of_eight < 8; of_eight += 3) {
            run(1, ways[i], GM_REPLACE_LRU, of_eight, &random);
            run(SETS, ways[i], GM_REPLACE_LRU, of_eight, &random);
            run(SETS, ways[i], GM_REPLACE_FIFO, of_eight, &random);
        }
    }
}

static void unbounded_has_no_victims(void **state)
{
    (void)state;
    gm_error error;
    gm_cache cache;
    gm_cache_parameters parameters = {.sets = 1, .ways = GM_UNBOUNDED, .waits = true};
    gm_arena none = {0}; /* an unbounded cache takes nothing from it */
    test_ok(gm_cache_init(&cache, &parameters, &none, &error), error);
    for (uint64_t line = 0; line < 1000; line++) {
        gm_cache_place place = gm_cache_find(&cache, line);
        uint32_t slot = gm_cache_victim(&cache, place);
        assert_int_not_equal(slot, GM_NO_SLOT);
        gm_victim victim;
        assert_int_equal(gm_cache_replace(&cache, line, place, slot, &victim), slot);
        assert_int_equal(victim.state.valid, 0);
        gm_cache_wait(&cache, slot);
        assert_false(gm_cache_waits(&cache, slot));
        gm_cache_state(&cache, slot)->valid = 1;
    }
    gm_cache_place place = gm_cache_find(&cache, 5);
    gm_cache_drop(&cache, place);
    gm_victim victim;
    assert_int_equal(gm_cache_replace(&cache, 5, gm_cache_find(&cache, 5), 1000, &victim),
                     place.slot); /* where the line was before */
    gm_cache_free(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_lines_stay),
        cmocka_unit_test(unbounded_has_no_victims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
