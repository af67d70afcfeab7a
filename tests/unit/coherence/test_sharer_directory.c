/* The directory of GPU-VIni against a list of each set's entries in the order of their use. */
#include "coherence/sharer_directory.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 40, STEPS = 20000, MOST_WAYS = 8 };

/* A set's lines, least recently used first. */
typedef struct list {
    uint64_t line[MOST_WAYS], sharers[MOST_WAYS];
    bool pinned[MOST_WAYS];
    unsigned count;
} list;

static void drop(list *set, unsigned place)
{
    for (set->count--; place < set->count; place++) {
        set->line[place] = set->line[place + 1];
        set->sharers[place] = set->sharers[place + 1];
        set->pinned[place] = set->pinned[place + 1];
    }
}

static unsigned find(const list *set, uint64_t line)
{
    unsigned place = 0;
    while (place < set->count && set->line[place] != line) {
        place++;
    }
    return place;
}

/* Forgets the entries that nobody uses. */
static void sweep(list *set)
{
    for (unsigned i = 0; i < set->count;) {
        if (set->sharers[i] == 0 && !set->pinned[i]) {
            drop(set, i);
        } else {
            i++;
        }
    }
}

/* The place that gives way: that of the oldest entry without a pin, or `count`. */
static unsigned victim(const list *set)
{
    unsigned place = 0;
    while (place < set->count && set->pinned[place]) {
        place++;
    }
    return place;
}

static void step(gm_sharer_directory *directory, list *sets, uint64_t line, unsigned what)
{
    list *set = &sets[line % directory->sets];
    unsigned place = find(set, line);
    gm_sharer_entry *entry = gm_sharer_directory_find(directory, line);
    assert_int_equal(entry != NULL, place < set->count);
    gm_sharer_entry *room = gm_sharer_directory_place(directory, line);
    if (entry != NULL) {
        assert_ptr_equal(room, entry);
        assert_int_equal(entry->sharers, set->sharers[place]);
    } else if (set->count == directory->ways) {
        unsigned oldest = victim(set);
        assert_int_equal(room == NULL, oldest == set->count);
        assert_true(room == NULL || room->line == set->line[oldest]);
    } else {
        assert_true(room != NULL && room->sharers == 0);
    }
    if (room == NULL) {
        return;
    }
    uint64_t sharers = place < set->count ? set->sharers[place] : 0;
    bool pinned = place < set->count && set->pinned[place];
    if (entry == NULL && set->count == directory->ways) {
        drop(set, victim(set));
    } else if (entry != NULL) {
        drop(set, place);
    }
    entry = gm_sharer_directory_take(directory, line);
    assert_int_equal(entry->line, line);
    assert_int_equal(entry->sharers, sharers);
    assert_int_equal(entry->pinned, pinned);
    entry->sharers = what & 3;
    entry->pinned = what >> 2 & 1;
    set->line[set->count] = line;
    set->sharers[set->count] = entry->sharers;
    set->pinned[set->count++] = entry->pinned != 0;
    sweep(set);
}

static void keeps_the_most_recently_used(void **state)
{
    (void)state;
    test_random random = test_random_start(77);
    static const unsigned ways[] = {1, 2, 3, 8};
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        gm_sharer_directory directory = {.sets = 3, .ways = ways[i]};
        directory.entry = calloc(directory.sets * directory.ways, sizeof *directory.entry);
        list sets[3];
        memset(sets, 0, sizeof sets);
        for (unsigned n = 0; n < STEPS; n++) {
            step(&directory, sets, test_random_below(&random, LINES),
                 (unsigned)test_random_below(&random, 8));
        }
        free(directory.entry);
    }
}

static void has_the_size_of_its_keys(void **state)
{
    (void)state;
    static const struct {
        uint64_t sms, size, partitions, ways, factor;
        uint32_t sets;
    } rows[] = {
        {16, 32 << 10, 8, 8, 2, 128}, /* [singh, Table 4]: 2 * 16 * 256 / 8 / 8 */
        {16, 32 << 10, 8, 32, 16, 256}, {15, 16 << 10, 6, 8, 2, 80},
        {15, 16 << 10, 7, 8, 2, 68},    {1, 128, 2, 8, 2, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_config config;
        memset(&config, 0, sizeof config);
        config.gpu.sms = rows[i].sms;
        config.l1.size = rows[i].size;
        config.l1.line = 128;
        config.memory.partitions = rows[i].partitions;
        config.memory.banks = 1;
        config.coherence.directory_ways = rows[i].ways;
        config.coherence.directory_size = rows[i].factor;
        assert_int_equal(gm_sharer_directory_sets(&config), rows[i].sets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_most_recently_used),
        cmocka_unit_test(has_the_size_of_its_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
