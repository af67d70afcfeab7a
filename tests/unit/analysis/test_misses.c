/* Miss classes: hand-worked sequences, and random ones against caches kept as plain lists of
 * sectors in order of use. */
#include "goldmem/analysis.h"
#include "goldmem/engine.h"
#include "support/support.h"

#include <string.h>

enum { CAPACITY = 4 }; /* lines of the L1 */

static gm_analysis *create(void)
{
    gm_config config;
    gm_config_defaults(&config);
    config.l1.size = CAPACITY * config.l1.line;
    gm_analysis *analysis = NULL;
    gm_error error;
    test_ok(gm_analysis_create(&analysis, &config, GM_ANALYZE_MISSES, &error), error);
    return analysis;
}

static void give(gm_analysis *analysis, const gm_analysis_access *access)
{
    gm_error error;
    test_ok(gm_analysis_l1_access(analysis, access, &error), error);
}

/* A letter is an access to the line of that name: upper case a load that fills the whole line, '-'
 * before it a store that drops it and fills nothing, lower case a load that bypasses and counts as
 * a reference; '!' flushes. Every other access is said to miss, so that each gets a class. Expected
 * classes by hand, for a cache of 4 lines. */
static void classes_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *accesses;
        uint64_t compulsory, policy, capacity, conflict;
    } rows[] = {
        {"A", 1, 0, 0, 0},          {"AA", 1, 0, 0, 1}, /* LRU still has A */
        {"ABCDA", 4, 0, 0, 1},                          /* 4 lines fit */
        {"ABCDEA", 5, 0, 1, 0},                         /* the fifth drives out A */
        {"ABCDAEB", 5, 0, 1, 1},                        /* A was used again: E drives out B */
        {"A-AA", 1, 1, 0, 1},     /* the store finds A, drops it; the load must fetch it again */
        {"A!A", 1, 1, 0, 0},      /* so after a flush */
        {"-A-AA", 1, 2, 0, 0},    /* stores do not allocate: not even an unbounded cache has it */
        {"ABCDE-AA", 5, 1, 1, 0}, /* the store misses for capacity; then A is dropped everywhere */
        {"aA", 0, 1, 0, 0},       /* asked for before, but never allocated */
        {"aAaA", 0, 1, 0, 1},     /* the bypass leaves it where it is */
        {"ABCDaaEA", 5, 0, 1, 0}, /* and is no use of A for the LRU cache */
        {"ABCD!ABCDEA", 5, 4, 1, 0} /* the LRU cache is empty after a flush, not full */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gm_analysis *analysis = create();
        bool store = false;
        for (const char *c = rows[i].accesses; *c != '\0'; c++) {
            if (*c == '!') {
                gm_analysis_l1_flush(analysis, 0);
            } else if (*c != '-') {
                bool bypass = *c >= 'a';
                const gm_analysis_access access = {.line = (uint64_t)*c - (bypass ? 'a' - 'A' : 0),
                                                   .sectors = 1,
                                                   .fills = store || bypass ? 0 : 15,
                                                   .drops = store,
                                                   .bypass = bypass,
                                                   .referenced = bypass};
                give(analysis, &access);
            }
            store = *c == '-';
        }
        const uint64_t *misses = gm_analysis_read(analysis)->misses[GM_LEVEL_L1].misses;
        assert_int_equal(misses[GM_MISS_compulsory], rows[i].compulsory);
        assert_int_equal(misses[GM_MISS_policy], rows[i].policy);
        assert_int_equal(misses[GM_MISS_capacity], rows[i].capacity);
        assert_int_equal(misses[GM_MISS_conflict], rows[i].conflict);
        gm_analysis_free(analysis);
    }
}

/* A sector is fetched alone: the other sectors of its line are compulsory misses of their own. */
static void sectors_are_apart(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    static const uint32_t asked[] = {1, 2, 3, 4};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const gm_analysis_access access = {.line = 1, .sectors = asked[i], .fills = asked[i]};
        give(analysis, &access);
    }
    const gm_miss_results *misses = &gm_analysis_read(analysis)->misses[GM_LEVEL_L1];
    assert_int_equal(misses->misses[GM_MISS_compulsory], 3);
    assert_int_equal(misses->misses[GM_MISS_conflict], 1); /* 3: both are there */
    assert_int_equal(misses->unbounded, 3);
    assert_int_equal(misses->fully_associative, 3);
    gm_analysis_free(analysis);
}

/* A bypass neither counts nor fills; one that drops the line takes it out. */
static void bypasses_do_not_count(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    const gm_analysis_access load = {.line = 1, .sectors = 1, .fills = 1};
    const gm_analysis_access past = {.line = 1, .sectors = 1, .bypass = true};
    const gm_analysis_access drop = {.line = 1, .sectors = 1, .bypass = true, .drops = true};
    give(analysis, &past);
    give(analysis, &load); /* compulsory: the bypass brought nothing here */
    give(analysis, &past);
    give(analysis, &load); /* conflict: it is in both */
    give(analysis, &drop);
    give(analysis, &load); /* policy: it was dropped */
    const uint64_t *misses = gm_analysis_read(analysis)->misses[GM_LEVEL_L1].misses;
    assert_int_equal(misses[GM_MISS_compulsory], 1);
    assert_int_equal(misses[GM_MISS_conflict], 1);
    assert_int_equal(misses[GM_MISS_policy], 1);
    gm_analysis_free(analysis);
}

