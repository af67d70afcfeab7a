/* The cache tag array against independent oracles: stack distances, distinct lines, and sequences
 * worked by hand. */
#include "cache/cache.h"
#include "cache/cache_snapshot.h"
#include "goldmem/bits.h"
#include "support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    gm_arena arena;
    gm_set_index index;
    gm_cache cache;
    uint64_t evicted; /* by the last access; GM_NO_LINE: none */
    uint64_t gone;
} fixture;

static void make(fixture *fixture, uint64_t sets, uint64_t ways, gm_replacement replacement,
                 const char *index)
{
    gm_error error;
    memset(fixture, 0, sizeof *fixture);
    gm_cache_parameters parameters = {.sets = sets, .ways = ways, .replacement = replacement};
    if (index != NULL) {
        test_ok(gm_set_index_parse(&fixture->index, index, sets, 57, &error), error);
        parameters.index = &fixture->index;
    }
    test_ok(gm_arena_create(&fixture->arena, gm_cache_bytes(&parameters), &error), error);
    test_ok(gm_cache_init(&fixture->cache, &parameters, &fixture->arena, &error), error);
}

static void destroy(fixture *fixture)
{
    gm_error error;
    test_ok(gm_cache_check(&fixture->cache, fixture->gone, "cache", &error), error);
    gm_cache_free(&fixture->cache);
    gm_arena_free(&fixture->arena);
}

/* true: hit */
static bool access_line(fixture *fixture, uint64_t line)
{
    gm_cache_place place = gm_cache_find(&fixture->cache, line);
    fixture->evicted = GM_NO_LINE;
    if (place.slot != GM_NO_SLOT) {
        gm_cache_touch(&fixture->cache, place);
        return true;
    }
    gm_victim victim;
    uint32_t slot = gm_cache_allocate(&fixture->cache, line, place, &victim);
    gm_cache_state(&fixture->cache, slot)->valid = 1;
    if (victim.state.valid != 0) {
        fixture->evicted = victim.line;
        fixture->gone++;
    }
    return false;
}

/* Mattson: an LRU cache of n lines hits when fewer than n other lines were used since. Counted with
 * marks at the last use of each line, not with a list. */
static uint64_t misses_by_stack_distance(const uint64_t *line, size_t count, uint64_t capacity)
{
    uint64_t misses = 0;
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        while (last > 0 && line[last - 1] != line[i]) {
            last--;
        }
        uint64_t distinct = 0;
        for (size_t j = last; j < i; j++) {
            bool again = false;
            for (size_t k = j + 1; k < i && !again; k++) {
                again = line[k] == line[j];
            }
            distinct += !again;
        }
        misses += last == 0 || distinct >= capacity;
    }
    return misses;
}

static void fully_associative_lru_misses_by_stack_distance(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    static const uint64_t capacities[] = {1, 2, 3, 7, 8, 13, 16, 33, 64};
    test_random random = test_random_start(11);
    uint64_t line[COUNT];
    for (size_t c = 0; c < sizeof capacities / sizeof capacities[0]; c++) {
        fixture fixture;
        make(&fixture, 1, capacities[c], GM_REPLACE_LRU, NULL);
        uint64_t misses = 0;
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t range = test_random_below(&random, 4) == 0 ? 80 : 12;
            line[i] = test_random_below(&random, range) << 40;
            misses += !access_line(&fixture, line[i]);
        }
        assert_int_equal(misses, misses_by_stack_distance(line, COUNT, capacities[c]));
        destroy(&fixture);
    }
}

static void unbounded_misses_are_distinct_lines(void **state)
{
    (void)state;
    enum { COUNT = 20000, RANGE = 9000 };
    test_random random = test_random_start(12);
    uint8_t *seen = calloc(RANGE, 1);
    assert_non_null(seen);
    fixture fixture;
    make(&fixture, 1, GM_UNBOUNDED, GM_REPLACE_LRU, NULL);
    uint64_t distinct = 0;
    uint64_t misses = 0;
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t line = test_random_below(&random, RANGE);
        distinct += !seen[line];
        seen[line] = 1;
        misses += !access_line(&fixture, line * UINT64_C(0x10000001));
        assert_true(fixture.evicted == GM_NO_LINE);
    }
    assert_int_equal(misses, distinct);
    destroy(&fixture);
    free(seen);
}

/* 2 sets (even and odd lines) of 2 ways, worked by hand: the line evicted, or 0 for a miss into an
 * invalid way, or H for a hit. */
static void set_associative_by_hand(void **state)
{
    (void)state;
    enum { H = -1 };
    static const struct {
        uint64_t line;
        int64_t lru, fifo;
    } steps[] = {
        {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, /* set 0: 4 2; set 1: 3 */
        {2, H, H},                       /* LRU: 2 4 */
        {6, 4, 2},                       /* LRU: 6 2; FIFO: 6 4 */
        {4, 2, H},                       /* LRU: 4 6 */
        {5, 0, 0}, {7, 3, 3},            /* set 1: 7 5 */
        {2, 6, 4},                       /* LRU: 2 4; FIFO: 2 6 */
        {4, H, 6},                       /* FIFO: 4 2 */
    };
    for (int fifo = 0; fifo < 2; fifo++) {
        fixture fixture;
        make(&fixture, 2, 2, fifo ? GM_REPLACE_FIFO : GM_REPLACE_LRU, NULL);
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            int64_t expected = fifo ? steps[i].fifo : steps[i].lru;
            assert_int_equal(access_line(&fixture, steps[i].line), expected == H);
            assert_true(fixture.evicted == (expected > 0 ? (uint64_t)expected : GM_NO_LINE));
        }
        destroy(&fixture);
    }
}

