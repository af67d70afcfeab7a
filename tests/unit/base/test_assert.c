/* gm_assert: in debug builds what does not hold ends the program in words; in other builds not even
 * the condition is evaluated. Each block's transactions: blocks/test_assert_*.c. */
#include "goldmem/assert.h"

#include "support/aborts.h"

#include <stdio.h>

enum { FAILS_AT = __LINE__ + 5 }; /* the line of gm_assert in `fails` */

static void fails(void *state)
{
    int *evaluated = state;
    gm_assert(++*evaluated < 0, "%d is not below 0", *evaluated);
}

static void file_line_and_condition_are_named(void **state)
{
    (void)state;
    int evaluated = 0;
    char text[128];
    snprintf(text, sizeof text, "test_assert.c:%d: ++*evaluated < 0: 1 is not below 0\n", FAILS_AT);
    test_aborts(fails, &evaluated, text);
}

static void nothing_is_evaluated_in_a_release_build(void **state)
{
    (void)state;
    int evaluated = 0;
    if (!test_debug) {
        fails(&evaluated);
    }
    gm_assert(++evaluated == 1, "this holds");
    assert_int_equal(evaluated, test_debug ? 1 : 0);
    unsigned wholes = 0;
    for (unsigned i = 0; i < 3 * GM_ASSERT_PERIOD; i++) {
        wholes += gm_assert_whole();
    }
    assert_int_equal(wholes, test_debug ? 3 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_line_and_condition_are_named),
        cmocka_unit_test(nothing_is_evaluated_in_a_release_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