/* The second algorithm: a list of lines, newest first, cut at `capacity`. */
enum { LINES = 12, ACCESSES = 20000 };

typedef struct list {
    uint64_t line[LINES];
    uint32_t valid[LINES];
    unsigned count, capacity;
} list;

/* Returns whether all sectors were there, and moves the list on. */
static bool list_access(list *list, const gm_analysis_access *access)
{
    unsigned at = 0;
    while (at < list->count && list->line[at] != access->line) {
        at++;
    }
    bool found = at < list->count;
    uint32_t valid = found ? list->valid[at] : 0;
    bool hit = (access->sectors & ~valid) == 0;
    if (found) {
        list->count--;
        memmove(&list->line[at], &list->line[at + 1], (list->count - at) * sizeof list->line[0]);
        memmove(&list->valid[at], &list->valid[at + 1], (list->count - at) * sizeof list->valid[0]);
    }
    if (!access->drops && (found || access->fills != 0)) {
        memmove(&list->line[1], &list->line[0], list->count * sizeof list->line[0]);
        memmove(&list->valid[1], &list->valid[0], list->count * sizeof list->valid[0]);
        list->line[0] = access->line;
        list->valid[0] = valid | access->fills;
        list->count = list->count < list->capacity ? list->count + 1 : list->capacity;
    }
    return hit;
}

/* A sector that came with its neighbour is no new one when it misses later. */
static void neighbours_are_held(void **state)
{
    (void)state;
    gm_analysis *analysis = create();
    gm_analysis_access access = {
        .line = 7, .unit = 3, .sm = 3, .sectors = 1, .fills = 1, .block = 2};
    give(analysis, &access);
    access.sectors = access.fills = 2;
    give(analysis, &access); /* the real cache has dropped the line */
    access.sectors = access.fills = 4;
    give(analysis, &access);
    const gm_miss_results *misses = &gm_analysis_read(analysis)->misses[GM_LEVEL_L1];
    assert_int_equal(misses->misses[GM_MISS_compulsory], 2);
    assert_int_equal(misses->misses[GM_MISS_conflict], 1);
    assert_int_equal(misses->unbounded, 2);
    gm_analysis_free(analysis);
}

static void random_against_lists(void **state)
{
    (void)state;
    test_random random = test_random_start(5);
    gm_analysis *analysis = create();
    list unbounded = {.capacity = LINES};
    list lru = {.capacity = CAPACITY};
    uint32_t ever[LINES] = {0};
    gm_miss_results expected = {0};
    for (unsigned i = 0; i < ACCESSES; i++) {
        if (test_random_below(&random, 300) == 0) {
            gm_analysis_l1_flush(analysis, 3);
            unbounded.count = lru.count = 0;
        }
        if (test_random_below(&random, 3000) == 0) {
            memset(ever, 0, sizeof ever); /* not a thing a cache does: take a fresh analysis */
            gm_analysis_free(analysis);
            analysis = create();
            unbounded.count = lru.count = 0;
            expected = (gm_miss_results){0};
        }
        uint64_t line = test_random_below(&random, LINES - 1);
        uint32_t sectors = 1 + (uint32_t)test_random_below(&random, 15);
        uint64_t sort = test_random_below(&random, 8);
        const gm_analysis_access access = {.line = line,
                                           .unit = 3,
                                           .sm = 3,
                                           .sectors = sectors,
                                           .fills = sort == 0  ? 0
                                                    : sort < 5 ? sectors
                                                               : 15,
                                           .drops = sort == 7,
                                           .hit = test_random_below(&random, 2) != 0};
        give(analysis, &access);
        bool first = (sectors & ~ever[line]) != 0;
        ever[line] |= sectors | access.fills;
        bool unbounded_hit = list_access(&unbounded, &access);
        bool lru_hit = list_access(&lru, &access);
        expected.unbounded += !unbounded_hit;
        expected.fully_associative += !lru_hit;
        gm_miss_class class = first            ? GM_MISS_compulsory
                              : !unbounded_hit ? GM_MISS_policy
                              : !lru_hit       ? GM_MISS_capacity
                                               : GM_MISS_conflict;
        expected.misses[class] += !access.hit;
    }
    assert_memory_equal(&gm_analysis_read(analysis)->misses[GM_LEVEL_L1], &expected,
                        sizeof expected);
    gm_analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_by_hand),       cmocka_unit_test(sectors_are_apart),
        cmocka_unit_test(bypasses_do_not_count), cmocka_unit_test(neighbours_are_held),
        cmocka_unit_test(random_against_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
