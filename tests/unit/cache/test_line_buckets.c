/* Line buckets against a plain array; buckets that are full. */
#include "cache/line_buckets.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 4000 };

static uint64_t held[MOST]; /* the line of each slot; NONE: none */
#define NONE UINT64_MAX

/* Looks a line up as a cache does. */
static uint32_t find(const gm_line_buckets *buckets, uint64_t line)
{
    gm_line_home home = gm_line_buckets_home(buckets, line);
    for (uint32_t at = home.bucket;; at = (at + 1) & buckets->mask) {
        const gm_line_bucket *bucket = &buckets->bucket[at];
        uint32_t matches = gm_line_bucket_matches(bucket, home.fragment, ~buckets->slot_mask);
        for (; matches != 0; matches &= matches - 1) {
            uint32_t place = bucket->place[gm_line_bucket_place(matches)];
            uint32_t slot = (place & buckets->slot_mask) - 1;
            assert_true(slot < MOST && held[slot] != NONE);
            if (held[slot] == line) {
                return slot;
            }
        }
        if (bucket->beyond == 0) {
            return GM_NO_SLOT;
        }
    }
}

static uint32_t find_in_array(uint32_t slots, uint64_t line)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (held[slot] == line) {
            return slot;
        }
    }
    return GM_NO_SLOT;
}

/* Fills in an empty table. The caller frees the arena. */
static void start(gm_line_buckets *buckets, gm_arena *arena, uint32_t slots)
{
    gm_error error;
    test_ok(gm_arena_create(arena, gm_line_buckets_bytes(slots), &error), error);
    assert_true(gm_line_buckets_init(buckets, slots, arena));
    memset(held, 0xff, sizeof held);
}

static void check_empty(const gm_line_buckets *buckets)
{
    static const gm_line_bucket empty;
    for (uint32_t i = 0; i <= buckets->mask; i++) {
        assert_memory_equal(&buckets->bucket[i], &empty, sizeof empty);
    }
}

/* Slots of every number take lines of a small range, so that many are found, and leave again. */
static void hold_what_an_array_holds(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {2, 16, 17, 24, 768, 1000, 1024, MOST};
    test_random random = test_random_start(1);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gm_arena arena;
        gm_line_buckets buckets;
        uint32_t slots = sizes[i];
        start(&buckets, &arena, slots);
        for (unsigned step = 0; step < 4 * MOST; step++) {
            uint32_t slot = (uint32_t)test_random_below(&random, slots);
            uint64_t line = test_random_below(&random, 2 * (uint64_t)slots) << i * 3;
            uint32_t found = find(&buckets, line);
            assert_int_equal(found, find_in_array(slots, line));
            if (held[slot] != NONE) {
                gm_line_buckets_remove(&buckets, held[slot], slot);
                held[slot] = NONE;
            } else if (found == GM_NO_SLOT) {
                gm_line_buckets_add(&buckets, line, slot);
                held[slot] = line;
            }
        }
        for (uint32_t slot = 0; slot < slots; slot++) {
            if (held[slot] != NONE) {
                assert_int_equal(find(&buckets, held[slot]), slot);
                gm_line_buckets_remove(&buckets, held[slot], slot);
                held[slot] = NONE;
            }
        }
        check_empty(&buckets);
        gm_arena_free(&arena);
    }
}

/* All lines are of the last bucket: they fill it, those that follow it, from the first one on, and
 * are found wherever they are. */
static void go_on_in_later_buckets(void **state)
{
    (void)state;
    enum { SLOTS = 64 };
    gm_arena arena;
    gm_line_buckets buckets;
    start(&buckets, &arena, SLOTS);
    uint64_t line = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++, line++) {
        while (gm_line_buckets_home(&buckets, line).bucket != buckets.mask) {
            line++;
        }
        gm_line_buckets_add(&buckets, line, slot);
        held[slot] = line;
    }
    assert_int_equal(buckets.bucket[buckets.mask].beyond, SLOTS - GM_BUCKET_PLACES);
    assert_int_equal(buckets.bucket[0].beyond, SLOTS - 2 * GM_BUCKET_PLACES);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        assert_int_equal(find(&buckets, held[slot]), slot);
        gm_line_buckets_remove(&buckets, held[slot], slot);
        assert_int_equal(find(&buckets, held[slot]), GM_NO_SLOT);
        held[slot] = NONE;
    }
    check_empty(&buckets);
    gm_arena_free(&arena);
}

/* The first match of the line's own bucket, which may be another line's. */
static void tell_a_probable_slot(void **state)
{
    (void)state;
    gm_arena arena;
    gm_line_buckets buckets;
    start(&buckets, &arena, MOST);
    assert_int_equal(gm_line_buckets_probable(&buckets, 7), GM_NO_SLOT);
    for (uint32_t slot = 0; slot < MOST; slot += 3) {
        gm_line_buckets_add(&buckets, slot * UINT64_C(0x10001), slot);
    }
    unsigned probable = 0;
    for (uint32_t slot = 0; slot < MOST; slot += 3) {
        probable += gm_line_buckets_probable(&buckets, slot * UINT64_C(0x10001)) == slot;
    }
    assert_true(probable > MOST / 3 * 9 / 10);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hold_what_an_array_holds),
        cmocka_unit_test(go_on_in_later_buckets),
        cmocka_unit_test(tell_a_probable_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