/* Every associativity finds every line it holds, in every way: lines are only in their own sets. */
static void every_way_is_found(void **state)
{
    (void)state;
    static const char *const indexes[] = {NULL, "xor", "ipoly", "prime"};
    for (uint64_t ways = 1; ways <= 21; ways++) {
        for (size_t i = 0; i < sizeof indexes / sizeof indexes[0]; i++) {
            fixture fixture;
            make(&fixture, 8, ways, GM_REPLACE_LRU, indexes[i]);
            uint64_t held = 0;
            for (uint64_t line = 1000; line < 1000 + 8 * ways; line++) {
                access_line(&fixture, line);
            }
            for (uint64_t line = 1000; line < 1000 + 8 * ways; line++) {
                held += gm_cache_find(&fixture.cache, line).slot != GM_NO_SLOT;
            }
            assert_int_equal(held, 8 * ways - fixture.gone);
            destroy(&fixture);
        }
    }
}

/* A dropped way is the next to be used, whatever its age. */
static void dropped_way_is_used_first(void **state)
{
    (void)state;
    for (uint64_t victim = 10; victim < 14; victim++) {
        fixture fixture;
        make(&fixture, 1, 4, GM_REPLACE_LRU, NULL);
        for (uint64_t line = 10; line < 14; line++) {
            access_line(&fixture, line);
        }
        gm_cache_drop(&fixture.cache, gm_cache_find(&fixture.cache, victim));
        fixture.gone++;
        assert_int_equal(gm_cache_find(&fixture.cache, victim).slot, GM_NO_SLOT);
        access_line(&fixture, 20);
        assert_true(fixture.evicted == GM_NO_LINE);
        access_line(&fixture, 21);
        assert_int_equal(fixture.evicted, victim == 10 ? 11 : 10);
        destroy(&fixture);
    }
}

