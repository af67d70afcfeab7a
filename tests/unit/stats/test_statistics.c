/* Adding statistics adds every counter: the structs are arrays of 64-bit counters, so a sum over
 * their memory is a second way to add. Of the first time that a gate closed the smaller one stays.
 */
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
    assert_memory_equal(&left.unified, &right.unified, sizeof left.unified);
    assert_memory_equal(&left.overlap, &right.overlap, sizeof left.overlap);
    assert_memory_equal(&left.cta, &right.cta, sizeof left.cta);
    memcpy(words[0], &left, sizeof left);
    unsigned unified = offsetof(gm_statistics, unified) / sizeof(uint64_t);
    unsigned overlap = offsetof(gm_statistics, overlap) / sizeof(uint64_t);
    unsigned cta = offsetof(gm_statistics, cta) / sizeof(uint64_t);
    for (unsigned i = 0; i < COUNTERS; i++) {
        bool state_of_it = i == offsetof(gm_statistics, l2_dirty_sectors) / sizeof(uint64_t) ||
                           i == offsetof(gm_statistics, sampling.limit) / sizeof(uint64_t) ||
                           (i >= unified && i < unified + sizeof left.unified / sizeof(uint64_t)) ||
                           (i >= overlap && i < overlap + sizeof left.overlap / sizeof(uint64_t)) ||
                           (i >= cta && i < cta + sizeof left.cta / sizeof(uint64_t));
        bool first = i == offsetof(gm_statistics, l1_streaming.first_closed) / sizeof(uint64_t) ||
                     i == offsetof(gm_statistics, l2_streaming.first_closed) / sizeof(uint64_t);
        uint64_t one = 1000 + i;
        uint64_t other = 7 * i + 3;
        uint64_t expected = first ? (one < other ? one : other) : one + other;
        assert_int_equal(words[0][i], state_of_it ? other : expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adds_every_counter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
