/* Decoupled LFU tag store: which parameters it takes, and what its check finds. */
#include "goldmem/tag_store.h"
#include "support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LRU = GM_REPLACEMENT_LRU, SRRIP = GM_REPLACEMENT_SRRIP, SHIP = GM_REPLACEMENT_SHIP };

static const struct {
    unsigned tag_ways, data_ways, rc_bits, threshold, allocation_rc;
    unsigned replacement, rrpv_bits, signature_bits, counter_bits;
    const char *text; /* NULL: taken */
} ranges[] = {
    {8, 4, 6, 2, 1, LRU, 2, 8, 3, NULL},
    {2, 1, 1, 0, 0, LRU, 2, 1, 3, NULL},
    {2, 1, 1, 1, 1, LRU, 2, 1, 3, NULL},
    {32, 31, 8, 255, 255, LRU, 2, 14, 3, NULL},
    {1, 1, 6, 2, 1, LRU, 2, 8, 3, "tag_store: tag_ways 1: must be 2 to 32"},
    {33, 4, 6, 2, 1, LRU, 2, 8, 3, "tag_store: tag_ways 33: must be 2 to 32"},
    {8, 0, 6, 2, 1, LRU, 2, 8, 3, "tag_store: data_ways 0: must be 1 to 7"},
    {8, 8, 6, 2, 1, LRU, 2, 8, 3, "tag_store: data_ways 8: must be 1 to 7"},
    {8, 4, 0, 0, 0, LRU, 2, 8, 3, "tag_store: rc_bits 0: must be 1 to 8"},
    {8, 4, 9, 2, 1, LRU, 2, 8, 3, "tag_store: rc_bits 9: must be 1 to 8"},
    {8, 4, 2, 4, 1, LRU, 2, 8, 3, "tag_store: threshold 4: must be 0 to 3"},
    {8, 4, 2, 2, 4, LRU, 2, 8, 3, "tag_store: allocation_rc 4: must be 0 to 3"},
    {8, 4, 6, 2, 1, SRRIP, 1, 1, 1, NULL},
    {8, 4, 6, 2, 1, SHIP, 4, 14, 4, NULL},
    {8, 4, 6, 2, 1, SHIP + 1, 2, 8, 3, "tag_store: replacement 3: must be 0 to 2"},
    {8, 4, 6, 2, 1, SHIP, 0, 8, 3, "tag_store: rrpv_bits 0: must be 1 to 4"},
    {8, 4, 6, 2, 1, SHIP, 5, 8, 3, "tag_store: rrpv_bits 5: must be 1 to 4"},
    {8, 4, 6, 2, 1, SHIP, 2, 8, 0, "tag_store: counter_bits 0: must be 1 to 4"},
    {8, 4, 6, 2, 1, SHIP, 2, 8, 5, "tag_store: counter_bits 5: must be 1 to 4"},
    {8, 4, 6, 2, 1, LRU, 2, 0, 3, "tag_store: signature_bits 0: must be 1 to 14"},
    {8, 4, 6, 2, 1, LRU, 2, 15, 3, "tag_store: signature_bits 15: must be 1 to 14"},
};

static gm_set_index function;

static void make_function(unsigned sets, unsigned bits)
{
    gm_error error;
    test_ok(gm_set_index_parse(&function, "sequential", sets, bits, &error), error);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    make_function(4, 42);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_tag_store_parameters p = {
            .index = &function,
            .tag_ways = ranges[i].tag_ways,
            .data_ways = ranges[i].data_ways,
            .rc_bits = ranges[i].rc_bits,
            .threshold = ranges[i].threshold,
            .allocation_rc = ranges[i].allocation_rc,
            .replacement = (gm_replacement_policy)ranges[i].replacement,
            .rrpv_bits = ranges[i].rrpv_bits,
            .signature_bits = ranges[i].signature_bits,
            .counter_bits = ranges[i].counter_bits,
        };
        gm_error error;
        gm_arena arena;
        gm_tag_store store;
        test_ok(gm_arena_create(&arena, gm_tag_store_bytes(&p), &error), error);
        int code = gm_tag_store_init(&store, &p, &arena, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        } else {
            assert_int_equal(gm_tag_store_free_lines(&store, 3), p.data_ways);
            test_ok(gm_tag_store_check(&store, &error), error);
        }
        gm_arena_free(&arena);
    }
}

