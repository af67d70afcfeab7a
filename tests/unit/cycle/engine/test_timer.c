/* The machine's timer: acts at multiples of its period before any unit, also at those that the
 * machine has slept through, and bounds the skipping of cycles. */
#include "cycle/engine/machine.h"
#include "support/support.h"

static gm_cycle acted[8];
static unsigned acts;

static void act(gm_cycle_machine *machine, gm_cycle now)
{
    assert_true(acts < sizeof acted / sizeof acted[0]);
    (void)machine;
    acted[acts++] = now;
}

static void acts_at_multiples(void **state)
{
    (void)state;
    gm_config config;
    gm_error error;
    gm_cycle_machine machine;
    acts = 0;
    test_ok(gm_config_preset(&config, "gtx480", &error), error);
    test_ok(gm_cycle_machine_init(&machine, &config, &error), error);
    assert_true(machine.begins == GM_NEVER); /* no timer, no epochs */
    gm_cycle_machine_set_timer(&machine, 10, act);
    gm_cycle_machine_begin(&machine, 9);
    assert_int_equal(acts, 0);
    gm_cycle_machine_begin(&machine, 25); /* 10 and 20: nothing was visited in between */
    assert_int_equal(acts, 2);
    assert_int_equal(acted[0], 10);
    assert_int_equal(acted[1], 20);
    machine.now = 25;
    assert_true(gm_cycle_machine_next(&machine) == GM_NEVER); /* the timer alone is no work */
    machine.sm_wake[3] = 1000;
    assert_int_equal(gm_cycle_machine_next(&machine), 30);
    gm_cycle_machine_begin(&machine, 30);
    assert_int_equal(acts, 3);
    assert_int_equal(acted[2], 30);
    machine.now = 30;
    machine.sm_wake[3] = 38;
    assert_int_equal(gm_cycle_machine_next(&machine), 38);
    machine.no_skip = true;
    assert_int_equal(gm_cycle_machine_next(&machine), 31);
    gm_cycle_machine_free(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_at_multiples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
