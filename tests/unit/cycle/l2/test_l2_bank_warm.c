/* Functional warming of an L2 bank: what it leaves in the tags is what the order engine's L2 has
 * after the same messages; it counts nothing, and leaves lines whose data are in flight alone. */
#include "support/cycle/l2/l2_two_sets.h"

#include "base/random.h"
#include "cache/l2.h"

#include <string.h>

static gm_message message_of(uint64_t line, gm_message_kind kind, uint32_t sectors)
{
    return (gm_message){.line = line,
                        .sectors = sectors,
                        .whole = kind == GM_MESSAGE_WRITE ? sectors : 0,
                        .kind = kind};
}

static void warm(test_fixture *f, gm_message message)
{
    gm_location at = gm_address_map_locate(&f->w.shared.map, message.line);
    gm_l2_bank_warm(&f->w.bank, at, &message);
}

static void expect_nothing_counted(const test_fixture *f)
{
    const gm_cache_statistics none = {0};
    assert_memory_equal(&f->w.bank.l2.statistics, &none, sizeof none);
    assert_int_equal(f->w.bank.past.statistics.writes, 0);
    assert_int_equal(f->w.bank.past.statistics.reads, 0);
    assert_int_equal(f->w.bank.l2.through, 0);
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        assert_int_equal(f->w.bank.l2.received.messages[kind], 0);
    }
}

/* The oracle: gm_l2_access on an L2 of its own. */
static void leaves_what_the_order_engine_leaves(void **state)
{
    static const gm_message_kind kinds[] = {GM_MESSAGE_READ, GM_MESSAGE_WRITE, GM_MESSAGE_ATOMIC,
                                            GM_MESSAGE_REDUCTION};
    static const gm_replacement rules[] = {GM_REPLACE_LRU, GM_REPLACE_FIFO, GM_REPLACE_SRRIP};
    test_fixture *f = *state;
    uint64_t seed = test_random_start(1).state;
    static const gm_fetch_policy policies[] = {GM_FETCH_ALWAYS, GM_FETCH_PARTIAL, GM_FETCH_THROUGH};
    for (unsigned turn = 0; turn < 6; turn++) {
        f->w.config.l2.fetch_on_write = policies[turn % 3];
        f->w.config.l2.replacement = rules[turn / 2];
        f->w.config.l2.sectored = turn % 2 != 0;
        world_make(&f->w, 0);
        world other = {.config = f->w.config};
        world_make(&other, 0);
        gm_error error;
        for (unsigned i = 0; i < 2000; i++) {
            uint64_t line = gm_random_below(&seed, 80);
            uint32_t sectors = 1 + (uint32_t)gm_random_below(&seed, 15);
            const gm_message message = message_of(line, kinds[gm_random_below(&seed, 4)], sectors);
            warm(f, message);
            gm_location at = gm_address_map_locate(&other.shared.map, line);
            gm_l2_access(&other.bank.l2, &other.bank.past, &other.shared.map, at, &message);
            for (uint64_t other_line = 0; other_line < 80; other_line++) {
                gm_cache_place a = gm_cache_find(&f->w.bank.l2.cache, other_line);
                gm_cache_place b = gm_cache_find(&other.bank.l2.cache, other_line);
                assert_int_equal(a.slot == GM_NO_SLOT, b.slot == GM_NO_SLOT);
                if (a.slot != GM_NO_SLOT) {
                    assert_memory_equal(gm_cache_state(&f->w.bank.l2.cache, a.slot),
                                        gm_cache_state(&other.bank.l2.cache, b.slot),
                                        sizeof(gm_sector_state));
                }
            }
        }
        assert_true(other.bank.l2.statistics.evictions[GM_LOAD] > 100);
        assert_int_equal(f->w.bank.l2.dirty_sectors, other.bank.l2.dirty_sectors);
        expect_nothing_counted(f);
        test_ok(gm_l2_bank_check(&f->w.bank, &error), error);
        world_free(&other);
        world_free(&f->w);
        memset(&f->w.bank, 0, sizeof f->w.bank);
    }
    world_make(&f->w, 0);
}