static void check_names_what_is_broken(void **state)
{
    (void)state;
    gm_error error;
    fixture fixture;
    make(&fixture, 2, 2, GM_REPLACE_LRU, NULL);
    access_line(&fixture, 2);
    access_line(&fixture, 4);
    gm_cache *cache = &fixture.cache;
    uint64_t *head = gm_cache_head(cache, 0);
    uint64_t hashes = head[1];

    head[1] = gm_way_hash(2) * UINT64_C(0x101);
    cache->way[0].tag = cache->way[1].tag; /* line 2 in way 1, line 4 in way 0 of set 0 */
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: set 0: two ways hold line 0x2");
    head[1] = hashes;
    cache->way[0].tag = 5;
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: set 0: line 0x5 belongs in set 1");
    cache->way[0].tag = 4;
    cache->way[0].state.dirty = 2;
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: line 0x4: sectors 0x2 are dirty, 0x1 valid");
    cache->way[0].state = (gm_sector_state){0, 0};
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: set 0: line 0x4 has valid sectors 0x0");
    cache->way[0].state.valid = 1;
    assert_int_equal(gm_cache_check(cache, 1, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: 2 lines allocated, 3 there or gone");
    head[0] ^= 1; /* names one way twice */
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_non_null(strstr(error.text, "the order of its ways is broken"));
    head[0] ^= 1;
    head[1] ^= 1;
    assert_int_equal(gm_cache_check(cache, 0, "L1", &error), -EPROTO);
    assert_string_equal(error.text, "L1: set 0: line 0x4 is not found");
    head[1] ^= 1;
    test_ok(gm_cache_check(cache, 0, "L1", &error), error);
    destroy(&fixture);
}

static void refuses_impossible_shapes(void **state)
{
    (void)state;
    gm_error error;
    gm_arena arena;
    gm_cache cache;
    test_ok(gm_arena_create(&arena, 1024, &error), error);
    gm_cache_parameters parameters = {.sets = 3, .ways = 4};
    assert_int_equal(gm_cache_init(&cache, &parameters, &arena, &error), -EINVAL);
    parameters = (gm_cache_parameters){.sets = 4, .ways = 0};
    assert_int_equal(gm_cache_init(&cache, &parameters, &arena, &error), -EINVAL);
    parameters = (gm_cache_parameters){.sets = 64, .ways = 64};
    assert_int_equal(gm_cache_init(&cache, &parameters, &arena, &error), -ENOMEM);
    gm_arena_free(&arena);
}

/* A cache that gets other ways behaves as a new one of that size, on both sides of the limit of an
 * LRU word (16 ways), and keeps its invariants. */
static void resized_is_as_new(void **state)
{
    (void)state;
    enum { MOST = 48, SETS = 4 };
    static const uint32_t ways[] = {48, 3, 17, 16, 1, 40, 8, 9, 48};
    static const gm_replacement policies[] = {GM_REPLACE_LRU, GM_REPLACE_FIFO};
    test_random random = test_random_start(31);
    for (size_t p = 0; p < 2; p++) {
        fixture resized;
        make(&resized, SETS, MOST, policies[p], "xor");
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            fixture fresh;
            make(&fresh, SETS, ways[i], policies[p], "xor");
            assert_true(gm_cache_is_empty(&resized.cache));
            gm_cache_resize(&resized.cache, ways[i]);
            assert_int_equal(gm_cache_slots(&resized.cache), SETS * ways[i]);
            for (unsigned n = 0; n < 3000; n++) {
                uint64_t line = test_random_below(&random, (uint64_t)SETS * ways[i] * 2) << 5;
                assert_int_equal(access_line(&resized, line), access_line(&fresh, line));
                assert_int_equal(resized.evicted, fresh.evicted);
            }
            assert_false(gm_cache_is_empty(&resized.cache));
            gm_error error;
            test_ok(gm_cache_check(&resized.cache, resized.gone, "cache", &error), error);
            for (uint32_t slot = 0; slot < gm_cache_slots(&resized.cache); slot++) {
                uint64_t line = gm_cache_line(&resized.cache, slot);
                if (line != GM_NO_LINE) {
                    gm_cache_drop(&resized.cache, gm_cache_find(&resized.cache, line));
                    resized.gone++;
                }
            }
            destroy(&fresh);
        }
        destroy(&resized);
    }
}

/* Cache of SETS sets by its definition: each line has the time of its last use, and a set evicts
 * the line used longest ago when all its ways are taken. */
enum { MANY_SETS = 2, MANY_WAYS = 40, MANY_LINES = 256 };

typedef struct naive_cache {
    uint64_t used[MANY_LINES]; /* 0: not held */
    uint64_t now;
} naive_cache;

/* Returns the line that gives way to `line`, or GM_NO_LINE. */
static uint64_t naive_use(naive_cache *naive, uint64_t line)
{
    uint64_t held = 0;
    uint64_t oldest = GM_NO_LINE;
    for (uint64_t other = line % MANY_SETS; other < MANY_LINES; other += MANY_SETS) {
        held += naive->used[other] != 0;
        bool older = oldest == GM_NO_LINE || naive->used[other] < naive->used[oldest];
        oldest = naive->used[other] != 0 && older ? other : oldest;
    }
    bool evicts = naive->used[line] == 0 && held == MANY_WAYS;
    if (evicts) {
        naive->used[oldest] = 0;
    }
    naive->used[line] = ++naive->now;
    return evicts ? oldest : GM_NO_LINE;
}

/* A cache made anew goes on with the state of the old one. */
static void go_on_in_a_new_cache(fixture *fixture)
{
    struct fixture old = *fixture;
    gm_snapshot save = {.file = tmpfile()};
    assert_non_null(save.file);
    gm_cache_snapshot(&old.cache, &save);
    make(fixture, MANY_SETS, MANY_WAYS, GM_REPLACE_LRU, NULL);
    fixture->gone = old.gone;
    rewind(save.file);
    gm_snapshot load = {.file = save.file, .loading = true};
    gm_cache_snapshot(&fixture->cache, &load);
    assert_int_equal(save.failed | load.failed, 0);
    fclose(save.file);
    destroy(&old);
}

static void many_ways_with_drops_and_snapshots(void **state)
{
    (void)state;
    test_random random = test_random_start(37);
    naive_cache naive = {.now = 0};
    fixture fixture;
    make(&fixture, MANY_SETS, MANY_WAYS, GM_REPLACE_LRU, NULL);
    for (unsigned step = 0; step < 40000; step++) {
        uint64_t line = test_random_below(&random, step % 8000 < 4000 ? 100 : MANY_LINES);
        bool held = naive.used[line] != 0;
        if (held && test_random_below(&random, 4) == 0) {
            gm_cache_drop(&fixture.cache, gm_cache_find(&fixture.cache, line));
            fixture.gone++;
            naive.used[line] = 0;
            assert_int_equal(gm_cache_find(&fixture.cache, line).slot, GM_NO_SLOT);
        } else {
            uint64_t evicted = naive_use(&naive, line);
            assert_int_equal(access_line(&fixture, line), held);
            assert_true(fixture.evicted == evicted);
        }
        if (test_random_below(&random, 1000) == 0) {
            go_on_in_a_new_cache(&fixture);
        }
    }
    destroy(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resized_is_as_new),
        cmocka_unit_test(many_ways_with_drops_and_snapshots),
        cmocka_unit_test(fully_associative_lru_misses_by_stack_distance),
        cmocka_unit_test(unbounded_misses_are_distinct_lines),
        cmocka_unit_test(set_associative_by_hand),
        cmocka_unit_test(every_way_is_found),
        cmocka_unit_test(dropped_way_is_used_first),
        cmocka_unit_test(check_names_what_is_broken),
        cmocka_unit_test(refuses_impossible_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
