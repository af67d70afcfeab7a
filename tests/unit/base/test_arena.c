/* The arena hands out zeroed, aligned, disjoint memory and never more than it has. */
#include "goldmem/arena.h"
#include "support/support.h"

static void takes_until_full(void **state)
{
    (void)state;
    gm_arena arena;
    gm_error error;
    test_ok(gm_arena_create(&arena, 192, &error), error);
    unsigned char *first = gm_arena_take(&arena, 1, 1);
    unsigned char *second = gm_arena_take(&arena, 8, 8);
    assert_non_null(first);
    assert_ptr_equal(second, first + 64); /* aligned to 64 bytes */
    assert_int_equal(second[63], 0);
    assert_null(gm_arena_take(&arena, 65, 1)); /* 64 bytes are left */
    assert_non_null(gm_arena_take(&arena, 64, 1));
    assert_null(gm_arena_take(&arena, 1, 1));
    gm_arena_free(&arena);
}

/* Sparse pieces come from the other end, and both ends share what is left. */
static void takes_from_both_ends(void **state)
{
    (void)state;
    gm_arena arena;
    gm_error error;
    test_ok(gm_arena_create(&arena, 256, &error), error);
    unsigned char *first = gm_arena_take(&arena, 1, 1);
    unsigned char *last = gm_arena_take_sparse(&arena, 3, 8);
    unsigned char *before = gm_arena_take_sparse(&arena, 64, 1);
    assert_ptr_equal(last, first + 192);
    assert_ptr_equal(before, first + 128);
    assert_int_equal(last[23] | before[63], 0);
    assert_null(gm_arena_take_sparse(&arena, 65, 2)); /* 64 bytes are left at most */
    assert_null(gm_arena_take_sparse(&arena, SIZE_MAX / 2, 4));
    assert_null(gm_arena_take(&arena, 65, 1));
    assert_ptr_equal(gm_arena_take(&arena, 64, 1), first + 64);
    assert_null(gm_arena_take_sparse(&arena, 1, 1));
    gm_arena_free(&arena);
}

/* Huge pages and usual ones: all zeroed, and no byte in two pieces. */
static void takes_large_pieces(void **state)
{
    (void)state;
    enum { PIECE = 5 << 20, STEP = 4096 };
    gm_arena arena;
    gm_error error;
    test_ok(gm_arena_create(&arena, (size_t)3 * PIECE, &error), error);
    unsigned char *piece[] = {gm_arena_take(&arena, PIECE, 1),
                              gm_arena_take_sparse(&arena, PIECE, 1),
                              gm_arena_take_sparse(&arena, PIECE, 1)};
    for (unsigned i = 0; i < 3; i++) {
        assert_non_null(piece[i]);
        for (size_t at = 0; at < PIECE; at += STEP) {
            assert_int_equal(piece[i][at], 0);
            piece[i][at] = (unsigned char)(i + 1);
        }
        assert_int_equal(piece[i][PIECE - 1], 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(piece[i][PIECE / STEP / 2 * STEP], i + 1);
    }
    assert_null(gm_arena_take_sparse(&arena, 1, 1));
    gm_arena_free(&arena);
}

static void refuses_overflow(void **state)
{
    (void)state;
    gm_arena arena;
    gm_error error;
    test_ok(gm_arena_create(&arena, 64, &error), error);
    assert_null(gm_arena_take(&arena, SIZE_MAX / 2, 4)); /* the product wraps to less than 64 */
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_until_full),
        cmocka_unit_test(takes_from_both_ends),
        cmocka_unit_test(takes_large_pieces),
        cmocka_unit_test(refuses_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
