/* Timing wheel. Expected: the events of each cycle in an array over all cycles of the run. */
#include "cycle/util/wheel.h"
#include "support/support.h"

enum { MOST_SLOTS = 512, CYCLES = 6000 };

static void wheels_have_a_slot_for_each_cycle(void **state)
{
    (void)state;
    static const uint32_t rows[][2] = {{1, 64},    {63, 64},   {64, 128}, {127, 128},
                                       {128, 256}, {255, 256}, {256, 512}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gm_wheel_slots(rows[i][0]), rows[i][1]);
    }
}

static gm_cycle next_of(const bool *events, gm_cycle from)
{
    for (gm_cycle at = from; at < CYCLES + MOST_SLOTS; at++) {
        if (events[at]) {
            return at;
        }
    }
    return GM_NEVER;
}

/* Each cycle adds events at random up to `longest` cycles ahead, one in `rare` cycles. */
static void run(uint32_t longest, uint64_t rare, bool one_word, test_random *random)
{
    uint64_t due[MOST_SLOTS / 64] = {0};
    bool events[CYCLES + MOST_SLOTS] = {false};
    gm_wheel wheel = {.due = due, .slots = gm_wheel_slots(longest)};
    for (gm_cycle now = 0; now < CYCLES; now++) {
        gm_cycle next = gm_wheel_next(&wheel, now, one_word);
        assert_int_equal(next, next_of(events, now));
        assert_int_equal(gm_wheel_take(&wheel, gm_wheel_slot(&wheel, now, one_word), one_word),
                         events[now]);
        events[now] = false;
        assert_int_equal(gm_wheel_next(&wheel, now + 1, one_word), next_of(events, now + 1));
        while (test_random_below(random, rare) == 0) {
            gm_cycle at = now + 1 + test_random_below(random, longest);
            gm_wheel_add(&wheel, gm_wheel_slot(&wheel, at, one_word), one_word);
            events[at] = true;
        }
    }
}

static void events_are_found_in_their_order(void **state)
{
    (void)state;
    static const uint32_t longest[] = {1, 20, 63, 64, 100, 200, 500};
    static const uint64_t rare[] = {2, 20, 300};
    test_random random = test_random_start(1);
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
        for (size_t k = 0; k < sizeof rare / sizeof *rare; k++) {
            run(longest[i], rare[k], false, &random);
            if (gm_wheel_slots(longest[i]) == 64) {
                run(longest[i], rare[k], true, &random);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_have_a_slot_for_each_cycle),
        cmocka_unit_test(events_are_found_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
