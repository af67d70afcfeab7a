/* Machines of litmus trials: those of a preset can run, differ, and have few lines and short
 * leases; a seed gives one machine, and keys that are not times of the protocol stay. */
#include "litmus/litmus_machine.h"
#include "support/order/order_run.h"

#include <string.h>

enum { MACHINES = 300 };

static void machines(void **state)
{
    (void)state;
    unsigned one_line = 0;
    unsigned rolls_over = 0;
    unsigned slow = 0;
    gm_config before = {.gpu.sms = 0};
    for (uint64_t seed = 0; seed < MACHINES; seed++) {
        gm_config config = order_preset("fermi-tc");
        gm_error error;
        config.coherence.protocol = GM_COHERENCE_TCW;
        config.coherence.visible = true;
        gm_config again = config;
        gm_litmus_machine(&config, seed);
        gm_litmus_machine(&again, seed);
        assert_memory_equal(&config, &again, sizeof config);
        assert_memory_not_equal(&config, &before, sizeof config);
        before = config;
        test_ok(gm_config_check(&config, &error), error);
        assert_true(config.coherence.protocol == GM_COHERENCE_TCW && config.coherence.visible);
        assert_true(config.gpu.sms == 4 && config.l1.size <= 16 * config.l1.line);
        one_line += config.l2.size == config.l2.line * config.memory.partitions;
        rolls_over += config.coherence.time_bits < 10;
        slow += config.clock.core < config.clock.l2 / 4;
    }
    assert_true(one_line > MACHINES / 10 && rolls_over > MACHINES / 10 && slow > MACHINES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
