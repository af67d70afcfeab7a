/* Debug assertions of a cache: an access to a broken set ends the program in words. */
#include "cache/cache.h"

#include "goldmem/assert.h"
#include "goldmem/replacement.h"
#include "support/aborts.h"

static gm_arena arena;

static int make_arena(void **state)
{
    (void)state;
    gm_error error;
    return gm_arena_create(&arena, 1 << 22, &error);
}

static int free_arena(void **state)
{
    (void)state;
    gm_arena_free(&arena);
    return 0;
}

/* Two sets; lines 0 to 7, of which set 0 has the even ones. */
static void make_cache(gm_cache *cache, uint64_t ways, gm_replacement replacement)
{
    const gm_cache_parameters parameters = {.sets = 2, .ways = ways, .replacement = replacement};
    gm_error error;
    test_ok(gm_cache_init(cache, &parameters, &arena, &error), error);
    for (uint64_t line = 0; line < 8; line++) {
        gm_victim victim;
        uint32_t slot = gm_cache_allocate(cache, line, gm_cache_find(cache, line), &victim);
        gm_cache_state(cache, slot)->valid = 1;
        gm_cache_assert_access(cache, line);
    }
}

static void access_line_4(void *state)
{
    gm_cache_assert_access(state, 4);
}

static void access_line_4_in_the_whole_cache(void *state)
{
    for (unsigned i = 0; i < GM_ASSERT_PERIOD; i++) {
        access_line_4(state);
    }
}

/* Up to 16 ways, and with SRRIP and SHiP, the whole set of the line is checked, another set when
 * the cache is. */
static void a_wrong_set_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 4, GM_REPLACE_LRU); /* set 0 has lines 0, 2, 4, 6 in ways 3, 2, 1, 0 */
    gm_cache_way *way = cache.way;
    way[3].state.dirty = 2;
    test_aborts(access_line_4, &cache, "cache: line 0x0: sectors 0x2 are dirty, 0x1 valid\n");
    way[3].state.dirty = 0;
    *gm_cache_head(&cache, 0) ^= 1;
    test_aborts(access_line_4, &cache, "cache: set 0: the order of its ways is broken at slot 0\n");
    *gm_cache_head(&cache, 0) ^= 1;
    way[7].tag = 0; /* of set 1 */
    access_line_4(&cache);
    test_aborts(access_line_4_in_the_whole_cache, &cache,
                "cache: set 1: line 0x0 belongs in set 0\n");
}

static void a_wrong_rank_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 4, GM_REPLACE_SRRIP);
    cache.rrpvs.used[0] ^= 8;
    test_aborts(access_line_4, &cache, "cache: set 0: way 3 is free for its replacement\n");
}

/* Beyond 16 ways the newest line is checked, the others when the whole cache is. */
static void a_wrong_list_of_a_cache(void **state)
{
    (void)state;
    static gm_cache cache;
    make_cache(&cache, 20, GM_REPLACE_LRU);
    gm_cache_place newest = gm_cache_find(&cache, 4);
    gm_cache_touch(&cache, newest);
    cache.way[newest.slot].state.dirty = 2;
    test_aborts(access_line_4, &cache, "cache: line 0x4: sectors 0x2 are dirty, 0x1 valid\n");
    cache.way[newest.slot].state.dirty = 0;
    uint32_t older = cache.order[newest.slot].older;
    cache.order[newest.slot].older = newest.slot;
    access_line_4(&cache);
    test_aborts(access_line_4_in_the_whole_cache, &cache,
                "cache: set 0: the order of its ways is broken");
    cache.order[newest.slot].older = older;
    cache.way[older].state.dirty = 2;
    access_line_4(&cache);
    test_aborts(access_line_4_in_the_whole_cache, &cache, "sectors 0x2 are dirty, 0x1 valid\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_set_of_a_cache),
        cmocka_unit_test(a_wrong_rank_of_a_cache),
        cmocka_unit_test(a_wrong_list_of_a_cache),
    };
    return cmocka_run_group_tests(tests, make_arena, free_arena);
}
