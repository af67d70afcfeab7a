/* The bypass path of the L1 with time [li, figure 1], worked by hand. */
#include "support/cycle/l1/l1_steps.h"

/* Each path has its own places, and what waits goes out in the order in which it came. */
static void neither_path_blocks_the_other(void **state)
{
    (void)state;
    static const step steps[] = {
        {LOAD, 1, 0x1, 0, "miss"},   {LOAD, 2, 0x1, 0, "queue"},
        {PASS, 3, 0x1, 0, "bypass"}, {PASS, 4, 0x3, 0, "bypass"},
        {PASS, 5, 0x1, 0, "path"},   {STRONG, 5, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "R1:f"},     {PASS, 5, 0x1, 0, "path"}, /* that was not one of its places */
        {STORE, 4, 0x1, 0, "miss"},  {LOAD, 2, 0x1, 0, "queue"},
        {SEND, 0, 0, 0, "R3:1"},     {LOAD, 2, 0x1, 0, "queue"},
        {PASS, 4, 0x1, 0, "bypass"}, {SEND_ALL, 0, 0, 0, "R4:3 W4:1 R4:1"},
        {LOAD, 2, 0x1, 0, "miss"},
    };
    gm_config config = small();
    config.l1.miss_queue = 1;
    config.l1.bypass_queue = 2;
    PLAY(&config, steps);
}

/* With lines of four L2 lines: all packets have room, or none; more than there are places when the
 * path is empty. Answered once, with the last. */
static void longer_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {PASS, 1, 0x9, 0, "bypass"}, {PASS, 2, 0x1, 0, "path"},
        {SEND, 0, 0, 0, "R4:1"},     {PASS, 2, 0x1, 0, "bypass"},
        {PASS, 3, 0x1, 0, "path"},   {SEND_ALL, 0, 0, 0, "R7:1 R8:1"},
        {PASS, 3, 0xf, 0, "bypass"}, {REPLY, 0, 0, 0, "-"},
        {REPLY, 0, 0, 0, "2"}, /* from another bank: overtakes */
        {REPLY, 0, 0, 0, "1"},       {SEND_ALL, 0, 0, 0, "R12:1 R13:1 R14:1 R15:1"},
        {REPLY, 0, 0, 0, "-"},
    };
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, "kepler-hybrid", &error), error);
    config.l1.miss_queue = 1;
    config.l1.bypass_queue = 2;
    PLAY(&config, steps);
}

/* As many loads wait past the L1 as there are places for them. */
static void places_for_waiting_loads(void **state)
{
    (void)state;
    gm_config config = small();
    fixture fixture;
    make(&fixture, &config);
    fixture.memory->silent = true;
    for (unsigned i = 0; i < GM_BYPASSED_LOADS; i++) {
        const step steps[] = {{PASS, 0, 0x1, 0, "bypass"}, {SEND, 0, 0, 0, "R0:1"}};
        play(&fixture, steps, 2);
    }
    assert_false(gm_cycle_l1_can_bypass(&fixture.l1, 1));
    const step full[] = {{PASS, 0, 0x1, 0, "path"}, {STRONG, 0, 0x1, 0, "entry"}};
    play(&fixture, full, 2);
    fixture.memory->silent = false;
    uint32_t ticket;
    uint32_t gone = gm_cycle_l1_reply(&fixture.l1, fixture.now, &ticket);
    assert_int_equal(ticket, 0);
    assert_int_equal(gone >> GM_CYCLE_L1_FAIL_BYPASS_QUEUE & 1, 1);
    assert_true(gm_cycle_l1_can_bypass(&fixture.l1, 1));
    destroy(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_path_blocks_the_other),
        cmocka_unit_test(longer_lines),
        cmocka_unit_test(places_for_waiting_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