static const gm_tag_store_parameters some = {.index = &function,
                                             .tag_ways = 9,
                                             .data_ways = 4,
                                             .rc_bits = 6,
                                             .threshold = 2,
                                             .allocation_rc = 1,
                                             .rrpv_bits = 2,
                                             .signature_bits = 8,
                                             .counter_bits = 3};

static const struct {
    unsigned sets, line_bits;
    const char *text; /* NULL: taken */
} functions[] = {
    {4, 3, NULL},
    {1024, 64, NULL},
    {2, 42, "tag_store: 2 sets: must be 4 to 1024"},
    {2048, 42, "tag_store: 2048 sets: must be 4 to 1024"},
    {4, 2, "tag_store: line addresses of 2 bits: no tag bit"},
};

static void index_function_is_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        gm_error error;
        gm_arena arena;
        gm_tag_store store;
        make_function(functions[i].sets, functions[i].line_bits);
        test_ok(gm_arena_create(&arena, gm_tag_store_bytes(&some), &error), error);
        int code = gm_tag_store_init(&store, &some, &arena, &error);
        assert_int_equal(code, functions[i].text == NULL ? 0 : -EINVAL);
        if (functions[i].text != NULL) {
            assert_string_equal(error.text, functions[i].text);
        }
        gm_arena_free(&arena);
    }
}

/* An arena of any size below what it takes is refused, and never overrun. */
static void arena_may_be_too_small(void **state)
{
    (void)state;
    make_function(4, 42);
    gm_error error;
    size_t enough = gm_tag_store_bytes(&some);
    for (size_t size = 0; size <= enough; size += 32) {
        gm_arena arena;
        gm_tag_store store;
        test_ok(gm_arena_create(&arena, size, &error), error);
        int code = gm_tag_store_init(&store, &some, &arena, &error);
        assert_true(code == 0 || code == -ENOMEM);
        assert_true(code == 0 || strstr(error.text, "tag_store: the arena is full") != NULL);
        assert_true(size >= 1 << 9 || code == -ENOMEM);
        gm_arena_free(&arena);
    }
}

/* A store whose set 0 has, of lines 4 A: A with data at 0, B that waits at 1, C that counts, D dead
 * at 2; in ways 0 to 3. */
static void make_store(gm_tag_store *store, gm_arena *arena)
{
    gm_error error;
    make_function(4, 42);
    test_ok(gm_arena_create(arena, gm_tag_store_bytes(&some), &error), error);
    test_ok(gm_tag_store_init(store, &some, arena, &error), error);
    static const struct {
        uint64_t op, line;
    } steps[] = {{GM_TAG_STORE_PROBE, 4},  {GM_TAG_STORE_PROBE, 4},  {GM_TAG_STORE_FILL, 4},
                 {GM_TAG_STORE_PROBE, 8},  {GM_TAG_STORE_PROBE, 8},  {GM_TAG_STORE_PROBE, 12},
                 {GM_TAG_STORE_PROBE, 16}, {GM_TAG_STORE_PROBE, 16}, {GM_TAG_STORE_WRITE, 16}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        gm_tag_store_access(
            store, (gm_tag_store_request){
                       .op = steps[i].op, .line = steps[i].line, .may_miss = 1, .may_bypass = 1});
    }
    assert_int_equal(gm_tag_store_check(store, &error), 0);
}

typedef struct damage {
    void (*break_it)(gm_tag_store *store);
    const char *text;
} damage;

