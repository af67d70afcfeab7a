/* SRRIP and SHiP caches against a second implementation, which has lines in place of ways' bits,
 * counts RRPVs up step by step and keeps SHiP's counters by region. */
#include "cache/cache.h"
#include "goldmem/bits.h"
#include "support/support.h"

#include <errno.h>
#include <string.h>

/* RRPVs of 2 bits, counters of 3 [Jaleel et al.; Wu et al.]; regions of 8 lines. */
enum { MOST_WAYS = 32, SETS = 16, REGION_SHIFT = 3, REGIONS = 256, DISTANT = 3, COUNTER_MOST = 7 };

typedef struct plain_line {
    uint64_t line;
    unsigned rrpv;
    bool there, waits, used_again;
} plain_line;

typedef struct world {
    gm_cache cache;
    plain_line plain[SETS][MOST_WAYS];
    unsigned counter[REGIONS];
    bool ship;
    uint64_t gone;
    unsigned distant, full; /* how often lines came in so, and nothing was free to take */
} world;

static plain_line *find(world *w, uint64_t line)
{
    plain_line *set = w->plain[line % w->cache.parameters.sets];
    for (unsigned way = 0; way < w->cache.ways; way++) {
        if (set[way].there && set[way].line == line) {
            return &set[way];
        }
    }
    return NULL;
}

/* Where a line would go: an empty way; else the first to reach DISTANT, ways that wait left out. */
static unsigned choose(const world *w, const plain_line *set)
{
    unsigned ways = w->cache.ways;
    for (unsigned way = 0; way < ways; way++) {
        if (!set[way].there) {
            return way;
        }
    }
    for (unsigned steps = 0; steps <= DISTANT; steps++) {
        for (unsigned way = 0; way < ways; way++) {
            if (!set[way].waits && set[way].rrpv + steps == DISTANT) {
                return way;
            }
        }
    }
    return ways;
}

/* The line that is in the way leaves, if one does: all have come nearer to DISTANT by then. */
static void evict(world *w, plain_line *set, unsigned way)
{
    while (set[way].there && set[way].rrpv < DISTANT) {
        for (unsigned i = 0; i < w->cache.ways; i++) {
            set[i].rrpv += set[i].there && set[i].rrpv < DISTANT;
        }
    }
    if (set[way].there) {
        unsigned *counter = &w->counter[set[way].line >> REGION_SHIFT];
        *counter -= !set[way].used_again && *counter > 0;
        w->gone++;
    }
}

static void come_in(world *w, plain_line *set, unsigned way, uint64_t line, bool waits)
{
    bool distant = w->ship && w->counter[line >> REGION_SHIFT] == 0;
    set[way] = (plain_line){line, distant ? DISTANT : DISTANT - 1, true, waits, false};
    w->distant += distant;
}

/* The cycle engine's way: a victim is asked for, and taken. */
static uint32_t replace(world *w, uint64_t line, gm_cache_place place, unsigned expected,
                        gm_victim *victim)
{
    uint32_t slot = gm_cache_victim(&w->cache, place);
    assert_int_equal(gm_cache_victim(&w->cache, place), slot); /* nothing has changed */
    if (expected == w->cache.ways) {
        assert_int_equal(slot, GM_NO_SLOT);
        return slot;
    }
    assert_int_equal(slot, place.set * w->cache.ways + expected);
    assert_int_equal(gm_cache_replace(&w->cache, line, place, slot, victim), slot);
    return slot;
}

static void miss(world *w, uint64_t line, bool waits)
{
    gm_cache *cache = &w->cache;
    gm_cache_place place = gm_cache_find(cache, line);
    assert_int_equal(place.slot, GM_NO_SLOT);
    plain_line *set = w->plain[place.set];
    unsigned way = choose(w, set);
    gm_victim victim;
    uint32_t slot = cache->parameters.waits ? replace(w, line, place, way, &victim)
                                            : gm_cache_allocate(cache, line, place, &victim);
    if (slot == GM_NO_SLOT) {
        w->full++;
        return;
    }
    assert_int_equal(slot, place.set * cache->ways + way);
    assert_int_equal(victim.state.valid, set[way].there);
    assert_int_equal(victim.line, set[way].there ? set[way].line : GM_NO_LINE);
    evict(w, set, way);
    come_in(w, set, way, line, waits);
    gm_cache_state(cache, slot)->valid = 1;
    if (waits) {
        gm_cache_wait(cache, slot);
    }
}

static void hit(world *w, plain_line *found, test_random *random)
{
    gm_cache *cache = &w->cache;
    gm_cache_place place = gm_cache_find(cache, found->line);
    assert_int_not_equal(place.slot, GM_NO_SLOT);
    assert_int_equal(gm_cache_line(cache, place.slot), found->line);
    if (found->waits && test_random_below(random, 3) != 0) {
        gm_cache_arrive(cache, place.slot);
        found->waits = false;
    }
    if (!found->waits && test_random_below(random, 8) == 0) {
        gm_cache_drop(cache, place);
        found->there = false;
        w->gone++;
        return;
    }
    gm_cache_touch(cache, place);
    unsigned *counter = &w->counter[found->line >> REGION_SHIFT];
    *counter += *counter < COUNTER_MOST;
    found->rrpv = 0;
    found->used_again = true;
}

