/* The block's one transaction, as its port list has it: FORWARD and INVERSE give line, tag and
 * index that belong together, and take only their own fields of the request. */
#include "goldmem/set_index.h"
#include "support/support.h"

/* [khairy, figure 7]: ipoly(37); line 32 = x^5 = x^2 + 1, so set 5 and tag 1. */
static void both_directions(void **state)
{
    (void)state;
    gm_set_index function;
    gm_error error;
    test_ok(gm_set_index_parse(&function, "ipoly:37", 32, 42, &error), error);
    const gm_set_index_request requests[] = {
        {.op = GM_SET_INDEX_FORWARD, .line = 32, .tag = 9, .index = 7},
        {.op = GM_SET_INDEX_INVERSE, .line = 77, .tag = 1, .index = 5},
    };
    for (unsigned i = 0; i < 2; i++) {
        gm_set_index_response response = gm_set_index_access(&function, requests[i]);
        assert_int_equal(response.line, 32);
        assert_int_equal(response.tag, 1);
        assert_int_equal(response.index, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_directions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