#define DAMAGE(name, code)                                                                         \
    static void name(gm_tag_store *store)                                                          \
    {                                                                                              \
        uint8_t *rc = (uint8_t *)store->rc;                                                        \
        uint8_t *rank = (uint8_t *)store->rank;                                                    \
        uint8_t *hash = (uint8_t *)store->hash;                                                    \
        (void)rc, (void)rank, (void)hash;                                                          \
        code;                                                                                      \
    }
DAMAGE(way_beyond, store->set->valid |= 1 << 9)
DAMAGE(waiting_beyond, store->set->waiting |= 1 << 9)
DAMAGE(line_beyond, store->set->lines |= 1 << 4)
DAMAGE(waits_without, store->set->committed &= ~2u)
DAMAGE(free_has, store->set->committed |= 1 << 5)
DAMAGE(line_lost, store->set->lines |= 1 << 3)
DAMAGE(count_beyond, rc[2] = 64)
DAMAGE(count_of_first, rc[0] = 64)
DAMAGE(count_of_dead, rc[3] = 1)
DAMAGE(count_of_free, rc[8] = 1)
DAMAGE(same_position, store->position[1] = 0)
DAMAGE(position_beyond, store->position[1] = 4)
DAMAGE(not_its_owner, store->owner[1] = 2)
DAMAGE(not_in_use, store->set->lines ^= 1 << 1 | 1 << 3)
DAMAGE(other_set, store->line[2] = 13)
DAMAGE(not_its_hash, hash[2]++)
DAMAGE(not_its_hash_waiting, hash[1]++)
DAMAGE(two_of_one, store->line[2] = 4; hash[2] = hash[0])
DAMAGE(two_with_dead, store->line[2] = 16; hash[2] = hash[3])
DAMAGE(no_rank, rank[0] = GM_TAG_STORE_NONE)
DAMAGE(rank_of_free, rank[3] = 0)
DAMAGE(rank_of_dead, rank[2] = 2)
DAMAGE(same_rank, rank[0] = rank[1])
DAMAGE(rank_gap, rank[0] = 2)
DAMAGE(rank_beyond, rank[0] = 4)

static const damage damages[] = {
    {way_beyond, "a way beyond the set"},
    {waiting_beyond, "a way beyond the set"},
    {line_beyond, "a way beyond the set"},
    {waits_without, "a line waits without Position, or a free entry has one"},
    {free_has, "a line waits without Position, or a free entry has one"},
    {line_lost, "Free_Line and committed entries are not the data lines"},
    {count_beyond, "an RC beyond its range, or of an entry that is not valid"},
    {count_of_first, "an RC beyond its range, or of an entry that is not valid"},
    {count_of_dead, "an RC beyond its range, or of an entry that is not valid"},
    {count_of_free, "an RC beyond its range, or of an entry that is not valid"},
    {same_position, "a Position that is another entry's"},
    {position_beyond, "a Position that is another entry's"},
    {not_its_owner, "a Position that is another entry's"},
    {not_in_use, "a Position that is another entry's"},
    {other_set, "a line of another set, or not its hash"},
    {not_its_hash_waiting, "a line of another set, or not its hash"},
    {not_its_hash, "a line of another set, or not its hash"},
    {two_of_one, "two entries of one line"},
    {two_with_dead, "two entries of one line"},
    {no_rank, "a rank of a line that no valid entry owns, or none"},
    {rank_of_free, "a rank of a line that no valid entry owns, or none"},
    {rank_of_dead, "a rank of a line that no valid entry owns, or none"},
    {same_rank, "ranks that are no order"},
    {rank_gap, "ranks that are no order"},
    {rank_beyond, "a rank of a line that no valid entry owns, or none"},
};

static void check_finds_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        gm_tag_store store;
        gm_arena arena;
        gm_error error;
        make_store(&store, &arena);
        damages[i].break_it(&store);
        assert_int_equal(gm_tag_store_check(&store, &error), -EINVAL);
        if (strstr(error.text, damages[i].text) == NULL ||
            strncmp(error.text, "tag_store: set 0: ", 18) != 0) {
            fail_msg("damage %d: %s", (int)i, error.text);
        }
        gm_arena_free(&arena);
    }
}

