/* Adding statistics adds every counter: the structs are arrays of 64-bit counters, so a sum over
 * their memory is a second way to add. */
#include "goldmem/statistics.h"
#include "support/support.h"

#include <string.h>

enum { COUNTERS = sizeof(gm_statistics) / sizeof(uint64_t) };

static void adds_every_counter(void **state)
{
    (void)state;
    gm_statistics left;
    gm_statistics right;
    uint64_t words[2][COUNTERS];
    for (unsigned i = 0; i < COUNTERS; i++) {
        words[0][i] = 1000 + i;
        words[1][i] = 7 * i + 3;
    }
    memcpy(&left, words[0], sizeof left);
    memcpy(&right, words[1], sizeof right);
    gm_statistics_add(&left, &right);
    assert_int_equal(left.l2_dirty_sectors, right.l2_dirty_sectors); /* a state, not a count */
    left.l2_dirty_sectors += 1000 + offsetof(gm_statistics, l2_dirty_sectors) / sizeof(uint64_t);
    memcpy(words[0], &left, sizeof left);
    for (unsigned i = 0; i < COUNTERS; i++) {
        assert_int_equal(words[0][i], 1000 + i + 7 * i + 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adds_every_counter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
