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
        cmocka_unit_test(refuses_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