static void check_looks_at_every_set(void **state)
{
    (void)state;
    for (unsigned set = 0; set < 4; set++) {
        gm_tag_store store;
        gm_arena arena;
        gm_error error;
        char text[32];
        make_store(&store, &arena);
        store.set[set].valid |= 1 << 9;
        assert_int_equal(gm_tag_store_check(&store, &error), -EINVAL);
        (void)snprintf(text, sizeof text, "tag_store: set %u: a way", set);
        assert_non_null(strstr(error.text, text));
        gm_arena_free(&arena);
    }
}

/* Eight sets of eight data lines: their ranks fill words to the last byte, and 64 bytes in all.
 * Every data line of every set is taken, way by way; the last one of each is still in flight. */
static void fill_sets(gm_tag_store *store, gm_arena *arena, unsigned sets, unsigned data_ways)
{
    gm_error error;
    make_function(sets, 42);
    const gm_tag_store_parameters p = {.index = &function,
                                       .tag_ways = 2 * data_ways,
                                       .data_ways = data_ways,
                                       .rc_bits = 6,
                                       .rrpv_bits = 2,
                                       .signature_bits = 8,
                                       .counter_bits = 3};
    test_ok(gm_arena_create(arena, gm_tag_store_bytes(&p), &error), error);
    test_ok(gm_tag_store_init(store, &p, arena, &error), error);
    for (uint64_t line = 0; line < sets * data_ways; line++) {
        gm_tag_store_request request = {.line = line, .may_miss = 1};
        gm_tag_store_response answer = gm_tag_store_access(store, request);
        assert_int_equal(answer.outcome, GM_TAG_STORE_MISS);
        assert_int_equal(answer.position, line / sets);
        request = (gm_tag_store_request){
            .op = GM_TAG_STORE_FILL, .line = line, .position = answer.position};
        if (line / sets < data_ways - 1) {
            gm_tag_store_access(store, request);
        }
    }
}

static void full_sets_are_apart(void **state)
{
    (void)state;
    enum { SETS = 8, DATA_WAYS = 8 };
    gm_tag_store store;
    gm_arena arena;
    gm_error error;
    fill_sets(&store, &arena, SETS, DATA_WAYS);
    for (unsigned line = 0; line < SETS * DATA_WAYS; line++) {
        assert_int_equal(gm_tag_store_line_at(&store, line % SETS, line / SETS), line);
    }
    test_ok(gm_tag_store_check(&store, &error), error);
    gm_tag_store_access(&store, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
    test_ok(gm_tag_store_check(&store, &error), error);
    for (unsigned set = 0; set < SETS; set++) {
        assert_int_equal(gm_tag_store_line_at(&store, set, DATA_WAYS - 1),
                         (DATA_WAYS - 1) * SETS + set);
    }
    gm_arena_free(&arena);
}

/* A FLUSH keeps to its own: behind the ranks, in one piece with them, are the places of entries. */
static void flush_keeps_the_place_of_what_waits(void **state)
{
    (void)state;
    gm_tag_store store;
    gm_arena arena;
    gm_error error;
    fill_sets(&store, &arena, 8, 8);
    gm_tag_store_access(&store, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
    for (uint64_t set = 0; set < 8;
         set++) { /* what waited is dropped; the next gets line 0, waits */
        gm_tag_store_access(&store, (gm_tag_store_request){
                                        .op = GM_TAG_STORE_FILL, .line = 56 + set, .position = 7});
        gm_tag_store_request request = {.line = 64 + set, .may_miss = 1};
        assert_int_equal(gm_tag_store_access(&store, request).position, 0);
    }
    gm_tag_store_access(&store, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
    test_ok(gm_tag_store_check(&store, &error), error);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(index_function_is_checked),
        cmocka_unit_test(arena_may_be_too_small),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(check_looks_at_every_set),
        cmocka_unit_test(full_sets_are_apart),
        cmocka_unit_test(flush_keeps_the_place_of_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
