/* The cycle engine with random values of every key: whatever the machine, a run ends, every law
 * holds, and short runs are the same when every cycle is visited. */
#include "config/config_l1.h"
#include "support/config/random_machine.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/policy/bypass_variant.h"

enum { MACHINES = 50, MOST_DRAWN = MACHINES * 5 / 4, VISITED = 30000 };

static void random_machines(void **state)
{
    (void)state;
    test_random random = test_random_start(81);
    unsigned valid = 0;
    unsigned decoupled = 0;
    unsigned ports = 0;
    for (unsigned number = 0; valid < MACHINES; number++) {
        assert_true(number < MOST_DRAWN);
        uint64_t seed = test_random_next(&random);
        gm_config config = random_machine(&random, false);
        config.l1.parts = gm_config_l1_parts_lacks(&config) == NULL;
        gm_error error;
        if (gm_config_check(&config, &error) < 0) {
            continue; /* few: keys that exclude each other are fitted */
        }
        valid++;
        decoupled += config.l1.kind == GM_L1_DECOUPLED;
        ports += config.sm.write_port;
        memory_source *source = mixture_of(seed, 1, 40);
        write_profile((gm_engine)test_random_below(&random, 2), &config, source);
        const gm_run_options options = {.threads = 1, .check = true};
        gm_results results;
        if (gm_cycle_run(&config, &source->source, &options, &results, &error) < 0) {
            print_machine(&config);
            fail_msg("machine %u: %s", number, error.text);
        }
        if (results.total.time.cycles < VISITED) {
            gm_results other = cycle_results(&config, source, 2, true);
            cycle_same(&config, &results, &other);
            gm_results_free(&other);
        }
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
    assert_true(decoupled > MACHINES / 10 && ports > MACHINES / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_machines, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