/* A set of 16 ways of which one waits for data: 16 warming accesses take the other 15, and the
 * waiting line still gets its data. */
static void keeps_lines_in_flight(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    world_bring(&f->w, 10, (gm_packet){.line = 0, .sectors = 1, .kind = GM_MESSAGE_READ});
    run_to(f, 10 + LATENCY + 10);
    assert_int_equal(f->w.bank.entries, 1);
    for (uint64_t i = 1; i <= 16; i++) {
        warm(f, message_of(2 * i, GM_MESSAGE_WRITE, 0xf)); /* even lines: set 0 */
    }
    warm(f, message_of(0, GM_MESSAGE_WRITE, 0xf)); /* in flight: left alone */
    gm_cache *cache = &f->w.bank.l2.cache;
    assert_int_not_equal(gm_cache_find(cache, 0).slot, GM_NO_SLOT);
    assert_int_equal(gm_cache_state(cache, gm_cache_find(cache, 0).slot)->dirty, 0);
    assert_int_equal(gm_cache_find(cache, 2).slot, GM_NO_SLOT); /* the oldest of the others */
    for (uint64_t i = 2; i <= 16; i++) {
        assert_int_not_equal(gm_cache_find(cache, 2 * i).slot, GM_NO_SLOT);
    }
    finish(f, 1, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + MISS);
    const gm_cache_statistics *s = &f->w.bank.l2.statistics;
    assert_int_equal(s->accesses[GM_LOAD], 1);
    assert_int_equal(s->accesses[GM_STORE], 0);
    assert_int_equal(s->evictions[GM_STORE] + s->evictions[GM_LOAD], 0);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 15 * 4);
}

/* All ways of a set wait: a warming access finds no room. */
static void leaves_a_set_that_waits(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    for (uint32_t i = 0; i < 16; i++) {
        world_bring(&f->w, 10 + i,
                    (gm_packet){.line = 2 * i, .sectors = 1, .id = i, .kind = GM_MESSAGE_READ});
    }
    run_to(f, 26 + LATENCY + 2);
    assert_int_equal(f->w.bank.entries, 16);
    warm(f, message_of(40, GM_MESSAGE_READ, 1));
    assert_int_equal(gm_cache_find(&f->w.bank.l2.cache, 40).slot, GM_NO_SLOT);
    finish(f, 16, 0, 0, 0, 0);
}

/* A warmed line hits, and its dirty sectors are written back when it is evicted. */
static void a_read_hits_after_it(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    for (uint64_t i = 0; i < 16; i++) {
        warm(f, message_of(2 * i, GM_MESSAGE_WRITE, 0xf));
    }
    expect_nothing_counted(f);
    world_bring(&f->w, 10, (gm_packet){.line = 2, .sectors = 1, .kind = GM_MESSAGE_READ});
    world_bring(&f->w, 400,
                (gm_packet){.line = 64, .sectors = 1, .id = 1, .kind = GM_MESSAGE_READ});
    finish(f, 2, 0, 0, 0, 0);
    expect_sent(f, 0, 0, 10 + HIT);
    const gm_cache_statistics *s = &f->w.bank.l2.statistics;
    assert_int_equal(s->hits[GM_LOAD], 1);
    assert_int_equal(s->evictions[GM_LOAD], 1);
    assert_int_equal(s->sectors_written_back[GM_LOAD], 4);
    assert_int_equal(gm_cache_find(&f->w.bank.l2.cache, 0).slot, GM_NO_SLOT); /* the oldest */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(leaves_what_the_order_engine_leaves),
        TEST(keeps_lines_in_flight),
        TEST(leaves_a_set_that_waits),
        TEST(a_read_hits_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
