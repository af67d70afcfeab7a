/* The cycle engine with coherent L1s: on random programs in random machines every law holds, cycles
 * that are skipped change nothing, and neither does going on from a checkpoint. */
#include "support/config/coherent.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"

#include <errno.h>
#include <string.h>

enum { MACHINES = 60, KERNELS = 2, KERNEL_CTAS = 14, CTAS = KERNELS * 12 - 1, VISITED = 60000 };

static gm_config next_machine(unsigned number, test_random *random)
{
    gm_config config = timed_variant(number % POLICY_VARIANTS);
    gm_error error;
    config.gpu.sms = 3;
    config.sm.ctas = 3;
    config.memory.partitions = 2;
    config.l2.size = config.l2.size == GM_UNBOUNDED ? GM_UNBOUNDED : 16384;
    config.l2.ways = config.l2.ways == GM_FULL ? GM_FULL : 4;
    make_coherent(&config, random);
    if (number % 3 == 2) {
        make_tiny(&config);
    }
    if (config.coherence.protocol >= GM_COHERENCE_VI && config.l2.mshrs == 1) {
        config.l2.mshrs = 2; /* the least */
    }
    test_ok(gm_config_check(&config, &error), error);
    return config;
}

static void skipped_cycles_change_nothing(void **state)
{
    (void)state;
    test_random random = test_random_start(303);
    gm_coherence_statistics seen = {0};
    for (unsigned number = 0; number < test_rounds(MACHINES); number++) {
        gm_config config = next_machine(number, &random);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        gm_results results = cycle_results(&config, source, 1, false);
        gm_coherence_statistics_add(&seen, &results.total.coherence);
        if (results.total.time.cycles < VISITED) {
            gm_results other = cycle_results(&config, source, 2, true);
            cycle_same(&config, &results, &other);
            gm_results_free(&other);
        }
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
    const bool all = test_rounds(MACHINES) == MACHINES; /* fewer do not count everything */
#define COUNTER(name, unit, meaning)                                                               \
    if (all && seen.name == 0) {                                                                   \
        fail_msg("no machine counted " #name);                                                     \
    }
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
}

static void checkpoints_keep_all(void **state)
{
    (void)state;
    test_random random = test_random_start(104);
    char path[512];
    unsigned resumed = 0;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    for (unsigned number = 0; number < test_rounds(MACHINES) / 2; number++) {
        gm_config config = next_machine(number, &random);
        memory_source *source = mixture_of(test_random_next(&random), KERNELS, KERNEL_CTAS);
        cycle_outcome whole;
        cycle_outcome other;
        cycle_try(&config, source, (gm_run_options){0}, &whole);
        (void)remove(path);
        gm_run_options save = {
            .checkpoint = path,
            .checkpoint_every =
                200 + test_random_below(&random, whole.results.total.time.cycles / 3 + 1)};
        source->fail_at = 1 + test_random_below(&random, CTAS);
        assert_int_equal(cycle_try(&config, source, save, &other), -EIO);
        source->fail_at = SIZE_MAX;
        FILE *file = fopen(path, "rb");
        if (file != NULL) {
            fclose(file);
            resumed++;
            cycle_try(&config, source, (gm_run_options){.resume = path}, &other);
            cycle_same(&config, &whole.results, &other.results);
            assert_memory_equal(whole.kernels.own, other.kernels.own, sizeof other.kernels.own);
            gm_results_free(&other.results);
        }
        gm_results_free(&whole.results);
        gm_source_close(&source->source);
    }
    assert_true(resumed > test_rounds(MACHINES) / 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipped_cycles_change_nothing),
        cmocka_unit_test_setup_teardown(checkpoints_keep_all, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