/* Lines: a few that are used often, and many that are used once, so that SHiP has what to learn. */
static uint64_t some_line(const world *w, test_random *random)
{
    uint64_t often = (uint64_t)w->cache.ways * w->cache.parameters.sets;
    uint64_t most = (uint64_t)REGIONS << REGION_SHIFT;
    uint64_t line = test_random_below(random, 3) == 0 ? test_random_below(random, most)
                                                      : test_random_below(random, often);
    return line % most;
}

static void run(world *w, gm_cache_parameters parameters, test_random *random)
{
    enum { ACCESSES = 8000 };
    gm_error error;
    gm_arena arena;
    memset(w, 0, sizeof *w);
    w->ship = parameters.replacement == GM_REPLACE_SHIP;
    for (unsigned i = 0; i < REGIONS; i++) {
        w->counter[i] = COUNTER_MOST;
    }
    test_ok(gm_arena_create(&arena, gm_cache_bytes(&parameters), &error), error);
    test_ok(gm_cache_init(&w->cache, &parameters, &arena, &error), error);
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t line = some_line(w, random);
        plain_line *found = find(w, line);
        if (found != NULL) {
            hit(w, found, random);
        } else {
            miss(w, line, parameters.waits && test_random_below(random, 2) == 0);
        }
    }
    test_ok(gm_cache_check(&w->cache, w->gone, "cache", &error), error);
    gm_arena_free(&arena);
}

static void against_second_implementation(void **state)
{
    (void)state;
    static const unsigned ways[] = {1, 2, 3, 4, 8, 15, 17, 32};
    static const unsigned sets[] = {1, 2, SETS};
    static world w;
    test_random random = test_random_start(11);
    unsigned distant = 0;
    unsigned full = 0;
    for (unsigned i = 0; i < 8 * 3 * 4; i++) {
        run(&w,
            (gm_cache_parameters){
                .ways = ways[i % 8],
                .sets = sets[i / 8 % 3],
                .replacement = i / 24 % 2 == 0 ? GM_REPLACE_SRRIP : GM_REPLACE_SHIP,
                .waits = i / 48 != 0,
                .region_shift = REGION_SHIFT,
            },
            &random);
        distant += w.distant;
        full += w.full;
    }
    assert_true(distant > 1000 && full > 1000);
}

/* 16 KB of addresses. An L2 of 12 banks of 128-byte lines: 8 lines to a bank are 12 KB of memory,
 * 16 would be 24 KB. Lines of which 16 KB hold none to a bank: each is a region. */
static void regions_of_banks(void **state)
{
    (void)state;
    static const struct {
        uint64_t banks, line;
        unsigned region_shift;
    } cases[] = {{1, 128, 7},   {1, 32, 9},    {12, 128, 3},
                 {128, 128, 0}, {129, 128, 0}, {64, 1024, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_error error;
        gm_cache_parameters parameters;
        gm_set_index index;
        const gm_cache_request request = {
            .size = cases[i].banks * cases[i].line * 8,
            .banks = cases[i].banks,
            .line = cases[i].line,
            .sets = 2,
            .replacement = GM_REPLACE_SHIP,
            .index = "sequential",
        };
        test_ok(gm_cache_describe(&parameters, &index, &request, &error), error);
        assert_int_equal(parameters.region_shift, cases[i].region_shift);
        assert_int_equal(parameters.ways, 4);
    }
}

/* What --check sees. */
static void broken_states_are_named(void **state)
{
    (void)state;
    const gm_cache_parameters parameters = {.ways = 4, .sets = 2, .replacement = GM_REPLACE_SRRIP};
    static world w;
    gm_error error;
    gm_arena arena;
    gm_victim victim;
    memset(&w, 0, sizeof w);
    test_ok(gm_arena_create(&arena, gm_cache_bytes(&parameters), &error), error);
    test_ok(gm_cache_init(&w.cache, &parameters, &arena, &error), error);
    uint32_t slot = gm_cache_allocate(&w.cache, 5, gm_cache_find(&w.cache, 5), &victim);
    gm_cache_state(&w.cache, slot)->valid = 1;
    test_ok(gm_cache_check(&w.cache, 0, "cache", &error), error);
    w.cache.rrpvs.value[4] = 9;
    assert_int_equal(gm_cache_check(&w.cache, 0, "cache", &error), -EPROTO);
    assert_string_equal(error.text, "cache: replacement: set 1: a value beyond its range");
    w.cache.rrpvs.value[4] = 2;
    w.cache.rrpvs.used[1] = 0;
    assert_int_equal(gm_cache_check(&w.cache, 0, "cache", &error), -EPROTO);
    assert_string_equal(error.text, "cache: set 1: way 0 is free for its replacement");
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_second_implementation),
        cmocka_unit_test(regions_of_banks),
        cmocka_unit_test(broken_states_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
